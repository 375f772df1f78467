// The runnable lanes of one warp, grouped by program counter.
#ifndef RACER_SCHEDULER_WARP_GROUPS_H_
#define RACER_SCHEDULER_WARP_GROUPS_H_

#include <array>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "scheduler/sync_events.h"

namespace racer {

// Groups are kept sorted by (rank, pc), so the first one runs and groups that come to stand at one pc merge. One
// group is the common case: Goto is then a single store.
class WarpGroups {
 public:
  // `rank_of_pc` must outlive this.
  void Start(std::span<const uint32_t> rank_of_pc, LaneMask lanes, uint32_t pc);

  bool empty() const { return count_ == 0; }
  uint32_t count() const { return count_; }
  LaneMask current_lanes() const { return groups_[current_].lanes; }
  uint32_t current_pc() const { return groups_[current_].pc; }

  // Makes the group that is to run the current one.
  void Pick() {
    current_ = 0;
    if (preferred_ != 0 && count_ > 1) PickPreferred();
  }
  // The current group goes to pc.
  void Goto(uint32_t pc) {
    if (count_ == 1) {
      groups_[0].pc = pc;
      return;
    }
    Add(TakeCurrent(), pc);
  }
  // Removes the current group from the runnable ones.
  LaneMask TakeCurrent();
  void Add(LaneMask lanes, uint32_t pc);

  // From now on prefers a group other than the current one, lane by lane in turn, so that lanes that spin cannot
  // starve the lane they wait for. ClearPreference returns to the smallest rank.
  void PreferAnother();
  void ClearPreference() { preferred_ = 0; }
  bool has_preference() const { return preferred_ != 0; }

 private:
  struct Group {
    LaneMask lanes;
    uint32_t pc;
  };

  bool Before(uint32_t a, uint32_t b) const {
    RACER_CHECK(a < rank_.size() && b < rank_.size());
    return rank_[a] != rank_[b] ? rank_[a] < rank_[b] : a < b;
  }
  void PickPreferred();

  uint32_t count_ = 0;
  uint32_t current_ = 0;
  LaneMask preferred_ = 0;       // one bit, or none
  uint32_t last_preferred_ = 0;  // lane
  std::span<const uint32_t> rank_;
  std::array<Group, kWarpSize> groups_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_WARP_GROUPS_H_
