#include "ptx_frontend/isa/isa_doc.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "ptx_frontend/isa/spec.h"

namespace racer {
namespace {

struct Entry {
  std::string_view name;
  const Spec* spec;
};

const Entry kEntries[] = {
#define RACER_INSTRUCTION(name) {#name, &SpecOf(Opcode::k##name)},
#include "ptx_frontend/isa/instructions.def"
};

std::string_view EffectName(Effect effect) {
  switch (effect) {
    case Effect::kValue: return "Values";
    case Effect::kMemory: return "Memory";
    case Effect::kCollective: return "Barriers and warp-wide exchanges";
    case Effect::kControl: return "Control flow";
    case Effect::kNone: return "Accepted without effect on values";
    case Effect::kUnmodelled: return "Not modelled: reaching one is UNDECIDED";
  }
  RACER_UNREACHABLE(static_cast<int>(effect));
}

std::string_view FidelityName(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::kExact: return "exact";
    case Fidelity::kBounded: return "bounded error";
    case Fidelity::kUninterpreted: return "none";
  }
  RACER_UNREACHABLE(static_cast<int>(fidelity));
}

std::string Version(unsigned tenfold) { return std::to_string(tenfold / 10) + "." + std::to_string(tenfold % 10); }

// A vertical bar would end a table cell.
std::string Escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string Forms(const Spec& spec) {
  std::string forms;
  for (const std::string_view line : spec.grammar) {
    if (!forms.empty()) forms += "<br>";
    forms += "`" + Escaped(line.substr(0, line.find(';'))) + "`";
  }
  return forms;
}

std::string Row(const Entry& entry) {
  const Spec& spec = *entry.spec;
  const auto from = [&](From who) {
    return std::count_if(spec.examples.begin(), spec.examples.end(), [who](const Example& e) { return e.from == who; });
  };
  std::string row = "| `" + std::string(spec.mnemonic) + "` | " + std::string(entry.name) + " | " + Forms(spec) + " | " +
                    Version(spec.since.ptx) + " | sm_" + std::to_string(spec.since.sm);
  if (spec.effect == Effect::kValue) {
    row += " | " + std::string(FidelityName(spec.fidelity)) + " | Bits, Term | " + std::to_string(from(From::kManual)) + " + " +
           std::to_string(from(From::kHardware));
  }
  return row + " |\n";
}

}  // namespace

std::string IsaDoc() {
  std::string page =
      "# The instructions that racer knows\n\n"
      "Generated from the instruction table by `bazel run //ptx_frontend/isa:isa_doc_main`; do not edit. Forms are the grammar lines of\n"
      "`ptx_frontend/isa`, in the notation of `spec.h` without the lists of their classes; modifiers may also be written in another order\n"
      "where that has one meaning. An instruction that no form spells parses, and reaching it is UNDECIDED by its name. `Since` is the\n"
      "earliest PTX version and target of any form. Examples: lines that vouch for the meaning, from the manual + from a GPU.\n";
  for (const Effect effect : {Effect::kValue, Effect::kMemory, Effect::kCollective, Effect::kControl, Effect::kNone, Effect::kUnmodelled}) {
    page += "\n## " + std::string(EffectName(effect)) + "\n\n";
    const bool value = effect == Effect::kValue;
    page += std::string("| instruction | record | forms | since PTX | target |") + (value ? " fidelity | domains | examples |\n" : "\n");
    page += std::string("| --- | --- | --- | --- | --- |") + (value ? " --- | --- | --- |\n" : "\n");
    for (const Entry& entry : kEntries) {
      if (entry.spec->effect == effect) page += Row(entry);
    }
  }
  return page;
}

}  // namespace racer
