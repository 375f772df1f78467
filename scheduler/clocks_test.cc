// What orders what, asked through the scheduler.
#include "scheduler/clocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "scheduler/fake_kernel.h"

namespace racer {
namespace {

using Step = CtaScheduler::Step;

// Remembers each thread's epoch at a pc, and asks there whether earlier ones are ordered.
class Order {
 public:
  Order(std::vector<FakeStep> steps, uint32_t threads, CtaScheduler::Options options = {}) : run_(std::move(steps), threads, options) {
    EXPECT_EQ(run_.Run([&](const LaneGroup& group) {
      for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if (((group.lanes >> lane) & 1) == 0) continue;
        uint32_t thread = group.warp * kWarpSize + lane;
        for (const auto& [at, epoch] : epochs_) {
          ordered_[{at.first, at.second, thread, group.pc}] = run_.scheduler().Ordered(epoch, thread);
          by_exit_[{at.first, at.second, thread, group.pc}] = run_.scheduler().ExitedBeforeBarrier(at.first);
        }
        epochs_[{thread, group.pc}] = run_.scheduler().Now(thread);
      }
    }),
              Step::kDone);
  }
  // Whether `first` at first_pc is ordered before `second` at second_pc; false too if it had not come there by then.
  bool Before(uint32_t first, uint32_t first_pc, uint32_t second, uint32_t second_pc) {
    return ordered_[{first, first_pc, second, second_pc}];
  }
  bool ByExit(uint32_t first, uint32_t first_pc, uint32_t second, uint32_t second_pc) {
    return by_exit_[{first, first_pc, second, second_pc}];
  }

