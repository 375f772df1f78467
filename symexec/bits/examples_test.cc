// Runs the examples of the instruction table in the Bits domain. It names no instruction.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx_frontend/isa/all.h"
#include "ptx_frontend/isa/grammar.h"
#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/isa/spec.h"
#include "symexec/bits/bits_domain.h"

namespace racer {
namespace {

std::vector<std::string> Modifiers(std::string_view text) {
  std::vector<std::string> parts;
  for (const char c : text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// The form that an example's modifiers spell, with at least as many sources as the example has: trailing zeros may be operands
// that it leaves out. Records with optional operands (max of two or three) are told apart by that.
MatchOutcome FormOf(const Spec& spec, const Example& example) {
  size_t written = example.in.size();
  while (written > 1 && example.in[written - 1] == 0) --written;
  const size_t hidden = spec.reads_carry ? 1 : 0;
  MatchOutcome first;
  for (size_t sources = 1; sources <= example.in.size(); ++sources) {
    MatchOutcome outcome = MatchInstruction(spec.mnemonic, Modifiers(example.mods), sources + 1);
    if (outcome.form && sources + hidden >= written) return outcome;
    if (outcome.form || sources == 1) first = std::move(outcome);
  }
  return first;
}

template <class R>
void RunExamples() {
  if constexpr (R::kSpec.effect == Effect::kValue) {
    const Spec& spec = R::kSpec;
    EXPECT_FALSE(spec.examples.empty()) << spec.mnemonic << " has no example";
    for (const Example& example : spec.examples) {
      const MatchOutcome outcome = FormOf(spec, example);
      ASSERT_TRUE(outcome.form) << spec.mnemonic << example.mods << ": " << outcome.reason;
      const InstructionForm& form = *outcome.form;
      ASSERT_EQ(form.spec, &spec) << spec.mnemonic << example.mods << " is an example of another record";
      std::vector<uint64_t> in;
      for (size_t i = 1; i < form.operands.size(); ++i) {
        const uint64_t value = example.in[i - 1];
        const unsigned width = BitWidth(form.operands[i].type);
        ASSERT_EQ(value & ~BitsDomain::Mask(width), 0u) << spec.mnemonic << example.mods << ": operand " << i << " is too wide";
        in.push_back(value);
      }
      if (spec.reads_carry) in.push_back(example.in[in.size()]);
      BitsDomain domain;
      uint64_t out[2] = {};
      isa::Apply<R>(domain, form.mods, std::span<const uint64_t>(in), out);
      EXPECT_EQ(out[0], example.out) << std::hex << spec.mnemonic << example.mods << " 0x" << example.in[0] << " 0x" << example.in[1]
                                     << " 0x" << example.in[2] << " 0x" << example.in[3] << " gives 0x" << out[0] << ", not 0x"
                                     << example.out;
      if (example.second) {
        EXPECT_EQ(out[1], *example.second) << spec.mnemonic << example.mods << ": second result";
      }
      EXPECT_EQ(out[0] & ~BitsDomain::Mask(BitWidth(form.operands[0].type)), 0u) << spec.mnemonic << example.mods;
    }
  }
}

// What may be written in a slot and has a meaning: every literal, and the options of classes that have one.
using Modifier = std::pair<isa::ModifierKind, std::string_view>;

// Which of the example's modifiers stands in the slot. Types keep the order of their slots; nothing else is spelled alike twice.
std::optional<Modifier> Filling(const isa::ModifierSlot& slot, std::span<const std::string> modifiers) {
  std::vector<std::string_view> accepted;
  for (const std::string_view option : slot.options) {
    for (const std::string& modifier : modifiers) {
      if (modifier == option) accepted.push_back(option);
    }
  }
  if (slot.kind == isa::ModifierKind::kType || slot.kind == isa::ModifierKind::kType2) {
    accepted.clear();
    for (const std::string& modifier : modifiers) {
      for (const std::string_view option : slot.options) {
        if (modifier == option) accepted.push_back(option);
      }
    }
    const size_t types = static_cast<size_t>(
        std::count_if(modifiers.begin(), modifiers.end(), [](const std::string& m) { return ScalarTypeFromSpelling(m).has_value(); }));
    if (slot.kind == isa::ModifierKind::kType2 && accepted.size() > 1 && types > 1) return Modifier{slot.kind, accepted[1]};
  }
  if (accepted.empty()) return std::nullopt;
  return Modifier{slot.kind, accepted[0]};
}

void ExpectEveryModifierShown(Opcode opcode) {
  const Spec& spec = SpecOf(opcode);
  if (spec.effect != Effect::kValue) return;
  std::set<Modifier> shown;
  for (const Example& example : spec.examples) {
    const MatchOutcome outcome = FormOf(spec, example);
    ASSERT_TRUE(outcome.form) << spec.mnemonic << example.mods;
    const std::vector<std::string> modifiers = Modifiers(example.mods);
    for (const isa::GrammarLine& line : isa::LinesOf(opcode)) {
      if (line.text != outcome.form->grammar) continue;
      for (const isa::ModifierSlot& slot : line.modifiers) {
        if (const std::optional<Modifier> filling = Filling(slot, modifiers)) shown.insert(*filling);
      }
    }
  }
  for (const isa::GrammarLine& line : isa::LinesOf(opcode)) {
    for (const isa::ModifierSlot& slot : line.modifiers) {
      if (slot.is_class && slot.kind == isa::ModifierKind::kOther) continue;
      for (const std::string_view option : slot.options) {
        EXPECT_TRUE(shown.contains({slot.kind, option})) << line.text << ": no example with ." << option << " for ." << slot.name;
      }
    }
  }
}

TEST(ExamplesTest, EveryValueRecordHasExamplesAndAgreesWithThem) {
#define RACER_INSTRUCTION(name) RunExamples<isa::name>();
#include "ptx_frontend/isa/instructions.def"
}

// Broken once by taking sub.rp.f32 out of its record's examples: named here.
TEST(ExamplesTest, EveryModifierHasAnExample) {
  for (const Opcode opcode : {
#define RACER_INSTRUCTION(name) Opcode::k##name,
#include "ptx_frontend/isa/instructions.def"
       }) {
    ExpectEveryModifierShown(opcode);
  }
}

// Records whose machine calls Combine: what a location held, the operands, and what it holds then.
template <class R>
void RunCombineExamples() {
  if constexpr (requires(BitsDomain& d, const Mods& m, uint64_t v) { R::Combine(d, m, v, v, v); }) {
    const Spec& spec = R::kSpec;
    EXPECT_FALSE(spec.examples.empty()) << spec.mnemonic << " has no example";
    for (const Example& example : spec.examples) {
      MatchOutcome outcome;
      for (size_t count = 2; count <= 4 && !outcome.form; ++count)
        outcome = MatchInstruction(spec.mnemonic, Modifiers(example.mods), count);
      ASSERT_TRUE(outcome.form) << spec.mnemonic << example.mods << ": " << outcome.reason;
      ASSERT_EQ(outcome.form->spec, &spec) << spec.mnemonic << example.mods;
      BitsDomain domain;
      EXPECT_EQ(R::Combine(domain, outcome.form->mods, example.in[0], example.in[1], example.in[2]), example.out)
          << spec.mnemonic << example.mods;
    }
  }
}

TEST(ExamplesTest, EveryAtomicRecordAgreesWithItsExamples) {
#define RACER_INSTRUCTION(name) RunCombineExamples<isa::name>();
#include "ptx_frontend/isa/instructions.def"
}

}  // namespace
}  // namespace racer
