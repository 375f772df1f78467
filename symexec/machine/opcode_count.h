// The size of tables indexed by Opcode.
#ifndef RACER_SYMEXEC_MACHINE_OPCODE_COUNT_H_
#define RACER_SYMEXEC_MACHINE_OPCODE_COUNT_H_

#include <cstddef>

#include "ptx_frontend/isa/spec.h"

namespace racer {

constexpr size_t kOpcodeCount = 1  // kUnknown
#define RACER_INSTRUCTION(name) +1
#include "ptx_frontend/isa/instructions.def"
    ;

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_OPCODE_COUNT_H_
