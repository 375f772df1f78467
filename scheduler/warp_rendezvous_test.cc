// shfl.sync, vote.sync, bar.warp.sync: meetings by mask.
#include "scheduler/warp_rendezvous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/fake_kernel.h"

namespace racer {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Fault = SyncFault::Kind;
using Step = CtaScheduler::Step;

constexpr LaneMask kAll = 0xffffffff;

TEST(WarpRendezvous, ConvergedLanesMeetAtOnce) {
  FakeRun run({Warp(kAll, 7), ExitStep()}, 64);
  EXPECT_EQ(run.Run(), Step::kDone);
  ASSERT_THAT(run.completions(), SizeIs(2));
  EXPECT_FALSE(run.completions()[0].is_barrier);
  EXPECT_EQ(run.completions()[0].warp.key, 7u);
  EXPECT_THAT(run.completions()[0].arrivals, ElementsAre(LaneGroup{0, kAll, 0}));
  EXPECT_THAT(run.completions()[1].arrivals, ElementsAre(LaneGroup{1, kAll, 0}));
}

// Not the pc but mask and key decide. Breaks (deadlock) if lanes must stand at one pc.
TEST(WarpRendezvous, LanesMeetFromTwoSidesOfABranch) {
  FakeRun run({BranchIf(Below(16), 3), Warp(kAll), GotoStep(4), Warp(kAll), ExitStep()}, 32);
  EXPECT_EQ(run.Run(), Step::kDone);
  ASSERT_THAT(run.completions(), SizeIs(1));
  EXPECT_THAT(run.completions()[0].arrivals, ElementsAre(LaneGroup{0, 0xffff0000, 1}, LaneGroup{0, 0xffff, 3}));
}

TEST(WarpRendezvous, MembersThatExitedAreNotWaitedFor) {
  FakeRun before({ExitStep(Below(4)), Warp(kAll), ExitStep()}, 32);
  EXPECT_EQ(before.Run(), Step::kDone);
  ASSERT_THAT(before.completions(), SizeIs(1));
  EXPECT_THAT(before.completions()[0].arrivals, ElementsAre(LaneGroup{0, 0xfffffff0, 1}));
  // Lanes 0-3 exit while the others wait. Breaks without the re-check in Exit.
  FakeRun meanwhile({BranchIf(Below(4), 3), Warp(kAll), ExitStep(), ExitStep()}, 32);
  EXPECT_EQ(meanwhile.Run(), Step::kDone);
  EXPECT_THAT(meanwhile.completions(), SizeIs(1));
}

TEST(WarpRendezvous, LanesThatTheCtaLacksAreNotWaitedFor) {
  FakeRun run({Warp(kAll), ExitStep()}, 20);
  EXPECT_EQ(run.Run(), Step::kDone);
  ASSERT_THAT(run.completions(), SizeIs(1));
  EXPECT_THAT(run.completions()[0].arrivals, ElementsAre(LaneGroup{0, 0xfffff, 0}));
}

TEST(WarpRendezvous, DisjointMasksAreIndependent) {
  FakeRun run({BranchIf(Below(16), 3), Warp(0xffff0000), ExitStep(), Warp(0xffff), ExitStep()}, 32);
  EXPECT_EQ(run.Run(), Step::kDone);
  EXPECT_THAT(run.completions(), SizeIs(2));
}

TEST(WarpRendezvous, ALaneOutsideItsMaskIsAFault) {
  FakeRun run({Warp(0x0000ffff), ExitStep()}, 32);
  ASSERT_EQ(run.Run(), Step::kFault);
  EXPECT_EQ(run.fault().kind, Fault::kNotInMask);
  EXPECT_EQ(run.fault().message, "threads 16-31 execute a .sync instruction whose member mask lacks them");
  EXPECT_THAT(run.fault().where, ElementsAre(LaneGroup{0, 0xffff0000, 0}));
  // Near miss: the lanes outside do not execute it.
  FakeRun guarded({BranchIf(Below(16), 2), ExitStep(), Warp(0x0000ffff), ExitStep()}, 32);
  EXPECT_EQ(guarded.Run(), Step::kDone);
}

TEST(WarpRendezvous, DifferentMasksNeverMeet) {
  FakeRun run({BranchIf(Below(16), 3), Warp(0xffffff00), ExitStep(), Warp(kAll), ExitStep()}, 32);
  ASSERT_EQ(run.Run(), Step::kFault);
  EXPECT_EQ(run.fault().kind, Fault::kMaskMismatch);
  EXPECT_EQ(run.fault().message,
            "lanes of one warp wait for each other and cannot meet: threads 16-31 wait for threads 8-15 (member mask 0xffffff00); "
            "threads 0-15 wait for threads 16-31 (member mask 0xffffffff)");
  EXPECT_THAT(run.fault().where, ElementsAre(LaneGroup{0, 0xffff0000, 1}, LaneGroup{0, 0xffff, 3}));
}

TEST(WarpRendezvous, DifferentKeysNeverMeet) {
  FakeRun run({BranchIf(Below(16), 3), Warp(kAll, 1), ExitStep(), Warp(kAll, 2), ExitStep()}, 32);
  ASSERT_EQ(run.Run(), Step::kFault);
  EXPECT_EQ(run.fault().kind, Fault::kMaskMismatch);
}

// Three masks in a circle: 0 waits for 1, 1 for 2, 2 for 0.
TEST(WarpRendezvous, ACircleOfThreeIsAMismatch) {
  FakeRun run(
      {BranchIf(Below(1), 5), BranchIf(Below(2), 7), Warp(0b101), ExitStep(), Nothing(), Warp(0b011), ExitStep(), Warp(0b110), ExitStep()},
      3);
  ASSERT_EQ(run.Run(), Step::kFault);
  EXPECT_EQ(run.fault().kind, Fault::kMaskMismatch);
  EXPECT_THAT(run.fault().where, SizeIs(3));
}

// Near miss: the masks differ and one waits for the other, but what blocks them is an unaligned barrier.
TEST(WarpRendezvous, AChainBehindABarrierIsADeadlock) {
  FakeRun run({BranchIf(Below(1), 5), BranchIf(Below(2), 7), UnalignedSync(), ExitStep(), Nothing(), Warp(0b011, 1), ExitStep(),
               Warp(0b110, 2), ExitStep()},
              3);
  ASSERT_EQ(run.Run(), Step::kFault);
  EXPECT_EQ(run.fault().kind, Fault::kDeadlock);
  EXPECT_EQ(run.fault().message,
            "deadlock: thread 2 waits at barrier 0 for the rest of their warp; thread 0 waits for thread 1 (member mask 0x00000003); "
            "thread 1 waits for thread 2 (member mask 0x00000006)");
}

}  // namespace
}  // namespace racer
