// The weighted RMSNorm corpus: every case at every shape, swapped, and each side against itself.
#include "tests/corpus.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace racer {
namespace {

constexpr char kDirectory[] = "kernels/weighted_rmsnorm/";

const std::vector<CorpusCase>& Corpus() {
  static const auto* const kCases = new std::vector<CorpusCase>(LoadCorpus(kDirectory));
  return *kCases;
}

Report RunAt(const CorpusCase& c, const std::string& dims, Arrangement arrangement) {
  Case at = c.c;
  at.arguments = {"--dims", dims};
  return RunCase(at, arrangement);
}

class CorpusTest : public testing::TestWithParam<size_t> {};

TEST_P(CorpusTest, EveryShape) {
  const CorpusCase& c = Corpus()[GetParam()];
  for (const std::string& dims : c.dims) {
    Report report = RunAt(c, dims, Arrangement::kAsWritten);
    EXPECT_TRUE(AsExpected(c, report, false)) << c.name << " at " << dims << ": " << Describe(report) << "; " << report.summary
                                              << "; expected " << c.expected << " because " << c.why;
  }
  for (const std::string& dims : c.equivalent_dims) {
    Report report = RunAt(c, dims, Arrangement::kAsWritten);
    EXPECT_TRUE(AsExpected(c, report, true)) << c.name << " at " << dims << ": " << Describe(report) << "; " << report.summary
                                             << "; the fault does not show here";
  }
}

TEST_P(CorpusTest, SwappedSidesGiveTheSameVerdict) {
  const CorpusCase& c = Corpus()[GetParam()];
  for (const std::string& dims : c.dims) {
    Report report = RunAt(c, dims, Arrangement::kSwapped);
    EXPECT_TRUE(AsExpected(c, report, false)) << c.name << " at " << dims << ", swapped: " << Describe(report) << "; " << report.summary;
  }
}

TEST_P(CorpusTest, EachSideIsEquivalentToItself) {
  const CorpusCase& c = Corpus()[GetParam()];
  const std::string& dims = c.dims.front();
  Report candidate = RunAt(c, dims, Arrangement::kCandidateItself);
  // A kernel that breaks a rule breaks it against itself too.
  if (c.expected == "violation") {
    EXPECT_TRUE(candidate.verdict == Verdict::kViolation || candidate.verdict == Verdict::kEquivalent) << Describe(candidate);
  } else {
    EXPECT_EQ(Describe(candidate), "equivalent") << c.name << " against itself: " << candidate.summary;
  }
  Report reference = RunAt(c, dims, Arrangement::kReferenceItself);
  EXPECT_EQ(Describe(reference), "equivalent") << c.c.reference.name << " against itself: " << reference.summary;
}

std::string TestName(const testing::TestParamInfo<size_t>& info) {
  std::string name;
  for (char ch : Corpus()[info.param].name) name += std::isalnum(static_cast<unsigned char>(ch)) != 0 ? ch : '_';
  return name + "_" + std::to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CorpusTest, testing::Range(size_t{0}, Corpus().size()), TestName);

// The corpus is what the issue of weighted RMSNorm asks for: not a vacuous list.
TEST(CorpusShapeTest, HasKernelsTwinsAndShapes) {
  size_t correct = 0;
  size_t broken = 0;
  std::set<std::string> shapes;
  for (const CorpusCase& c : Corpus()) {
    (c.expected == "equivalent" ? correct : broken) += 1;
    for (const std::string& dims : c.dims) shapes.insert(dims.substr(dims.find("H=")));
  }
  EXPECT_GE(correct, 20U);
  EXPECT_GE(broken, 40U);
  for (const char* h : {"H=127", "H=128", "H=129", "H=384", "H=1009"}) EXPECT_TRUE(shapes.contains(h)) << h;
}

}  // namespace
}  // namespace racer
