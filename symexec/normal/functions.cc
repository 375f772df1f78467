// Extrema, exponentials, powers and odd functions, and what operations make of infinities.
#include <utility>

#include "base/check.h"
#include "symexec/normal/canonical.h"
#include "symexec/term/widen.h"

namespace racer::normal {

// Operands of a chain of maxima or minima. No number is past the largest of its format: a maximum that starts at -FLT_MAX starts below all.
PolyId Canonicalizer::Extremum(TermId t, std::vector<PolyId> args) {
  const bool maximum = store_.fp_kind(t) == FpKind::kMax;
  const FormatLayout layout = LayoutOf(store_.format(t));
  if (layout.has_infinity && args.size() > 1) {
    const Rational largest = (Rational(2) - Rational::Dyadic(1, -static_cast<int>(layout.fraction_bits))) * Rational(2).Pow(layout.bias);
    const PolyId bottom = algebra_.Constant(maximum ? -largest : largest);
    if (std::erase(args, bottom) > 0) {
      if (args.empty()) args.push_back(bottom);
      algebra_.Fire(Rule::kMaxInfinity, bottom);
    }
  }
  if (args.size() == 1) return algebra_.Fire(Rule::kMaxInfinity, args[0]);
  if (maximum) return algebra_.Max(std::move(args));
  for (PolyId& arg : args) {
    arg = algebra_.Scale(arg, Rational(-1));
    if (arg == kNoPoly) return kNoPoly;
  }
  const PolyId negated = algebra_.Max(std::move(args));
  return negated == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kMinAsMax, algebra_.Scale(negated, Rational(-1)));
}

PolyId Canonicalizer::Exponential(PolyId exponent) {
  const PolyId scaled = exponent == kNoPoly ? kNoPoly : algebra_.Multiply(exponent, algebra_.Of(NamedConstant::kLog2E));
  return scaled == kNoPoly ? kNoPoly : algebra_.Power2(scaled);
}

// An integer power of any base; else of a positive one.
PolyId Canonicalizer::Pow(PolyId base, PolyId exponent, SetId* conditions) {
  constexpr int64_t kMaxPower = 64;
  const std::optional<int64_t> n = algebra_.IsConstant(exponent) ? algebra_.ConstantValue(exponent).ToInt64() : std::nullopt;
  if (n && *n >= -kMaxPower && *n <= kMaxPower) {
    if (*n < 0 && !shared_.conditions.NonZero(base, conditions)) return kNoPoly;
    const PolyId factor = *n < 0 ? algebra_.Inverse(base) : base;
    return factor == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kPowAsPower, algebra_.Power(factor, static_cast<unsigned>(*n < 0 ? -*n : *n)));
  }
  if (!shared_.conditions.Positive(base, conditions)) return kNoPoly;
  const PolyId log = algebra_.Log2(base);
  const PolyId product = log == kNoPoly ? kNoPoly : Product(exponent, log);
  return product == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kPowAsPower, algebra_.Power2(product));
}

// sin, cos and erf of an argument whose first coefficient is positive.
PolyId Canonicalizer::OddOrEven(FpKind kind, PolyId arg) {
  const bool negate = algebra_.size(arg) > 0 && algebra_.coefficients(arg)[0].Sign() < 0;
  if (negate) arg = algebra_.Fire(Rule::kOddFunction, algebra_.Scale(arg, Rational(-1)));
  if (arg == kNoPoly) return kNoPoly;
  if (arg == kZero) return kind == FpKind::kCos ? algebra_.Constant(Rational(1)) : kZero;
  const char* name = kind == FpKind::kErf ? "erf" : kind == FpKind::kSin ? "sin" : "cos";
  const Signs signs = kind == FpKind::kErf ? algebra_.SignsOf(arg) : kAnySign;
  const PolyId value = Function({0, static_cast<uint32_t>(kind)}, name, {arg}, signs);
  return negate && kind != FpKind::kCos ? algebra_.Scale(value, Rational(-1)) : value;
}

// The limits that hold whatever the finite operands are. False: there is none, or none that is looked for.
bool Canonicalizer::FinishInfinite(TermId t, std::vector<PolyId> args, SetId conditions, SetId lifts) {
  const TermKind term_kind = store_.kind(t);
  if (term_kind != TermKind::kFpUnary && term_kind != TermKind::kFpBinary) return false;
  const FpAttr attr = store_.fp_attr(t);
  const auto constant = [&](int64_t value) {
    const PolyId form = Clamp(algebra_.Constant(Rational(value)), attr.sat, attr.relu);
    Set(t, algebra_.Fire(Rule::kInfinite, form), conditions, lifts);
    return true;
  };
  const auto infinite = [&](int sign) {
    if (attr.sat || attr.relu) return false;
    SetInfinite(t, sign, conditions, lifts);
    return true;
  };
  const FpKind kind = store_.fp_kind(t);
  if (kind == FpKind::kMax || kind == FpKind::kMin) {
    if (attr.xorsign) return false;
    // The gathered operands, without the infinities that never win.
    const int wins = kind == FpKind::kMax ? 1 : -1;
    std::vector<PolyId> finite;
    for (size_t i = items_.size() - args.size(); i < items_.size(); ++i) {
      const int sign = InfinityOf(items_[i].a);
      if (sign == wins) return infinite(wins);
      if (sign == 0) finite.push_back(args[i - (items_.size() - args.size())]);
    }
    if (finite.empty()) return infinite(-wins);
    const PolyId result = Clamp(Extremum(t, std::move(finite)), attr.sat, attr.relu);
    if (result == kNoPoly) return false;
    Set(t, algebra_.Fire(Rule::kMaxInfinity, result), conditions, lifts);
    return true;
  }
  const int first = InfinityOf(store_.operand(t, 0));
  switch (kind) {
    case FpKind::kEx2:
    case FpKind::kExp: return first < 0 ? constant(0) : infinite(1);
    case FpKind::kTanh:
    case FpKind::kErf: return constant(first);
    case FpKind::kRcp: return constant(0);
    case FpKind::kAbs: return infinite(1);
    case FpKind::kRsqrt: return first > 0 && constant(0);
    case FpKind::kSqrt:
    case FpKind::kLg2:
    case FpKind::kLog: return first > 0 && infinite(1);
    case FpKind::kDiv: return first == 0 && constant(0);
    default: return false;  // a refusal by name
  }
}

}  // namespace racer::normal
