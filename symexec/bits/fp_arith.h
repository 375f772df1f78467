// Floating-point operations on bit patterns, every format and rounding; the slow side of BitsDomain.
#ifndef RACER_SYMEXEC_BITS_FP_ARITH_H_
#define RACER_SYMEXEC_BITS_FP_ARITH_H_

#include <cstdint>

#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"

namespace racer::bits {

// Unused operands are ignored. Results are patterns of the format's width.
uint64_t Arithmetic(FpKind kind, const FpAttr& attr, uint64_t a, uint64_t b, uint64_t c);
uint64_t Convert(FpFormat from, const FpAttr& attr, uint64_t a);
uint64_t ToInteger(FpFormat from, ScalarType to, Rounding rounding, bool ftz, uint64_t a);
uint64_t FromInteger(ScalarType from, const FpAttr& attr, uint64_t a);
bool Compare(CompareOp op, FpFormat format, bool ftz, uint64_t a, uint64_t b);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_ARITH_H_
