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

// Modifiers in any order, except that those of a family keep theirs. Calls `found` for every complete assignment.
template <class F>
void AssignAnyOrder(const GrammarLine& line, std::span<const std::string> modifiers, size_t modifier, Assignment& out, const F& found) {
  if (modifier == modifiers.size()) {
    if (IsComplete(line, out)) found(out);
    return;
  }
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    const ModifierSlot& slot = line.modifiers[i];
    if (out[i] != kUnassigned || !slot.Accepts(modifiers[modifier]) || (slot.in_front && i != modifier)) continue;
    if (slot.family != isa::ModifierFamily::kNone) {
      bool overtakes = false;
      for (size_t k = i + 1; k < line.modifiers.size(); ++k) overtakes |= line.modifiers[k].family == slot.family && out[k] != kUnassigned;
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

// Modifiers that PTX has only since then, whatever instruction they are written on.
constexpr Rule kEverywhere[] = {
    {".shared::cta", "@7.8"},
    {".shared::cluster", "@7.8/sm_90"},
    {".cluster", "@7.8/sm_90"},
    {".param::entry", "@8.3"},
    {".param::func", "@8.3"},
    {".bf16", "@7.0/sm_80"},
    {".bf16x2", "@7.0/sm_80"},
    {".tf32", "@7.0/sm_80"},
    {".b128", "@8.3/sm_70"},
    {".weak|.relaxed|.acquire|.release|.acq_rel", "@6.0/sm_70"},
    {".mmio", "@8.2/sm_70"},
    {".relu|.NaN", "@7.0/sm_80"},
    {".xorsign", "@7.2/sm_86"},
    {".L1::*", "@7.4/sm_70"},
    {".L2::64B|.L2::128B", "@7.4/sm_75"},
    {".L2::256B|.L2::cache_hint", "@7.4/sm_80"},
};

void AddNeed(const Rule& rule, std::span<const std::string> modifiers, InstructionForm& form) {
  std::string_view text = rule.says;
  if (!text.starts_with("@") || !Applies(rule, modifiers)) return;
  const std::optional<Requirement> requirement = TakeRequirement(text);
  RACER_CHECK(requirement.has_value());
  const bool one_modifier = rule.when.find_first_of(" |*!") == std::string_view::npos;
  AddNeed(*requirement, one_modifier ? "`" + std::string(rule.when) + "`" : "", form);
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
  for (const Rule& rule : kEverywhere) AddNeed(rule, modifiers, form);
  for (const Rule& rule : form.spec->rules) AddNeed(rule, modifiers, form);
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
    operand.pair_required = slot.pair_required;
    operand.literal = slot.literal;
    operand.at_most = slot.at_most;
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
    for (const OperandSlot& inner : slot.inner) {
      operand.inner.push_back(make(inner));
      operand.inner.back().mixed = operand.inner.back().braces && operand.inner.back().type == ScalarType::kB32;
    }
    form.operands.push_back(std::move(operand));
  }
  while (form.operands.size() < operand_count) form.operands.emplace_back();  // `...`
  return form;
}

// The record's rule that these modifiers are against.
const Rule* BrokenRule(Opcode opcode, std::span<const std::string> modifiers) {
  for (const Rule& rule : SpecOf(opcode).rules) {
    if (!rule.says.starts_with("@") && Applies(rule, modifiers)) return &rule;
  }
  return nullptr;
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

bool Knows(std::span<const Opcode> opcodes, std::string_view modifier) {
  bool accepted = false;
  ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) {
    accepted =
        accepted || std::any_of(line.modifiers.begin(), line.modifiers.end(), [&](const ModifierSlot& s) { return s.Accepts(modifier); });
  });
  return accepted;
}

