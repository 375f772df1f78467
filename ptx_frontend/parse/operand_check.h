// Which registers and literals an operand of a type takes (manual: "Type Checking for Operands", "Operand Size Exceeding
// Instruction-Type Size"; where it is silent, what ptxas 13.0 accepts).
#ifndef RACER_PTX_FRONTEND_PARSE_OPERAND_CHECK_H_
#define RACER_PTX_FRONTEND_PARSE_OPERAND_CHECK_H_

#include <string_view>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"

namespace racer::parse {

// ld, st, ldu and cvt take registers wider than their type.
bool TakesWiderRegisters(std::string_view mnemonic);

// A register of type `reg` where the instruction has `type`; kNone of either: anything goes.
bool RegisterFits(ScalarType reg, ScalarType type, bool wider_allowed);

// An integer or floating-point literal (kImmediate, kFloat) where the instruction has `type`.
bool LiteralFits(const ir::Operand& literal, ScalarType type);

}  // namespace racer::parse

#endif  // RACER_PTX_FRONTEND_PARSE_OPERAND_CHECK_H_
