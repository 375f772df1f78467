// The numbers that patterns are. Every B term is some integer modulo 2^width: sums, products, shifts, slices and extensions by a polynomial
// over the inputs and over floors of such polynomials, which is true whether or not anything wraps. Which integer of a residue class a
// conversion reads shows by intervals, and by one more floor where they do not say. Slices x[h:l] are floor(x/2^l) - 2^(h-l+1) *
// floor(x/2^(h+1)), so that however a kernel takes fields apart and puts signs on them, one sum of floors comes of it.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/normal/canonical.h"
#include "symexec/term/fold.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

constexpr size_t kMaxTerms = 512;  // of one integer; a longer one is an atom of its own
constexpr int kMaxFloorDepth = 8;  // floors of floors
constexpr unsigned kMaxShift = 64;

Rational PowerOf2(unsigned exponent) { return Rational(2).Pow(exponent); }

Rational FloorOf(const Rational& value) { return *RoundToInteger(value, Rounding::kRm); }

std::vector<uint32_t> FloorCode() { return {0, static_cast<uint32_t>(FpKind::kRoundInt), static_cast<uint32_t>(Rounding::kRmi)}; }

Rational OfUnsigned(uint64_t value) {
  return Rational::Dyadic(static_cast<int64_t>(value >> 32), 32) + Rational(static_cast<int64_t>(value & 0xffffffffu));
}

}  // namespace

Canonicalizer::IntegerOperands Canonicalizer::OperandsOf(TermId t) const {
  using Extremum = IntegerOperands::Extremum;
  switch (store_.kind(t)) {
    case TermKind::kBvAdd:
    case TermKind::kBvSub:
    case TermKind::kBvMul:
    case TermKind::kBvConcat: return {.terms = {store_.operand(t, 0), store_.operand(t, 1)}};
    case TermKind::kBvXor:
      // Constants stand to the right.
      if (!store_.IsConst(store_.operand(t, 1))) return {};
      return {.terms = {store_.operand(t, 0), kNoTerm}};
    case TermKind::kBvExtract: return {.terms = {SliceOf(t).of, kNoTerm}};
    case TermKind::kBvNot:
    case TermKind::kBvZExt:
    case TermKind::kBvSExt: return {.terms = {store_.operand(t, 0), kNoTerm}};
    case TermKind::kBvIte: {
      const TermId condition = store_.operand(t, 0), then = store_.operand(t, 1), otherwise = store_.operand(t, 2);
      const bool is_signed = store_.kind(condition) == TermKind::kBvSlt;
      if (!is_signed && store_.kind(condition) != TermKind::kBvUlt) return {};
      const TermId less = store_.operand(condition, 0), more = store_.operand(condition, 1);
      if (then == less && otherwise == more)
        return {.terms = {less, more}, .extremum = is_signed ? Extremum::kSignedMin : Extremum::kUnsignedMin};
      if (then == more && otherwise == less)
        return {.terms = {less, more}, .extremum = is_signed ? Extremum::kSignedMax : Extremum::kUnsignedMax};
      return {};
    }
    default: return {};
  }
}

// A slice of packed fields, also of those whose bits a mask has flipped, is one of the field that it lies in.
Canonicalizer::Slice Canonicalizer::SliceOf(TermId extract) const {
  const unsigned w = store_.width(extract);
  Slice slice{.of = store_.operand(extract, 0), .low = store_.extract_lo(extract)};
  while (true) {
    const TermKind kind = store_.kind(slice.of);
    const TermId first = store_.arity(slice.of) > 0 ? store_.operand(slice.of, 0) : kNoTerm;
    const TermId last = store_.arity(slice.of) > 1 ? store_.operand(slice.of, 1) : kNoTerm;
    if (kind == TermKind::kBvConcat && slice.low + w <= store_.width(last)) {
      slice.of = last;
    } else if (kind == TermKind::kBvConcat && slice.low >= store_.width(last)) {
      slice.low -= store_.width(last);
      slice.of = first;
    } else if (kind == TermKind::kBvXor && store_.IsConst(last)) {
      slice.flipped ^= store_.const_bits(last) >> slice.low & fold::Mask(w);
      slice.of = first;
    } else {
      return slice;
    }
  }
}

