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
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace racer {

using LaneMask = uint32_t;  // bit l: lane l of the warp
constexpr uint32_t kWarpSize = 32;

// A set of lanes of one warp at one pc.
struct LaneGroup {
  uint32_t warp = 0;
  LaneMask lanes = 0;
  uint32_t pc = 0;
};

// bar.sync / bar.arrive / bar.red and their barrier.* spellings.
struct BarrierArrival {
  enum class Kind : uint8_t { kSync, kArrive, kReduce } kind = Kind::kSync;
  uint32_t id = 0;      // 0..15
  uint32_t count = 0;   // threads; 0: every thread of the CTA that has not exited
  bool aligned = true;  // all lanes of the warp must execute the same instruction
};

// shfl/vote/match/redux.sync, bar.warp.sync, ...: lanes in `members` wait for each other.
struct WarpArrival {
  LaneMask members = 0;
  uint32_t key = 0;         // arrivals meet only with equal keys (opcode and qualifiers)
  bool orders_memory = false;  // bar.warp.sync: yes. shfl, vote: no
};

// A rendezvous that has just taken place; lanes of `arrivals` are runnable again at next_pc.
struct Completion {
  bool is_barrier = false;
  BarrierArrival barrier;
  WarpArrival warp;
  std::vector<LaneGroup> arrivals;  // pc: of the instruction that each executed
};

// A broken synchronisation rule.
struct SyncFault {
  enum class Kind : uint8_t {
    kBarrierDivergence,  // aligned barrier reached by part of a warp, or by lanes of one warp at different pcs
    kDeadlock,           // nothing can run and not every thread has exited
    kNotInMask,          // a lane executes a *.sync whose member mask lacks it
    kMaskMismatch,       // lanes wait for each other with different masks or keys and can never meet
    kBarrierCount,       // count not a multiple of the warp size, too large, or differing within one use
    kBarrierId,          // id outside 0..15
  } kind = Kind::kDeadlock;
  std::string message;                // names threads as "threads 0-31, 40" and the barrier
  std::vector<LaneGroup> where;       // the lanes concerned; the first is the one noticed
};

// A point in a thread's history: everything the thread did up to and including `time`.
struct Epoch {
  uint32_t thread = 0;  // linear index in the CTA
  uint32_t time = 0;
};

class CtaScheduler {
 public:
  // rank_of_pc must outlive the scheduler. `slice`: groups of other warps get a turn after so many Goto/Branch events
  // of one warp (spin-waits make progress). `reverse_warps` picks the highest runnable warp first.
  struct Options {
    uint32_t slice = 4096;
    bool reverse_warps = false;
  };
  CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc, const Options& options);
  CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc);  // default Options
  ~CtaScheduler();

  enum class Step : uint8_t { kRun, kDone, kFault };
  // The group to run next. On kFault see fault(). The machine runs the group from group->pc up to its
  // next event and then ends the turn with exactly one of the calls below.
  Step Next(LaneGroup* group);

  // All lanes of the group continue at pc. Cheap when the warp has no other group; may be called for every block.
  void Goto(uint32_t pc);
  void Branch(LaneMask taken, uint32_t taken_pc, uint32_t not_taken_pc);
  void Scatter(const uint32_t pc_of_lane[kWarpSize]);  // brx, ret, indirect call
  void Exit(LaneMask lanes, uint32_t next_pc);         // the other lanes of the group go on at next_pc
  // Lanes outside `lanes` (guarded instruction) go on at next_pc at once. The arriving ones go on there once complete.
  void ArriveBarrier(LaneMask lanes, const BarrierArrival& arrival, uint32_t next_pc);
  void ArriveWarp(LaneMask lanes, const WarpArrival& arrival, uint32_t next_pc);

  // Rendezvous completed since the last call, oldest first. The machine combines their values before the next Next().
  std::vector<Completion> TakeCompletions();
  const SyncFault& fault() const;

  // --- happens-before within the CTA
  // The present epoch of a thread (its accesses from now on belong to it).
  Epoch Now(uint32_t thread) const;
  // Whether everything of `earlier` happens before what `thread` does now. True for the thread's own epochs.
  bool Ordered(Epoch earlier, uint32_t thread) const;

  uint32_t thread_count() const;
  LaneMask LiveLanes(uint32_t warp) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_CTA_SCHEDULER_H_
