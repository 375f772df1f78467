#include "ptx_frontend/isa/forms.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "ptx_frontend/isa/grammar.h"

namespace racer {
namespace {

using isa::GrammarLine;
using isa::ModifierKind;
using isa::ModifierSlot;

// What may be written in each slot of a line; an empty text leaves the slot out.
using Choices = std::vector<std::vector<std::string>>;

// Calls visit(modifiers) for every choice. Slots of one group are written together or not at all.
template <class F>
void ForEachChoice(const GrammarLine& line, const Choices& choices, size_t slot, std::vector<std::string>& chosen, const F& visit) {
  if (slot == line.modifiers.size()) {
    std::vector<std::string> modifiers;
    for (const std::string& text : chosen) {
      if (!text.empty()) modifiers.push_back(text);
    }
    visit(modifiers);
    return;
  }
  const ModifierSlot& s = line.modifiers[slot];
  const bool follows = s.group != 0 && slot > 0 && line.modifiers[slot - 1].group == s.group;
  for (const std::string& text : choices[slot]) {
    if (follows && text.empty() != chosen[slot - 1].empty()) continue;
    chosen.push_back(text);
    ForEachChoice(line, choices, slot + 1, chosen, visit);
    chosen.pop_back();
  }
}

bool HasMeaning(const ModifierSlot& slot) { return slot.kind != ModifierKind::kOther || slot.group != 0; }

Choices MeaningfulChoices(const GrammarLine& line) {
  Choices choices;
  for (const ModifierSlot& slot : line.modifiers) {
    std::vector<std::string>& options = choices.emplace_back();
    if (slot.optional) options.emplace_back();
    if (!slot.optional || HasMeaning(slot)) options.insert(options.end(), slot.options.begin(), slot.options.end());
  }
  return choices;
}

// Every optional modifier without a meaning, once, beside the first choice of all other slots.
std::vector<Choices> ChoicesWithOthers(const GrammarLine& line) {
  std::vector<Choices> all = {MeaningfulChoices(line)};
  for (size_t i = 0; i < line.modifiers.size(); ++i) {
    const ModifierSlot& slot = line.modifiers[i];
    if (!slot.optional || HasMeaning(slot)) continue;
    Choices first = all[0];
    for (std::vector<std::string>& options : first) options.resize(1);
    first[i].assign(slot.options.begin(), slot.options.end());
    all.push_back(std::move(first));
  }
  return all;
}

}  // namespace

std::string WrittenForm::Name() const {
  std::string name(form.spec->mnemonic);
  for (const std::string& modifier : modifiers) name += "." + modifier;
  return several_counts ? name + "/" + std::to_string(form.operands.size()) : name;
}

std::vector<WrittenForm> FormsOf(Opcode opcode) {
  std::vector<WrittenForm> forms;
  std::map<std::vector<std::string>, std::set<size_t>> counts;  // of operands, with these modifiers
  // Lines of what no machine runs may differ in the look of their operands alone.
  const bool every_line = SpecOf(opcode).effect == Effect::kUnmodelled;
  std::set<std::string> samples;
  size_t index = 0;
  for (const GrammarLine& line : isa::LinesOf(opcode)) {
    const size_t line_index = index++;
    if (line.open_modifiers || line.open_operands) continue;
    for (const Choices& choices : ChoicesWithOthers(line)) {
      std::vector<std::string> chosen;
      ForEachChoice(line, choices, 0, chosen, [&](const std::vector<std::string>& modifiers) {
        for (size_t count = line.min_operands(); count <= line.operands.size(); ++count) {
          if (every_line) {
            std::optional<InstructionForm> form = MatchLine(opcode, line_index, modifiers, count);
            if (!form) continue;
            counts[modifiers].insert(count);
            WrittenForm written = {modifiers, std::move(*form)};
            if (samples.insert(SampleOf(written).text).second) forms.push_back(std::move(written));
            continue;
          }
          MatchOutcome outcome = MatchInstruction(SpecOf(opcode).mnemonic, modifiers, count);
          if (!outcome.form || outcome.form->opcode != opcode) continue;
          if (counts[modifiers].insert(count).second) forms.push_back({modifiers, std::move(*outcome.form)});
        }
      });
    }
  }
  for (WrittenForm& written : forms) written.several_counts = counts[written.modifiers].size() > 1;
  return forms;
}

ScalarType RegisterType(ScalarType type) {
  // Of the 8-bit types .b8 alone wants a register of its own width; .u8 and .s8 are read from wider ones.
  if (type == ScalarType::kPred || type == ScalarType::kB8) return type;
  switch (BitWidth(type)) {
    case 128: return ScalarType::kB128;
    case 64: return ScalarType::kB64;
    case 32: return ScalarType::kB32;
    default: return BitWidth(type) == 0 ? ScalarType::kB64 : ScalarType::kB16;  // of unknown type: an address
  }
}

bool IsImmediateOnly(const OperandForm& operand) { return operand.literal.wanted; }

Sample SampleOf(const WrittenForm& written, const SampleOptions& options) {
  Sample sample;
  // Beside .bf16, ptxas wants the 8 bits of an integer in a register of that width.
  const std::vector<OperandForm>& operands = written.form.operands;
  const bool tight = std::any_of(operands.begin(), operands.end(), [](const OperandForm& o) { return o.type == ScalarType::kBF16; });
  const auto declare = [&](std::string_view name, ScalarType type) {
    // Nor may what no machine runs take wider ones.
    const bool narrow = BitWidth(type) == 8 && (tight || written.form.spec->effect == Effect::kUnmodelled);
    sample.declarations.push_back(".reg ." + std::string(Spelling(narrow ? ScalarType::kB8 : RegisterType(type))) + " %" +
                                  std::string(name) + ";");
    return "%" + std::string(name);
  };
  sample.text = written.form.spec->mnemonic;
  for (const std::string& modifier : written.modifiers) sample.text += "." + modifier;
  const std::function<void(const OperandForm&)> write = [&](const OperandForm& operand) {
    const std::string name(operand.name);
    if (operand.role == OperandForm::Role::kLabel) {
      sample.text += name;
    } else if (operand.role == OperandForm::Role::kAddress) {
      sample.text += "[" + declare(name, operand.type == ScalarType::kNone ? ScalarType::kB64 : operand.type);
      for (const OperandForm& inner : operand.inner) {
        if (inner.optional) continue;
        sample.text += ", ";
        write(inner);
      }
      sample.text += "]";
    } else if (operand.sink) {
      sample.text += "_";
    } else if (IsImmediateOnly(operand)) {
      sample.text += std::to_string(operand.literal.Sample(static_cast<int64_t>(options.immediate)));
    } else if (operand.vector > 1 || operand.braces) {
      for (int i = 0; i < operand.vector; ++i) sample.text += (i == 0 ? "{" : ", ") + declare(name + std::to_string(i), operand.type);
      sample.text += "}";
    } else {
      const bool negated = operand.negatable && options.negated;
      // What may be negated is a predicate, also where other types may stand there.
      sample.text += (negated ? "!" : "") + declare(name, negated ? ScalarType::kPred : operand.type);
    }
    // The second half's name is not kept: a name that no operand has.
    if (operand.pair_required || (operand.pair_allowed && options.second)) sample.text += "|" + declare("second", operand.second_type);
  };
  const char* separator = " ";
  for (const OperandForm& operand : written.form.operands) {
    sample.text += separator;
    separator = ", ";
    write(operand);
  }
  sample.text += ";";
  return sample;
}

}  // namespace racer