// The integer without its low bits: of any in a class this is one in the class of the slice.
Integer Canonicalizer::Shifted(const Integer& of, unsigned low) {
  if (low == 0 || of.value == kNoPoly) return of;
  const Rational scale = PowerOf2(low).Inverse();
  Integer result = of;
  result.low = FloorOf(of.low * scale);
  result.high = FloorOf(of.high * scale);
  result.value = Floor(algebra_.Scale(of.value, scale), &result.low, &result.high, kMaxFloorDepth);
  return result;
}

// A run of n ones at l makes 2^n - 1 - f of the field f there: twice f less, and 2^n - 1 more.
Integer Canonicalizer::Flipped(const Integer& of, unsigned width, uint64_t mask) {
  Integer result = of;
  for (unsigned low = 0; low < width && result.value != kNoPoly; ++low) {
    if ((mask >> low & 1) == 0) continue;
    unsigned n = 1;
    while (low + n < width && (mask >> (low + n) & 1) != 0) ++n;
    const Integer field = Exact(Shifted(of, low), n, /*is_signed=*/false);
    const Rational more = (PowerOf2(n) - Rational(1)) * PowerOf2(low), twice = PowerOf2(low + 1);
    result.value = field.value == kNoPoly ? kNoPoly : algebra_.Add(result.value, field.value, -twice);
    result.value = result.value == kNoPoly ? kNoPoly : algebra_.Add(result.value, algebra_.Constant(more));
    result.low = result.low + more - field.high * twice;
    result.high = result.high + more - field.low * twice;
    low += n;
  }
  return result;
}

// What the numbers below a B term are rounded from.
void Canonicalizer::GatherIntegers(TermId root) {
  std::vector<TermId> stack = {root};
  std::unordered_set<uint32_t> seen;
  while (!stack.empty()) {
    const TermId t = stack.back();
    stack.pop_back();
    if (t == kNoTerm || integers_.contains(static_cast<uint32_t>(t)) || !seen.insert(static_cast<uint32_t>(t)).second) continue;
    if (store_.kind(t) == TermKind::kFpToInt) items_.push_back({Rational(1), store_.operand(t, 0), kNoTerm});
    for (TermId operand : OperandsOf(t).terms) stack.push_back(operand);
  }
}

const Integer& Canonicalizer::IntegerOf(TermId root) {
  std::vector<TermId> stack = {root};
  while (!stack.empty()) {
    const TermId t = stack.back();
    bool ready = true;
    if (!integers_.contains(static_cast<uint32_t>(t))) {
      for (TermId operand : OperandsOf(t).terms) {
        if (operand == kNoTerm || integers_.contains(static_cast<uint32_t>(operand))) continue;
        stack.push_back(operand);
        ready = false;
      }
      if (ready) integers_.emplace(static_cast<uint32_t>(t), ComputeInteger(t));
    }
    if (ready) stack.pop_back();
  }
  return integers_.at(static_cast<uint32_t>(root));
}

