// .f64 arithmetic in the rounding modes that the host does not run in.
#ifndef RACER_SYMEXEC_BITS_FP_DIRECTED64_H_
#define RACER_SYMEXEC_BITS_FP_DIRECTED64_H_

#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"

namespace racer::bits {

// kAdd, kSub, kMul, kFma, kDiv, kRcp, kSqrt with rounding rz, rm or rp; operands are no NaNs and the result may be one.
double Directed64(FpKind kind, Rounding rounding, double a, double b, double c);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_DIRECTED64_H_
