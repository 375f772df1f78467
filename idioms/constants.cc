#include "idioms/constants.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace racer {
namespace {

// Bits of the fraction and of the exponent of an IEEE-like format.
struct Layout {
  int fraction = 0;
  int exponent = 0;
};

std::optional<Layout> LayoutOf(FpFormat format) {
  switch (format) {
    case FpFormat::kF16: return Layout{10, 5};
    case FpFormat::kBF16: return Layout{7, 8};
    case FpFormat::kF32: return Layout{23, 8};
    case FpFormat::kF64: return Layout{52, 11};
    case FpFormat::kTF32:
    case FpFormat::kE4M3:
    case FpFormat::kE5M2: return std::nullopt;
  }
  RACER_UNREACHABLE(format);
}

// A positive real whose square is rational: 1/n has square 1/n^2, sqrt(n) has square n.
// Comparisons with rationals go through squares, so they are exact.
struct SquareRootOf {
  Rational square;
};

// real <=> value for value > 0.
std::strong_ordering Compare(const SquareRootOf& real, const Rational& value) { return real.square <=> value * value; }

bool Allowed(uint64_t n, std::span<const uint64_t> denominators) {
  return n >= 2 && (n <= kSmallDenominator || std::find(denominators.begin(), denominators.end(), n) != denominators.end());
}

// The integer nearest to a positive real given as a double; 0 if it is too large to matter.
uint64_t NearestInteger(double value) { return value > 0 && value < 9e15 ? static_cast<uint64_t>(std::llround(value)) : 0; }

}  // namespace

std::optional<Rational> ExactValue(FpFormat format, uint64_t bits) {
  std::optional<Layout> layout = LayoutOf(format);
  if (!layout.has_value()) return std::nullopt;
  uint64_t fraction = bits & ((uint64_t{1} << layout->fraction) - 1);
  int64_t exponent = static_cast<int64_t>((bits >> layout->fraction) & ((uint64_t{1} << layout->exponent) - 1));
  bool negative = ((bits >> (layout->fraction + layout->exponent)) & 1) != 0;
  int64_t bias = (int64_t{1} << (layout->exponent - 1)) - 1;
  if (exponent == (int64_t{1} << layout->exponent) - 1) return std::nullopt;
  int64_t mantissa = static_cast<int64_t>(fraction);
  if (exponent == 0) {
    exponent = 1;  // subnormal
  } else {
    mantissa |= int64_t{1} << layout->fraction;
  }
  Rational value = Rational::Dyadic(mantissa, exponent - bias - layout->fraction);
  return negative ? -value : value;
}

std::optional<NamedReal> RealOfLiteral(FpFormat format, uint64_t bits, std::span<const uint64_t> denominators) {
  std::optional<Layout> layout = LayoutOf(format);
  if (!layout.has_value()) return std::nullopt;
  bool negative = ((bits >> (layout->fraction + layout->exponent)) & 1) != 0;
  uint64_t magnitude = bits & ((uint64_t{1} << (layout->fraction + layout->exponent)) - 1);
  std::optional<Rational> literal = ExactValue(format, magnitude);
  if (!literal.has_value() || magnitude == 0) return std::nullopt;
  std::optional<Rational> below = ExactValue(format, magnitude - 1);
  std::optional<Rational> above = ExactValue(format, magnitude + 1);
  if (!below.has_value() || !above.has_value()) return std::nullopt;
  Rational low_midpoint = (*literal + *below) / Rational(2);
  Rational high_midpoint = (*literal + *above) / Rational(2);
  bool even = (magnitude & 1) == 0;
  double approximate = literal->ToDouble();

  auto attempt = [&](uint64_t n, const Rational& square, const Rational& factor, uint64_t radicand,
                     const std::string& name) -> std::optional<NamedReal> {
    if (!Allowed(n, denominators)) return std::nullopt;
    SquareRootOf real{square};
    if (Compare(real, *literal) == 0) return std::nullopt;  // exact already: nothing to lift
    auto low = Compare(real, low_midpoint);
    auto high = Compare(real, high_midpoint);
    bool inside = (low > 0 || (low == 0 && even)) && (high < 0 || (high == 0 && even));
    if (!inside) return std::nullopt;
    NamedReal result;
    result.name = (negative ? "-" : "") + name;
    result.factor = negative ? -factor : factor;
    result.radicand = radicand;
    double ulp = (*above - *literal).ToDouble();
    double relative = (square / (*literal * *literal) - Rational(1)).ToDouble() / 2;  // (real - literal) / literal to first order
    result.ulp_distance = std::fabs(relative * approximate / ulp);
    return result;
  };

  uint64_t n = NearestInteger(1.0 / approximate);
  if (n > 0 && n < (uint64_t{1} << 31)) {
    Rational integer(static_cast<int64_t>(n));
    auto found = attempt(n, (integer * integer).Inverse(), integer.Inverse(), 1, "1/" + std::to_string(n));
    if (found.has_value()) return found;
  }
  n = NearestInteger(approximate * approximate);
  if (n > 0 && n < (uint64_t{1} << 31)) {
    auto found = attempt(n, Rational(static_cast<int64_t>(n)), Rational(1), n, "sqrt(" + std::to_string(n) + ")");
    if (found.has_value()) return found;
  }
  n = NearestInteger(1.0 / (approximate * approximate));
  if (n > 0 && n < (uint64_t{1} << 31)) {
    Rational integer(static_cast<int64_t>(n));
    auto found = attempt(n, integer.Inverse(), integer.Inverse(), n, "1/sqrt(" + std::to_string(n) + ")");
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

}  // namespace racer