// A term that is not looked into: signed where its operation is, unless it is one bit.
Integer Canonicalizer::IntegerAtom(TermId t) {
  const TermKind kind = store_.kind(t);
  const unsigned w = store_.width(t);
  const bool input = kind == TermKind::kBvInput;
  bool is_signed = w > 1 && kind != TermKind::kBvUDiv && kind != TermKind::kBvURem && kind != TermKind::kBvLShr &&
                   kind != TermKind::kBvAnd && kind != TermKind::kBvOr && kind != TermKind::kBvXor;
  if (input) is_signed = IsSigned(store_.symbol(store_.input_symbol(t)).dtype);
  SymbolRange range;
  range.low = is_signed ? -PowerOf2(w - 1) : Rational(0);
  range.high = PowerOf2(is_signed ? w - 1 : w) - Rational(1);
  if (const size_t symbol = input ? static_cast<size_t>(store_.input_symbol(t)) : shared_.ranges.size(); symbol < shared_.ranges.size()) {
    const SymbolRange& known = shared_.ranges[symbol];
    // One without a number in it says nothing.
    const Rational low = known.low ? std::max(*known.low, *range.low) : *range.low;
    const Rational high = known.high ? std::min(*known.high, *range.high) : *range.high;
    if (!(high < low)) {
      range.low = low;
      range.high = high;
    }
  }
  Integer result{.low = *range.low, .high = *range.high};
  if (HoldsPartial(t)) result.conditions = shared_.conditions.Union(kEmptySet, shared_.conditions.Opaque(static_cast<uint32_t>(t)));
  Atom atom{.kind = input ? AtomKind::kInput : AtomKind::kOpaque, .term = t, .integer = true};
  if (range.low->Sign() >= 0) atom.signs = range.low->Sign() > 0 ? kPositive : kPositive | kZeroSign;
  if (range.high->Sign() <= 0) atom.signs = range.high->Sign() < 0 ? kNegative : static_cast<Signs>(atom.signs & (kNegative | kZeroSign));
  atom.range = algebra_.Keep(std::move(range));
  result.value = algebra_.OfAtom(
      algebra_.InternAtom({static_cast<uint32_t>(AtomKind::kOpaque), is_signed ? 1u : 0u, static_cast<uint32_t>(t)}, std::move(atom)));
  return result;
}

Integer Canonicalizer::RoundedInteger(TermId t) {
  const TermId operand = store_.operand(t, 0);
  const Form& form = forms_[static_cast<size_t>(operand)];
  std::string& failure = failures_[static_cast<uint32_t>(t)];
  if (form.poly == kNoPoly) {
    failure = InfinityOf(operand) != 0 ? "an operation on an infinite value" : failures_[static_cast<uint32_t>(operand)];
    return {};
  }
  if (form.conditions != kEmptySet) {
    failure = "min, max, saturation, comparison or rounding to an integer of a value that may be undefined";
    return {};
  }
  const ScalarType to = store_.int_type(t);
  const unsigned w = BitWidth(to);
  Integer result{.low = IsSigned(to) ? -PowerOf2(w - 1) : Rational(0), .high = PowerOf2(IsSigned(to) ? w - 1 : w) - Rational(1)};
  result.lifts = form.lifts;
  const PolyId rounded = Rounded(store_.int_rounding(t), form.poly, operand);
  const PolyId above = rounded == kNoPoly ? kNoPoly : algebra_.Max({rounded, algebra_.Constant(result.low)});
  result.value = above == kNoPoly ? kNoPoly : algebra_.Min({above, algebra_.Constant(result.high)});
  if (result.value == kNoPoly) failure = algebra_.failure();
  return result;
}

