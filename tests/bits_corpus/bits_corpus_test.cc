// Every kernel of the Bits corpora parses, survives the printer, runs, and computes what the host computes.
#include "tests/bits_corpus/bits_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace racer::corpus {
namespace {

// What the machine does not run: each of these must be refused for this reason.
constexpr struct {
  const char* entry;
  const char* reason;
} kRefused[] = {
    {"recursion", "recursive calls are not modelled"},
    {"tile_of_two_warps", "special register `%reserved_smem_offset_1` is not modelled"},
};

bool Refused(const KernelOutcome& kernel) {
  for (const auto& refused : kRefused) {
    if (kernel.entry == refused.entry) return kernel.message.find(refused.reason) != std::string::npos;
  }
  return kernel.message.find("is not modelled at line") != std::string::npos;
}

class BitsCorpusTest : public testing::TestWithParam<std::string> {};

TEST_P(BitsCorpusTest, EqualToTheHost) {
  const FileOutcome outcome = RunCorpusFile(GetParam());
  ASSERT_TRUE(outcome.parsed) << outcome.message;
  EXPECT_TRUE(outcome.round_tripped) << outcome.message;
  EXPECT_FALSE(outcome.kernels.empty());
  for (const KernelOutcome& kernel : outcome.kernels) {
    if (!kernel.executed && Refused(kernel)) continue;
    EXPECT_TRUE(kernel.has_run && kernel.executed && kernel.equal) << kernel.entry << ": " << kernel.message;
  }
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(info.param.rfind('/') + 1);
  name = name.substr(0, name.rfind('.'));
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cuda, BitsCorpusTest, testing::ValuesIn(CorpusFiles("kernels/cuda_headers")), TestName);
INSTANTIATE_TEST_SUITE_P(Triton, BitsCorpusTest, testing::ValuesIn(CorpusFiles("kernels/triton")), TestName);

}  // namespace
}  // namespace racer::corpus
