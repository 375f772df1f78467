#include "scheduler/warp_rendezvous.h"

#include <algorithm>
#include <utility>

namespace racer {

void WarpRendezvous::Complete(uint32_t warp, Open open, Clocks* clocks, SyncEffects* effects) {
  if (open.arrival.orders_memory) clocks->JoinLanes(warp, open.arrived);
  for (const LaneGroup& group : open.groups) effects->woken.push_back({warp, group.lanes, group.pc + 1});
  Completion completion;
  completion.warp = open.arrival;
  completion.arrivals = std::move(open.groups);
  effects->completions.push_back(std::move(completion));
}

void WarpRendezvous::Arrive(const LaneGroup& group, const WarpArrival& arrival, LaneMask live, Clocks* clocks, SyncEffects* effects) {
  LaneMask needed = arrival.members & live;
  if (group.lanes == needed) return Complete(group.warp, Open{arrival, group.lanes, {group}}, clocks, effects);
  auto at = std::find_if(open_.begin(), open_.end(), [&](const Open& open) {
    return open.arrival.members == arrival.members && open.arrival.key == arrival.key &&
           open.arrival.orders_memory == arrival.orders_memory;
  });
  if (at == open_.end()) {
    open_.push_back({arrival, 0, {}});
    at = open_.end() - 1;
  }
  at->arrived |= group.lanes;
  at->groups.push_back(group);
  if (at->arrived != needed) return;
  Open open = std::move(*at);
  open_.erase(at);
  Complete(group.warp, std::move(open), clocks, effects);
}

void WarpRendezvous::OnExit(uint32_t warp, LaneMask live, Clocks* clocks, SyncEffects* effects) {
  for (size_t i = 0; i < open_.size();) {
    if ((open_[i].arrival.members & live & ~open_[i].arrived) != 0) {
      ++i;
      continue;
    }
    Open open = std::move(open_[i]);
    open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
    Complete(warp, std::move(open), clocks, effects);
  }
}

void WarpRendezvous::AppendWaits(std::vector<Wait>* waits) const {
  for (const Open& open : open_) {
    for (const LaneGroup& group : open.groups) {
      Wait wait;
      wait.group = group;
      wait.warp = open.arrival;
      wait.arrived = open.arrived;
      waits->push_back(wait);
    }
  }
}

}  // namespace racer
