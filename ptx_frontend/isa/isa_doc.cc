#include "ptx_frontend/isa/isa_doc.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "base/check.h"
#include "ptx_frontend/isa/forms.h"
#include "ptx_frontend/isa/spec.h"

namespace racer {
namespace {

struct Entry {
  std::string_view name;
  const Spec* spec;
  Opcode opcode;
};

const Entry kEntries[] = {
#define RACER_INSTRUCTION(name) {#name, &SpecOf(Opcode::k##name), Opcode::k##name},
#include "ptx_frontend/isa/instructions.def"
};

// What a GPU vouches for: //symexec/vectors.
struct Hardware {
  Opcode opcode;
  uint64_t forms, vectors;
  double error, share;
};

constexpr Hardware kHardware[] = {
#define RACER_HARDWARE(name, forms, vectors, error, share) {Opcode::k##name, forms, vectors, error, share},
#include "ptx_frontend/isa/hardware.def"
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

// The effects of which some instructions are functions of their operands.
bool HasHardwareColumn(Effect effect) { return effect == Effect::kValue || effect == Effect::kCollective || effect == Effect::kMemory; }

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

std::string Decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// "200 vectors, 8 of 10 forms; worst 1.18 ulp, 0.59 of the bound".
std::string HardwareCell(const Entry& entry) {
  const size_t forms = FormsOf(entry.opcode).size();
  const auto* const found =
      std::find_if(std::begin(kHardware), std::end(kHardware), [&](const Hardware& h) { return h.opcode == entry.opcode; });
  if (found == std::end(kHardware)) return entry.spec->effect == Effect::kValue ? "none of " + std::to_string(forms) + " forms" : "";
  std::string cell = std::to_string(found->vectors) + " vectors, " +
                     (found->forms == forms ? "every form" : std::to_string(found->forms) + " of " + std::to_string(forms) + " forms");
  if (entry.spec->fidelity != Fidelity::kBounded) return cell;
  std::string worst;
  if (found->error > 0) worst = Decimal(found->error) + " ulp";
  if (found->share > 0) worst += (worst.empty() ? "" : ", ") + Decimal(found->share) + " of the bound";
  return worst.empty() ? cell : cell + "; worst " + worst;
}

// The manual's bounds, "f32: 1 ulp".
std::string Bounds(const Spec& spec) {
  std::string text;
  for (const Bound& bound : spec.bounds) {
    text += (text.empty() ? "" : ", ") + std::string(Spelling(bound.type)) + ": ";
    char number[32];
    if (bound.measure == Bound::Measure::kUlp) {
      std::snprintf(number, sizeof number, "%g ulp", bound.error);
    } else {
      std::snprintf(number, sizeof number, "%s 2^%.4g", bound.measure == Bound::Measure::kRelative ? "relative" : "absolute",
                    std::log2(bound.error));
    }
    text += number;
    if (bound.high > 0) {
      std::snprintf(number, sizeof number, " to %.4g", bound.high);
      text += number;
    }
  }
  return text;
}

std::string Row(const Entry& entry) {
  const Spec& spec = *entry.spec;
  const auto from = [&](From who) {
    return std::count_if(spec.examples.begin(), spec.examples.end(), [who](const Example& e) { return e.from == who; });
  };
  std::string row = "| `" + std::string(spec.mnemonic) + "` | " + std::string(entry.name) + " | " + Forms(spec) + " | " +
                    Version(spec.since.ptx) + " | sm_" + std::to_string(spec.since.sm);
  if (spec.effect == Effect::kValue) {
    const std::string bounds = Bounds(spec);
    row += " | " + std::string(FidelityName(spec.fidelity)) + (bounds.empty() ? "" : " (" + bounds + ")") + " | Bits, Term | " +
           std::to_string(from(From::kManual)) + " + " + std::to_string(from(From::kHardware));
  }
  if (HasHardwareColumn(spec.effect)) row += " | " + HardwareCell(entry);
  return row + " |\n";
}

}  // namespace

std::string IsaDoc() {
  std::string page =
      "# The instructions that racer knows\n\n"
      "Generated from the instruction table by `bazel run //ptx_frontend/isa:isa_doc_main`; do not edit. Forms are the grammar lines of\n"
      "`ptx_frontend/isa`, in the notation of `spec.h` without the lists of their classes; modifiers may also be written in another order\n"
      "where that has one meaning. An instruction that no form spells is an input error, unless the\n"
      "module is of a later .version than the table: then it parses, and reaching it is UNDECIDED by its name. `Since` is the\n"
      "earliest PTX version and target of any form. Who vouches for a meaning: examples, typed from the manual + read off a GPU, and\n"
      "hardware, the vectors of `symexec/vectors/testdata`, recorded on one and replayed bit for bit in the Bits domain. Of approximate\n"
      "instructions the error against the exact value is given, beside the bound that the manual promises (on the operand's magnitude\n"
      "where it says so). The examples alone vouch for forms that need a newer target than the recorded GPU's.\n";
  for (const Effect effect : {Effect::kValue, Effect::kMemory, Effect::kCollective, Effect::kControl, Effect::kNone, Effect::kUnmodelled}) {
    page += "\n## " + std::string(EffectName(effect)) + "\n\n";
    const bool value = effect == Effect::kValue;
    const bool hardware = HasHardwareColumn(effect);
    page += std::string("| instruction | record | forms | since PTX | target |") + (value ? " fidelity | domains | examples |" : "") +
            (hardware ? " hardware |\n" : "\n");
    page += std::string("| --- | --- | --- | --- | --- |") + (value ? " --- | --- | --- |" : "") + (hardware ? " --- |\n" : "\n");
    for (const Entry& entry : kEntries) {
      if (entry.spec->effect == effect) page += Row(entry);
    }
  }
  return page;
}

}  // namespace racer