// Whether a line has a slot for each of the two.
bool GoTogether(const GrammarLine& line, std::string_view a, std::string_view b) {
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    if (!line.modifiers[i].Accepts(a)) continue;
    for (size_t k = 0; k < line.modifiers.size(); ++k) {
      if (k != i && line.modifiers[k].Accepts(b)) return true;
    }
  }
  return line.open_modifiers;
}

// Two modifiers that no line has both of: "`.rn` and `.rz`"; or nothing.
std::string Contradiction(std::span<const Opcode> opcodes, std::span<const std::string> modifiers) {
  for (size_t i = 0; i < modifiers.size(); ++i) {
    for (size_t k = i + 1; k < modifiers.size(); ++k) {
      bool together = false;
      ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) { together = together || GoTogether(line, modifiers[i], modifiers[k]); });
      if (!together) return "`." + modifiers[i] + "` and `." + modifiers[k] + "`";
    }
  }
  return "";
}

// What the line with the fewest required slots left empty still wants: "one of .rn .rz"; or nothing.
std::string Missing(std::span<const Opcode> opcodes, std::span<const std::string> modifiers) {
  std::string missing;
  size_t fewest = 3;  // more would say nothing
  ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) {
    GrammarLine loose = line;
    for (ModifierSlot& slot : loose.modifiers) slot.optional = true;
    Assignment assignment(line.modifiers.size(), kUnassigned);
    if (!AssignInOrder(loose, modifiers, 0, 0, assignment)) return;
    std::string wanted;
    size_t count = 0;
    for (size_t i = 0; i < line.modifiers.size(); ++i) {
      if (line.modifiers[i].optional || assignment[i] != kUnassigned) continue;
      ++count;
      wanted += wanted.empty() ? "" : " and ";
      wanted += line.modifiers[i].options.size() > 1 ? "one of" : "";
      for (const std::string_view option : line.modifiers[i].options)
        wanted += (wanted.empty() || wanted.back() == ' ' ? "." : " .") + std::string(option);
    }
    if (count == 0 || count >= fewest) return;
    fewest = count;
    missing = wanted;
  });
  return missing;
}

// Why nothing matched, most specific reason first.
std::string Explain(std::string_view mnemonic, std::span<const Opcode> opcodes, std::span<const std::string> modifiers,
                    size_t operand_count) {
  if (modifiers.size() > kMaxModifiers)
    return "`" + std::string(mnemonic) + "` with " + std::to_string(modifiers.size()) + " modifiers: no form has as many";
  for (const std::string& modifier : modifiers) {
    if (Knows(opcodes, modifier)) continue;
    std::vector<std::string_view> known;
    ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) {
      for (const ModifierSlot& slot : line.modifiers) {
        for (const std::string_view option : slot.options) {
          if (std::find(known.begin(), known.end(), option) == known.end()) known.push_back(option);
        }
      }
    });
    std::string text = "`." + modifier + "` is no modifier of `" + std::string(mnemonic) + "`";
    if (!known.empty()) text += "; it takes";
    constexpr size_t kShown = 24;
    for (size_t i = 0; i < known.size() && i < kShown; ++i) text += " ." + std::string(known[i]);
    if (known.size() > kShown) text += " ...";
    return text;
  }
  const std::string name = std::string(mnemonic) + Dotted(modifiers);
  if (const std::string pair = Contradiction(opcodes, modifiers); !pair.empty()) return pair + " do not go together in `" + name + "`";
  std::string counts;
  std::string with;  // a modifier that comes with an operand, and is not there
  std::string forms;
  int shown = 0;
  ForEachLine(opcodes, [&](Opcode, const GrammarLine& line) {
    Assignment assignment(line.modifiers.size(), kUnassigned);
    if (counts.empty() && AssignInOrder(line, modifiers, 0, 0, assignment)) {
      const auto [low, high] = CountsOf(line, assignment);
      counts = std::to_string(low) + (high > low ? " to " + std::to_string(high) : "");
      for (const OperandSlot& operand : line.operands) {
        if (operand.condition >= 0)
          with = std::string(IsThere(operand, assignment) ? ", one of them " : "; one more, ") + std::string(operand.name) + ", with `." +
                 std::string(line.modifiers[static_cast<size_t>(operand.condition)].name) + "`";
      }
    }
    if (++shown <= 6) forms += (forms.empty() ? "" : " | ") + std::string(line.text.substr(0, line.text.find(';')));
  });
  if (!counts.empty()) return "`" + name + "` takes " + counts + " operands, found " + std::to_string(operand_count) + with;
  if (const std::string missing = Missing(opcodes, modifiers); !missing.empty()) return "`" + name + "` lacks " + missing;
  if (shown > 6) forms += " | ...";
  return "these modifiers do not go together: `" + name + "`; the forms are: " + forms;
}

}  // namespace

