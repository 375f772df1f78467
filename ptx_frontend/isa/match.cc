#include "ptx_frontend/isa/match.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "ptx_frontend/isa/grammar.h"

namespace racer {
namespace {

using isa::GrammarLine;
using isa::ModifierKind;
using isa::ModifierSlot;
using isa::OperandSlot;
using isa::OperandType;

constexpr int kUnassigned = -1;
// No grammar line has this many slots, so a longer list cannot match; it bounds the search below.
constexpr size_t kMaxModifiers = 24;

bool IsType(const ModifierSlot& slot) { return slot.kind == ModifierKind::kType || slot.kind == ModifierKind::kType2; }

// One way to give every written modifier a slot of its own: slot index -> modifier index.
using Assignment = std::vector<int>;

bool IsComplete(const GrammarLine& line, const Assignment& assignment) {
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    const ModifierSlot& slot = line.modifiers[i];
    const bool filled = assignment[i] != kUnassigned;
    if (!filled && !slot.optional) return false;
    if (slot.group == 0 || i == 0 || line.modifiers[i - 1].group != slot.group) continue;
    if (filled != (assignment[i - 1] != kUnassigned)) return false;
  }
  return true;
}

// Modifiers in the line's order. Depth: slots of a line.
bool AssignInOrder(const GrammarLine& line, std::span<const std::string> modifiers, size_t slot, size_t modifier, Assignment& out) {
  if (slot == line.modifiers.size()) return modifier == modifiers.size() && IsComplete(line, out);
  const ModifierSlot& s = line.modifiers[slot];
  if (modifier < modifiers.size() && s.Accepts(modifiers[modifier])) {
    out[slot] = static_cast<int>(modifier);
    if (AssignInOrder(line, modifiers, slot + 1, modifier + 1, out)) return true;
    out[slot] = kUnassigned;
  }
  return s.optional && AssignInOrder(line, modifiers, slot + 1, modifier, out);
}

// An open line takes any modifiers as long as its own required ones are among them.
bool AssignOpen(const GrammarLine& line, std::span<const std::string> modifiers, Assignment& out) {
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    for (size_t k = 0; k < modifiers.size() && out[i] == kUnassigned; ++k) {
      if (line.modifiers[i].Accepts(modifiers[k])) out[i] = static_cast<int>(k);
    }
  }
  return IsComplete(line, out);
}

// Modifiers in any order, except that the types keep theirs. Calls `found` for every complete assignment.
template <class F>
void AssignAnyOrder(const GrammarLine& line, std::span<const std::string> modifiers, size_t modifier, Assignment& out, const F& found) {
  if (modifier == modifiers.size()) {
    if (IsComplete(line, out)) found(out);
    return;
  }
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    const ModifierSlot& slot = line.modifiers[i];
    if (out[i] != kUnassigned || !slot.Accepts(modifiers[modifier])) continue;
    if (IsType(slot)) {
      bool overtakes = false;
      for (size_t k = i + 1; k < line.modifiers.size(); ++k) overtakes |= IsType(line.modifiers[k]) && out[k] != kUnassigned;
      if (overtakes) continue;
    }
    out[i] = static_cast<int>(modifier);
    AssignAnyOrder(line, modifiers, modifier + 1, out, found);
    out[i] = kUnassigned;
  }
}

bool CountFits(const GrammarLine& line, size_t count) {
  return line.open_operands ? count >= line.operands.size() : count >= line.min_operands() && count <= line.operands.size();
}

bool IsThere(const OperandSlot& operand, const Assignment& assignment) {
  return operand.condition >= 0 && assignment[static_cast<size_t>(operand.condition)] != kUnassigned;
}

// Least and most operands with these modifiers.
struct CountRange {
  size_t least = 0, most = 0;
};
CountRange CountsOf(const GrammarLine& line, const Assignment& assignment) {
  CountRange range;
  for (const OperandSlot& operand : line.operands) {
    const bool there = IsThere(operand, assignment);
    if (!operand.optional || there) ++range.least;
    if (operand.condition < 0 || there) ++range.most;
  }
  return range;
}

