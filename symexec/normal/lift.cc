#include "symexec/normal/lift.h"

#include <cmath>

#include "base/check.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

constexpr uint64_t kSmallest = 2, kLargest = 4096;

// The square of the real: rational, so that comparisons with it are exact.
Rational SquareOf(NamedReal::Shape shape, uint64_t n) {
  Rational value(static_cast<int64_t>(n));
  switch (shape) {
    case NamedReal::Shape::kReciprocal: return (value * value).Inverse();
    case NamedReal::Shape::kRoot: return value;
    case NamedReal::Shape::kReciprocalRoot: return value.Inverse();
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

bool RoundsTo(const Literal& literal, NamedReal::Shape shape, uint64_t n) {
  if (n == 0) return false;
  Rational square = SquareOf(shape, n);
  return literal.low * literal.low < square && square < literal.high * literal.high && !(literal.value * literal.value == square);
}

uint64_t RoundedOrZero(double x) { return x >= 0.5 && x < 1e15 ? static_cast<uint64_t>(std::llround(x)) : 0; }

}  // namespace

std::string NamedReal::ToString() const {
  std::string sign = negative ? "-" : "";
  switch (shape) {
    case Shape::kReciprocal: return sign + "1/" + std::to_string(n);
    case Shape::kRoot: return sign + "sqrt(" + std::to_string(n) + ")";
    case Shape::kReciprocalRoot: return sign + "1/sqrt(" + std::to_string(n) + ")";
  }
  RACER_UNREACHABLE(shape);
}

double UlpDistance(FpFormat format, uint64_t bits, const NamedReal& real) {
  std::optional<Dyadic> d = Decode(format, bits);
  RACER_CHECK(d.has_value());
  // |c - r| = |c^2 - r^2| / (c + r); the quotient of two nearly equal numbers is taken exactly first.
  Rational c = Rational::Dyadic(static_cast<int64_t>(d->mantissa), d->exponent);
  Rational difference = c * c - SquareOf(real.shape, real.n);
  double distance = std::abs(difference.ToDouble()) / (2 * c.ToDouble());
  unsigned extra = format == FpFormat::kTF32 ? 13 : 0;
  return std::ldexp(distance, -d->exponent - static_cast<int>(extra));
}

std::optional<NamedReal> LiftTable::Find(FpFormat format, uint64_t bits) const {
  std::optional<Literal> literal = Interval(format, bits);
  if (!literal) return std::nullopt;
  using Shape = NamedReal::Shape;
  double c = literal->value.ToDouble();
  const Shape shapes[] = {Shape::kReciprocal, Shape::kRoot, Shape::kReciprocalRoot};
  const uint64_t centres[] = {RoundedOrZero(1 / c), RoundedOrZero(c * c), RoundedOrZero(1 / (c * c))};
  std::optional<NamedReal> best;
  bool negative = Decode(format, bits)->negative;
  // The contract's own numbers first: every preferred n is tried, however coarse the format is.
  unsigned matches = 0;
  for (int i = 0; i < 3; ++i) {
    for (uint64_t n : preferred_) {
      if (n < kSmallest || n > uint64_t{1} << 40 || !RoundsTo(*literal, shapes[i], n)) continue;
      // 1/n and 1/sqrt(n^2) are one real.
      if (shapes[i] == Shape::kReciprocalRoot && best && best->shape == Shape::kReciprocal && best->n * best->n == n) continue;
      ++matches;
      if (!best) best = NamedReal{shapes[i], negative, n};
    }
  }
  if (matches == 1) return best;
  if (matches > 1) return std::nullopt;
  for (int i = 0; i < 3; ++i) {
    uint64_t n = centres[i];
    bool hit[3] = {n > 1 && RoundsTo(*literal, shapes[i], n - 1), RoundsTo(*literal, shapes[i], n), RoundsTo(*literal, shapes[i], n + 1)};
    for (int k = 0; k < 3; ++k) {
      uint64_t m = n + static_cast<uint64_t>(k) - 1;
      if (!hit[k] || m < kSmallest || m > kLargest) continue;
      if (shapes[i] == Shape::kReciprocalRoot && best && best->shape == Shape::kReciprocal && best->n * best->n == m) continue;
      ++matches;
      best = NamedReal{shapes[i], negative, m};
    }
  }
  if (matches != 1) return std::nullopt;
  return best;
}

}  // namespace racer::normal
