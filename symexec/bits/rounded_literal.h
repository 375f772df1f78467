// Literals that are roundings of what somebody meant.
#ifndef RACER_SYMEXEC_BITS_ROUNDED_LITERAL_H_
#define RACER_SYMEXEC_BITS_ROUNDED_LITERAL_H_

#include <cstdint>

#include "ptx_frontend/isa/fp.h"

namespace racer::bits {

// Most bits of the significand are used (of a subnormal number: two), it is no integer that the format tells from its neighbours, and it
// does not lie next to 0.5, 1 and the like. Never so of formats of less than 16 bits.
bool LooksRounded(FpFormat format, uint64_t bits);

// A sum or difference below an operand that looks rounded, 1.0125 - 1: what that was rounded by is larger in it than a unit in its last
// place. `kind`: kAdd, kSub or kFma; `c`: of kFma.
bool MagnifiesRounding(FpKind kind, FpFormat format, uint64_t a, uint64_t b, uint64_t c, uint64_t result);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_ROUNDED_LITERAL_H_
