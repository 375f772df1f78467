// A CTA for tests whose threads synchronise when they are told to, and otherwise stand still.
#ifndef RACER_SCHEDULER_FAKE_CTA_H_
#define RACER_SCHEDULER_FAKE_CTA_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "scheduler/cta_scheduler.h"
#include "scheduler/race_detector.h"

namespace racer {

class FakeCta {
 public:
  explicit FakeCta(uint32_t threads, uint32_t index = 0)
      : index_(index), warps_((threads + kWarpSize - 1) / kWarpSize), scheduler_(threads, ranks_, 0, {.slice = 1}) {}

  const CtaScheduler& scheduler() const { return scheduler_; }
  MemoryEvent Event(MemoryEvent::Kind kind, uint32_t thread, uint32_t pc = 0, uint64_t tag = 0) const {
    MemoryEvent event;
    event.kind = kind;
    event.cta = index_;
    event.thread = thread;
    event.pc = pc;
    event.value_tag = tag;
    return event;
  }

  // All live threads meet at a barrier.
  void Sync() {
    AllWarps([&](const LaneGroup& group) { scheduler_.ArriveBarrier(group.lanes, {}, 1); });
  }
  // Some warps meet; bit w: warp w. A barrier of its own each time.
  void SyncWarps(uint32_t warps, uint32_t id) {
    uint32_t count = static_cast<uint32_t>(std::popcount(warps)) * kWarpSize;
    AllWarps([&](const LaneGroup& group) {
      if ((warps >> group.warp) & 1) return scheduler_.ArriveBarrier(group.lanes, {.id = id, .count = count}, 1);
      scheduler_.Goto(1);
    });
  }
  void SyncLanes(uint32_t warp, LaneMask lanes) {
    AllWarps([&](const LaneGroup& group) {
      if (group.warp == warp) return scheduler_.ArriveWarp(group.lanes & lanes, {.members = lanes, .orders_memory = true}, 1);
      scheduler_.Goto(1);
    });
  }
  void ExitWarp(uint32_t warp) {
    AllWarps([&](const LaneGroup& group) {
      if (group.warp == warp) return scheduler_.Exit(group.lanes, 1);
      scheduler_.Goto(1);
    });
  }

 private:
  // Performs `step` once for each warp, at pc 0, and brings all back there. A slice is one event, so Goto passes the turn.
  template <class StepOfGroup>
  void AllWarps(StepOfGroup step) {
    LaneGroup group;
    for (uint32_t from : {0u, 1u}) {
      for (uint32_t idle = 0; idle <= 2 * warps_;) {
        CtaScheduler::Step next = scheduler_.Next(&group);
        if (next == CtaScheduler::Step::kDone) return;
        RACER_CHECK(next == CtaScheduler::Step::kRun);
        if (group.pc != from) {
          ++idle;
          scheduler_.Goto(group.pc);
        } else if (from == 0) {
          idle = 0;
          step(group);
        } else {
          idle = 0;
          scheduler_.Goto(0);
        }
      }
    }
    scheduler_.TakeCompletions();
  }

  uint32_t index_;
  uint32_t warps_;
  std::vector<uint32_t> ranks_{1, 2};
  CtaScheduler scheduler_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_FAKE_CTA_H_
