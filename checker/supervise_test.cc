#include "checker/supervise.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <string>
#include <vector>

namespace racer {
namespace {

using End = SupervisedResult::End;

TEST(SuperviseTest, HandsBackStatusAndText) {
  SupervisedResult result = RunSupervised([](const Keep&) { return WorkResult{2, "text", std::string(300000, 'j')}; }, {});
  ASSERT_EQ(result.end, End::kFinished);
  EXPECT_EQ(result.work.exit_status, 2);
  EXPECT_EQ(result.work.output, "text");
  EXPECT_EQ(result.work.json.size(), 300000U);
}

TEST(SuperviseTest, AHangEndsAtTheDeadline) {
  SupervisedResult result = RunSupervised(
      [](const Keep&) -> WorkResult {
        for (;;) pause();
      },
      {.seconds = 0.05, .memory_bytes = 0});
  EXPECT_EQ(result.end, End::kTimeout);
}

// What was kept last is there whatever became of the child; a message of which only a part came is not.
TEST(SuperviseTest, WhatWasKeptOutlivesTheChild) {
  const std::string large(300000, 'k');
  auto hang = [&](const Keep& keep) -> WorkResult {
    keep("first");
    keep(large);
    for (;;) pause();
  };
  SupervisedResult result = RunSupervised(hang, {.seconds = 0.5, .memory_bytes = 0});
  EXPECT_EQ(result.end, End::kTimeout);
  EXPECT_EQ(result.kept, large);
  result = RunSupervised(
      [](const Keep& keep) -> WorkResult {
        keep("first");
        throw std::bad_alloc();
      },
      {});
  EXPECT_EQ(result.end, End::kMemory);
  EXPECT_EQ(result.kept, "first");
  result = RunSupervised(
      [](const Keep& keep) {
        keep("first");
        return WorkResult{2, "text", "json"};
      },
      {});
  EXPECT_EQ(result.end, End::kFinished);
  EXPECT_EQ(result.work.output, "text");
}

TEST(SuperviseTest, ACrashIsNamed) {
  SupervisedResult result = RunSupervised(
      [](const Keep&) -> WorkResult {
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
      [](const Keep&) -> WorkResult {
        std::vector<std::vector<char>> hoard;
        for (;;) hoard.emplace_back(16 << 20, 'x');
      },
      {.seconds = 60, .memory_bytes = uint64_t{64} << 20});
  EXPECT_EQ(result.end, End::kMemory);
}
#endif

TEST(SuperviseTest, AStatusWithoutAResultIsACrash) {
  SupervisedResult result = RunSupervised([](const Keep&) -> WorkResult { _exit(4); }, {});
  EXPECT_EQ(result.end, End::kCrash);
  EXPECT_EQ(result.detail, "exit status 4");
}

}  // namespace
}  // namespace racer
