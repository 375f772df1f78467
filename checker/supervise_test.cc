#include "checker/supervise.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <vector>

namespace racer {
namespace {

using End = SupervisedResult::End;

TEST(SuperviseTest, HandsBackStatusAndText) {
  SupervisedResult result = RunSupervised([] { return WorkResult{2, "text", std::string(300000, 'j')}; }, {});
  ASSERT_EQ(result.end, End::kFinished);
  EXPECT_EQ(result.work.exit_status, 2);
  EXPECT_EQ(result.work.output, "text");
  EXPECT_EQ(result.work.json.size(), 300000U);
}

TEST(SuperviseTest, AHangEndsAtTheDeadline) {
  SupervisedResult result = RunSupervised(
      []() -> WorkResult {
        for (;;) pause();
      },
      {.seconds = 0.05, .memory_bytes = 0});
  EXPECT_EQ(result.end, End::kTimeout);
}

TEST(SuperviseTest, ACrashIsNamed) {
  SupervisedResult result = RunSupervised(
      []() -> WorkResult {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        return {};
      },
      {});
  EXPECT_EQ(result.end, End::kCrash);
  EXPECT_NE(result.detail.find("signal 11"), std::string::npos);
}

#if !defined(__SANITIZE_ADDRESS__)  // address space limits and AddressSanitizer exclude each other
TEST(SuperviseTest, MemoryExhaustionIsNotACrash) {
  SupervisedResult result = RunSupervised(
      []() -> WorkResult {
        std::vector<std::vector<char>> hoard;
        for (;;) hoard.emplace_back(16 << 20, 'x');
      },
      {.seconds = 60, .memory_bytes = uint64_t{64} << 20});
  EXPECT_EQ(result.end, End::kMemory);
}
#endif

TEST(SuperviseTest, AStatusWithoutAResultIsACrash) {
  SupervisedResult result = RunSupervised([]() -> WorkResult { _exit(4); }, {});
  EXPECT_EQ(result.end, End::kCrash);
  EXPECT_EQ(result.detail, "exit status 4");
}

}  // namespace
}  // namespace racer
