// Where lanes of a warp may part, and where their ways meet again.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_PARTINGS_H_
#define RACER_SYMEXEC_MACHINE_DECODE_PARTINGS_H_

#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/program.h"

namespace racer {

// Fills Program::partings if the program has an aligned barrier. Last: it looks at all of the code.
void FindPartings(const std::vector<const ir::Function*>& functions, Program* program);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_PARTINGS_H_
