// Input points for refutation: readable ones first, then random ones.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/check.h"
#include "symexec/ball/ball.h"
#include "symexec/ball/decode.h"

namespace racer {
namespace {

// A well-mixed function of its arguments, so that a cell's value depends on nothing but (seed, point, symbol, cell).
uint64_t Mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

bool InRange(const SymbolRange& range, const Rational& value) {
  if (range.low && (value < *range.low || (range.low_open && value == *range.low))) return false;
  if (range.high && (value > *range.high || (range.high_open && value == *range.high))) return false;
  return true;
}

// The dtype as a set of numbers, each with one pattern.
class Dtype {
 public:
  explicit Dtype(ScalarType type) : type_(type), is_float_(IsFloat(type)), format_(is_float_ ? FormatOf(type) : FpFormat::kF32) {}

  bool is_float() const { return is_float_; }
  // Integers up to 2^bits are exact.
  unsigned exact_bits() const { return is_float_ ? PrecisionBits(format_) : BitWidth(type_) - (IsSigned(type_) ? 1 : 0); }
  FpFormat format() const { return format_; }

  Rational Lowest() const { return IsSigned(type_) ? -Rational(2).Pow(BitWidth(type_) - 1) : Rational(0); }
  Rational Highest() const { return Rational(2).Pow(BitWidth(type_) - (IsSigned(type_) ? 1 : 0)) - Rational(1); }

  // The pattern of exactly this value; nullopt if there is none.
  std::optional<uint64_t> Exact(const Rational& value) const {
    if (is_float_) return EncodeExact(format_, value);
    if (!value.IsInteger() || value < Lowest() || value > Highest()) return std::nullopt;
    return IntegerPattern(value);
  }
  // A pattern near the value and what it stands for.
  std::optional<std::pair<uint64_t, Rational>> Near(const Rational& value) const {
    if (is_float_) {
      const std::optional<uint64_t> bits = EncodeNearest(format_, value);
      if (!bits) return std::nullopt;
      return std::make_pair(*bits, *FiniteValue(format_, *bits));
    }
    fmpz_t floor;
    fmpz_init(floor);
    fmpz_fdiv_q(floor, fmpq_numref(value.raw()), fmpq_denref(value.raw()));
    Rational integer;
    fmpq_set_fmpz(integer.raw(), floor);
    fmpz_clear(floor);
    integer = std::clamp(integer, Lowest(), Highest());
    return std::make_pair(IntegerPattern(integer), integer);
  }
  // The patterns just below and above in value.
  std::array<std::optional<uint64_t>, 2> Neighbours(uint64_t bits) const {
    const uint64_t mask = ~uint64_t{0} >> (64 - (is_float_ ? FormatWidth(format_) : BitWidth(type_)));
    // tf32 keeps 13 unused bits.
    const uint64_t step = is_float_ && format_ == FpFormat::kTF32 ? uint64_t{1} << 13 : 1;
    return {(bits - step) & mask, (bits + step) & mask};
  }
  std::optional<Rational> ValueOf(uint64_t bits) const {
    if (is_float_) return FiniteValue(format_, bits);
    Rational value;
    fmpz_set_ui(fmpq_numref(value.raw()), bits);
    if (IsSigned(type_) && value > Highest()) value = value - Rational(2).Pow(BitWidth(type_));
    return value;
  }

 private:
  uint64_t IntegerPattern(const Rational& value) const {
    fmpz_t n;
    fmpz_init(n);
    fmpz_fdiv_r_2exp(n, fmpq_numref(value.raw()), BitWidth(type_));
    const uint64_t bits = fmpz_get_ui(n);
    fmpz_clear(n);
    return bits;
  }

