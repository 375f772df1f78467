// What the Bits machine makes of one term whose operands are patterns.
#ifndef RACER_SYMEXEC_MACHINE_BITS_OF_OPERATION_H_
#define RACER_SYMEXEC_MACHINE_BITS_OF_OPERATION_H_

#include <cstdint>

#include "symexec/term/term.h"

namespace racer {

// The pattern of the operation `term` on operands of these patterns (values by the patterns that hold them), rounded as written; of a
// constant, its own. Inputs, FpReal and Undef have none.
uint64_t BitsOfOperation(const TermStore& store, TermId term, const uint64_t operands[3]);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_BITS_OF_OPERATION_H_
