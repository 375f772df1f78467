#include "checker/rounding_by_addition.h"

#include <cmath>
#include <cstdlib>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"
#include "symexec/term/rebuild.h"

namespace racer {
namespace {

bool IsComputedIn(FpFormat format) {
  return format == FpFormat::kF16 || format == FpFormat::kBF16 || format == FpFormat::kF32 || format == FpFormat::kF64;
}

// Of a literal that a format of computation holds: exact in double.
std::optional<double> LiteralValue(const TermStore& store, TermId id) {
  if (store.kind(id) != TermKind::kFpConst || !IsComputedIn(store.format(id))) return std::nullopt;
  const std::optional<Rational> value = FiniteValue(store.format(id), store.const_bits(id));
  return value ? std::optional<double>(value->ToDouble()) : std::nullopt;
}

// log2 of the unit in the last place.
int UnitExponent(FpFormat format, double value) { return std::ilogb(value) - static_cast<int>(PrecisionBits(format)) + 1; }

constexpr int kLeastUnit = -2;

std::string Decimal(double value) {
  Rational exact = Rational::FromDouble(value);
  return exact.ToString();
}

}  // namespace

std::optional<RoundingByAddition::Sum> RoundingByAddition::SumOf(TermId id) const {
  const TermKind kind = store_.kind(id);
  if (kind != TermKind::kFpBinary && kind != TermKind::kFpTernary) return std::nullopt;
  const FpAttr attr = store_.fp_attr(id);
  if (attr.sat || attr.relu || attr.approx || !IsComputedIn(attr.format)) return std::nullopt;
  const TermId a = store_.operand(id, 0), b = store_.operand(id, 1);
  switch (store_.fp_kind(id)) {
    case FpKind::kAdd:
      if (const auto literal = LiteralValue(store_, b)) return Sum{.a = a, .literal = *literal};
      if (const auto literal = LiteralValue(store_, a)) return Sum{.a = b, .literal = *literal};
      return std::nullopt;
    case FpKind::kSub:
      if (const auto literal = LiteralValue(store_, b)) return Sum{.a = a, .literal = -*literal};
      if (const auto literal = LiteralValue(store_, a)) return Sum{.a = b, .negative = true, .literal = *literal};
      return std::nullopt;
    case FpKind::kFma:
      if (const auto literal = LiteralValue(store_, store_.operand(id, 2))) return Sum{.a = a, .b = b, .literal = *literal};
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<TermId> RoundingByAddition::RoundedSum(TermId id) const {
  const TermKind kind = store_.kind(id);
  if (kind != TermKind::kFpBinary && kind != TermKind::kFpTernary) return std::nullopt;
  const FpKind op = store_.fp_kind(id);
  if (op != FpKind::kAdd && op != FpKind::kSub && op != FpKind::kFma) return std::nullopt;
  // s + l, s - l, l - s, and s * 1 + l.
  for (unsigned i = 0; i < 2; ++i) {
    const TermId s = store_.operand(id, i), other = store_.operand(id, op == FpKind::kFma ? 2 : 1 - i);
    double factor = op == FpKind::kSub && i == 1 ? -1 : 1;
    if (op == FpKind::kFma) {
      const std::optional<double> by = LiteralValue(store_, store_.operand(id, 1 - i));
      if (!by || std::fabs(*by) != 1) continue;
      factor = *by;
    }
    const std::optional<Sum> sum = SumOf(s);
    std::optional<double> taken = LiteralValue(store_, other);
    if (!sum || !taken) continue;
    if (op == FpKind::kSub && i == 0) *taken = -*taken;
    const double added = factor * sum->literal;
    if (added == 0 || UnitExponent(store_.format(s), added) < kLeastUnit) continue;
    if (std::signbit(added) == std::signbit(*taken) || std::fabs(added + *taken) > std::fabs(added) / 4) continue;
    return s;
  }
  return std::nullopt;
}

void RoundingByAddition::Extend() {
  const size_t from = within_.empty() ? 1 : within_.size();  // 0 is kNoTerm
  within_.resize(store_.size());
  // An operand is made before the term that uses it.
  for (size_t i = from; i < within_.size(); ++i) {
    const TermId id{static_cast<uint32_t>(i)};
    bool within = RoundedSum(id).has_value();
    for (unsigned k = 0; k < store_.arity(id) && !within; ++k) within = within_[static_cast<size_t>(store_.operand(id, k))];
    within_[i] = within;
  }
}

// With u the unit of the literal l: l + u * round(x / u). To the nearest, ties go to the even one of the sums, so an odd l / u gives one to
// x.
TermId RoundingByAddition::Rounding(TermId sum, TermId a, TermId b) {
  const Sum parts = *SumOf(sum);
  const FpAttr attr = store_.fp_attr(sum);
  FpAttr plain;
  plain.format = attr.format;
  const double literal = parts.literal;
  const int unit = UnitExponent(attr.format, literal);
  const auto number = [&](double value) {
    const std::optional<uint64_t> bits = EncodeExact(attr.format, Rational::FromDouble(value));
    RACER_CHECK(bits.has_value());
    return store_.FpConst(attr.format, *bits);
  };
  TermId x = b == kNoTerm ? a : store_.Fp(FpKind::kMul, plain, a, b);
  if (parts.negative) x = store_.Fp(FpKind::kNeg, plain, x);
  x = store_.Fp(FpKind::kMul, plain, x, number(std::ldexp(1.0, -unit)));
  const bool down = literal > 0;  // towards zero
  FpAttr round = plain;
  double base = literal;
  switch (attr.rounding) {
    case Rounding::kRm: round.rounding = Rounding::kRmi; break;
    case Rounding::kRp: round.rounding = Rounding::kRpi; break;
    case Rounding::kRz: round.rounding = down ? Rounding::kRmi : Rounding::kRpi; break;
    default:
      round.rounding = Rounding::kRni;
      if (std::fmod(std::ldexp(literal, -unit), 2) != 0) {
        base -= std::ldexp(1.0, unit);
        x = store_.Fp(FpKind::kAdd, plain, x, number(1));
      }
  }
  const double magnitude = std::fabs(literal), binade = std::ldexp(1.0, std::ilogb(literal));
  double low = binade - magnitude, high = 2 * binade - magnitude;
  if (literal < 0) {
    std::swap(low, high);
    low = -low;
    high = -high;
  }
  assumptions_.insert("what is added to " + Decimal(literal) + ", which is taken away again, lies between " + Decimal(low) + " and " +
                      Decimal(high) + ", and is rounded to a multiple of " + Decimal(std::ldexp(1.0, unit)) + " by that");
  const TermId steps = store_.Fp(FpKind::kMul, plain, store_.Fp(FpKind::kRoundInt, round, x), number(std::ldexp(1.0, unit)));
  return store_.Fp(FpKind::kAdd, plain, steps, number(base));
}

TermId RoundingByAddition::Spelled(TermId term) {
  if (store_.size() != within_.size()) Extend();
  if (!within_[static_cast<size_t>(term)]) return term;
  std::vector<TermId> stack{term};
  const auto known = [&](TermId id) { return !within_[static_cast<size_t>(id)] || spelled_.contains(id); };
  const auto of = [&](TermId id) { return within_[static_cast<size_t>(id)] ? spelled_.at(id) : id; };
  while (!stack.empty()) {
    const TermId id = stack.back();
    // A sum that is taken apart is no operand: its own ones are.
    const std::optional<TermId> sum = RoundedSum(id);
    bool ready = true;
    const auto need = [&](TermId operand) {
      if (known(operand)) return;
      stack.push_back(operand);
      ready = false;
    };
    for (unsigned i = 0; i < store_.arity(id); ++i) {
      if (store_.operand(id, i) != sum) need(store_.operand(id, i));
    }
    if (sum) {
      const Sum parts = *SumOf(*sum);
      need(parts.a);
      if (parts.b != kNoTerm) need(parts.b);
    }
    if (!ready) continue;
    stack.pop_back();
    if (spelled_.contains(id)) continue;
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    for (unsigned i = 0; i < store_.arity(id); ++i) {
      const TermId operand = store_.operand(id, i);
      if (operand == sum) {
        const Sum parts = *SumOf(operand);
        operands[i] = Rounding(operand, of(parts.a), parts.b == kNoTerm ? kNoTerm : of(parts.b));
      } else {
        operands[i] = of(operand);
      }
    }
    spelled_.emplace(id, Rebuild(store_, id, operands[0], operands[1], operands[2]));
  }
  return spelled_.at(term);
}

}  // namespace racer