 private:
  FakeRun run_;
  std::map<std::pair<uint32_t, uint32_t>, Epoch> epochs_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, bool> ordered_, by_exit_;
};

TEST(Clocks, NothingOrdersLanesInLockstep) {
  Order order({Nothing(), Nothing(), ExitStep()}, 64);
  EXPECT_FALSE(order.Before(0, 0, 1, 1));   // same warp, a whole instruction later
  EXPECT_FALSE(order.Before(0, 0, 40, 1));  // another warp
  EXPECT_TRUE(order.Before(1, 0, 1, 1));    // itself
}

TEST(Clocks, ABarrierOrdersAll) {
  Order order({Nothing(), Sync(), Nothing(), ExitStep()}, 80);
  EXPECT_TRUE(order.Before(0, 0, 79, 2));
  EXPECT_TRUE(order.Before(79, 0, 0, 2));
  EXPECT_TRUE(order.Before(3, 0, 4, 2));
  EXPECT_FALSE(order.Before(0, 2, 79, 2));  // after it
}

// Breaks if accesses after a release keep the old epoch.
TEST(Clocks, WhatFollowsABarrierIsNewer) {
  Order order({Sync(), Nothing(), Nothing(), Sync(), Nothing(), ExitStep()}, 64);
  EXPECT_FALSE(order.Before(0, 1, 63, 2));
  EXPECT_TRUE(order.Before(0, 1, 63, 4));
}

TEST(Clocks, ArriveReleasesAndDoesNotAcquire) {
  // Threads 0-31 sync, 32-63 arrive.
  Order order({BranchIf(Below(32), 4), Nothing(), Arrive(1, 64), GotoStep(7), Nothing(), Sync(1, 64), Nothing(), Nothing(), ExitStep()}, 64,
              {.reverse_warps = true});
  EXPECT_TRUE(order.Before(32, 1, 0, 6));
  EXPECT_TRUE(order.Before(63, 2, 31, 6));
  EXPECT_FALSE(order.Before(0, 4, 32, 7));
  EXPECT_FALSE(order.Before(32, 7, 0, 6));   // after the arrive
  EXPECT_FALSE(order.Before(32, 1, 33, 7));  // arriving lanes learn nothing of each other
  EXPECT_TRUE(order.Before(0, 4, 1, 6));     // waiting ones do
}

TEST(Clocks, ABarrierWithACountOrdersThoseWhoCame) {
  Order order({Nothing(), BranchIf(Below(64), 4), Nothing(), ExitStep(), Sync(1, 64), Nothing(), ExitStep()}, 96);
  EXPECT_TRUE(order.Before(0, 0, 63, 5));
  EXPECT_FALSE(order.Before(0, 0, 64, 2));
  EXPECT_FALSE(order.Before(64, 0, 0, 5));
}

TEST(Clocks, OrderIsTransitive) {
  // Warp 0 -> warp 1 through barrier 1, warp 1 -> warp 2 through barrier 2.
  Order order({BranchIf(Below(32), 3), BranchIf(Below(64), 6), GotoStep(9), Nothing(), Arrive(1, 64), ExitStep(), Sync(1, 64),
               Arrive(2, 64), ExitStep(), Sync(2, 64), Nothing(), ExitStep()},
              96);
  EXPECT_TRUE(order.Before(0, 3, 95, 10));
  EXPECT_FALSE(order.Before(0, 5, 95, 10));
}

TEST(Clocks, WarpBarrierOrdersItsMembersOnly) {
  Order order({Nothing(), BranchIf(Below(16), 5), Nothing(), Nothing(), ExitStep(), SyncWarp(0xffff), Nothing(), ExitStep()}, 64);
  EXPECT_TRUE(order.Before(0, 0, 15, 6));
  EXPECT_FALSE(order.Before(16, 0, 0, 6));
  EXPECT_FALSE(order.Before(0, 0, 16, 3));
  EXPECT_FALSE(order.Before(0, 6, 1, 6));
}

// Lane 1 learns of lane 2, then lane 0 of lane 1 and so of lane 2.
TEST(Clocks, WarpBarriersAreTransitive) {
  Order order({Nothing(), BranchIf(Below(1), 5), SyncWarp(0b110), BranchIf([](uint32_t t) { return t == 2; }, 6), Nothing(),
               SyncWarp(0b011), Nothing(), ExitStep()},
              3);
  EXPECT_TRUE(order.Before(2, 0, 0, 6));
  EXPECT_FALSE(order.Before(0, 0, 2, 6));
}

TEST(Clocks, ShuffleOrdersNothing) {
  Order order({Nothing(), Warp(~LaneMask{0}), Nothing(), ExitStep()}, 32);
  EXPECT_FALSE(order.Before(0, 0, 1, 2));
}

// Snapshots are shared: learning more must not leak to those who share.
TEST(Clocks, SharedSnapshotsAreCopiedBeforeTheyChange) {
  for (bool reverse : {false, true}) {
    Order order({Sync(), Nothing(), BranchIf(Below(16), 5), Nothing(), ExitStep(), SyncWarp(0xffff), Nothing(), Nothing(), ExitStep()}, 64,
                {.reverse_warps = reverse});
    EXPECT_TRUE(order.Before(0, 1, 1, 6));
    EXPECT_FALSE(order.Before(0, 1, 16, 3));
    EXPECT_FALSE(order.Before(0, 1, 32, 3));
    Order twice({Sync(), SyncWarp(), Nothing(), SyncWarp(), Nothing(), Sync(), Nothing(), ExitStep()}, 64, {.reverse_warps = reverse});
    EXPECT_TRUE(twice.Before(0, 2, 1, 4));
    EXPECT_FALSE(twice.Before(0, 2, 32, 4));
    EXPECT_TRUE(twice.Before(0, 4, 32, 6));
  }
}

TEST(Clocks, ExitOrdersNothingButIsTold) {
  Order order({Nothing(), ExitStep(Below(32)), Nothing(), Sync(), Nothing(), ExitStep()}, 64);
  EXPECT_FALSE(order.Before(0, 0, 32, 4));
  EXPECT_TRUE(order.ByExit(0, 0, 32, 4));   // had exited when the barrier completed
  EXPECT_FALSE(order.ByExit(0, 0, 32, 2));  // no barrier yet
  // Exit in the same phase, then a barrier with a count: it did not wait for the exit.
  Order counted({Nothing(), ExitStep(Below(32)), Nothing(), Sync(1, 32), Nothing(), ExitStep()}, 64);
  EXPECT_FALSE(counted.ByExit(0, 0, 32, 4));
  // What the exited thread published before stays ordered.
  Order earlier({Nothing(), Sync(), ExitStep(Below(32)), Nothing(), Sync(), Nothing(), ExitStep()}, 64);
  EXPECT_TRUE(earlier.Before(0, 0, 32, 5));
}

}  // namespace
}  // namespace racer
