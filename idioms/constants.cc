#include "idioms/constants.h"

#include <cmath>
#include <string>

#include "base/check.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

constexpr uint64_t kSmallest = 2, kLargestPreferred = uint64_t{1} << 40;

enum class Shape : uint8_t { kReciprocal, kRoot, kReciprocalRoot };

struct Candidate {
  Shape shape;
  uint64_t n;
};

// The square of the real: rational, so that comparisons with it are exact.
Rational SquareOf(Shape shape, uint64_t n) {
  Rational value(static_cast<int64_t>(n));
  switch (shape) {
    case Shape::kReciprocal: return (value * value).Inverse();
    case Shape::kRoot: return value;
    case Shape::kReciprocalRoot: return value.Inverse();
  }
  RACER_UNREACHABLE(shape);
}

struct Literal {
  Rational value;      // magnitude
  Rational low, high;  // reals strictly between round to it
};

std::optional<Literal> Interval(FpFormat format, uint64_t bits) {
  std::optional<Dyadic> d = Decode(format, bits);
  if (!d || d->mantissa == 0) return std::nullopt;
  FormatLayout layout = LayoutOf(format);
  unsigned fraction = format == FpFormat::kTF32 ? 10 : layout.fraction_bits;
  Literal l;
  l.value = Rational::Dyadic(static_cast<int64_t>(d->mantissa), d->exponent);
  // tf32 is decoded with f32's fraction: one unit in its last place is 2^13 of that.
  int ulp = d->exponent + static_cast<int>(layout.fraction_bits - fraction);
  bool power_of_two = (d->mantissa & (d->mantissa - 1)) == 0 && (d->mantissa >> layout.fraction_bits) != 0;
  l.high = l.value + Rational::Dyadic(1, ulp - 1);
  l.low = l.value - Rational::Dyadic(1, power_of_two ? ulp - 2 : ulp - 1);
  return l;
}

bool RoundsTo(const Literal& literal, Shape shape, uint64_t n) {
  if (n == 0) return false;
  Rational square = SquareOf(shape, n);
  return literal.low * literal.low < square && square < literal.high * literal.high && !(literal.value * literal.value == square);
}

uint64_t RoundedOrZero(double x) { return x >= 0.5 && x < 1e15 ? static_cast<uint64_t>(std::llround(x)) : 0; }

// |literal - real| in units of the literal's last place.
double UlpDistance(FpFormat format, const Dyadic& literal, const Rational& square) {
  // |c - r| = |c^2 - r^2| / (c + r); the difference of two nearly equal numbers is taken exactly first.
  Rational c = Rational::Dyadic(static_cast<int64_t>(literal.mantissa), literal.exponent);
  double distance = std::abs((c * c - square).ToDouble()) / (2 * c.ToDouble());
  return std::ldexp(distance, -literal.exponent - (format == FpFormat::kTF32 ? 13 : 0));
}

NamedReal Named(FpFormat format, const Dyadic& literal, const Candidate& candidate) {
  NamedReal real;
  real.name = literal.negative ? "-" : "";
  Rational n(static_cast<int64_t>(candidate.n));
  switch (candidate.shape) {
    case Shape::kReciprocal:
      real.name += "1/" + std::to_string(candidate.n);
      real.factor = n.Inverse();
      break;
    case Shape::kRoot:
      real.name += "sqrt(" + std::to_string(candidate.n) + ")";
      real.factor = Rational(1);
      real.radicand = n;
      break;
    case Shape::kReciprocalRoot:
      real.name += "1/sqrt(" + std::to_string(candidate.n) + ")";
      real.factor = Rational(1);
      real.radicand = n.Inverse();
      break;
  }
  if (literal.negative) real.factor = -real.factor;
  real.ulp_distance = UlpDistance(format, literal, SquareOf(candidate.shape, candidate.n));
  return real;
}

}  // namespace

std::vector<uint64_t> SizesOf(std::span<const int64_t> dims) {
  constexpr uint64_t kEnd = uint64_t{1} << 31;
  std::set<uint64_t> sizes;
  for (size_t i = 0; i < dims.size(); ++i) {
    const uint64_t size = static_cast<uint64_t>(dims[i]);
    if (size == 0 || size >= kEnd) continue;
    sizes.insert(size);
    for (size_t j = i; j < dims.size(); ++j) {
      const uint64_t other = static_cast<uint64_t>(dims[j]);
      if (other != 0 && other < kEnd && size * other < kEnd) sizes.insert(size * other);
    }
  }
  return {sizes.begin(), sizes.end()};
}

std::optional<NamedReal> RoundedConstants::Find(FpFormat format, uint64_t bits) const {
  std::optional<Literal> literal = Interval(format, bits);
  if (!literal) return std::nullopt;
  double c = literal->value.ToDouble();
  const Shape shapes[] = {Shape::kReciprocal, Shape::kRoot, Shape::kReciprocalRoot};
  const uint64_t centres[] = {RoundedOrZero(1 / c), RoundedOrZero(c * c), RoundedOrZero(1 / (c * c))};
  std::optional<Candidate> best;
  const Dyadic decoded = *Decode(format, bits);
  // The contract's own numbers first: every preferred n is tried, however coarse the format is.
  unsigned matches = 0;
  for (int i = 0; i < 3; ++i) {
    for (uint64_t n : preferred_) {
      if (n < kSmallest || n > kLargestPreferred || !RoundsTo(*literal, shapes[i], n)) continue;
      // 1/n and 1/sqrt(n^2) are one real.
      if (shapes[i] == Shape::kReciprocalRoot && best && best->shape == Shape::kReciprocal && best->n * best->n == n) continue;
      ++matches;
      if (!best) best = Candidate{shapes[i], n};
    }
  }
  if (matches == 1) return Named(format, decoded, *best);
  if (matches > 1) return std::nullopt;
  for (int i = 0; i < 3; ++i) {
    uint64_t n = centres[i];
    bool hit[3] = {n > 1 && RoundsTo(*literal, shapes[i], n - 1), RoundsTo(*literal, shapes[i], n), RoundsTo(*literal, shapes[i], n + 1)};
    for (int k = 0; k < 3; ++k) {
      uint64_t m = n + static_cast<uint64_t>(k) - 1;
      if (!hit[k] || m < kSmallest || m > LargestDenominator(format)) continue;
      if (shapes[i] == Shape::kReciprocalRoot && best && best->shape == Shape::kReciprocal && best->n * best->n == m) continue;
      ++matches;
      best = Candidate{shapes[i], m};
    }
  }
  if (matches != 1) return std::nullopt;
  return Named(format, decoded, *best);
}

}  // namespace racer