// CountFits, with the operands that come with a modifier.
bool CountFits(const GrammarLine& line, const Assignment& assignment, size_t count) {
  const CountRange range = CountsOf(line, assignment);
  return line.open_operands || (count >= range.least && count <= range.most);
}

// `.wide` results: twice as wide, same class.
ScalarType Widened(ScalarType type) {
  if (type == ScalarType::kU16) return ScalarType::kU32;
  if (type == ScalarType::kS16) return ScalarType::kS32;
  if (type == ScalarType::kU32) return ScalarType::kU64;
  if (type == ScalarType::kS32) return ScalarType::kS64;
  InternalError(__FILE__, __LINE__, "no type is twice as wide as ." + std::string(Spelling(type)));
}

void AddNeed(const Requirement& requirement, std::string what, InstructionForm& form) {
  if (!requirement.trivial()) form.needs.push_back({std::move(what), requirement});
}

// Of `.m64n96k16`: 96; 0 if no modifier is a shape.
unsigned NOfShape(std::span<const std::string> modifiers) {
  for (const std::string& modifier : modifiers) {
    const size_t n = modifier.find('n');
    if (modifier[0] != 'm' || n == std::string::npos || n < 2 || modifier.size() == n + 1) continue;
    unsigned value = 0;
    if (std::from_chars(modifier.data() + n + 1, modifier.data() + modifier.size(), value).ec == std::errc()) return value;
  }
  return 0;
}

// Whether the operands look as the form wants them.
bool ShapesFit(const InstructionForm& form, std::string_view shapes) {
  if (form.open_operands || shapes.size() != form.operands.size()) return true;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const OperandForm& operand = form.operands[i];
    const bool address = operand.role == OperandForm::Role::kAddress;
    if (address != (shapes[i] == 'a')) return false;
    if (shapes[i] == 'v' && operand.braces != true && operand.vector == 1 && operand.type != ScalarType::kNone) return false;
    if (shapes[i] == 'x' && operand.braces && !operand.bare_allowed) return false;
  }
  return true;
}

