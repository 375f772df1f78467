// Every written form of the table parses, type-checks and prints back to itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source_file.h"
#include "ptx_frontend/ir/compare.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/isa/forms.h"
#include "ptx_frontend/isa/spec.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

std::string Rendered(const ParseOutcome& outcome) {
  std::string text;
  for (const Diagnostic& diagnostic : outcome.diagnostics) text += diagnostic.Render();
  return text;
}

// One block a sample, so that the registers of one are not those of another.
std::string Block(const Sample& sample) {
  std::string text = "{\n";
  for (const std::string& declaration : sample.declarations) text += declaration + "\n";
  return text + sample.text + "\n}\n";
}

// The first target that has it.
std::string HeadFor(const InstructionForm& form) {
  const bool retired = form.opcode == Opcode::kShfl || form.opcode == Opcode::kVote;  // on sm_70 and later
  for (const char* target : {"sm_100a", "sm_120a", "sm_90a"}) {
    if (!retired && std::all_of(form.needs.begin(), form.needs.end(), [&](const InstructionForm::Need& need) {
          return need.requirement.MeetsTarget(*TargetFromSpelling(target));
        }))
      return std::string(".version 9.0\n.target ") + target;
  }
  return ".version 6.0\n.target sm_60";
}

TEST(FormsRoundTripTest, EveryFormParsesAndPrintsBack) {
  int forms = 0;
  for (const Opcode opcode : {
#define RACER_INSTRUCTION(name) Opcode::k##name,
#include "ptx_frontend/isa/instructions.def"
       }) {
    const std::vector<WrittenForm> all = FormsOf(opcode);
    // The many forms of what no machine runs differ in little.
    const size_t step = SpecOf(opcode).effect == Effect::kUnmodelled ? std::max<size_t>(all.size() / 60, 1) : 1;
    std::map<std::string, std::vector<size_t>> by_head;
    for (size_t i = 0; i < all.size(); i += step) by_head[HeadFor(all[i].form)].push_back(i);
    for (const auto& [head, indices] : by_head) {
      std::vector<std::string> texts;
      std::string module = head + "\n.address_size 64\n.entry k()\n{\ntargets: .branchtargets target;\n";
      for (const size_t i : indices) {
        const WrittenForm& written = all[i];
        ++forms;
        const Sample plain = SampleOf(written);
        const Sample full = SampleOf(written, {.second = true, .negated = true, .immediate = 0x96});
        texts.push_back(plain.text);
        module += Block(plain);
        if (full.text != plain.text) {
          texts.push_back(full.text);
          module += Block(full);
        }
      }
      module += "target:\nret;\n}\n";
      const ParseOutcome first = ParsePtx(std::make_shared<const SourceFile>("forms.ptx", module));
      ASSERT_NE(first.module, nullptr) << Rendered(first);
      EXPECT_EQ(Rendered(first), "");
      const std::string printed = ir::Print(*first.module);
      size_t at = 0;
      for (const std::string& text : texts) {
        const size_t found = printed.find(text, at);
        ASSERT_NE(found, printed.npos) << text << " is not printed as it was written";
        at = found + text.size();
      }
      const ParseOutcome second = ParsePtx(std::make_shared<const SourceFile>("printed.ptx", printed));
      ASSERT_NE(second.module, nullptr) << Rendered(second);
      EXPECT_EQ(ir::FirstDifference(*first.module, *second.module), "");
    }
  }
  RecordProperty("forms", forms);
  EXPECT_GT(forms, 4000);
}

// The type check of this test is no sham: a register of another width is refused in some operand of every form with two typed ones.
TEST(FormsRoundTripTest, WrongWidthsAreRefused) {
  const auto diagnostics = [](const std::string& text) {
    return Rendered(ParsePtx(std::make_shared<const SourceFile>(
        "t.ptx", ".version 8.8\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r; .reg .b64 %d;\n" + text + "\n}\n")));
  };
  EXPECT_EQ(diagnostics("add.f32 %r, %r, %r;"), "");
  EXPECT_NE(diagnostics("add.f32 %r, %r, %d;"), "");
}

}  // namespace
}  // namespace racer
