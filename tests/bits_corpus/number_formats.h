// Narrow floating-point formats for host computations: from their definitions, and from nothing of the checker's.
#ifndef RACER_TESTS_BITS_CORPUS_NUMBER_FORMATS_H_
#define RACER_TESTS_BITS_CORPUS_NUMBER_FORMATS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace racer::corpus {

// 1 sign bit, `exponent` bits biased by 2^(exponent-1)-1, `mantissa` bits. `ieee`: the highest exponent is infinity and NaN;
// else all of it are numbers except, with `nan`, the pattern of all ones.
struct FloatLayout {
  int exponent, mantissa;
  bool ieee, nan;
  double largest;
};
inline constexpr FloatLayout kHalf{5, 10, true, true, 65504.0};
inline constexpr FloatLayout kBrain{8, 7, true, true, 0x1.FEp127};
inline constexpr FloatLayout kE5m2{5, 2, true, true, 57344.0};
inline constexpr FloatLayout kE4m3{4, 3, false, true, 448.0};
inline constexpr FloatLayout kE2m3{2, 3, false, false, 7.5};
inline constexpr FloatLayout kE3m2{3, 2, false, false, 28.0};
inline constexpr FloatLayout kE2m1{2, 1, false, false, 6.0};

inline double DecodeFloat(uint32_t bits, const FloatLayout& layout) {
  const int bias = (1 << (layout.exponent - 1)) - 1;
  const uint32_t mantissa = bits & ((1u << layout.mantissa) - 1);
  const int exponent = static_cast<int>((bits >> layout.mantissa) & ((1u << layout.exponent) - 1));
  const double sign = (bits >> (layout.exponent + layout.mantissa) & 1) != 0 ? -1.0 : 1.0;
  const bool highest = exponent == (1 << layout.exponent) - 1;
  if (highest && layout.ieee) return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * INFINITY;
  if (highest && layout.nan && mantissa == (1u << layout.mantissa) - 1) return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - layout.mantissa);
  return sign * std::ldexp(mantissa + (1u << layout.mantissa), exponent - bias - layout.mantissa);
}

// Nearest, ties to even. What is too large becomes infinity (NaN where there is none), or with `saturate` the largest number.
inline uint32_t EncodeFloat(double value, const FloatLayout& layout, bool saturate = false) {
  const int bias = (1 << (layout.exponent - 1)) - 1, width = layout.exponent + layout.mantissa;
  const uint32_t sign = std::signbit(value) ? 1u << width : 0;
  const uint32_t all_ones = (1u << width) - 1, infinity = ((1u << layout.exponent) - 1) << layout.mantissa;
  if (std::isnan(value)) return all_ones;
  double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  int exponent = std::isinf(magnitude) ? 0 : std::max(std::ilogb(magnitude), 1 - bias);
  double rounded = std::isinf(magnitude)
                       ? magnitude
                       : std::ldexp(std::nearbyint(std::ldexp(magnitude, layout.mantissa - exponent)), exponent - layout.mantissa);
  if (rounded > layout.largest) {
    if (saturate || (!layout.ieee && !layout.nan))
      rounded = layout.largest;
    else
      return layout.ieee ? sign | infinity : sign | all_ones;
  }
  if (rounded == 0) return sign;
  exponent = std::max(std::ilogb(rounded), 1 - bias);
  const uint32_t scaled = static_cast<uint32_t>(std::ldexp(rounded, layout.mantissa - exponent));  // the hidden bit included
  return sign | (scaled + (static_cast<uint32_t>(exponent + bias - 1) << layout.mantissa));
}

// A stored number of such a format; arithmetic happens in double, and each store rounds.
template <const FloatLayout& kLayout, class Storage>
struct Narrow {
  Storage bits = 0;
  Narrow() = default;
  Narrow(double value) : bits(static_cast<Storage>(EncodeFloat(value, kLayout))) {}  // NOLINT(google-explicit-constructor)
  operator double() const { return DecodeFloat(bits, kLayout); }                     // NOLINT(google-explicit-constructor)
  static Narrow FromBits(Storage bits) {
    Narrow number;
    number.bits = bits;
    return number;
  }
};
using Half = Narrow<kHalf, uint16_t>;
using Brain = Narrow<kBrain, uint16_t>;
using E5m2 = Narrow<kE5m2, uint8_t>;
using E4m3 = Narrow<kE4m3, uint8_t>;

// Rounding towards zero (direction 0), up (1) or down (-1), out of rounding to nearest and the neighbours.
template <class T>
T Directed(double v, int direction) {
  const T nearest(v);
  const double got = nearest;
  const auto step = [&](int away) {  // one representable number away from or towards zero
    return T::FromBits(static_cast<decltype(nearest.bits)>(nearest.bits + away));
  };
  const bool negative = std::signbit(v);
  if (direction == 0) return std::fabs(got) > std::fabs(v) ? step(-1) : nearest;
  if (direction > 0) return got < v ? step(negative ? -1 : 1) : nearest;
  return got > v ? step(negative ? 1 : -1) : nearest;
}

}  // namespace racer::corpus

#endif  // RACER_TESTS_BITS_CORPUS_NUMBER_FORMATS_H_
