// Groups, turns and exits: who runs next.
#include "scheduler/cta_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/fake_kernel.h"

namespace racer {
namespace {

using testing::ElementsAre;
using Step = CtaScheduler::Step;

std::vector<LaneGroup> Trace(FakeRun* run) {
  std::vector<LaneGroup> trace;
  EXPECT_EQ(run->Run([&](const LaneGroup& group) { trace.push_back(group); }), Step::kDone);
  return trace;
}

TEST(CtaScheduler, DivergedLanesMeetAtTheJoin) {
  // Breaks if groups are not merged by pc, or the larger rank runs first (then 0xff00.. runs 4 alone).
  FakeRun run({BranchIf(Below(8), 3), Nothing(), GotoStep(4), Nothing(), ExitStep()}, 32);
  EXPECT_THAT(Trace(&run), ElementsAre(LaneGroup{0, 0xffffffff, 0}, LaneGroup{0, 0xffffff00, 1}, LaneGroup{0, 0xffffff00, 2},
                                       LaneGroup{0, 0xff, 3}, LaneGroup{0, 0xffffffff, 4}));
}

TEST(CtaScheduler, RankAndNotPcDecides) {
  // The taken side lies behind in the text but first in rank.
  FakeRun run({BranchIf(Below(8), 3), Nothing(), GotoStep(4), Nothing(), ExitStep()}, 32, {}, {1, 3, 3, 2, 4, 5});
  EXPECT_THAT(Trace(&run), ElementsAre(LaneGroup{0, 0xffffffff, 0}, LaneGroup{0, 0xff, 3}, LaneGroup{0, 0xffffff00, 1},
                                       LaneGroup{0, 0xffffff00, 2}, LaneGroup{0, 0xffffffff, 4}));
}

TEST(CtaScheduler, GuardedLanesExitAndTheOthersGoOn) {
  FakeRun run({ExitStep(Below(3)), ExitStep()}, 5);
  EXPECT_THAT(Trace(&run), ElementsAre(LaneGroup{0, 0x1f, 0}, LaneGroup{0, 0x18, 1}));
}

TEST(CtaScheduler, TheLastWarpMayBeShort) {
  FakeRun run({ExitStep()}, 40);
  EXPECT_THAT(Trace(&run), ElementsAre(LaneGroup{0, 0xffffffff, 0}, LaneGroup{1, 0xff, 0}));
  EXPECT_EQ(run.scheduler().thread_count(), 40u);
}

TEST(CtaScheduler, LiveLanesShrinkOnExit) {
  std::vector<uint32_t> ranks{0, 1};
  CtaScheduler scheduler(40, ranks, 0);
  EXPECT_EQ(scheduler.LiveLanes(1), 0xffu);
  LaneGroup group;
  ASSERT_EQ(scheduler.Next(&group), Step::kRun);
  scheduler.Exit(0xf, 1);
  EXPECT_EQ(scheduler.LiveLanes(0), 0xfffffff0u);
}

TEST(CtaScheduler, ReverseOrderStartsWithTheHighestWarp) {
  FakeRun run({ExitStep()}, 96, {.reverse_warps = true});
  EXPECT_THAT(Trace(&run), ElementsAre(LaneGroup{2, 0xffffffff, 0}, LaneGroup{1, 0xffffffff, 0}, LaneGroup{0, 0xffffffff, 0}));
}

TEST(CtaScheduler, ScatterGroupsEqualPcs) {
  std::vector<uint32_t> ranks{0, 1, 2, 3};
  CtaScheduler scheduler(4, ranks, 0);
  LaneGroup group;
  ASSERT_EQ(scheduler.Next(&group), Step::kRun);
  uint32_t pcs[kWarpSize] = {3, 2, 3, 1};
  scheduler.Scatter(pcs);
  std::vector<LaneGroup> seen;
  while (scheduler.Next(&group) == Step::kRun) {
    seen.push_back(group);
    scheduler.Exit(group.lanes, group.pc);
  }
  EXPECT_THAT(seen, ElementsAre(LaneGroup{0, 8, 1}, LaneGroup{0, 2, 2}, LaneGroup{0, 5, 3}));
}

TEST(CtaScheduler, AWarpRunsUntilItBlocksOrItsSliceEnds) {
  auto warps = [](uint32_t slice) {
    FakeRun run({Nothing(), Nothing(), Nothing(), ExitStep()}, 64, {.slice = slice});
    std::vector<uint32_t> order;
    run.Run([&](const LaneGroup& group) { order.push_back(group.warp); });
    return order;
  };
  EXPECT_THAT(warps(4096), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(warps(2), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
}

// Breaks (runs out of events) if a used-up slice does not pass the turn on.
TEST(CtaScheduler, SpinningWarpsDoNotStarveTheOneTheyWaitFor) {
  for (bool reverse : {false, true}) {
    bool flag = false;
    uint32_t setter = reverse ? 0 : 3;  // the warp that would come last
    FakeRun run({BranchIf([&](uint32_t thread) { return thread / 32 == setter; }, 3), BranchIf([&](uint32_t) { return !flag; }, 1),
                 ExitStep(), Nothing(), ExitStep()},
                128, {.slice = 8, .reverse_warps = reverse});
    EXPECT_EQ(run.Run([&](const LaneGroup& group) { flag = flag || group.pc == 3; }, 1000), Step::kDone);
  }
}

// Breaks (runs out of events) without WarpGroups::PreferAnother: the spin has the smaller rank.
TEST(CtaScheduler, SpinningLanesDoNotStarveTheOneTheyWaitFor) {
  for (uint32_t setter : {0u, 7u, 31u}) {
    bool flag = false;
    FakeRun run({BranchIf([&](uint32_t thread) { return thread == setter; }, 3), BranchIf([&](uint32_t) { return !flag; }, 1), ExitStep(),
                 Nothing(), Nothing(), ExitStep()},
                32, {.slice = 8});
    EXPECT_EQ(run.Run([&](const LaneGroup& group) { flag = flag || group.pc == 4; }, 1000), Step::kDone) << setter;
  }
}

// Four groups: three spin, and the lane they wait for comes last in rank and number. Breaks if the turn goes to the lowest
// other lanes each time.
TEST(CtaScheduler, EveryLaneGetsATurn) {
  bool flag = false;
  auto waits = [&](uint32_t) { return !flag; };
  FakeRun run({BranchIf(Below(1), 4), BranchIf(Below(2), 6), BranchIf(Below(31), 8), GotoStep(10), BranchIf(waits, 4), ExitStep(),
               BranchIf(waits, 6), ExitStep(), BranchIf(waits, 8), ExitStep(), Nothing(), ExitStep()},
              32, {.slice = 4});
  EXPECT_EQ(run.Run([&](const LaneGroup& group) { flag = flag || group.pc == 10; }, 5000), Step::kDone);
}

TEST(CtaScheduler, DivergedLoopsWithinOneSliceStillReconverge) {
  // Near miss of the above: ordinary trip counts never lose the join.
  std::vector<int> trips(32);
  FakeRun run({BranchIf([&](uint32_t thread) { return trips[thread]++ < static_cast<int>(thread); }, 0), Nothing(), ExitStep()}, 32);
  std::vector<LaneMask> at_join;
  EXPECT_EQ(run.Run([&](const LaneGroup& group) {
    if (group.pc == 1) at_join.push_back(group.lanes);
  }),
            Step::kDone);
  EXPECT_THAT(at_join, ElementsAre(0xffffffff));
}

TEST(CtaScheduler, SameInputsSameOrder) {
  auto trace = [] {
    FakeRun run({BranchIf([](uint32_t thread) { return thread % 3 == 0; }, 2), Nothing(), Sync(), ExitStep()}, 200, {.slice = 3});
    return Trace(&run);
  };
  EXPECT_EQ(trace(), trace());
}

}  // namespace
}  // namespace racer