Integer Canonicalizer::ComputeInteger(TermId t) {
  const unsigned w = store_.width(t);
  const TermKind kind = store_.kind(t);
  if (kind == TermKind::kBvConst) {
    const Rational value(fold::Signed(w, store_.const_bits(t)));
    return {.value = algebra_.Constant(value), .low = value, .high = value};
  }
  if (kind == TermKind::kFpToInt) return RoundedInteger(t);
  const IntegerOperands operands = OperandsOf(t);
  if (operands.terms[0] == kNoTerm) return IntegerAtom(t);
  Integer of[2];
  Integer result;
  for (unsigned i = 0; i < 2 && operands.terms[i] != kNoTerm; ++i) {
    of[i] = integers_.at(static_cast<uint32_t>(operands.terms[i]));
    if (of[i].value == kNoPoly) {
      failures_[static_cast<uint32_t>(t)] = failures_[static_cast<uint32_t>(operands.terms[i])];
      return {};
    }
    result.conditions = shared_.conditions.Union(result.conditions, of[i].conditions);
    result.lifts = shared_.lifts.Union(result.lifts, of[i].lifts);
  }
  const auto& [a, b] = of;
  const auto width = [&](unsigned i) { return store_.width(operands.terms[i]); };
  const auto sum = [&](const Integer& x, const Integer& y, const Rational& scale) {
    result.value = x.value == kNoPoly || y.value == kNoPoly ? kNoPoly : algebra_.Add(x.value, y.value, scale);
    const bool negative = scale.Sign() < 0;
    result.low = x.low + (negative ? y.high : y.low) * scale;
    result.high = x.high + (negative ? y.low : y.high) * scale;
  };
  switch (kind) {
    case TermKind::kBvAdd: sum(a, b, Rational(1)); break;
    case TermKind::kBvSub: sum(a, b, Rational(-1)); break;
    case TermKind::kBvMul: {
      if (algebra_.size(a.value) * algebra_.size(b.value) > kMaxTerms) return IntegerAtom(t);
      const Rational corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
      result.value = algebra_.Multiply(a.value, b.value);
      result.low = *std::min_element(std::begin(corners), std::end(corners));
      result.high = *std::max_element(std::begin(corners), std::end(corners));
      break;
    }
    case TermKind::kBvXor: result = Flipped(a, w, store_.const_bits(store_.operand(t, 1))); break;
    case TermKind::kBvNot:
      sum({.value = algebra_.Constant(Rational(-1)), .low = Rational(-1), .high = Rational(-1)}, a, Rational(-1));
      break;
    case TermKind::kBvConcat: sum(Exact(b, width(1), /*is_signed=*/false), a, PowerOf2(width(1))); break;
    case TermKind::kBvExtract: {
      const Slice slice = SliceOf(t);
      result = Flipped(Shifted(a, slice.low), w, slice.flipped);
      break;
    }
    case TermKind::kBvZExt:
    case TermKind::kBvSExt: {
      const Integer exact = Exact(a, width(0), kind == TermKind::kBvSExt);
      result.value = exact.value;
      result.low = exact.low;
      result.high = exact.high;
      break;
    }
    case TermKind::kBvIte: {
      using Extremum = IntegerOperands::Extremum;
      const Extremum extremum = operands.extremum;
      const bool is_signed = extremum == Extremum::kSignedMin || extremum == Extremum::kSignedMax;
      const bool maximum = extremum == Extremum::kSignedMax || extremum == Extremum::kUnsignedMax;
      const Integer x = Exact(a, w, is_signed), y = Exact(b, w, is_signed);
      if (x.value == kNoPoly || y.value == kNoPoly) break;
      result.value = maximum ? algebra_.Max({x.value, y.value}) : algebra_.Min({x.value, y.value});
      result.low = maximum ? std::max(x.low, y.low) : std::min(x.low, y.low);
      result.high = maximum ? std::max(x.high, y.high) : std::min(x.high, y.high);
      break;
    }
    default: RACER_UNREACHABLE(kind);
  }
  if (result.value == kNoPoly || algebra_.size(result.value) > kMaxTerms) return IntegerAtom(t);
  return result;
}

