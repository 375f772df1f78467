#include "scheduler/barriers.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

using Kind = BarrierArrival::Kind;

std::string Name(const BarrierArrival& arrival) { return "barrier " + std::to_string(arrival.id); }

bool Reduces(Kind kind) { return kind == Kind::kReduce; }

std::string CountText(uint32_t count) { return count == 0 ? "no thread count" : "thread count " + std::to_string(count); }

}  // namespace

Barriers::Barriers(uint32_t thread_count, Clocks* clocks)
    : thread_count_(thread_count),
      warp_count_((thread_count + kWarpSize - 1) / kWarpSize),
      clocks_(clocks),
      exited_at_(thread_count, ~uint32_t{0}) {}

std::optional<SyncFault> Barriers::CheckArrival(const Barrier& barrier, const LaneGroup& group, const BarrierArrival& arrival) const {
  using Fault = SyncFault::Kind;
  if (arrival.kind == Kind::kArrive && arrival.count == 0) {
    return SyncFault{
        Fault::kBarrierCount, "bar.arrive on " + Name(arrival) + " by " + ThreadNames(group) + " without a thread count", {group}};
  }
  if (arrival.count % kWarpSize != 0) {
    return SyncFault{
        Fault::kBarrierCount, CountText(arrival.count) + " of " + Name(arrival) + " is not a multiple of the warp size", {group}};
  }
  if (arrival.count > warp_count_ * kWarpSize) {
    return SyncFault{
        Fault::kBarrierCount,
        CountText(arrival.count) + " of " + Name(arrival) + " exceeds the " + std::to_string(thread_count_) + " threads of the CTA",
        {group}};
  }
  if (barrier.arrivals.empty()) return std::nullopt;
  const Waiting& first = barrier.arrivals.front();
  if (Expected(first.arrival) != Expected(arrival)) {
    return SyncFault{Fault::kBarrierCount,
                     Name(arrival) + " used with " + CountText(arrival.count) + " by " + ThreadNames(group) + " and " +
                         CountText(first.arrival.count) + " by " + ThreadNames(first.group),
                     {group, first.group}};
  }
  if (Reduces(first.arrival.kind) != Reduces(arrival.kind)) {
    return SyncFault{Fault::kBarrierMixed,
                     Name(arrival) + " used by bar.red and by bar.sync or bar.arrive at once: " + ThreadNames(group) + " and " +
                         ThreadNames(first.group),
                     {group, first.group}};
  }
  if ((barrier.full_warps >> group.warp) & 1) {
    // Only after bar.arrive: the hardware counts the warp again, which the manual warns of without saying what follows.
    return SyncFault{Fault::kUnspecified, ThreadNames(group) + " arrive again at " + Name(arrival) + " before it has completed", {group}};
  }
  for (const Waiting& other : barrier.arrivals) {
    if (other.group.warp != group.warp || other.group.pc == group.pc) continue;
    if (!arrival.aligned && !other.arrival.aligned) continue;
    return SyncFault{
        Fault::kBarrierDivergence,
        Name(arrival) + " reached by one warp from different instructions: " + ThreadNames(group) + " and " + ThreadNames(other.group),
        {group, other.group}};
  }
  return std::nullopt;
}

std::optional<SyncFault> Barriers::Arrive(const LaneGroup& group, const BarrierArrival& arrival, std::span<const LaneMask> live,
                                          SyncEffects* effects) {
  if (arrival.id >= kBarrierIds) {
    return SyncFault{SyncFault::Kind::kBarrierId,
                     Name(arrival) + " used by " + ThreadNames(group) + " does not exist: identifiers are 0 to 15",
                     {group}};
  }
  Barrier& barrier = barriers_[arrival.id];
  if (std::optional<SyncFault> fault = CheckArrival(barrier, group, arrival)) return fault;
  RACER_CHECK((barrier.arrived[group.warp] & group.lanes) == 0);  // lanes that have arrived wait at least for their warp
  barrier.arrivals.push_back({group, arrival, barrier.arrivals.size()});
  barrier.arrived[group.warp] |= group.lanes;
  open_ |= uint32_t{1} << arrival.id;
  if (barrier.arrived[group.warp] != live[group.warp]) return std::nullopt;
  if (std::optional<SyncFault> fault = MarkWarp(&barrier, group.warp, live, effects)) return fault;
  if (IsComplete(barrier, live)) Complete(&barrier, effects);
  return std::nullopt;
}

// An arrival that nothing orders after the last use of the barrier could be part of that use under another schedule. Here
// an exit orders, because what matters is when instructions execute and not what memory they see.
bool Barriers::OrderedAfterLastUse(const Barrier& barrier, uint32_t warp) const {
  if (barrier.last == nullptr || ((barrier.last_waited >> warp) & 1) != 0) return true;
  for (LaneMask rest = barrier.arrived[warp]; rest != 0; rest &= rest - 1) {
    uint32_t thread = warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest));
    bool ordered = true;
    for (uint32_t w = 0; w < warp_count_ && ordered; ++w) {
      for (LaneMask lanes = barrier.last_arrived[w]; lanes != 0 && ordered; lanes &= lanes - 1) {
        uint32_t other = w * kWarpSize + static_cast<uint32_t>(std::countr_zero(lanes));
        ordered = clocks_->Ordered({other, barrier.last->times[other]}, thread) || ExitedBeforeBarrier(other);
      }
    }
    if (ordered) return true;  // the warp's arrival is complete only with its last lane
  }
  return false;
}

