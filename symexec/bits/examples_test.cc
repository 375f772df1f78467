// Runs the examples of the instruction table in the Bits domain. It names no instruction.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "ptx_frontend/isa/all.h"
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

// The form that an example's modifiers spell. Records with optional operands (max of two or three) are told apart by `sources`.
MatchOutcome FormOf(const Spec& spec, std::string_view mods, size_t sources) {
  MatchOutcome outcome;
  const std::vector<std::string> modifiers = Modifiers(mods);
  for (size_t count = sources + 1; count <= 6; ++count) {
    outcome = MatchInstruction(spec.mnemonic, modifiers, count);
    if (outcome.form) break;
  }
  return outcome;
}

template <class R>
void RunExamples() {
  if constexpr (R::kSpec.effect == Effect::kValue) {
    const Spec& spec = R::kSpec;
    EXPECT_FALSE(spec.examples.empty()) << spec.mnemonic << " has no example";
    for (const Example& example : spec.examples) {
      size_t written = 4;  // trailing zeros may be operands that the example leaves out
      while (written > 1 && example.in[written - 1] == 0) --written;
      MatchOutcome outcome;
      for (size_t sources = 1; sources <= 4 && !outcome.form; ++sources) {
        outcome = MatchInstruction(spec.mnemonic, Modifiers(example.mods), sources + 1);
        if (outcome.form && outcome.form->operands.size() - 1 < written) outcome.form.reset();
      }
      if (!outcome.form) outcome = FormOf(spec, example.mods, 1);
      ASSERT_TRUE(outcome.form) << spec.mnemonic << example.mods << ": " << outcome.reason;
      const InstructionForm& form = *outcome.form;
      ASSERT_EQ(form.spec, &spec) << spec.mnemonic << example.mods << " is an example of another record";
      std::vector<uint64_t> in;
      for (size_t i = 1; i < form.operands.size(); ++i) {
        const uint64_t value = i - 1 < 4 ? example.in[i - 1] : 0;
        const unsigned width = BitWidth(form.operands[i].type);
        ASSERT_EQ(value & ~BitsDomain::Mask(width), 0u) << spec.mnemonic << example.mods << ": operand " << i << " is too wide";
        in.push_back(value);
      }
      BitsDomain domain;
      uint64_t out[2] = {};
      isa::Apply<R>(domain, form.mods, std::span<const uint64_t>(in), out);
      EXPECT_EQ(out[0], example.out) << std::hex << spec.mnemonic << example.mods << " 0x" << example.in[0] << " 0x" << example.in[1]
                                     << " 0x" << example.in[2] << " 0x" << example.in[3] << " gives 0x" << out[0] << ", not 0x"
                                     << example.out;
      EXPECT_EQ(out[0] & ~BitsDomain::Mask(BitWidth(form.operands[0].type)), 0u) << spec.mnemonic << example.mods;
    }
  }
}

TEST(ExamplesTest, EveryValueRecordHasExamplesAndAgreesWithThem) {
#define RACER_INSTRUCTION(name) RunExamples<isa::name>();
#include "ptx_frontend/isa/instructions.def"
}

}  // namespace
}  // namespace racer
