#include "checker/rounding_by_addition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"
#include "symexec/term/rebuild.h"

namespace racer {
namespace {

constexpr int kLeastUnit = -2;        // log2
constexpr double kLeastLiteral = 32;  // of such a unit in bf16
constexpr double kTaken = 1.0 / 64;   // of a literal: what may remain of one that is taken away, as in expf of nvcc
constexpr size_t kMaxParts = 8;       // of one term
constexpr unsigned kMaxRangeDepth = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool IsComputedIn(FpFormat format) {
  return format == FpFormat::kF16 || format == FpFormat::kBF16 || format == FpFormat::kF32 || format == FpFormat::kF64;
}

// log2 of the unit in the last place.
int UnitExponent(FpFormat format, double value) { return std::ilogb(value) - static_cast<int>(PrecisionBits(format)) + 1; }

bool RoundsAway(FpFormat format, double value) { return value != 0 && std::isfinite(value) && UnitExponent(format, value) >= kLeastUnit; }

bool IsPowerOfTwo(double value) { return value != 0 && std::ldexp(1.0, std::ilogb(value)) == std::fabs(value); }

std::string Decimal(double value) { return Rational::FromDouble(value).ToString(); }

}  // namespace

std::optional<RoundingByAddition::Literal> RoundingByAddition::LiteralOf(TermId id) const {
  const auto found = literals_.find(id);
  return found == literals_.end() ? std::nullopt : std::optional<Literal>(found->second);
}

std::optional<RoundingByAddition::Literal> RoundingByAddition::SummandOf(TermId id) const {
  const std::optional<Literal> literal = LiteralOf(id);
  return literal && literal->rough && std::fabs(literal->value) < kLeastLiteral ? std::nullopt : literal;
}

std::optional<RoundingByAddition::Literal> RoundingByAddition::ReadLiteral(TermId id) const {
  const TermKind kind = store_.kind(id);
  if (store_.IsBits(id) || !IsComputedIn(store_.format(id))) return std::nullopt;
  const auto exact = [&](const Rational& value) -> std::optional<Literal> {
    if (!EncodeExact(store_.format(id), value)) return std::nullopt;
    return Literal{.value = value.ToDouble()};
  };
  if (kind == TermKind::kFpConst) {
    const std::optional<Rational> value = FiniteValue(store_.format(id), store_.const_bits(id));
    return value ? exact(*value) : std::nullopt;
  }
  if (kind == TermKind::kIntToFp && store_.IsConst(store_.operand(id, 0))) {
    const TermId of = store_.operand(id, 0);
    const unsigned unused = 64 - store_.width(of);
    const uint64_t bits = store_.const_bits(of) << unused;
    if (IsSigned(store_.int_type(id))) return exact(Rational(static_cast<int64_t>(bits) >> unused));
    if (bits >> unused >> 63 != 0) return std::nullopt;
    return exact(Rational(static_cast<int64_t>(bits >> unused)));
  }
  const bool operation =
      kind == TermKind::kFpUnary || kind == TermKind::kFpBinary || kind == TermKind::kFpTernary || kind == TermKind::kFpConvert;
  return operation ? ReadOperation(id) : std::nullopt;
}

std::optional<RoundingByAddition::Literal> RoundingByAddition::ReadOperation(TermId id) const {
  const FpAttr attr = store_.fp_attr(id);
  if (attr.sat || attr.relu) return std::nullopt;
  Literal operands[3];
  bool rough = attr.approx || attr.full;
  for (unsigned i = 0; i < store_.arity(id); ++i) {
    const std::optional<Literal> literal = LiteralOf(store_.operand(id, i));
    // Of the sign that it takes, copysign asks nothing.
    const bool sign_only = i == 0 && store_.kind(id) == TermKind::kFpBinary && store_.fp_kind(id) == FpKind::kCopySign;
    if (!literal && !sign_only) return std::nullopt;
    if (!literal) continue;
    operands[i] = *literal;
    rough |= literal->rough;
  }
  const auto& [a, b, c] = operands;
  const auto near = [](double value) {
    return std::isfinite(value) ? std::optional<Literal>({.value = value, .rough = true}) : std::nullopt;
  };
  // One that is rounded on the way is about that.
  const auto exact = [&](const Rational& value) {
    return !rough && EncodeExact(attr.format, value) ? std::optional<Literal>({.value = value.ToDouble()}) : near(value.ToDouble());
  };
  const auto rational = [](const Literal& literal) { return Rational::FromDouble(literal.value); };
  if (store_.kind(id) == TermKind::kFpConvert) {
    std::optional<Literal> converted = exact(rational(a));
    if (converted) converted->term = a.term;
    return converted;
  }
  const FpKind op = store_.fp_kind(id);
  if (op == FpKind::kNeg) return Literal{.term = a.term, .value = -a.value, .rough = rough};
  if (op == FpKind::kCopySign && b.term == kNoTerm) return Literal{.term = id, .value = std::fabs(b.value), .rough = b.rough};
  if (a.term != kNoTerm || b.term != kNoTerm || c.term != kNoTerm) return std::nullopt;
  switch (op) {
    case FpKind::kAdd: return exact(rational(a) + rational(b));
    case FpKind::kSub: return exact(rational(a) - rational(b));
    case FpKind::kMul: return exact(rational(a) * rational(b));
    case FpKind::kFma: return exact(rational(a) * rational(b) + rational(c));
    case FpKind::kDiv: return near(a.value / b.value);
    case FpKind::kAbs: return near(std::fabs(a.value));
    case FpKind::kMin: return near(std::fmin(a.value, b.value));
    case FpKind::kMax: return near(std::fmax(a.value, b.value));
    case FpKind::kRcp: return near(1 / a.value);
    case FpKind::kSqrt: return near(std::sqrt(a.value));
    case FpKind::kRsqrt: return near(1 / std::sqrt(a.value));
    case FpKind::kEx2: return near(std::exp2(a.value));
    case FpKind::kLg2: return near(std::log2(a.value));
    case FpKind::kSin: return near(std::sin(a.value));
    case FpKind::kCos: return near(std::cos(a.value));
    case FpKind::kTanh: return near(std::tanh(a.value));
    case FpKind::kExp: return near(std::exp(a.value));
    case FpKind::kLog: return near(std::log(a.value));
    case FpKind::kErf: return near(std::erf(a.value));
    case FpKind::kPow: return near(std::pow(a.value, b.value));
    case FpKind::kNeg:
    case FpKind::kCopySign:
    case FpKind::kRoundInt: return std::nullopt;
  }
  RACER_UNREACHABLE(static_cast<int>(op));
}

const RoundingByAddition::Parts& RoundingByAddition::PartsOf(TermId id) const {
  static const Parts kNone;
  const auto found = parts_.find(id);
  return found == parts_.end() ? kNone : found->second;
}

const RoundingByAddition::Part& RoundingByAddition::Largest(const Parts& parts) {
  return *std::max_element(parts.begin(), parts.end(),
                           [](const Part& a, const Part& b) { return std::fabs(a.remaining) < std::fabs(b.remaining); });
}

void RoundingByAddition::Keep(TermId id, Parts parts) {
  std::erase_if(parts, [&](const Part& part) {
    if (!std::isfinite(part.remaining) || !std::isfinite(part.taken_at)) return true;
    if (std::fabs(part.remaining) > part.taken_at) return false;
    if (part.origin != kNoTerm) {
      taken_.insert(part.origin);
      if (part.crowded) sums_.at(part.origin).unsure = true;
    }
    return true;
  });
  if (parts.size() > kMaxParts) {
    parts.resize(kMaxParts);
    for (Part& part : parts) part.crowded = true;
  }
  if (!parts.empty()) parts_.emplace(id, std::move(parts));
}

void RoundingByAddition::Round(TermId id, Parts& parts, const std::optional<Literal>& added, double sum, TermId operand, bool exact) {
  const FpFormat format = store_.format(id);
  Literal literal;
  const FpAttr attr = store_.fp_attr(id);
  bool unsure = attr.rounding == Rounding::kRs || attr.rounding == Rounding::kRna || attr.relu;
  bool known = false;
  if (added) {
    for (Part& part : parts) {
      if (part.term != added->term) continue;
      part.remaining += added->value;
      part.rough |= added->rough;
      known = true;
    }
  }
  if (!known && added && std::fabs(added->value) >= kLeastLiteral) {
    parts.push_back({.term = added->term, .remaining = added->value, .rough = added->rough});
  }
  if (parts.empty()) return;
  const Part largest = Largest(parts);
  literal = {.term = largest.term, .value = sum != 0 ? sum : largest.remaining};
  Part own{.term = largest.term, .origin = id, .remaining = largest.remaining};
  for (const Part& part : parts) {
    own.crowded |= part.crowded;
    own.rough |= part.rough;
    unsure |= part.chosen || part.rough || (part.term != largest.term && std::fabs(part.remaining) > part.taken_at) ||
              std::fabs(part.remaining - largest.remaining) > std::max(part.taken_at, largest.taken_at);
  }
  if (!RoundsAway(format, literal.value) || exact) return;
  const int unit = UnitExponent(format, literal.value);
  for (const Part& part : parts) {
    // The operand is a multiple of a unit no smaller.
    const auto before = added && part.origin == operand && part.term == added->term ? sums_.find(operand) : sums_.end();
    if (before == sums_.end() || store_.format(operand) != format) continue;
    if (UnitExponent(format, before->second.literal.value) >= unit && std::fmod(std::ldexp(added->value, -unit), 1) == 0) return;
  }
  own.taken_at = unit >= 0 ? std::fabs(own.remaining) * kTaken : 0;
  std::erase_if(parts, [](const Part& part) { return part.origin == kNoTerm; });
  parts.push_back(own);
  sums_.emplace(id, Sum{.literal = literal, .unsure = unsure});
}

void RoundingByAddition::AddUp(Parts& parts, Parts others) {
  if (!parts.empty() && !others.empty()) {
    const Part one = Largest(parts), other = Largest(others);
    // Of what a selection leaves, only a literal is taken away: masks are added to both sides of a difference with a maximum.
    if (one.term == other.term && !one.chosen && !other.chosen) {
      for (Part& part : parts) part.remaining += part.term == one.term ? other.remaining : 0;
      for (Part& part : others) part.remaining += part.term == one.term ? one.remaining : 0;
    }
  }
  parts.insert(parts.end(), others.begin(), others.end());
}

void RoundingByAddition::VisitArithmetic(TermId id) {
  const FpAttr attr = store_.fp_attr(id);
  if (!IsComputedIn(attr.format)) return;
  const FpKind op = store_.fp_kind(id);
  const auto scaled = [&](TermId operand, double by, bool rough = false) {
    Parts parts = PartsOf(operand);
    for (Part& part : parts) {
      part.remaining *= by;
      part.taken_at *= std::fabs(by);
      part.rough |= rough;
    }
    return parts;
  };
  const TermId a = store_.operand(id, 0), b = store_.arity(id) > 1 ? store_.operand(id, 1) : kNoTerm;
  // Under .sat a literal is taken away, or all that is left is 0 or 1.
  const bool rounds = !attr.approx && !attr.full && !attr.sat;
  switch (op) {
    case FpKind::kNeg: return Keep(id, scaled(a, -1));
    case FpKind::kAbs: {
      Parts parts = PartsOf(a);
      for (Part& part : parts) part.remaining = std::fabs(part.remaining);
      return Keep(id, std::move(parts));
    }
    case FpKind::kMin:
    case FpKind::kMax: {
      Parts parts = PartsOf(a);
      const Parts& more = PartsOf(b);
      parts.insert(parts.end(), more.begin(), more.end());
      for (Part& part : parts) part.chosen = true;
      return Keep(id, std::move(parts));
    }
    case FpKind::kMul:
    case FpKind::kDiv: {
      std::optional<Literal> by = LiteralOf(b);
      TermId of = a;
      if (!by && op == FpKind::kMul) {
        by = LiteralOf(a);
        of = b;
      }
      if (!by || by->term != kNoTerm || by->value == 0) return;
      Parts parts = scaled(of, op == FpKind::kMul ? by->value : 1 / by->value, by->rough);
      if (parts.empty()) return;
      if (rounds) Round(id, parts, std::nullopt, 0, kNoTerm, IsPowerOfTwo(by->value) && !by->rough);
      return Keep(id, std::move(parts));
    }
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kFma: break;
    default: return;
  }
  if (op == FpKind::kFma && attr.approx) return;  // a step of a matrix instruction
  // left + right, of which each is a literal or has literal parts.
  Parts parts, others;
  std::optional<Literal> left, right;
  TermId operand = kNoTerm;
  if (op == FpKind::kFma) {
    const TermId c = store_.operand(id, 2);
    const std::optional<Literal> by[2] = {LiteralOf(a), LiteralOf(b)};
    right = SummandOf(c);
    for (unsigned i = 0; i < 2 && !left; ++i) {
      if (!by[i] || by[i]->term != kNoTerm) continue;
      const TermId other = i == 0 ? b : a;
      if (by[1 - i]) {
        left = Literal{.term = by[1 - i]->term, .value = by[0]->value * by[1]->value, .rough = by[0]->rough || by[1]->rough};
      } else {
        parts = scaled(other, by[i]->value, by[i]->rough);
        if (std::fabs(by[i]->value) == 1) operand = other;
      }
      break;
    }
    if (!right) others = PartsOf(c);
  } else {
    left = SummandOf(a);
    right = SummandOf(b);
    if (right && op == FpKind::kSub) right->value = -right->value;
    if (!left) parts = PartsOf(a);
    if (!right) others = scaled(b, op == FpKind::kSub ? -1 : 1);
    operand = left ? b : a;
  }
  if (op == FpKind::kFma && left && !right) operand = store_.operand(id, 2);
  AddUp(parts, std::move(others));
  std::optional<Literal> added = left ? left : right;
  double sum = 0;
  if (left && right) {
    if (std::fabs(right->value) > std::fabs(left->value)) added = right;
    if (left->term == kNoTerm && right->term == kNoTerm) {
      sum = left->value + right->value;
      // What is left is exact, or small.
      if (sum == 0 || std::fabs(sum) < std::fabs(added->value) / 2) return;
    }
  }
  if (parts.empty() && !added) return;
  if (rounds) {
    Round(id, parts, added, sum, operand, false);
    const bool of_unknown_sign = left && right && (left->term != kNoTerm || right->term != kNoTerm);
    if (const auto own = sums_.find(id); own != sums_.end()) own->second.unsure |= of_unknown_sign;
  } else if (added) {
    for (Part& part : parts) {
      if (part.term == added->term) part.remaining += added->value;
    }
  }
  Keep(id, std::move(parts));
}

void RoundingByAddition::Visit(TermId id) {
  const std::optional<Literal> literal = ReadLiteral(id);
  if (literal && !literal->rough) {
    literals_.emplace(id, *literal);
    return;
  }
  VisitOperation(id);
  // A sum that is rounded is more than about a number.
  if (literal && !parts_.contains(id) && !taken_.contains(id)) literals_.emplace(id, *literal);
}

void RoundingByAddition::VisitOperation(TermId id) {
  switch (store_.kind(id)) {
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary:
      VisitArithmetic(id);
      if (store_.fp_attr(id).sat) parts_.erase(id);
      return;
    case TermKind::kFpIte: {
      Parts parts = PartsOf(store_.operand(id, 1));
      const Parts& others = PartsOf(store_.operand(id, 2));
      parts.insert(parts.end(), others.begin(), others.end());
      for (Part& part : parts) part.chosen = true;
      return Keep(id, std::move(parts));
    }
    case TermKind::kFpConvert: {
      const FpAttr attr = store_.fp_attr(id);
      const TermId of = store_.operand(id, 0);
      Parts parts = PartsOf(of);
      if (parts.empty() || attr.sat || IsNarrow(attr.format)) return;
      if (PrecisionBits(attr.format) < PrecisionBits(store_.format(of))) Round(id, parts, std::nullopt, 0, kNoTerm, false);
      return Keep(id, std::move(parts));
    }
    case TermKind::kBitsToFp: {
      // 0x4b000000 | n is a sum with 2^23.
      const std::optional<Literal> base = BaseOfPattern(id);
      if (base) Keep(id, {Part{.remaining = base->value, .rough = base->rough}});
      return;
    }
    default: return;
  }
}

// The number whose sign and exponent a pattern has for all inputs, with the bits that are inputs as zeros; where those may be much of it,
// it is about this number.
std::optional<RoundingByAddition::Literal> RoundingByAddition::BaseOfPattern(TermId id) const {
  const FpFormat format = store_.format(id);
  const TermId bits = store_.operand(id, 0);
  if (!IsComputedIn(format) || store_.kind(bits) != TermKind::kBvConcat || !store_.IsConst(store_.operand(bits, 0))) return std::nullopt;
  const unsigned fraction = PrecisionBits(format) - 1, known = store_.width(store_.operand(bits, 0));
  const unsigned open = store_.width(bits) - known;
  if (open > fraction) return std::nullopt;
  const std::optional<Rational> value = FiniteValue(format, store_.const_bits(store_.operand(bits, 0)) << open);
  if (!value || !RoundsAway(format, value->ToDouble())) return std::nullopt;
  const double base = value->ToDouble();
  return Literal{.value = base, .rough = std::ldexp(1.0, UnitExponent(format, base) + static_cast<int>(open)) > std::fabs(base) * kTaken};
}

void RoundingByAddition::Extend() {
  const size_t from = seen_, taken = taken_.size();
  within_.resize(store_.size());
  made_here_.resize(store_.size());
  // An operand is made before the term that uses it.
  for (; seen_ < store_.size(); ++seen_) {
    if (!made_here_[seen_]) Visit(TermId{static_cast<uint32_t>(seen_)});
  }
  if (taken_.size() != taken) spelled_.clear();
  for (size_t i = taken_.size() != taken ? 1 : from; i < store_.size(); ++i) {
    const TermId id{static_cast<uint32_t>(i)};
    if (made_here_[i]) continue;
    bool within = taken_.contains(id);
    for (unsigned k = 0; k < store_.arity(id) && !within; ++k) within = within_[static_cast<size_t>(store_.operand(id, k))];
    within_[i] = within;
  }
}

RoundingByAddition::Interval RoundingByAddition::RangeOf(TermId id, unsigned depth) const {
  constexpr Interval kAny{-kInfinity, kInfinity};
  if (depth == 0) return kAny;
  const auto of = [&](unsigned i) { return RangeOf(store_.operand(id, i), depth - 1); };
  // 0 * infinity: no bound.
  const auto times = [&](Interval x, Interval y) {
    const double ends[4] = {x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high};
    for (double end : ends) {
      if (std::isnan(end)) return kAny;
    }
    return Interval{*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
  };
  const auto plus = [](Interval x, Interval y) { return Interval{x.low + y.low, x.high + y.high}; };
  const auto minus = [](Interval x) { return Interval{-x.high, -x.low}; };
  if (const auto literal = LiteralOf(id); literal && literal->term == kNoTerm && !literal->rough) return {literal->value, literal->value};
  switch (store_.kind(id)) {
    case TermKind::kFpInput: {
      const size_t symbol = static_cast<size_t>(store_.input_symbol(id));
      if (symbol >= ranges_.size()) return kAny;
      const SymbolRange& range = ranges_[symbol];
      return {range.low ? range.low->ToDouble() : -kInfinity, range.high ? range.high->ToDouble() : kInfinity};
    }
    case TermKind::kIntToFp: {
      // Of an input, or of one with zeros or its sign in front.
      const FpAttr attr = store_.fp_attr(id);
      TermId bits = store_.operand(id, 0);
      bool is_signed = IsSigned(store_.int_type(id));
      if (attr.sat || attr.relu) return kAny;
      if (store_.kind(bits) == TermKind::kBvConcat && store_.IsConst(store_.operand(bits, 0)) &&
          store_.const_bits(store_.operand(bits, 0)) == 0) {
        bits = store_.operand(bits, 1);
        is_signed = false;
      } else if (is_signed && store_.kind(bits) == TermKind::kBvSExt) {
        bits = store_.operand(bits, 0);
      }
      const int w = static_cast<int>(store_.width(bits));
      Interval range{is_signed ? -std::ldexp(1.0, w - 1) : 0, std::ldexp(1.0, is_signed ? w - 1 : w)};
      if (store_.kind(bits) != TermKind::kBvInput || IsSigned(store_.symbol(store_.input_symbol(bits)).dtype) != is_signed) return range;
      const size_t symbol = static_cast<size_t>(store_.input_symbol(bits));
      if (symbol >= ranges_.size()) return range;
      if (ranges_[symbol].low) range.low = std::max(range.low, ranges_[symbol].low->ToDouble());
      if (ranges_[symbol].high) range.high = std::min(range.high, ranges_[symbol].high->ToDouble());
      return range;
    }
    case TermKind::kFpConvert: {
      const FpAttr attr = store_.fp_attr(id);
      return IsComputedIn(attr.format) && !attr.sat && !attr.relu && !attr.satfinite ? of(0) : kAny;
    }
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: break;
    default: return kAny;
  }
  if (store_.fp_attr(id).sat) return {0, 1};
  if (store_.fp_attr(id).relu) return kAny;
  switch (store_.fp_kind(id)) {
    case FpKind::kNeg: return minus(of(0));
    case FpKind::kAdd: return plus(of(0), of(1));
    case FpKind::kSub: return plus(of(0), minus(of(1)));
    case FpKind::kMul: return times(of(0), of(1));
    case FpKind::kFma: return plus(times(of(0), of(1)), of(2));
    case FpKind::kAbs: {
      const Interval x = of(0);
      return {x.low > 0 ? x.low : x.high < 0 ? -x.high : 0, std::max(std::fabs(x.low), std::fabs(x.high))};
    }
    default: return kAny;
  }
}

std::string RoundingByAddition::LeavesUnit(TermId id, const Sum& sum) const {
  const double magnitude = std::fabs(sum.literal.value), binade = std::ldexp(1.0, std::ilogb(magnitude));
  const std::string refusal = "what a sum with " + Decimal(sum.literal.value) +
                              ", which is taken away again, is rounded to depends on whether the sum lies between " + Decimal(binade) +
                              " and " + Decimal(2 * binade) + " in magnitude, which the inputs need not keep to";
  if (sum.unsure) return "which literal is added, and taken away again, or how that is rounded, is not certain";
  bool low_known = magnitude >= 1.25 * binade, high_known = magnitude <= 1.75 * binade;
  if (sum.literal.term == kNoTerm) {
    Interval range = RangeOf(id, kMaxRangeDepth);
    if (sum.literal.value < 0) range = {-range.high, -range.low};
    if (std::isfinite(range.low)) low_known = range.low >= binade;
    if (std::isfinite(range.high)) high_known = range.high <= 2 * binade;
    return low_known && high_known ? "" : refusal;
  }
  // x + copysign(l, x) leads away from zero.
  if (store_.fp_attr(id).rounding == Rounding::kRz) low_known = false;
  if (store_.kind(id) == TermKind::kFpBinary && store_.fp_kind(id) == FpKind::kAdd && sum.literal.value > 0) {
    const TermId source = store_.operand(sum.literal.term, 0);
    for (unsigned i = 0; i < 2; ++i) {
      if (store_.operand(id, i) != sum.literal.term || store_.operand(id, 1 - i) != source) continue;
      low_known = true;
      const Interval range = RangeOf(source, kMaxRangeDepth);
      const double most = std::max(std::fabs(range.low), std::fabs(range.high));
      if (std::isfinite(most)) high_known = most <= 2 * binade - magnitude;
    }
  }
  return low_known && high_known ? "" : refusal;
}

// With u the unit and b an even multiple of it next to the literal: b + u * round((sum - b) / u). To the nearest, ties go to the even one
// of the sums.
void RoundingByAddition::Spell(TermId id) {
  Spelling spelling;
  const bool takes_bits = store_.kind(id) == TermKind::kFpToBits;
  TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
  for (unsigned i = 0; i < store_.arity(id); ++i) {
    operands[i] = store_.operand(id, i);
    const auto found = spelled_.find(operands[i]);
    if (found == spelled_.end()) continue;
    operands[i] = takes_bits ? found->second.as_written : found->second.rounded;
    if (spelling.refusal.empty()) spelling.refusal = found->second.refusal;
  }
  spelling.rounded = spelling.as_written = Rebuild(store_, id, operands[0], operands[1], operands[2]);
  if (taken_.contains(id)) {
    const Sum& sum = sums_.at(id);
    const std::string leaves = LeavesUnit(id, sum);
    if (spelling.refusal.empty()) spelling.refusal = leaves;
    // Nothing computes in tf32.
    const FpAttr own{.format = store_.format(id)};
    const FpAttr plain{.format = own.format == FpFormat::kTF32 ? FpFormat::kF32 : own.format};
    const double literal = sum.literal.value;
    const int unit = UnitExponent(own.format, literal);
    const double base = std::ldexp(2 * std::nearbyint(std::ldexp(literal, -unit - 1)), unit);
    const auto number = [&](double value) {
      const std::optional<uint64_t> bits = EncodeExact(plain.format, Rational::FromDouble(value));
      return bits ? store_.FpConst(plain.format, *bits) : kNoTerm;
    };
    const TermId per_unit = number(std::ldexp(1.0, -unit)), unit_term = number(std::ldexp(1.0, unit));
    const double base_units = std::ldexp(base, -unit);
    // The value, with the sign of the literal's term where there is one.
    const auto offset = [&](double value) {
      if (sum.literal.term == kNoTerm) return number(value);
      TermId sign = store_.operand(sum.literal.term, 0);
      if (const auto found = spelled_.find(sign); found != spelled_.end()) sign = found->second.rounded;
      if (store_.format(sign) != plain.format) sign = store_.FpConvert(plain, sign);
      const TermId signed_term = store_.Fp(FpKind::kCopySign, plain, sign, number(std::fabs(value)));
      return value < 0 ? store_.Fp(FpKind::kNeg, plain, signed_term) : signed_term;
    };
    if (number(base) == kNoTerm || number(base_units) == kNoTerm || per_unit == kNoTerm || unit_term == kNoTerm) {
      if (spelling.refusal.empty()) spelling.refusal = "a sum with a literal, which is taken away again, is next to the largest number";
    } else {
      const TermId real = store_.kind(id) == TermKind::kFpConvert
                              ? store_.FpConvert(plain, operands[0])
                              : store_.Fp(store_.fp_kind(id), plain, operands[0], operands[1], operands[2]);
      FpAttr round = plain;
      switch (store_.fp_attr(id).rounding) {
        case Rounding::kRm: round.rounding = Rounding::kRmi; break;
        case Rounding::kRp: round.rounding = Rounding::kRpi; break;
        case Rounding::kRz:
          round.rounding = sum.literal.term != kNoTerm ? Rounding::kRzi : literal > 0 ? Rounding::kRmi : Rounding::kRpi;
          break;
        default: round.rounding = Rounding::kRni;
      }
      const TermId x = store_.Fp(FpKind::kFma, plain, real, per_unit, store_.Fp(FpKind::kNeg, plain, offset(base_units)));
      const TermId steps = store_.Fp(FpKind::kMul, plain, store_.Fp(FpKind::kRoundInt, round, x), unit_term);
      spelling.rounded = store_.Fp(FpKind::kAdd, plain, steps, offset(base));
      if (own.format != plain.format) spelling.rounded = store_.FpConvert(own, spelling.rounded);
      const double magnitude = std::fabs(literal), binade = std::ldexp(1.0, std::ilogb(literal));
      double low = binade - magnitude, high = 2 * binade - magnitude;
      if (sum.literal.term != kNoTerm) {
        low = -high;
      } else if (literal < 0) {
        std::swap(low, high);
        low = -low;
        high = -high;
      }
      if (leaves.empty() && !store_.IsClosed(id)) {
        assumptions_.insert("what is added to " + Decimal(literal) + (sum.literal.term != kNoTerm ? " of its sign" : "") +
                            ", which is taken away again, lies between " + Decimal(low) + " and " + Decimal(high) +
                            ", and is rounded to a multiple of " + Decimal(std::ldexp(1.0, unit)) + " by that");
      }
    }
  }
  spelled_.emplace(id, std::move(spelling));
}

std::string RoundingByAddition::Refusal(TermId term) const {
  const auto found = spelled_.find(term);
  return found == spelled_.end() ? "" : found->second.refusal;
}

bool RoundingByAddition::Within(TermId term) {
  if (store_.size() != seen_) Extend();
  return within_[static_cast<size_t>(term)];
}

TermId RoundingByAddition::Spelled(TermId term) {
  if (!Within(term)) return term;
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    bool ready = true;
    for (unsigned i = 0; i < store_.arity(id); ++i) {
      const TermId operand = store_.operand(id, i);
      if (!within_[static_cast<size_t>(operand)] || spelled_.contains(operand)) continue;
      stack.push_back(operand);
      ready = false;
    }
    if (!ready) continue;
    stack.pop_back();
    if (!spelled_.contains(id)) Spell(id);
  }
  // What has been made here is spelled.
  within_.resize(store_.size(), false);
  made_here_.resize(store_.size(), true);
  for (; seen_ < store_.size(); ++seen_) {
    const TermId made{static_cast<uint32_t>(seen_)};
    if (store_.kind(made) == TermKind::kFpConst) literals_.emplace(made, *ReadLiteral(made));
  }
  return spelled_.at(term).rounded;
}

}  // namespace racer
