// Whole programs through the front end: what ptxas accepts prints back as it was, and what breaks a rule is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "ptx_frontend/ir/compare.h"
#include "ptx_frontend/ir/print.h"
#include "tests/random_programs/execute.h"
#include "tests/random_programs/forms.h"
#include "tests/random_programs/generate.h"
#include "tests/random_programs/mutate.h"
#include "tests/random_programs/program.h"

namespace racer::programs {
namespace {

FormTable Forms() {
  std::ifstream file("tests/random_programs/testdata/forms.txt");
  std::stringstream text;
  text << file.rdbuf();
  return FormTable(text.str());
}

TEST(FrontendTest, ProgramsPrintBackAsTheyWere) {
  const FormTable forms = Forms();
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::string problem;
    const auto first = Parse(Print(Generate(seed, {}, forms)), &problem);
    ASSERT_NE(first, nullptr) << problem;
    const std::string printed = ir::Print(*first);
    const auto second = Parse(printed, &problem);
    ASSERT_NE(second, nullptr) << problem;
    EXPECT_EQ(problem, "");
    EXPECT_EQ(ir::FirstDifference(*first, *second), "");
    EXPECT_EQ(ir::Print(*second), printed);
  }
}

// ptxas 13.0 refuses every one of these, too (progen --mutants).
TEST(FrontendTest, BrokenRulesAreRefused) {
  const FormTable forms = Forms();
  std::set<std::string> rules;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    for (const Broken& broken : BreakRules(Generate(seed, {}, forms), rng)) {
      std::string problem;
      rules.insert(broken.rule);
      EXPECT_EQ(Parse(broken.text, &problem), nullptr) << "seed " << seed << ": " << broken.rule << " is accepted";
      EXPECT_NE(problem, "") << broken.rule;
    }
  }
  EXPECT_GE(rules.size(), 18u);
}

// Statements can be left out, and what is wanted stays.
TEST(FrontendTest, ReducedProgramsAreValid) {
  const FormTable forms = Forms();
  const Program program = Generate(7, {}, forms);
  const auto wanted = [](const Program& p) {
    std::string problem;
    const std::string text = Print(p);
    return text.find("shfl.sync") != std::string::npos && !RunBits(p, text, MakeInputs(p.seed), &problem).empty();
  };
  ASSERT_TRUE(wanted(program));
  Program small = Reduce(program, wanted);
  EXPECT_TRUE(wanted(small));
  EXPECT_LE(Instructions(small).size(), 2u);
}

}  // namespace
}  // namespace racer::programs
