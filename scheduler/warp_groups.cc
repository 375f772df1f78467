#include "scheduler/warp_groups.h"

#include <bit>

namespace racer {

void WarpGroups::Start(std::span<const uint32_t> rank_of_pc, LaneMask lanes, uint32_t pc) {
  rank_ = rank_of_pc;
  count_ = 0;
  current_ = 0;
  preferred_ = 0;
  last_preferred_ = 0;
  Add(lanes, pc);
}

LaneMask WarpGroups::TakeCurrent() {
  RACER_CHECK(current_ < count_);
  LaneMask lanes = groups_[current_].lanes;
  for (uint32_t i = current_ + 1; i < count_; ++i) groups_[i - 1] = groups_[i];
  --count_;
  current_ = 0;
  return lanes;
}

void WarpGroups::Add(LaneMask lanes, uint32_t pc) {
  if (lanes == 0) return;
  uint32_t at = 0;
  while (at < count_ && groups_[at].pc != pc && Before(groups_[at].pc, pc)) ++at;
  if (at < count_ && groups_[at].pc == pc) {
    groups_[at].lanes |= lanes;
    return;
  }
  RACER_CHECK(count_ < kWarpSize);
  for (uint32_t i = count_; i > at; --i) groups_[i] = groups_[i - 1];
  groups_[at] = {lanes, pc};
  ++count_;
}

void WarpGroups::PreferAnother() {
  LaneMask others = 0, last = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    if (i != current_) others |= groups_[i].lanes;
    if ((groups_[i].lanes >> last_preferred_) & 1) last = groups_[i].lanes;
  }
  if (others == 0) return ClearPreference();
  if ((others & ~last) != 0) others &= ~last;
  // The first such lane after the one preferred last, cyclically.
  LaneMask later = last_preferred_ + 1 < kWarpSize ? others & (~LaneMask{0} << (last_preferred_ + 1)) : 0;
  last_preferred_ = static_cast<uint32_t>(std::countr_zero(later != 0 ? later : others));
  preferred_ = LaneMask{1} << last_preferred_;
}

void WarpGroups::PickPreferred() {
  for (uint32_t i = 0; i < count_; ++i) {
    if ((groups_[i].lanes & preferred_) != 0) {
      current_ = i;
      return;
    }
  }
  preferred_ = 0;  // the lane waits or has exited
}

}  // namespace racer