Integer Canonicalizer::Exact(const Integer& of, unsigned width, bool is_signed) {
  Integer result = of;
  if (of.value == kNoPoly) return result;
  const Rational size = PowerOf2(width), least = is_signed ? -PowerOf2(width - 1) : Rational(0);
  const Rational low = FloorOf((of.low - least) / size), high = FloorOf((of.high - least) / size);
  // How many times 2^width is too much.
  PolyId times = algebra_.Constant(low);
  if (low == high) {
    result.low = of.low - low * size;
    result.high = of.high - low * size;
  } else {
    const PolyId shifted = algebra_.Add(of.value, algebra_.Constant(least), Rational(-1));
    times = shifted == kNoPoly ? kNoPoly : Floor(algebra_.Scale(shifted, size.Inverse()), &low, &high, kMaxFloorDepth);
    result.low = least;
    result.high = least + size - Rational(1);
  }
  result.value = times == kNoPoly ? kNoPoly : algebra_.Add(of.value, times, -size);
  if (result.value == kNoPoly || of.conditions != kEmptySet) return result;
  Signs signs = kAnySign;
  if (result.low.Sign() >= 0) signs &= static_cast<Signs>(result.low.Sign() > 0 ? kPositive : kPositive | kZeroSign);
  if (result.high.Sign() <= 0) signs &= static_cast<Signs>(result.high.Sign() < 0 ? kNegative : kNegative | kZeroSign);
  if (signs != kAnySign && signs != 0) algebra_.LearnSigns(result.value, signs);
  return result;
}

// floor(a) of a sum of products of integers. It lies between `low` and `high`, where there are such.
PolyId Canonicalizer::Floor(PolyId a, const Rational* low, const Rational* high, int depth) {
  if (a == kNoPoly) return kNoPoly;
  if (low != nullptr && high != nullptr && *low == *high) return algebra_.Fire(Rule::kFloorKnown, algebra_.Constant(*low));
  // Whole multiples of integers come out.
  PolyId whole = kZero;
  const std::vector<MonoId> monos(algebra_.monos(a).begin(), algebra_.monos(a).end());
  const std::vector<Rational> coefficients(algebra_.coefficients(a).begin(), algebra_.coefficients(a).end());
  for (size_t i = 0; i < monos.size(); ++i) {
    const Rational times = FloorOf(coefficients[i]);
    if (times.IsZero() || !algebra_.IsIntegral(monos[i])) continue;
    const std::vector<AtomPower> powers(algebra_.mono(monos[i]).begin(), algebra_.mono(monos[i]).end());
    const PolyId product = algebra_.MultiplyMono(algebra_.Constant(times), powers);
    whole = product == kNoPoly ? kNoPoly : algebra_.Add(whole, product);
    if (whole == kNoPoly) return kNoPoly;
  }
  if (whole != kZero) algebra_.Fire(Rule::kFloorWhole, kZero);
  const PolyId rest = algebra_.Add(a, whole, Rational(-1));
  if (rest == kNoPoly) return kNoPoly;
  SymbolRange bounds = algebra_.Bounds(rest);
  if (whole == kZero && low != nullptr && (!bounds.low || *bounds.low < *low)) bounds.low = *low;
  const auto plus = [&](PolyId floor) { return floor == kNoPoly ? kNoPoly : algebra_.Add(whole, floor); };
  if (bounds.low && bounds.high) {
    const Rational least = FloorOf(*bounds.low), most = FloorOf(*bounds.high);
    if (least == most) return algebra_.Fire(Rule::kFloorKnown, plus(algebra_.Constant(least)));
    // Of all multiples that are 0 or -1 by the sign alone, the largest.
    const auto is_sign = [&](const Rational& times) { return !(*bounds.low * times < Rational(-1)) && *bounds.high * times < Rational(1); };
    Rational times(1);
    while (depth > 0 && is_sign(times * Rational(2))) times *= Rational(2);
    if (!times.IsOne()) return algebra_.Fire(Rule::kFloorSign, plus(Floor(algebra_.Scale(rest, times), nullptr, nullptr, depth - 1)));
    bounds.low = least;
    bounds.high = most;
  } else {
    if (bounds.low) bounds.low = FloorOf(*bounds.low);
    if (bounds.high) bounds.high = FloorOf(*bounds.high);
  }
  if (whole == kZero && low != nullptr && high != nullptr) {
    bounds.low = bounds.low ? std::max(*bounds.low, *low) : *low;
    bounds.high = bounds.high ? std::min(*bounds.high, *high) : *high;
  }
  if (depth > 0) {
    const PolyId same = FloorOtherwise(rest, depth - 1);
    if (same != kNoPoly) return plus(same);
  }
  bounds.low_open = bounds.high_open = false;
  Signs signs = kAnySign;
  if (bounds.low && bounds.low->Sign() >= 0) signs = bounds.low->Sign() > 0 ? kPositive : kPositive | kZeroSign;
  if (bounds.high && bounds.high->Sign() <= 0) signs &= static_cast<Signs>(bounds.high->Sign() < 0 ? kNegative : kNegative | kZeroSign);
  if (signs == 0) signs = kAnySign;
  return plus(
      Function(FloorCode(), "round", {rest}, signs, {.integer = true, .reported = false, .range = algebra_.Keep(std::move(bounds))}));
}

