#include "idioms/constants.h"

#include <flint/fmpq.h>
#include <flint/fmpz.h>

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

// digits / 10^kDigits is within 10^-kDigits of the real (computed once with 80 digits by Python's decimal).
constexpr int kDigits = 50;
struct Base {
  const char* name;
  const char* digits;  // without the point
  double approximately;
  int radicand, log2_e, root_pi;
};
constexpr Base kLog2E = {"log2(e)", "144269504088896340735992468100189213742664595415299", 1.443, 1, 1, 0};
constexpr Base kFamous[] = {
    kLog2E,
    {"ln(2)", "69314718055994530941723212145817656807550013436026", 0.693, 1, -1, 0},
    {"sqrt(2/pi)", "79788456080286535587989211986876373695171726232987", 0.798, 2, 0, -1},
    {"1/sqrt(pi)", "56418958354775628694807945156077258584405062932900", 0.564, 1, 0, -1},
    {"sqrt(pi)", "177245385090551602729816748334114518279754945612239", 1.772, 1, 0, 1},
    {"pi", "314159265358979323846264338327950288419716939937511", 3.142, 1, 0, 2},
    {"1/pi", "31830988618379067153776752674502872406891929148091", 0.318, 1, 0, -2},
    {"log2(e)*sqrt(2/pi)", "115110409907216244456694738521831340024375553487606", 1.151, 2, 1, -1},
};

Rational ValueOf(const Base& base) {
  Rational value;
  RACER_CHECK(fmpz_set_str(fmpq_numref(value.raw()), base.digits, 10) == 0);
  return value / Rational(10).Pow(kDigits);
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

// Whether the literal is the nearest number to base * the real of the shape.
bool RoundsTo(const Literal& literal, const Base& base, Shape shape, uint64_t n) {
  if (n == 0) return false;
  const Rational value = ValueOf(base), error = Rational(10).Pow(-kDigits), square = SquareOf(shape, n);
  const Rational low = (value - error) * (value - error) * square, high = (value + error) * (value + error) * square;
  return literal.low * literal.low < low && high < literal.high * literal.high;
}

bool RoundsTo(const Literal& literal, Shape shape, uint64_t n) {
  if (n == 0) return false;
  Rational square = SquareOf(shape, n);
  return literal.low * literal.low < square && square < literal.high * literal.high && !(literal.value * literal.value == square);
}

uint64_t RoundedOrZero(double x) { return x >= 0.5 && x < 1e15 ? static_cast<uint64_t>(std::llround(x)) : 0; }

// 2^k times a famous constant.
std::optional<NamedReal> FindFamous(FpFormat format, const Literal& literal, const Dyadic& decoded) {
  constexpr int kLargestPower = 16;
  std::optional<NamedReal> found;
  for (const Base& base : kFamous) {
    // Near at all? The exact comparison is dear.
    const double ratio = literal.value.ToDouble() / base.approximately;
    const int k = static_cast<int>(std::lround(std::log2(ratio)));
    if (k < -kLargestPower || k > kLargestPower || std::abs(std::ldexp(ratio, -k) - 1) > 0x1p-9) continue;
    const Rational scale = Rational(2).Pow(k);
    const Literal scaled = {literal.value / scale, literal.low / scale, literal.high / scale};
    if (!RoundsTo(scaled, base, Shape::kRoot, 1)) continue;
    if (found) return std::nullopt;
    const std::string power = std::to_string(uint64_t{1} << std::abs(k));
    NamedReal named;
    named.name = (decoded.negative ? "-" : "") + (k > 0 ? power + "*" : "") + base.name + (k < 0 ? "/" + power : "");
    named.factor = decoded.negative ? -scale : scale;
    named.radicand = Rational(base.radicand);
    named.log2_e = base.log2_e;
    named.root_pi = base.root_pi;
    // Far closer than the distance: the digits are exact to 10^-50.
    const Rational apart = scaled.value - ValueOf(base);
    named.ulp_distance = std::ldexp(std::abs(apart.ToDouble()), k - decoded.exponent - (format == FpFormat::kTF32 ? 13 : 0));
    found = std::move(named);
  }
  return found;
}

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

// log2(e) * 1/n, * sqrt(n), * 1/sqrt(n).
std::optional<NamedReal> FindScaledBase(const Literal& literal, const Dyadic& decoded, const std::set<uint64_t>& preferred) {
  constexpr uint64_t kLargest = 4096;
  const double log2_e = ValueOf(kLog2E).ToDouble();
  const double c = literal.value.ToDouble() / log2_e;
  const Shape shapes[] = {Shape::kReciprocal, Shape::kRoot, Shape::kReciprocalRoot};
  const uint64_t centres[] = {RoundedOrZero(1 / c), RoundedOrZero(c * c), RoundedOrZero(1 / (c * c))};
  for (const bool contract : {true, false}) {
    std::optional<Candidate> best;
    unsigned matches = 0;
    for (int i = 0; i < 3; ++i) {
      const uint64_t n = centres[i];
      if (n < kSmallest || (contract ? !preferred.contains(n) : n > kLargest) || !RoundsTo(literal, kLog2E, shapes[i], n)) continue;
      // 1/n and 1/sqrt(n^2) are one real.
      if (shapes[i] == Shape::kReciprocalRoot && best && best->shape == Shape::kReciprocal && best->n * best->n == n) continue;
      ++matches;
      if (!best) best = Candidate{shapes[i], n};
    }
    if (matches > 1) return std::nullopt;
    if (matches == 0) continue;
    NamedReal named;
    const Rational n(static_cast<int64_t>(best->n));
    named.name = std::string(decoded.negative ? "-" : "") + "log2(e)";
    if (best->shape == Shape::kReciprocal) {
      named.name += "/" + std::to_string(best->n);
      named.factor = n.Inverse();
    } else {
      const bool root = best->shape == Shape::kRoot;
      named.name += (root ? "*sqrt(" : "/sqrt(") + std::to_string(best->n) + ")";
      named.factor = Rational(1);
      named.radicand = root ? n : n.Inverse();
    }
    if (decoded.negative) named.factor = -named.factor;
    named.log2_e = 1;
    const double real = log2_e * std::sqrt(SquareOf(best->shape, best->n).ToDouble());
    // In double, 2^-53 of the real; enough beside units of f32, and at most a few hundredths of a unit of f64.
    named.ulp_distance = std::ldexp(std::abs(literal.value.ToDouble() - real), -decoded.exponent);
    return named;
  }
  return std::nullopt;
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
  const bool precise = format == FpFormat::kF64 || format == FpFormat::kF32 || format == FpFormat::kTF32 || format == FpFormat::kF16;
  if (precise) {
    if (std::optional<NamedReal> famous = FindFamous(format, *literal, decoded)) return famous;
  }
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
  if (matches == 1) return Named(format, decoded, *best);
  if (matches > 1 || (format != FpFormat::kF32 && format != FpFormat::kF64)) return std::nullopt;
  return FindScaledBase(*literal, decoded, preferred_);
}

}  // namespace racer
