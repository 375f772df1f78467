#include "tests/random_programs/forms.h"

#include <algorithm>
#include <sstream>

#include "base/check.h"

namespace racer::programs {
namespace {

// Of the programs (Generate).
constexpr unsigned kVersion = 86, kTarget = 90;

// What a program must not rely on although the table has it.
bool LeftOpen(const InstructionForm& form) {
  for (const InstructionForm::Need& need : form.needs) {
    if (need.requirement.version > kVersion || !need.requirement.MeetsTarget({.number = kTarget})) return true;
  }
  const Mods& m = form.mods;
  const std::string_view mnemonic = form.spec->mnemonic;
  // Without a rounding ptxas may fuse a product and a sum.
  if (IsFloat(m.type) && m.rounding == Rounding::kNone && (mnemonic == "add" || mnemonic == "sub" || mnemonic == "mul")) return true;
  // Of .bf16 ptxas wants registers of 8 bits here, and programs have none.
  if (mnemonic == "cvt" &&
      ((m.type == ScalarType::kBF16 && BitWidth(m.type2) == 8) || (m.type2 == ScalarType::kBF16 && BitWidth(m.type) == 8)))
    return true;
  // The manual flushes subnormal .f32 operands here and an H200 does not (symexec/bits/README.md).
  if (mnemonic == "cvt" && m.type == ScalarType::kF16 && m.type2 == ScalarType::kF32 && m.ftz &&
      (m.rounding == Rounding::kRm || m.rounding == Rounding::kRp)) {
    return true;
  }
  return false;
}

}  // namespace

FormTable::FormTable(const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t end = line.find_first_of(".{ ");
    RACER_CHECK(end != std::string::npos);
    const std::string name = line.substr(0, end);
    texts_.push_back(std::make_unique<const std::string>(line));
    const auto found = std::find_if(mnemonics_.begin(), mnemonics_.end(), [&](const Mnemonic& m) { return m.name == name; });
    Mnemonic& mnemonic = found != mnemonics_.end() ? *found : mnemonics_.emplace_back(Mnemonic{name, {}});
    mnemonic.lines.push_back(isa::ParseGrammarLine(name, *texts_.back()));
  }
}

FormTable::Drawn FormTable::Draw(Rng& rng) const {
  while (true) {
    const Mnemonic& mnemonic = rng.Pick(mnemonics_);
    const isa::GrammarLine& line = rng.Pick(mnemonic.lines);
    std::vector<std::string> modifiers;
    uint8_t group = 0;
    bool group_written = false;
    for (const isa::ModifierSlot& slot : line.modifiers) {
      bool written = true;
      if (slot.optional) {
        if (slot.group != 0 && slot.group == group) {
          written = group_written;
        } else {
          written = rng.Chance(slot.name == "rnd" ? 90 : 30);
        }
      }
      group = slot.group;
      group_written = written;
      if (written) modifiers.emplace_back(rng.Pick(slot.options));
    }
    const MatchOutcome outcome = MatchInstruction(mnemonic.name, modifiers, line.operands.size());
    if (!outcome.form) {
      std::string written;
      for (const std::string& modifier : modifiers) written += "." + modifier;
      InternalError(__FILE__, __LINE__, mnemonic.name + written + " of forms.txt is in the table no more: " + outcome.reason);
    }
    if (LeftOpen(*outcome.form)) continue;
    RACER_CHECK(outcome.form->spec->effect == Effect::kValue && outcome.form->spec->fidelity == Fidelity::kExact);
    Drawn drawn{mnemonic.name, *outcome.form};
    for (const std::string& modifier : modifiers) drawn.name += "." + modifier;
    return drawn;
  }
}

std::string EligibleLines() {
  std::string text;
  const auto add = [&](const Spec& spec) {
    if (spec.effect != Effect::kValue || spec.fidelity != Fidelity::kExact) return;
    if (spec.since.sm > kTarget || spec.since.ptx > kVersion) return;
    // Programs have no clusters, and carries stand in chains (Builder::CarryChain).
    if (spec.reads_carry || spec.mnemonic == "mapa" || spec.mnemonic == "getctarank") return;
    for (const std::string_view line : spec.grammar) {
      const isa::GrammarLine parsed = isa::ParseGrammarLine(spec.mnemonic, line);
      // min and max of three are of sm_100.
      const bool of_three = (spec.mnemonic == "min" || spec.mnemonic == "max") && parsed.operands.size() == 4;
      // What .oob makes of a NaN is not modelled.
      const bool carries = line.find(".cc") != std::string_view::npos, oob = line.find(".oob") != std::string_view::npos;
      if (!carries && !oob && !parsed.open_modifiers && !parsed.open_operands && !of_three) text += std::string(line) + "\n";
    }
  };
#define RACER_INSTRUCTION(name) add(SpecOf(Opcode::k##name));
#include "ptx_frontend/isa/instructions.def"
  return text;
}

}  // namespace racer::programs
