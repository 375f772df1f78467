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

// What an operand that must be an integer literal may be, or what it may be if it is one.
struct Literal {
  bool wanted = false;
  bool low_word = false;        // of the literal its low 32 bits count
  std::vector<int64_t> values;  // one of these, if there are any;
  int64_t low = 0, high = 0;    // else one of this range, if it is not empty,
  int64_t step = 1;             // that this divides

  bool Admits(int64_t value) const;
  int64_t Sample(int64_t wish) const;  // `wish`, if it is admitted
  std::string Describe() const;        // "4 or 8 or 16"
};

struct OperandForm {
  enum class Role : uint8_t { kDestination, kSource, kAddress, kLabel } role = Role::kSource;
  std::string_view name;                // "d", "a", "membermask"
  ScalarType type = ScalarType::kNone;  // resolved; kNone: any
  bool negatable = false;
  bool pair_allowed = false;                   // x|y
  ScalarType second_type = ScalarType::kNone;  // of y
  uint8_t vector = 1;                          // elements of a {...} operand
  bool braces = false;                         // `*n`: must be written as such a vector
  bool pair_required = false;                  // and nothing but a pair
  Literal literal;
  std::string_view at_most;        // a literal is at most that of the operand of this name
  bool bare_allowed = false;       // but its one element may stand alone
  bool or_longer = false;          // longer vectors are taken too
  bool sink = false;               // must be `_`
  bool mixed = false;              // elements of several types: the index of an array and its coordinates
  bool optional = false;           // in `inner`: may be missing
  std::vector<OperandForm> inner;  // of an address: what follows it in its brackets
};

struct InstructionForm {
  Opcode opcode = Opcode::kUnknown;
  Mods mods;
  const Spec* spec = nullptr;
  std::string_view grammar;           // the line that matched
  std::vector<OperandForm> operands;  // exactly as many as were written
  // What the module must say, with what wants it: the instruction as a whole, a modifier. None of them is trivial.
  struct Need {
    std::string what;
    Requirement requirement;
  };
  std::vector<Need> needs;
  bool open_operands = false;  // `...`: the operands are not described
};

// `modifiers` as written, without dots, in order; "shared::cta" is one. `operand_count` counts top-level operands.
// Modifiers in another order than the grammar's are accepted where the assignment is unique (ptxas and real
// files do so for cvt, vote, ldmatrix). On failure `reason` says what was not expected and what would have been.
struct MatchOutcome {
  std::optional<InstructionForm> form;
  bool known_mnemonic = false;
  bool against_rule = false;  // the modifiers match, but for a Rule: `reason` is what it says
  std::string reason;
};
//
// `shapes`, if given, has as many letters as there are operands: `a` an address, `v` a vector, `x` anything else. Where lines
// differ in nothing else they decide; where none fits, the line is chosen without them, and the operand is what is wrong.
MatchOutcome MatchInstruction(std::string_view mnemonic, std::span<const std::string> modifiers, size_t operand_count,
                              std::string_view shapes = {});

// The form of one line of a record, the line'th; nullopt if it does not fit. For who enumerates forms.
std::optional<InstructionForm> MatchLine(Opcode opcode, size_t line, std::span<const std::string> modifiers, size_t operand_count);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_MATCH_H_
