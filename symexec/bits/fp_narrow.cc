#include "symexec/bits/fp_narrow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "symexec/bits/fp_round.h"

namespace racer::bits {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Narrow {
  unsigned precision;  // with the hidden bit
  int emin;            // exponent of the least normal number
  uint64_t largest;    // magnitude of the largest number
  uint64_t infinity;   // 0: none
  uint64_t nan;        // 0: none
  constexpr uint64_t sign() const { return std::max({largest, infinity, nan}) + 1; }
};

// The OCP 8-bit and microscaling formats.
constexpr Narrow NarrowOf(FpFormat format) {
  switch (format) {
    case FpFormat::kE4M3: return {4, -6, 0x7e, 0, 0x7f};
    case FpFormat::kE5M2: return {3, -14, 0x7b, 0x7c, 0x7f};
    case FpFormat::kE2M3: return {4, 0, 0x1f, 0, 0};
    case FpFormat::kE3M2: return {3, -2, 0x1f, 0, 0};
    case FpFormat::kE2M1: return {2, 0, 0x7, 0, 0};
    case FpFormat::kTF32: return {11, -126, 0x3fbff, 0x3fc00, 0x3ffff};  // its upper 19 bits
    case FpFormat::kUE8M0:
    case FpFormat::kF16:
    case FpFormat::kBF16:
    case FpFormat::kF32:
    case FpFormat::kF64: break;
  }
  RACER_UNREACHABLE(static_cast<int>(format));
}

constexpr int kPowerBias = 127;
constexpr uint64_t kPowerNan = 0xff;

// The power of two at or next to the magnitude; 2^-127 stands for all below it.
uint64_t EncodePower(const FpAttr& attr, double value) {
  if (std::isnan(value)) return kPowerNan;
  const uint64_t overflow = attr.satfinite ? kPowerNan - 1 : kPowerNan;
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return overflow;
  if (magnitude <= 0x1p-127) return 0;
  int power = std::ilogb(magnitude);
  if (attr.rounding == Rounding::kRp && std::ldexp(1.0, power) != magnitude) ++power;
  return power > kPowerBias ? overflow : static_cast<uint64_t>(power + kPowerBias);
}

uint64_t Magnitude(const Narrow& format, const FpAttr& attr, double value) {
  const uint64_t overflow = attr.satfinite ? format.largest : format.infinity != 0 ? format.infinity : format.nan;
  if (std::isinf(value)) return overflow;
  // Rounded as if exponents had no end.
  const Layout wide = {.width = 64, .precision = format.precision, .emin = format.emin, .nan = 0};
  const uint64_t magnitude = RoundDouble(wide, attr.rounding, value) & ~wide.sign();
  if (magnitude <= format.largest) return magnitude;
  return attr.rounding == Rounding::kRz ? format.largest : overflow;
}

}  // namespace

double DecodeAlternate(FpFormat format, uint64_t bits) {
  if (format == FpFormat::kUE8M0) {
    const uint64_t power = bits & 0xff;
    return power == kPowerNan ? kNaN : std::ldexp(1.0, static_cast<int>(power) - kPowerBias);
  }
  if (format == FpFormat::kTF32) bits >>= 13;
  const Narrow narrow = NarrowOf(format);
  const uint64_t magnitude = bits & (narrow.sign() - 1);
  double value;
  if (magnitude <= narrow.largest) {
    const unsigned stored = narrow.precision - 1;
    const uint64_t field = magnitude >> stored;
    const uint64_t fraction = magnitude & ((uint64_t{1} << stored) - 1);
    const uint64_t significand = field == 0 ? fraction : fraction | uint64_t{1} << stored;
    const int exponent = narrow.emin - static_cast<int>(stored) + std::max(static_cast<int>(field) - 1, 0);
    value = std::ldexp(static_cast<double>(significand), exponent);
  } else {
    value = narrow.infinity != 0 && magnitude == narrow.infinity ? kInfinity : kNaN;
  }
  return (bits & narrow.sign()) != 0 ? -value : value;
}

uint64_t EncodeAlternate(const FpAttr& attr, double value) {
  RACER_CHECK(!attr.sat && !attr.ftz);
  if (attr.format == FpFormat::kUE8M0) return EncodePower(attr, value);
  const Narrow narrow = NarrowOf(attr.format);
  uint64_t bits;
  if (std::isnan(value)) {
    bits = narrow.nan != 0 ? narrow.nan : narrow.largest;
    if (attr.format == FpFormat::kTF32) return 0x7fffffff;
  } else if (attr.relu && std::signbit(value)) {
    bits = 0;
  } else {
    bits = Magnitude(narrow, attr, value) | (std::signbit(value) ? narrow.sign() : 0);
  }
  return attr.format == FpFormat::kTF32 ? bits << 13 : bits;
}

}  // namespace racer::bits
