#include "scheduler/cta_scheduler.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/check.h"
#include "scheduler/barriers.h"
#include "scheduler/clocks.h"
#include "scheduler/partings.h"
#include "scheduler/sync_report.h"
#include "scheduler/warp_groups.h"
#include "scheduler/warp_rendezvous.h"

namespace racer {
namespace {

// Within a warp the smallest rank runs first, which is what makes lanes reconverge. After so many slices without a
// rendezvous another group gets one, in case the first one spins for it.
constexpr uint32_t kSlicesBeforeOtherGroup = 16;

LaneMask LanesOfWarp(uint32_t warp, uint32_t thread_count) {
  uint32_t lanes = std::min(kWarpSize, thread_count - warp * kWarpSize);
  return lanes == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

}  // namespace

struct CtaScheduler::Impl {
  struct Warp {
    WarpGroups groups;
    WarpRendezvous rendezvous;
    Partings partings;
    uint32_t slices = 0;  // used up in a row with more than one group
  };

  Impl(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc, const Options& options)
      : options(options),
        thread_count(thread_count),
        clocks(thread_count),
        barriers(thread_count, &clocks),
        warps((thread_count + kWarpSize - 1) / kWarpSize),
        live(warps.size()),
        tracks_partings(options.partings != nullptr && !options.partings->empty()) {
    for (uint32_t w = 0; w < warps.size(); ++w) {
      live[w] = LanesOfWarp(w, thread_count);
      warps[w].groups.Start(rank_of_pc, live[w], entry_pc);
      if (tracks_partings) warps[w].partings.Start(options.partings, live[w]);
      runnable |= uint32_t{1} << w;
    }
    current = FirstRunnable();
    turn_warp = current;
    events_left = options.slice;
  }

  uint32_t FirstRunnable() const {
    return static_cast<uint32_t>(options.reverse_warps ? 31 - std::countl_zero(runnable) : std::countr_zero(runnable));
  }

  // The runnable warp after `turn_warp` in the direction of the options, cyclically.
  uint32_t NextInTurn() const {
    if (options.reverse_warps) {
      uint32_t below = runnable & ((uint32_t{1} << turn_warp) - 1);
      uint32_t from = below != 0 ? below : runnable;
      return static_cast<uint32_t>(31 - std::countl_zero(from));
    }
    uint32_t above = turn_warp == 31 ? 0 : runnable & (~uint32_t{0} << (turn_warp + 1));
    return static_cast<uint32_t>(std::countr_zero(above != 0 ? above : runnable));
  }

  // The present warp is blocked, has exited or has used up its slice.
  void SelectWarp() {
    if (((runnable >> current) & 1) != 0) {
      WarpGroups& groups = warps[current].groups;
      if (groups.count() == 1 || groups.has_preference()) {
        groups.ClearPreference();
        warps[current].slices = 0;
      } else if (++warps[current].slices >= kSlicesBeforeOtherGroup) {
        groups.PreferAnother();
      }
      turn_warp = NextInTurn();
      current = turn_warp;
    } else {
      current = FirstRunnable();
    }
    events_left = options.slice;
  }

  Step Next(LaneGroup* group) {
    if (fault.has_value()) [[unlikely]]
      return Step::kFault;
    if (((runnable >> current) & 1) == 0 || events_left == 0) [[unlikely]] {
      if (runnable == 0) return Finish();
      SelectWarp();
    }
    WarpGroups& groups = warps[current].groups;
    groups.Pick();
    *group = {current, groups.current_lanes(), groups.current_pc()};
    return Step::kRun;
  }

  // No lane can run: the end, or stuck.
  Step Finish() {
    if (std::all_of(live.begin(), live.end(), [](LaneMask lanes) { return lanes == 0; })) return Step::kDone;
    std::vector<Wait> waits;
    barriers.AppendWaits(live, &waits);
    for (const Warp& warp : warps) warp.rendezvous.AppendWaits(&waits);
    fault = ExplainStuck(waits, live);
    return Step::kFault;
  }

  // Lanes of the current group go their ways. Where the whole warp is together and stays so, nothing is to be noted.
  void Depart(std::span<const Partings::Way> ways, uint32_t from, uint32_t through) {
    Partings& partings = warps[current].partings;
    if (!partings.active() && ways.size() == 1 && ways[0].lanes == live[current]) return;
    if (from != kNowhere) partings.Part(from, ways);
    for (const Partings::Way& way : ways) {
      const bool returns = through != kNowhere && (from == kNowhere || way.pc != from + 1);
      Blame(current, partings.Reach(way.lanes, way.pc, returns ? through : kNowhere));
    }
  }