std::optional<SyncFault> Barriers::MarkWarp(Barrier* barrier, uint32_t warp, std::span<const LaneMask> live, SyncEffects* effects) {
  if (!OrderedAfterLastUse(*barrier, warp)) {
    SyncFault fault{SyncFault::Kind::kBarrierPairing, {}, {}};
    std::vector<LaneGroup> last;
    last.reserve(warp_count_);
    for (const Waiting& waiting : barrier->arrivals) {
      if (waiting.group.warp == warp) fault.where.push_back(waiting.group);
    }
    for (uint32_t w = 0; w < warp_count_; ++w) last.push_back({w, barrier->last_arrived[w], 0});
    fault.message = "which threads meet at " + Name(barrier->arrivals.front().arrival) +
                    " depends on timing: nothing orders the arrival of " + ThreadNames(fault.where) + " after its use by " +
                    ThreadNames(last);
    return fault;
  }
  barrier->full_warps |= uint32_t{1} << warp;
  clocks_->Release(warp, barrier->arrived[warp], &barrier->published);
  for (const Waiting& waiting : barrier->arrivals) {
    if (waiting.group.warp == warp && waiting.arrival.kind == Kind::kArrive) {
      effects->woken.push_back({warp, waiting.group.lanes, waiting.group.pc + 1});
    }
  }
  return std::nullopt;
}

bool Barriers::IsComplete(const Barrier& barrier, std::span<const LaneMask> live) const {
  if (barrier.full_warps == 0) return false;
  const bool counted = std::all_of(barrier.arrivals.begin(), barrier.arrivals.end(), [](const Waiting& w) { return w.arrival.count != 0; });
  uint32_t expected = Expected(barrier.arrivals.front().arrival);
  if (static_cast<uint32_t>(std::popcount(barrier.full_warps)) * kWarpSize >= expected) return true;
  if (counted) return false;
  for (uint32_t w = 0; w < warp_count_; ++w) {
    if (live[w] != 0 && ((barrier.full_warps >> w) & 1) == 0) return false;
  }
  return true;
}

void Barriers::Complete(Barrier* barrier, SyncEffects* effects) {
  Completion completion;
  completion.is_barrier = true;
  completion.barrier = barrier->arrivals.front().arrival;
  std::sort(barrier->arrivals.begin(), barrier->arrivals.end(), [](const Waiting& a, const Waiting& b) {
    return a.group.warp != b.group.warp ? a.group.warp < b.group.warp : a.order < b.order;
  });
  if (barrier->last != nullptr) clocks_->Drop(barrier->last);
  barrier->last = clocks_->Join(&barrier->published);
  barrier->last_arrived = {};
  barrier->last_waited = 0;
  bool counted = true;
  std::vector<Waiting> rest;
  for (const Waiting& waiting : barrier->arrivals) {
    const LaneGroup& group = waiting.group;
    if (((barrier->full_warps >> group.warp) & 1) == 0) {
      rest.push_back(waiting);  // part of a warp, for the next use
      continue;
    }
    counted = counted && waiting.arrival.count != 0;
    barrier->last_arrived[group.warp] |= group.lanes;
    if (waiting.arrival.kind == Kind::kArrive) continue;
    completion.barrier = waiting.arrival;
    clocks_->Acquire(group.warp, group.lanes, barrier->last);
    barrier->last_waited |= uint32_t{1} << group.warp;
    effects->woken.push_back({group.warp, group.lanes, group.pc + 1});
    completion.arrivals.push_back(group);
  }
  barrier->arrivals = std::move(rest);
  barrier->arrived = {};
  for (const Waiting& waiting : barrier->arrivals) barrier->arrived[waiting.group.warp] |= waiting.group.lanes;
  barrier->full_warps = 0;
  if (barrier->arrivals.empty()) open_ &= ~(uint32_t{1} << completion.barrier.id);
  if (!counted) ++full_completions_;
  effects->completions.push_back(std::move(completion));
}

std::optional<SyncFault> Barriers::OnExit(uint32_t warp, LaneMask exited, std::span<const LaneMask> live, SyncEffects* effects) {
  for (LaneMask rest = exited; rest != 0; rest &= rest - 1) {
    exited_at_[warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest))] = full_completions_;
  }
  for (uint32_t open = open_; open != 0; open &= open - 1) {
    Barrier& barrier = barriers_[static_cast<uint32_t>(std::countr_zero(open))];
    bool marked = ((barrier.full_warps >> warp) & 1) != 0;
    if (!marked && live[warp] != 0 && barrier.arrived[warp] == live[warp]) {
      if (std::optional<SyncFault> fault = MarkWarp(&barrier, warp, live, effects)) return fault;
    }
    if (IsComplete(barrier, live)) Complete(&barrier, effects);
  }
  return std::nullopt;
}

void Barriers::AppendWaits(std::span<const LaneMask> live, std::vector<Wait>* waits) const {
  for (const Barrier& barrier : barriers_) {
    uint32_t exited = 0;
    for (uint32_t w = 0; w < warp_count_; ++w) {
      if (live[w] == 0 && ((barrier.full_warps >> w) & 1) == 0) exited += kWarpSize;
    }
    for (const Waiting& waiting : barrier.arrivals) {
      bool went_on = waiting.arrival.kind == Kind::kArrive && ((barrier.full_warps >> waiting.group.warp) & 1) != 0;
      if (went_on) continue;
      Wait wait;
      wait.group = waiting.group;
      wait.is_barrier = true;
      wait.barrier = waiting.arrival;
      wait.arrived = barrier.arrived[waiting.group.warp];
      wait.threads_arrived = static_cast<uint32_t>(std::popcount(barrier.full_warps)) * kWarpSize;
      wait.threads_exited = exited;
      waits->push_back(wait);
    }
  }
}

}  // namespace racer
