// Rounding to an integer, over the reals.
#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <utility>

#include "base/check.h"
#include "symexec/ball/decode.h"
#include "symexec/normal/canonical.h"

namespace racer::normal {
namespace {

constexpr size_t kMaxElements = 256;  // of a maximum that is rounded element by element

size_t Index(TermId t) { return static_cast<size_t>(t); }

}  // namespace

std::optional<Rational> RoundToInteger(const Rational& value, Rounding rounding) {
  fmpz_t floor;
  fmpz_init(floor);
  fmpz_fdiv_q(floor, fmpq_numref(value.raw()), fmpq_denref(value.raw()));
  Rational low;
  fmpz_set(fmpq_numref(low.raw()), floor);
  bool odd = fmpz_is_odd(floor) != 0;
  fmpz_clear(floor);
  Rational high = value.IsInteger() ? low : low + Rational(1);
  switch (rounding) {
    case Rounding::kRm:
    case Rounding::kRmi: return low;
    case Rounding::kRp:
    case Rounding::kRpi: return high;
    case Rounding::kRz:
    case Rounding::kRzi: return value.Sign() >= 0 ? low : high;
    case Rounding::kRn:
    case Rounding::kRni: {
      Rational twice_fraction = (value - low) * Rational(2);
      if (twice_fraction < Rational(1)) return low;
      if (Rational(1) < twice_fraction) return high;
      return odd ? high : low;
    }
    case Rounding::kNone:
    case Rounding::kRna:
    case Rounding::kRs: return std::nullopt;
  }
  RACER_UNREACHABLE(rounding);
}

// Whether the term is an integer on every device, up to overflows: rounding it does nothing, also where the value over the reals is one
// only because roundings are ignored ((n / 49) * 49).
bool Canonicalizer::IsIntegral(TermId t) {
  std::vector<bool>& integral = shared_.integral;
  // Operands have smaller ids.
  while (integral.size() <= Index(t)) {
    const TermId id{static_cast<uint32_t>(integral.size())};
    bool holds = false;
    const auto of = [&](unsigned i) { return integral[Index(store_.operand(id, i))]; };
    switch (id == kNoTerm ? TermKind::kUndef : store_.kind(id)) {
      case TermKind::kFpConst: {
        const std::optional<Rational> value = FiniteValue(store_.format(id), store_.const_bits(id));
        holds = value.has_value() && value->IsInteger();
        break;
      }
      case TermKind::kIntToFp: holds = true; break;
      case TermKind::kFpIte: holds = of(1) && of(2); break;
      // An integer that is rounded to a format stays one, and a narrow format of few integers keeps them, too.
      case TermKind::kFpConvert: holds = of(0) && !IsNarrow(store_.format(id)); break;
      case TermKind::kFpUnary: {
        const FpKind kind = store_.fp_kind(id);
        holds = kind == FpKind::kRoundInt || ((kind == FpKind::kNeg || kind == FpKind::kAbs) && of(0));
        break;
      }
      case TermKind::kFpBinary: {
        const FpKind kind = store_.fp_kind(id);
        const bool ring = kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kMul;
        holds = (ring || kind == FpKind::kMin || kind == FpKind::kMax) && of(0) && of(1);
        break;
      }
      case TermKind::kFpTernary: holds = of(0) && of(1) && of(2); break;
      default: break;
    }
    integral.push_back(holds);
  }
  return integral[Index(t)];
}

PolyId Canonicalizer::Rounded(Rounding rounding, PolyId a, TermId term) {
  if (!algebra_.IsConstant(a) && IsIntegral(term)) return algebra_.Fire(Rule::kRoundInteger, a);
  return RoundedForm(rounding, a, /*reported=*/true);
}

PolyId Canonicalizer::RoundedForm(Rounding rounding, PolyId a, bool reported) {
  if (a == kNoPoly) return kNoPoly;
  if (algebra_.IsConstant(a)) {
    if (std::optional<Rational> n = RoundToInteger(algebra_.ConstantValue(a), rounding)) {
      return algebra_.Fire(Rule::kRoundConstant, algebra_.Constant(*n));
    }
  }
  switch (rounding) {
    case Rounding::kRn: rounding = Rounding::kRni; break;
    case Rounding::kRm: rounding = Rounding::kRmi; break;
    case Rounding::kRp: rounding = Rounding::kRpi; break;
    case Rounding::kRz: rounding = Rounding::kRzi; break;
    default: break;
  }
  const Rational minus_one(-1);
  if (RoundToInteger(Rational(0), rounding)) {
    // No rounding exchanges two numbers.
    if (std::optional<Algebra::Extremum> extremum = algebra_.AsExtremum(a); extremum && extremum->elements.size() <= kMaxElements) {
      for (PolyId& element : extremum->elements) {
        element = RoundedForm(rounding, element, reported);
        if (element == kNoPoly) return kNoPoly;
      }
      return algebra_.Fire(Rule::kRoundExtremum, extremum->maximum ? algebra_.Max(extremum->elements) : algebra_.Min(extremum->elements));
    }
    const bool odd = rounding == Rounding::kRni || rounding == Rounding::kRzi;
    if (rounding == Rounding::kRpi || (odd && algebra_.coefficients(a)[0].Sign() < 0)) {
      if (rounding == Rounding::kRpi) rounding = Rounding::kRmi;
      const PolyId opposite = RoundedForm(rounding, algebra_.Scale(a, minus_one), reported);
      return opposite == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kRoundOpposite, algebra_.Scale(opposite, minus_one));
    }
  }
  const Signs signs = algebra_.SignsOf(a);
  const bool keeps_sign = rounding != Rounding::kRmi || NeverNegative(signs);
  const Signs result = keeps_sign ? static_cast<Signs>(signs | kZeroSign) : kAnySign;
  return Function({0, static_cast<uint32_t>(FpKind::kRoundInt), static_cast<uint32_t>(rounding)}, "round", {a}, result,
                  {.integer = true, .reported = reported});
}

std::vector<Rational> Canonicalizer::ConstantArms(PolyId a) const {
  std::vector<Rational> found;
  std::vector<std::pair<PolyId, int>> stack = {{a, 16}};
  while (!stack.empty()) {
    const auto [form, depth] = stack.back();
    stack.pop_back();
    if (algebra_.IsConstant(form)) found.push_back(algebra_.ConstantValue(form));
    const std::optional<Algebra::Extremum> extremum = depth == 0 ? std::nullopt : algebra_.AsExtremum(form);
    if (!extremum || extremum->elements.size() > kMaxElements) continue;
    for (PolyId element : extremum->elements) stack.emplace_back(element, depth - 1);
  }
  return found;
}

}  // namespace racer::normal