InstructionForm MakeForm(Opcode opcode, const GrammarLine& line, std::span<const std::string> modifiers, const Assignment& assignment,
                         size_t operand_count) {
  InstructionForm form;
  form.opcode = opcode;
  form.spec = &SpecOf(opcode);
  form.grammar = line.text;
  Requirement since;
  since.version = form.spec->since.ptx;
  since.targets[0].number = form.spec->since.sm;
  if (line.requirement.any_target()) {
    since.version = std::max(since.version, line.requirement.version);
  } else {
    since = line.requirement;
  }
  AddNeed(since, "", form);
  ScalarType last_type = ScalarType::kNone;
  ScalarType instruction_type = ScalarType::kNone;
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    if (assignment[i] == kUnassigned) continue;
    const ModifierSlot& slot = line.modifiers[i];
    const std::string& written = modifiers[static_cast<size_t>(assignment[i])];
    isa::ApplyModifier(slot.kind, written, form.mods);
    AddNeed(slot.requirement, "`." + written + "`", form);
    const auto option = std::find(slot.options.begin(), slot.options.end(), written);
    AddNeed(slot.option_since[static_cast<size_t>(option - slot.options.begin())], "`." + written + "`", form);
    if (!IsType(slot)) continue;
    last_type = *ScalarTypeFromSpelling(written);
    if (slot.is_class && (slot.name == "type" || slot.name == "dtype")) instruction_type = last_type;
  }
  if (instruction_type == ScalarType::kNone) instruction_type = last_type;

  const auto resolve = [&](const OperandType& type) {
    switch (type.from) {
      case OperandType::From::kInstruction: return instruction_type;
      case OperandType::From::kFixed: return type.fixed;
      case OperandType::From::kClass: {
        const int index = assignment[type.slot];
        return index == kUnassigned ? ScalarType::kNone : *ScalarTypeFromSpelling(modifiers[static_cast<size_t>(index)]);
      }
      case OperandType::From::kWide: return Widened(instruction_type);
      case OperandType::From::kAny: return ScalarType::kNone;
    }
    RACER_UNREACHABLE(static_cast<int>(type.from));
  };

  size_t optional_left = line.open_operands ? 0 : operand_count - CountsOf(line, assignment).least;
  form.open_operands = line.open_operands;
  const auto make = [&](const OperandSlot& slot) {
    OperandForm operand;
    operand.role = slot.role;
    operand.name = slot.name;
    operand.type = resolve(slot.type);
    operand.negatable = slot.negatable;
    operand.pair_allowed = slot.pair_allowed;
    if (slot.pair_allowed) operand.second_type = resolve(slot.second_type);
    operand.sink = slot.sink;
    operand.optional = slot.optional;
    operand.or_longer = slot.or_longer;
    operand.immediate = slot.immediate;
    operand.immediates = slot.immediates;
    operand.braces = slot.vector != 0 || slot.n_divisor != 0;
    // Where nobody runs it, either spelling of a vector of one is taken.
    operand.bare_allowed = slot.bare_allowed || slot.or_longer || (slot.vector == 1 && form.spec->effect == Effect::kUnmodelled);
    if (slot.vector != 0) operand.vector = slot.vector;
    if (slot.n_divisor != 0) operand.vector = static_cast<uint8_t>(NOfShape(modifiers) / slot.n_divisor);
    // Only data operands of a `.vec` instruction are vectors: d of a load, b of a store.
    if (form.mods.vector > 1 && (slot.name == "d" || slot.name == "b")) operand.vector = form.mods.vector;
    return operand;
  };
  for (const OperandSlot& slot : line.operands) {
    if (slot.condition >= 0) {
      if (!IsThere(slot, assignment)) continue;
    } else if (slot.optional) {
      if (optional_left == 0) continue;
      --optional_left;
    }
    OperandForm operand = make(slot);
    for (const OperandSlot& inner : slot.inner) operand.inner.push_back(make(inner));
    form.operands.push_back(std::move(operand));
  }
  while (form.operands.size() < operand_count) form.operands.emplace_back();  // `...`
  return form;
}

std::string Dotted(std::span<const std::string> modifiers) {
  std::string text;
  for (const std::string& m : modifiers) text += "." + m;
  return text;
}

template <class F>
void ForEachLine(std::span<const Opcode> opcodes, const F& visit) {
  for (const Opcode opcode : opcodes) {
    for (const GrammarLine& line : isa::LinesOf(opcode)) visit(opcode, line);
  }
}

// Why nothing matched, most specific reason first.
std::string Explain(std::string_view mnemonic, std::span<const Opcode> opcodes, std::span<const std::string> modifiers,
                    size_t operand_count) {
  for (const std::string& modifier : modifiers) {
    std::vector<std::string_view> known;
    bool accepted = false;
    ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) {
      for (const ModifierSlot& slot : line.modifiers) {
        accepted |= slot.Accepts(modifier);
        for (const std::string_view option : slot.options) {
          if (std::find(known.begin(), known.end(), option) == known.end()) known.push_back(option);
        }
      }
    });
    if (accepted) continue;
    std::string text = "`." + modifier + "` is no modifier of `" + std::string(mnemonic) + "`";
    if (!known.empty()) text += "; it takes";
    constexpr size_t kShown = 24;
    for (size_t i = 0; i < known.size() && i < kShown; ++i) text += " ." + std::string(known[i]);
    if (known.size() > kShown) text += " ...";
    return text;
  }
  const std::string name = std::string(mnemonic) + Dotted(modifiers);
  std::string counts;
  std::string forms;
  int shown = 0;
  ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) {
    Assignment assignment(line.modifiers.size(), kUnassigned);
    if (counts.empty() && modifiers.size() <= kMaxModifiers && AssignInOrder(line, modifiers, 0, 0, assignment)) {
      const auto [low, high] = CountsOf(line, assignment);
      counts = std::to_string(low) + (high > low ? " to " + std::to_string(high) : "");
    }
    if (++shown <= 6) forms += (forms.empty() ? "" : " | ") + std::string(line.text.substr(0, line.text.find(';')));
  });
  if (!counts.empty()) return "`" + name + "` takes " + counts + " operands, found " + std::to_string(operand_count);
  if (shown > 6) forms += " | ...";
  return "these modifiers do not go together: `" + name + "`; the forms are: " + forms;
}

}  // namespace

