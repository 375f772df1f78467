// Operations on the 32 values of a row of registers, with instructions that the build does not ask for but the host may have.
#ifndef RACER_SYMEXEC_BITS_FP_LANES_H_
#define RACER_SYMEXEC_BITS_FP_LANES_H_

#include <cstdint>

namespace racer::bits {

// to[i] = a[i] * b[i] + c[i] in .f32, rounded once to nearest; patterns zero-extended. `to` may be one of the others.
void FmaLanesF32(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* to);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_FP_LANES_H_