  // Lanes of a warp are past the aligned barrier that others of it wait at.
  void Blame(uint32_t warp, const std::optional<Partings::Missed>& missed) {
    if (!missed || fault) return;
    fault = ExplainMissed(warp, *missed);
  }

  // All that is left of a warp has come to an aligned barrier, perhaps.
  void CheckMissing(uint32_t warp) {
    if (!tracks_partings || fault) return;
    const Partings& partings = warps[warp].partings;
    Blame(warp, partings.Unclear());
    if (partings.lost() && partings.AllWait()) Blame(warp, partings.LiveLanes());
  }

  // Takes the current group off; its lanes outside `lanes` go on at next_pc.
  LaneGroup TakeArriving(LaneMask lanes, uint32_t next_pc) {
    RACER_CHECK(next_pc > 0 && !fault.has_value());
    WarpGroups& groups = warps[current].groups;
    LaneMask all = groups.TakeCurrent();
    RACER_CHECK((lanes & ~all) == 0);
    groups.Add(all & ~lanes, next_pc);
    return {current, lanes, next_pc - 1};
  }

  // Wakes the lanes whose rendezvous has taken place.
  void Apply() {
    if (tracks_partings) {
      // All at once: none of those that leave a barrier together has missed it.
      for (const LaneGroup& group : effects.woken) warps[group.warp].partings.StopWaiting(group.lanes);
    }
    for (const LaneGroup& group : effects.woken) {
      Warp& warp = warps[group.warp];
      warp.groups.Add(group.lanes, group.pc);
      warp.slices = 0;
      if (tracks_partings) {
        Blame(group.warp, warp.partings.Reach(group.lanes, group.pc));
      }
      runnable |= uint32_t{1} << group.warp;
    }
    effects.woken.clear();
    if (warps[current].groups.empty()) runnable &= ~(uint32_t{1} << current);
  }

  Options options;
  uint32_t thread_count;
  Clocks clocks;
  Barriers barriers;
  std::vector<Warp> warps;
  std::vector<LaneMask> live;  // by warp
  bool tracks_partings;
  uint32_t runnable = 0;     // bit w: warp w has a runnable lane
  uint32_t current = 0;      // warp
  uint32_t turn_warp = 0;    // the warp that got the last turn because a slice was used up
  uint32_t events_left = 0;  // of the slice
  SyncEffects effects;
  std::optional<SyncFault> fault;
};

CtaScheduler::CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc, const Options& options) {
  RACER_CHECK(thread_count >= 1 && thread_count <= kMaxCtaThreads && options.slice > 0);
  impl_ = std::make_unique<Impl>(thread_count, rank_of_pc, entry_pc, options);
  now_ = impl_->clocks.now_data();
  known_ = impl_->clocks.known_data();
}
CtaScheduler::CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc)
    : CtaScheduler(thread_count, rank_of_pc, entry_pc, Options{}) {}
CtaScheduler::~CtaScheduler() = default;

CtaScheduler::Step CtaScheduler::Next(LaneGroup* group) { return impl_->Next(group); }

void CtaScheduler::Goto(uint32_t pc, uint32_t from, uint32_t through) {
  Impl& impl = *impl_;
  impl.events_left -= impl.events_left != 0;
  WarpGroups& groups = impl.warps[impl.current].groups;
  if (impl.tracks_partings) {
    const Partings::Way way{groups.current_lanes(), pc};
    impl.Depart({&way, 1}, from, through);
  }
  groups.Goto(pc);
}

void CtaScheduler::Branch(LaneMask taken, uint32_t taken_pc, uint32_t not_taken_pc, uint32_t from) {
  WarpGroups& groups = impl_->warps[impl_->current].groups;
  LaneMask all = groups.current_lanes();
  if ((all & ~taken) == 0) return Goto(taken_pc, from);
  if ((all & taken) == 0) return Goto(not_taken_pc, from);
  impl_->events_left -= impl_->events_left != 0;
  if (impl_->tracks_partings) {
    const Partings::Way ways[] = {{all & taken, taken_pc}, {all & ~taken, not_taken_pc}};
    impl_->Depart(ways, from, kNowhere);
  }
  groups.TakeCurrent();
  groups.Add(all & taken, taken_pc);
  groups.Add(all & ~taken, not_taken_pc);
}

