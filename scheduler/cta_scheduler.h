// Which lanes of one CTA run next, and what orders them. Knows program counters, masks and
// barriers; never sees a value.
//
// Lanes have their own program counters (independent thread scheduling). Lanes of a warp that
// stand at the same pc and are not blocked form a group and run in lockstep; the group with the
// smallest rank runs first, so diverged lanes meet again at the branch's post-dominator (the rank
// of a pc is ir::Cfg's block rank, callees before callers). Rendezvous are by mask, not by pc.
#ifndef RACER_SCHEDULER_CTA_SCHEDULER_H_
#define RACER_SCHEDULER_CTA_SCHEDULER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scheduler/partings.h"
#include "scheduler/sync_events.h"

namespace racer {

class CtaScheduler {
 public:
  // rank_of_pc must outlive the scheduler; thread_count is 1..kMaxCtaThreads. `slice`: groups of other warps get a turn
  // after so many Goto/Branch events of one warp, and now and then another group of the warp itself (spin-waits make
  // progress). `reverse_warps` picks the highest runnable warp first.
  // `partings`, which must outlive the scheduler, lets it find lanes that get past an aligned barrier.
  struct Options {
    uint32_t slice = 4096;
    bool reverse_warps = false;
    const PartingMap* partings = nullptr;
  };
  CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc, const Options& options);
  CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc);  // default Options
  ~CtaScheduler();
  CtaScheduler(const CtaScheduler&) = delete;
  CtaScheduler& operator=(const CtaScheduler&) = delete;

  enum class Step : uint8_t { kRun, kDone, kFault };
  // The group to run next. On kFault see fault(). The machine runs the group from group->pc up to its
  // next event and then ends the turn with exactly one of the calls below.
  Step Next(LaneGroup* group);

  // All lanes of the group continue at pc. Cheap when the warp has no other group; may be called for every block.
  // `from`: the branch, guarded call or guarded barrier at which lanes of the warp might part. `through`: the pc at the end of
  // the function from which lanes return, all of them or in Scatter those that do not go on at from + 1.
  static constexpr uint32_t kNowhere = Partings::kNowhere;
  void Goto(uint32_t pc, uint32_t from = kNowhere, uint32_t through = kNowhere);
  void Branch(LaneMask taken, uint32_t taken_pc, uint32_t not_taken_pc, uint32_t from = kNowhere);
  // brx, ret, indirect call. `via`: of lanes that have come to their pc by ways of their own, the begin of the way that counts.
  void Scatter(const uint32_t pc_of_lane[kWarpSize], uint32_t from = kNowhere, uint32_t through = kNowhere, const uint32_t* via = nullptr);
  void Exit(LaneMask lanes, uint32_t next_pc);  // the other lanes of the group go on at next_pc
  // Lanes outside `lanes` (guarded instruction) go on at next_pc at once. The arriving ones go on there once complete.
  // next_pc is the pc after the instruction: next_pc - 1 names it in completions, faults and the check that lanes of one
  // warp reach an aligned barrier by the same instruction.
  void ArriveBarrier(LaneMask lanes, const BarrierArrival& arrival, uint32_t next_pc);
  void ArriveWarp(LaneMask lanes, const WarpArrival& arrival, uint32_t next_pc);

  // Rendezvous completed since the last call, oldest first. The machine combines their values before the next Next().
  std::vector<Completion> TakeCompletions();
  const SyncFault& fault() const;

  // --- happens-before within the CTA
  // A completed barrier orders what all its arrivals did before (bar.arrive too) before what those that waited do after;
  // bar.warp.sync orders its members. Nothing else does: not shfl or vote, not lockstep, not exit, no fence or atomic.

  // The present epoch of a thread (its accesses from now on belong to it).
  Epoch Now(uint32_t thread) const { return {thread, now_[thread]}; }
  // Whether everything of `earlier` happens before what `thread` does now. True for the thread's own epochs.
  bool Ordered(Epoch earlier, uint32_t thread) const { return earlier.thread == thread || known_[thread][earlier.thread] >= earlier.time; }
  // Whether `thread` has exited and a barrier of the whole CTA has completed since. The manual orders nothing after an
  // exited thread's accesses, yet such a barrier waited for it to arrive or exit: a conflict that is ordered only so
  // is neither race-free nor surely a race.
  bool ExitedBeforeBarrier(uint32_t thread) const;

  uint32_t thread_count() const;
  LaneMask LiveLanes(uint32_t warp) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  // Of impl_'s clocks, here so that Now and Ordered are inlined.
  const uint32_t* now_ = nullptr;
  const uint32_t* const* known_ = nullptr;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_CTA_SCHEDULER_H_