// The floor of a form without whole multiples by that of another one; kNoPoly: it is an atom.
PolyId Canonicalizer::FloorOtherwise(PolyId a, int depth) {
  const std::vector<MonoId> monos(algebra_.monos(a).begin(), algebra_.monos(a).end());
  const std::vector<Rational> coefficients(algebra_.coefficients(a).begin(), algebra_.coefficients(a).end());
  const Rational half(1, 2);
  const size_t first = !monos.empty() && monos[0] == kOne ? 1 : 0;
  if (monos.size() == first) return kNoPoly;
  const Rational constant = first == 1 ? coefficients[0] : Rational(0);
  // floor(x + 1/2) = floor(2x) - floor(x).
  if (constant == half) {
    const PolyId x = algebra_.Add(a, algebra_.Constant(half), Rational(-1));
    const PolyId once = Floor(x, nullptr, nullptr, depth);
    const PolyId twice = x == kNoPoly ? kNoPoly : Floor(algebra_.Scale(x, Rational(2)), nullptr, nullptr, depth);
    if (once == kNoPoly || twice == kNoPoly) return kNoPoly;
    return algebra_.Fire(Rule::kFloorHalf, algebra_.Add(twice, once, Rational(-1)));
  }
  // floor((floor(x) + k) / n) = floor((x + k) / n).
  const std::span<const AtomPower> powers = algebra_.mono(monos[first]);
  if (monos.size() == first + 1 && powers.size() == 1 && powers[0].exponent == 1) {
    const Atom& atom = algebra_.atom(powers[0].atom);
    const auto code = shared_.function_codes.find(FloorCode());
    const bool is_floor = atom.kind == AtomKind::kFunction && code != shared_.function_codes.end() && atom.function == code->second;
    const Rational times = coefficients.back().Inverse();
    if (is_floor && times.IsInteger() && (constant * times).IsInteger()) {
      const PolyId inner = algebra_.Add(algebra_.Scale(PolyId{atom.args[0]}, coefficients.back()), algebra_.Constant(constant));
      return algebra_.Fire(Rule::kFloorOfFloor, Floor(inner, nullptr, nullptr, depth));
    }
  }
  // floor(k / n) = -floor((n - 1 - k) / n) for integers k: the first factor is at most a half.
  if (!std::all_of(monos.begin() + static_cast<ptrdiff_t>(first), monos.end(), [&](MonoId m) { return algebra_.IsIntegral(m); }))
    return kNoPoly;
  const auto uneven =
      std::find_if(coefficients.begin() + static_cast<ptrdiff_t>(first), coefficients.end(), [&](const Rational& c) { return c != half; });
  if (uneven == coefficients.end() || *uneven < half) return kNoPoly;
  Rational n(1);
  for (const Rational& c : coefficients) {
    for (unsigned bits = 0; !(n * c).IsInteger() && bits < 2 * kMaxShift; ++bits) n *= Rational(2);
    if (!(n * c).IsInteger()) return kNoPoly;
  }
  const PolyId opposite = algebra_.Add(algebra_.Constant((n - Rational(1)) / n), a, Rational(-1));
  const PolyId floor = opposite == kNoPoly ? kNoPoly : Floor(opposite, nullptr, nullptr, depth);
  return floor == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kFloorOpposite, algebra_.Scale(floor, Rational(-1)));
}

