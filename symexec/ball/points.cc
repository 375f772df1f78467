// Input points for refutation: readable ones first, then random ones.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include "symexec/ball/ball.h"
#include "symexec/ball/dtype.h"

namespace racer {
namespace {

// A well-mixed function of its arguments, so that a cell's value depends on nothing but (seed, point, symbol, cell).
uint64_t Mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

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
  for (const Rational& candidate : {target, Rational(0), Rational(1), range.low.value_or(target), range.high.value_or(target)}) {
    if (const std::optional<uint64_t> bits = dtype.NearestInRange(range, candidate)) return bits;
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
  const bool narrow = FormatWidth(dtype.format()) < 16;
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
