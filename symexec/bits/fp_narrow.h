// Conversions to and from .tf32 and the formats below 16 bits.
#ifndef RACER_SYMEXEC_BITS_FP_NARROW_H_
#define RACER_SYMEXEC_BITS_FP_NARROW_H_

#include <cstdint>

#include "ptx_frontend/isa/fp.h"

namespace racer::bits {

// .tf32 and the narrow formats: those that fp_round.h has no Layout of.
constexpr bool IsAlternate(FpFormat format) { return IsNarrow(format) || format == FpFormat::kTF32; }

// The value of a pattern; exact. NaN decodes to a NaN. Bits that carry no meaning (the low 13 of .tf32, the padding of .e2m3
// and .e3m2) are ignored.
double DecodeAlternate(FpFormat format, uint64_t bits);

// An exact double, an infinity or a NaN as a pattern of attr.format, with attr's rounding, .relu and .satfinite. Without
// .satfinite too large a value becomes an infinity, or a NaN where there is none. NaN gives the canonical one (0x7fffffff for
// .tf32, 0x7f in 8 bits, 0xff for .ue8m0), or the largest number where the format has none.
uint64_t EncodeAlternate(const FpAttr& attr, double value);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_NARROW_H_
