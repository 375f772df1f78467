// A grammar line of spec.h as data: slots for modifiers and operands.
#ifndef RACER_PTX_FRONTEND_ISA_GRAMMAR_H_
#define RACER_PTX_FRONTEND_ISA_GRAMMAR_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/isa/spec.h"

namespace racer::isa {

// Which field of Mods a modifier sets. A class says it by its name (`.rnd`, `.cmp`, ...), a literal by its spelling.
enum class ModifierKind : uint8_t {
  kType,
  kType2,
  kRounding,
  kCompare,
  kBool,
  kPart,
  kShuffle,
  kVote,
  kMatch,
  kReduce,
  kPermute,
  kFunnel,
  kTest,
  kDirection,
  kSpace,
  kOrder,
  kScope,
  kVector,
  kFlag,
  kOther,  // no field of its own
};

// Modifiers may be written in another order than the line's, but not those of one family among themselves: there the place says what a
// modifier is for (`.row.col`, `.shared.global`, result and source types).
enum class ModifierFamily : uint8_t { kNone, kType, kLayout, kSpace, kPriority };

struct ModifierSlot {
  std::string_view name;  // without the dot; class name or literal
  bool is_class = false;
  std::vector<std::string_view> options;  // what may be written here, without dots
  bool optional = false;
  uint8_t group = 0;  // slots of one `{.x.y}` (0: none) are all written or all left out
  ModifierKind kind = ModifierKind::kOther;
  ModifierFamily family = ModifierFamily::kNone;
  bool in_front = false;                  // a part of the operation's name, as `.lo`: it stays where it is
  Requirement requirement;                // of the slot
  std::vector<Requirement> option_since;  // of each option

  bool Accepts(std::string_view modifier) const;
};

// Where an operand's type comes from.
struct OperandType {
  enum class From : uint8_t { kInstruction, kFixed, kClass, kWide, kAny } from = From::kInstruction;
  ScalarType fixed = ScalarType::kNone;
  uint8_t slot = 0;  // kClass: index of the modifier slot
};

struct OperandSlot {
  OperandForm::Role role = OperandForm::Role::kSource;
  std::string_view name;
  OperandType type;
  bool negatable = false;
  bool pair_allowed = false;
  OperandType second_type;
  bool optional = false;
  int8_t condition = -1;           // index of the modifier slot that it comes with
  bool pair_required = false;      // `d|p`
  Literal literal;                 // `:imm`, `:imm=0|1`, `:imm=0..15`, `:lit=0..15`, `:low=0..15`
  std::string_view at_most;        // `<=n`
  bool sink = false;               // `_` and nothing else
  uint8_t vector = 0;              // `*4`; 0: no vector
  bool bare_allowed = false;       // `{*1}`
  bool or_longer = false;          // `*2+`
  uint8_t n_divisor = 0;           // `*n/2`: the N of the shape by this
  std::vector<OperandSlot> inner;  // of an address: what follows it in its brackets
};

struct GrammarLine {
  std::string_view text;
  bool open_modifiers = false;  // `.*`
  bool open_operands = false;   // `...`
  Requirement requirement;
  std::vector<ModifierSlot> modifiers;
  std::vector<OperandSlot> operands;

  size_t min_operands() const;
};

// A line that breaks the notation of spec.h is a bug of the table and ends the process.
GrammarLine ParseGrammarLine(std::string_view mnemonic, std::string_view line);

// The parsed lines of a record, made at first use. Safe to call from several threads.
std::span<const GrammarLine> LinesOf(Opcode opcode);
// The opcodes whose mnemonic it is, in table order; empty for an unknown mnemonic.
std::span<const Opcode> OpcodesOf(std::string_view mnemonic);

// Sets the field of `mods` that a modifier of this kind stands for.
void ApplyModifier(ModifierKind kind, std::string_view modifier, Mods& mods);

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_GRAMMAR_H_