std::optional<Form> Canonicalizer::ValueOfPattern(FpFormat format, TermId bits) {
  if (format != FpFormat::kF16 && format != FpFormat::kBF16 && format != FpFormat::kF32 && format != FpFormat::kF64) return std::nullopt;
  const FormatLayout layout = LayoutOf(format);
  if (store_.kind(bits) != TermKind::kBvConcat || !store_.IsConst(store_.operand(bits, 0))) return std::nullopt;
  const TermId top = store_.operand(bits, 0);
  if (store_.width(top) < 1 + layout.exponent_bits) return std::nullopt;
  const uint64_t head = store_.const_bits(top) >> (store_.width(top) - 1 - layout.exponent_bits);
  const uint64_t exponent = head & fold::Mask(layout.exponent_bits);
  // A subnormal number is a zero to some instructions, and an infinity none.
  if (exponent == 0 || exponent == fold::Mask(layout.exponent_bits)) return std::nullopt;
  const Integer number = Exact(IntegerOf(bits), store_.width(bits), /*is_signed=*/false);
  if (number.value == kNoPoly) return std::nullopt;
  // (2^f + fraction) * 2^(exponent - bias - f), with the fraction what the pattern is more than sign and exponent.
  const Rational fraction_size = PowerOf2(layout.fraction_bits);
  const PolyId offset = algebra_.Constant(fraction_size - OfUnsigned(head) * fraction_size);
  const Rational unit = Rational::Dyadic(1, static_cast<int64_t>(exponent) - layout.bias - static_cast<int64_t>(layout.fraction_bits));
  PolyId value = algebra_.Add(number.value, offset);
  value = value == kNoPoly ? kNoPoly : algebra_.Scale(value, (head >> layout.exponent_bits) != 0 ? -unit : unit);
  if (value == kNoPoly) return std::nullopt;
  return Form{algebra_.Fire(Rule::kPatternValue, value), number.conditions, number.lifts};
}

void Canonicalizer::FinishConversion(const Frame& frame) {
  const TermId t = frame.term, bits = store_.operand(t, 0);
  if (store_.kind(t) == TermKind::kBitsToFp) {
    std::optional<Form> form = ValueOfPattern(store_.format(t), bits);
    if (!form) {
      form.emplace();
      form->poly = Opaque(bits, static_cast<uint32_t>(store_.format(t)), &form->conditions);
    }
    return Set(t, form->poly, form->conditions, form->lifts);
  }
  Integer number = IntegerOf(bits);
  if (number.value == kNoPoly && store_.kind(bits) == TermKind::kFpToInt) return SetFailed(t, failures_[static_cast<uint32_t>(bits)]);
  if (number.value == kNoPoly) number = IntegerAtom(bits);
  number = Exact(number, store_.width(bits), IsSigned(store_.int_type(t)));
  const FpAttr attr = store_.fp_attr(t);
  const PolyId value = Clamp(number.value, attr.sat, attr.relu);
  if (value == kNoPoly) return SetFailed(t, algebra_.failure());
  algebra_.Fire(Rule::kIntegerValue, value);
  Set(t, value, number.conditions, number.lifts);
}

Form Canonicalizer::NormalizeInteger(TermId bits, std::string* failure) {
  RACER_CHECK(store_.IsBits(bits));
  Reserve();
  const size_t begin = items_.size();
  GatherIntegers(bits);
  std::vector<TermId> operands;
  for (size_t i = begin; i < items_.size(); ++i) operands.push_back(items_[i].a);
  items_.resize(begin);
  for (TermId operand : operands) Normalize(operand, nullptr);
  const Integer number = Exact(IntegerOf(bits), store_.width(bits), /*is_signed=*/false);
  if (number.value != kNoPoly) return {number.value, number.conditions, number.lifts};
  if (failure != nullptr) *failure = failures_[static_cast<uint32_t>(bits)];
  return {};
}

}  // namespace racer::normal
