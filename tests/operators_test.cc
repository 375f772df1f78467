// The operators: every case of kernels/*/expectations.toml that names an operator, at every shape.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/corpus.h"

namespace racer {
namespace {

const std::vector<CorpusCase>& Operators() {
  static const auto* const kCases = new std::vector<CorpusCase>(LoadOperators("kernels/"));
  return *kCases;
}

class OperatorsTest : public testing::TestWithParam<size_t> {};

TEST_P(OperatorsTest, EveryShape) {
  const CorpusCase& c = Operators()[GetParam()];
  ASSERT_FALSE(c.dims.empty());
  bool decided = true;
  auto run = [&](const std::string& dims, bool at_equivalent_shape) {
    Case at = c.c;
    at.arguments = {"--dims", dims};
    if (!c.open.empty()) at.arguments.insert(at.arguments.end(), {"--timeout", "2"});  // what it may cost to be undecided
    Report report = RunCase(at, Arrangement::kAsWritten);
    EXPECT_TRUE(AsExpectedOrOpen(c, report, at_equivalent_shape))
        << c.folder << "/" << c.name << " at " << dims << ": " << Describe(report) << "; " << report.summary << "; expected "
        << (at_equivalent_shape ? "equivalent here" : c.expected) << " because " << c.why;
    decided = decided && AsExpected(c, report, at_equivalent_shape);
  };
  for (const std::string& dims : c.dims) run(dims, false);
  for (const std::string& dims : c.equivalent_dims) run(dims, true);
  if (decided && !c.open.empty()) std::printf("now decided: %s/%s (was open: %s)\n", c.folder.c_str(), c.name.c_str(), c.open.c_str());
}

std::string TestName(const testing::TestParamInfo<size_t>& info) {
  std::string name;
  const CorpusCase& c = Operators()[info.param];
  for (char ch : c.folder + "_" + c.name) name += std::isalnum(static_cast<unsigned char>(ch)) != 0 ? ch : '_';
  return name + "_" + std::to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(Kernels, OperatorsTest, testing::Range(size_t{0}, Operators().size()), TestName);

// Not a vacuous list: each folder of //kernels has at least two pairs that are right and, for its operators, twins that are not.
TEST(OperatorsShapeTest, EveryFolderHasPairsAndTwins) {
  std::map<std::string, std::pair<int, int>> pairs;  // folder -> correct, broken
  std::set<std::string> expected;
  for (const CorpusCase& c : Operators()) {
    ++(c.expected == "equivalent" ? pairs[c.folder].first : pairs[c.folder].second);
    expected.insert(c.expected);
  }
  EXPECT_FALSE(pairs.empty());
  for (const auto& [folder, count] : pairs) {
    EXPECT_GE(count.first, 2) << folder;
    EXPECT_GE(count.second, 2) << folder;
  }
  for (const std::string& e : expected) EXPECT_TRUE(e == "equivalent" || e == "different" || e == "violation") << e;
}

// What a case may be; seen to fail when AsExpectedOrOpen let any verdict pass for an open case.
TEST(OperatorsShapeTest, AnOpenCaseMayNotBeWrong) {
  Report undecided, equivalent, violation;
  undecided.verdict = Verdict::kUndecided;
  equivalent.verdict = Verdict::kEquivalent;
  equivalent.grade = Grade::kProbabilistic;
  violation.verdict = Verdict::kViolation;
  violation.failed_gate = "race";
  CorpusCase right, broken;
  right.expected = "equivalent";
  broken.expected = "different";
  broken.gates = {"equivalence"};
  for (const Report* report : {&undecided, &equivalent, &violation}) {
    EXPECT_FALSE(AsExpectedOrOpen(right, *report, false));
    EXPECT_FALSE(AsExpectedOrOpen(broken, *report, false));
  }
  right.open = broken.open = "a reason";
  EXPECT_TRUE(AsExpectedOrOpen(right, undecided, false));
  EXPECT_TRUE(AsExpectedOrOpen(broken, undecided, false));
  EXPECT_TRUE(AsExpectedOrOpen(right, equivalent, false));
  EXPECT_FALSE(AsExpectedOrOpen(broken, equivalent, false));
  EXPECT_TRUE(AsExpectedOrOpen(broken, equivalent, true));
  EXPECT_FALSE(AsExpectedOrOpen(right, violation, false));
  EXPECT_FALSE(AsExpectedOrOpen(broken, violation, false));
}

}  // namespace
}  // namespace racer
