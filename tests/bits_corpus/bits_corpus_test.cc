// Every kernel of the Bits corpora parses, survives the printer, runs, and computes what the host computes.
#include "tests/bits_corpus/bits_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace racer::corpus {
namespace {

// What runs, and rightly, only without the race check.
constexpr struct {
  const char* entry;
  int sm;  // 0: all
  const char* reason;
} kUnordered[] = {
    // Legal, but the order between blocks comes from fences beside relaxed accesses.
    {"last_block_sums", 0, "is not modelled"},
    {"tr_lock", 0, "is not modelled"},
    // Legal: warps wait for bits that others set with a release, and read them with an acquire.
    {"tile_of_two_warps", 0, "volatile or relaxed accesses that nothing orders"},
    // The header reads with a plain load what other threads change atomically.
    {"atomic_bf162", 80, "data race"},
};

template <class List>
bool IsListed(const List& list, const KernelOutcome& kernel, int sm, const std::string& message) {
  return std::any_of(std::begin(list), std::end(list), [&](const auto& listed) {
    return kernel.entry == listed.entry && (listed.sm == 0 || listed.sm == sm) && message.find(listed.reason) != std::string::npos;
  });
}

class BitsCorpusTest : public testing::TestWithParam<std::string> {};

TEST_P(BitsCorpusTest, EqualToTheHost) {
  const FileOutcome outcome = RunCorpusFile(GetParam());
  ASSERT_TRUE(outcome.parsed) << outcome.message;
  EXPECT_TRUE(outcome.round_tripped) << outcome.message;
  EXPECT_FALSE(outcome.kernels.empty());
  for (const KernelOutcome& kernel : outcome.kernels) {
    EXPECT_TRUE(kernel.unordered.empty() || IsListed(kUnordered, kernel, outcome.sm, kernel.unordered)) << kernel.unordered;
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
