// Pairs of random programs under `racer check`: the same function written in another way is never DIFFERENT, and what leaves
// other bytes in Bits is never EQUIVALENT.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "checker/report.h"
#include "tests/case.h"
#include "tests/random_programs/execute.h"
#include "tests/random_programs/forms.h"
#include "tests/random_programs/generate.h"
#include "tests/random_programs/mutate.h"
#include "tests/random_programs/program.h"

namespace racer::programs {
namespace {

// What the proof can follow: integers of 32 bits.
constexpr char kForms[] =
    "add.type d, a, b; .type = { .u32, .s32 }\n"
    "sub.type d, a, b; .type = { .u32, .s32 }\n"
    "mul.part.type d, a, b; .part = { .lo } .type = { .u32, .s32 }\n"
    "min.type d, a, b; .type = { .u32 }\n"
    "and.type d, a, b; .type = { .b32 }\n"
    "or.type d, a, b; .type = { .b32 }\n"
    "xor.type d, a, b; .type = { .b32 }\n"
    "not.type d, a; .type = { .b32 }\n"
    "selp.type d, a, b, {!}c:pred; .type = { .b32 }\n";

// One warp; the input is an integer tensor that racer takes symbolically.
std::string Contract(const Program& program) {
  std::string text = "id = \"random\"\nversion = 1\n[dims]\nn = " + std::to_string(program.threads() * program.row_bytes / 4) +
                     "\nm = " + std::to_string(kInputBytes / 4) +
                     "\n[tensors]\nout = { dtype = \"u32\", shape = [\"n\"], role = \"inout\", align = 256 }\n"
                     "in = { dtype = \"u32\", shape = [\"m\"], role = \"in\", align = 256 }\n";
  for (const char* side : {"candidate", "reference"}) {
    text += "[" + std::string(side) + "]\nargs = [\"out\", \"in\"]\ngrid = [1]\nblock = [" + std::to_string(program.block[0]) + "]\n";
  }
  return text;
}

Report Check(const Program& candidate, const Program& reference) {
  Case c;
  c.candidate = {"candidate.ptx", Print(candidate), "k"};
  c.reference = {"reference.ptx", Print(reference), "k"};
  c.contract_name = "contract.toml";
  c.contract_text = Contract(candidate);
  c.arguments = {"--timeout", "5"};
  return RunCase(c, Arrangement::kAsWritten);
}

// Most of the others reach an address or branch on symbolic data and are undecided, which is no wrong verdict.
TEST(CheckTest, NoWrongVerdict) {
  const FormTable forms(kForms);
  int decided_same = 0, decided_other = 0, others = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Program program = Generate(200000 + seed, {.statements = 12, .values_only = seed % 4 != 0, .one_warp = true}, forms);
    std::string problem;
    const std::vector<uint8_t> inputs = MakeInputs(program.seed);
    const std::vector<uint8_t> bytes = RunBits(program, Print(program), inputs, &problem);
    ASSERT_FALSE(bytes.empty()) << problem;
    Rng rng(seed);
    if (const std::optional<Program> same = SameMeaning(program, rng)) {
      EXPECT_EQ(RunBits(*same, Print(*same), inputs, &problem), bytes);
      const Report report = Check(*same, program);
      EXPECT_NE(report.verdict, Verdict::kDifferent) << Print(*same);
      EXPECT_NE(report.verdict, Verdict::kViolation) << report.summary;
      EXPECT_NE(report.verdict, Verdict::kInputError) << report.summary;
      decided_same += report.verdict == Verdict::kEquivalent ? 1 : 0;
    }
    if (const std::optional<Program> other = OtherInstruction(program, rng)) {
      if (RunBits(*other, Print(*other), inputs, &problem) == bytes) continue;
      ++others;
      const Report report = Check(*other, program);
      EXPECT_NE(report.verdict, Verdict::kEquivalent) << Print(*other);
      EXPECT_NE(report.verdict, Verdict::kViolation) << report.summary;
      decided_other += report.verdict == Verdict::kDifferent ? 1 : 0;
    }
  }
  std::printf("%d proved the same, %d of %d found different\n", decided_same, decided_other, others);
  EXPECT_GE(decided_same, 25);
  EXPECT_GE(decided_other, 12);
}

}  // namespace
}  // namespace racer::programs