namespace {

bool ObeysRules(Opcode opcode, std::string_view mnemonic, std::span<const std::string> modifiers, MatchOutcome& outcome) {
  const Rule* const rule = BrokenRule(opcode, modifiers);
  if (rule == nullptr) return true;
  if (!outcome.against_rule) outcome.reason = "`" + std::string(mnemonic) + Dotted(modifiers) + "`: " + std::string(rule->says);
  outcome.against_rule = true;
  return false;
}

// The first form that fits the modifiers in the lines' order, else the one meaning of another order; see match.h.
MatchOutcome MatchForm(std::string_view mnemonic, std::span<const Opcode> opcodes, std::span<const std::string> modifiers,
                       size_t operand_count, std::string_view shapes) {
  MatchOutcome outcome;
  for (const Opcode opcode : opcodes) {
    for (const GrammarLine& line : isa::LinesOf(opcode)) {
      if (!CountFits(line, operand_count)) continue;
      Assignment assignment(line.modifiers.size(), kUnassigned);
      if (!(line.open_modifiers ? AssignOpen(line, modifiers, assignment) : AssignInOrder(line, modifiers, 0, 0, assignment))) continue;
      if (!CountFits(line, assignment, operand_count) || !ObeysRules(opcode, mnemonic, modifiers, outcome)) continue;
      InstructionForm form = MakeForm(opcode, line, modifiers, assignment, operand_count);
      if (!ShapesFit(form, shapes)) continue;
      outcome = {};
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
      if (!CountFits(line, found, operand_count) || !ObeysRules(opcode, mnemonic, modifiers, outcome)) return;
      InstructionForm form = MakeForm(opcode, line, modifiers, found, operand_count);
      if (!ShapesFit(form, shapes)) return;
      if (!outcome.form) {
        outcome.form = std::move(form);
      } else if (outcome.form->opcode != form.opcode || !(outcome.form->mods == form.mods)) {
        ambiguous = true;
      }
    });
  });
  if (outcome.form) {
    outcome.against_rule = false;
    outcome.reason.clear();
  }
  if (ambiguous) {
    outcome.form.reset();
    outcome.reason = "the modifiers of `" + std::string(mnemonic) + Dotted(modifiers) + "` can be read in more than one way";
  }
  return outcome;
}

}  // namespace

bool Literal::Admits(int64_t value) const {
  if (!values.empty()) return std::find(values.begin(), values.end(), value) != values.end();
  return high == low || (value >= low && value <= high && value % step == 0);
}

int64_t Literal::Sample(int64_t wish) const {
  if (Admits(wish)) return wish;
  return values.empty() ? low : values[0];
}

std::string Literal::Describe() const {
  if (values.empty() && high == low) return "an integer literal";
  if (values.empty()) {
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    return step == 1 ? range : "a multiple of " + std::to_string(step) + " from " + range;
  }
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : " or ") + std::to_string(value);
  return text;
}

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
  if (BrokenRule(opcode, modifiers) != nullptr) return std::nullopt;
  return MakeForm(opcode, line, modifiers, assignment, operand_count);
}

}  // namespace racer
