// The most frequent floating-point operations in the host's arithmetic, inline: each gives the bits that fp_arith.h
// gives (fp_fast_test compares them) for round to nearest without .ftz, .sat or .relu.
#ifndef RACER_SYMEXEC_BITS_FP_FAST_H_
#define RACER_SYMEXEC_BITS_FP_FAST_H_

#include <bit>
#include <cstdint>

#include "ptx_frontend/isa/types.h"

namespace racer::bits {

constexpr uint64_t kNanF32 = 0x7fffffff;

inline float FloatOf(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
inline double DoubleOf(uint64_t bits) { return std::bit_cast<double>(bits); }
// Canonical for the narrow formats' one NaN.
inline uint64_t BitsOf(float value) { return value != value ? kNanF32 : std::bit_cast<uint32_t>(value); }

constexpr bool IsNanF32(uint64_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }
constexpr bool IsFiniteF32(uint64_t bits) { return (bits & 0x7f800000) != 0x7f800000; }

// Patterns as integers that order like their values, -0 before +0.
constexpr int32_t OrderF32(uint64_t bits) {
  const int32_t pattern = static_cast<int32_t>(static_cast<uint32_t>(bits));
  return pattern ^ static_cast<int32_t>(static_cast<uint32_t>(pattern >> 31) >> 1);
}
// min and max without .NaN: a number wins over a NaN.
constexpr uint64_t ExtremumF32(bool is_max, uint64_t a, uint64_t b) {
  const bool a_nan = IsNanF32(a), b_nan = IsNanF32(b);
  const uint64_t chosen = (OrderF32(a) < OrderF32(b)) == is_max ? b : a;
  const uint64_t number = a_nan ? b : b_nan ? a : chosen;
  return (a_nan & b_nan) ? kNanF32 : number;
}

// The operators of the manual's floating-point comparison table. All but those bound to operands that are numbers (eq, lt, ...)
// are negations, so a NaN needs no test of its own.
template <class F>
constexpr bool CompareHost(CompareOp op, F x, F y, bool* known) {
  *known = true;
  switch (op) {
    case CompareOp::kEq: return x == y;
    case CompareOp::kNe: return x < y || x > y;
    case CompareOp::kLt: return x < y;
    case CompareOp::kLe: return x <= y;
    case CompareOp::kGt: return x > y;
    case CompareOp::kGe: return x >= y;
    case CompareOp::kEqu: return !(x < y || x > y);
    case CompareOp::kNeu: return x != y;
    case CompareOp::kLtu: return !(x >= y);
    case CompareOp::kLeu: return !(x > y);
    case CompareOp::kGtu: return !(x <= y);
    case CompareOp::kGeu: return !(x < y);
    case CompareOp::kNum: return x == x && y == y;
    case CompareOp::kNan: return x != x || y != y;
    case CompareOp::kNone:
    case CompareOp::kLo:
    case CompareOp::kLs:
    case CompareOp::kHi:
    case CompareOp::kHs: break;
  }
  *known = false;
  return false;
}

// .f16 to .f32: the fields move; subnormals become normal in a subtraction that is exact.
inline uint64_t FloatFromHalf(uint64_t half) {
  const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fff);
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t moved = magnitude << 13;
  const uint32_t normal = moved + (uint32_t{127 - 15} << 23);
  const uint32_t small =
      std::bit_cast<uint32_t>(std::bit_cast<float>(moved + (uint32_t{127 - 14} << 23)) - std::bit_cast<float>(uint32_t{127 - 14} << 23));
  const uint32_t finite = magnitude < 0x0400 ? small : normal;
  if (magnitude > 0x7c00) return kNanF32;
  return sign | (magnitude == 0x7c00 ? 0x7f800000 : finite);
}
inline uint64_t FloatFromBrain(uint64_t brain) { return (brain & 0xffff) << 16; }  // a NaN's bits move too

// .f32 to .f16, to nearest even. Normal results: half an ulp less the odd bit is added below the bits that stay. Smaller
// ones: the addition of 0.5 leaves them rounded in the low bits of the sum.
inline uint64_t HalfFromFloat(uint64_t bits) {
  const uint32_t magnitude = static_cast<uint32_t>(bits) & 0x7fffffff;
  const uint32_t sign = static_cast<uint32_t>(bits) >> 16 & 0x8000;
  if (magnitude > 0x7f800000) return 0x7fff;
  const uint32_t odd = magnitude >> 13 & 1;
  const uint32_t normal = (magnitude - (uint32_t{127 - 15} << 23) + 0x0fff + odd) >> 13;
  const uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  const uint32_t finite = magnitude < (uint32_t{127 - 14} << 23) ? small : normal;
  return sign | (magnitude >= 0x477ff000 ? 0x7c00 : finite);  // from 65520 on: infinity
}
// .f32 to .bf16, to nearest even.
inline uint64_t BrainFromFloat(uint64_t bits) {
  const uint32_t pattern = static_cast<uint32_t>(bits);
  if (IsNanF32(bits)) return 0x7fff;
  return (pattern + 0x7fff + (pattern >> 16 & 1)) >> 16;
}

// --- whether an operation of finite .f32 operands that gave `result` is exact; true where one of them is not finite
// a + b == sum in double with nothing lost: Knuth's TwoSum has no error term.
inline bool IsExactSum(double a, double b, double sum) {
  const double s = a + b;
  const double b_part = s - a;
  const double a_part = s - b_part;
  const double error = (a - a_part) + (b - b_part);
  return (s == sum) & (error == 0);
}
inline bool IsExactAddF32(uint64_t a, uint64_t b, uint64_t result) {
  const bool a_finite = IsFiniteF32(a), b_finite = IsFiniteF32(b), finite = IsFiniteF32(result);
  const bool exact = IsExactSum(double{FloatOf(a)}, double{FloatOf(b)}, double{FloatOf(result)});
  return !(a_finite & b_finite & finite) | exact;
}
// Products of two .f32 are exact doubles.
inline bool IsExactMulF32(uint64_t a, uint64_t b, uint64_t result) {
  const bool a_finite = IsFiniteF32(a), b_finite = IsFiniteF32(b), finite = IsFiniteF32(result);
  const bool exact = double{FloatOf(a)} * double{FloatOf(b)} == double{FloatOf(result)};
  return !(a_finite & b_finite & finite) | exact;
}
inline bool IsExactFmaF32(uint64_t a, uint64_t b, uint64_t c, uint64_t result) {
  const bool a_finite = IsFiniteF32(a), b_finite = IsFiniteF32(b), c_finite = IsFiniteF32(c), finite = IsFiniteF32(result);
  const bool exact = IsExactSum(double{FloatOf(a)} * double{FloatOf(b)}, double{FloatOf(c)}, double{FloatOf(result)});
  return !(a_finite & b_finite & c_finite & finite) | exact;
}

// As MagnifiesRounding (rounded_literal.h), of normal operands where it matters; no branches, so that loops over lanes become vectors.
inline bool LooksRoundedF32(uint64_t bits) {
  const uint32_t magnitude = static_cast<uint32_t>(bits) & 0x7fffffff;
  const float value = FloatOf(magnitude), whole = (value + 0x1p23F) - 0x1p23F;
  const bool integer = ((value >= 0x1p23F) | (whole == value)) & (value < 0x1p24F);
  const bool normal = (magnitude >= 0x00800000) & (magnitude < 0x7f800000);
  return normal & ((magnitude & 0xff) != 0) & (((magnitude + 2) & 0x3ffff) > 4) & !integer;
}
inline int32_t StoredExponentF32(uint64_t bits) {
  const int32_t exponent = static_cast<int32_t>(bits >> 23 & 0xff);
  return exponent == 0 ? 1 : exponent;
}
inline bool MagnifiesRoundingOfSumF32(uint64_t a, uint64_t b, uint64_t result) {
  const int32_t exponent = StoredExponentF32(result);
  const bool rounded_a = LooksRoundedF32(a), rounded_b = LooksRoundedF32(b);
  const bool from_a = (exponent < StoredExponentF32(a)) & rounded_a, from_b = (exponent < StoredExponentF32(b)) & rounded_b;
  return ((result & 0x7fffffff) != 0) & (exponent != 255) & (from_a | from_b);
}
inline bool MagnifiesRoundingOfFmaF32(uint64_t a, uint64_t b, uint64_t c, uint64_t result) {
  const int32_t exponent = StoredExponentF32(result), product = StoredExponentF32(a) + StoredExponentF32(b) - 127;
  const bool none_zero = ((a & 0x7fffffff) != 0) & ((b & 0x7fffffff) != 0) & ((result & 0x7fffffff) != 0) & (exponent != 255);
  const bool below = (exponent < product) | (exponent < StoredExponentF32(c));
  const bool rounded_a = LooksRoundedF32(a), rounded_b = LooksRoundedF32(b), rounded_c = LooksRoundedF32(c);
  return none_zero & below & (rounded_a | rounded_b | rounded_c);
}

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_FAST_H_