namespace {

// The first form that fits the modifiers in the lines' order, else the one meaning of another order; see match.h.
MatchOutcome MatchForm(std::string_view mnemonic, std::span<const Opcode> opcodes, std::span<const std::string> modifiers,
                       size_t operand_count, std::string_view shapes) {
  MatchOutcome outcome;
  for (const Opcode opcode : opcodes) {
    for (const GrammarLine& line : isa::LinesOf(opcode)) {
      if (!CountFits(line, operand_count)) continue;
      Assignment assignment(line.modifiers.size(), kUnassigned);
      if (!(line.open_modifiers ? AssignOpen(line, modifiers, assignment) : AssignInOrder(line, modifiers, 0, 0, assignment))) continue;
      if (!CountFits(line, assignment, operand_count)) continue;
      InstructionForm form = MakeForm(opcode, line, modifiers, assignment, operand_count);
      if (!ShapesFit(form, shapes)) continue;
      outcome.form = std::move(form);
      return outcome;
    }
  }
  // Another order is accepted if it has one meaning.
  bool ambiguous = false;
  ForEachLine(opcodes, [&](Opcode opcode, const GrammarLine& line) {
    if (line.open_modifiers || !CountFits(line, operand_count)) return;
    Assignment assignment(line.modifiers.size(), kUnassigned);
    AssignAnyOrder(line, modifiers, 0, assignment, [&](const Assignment& found) {
      if (!CountFits(line, found, operand_count)) return;
      InstructionForm form = MakeForm(opcode, line, modifiers, found, operand_count);
      if (!ShapesFit(form, shapes)) return;
      if (!outcome.form) {
        outcome.form = std::move(form);
      } else if (outcome.form->opcode != form.opcode || !(outcome.form->mods == form.mods)) {
        ambiguous = true;
      }
    });
  });
  if (ambiguous) {
    outcome.form.reset();
    outcome.reason = "the modifiers of `" + std::string(mnemonic) + Dotted(modifiers) + "` can be read in more than one way";
  }
  return outcome;
}

}  // namespace

MatchOutcome MatchInstruction(std::string_view mnemonic, std::span<const std::string> modifiers, size_t operand_count,
                              std::string_view shapes) {
  MatchOutcome outcome;
  const std::span<const Opcode> opcodes = isa::OpcodesOf(mnemonic);
  if (opcodes.empty()) {
    outcome.reason = "unknown instruction `" + std::string(mnemonic) + "`";
    return outcome;
  }
  if (modifiers.size() <= kMaxModifiers) outcome = MatchForm(mnemonic, opcodes, modifiers, operand_count, shapes);
  if (!outcome.form && outcome.reason.empty() && !shapes.empty() && modifiers.size() <= kMaxModifiers)
    outcome = MatchForm(mnemonic, opcodes, modifiers, operand_count, {});
  outcome.known_mnemonic = true;
  if (!outcome.form && outcome.reason.empty()) outcome.reason = Explain(mnemonic, opcodes, modifiers, operand_count);
  return outcome;
}

std::optional<InstructionForm> MatchLine(Opcode opcode, size_t index, std::span<const std::string> modifiers, size_t operand_count) {
  const GrammarLine& line = isa::LinesOf(opcode)[index];
  Assignment assignment(line.modifiers.size(), kUnassigned);
  if (!AssignInOrder(line, modifiers, 0, 0, assignment) || !CountFits(line, assignment, operand_count)) return std::nullopt;
  return MakeForm(opcode, line, modifiers, assignment, operand_count);
}

}  // namespace racer
