// Floating-point formats as bit patterns: decoding, exact rounding, canonical NaNs.
#ifndef RACER_SYMEXEC_BITS_FP_ROUND_H_
#define RACER_SYMEXEC_BITS_FP_ROUND_H_

#include <bit>
#include <cstdint>

#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"

namespace racer::bits {

// IEEE interchange layout: sign, exponent, `precision - 1` stored significand bits.
struct Layout {
  unsigned width;
  unsigned precision;  // with the hidden bit
  int emin;            // exponent of the least normal number
  uint64_t nan;        // what an invalid operation returns

  constexpr uint64_t sign() const { return uint64_t{1} << (width - 1); }
  constexpr uint64_t infinity() const { return sign() - (uint64_t{1} << (precision - 1)); }
  constexpr uint64_t largest() const { return infinity() - 1; }
  constexpr uint64_t least_normal() const { return uint64_t{1} << (precision - 1); }
  constexpr uint64_t one() const { return static_cast<uint64_t>(-emin + 1) << (precision - 1); }
  constexpr bool IsNan(uint64_t bits) const { return (bits & ~sign()) > infinity(); }
  constexpr uint64_t quiet() const { return uint64_t{1} << (precision - 2); }
  constexpr bool IsSubnormalOrZero(uint64_t bits) const { return (bits & ~sign()) < least_normal(); }
  constexpr uint64_t Flush(uint64_t bits) const { return IsSubnormalOrZero(bits) ? bits & sign() : bits; }
};

inline constexpr Layout kLayoutF16 = {16, 11, -14, 0x7fff};
inline constexpr Layout kLayoutBF16 = {16, 8, -126, 0x7fff};
inline constexpr Layout kLayoutF32 = {32, 24, -126, 0x7fffffff};
inline constexpr Layout kLayoutF64 = {64, 53, -1022, 0xfff8000000000000};

// Not for .tf32 and the narrow formats: they are converted to and from (fp_narrow.h), never computed in.
const Layout& LayoutOf(FpFormat format);

// The value of a pattern; exact. NaN decodes to a NaN.
double Decode(FpFormat format, uint64_t bits);

// (-1)^negative * (significand + epsilon if sticky) * 2^exponent, rounded once; significand != 0.
uint64_t RoundScaled(const Layout& layout, Rounding rounding, bool negative, uint64_t significand, int exponent, bool sticky);

// A finite or infinite double rounded once. If the double itself was rounded to odd from a longer value, the result is
// the longer value's, for formats of at most 50 bits of precision.
uint64_t RoundDouble(const Layout& layout, Rounding rounding, double value);

// As RoundDouble, with subnormal results flushed: a result is subnormal if it is below the least normal number once
// rounded to the format's precision with an unbounded exponent.
uint64_t RoundDoubleFlushing(const Layout& layout, Rounding rounding, double value);

// --- exact results squeezed into a double by rounding to odd (operands of at most 24 bits of precision)
double AddToOdd(double a, double b);
double DivToOdd(double a, double b);
double SqrtToOdd(double a);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_ROUND_H_
