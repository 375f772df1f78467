// Meetings of lanes of one warp by member mask: shfl.sync, vote.sync, bar.warp.sync and the like.
#ifndef RACER_SCHEDULER_WARP_RENDEZVOUS_H_
#define RACER_SCHEDULER_WARP_RENDEZVOUS_H_

#include <cstdint>
#include <vector>

#include "scheduler/clocks.h"
#include "scheduler/sync_events.h"
#include "scheduler/sync_report.h"

namespace racer {

// What a rendezvous did to the lanes that waited for it.
struct SyncEffects {
  std::vector<LaneGroup> woken;  // pc: where they go on
  std::vector<Completion> completions;
};

class WarpRendezvous {
 public:
  // Lanes of one warp wait until every live member has come with equal mask, key and ordering. `group.pc` is the
  // instruction's; the lanes go on at the pc after it.
  void Arrive(const LaneGroup& group, const WarpArrival& arrival, LaneMask live, Clocks* clocks, SyncEffects* effects);
  // Lanes have exited; `live` is what is left. Members that exit are no longer waited for.
  void OnExit(uint32_t warp, LaneMask live, Clocks* clocks, SyncEffects* effects);
  bool empty() const { return open_.empty(); }
  void AppendWaits(std::vector<Wait>* waits) const;

 private:
  struct Open {
    WarpArrival arrival;
    LaneMask arrived = 0;
    std::vector<LaneGroup> groups;
  };
  static void Complete(uint32_t warp, Open open, Clocks* clocks, SyncEffects* effects);

  std::vector<Open> open_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_WARP_RENDEZVOUS_H_
