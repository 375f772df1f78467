// Whether a rounded result is the real result: error-free checks on bit patterns.
#ifndef RACER_SYMEXEC_BITS_FP_EXACT_H_
#define RACER_SYMEXEC_BITS_FP_EXACT_H_

#include <cstdint>

#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"

namespace racer::bits {

// Each takes what the function of the same meaning in fp_arith.h returned. True: `result` is the operation's value over
// the reals at the operands' exact values, or an operand or the result is infinite or NaN, which no real stands for.
// False: it is not, or that could not be told in double (.f64 near the ends of the exponent range, fused .f64 sums that
// cancel a rounded product).
// With .ftz the operands are what is left of them once flushed. An approximate instruction is exact only where the manual gives its
// result as a number.
// .sat and .relu clamp reals as well: a clamped result is exact if what was clamped is.
bool IsExact(FpKind kind, const FpAttr& attr, uint64_t a, uint64_t b, uint64_t c, uint64_t result);
bool ConvertsExactly(FpFormat from, const FpAttr& attr, uint64_t a, uint64_t result);
bool FromIntegerExactly(ScalarType from, const FpAttr& attr, uint64_t a, uint64_t result);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_EXACT_H_