void CtaScheduler::Scatter(const uint32_t pc_of_lane[kWarpSize], uint32_t from, uint32_t through, const uint32_t* via) {
  impl_->events_left -= impl_->events_left != 0;
  WarpGroups& groups = impl_->warps[impl_->current].groups;
  const LaneMask all = groups.TakeCurrent();
  Partings::Way ways[kWarpSize];
  const auto split = [&](const uint32_t* pcs) {
    size_t count = 0;
    for (LaneMask rest = all; rest != 0;) {
      uint32_t pc = pcs[std::countr_zero(rest)];
      LaneMask together = 0;
      for (LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1) {
        if (pcs[std::countr_zero(lanes)] == pc) together |= lanes & ~(lanes - 1);
      }
      ways[count++] = {together, pc};
      rest &= ~together;
    }
    return count;
  };
  if (via != nullptr && impl_->tracks_partings) impl_->Depart({ways, split(via)}, from, through);
  const size_t count = split(pc_of_lane);
  for (size_t i = 0; i < count; ++i) groups.Add(ways[i].lanes, ways[i].pc);
  if (!impl_->tracks_partings) return;
  if (via == nullptr) return impl_->Depart({ways, count}, from, through);
  for (size_t i = 0; i < count; ++i) impl_->Blame(impl_->current, impl_->warps[impl_->current].partings.Reach(ways[i].lanes, ways[i].pc));
}

void CtaScheduler::Exit(LaneMask lanes, uint32_t next_pc) {
  Impl& impl = *impl_;
  RACER_CHECK(!impl.fault.has_value());
  uint32_t warp = impl.current;
  WarpGroups& groups = impl.warps[warp].groups;
  LaneMask all = groups.TakeCurrent();
  RACER_CHECK((lanes & ~all) == 0);
  groups.Add(all & ~lanes, next_pc);
  impl.live[warp] &= ~lanes;
  impl.fault = impl.barriers.OnExit(warp, lanes, impl.live, &impl.effects);
  if (impl.tracks_partings) {
    Partings& partings = impl.warps[warp].partings;
    partings.Exit(lanes);
    if (lanes != all) impl.Blame(warp, partings.Reach(all & ~lanes, next_pc));
    impl.CheckMissing(warp);
  }
  impl.warps[warp].rendezvous.OnExit(warp, impl.live[warp], &impl.clocks, &impl.effects);
  impl.Apply();
}

void CtaScheduler::ArriveBarrier(LaneMask lanes, const BarrierArrival& arrival, uint32_t next_pc) {
  Impl& impl = *impl_;
  const LaneMask all = impl.warps[impl.current].groups.current_lanes();
  LaneGroup group = impl.TakeArriving(lanes, next_pc);
  if (lanes != 0) impl.fault = impl.barriers.Arrive(group, arrival, impl.live, &impl.effects);
  if (impl.tracks_partings) {
    // Those that the guard holds back pass the barrier, if they are not at the end.
    const Partings::Way ways[] = {{lanes, group.pc}, {all & ~lanes, next_pc}};
    impl.warps[group.warp].partings.Part(group.pc, ways);
    impl.Blame(group.warp, impl.warps[group.warp].partings.Reach(all & ~lanes, next_pc));
    if (arrival.aligned) impl.Blame(group.warp, impl.warps[group.warp].partings.Wait(lanes, arrival.id, group.pc));
    impl.CheckMissing(group.warp);
  }
  impl.Apply();
}

void CtaScheduler::ArriveWarp(LaneMask lanes, const WarpArrival& arrival, uint32_t next_pc) {
  const LaneMask others = impl_->warps[impl_->current].groups.current_lanes() & ~lanes;
  LaneGroup group = impl_->TakeArriving(lanes, next_pc);
  if (impl_->tracks_partings) impl_->Blame(group.warp, impl_->warps[group.warp].partings.Reach(others, next_pc));
  LaneMask outside = lanes & ~arrival.members;
  if (outside != 0) {
    LaneGroup where{group.warp, outside, group.pc};
    impl_->fault =
        SyncFault{SyncFault::Kind::kNotInMask, ThreadNames(where) + " execute a .sync instruction whose member mask lacks them", {where}};
  } else if (lanes != 0) {
    impl_->warps[group.warp].rendezvous.Arrive(group, arrival, impl_->live[group.warp], &impl_->clocks, &impl_->effects);
  }
  impl_->Apply();
}

std::vector<Completion> CtaScheduler::TakeCompletions() {
  if (impl_->effects.completions.empty()) return {};
  return std::exchange(impl_->effects.completions, {});
}

const SyncFault& CtaScheduler::fault() const {
  RACER_CHECK(impl_->fault.has_value());
  return *impl_->fault;
}

bool CtaScheduler::ExitedBeforeBarrier(uint32_t thread) const { return impl_->barriers.ExitedBeforeBarrier(thread); }

uint32_t CtaScheduler::thread_count() const { return impl_->thread_count; }
LaneMask CtaScheduler::LiveLanes(uint32_t warp) const { return impl_->live[warp]; }

}  // namespace racer
