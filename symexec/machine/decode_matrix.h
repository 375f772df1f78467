// Operands of the warp-level matrix instructions.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_MATRIX_H_
#define RACER_SYMEXEC_MACHINE_DECODE_MATRIX_H_

#include "symexec/machine/decode_operands.h"
#include "symexec/machine/program.h"

namespace racer {

// False: `operands` says what is not modelled.
bool DecodeMatrix(const ir::Instruction& instruction, OperandDecoder* operands, Program* program, Decoded* in);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_MATRIX_H_
