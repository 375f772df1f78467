#include "symexec/smt/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"

namespace racer {
namespace {

using Kind = SubprocessResult::Kind;

constexpr uint64_t kMemory = uint64_t{1} << 28;

TEST(SubprocessTest, ReturnsTheAnswer) {
  const SubprocessResult result = RunInSubprocess([] { return std::string("yes"); }, "t", 10, kMemory);
  EXPECT_EQ(result.kind, Kind::kFinished);
  EXPECT_EQ(result.output, "yes");
}

TEST(SubprocessTest, AnswerLongerThanAPipe) {
  const SubprocessResult result = RunInSubprocess([] { return std::string(1 << 20, 'x'); }, "t", 10, kMemory);
  EXPECT_EQ(result.kind, Kind::kFinished);
  EXPECT_EQ(result.output, std::string(1 << 20, 'x'));
}

TEST(SubprocessTest, KilledAtTheDeadline) {
  const auto start = std::chrono::steady_clock::now();
  const SubprocessResult result = RunInSubprocess(
      [] {
        std::atomic<bool> stop = false;
        while (!stop) {
        }
        return std::string("never");
      },
      "t", 0.2, kMemory);
  EXPECT_EQ(result.kind, Kind::kTimedOut);
  EXPECT_EQ(result.output, "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

// It spends no processor time.
TEST(SubprocessTest, ASleeperIsKilledByTheWallClock) {
  const SubprocessResult result = RunInSubprocess(
      [] {
        sleep(60);
        return std::string("never");
      },
      "t", 0.05, kMemory);
  EXPECT_EQ(result.kind, Kind::kTimedOut);
}

TEST(SubprocessTest, DeathIsNoAnswer) {
  const SubprocessResult aborted = RunInSubprocess([]() -> std::string { abort(); }, "t", 10, kMemory);
  EXPECT_EQ(aborted.kind, Kind::kDied);
  EXPECT_NE(aborted.detail.find("signal"), std::string::npos) << aborted.detail;
  const SubprocessResult exited = RunInSubprocess([]() -> std::string { _exit(7); }, "t", 10, kMemory);
  EXPECT_EQ(exited.kind, Kind::kDied);
  EXPECT_EQ(exited.detail, "exit status 7");
  const SubprocessResult threw = RunInSubprocess([]() -> std::string { throw std::runtime_error("no"); }, "t", 10, kMemory);
  EXPECT_EQ(threw.kind, Kind::kDied);
  EXPECT_EQ(threw.detail, "no");
}

TEST(SubprocessTest, MemoryIsLimited) {
  const auto allocate = [](size_t bytes) {
    return [bytes] {
      std::vector<char> block(bytes, 'x');
      return std::string(1, block[bytes / 2]);
    };
  };
  EXPECT_EQ(RunInSubprocess(allocate(1 << 27), "t", 10, kMemory).kind, Kind::kFinished);
  EXPECT_EQ(RunInSubprocess(allocate(1 << 29), "t", 10, kMemory).kind, Kind::kDied);
}

TEST(SubprocessTest, ChildrenOfOtherThreadsDoNotHoldTheAnswerBack) {
  // The slow child inherits the quick one's pipe.
  std::thread slow([] {
    RunInSubprocess(
        [] {
          sleep(2);
          return std::string();
        },
        "slow", 10, kMemory);
  });
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(RunInSubprocess([] { return std::string("quick"); }, "t", 10, kMemory).output, "quick");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  slow.join();
}

TEST(SubprocessDeathTest, FailedCheckInTheChildIsABugHere) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(RunInSubprocess(
                  []() -> std::string {
                    RACER_CHECK(1 + 1 == 3);
                    return "";
                  },
                  "t", 10, kMemory),
              ::testing::ExitedWithCode(4), "1 \\+ 1 == 3");
}

}  // namespace
}  // namespace racer
