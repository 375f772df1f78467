// Whether wmma.mma and wmma.store name what produced the fragments that they read.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_FRAGMENTS_H_
#define RACER_SYMEXEC_MACHINE_DECODE_FRAGMENTS_H_

#include "symexec/machine/program.h"

namespace racer {

// The manual wants wmma.mma and wmma.store to name the shape, the layout of A and of B, and the element types that the fragments were
// loaded or computed with. Refuses each that may read another kind of fragment, and sets `through_memory` where memory hides which kind
// it is. Rows are final.
void CheckFragments(Program* program);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_FRAGMENTS_H_
