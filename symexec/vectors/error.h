// How far an approximate result is from the exact value.
#ifndef RACER_SYMEXEC_VECTORS_ERROR_H_
#define RACER_SYMEXEC_VECTORS_ERROR_H_

#include <cstdint>
#include <span>

#include "ptx_frontend/isa/spec.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

struct ApproximateError {
  bool special_differs = false;  // a NaN, an infinity or a zero on one side alone, and no rounding explains it
  double ulp = 0;                // of the instruction's format; 0 where the bound is absolute or ends before this operand
  double share = 0;              // of the manual's bound; 0 if there is none
  bool promised = false;         // the manual gives a bound for this operand
};

// `result`: one lane's, of the element type `type`; `bits`: what the Bits domain gives, the correctly rounded value of the function
// or the manual's value at a special point. `in`: the operands of the lane.
ApproximateError ErrorOf(const Spec& spec, const Mods& mods, ScalarType type, std::span<const uint64_t> in, uint64_t result, uint64_t bits);

}  // namespace racer

#endif  // RACER_SYMEXEC_VECTORS_ERROR_H_