  ScalarType type_;
  bool is_float_;
  FpFormat format_;
};

// `value` if it is in the range; else something that depends on it and is.
std::optional<uint64_t> FitIntoRange(const Dtype& dtype, const SymbolRange& range, const Rational& value, uint64_t random) {
  if (InRange(range, value)) {
    if (const std::optional<uint64_t> bits = dtype.Exact(value)) return bits;
  }
  const Rational magnitude = value.Sign() < 0 ? -value : value;
  if (InRange(range, magnitude)) {
    if (const std::optional<uint64_t> bits = dtype.Exact(magnitude)) return bits;
  }
  // A dyadic place between the ends, or a distance from the only end.
  Rational target(0);
  if (range.low && range.high) {
    target = *range.low + (*range.high - *range.low) * Rational::Dyadic(static_cast<int64_t>(random % 63 + 1), -6);
  } else if (range.low) {
    target = *range.low + magnitude + Rational(1);
  } else if (range.high) {
    target = *range.high - magnitude - Rational(1);
  }
  std::array<Rational, 5> candidates = {target, Rational(0), Rational(1), Rational(0), Rational(0)};
  size_t count = 3;
  if (range.low) candidates[count++] = *range.low;
  if (range.high) candidates[count++] = *range.high;
  for (size_t i = 0; i < count; ++i) {
    const auto near = dtype.Near(candidates[i]);
    if (!near) continue;
    if (InRange(range, near->second)) return near->first;
    // Rounding may have crossed an end; the next value on either side may not.
    for (const std::optional<uint64_t>& neighbour : dtype.Neighbours(near->first)) {
      const std::optional<Rational> stepped = dtype.ValueOf(*neighbour);
      if (stepped && InRange(range, *stepped)) return *neighbour;
    }
  }
  return std::nullopt;
}

// mantissa / 2^fraction_bits * 2^exponent with a random sign: at most `bits` significant bits.
Rational RandomFloat(uint64_t random, unsigned bits, int low_exponent, int high_exponent) {
  bits = std::min(bits, 24u);
  const int64_t significand = static_cast<int64_t>(uint64_t{1} << (bits - 1) | (random & ((uint64_t{1} << (bits - 1)) - 1)));
  const int exponent = low_exponent + static_cast<int>((random >> 32 & 0xffff) % static_cast<unsigned>(high_exponent - low_exponent + 1));
  return Rational::Dyadic((random >> 63 & 1) != 0 ? -significand : significand, exponent - static_cast<int>(bits) + 1);
}

// Scalars: what hides behind 1 and 0 shows at other values. Powers of two and small fractions are exact everywhere.
Rational ScalarValue(unsigned index, uint64_t random) {
  static constexpr int kMantissa[] = {1, 1, 1, 3, 1, 1, 1, 3, 5, 1, -1, 7, 1, -3, 1, 5};
  static constexpr int kExponent[] = {0, -1, -2, -2, -3, 1, -4, 0, -3, -10, 0, -3, -17, -1, -6, 0};
  if (index < std::size(kMantissa)) return Rational::Dyadic(kMantissa[index], kExponent[index]);
  return RandomFloat(random, 4, -6, 1);
}

// Patterns that show wrong widths and signs: 0, 1, all ones, the sign bit alone, ...
Rational IntegerValue(const Dtype& dtype, unsigned index, uint64_t cell, uint64_t random) {
  const std::array<Rational, 8> boundary = {dtype.Highest(),
                                            dtype.Lowest(),
                                            Rational(0),
                                            Rational(-1),
                                            Rational(1),
                                            Rational(2).Pow(dtype.exact_bits() - 1),
                                            dtype.Highest() - Rational(1),
                                            Rational(2).Pow(dtype.exact_bits() / 2)};
  switch (index) {
    case 0: return Rational(1);
    case 1: return Rational(0);
    case 2: return Rational(static_cast<int64_t>(cell % 100) + 2);
    case 3: return dtype.Highest();
    case 4: return dtype.Lowest();
    case 5: return Rational(-1);
    case 6: return Rational(static_cast<int64_t>(random % 17));
    default: break;
  }
  if (index % 2 != 0) return boundary[random % boundary.size()];
  return Rational(static_cast<int64_t>(random >> 1 & ((uint64_t{1} << std::min(62u, dtype.exact_bits())) - 1)));
}

// Element `cell` of a floating-point tensor. `hot`: this tensor is the one that carries the one-hot patterns.
Rational TensorValue(const Dtype& dtype, unsigned index, uint64_t cells, uint64_t cell, bool hot, uint64_t random) {
  const unsigned precision = dtype.exact_bits();
  const bool narrow = BitWidth(ScalarType::kF16) > FormatWidth(dtype.format());
  switch (index) {
    case 0: return Rational(1);
    case 1: return Rational(!hot || cell + 1 == cells ? 1 : 0);
    case 2: return Rational(!hot || cell == 0 ? 1 : 0);
    case 3: return Rational(static_cast<int64_t>(random & 1));
    case 4: return Rational((cell & 1) != 0 ? -1 : 1);
    // Small integers; neighbours and equal columns of neighbouring rows differ.
    case 5: return Rational(static_cast<int64_t>((cell * 7 + cell / 11) % 13) + 1);
    // Distinct integers as far as the format can tell them apart.
    case 6: return Rational(static_cast<int64_t>(cell % ((uint64_t{1} << std::min(precision, 20u)) - 1)) + 1);
    case 7: {
      const int64_t magnitude = static_cast<int64_t>(random % 15) + 1;
      return Rational((random >> 32 & 1) != 0 ? -magnitude : magnitude);
    }
    default: break;
  }
  if (narrow) return RandomFloat(random, precision, -2, 3);
  if (index < 14) return RandomFloat(random, precision, -2, 2);
  if (index < 18) return RandomFloat(random, std::min(precision, 6u), -1, 1);
  if (index < 21) return RandomFloat(random, precision, -7, 4);  // eps-sized and large elements side by side
  return random % 4 == 0 ? Rational(0) : RandomFloat(random, precision, -5, -1);
}

}  // namespace

InputPoint MakePoint(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, unsigned index,
                     uint64_t seed) {
  InputPoint point;
  // The first of the largest floating-point tensors is the one-hot one: with two of them products would vanish.
  size_t hot = store.symbol_count();
  for (size_t s = 0; s < store.symbol_count() && s < cells.size(); ++s) {
    if (IsFloat(store.symbol(static_cast<SymbolId>(s)).dtype) && (hot == store.symbol_count() || cells[s] > cells[hot])) hot = s;
  }
  point.bits.resize(store.symbol_count());
  for (size_t s = 0; s < store.symbol_count(); ++s) {
    const Symbol& symbol = store.symbol(static_cast<SymbolId>(s));
    const Dtype dtype(symbol.dtype);
    const SymbolRange range = s < ranges.size() ? ranges[s] : SymbolRange{};
    const uint64_t count = s < cells.size() ? cells[s] : 0;
    const uint64_t stream = Mix(Mix(seed, index), s);
    point.bits[s].reserve(count);
    for (uint64_t cell = 0; cell < count; ++cell) {
      const uint64_t random = Mix(stream, cell);
      Rational value;
      if (!dtype.is_float())
        value = IntegerValue(dtype, index, cell, random);
      else if (symbol.shape.empty())
        value = ScalarValue(index, random);
      else
        value = TensorValue(dtype, index, count, cell, s == hot, random);
      const std::optional<uint64_t> bits = FitIntoRange(dtype, range, value, random);
      if (!bits) return InputPoint{};
      point.bits[s].push_back(*bits);
    }
  }
  return point;
}

}  // namespace racer
