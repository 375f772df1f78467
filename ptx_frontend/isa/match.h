// Matching a written instruction against the grammar lines of the table.
#ifndef RACER_PTX_FRONTEND_ISA_MATCH_H_
#define RACER_PTX_FRONTEND_ISA_MATCH_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_frontend/isa/spec.h"

namespace racer {

struct OperandForm {
  enum class Role : uint8_t { kDestination, kSource, kAddress, kLabel } role = Role::kSource;
  std::string_view name;                // "d", "a", "membermask"
  ScalarType type = ScalarType::kNone;  // resolved; kNone: any
  bool negatable = false;
  bool pair_allowed = false;                   // x|y
  ScalarType second_type = ScalarType::kNone;  // of y
  uint8_t vector = 1;                          // elements of a {...} operand
  bool braces = false;                         // a vector of fixed length: {...} even of one element
  bool bare_allowed = false;                   // but its one element may stand alone
};

struct InstructionForm {
  Opcode opcode = Opcode::kUnknown;
  Mods mods;
  const Spec* spec = nullptr;
  std::string_view grammar;           // the line that matched
  std::vector<OperandForm> operands;  // exactly as many as were written
};

// `modifiers` as written, without dots, in order; "shared::cta" is one. `operand_count` counts top-level operands.
// Modifiers in another order than the grammar's are accepted where the assignment is unique (ptxas and real
// files do so for cvt, vote, ldmatrix). On failure `reason` says what was not expected and what would have been.
struct MatchOutcome {
  std::optional<InstructionForm> form;
  bool known_mnemonic = false;
  std::string reason;
};
MatchOutcome MatchInstruction(std::string_view mnemonic, std::span<const std::string> modifiers, size_t operand_count);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_MATCH_H_
