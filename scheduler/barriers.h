// The sixteen named barriers of one CTA.
#ifndef RACER_SCHEDULER_BARRIERS_H_
#define RACER_SCHEDULER_BARRIERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/clocks.h"
#include "scheduler/sync_events.h"
#include "scheduler/sync_report.h"
#include "scheduler/warp_rendezvous.h"

namespace racer {

// A barrier counts whole warps: a warp has arrived once all its lanes that have not exited have (PTX ISA, "barrier": the
// executing thread waits for the non-exited threads of its warp, then the warp's arrival is marked). Without a count the
// barrier completes when every warp with live lanes has arrived; with one, when 32 times the arrived warps reach it.
class Barriers {
 public:
  Barriers(uint32_t thread_count, Clocks* clocks);

  // Lanes arrive by the instruction at group.pc. `live`: by warp, the lanes that have not exited.
  std::optional<SyncFault> Arrive(const LaneGroup& group, const BarrierArrival& arrival, std::span<const LaneMask> live,
                                  SyncEffects* effects);
  // `exited` have exited; `live` is what is left. A fault if a warp's arrival thereby becomes one of a later use.
  std::optional<SyncFault> OnExit(uint32_t warp, LaneMask exited, std::span<const LaneMask> live, SyncEffects* effects);
  // Whether the thread has exited and a barrier without a count has completed since.
  bool ExitedBeforeBarrier(uint32_t thread) const { return full_completions_ > exited_at_[thread]; }
  void AppendWaits(std::span<const LaneMask> live, std::vector<Wait>* waits) const;

 private:
  struct Waiting {
    LaneGroup group;
    BarrierArrival arrival;
    size_t order = 0;  // of arrival
  };
  struct Barrier {
    // The use that is under way.
    std::vector<Waiting> arrivals;  // empty: none
    std::array<LaneMask, kMaxCtaWarps> arrived{};
    uint32_t full_warps = 0;  // bit w: all live lanes of warp w have arrived
    Clocks::Gathering published;
    // The last use that completed.
    Clocks::Snapshot* last = nullptr;
    std::array<LaneMask, kMaxCtaWarps> last_arrived{};
    uint32_t last_waited = 0;  // bit w: warp w waited for it to complete
  };

  uint32_t Expected(const BarrierArrival& arrival) const { return arrival.count != 0 ? arrival.count : warp_count_ * kWarpSize; }
  std::optional<SyncFault> CheckArrival(const Barrier& barrier, const LaneGroup& group, const BarrierArrival& arrival) const;
  std::optional<SyncFault> MarkWarp(Barrier* barrier, uint32_t warp, std::span<const LaneMask> live, SyncEffects* effects);
  bool OrderedAfterLastUse(const Barrier& barrier, uint32_t warp) const;
  void Complete(Barrier* barrier, SyncEffects* effects);
  bool IsComplete(const Barrier& barrier, std::span<const LaneMask> live) const;

  uint32_t thread_count_;
  uint32_t warp_count_;
  Clocks* clocks_;
  uint32_t open_ = 0;                // bit i: barrier i has a use under way
  uint32_t full_completions_ = 0;    // of barriers without a count
  std::vector<uint32_t> exited_at_;  // by thread: full_completions_ when it exited; the largest value while it lives
  std::array<Barrier, kBarrierIds> barriers_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_BARRIERS_H_
