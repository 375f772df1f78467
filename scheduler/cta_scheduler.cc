#include "scheduler/cta_scheduler.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "scheduler/clocks.h"

namespace racer {
namespace {

constexpr uint32_t kBarrierCountLimit = 16;

// "threads 0-31, 40"
std::string NameThreads(const std::vector<LaneGroup>& groups) {
  std::set<uint32_t> threads;
  for (const LaneGroup& group : groups) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((group.lanes >> lane) & 1) threads.insert(group.warp * kWarpSize + lane);
    }
  }
  std::string text = threads.size() == 1 ? "thread " : "threads ";
  bool first = true;
  for (auto it = threads.begin(); it != threads.end();) {
    uint32_t begin = *it;
    uint32_t end = begin;
    for (++it; it != threads.end() && *it == end + 1; ++it) ++end;
    if (!first) text += ", ";
    first = false;
    text += std::to_string(begin);
    if (end != begin) text += "-" + std::to_string(end);
  }
  return text;
}

}  // namespace

struct CtaScheduler::Impl {
  struct Warp {
    LaneMask live = 0;
    std::vector<LaneGroup> runnable;
  };
  // Lanes that have arrived somewhere. Those of bar.arrive go on running.
  struct BarrierWaiter {
    LaneGroup group;
    BarrierArrival arrival;
    uint32_t next_pc = 0;
    std::vector<Clocks::Published> published;
  };
  struct Barrier {
    std::vector<BarrierWaiter> waiters;
    // Warps of the last completed use, with an epoch that only threads ordered after its completion know.
    std::vector<std::pair<uint32_t, Epoch>> last_use;
    bool last_counted = false;
  };
  struct WarpWaiter {
    LaneGroup group;
    WarpArrival arrival;
    uint32_t next_pc = 0;
  };

  Impl(uint32_t thread_count, std::span<const uint32_t> ranks, uint32_t entry_pc, const Options& options_in)
      : threads(thread_count), rank(ranks), options(options_in), clocks(thread_count), barriers(kBarrierCountLimit) {
    warps.resize((thread_count + kWarpSize - 1) / kWarpSize);
    for (uint32_t w = 0; w < warps.size(); ++w) {
      uint32_t lanes = std::min(kWarpSize, thread_count - w * kWarpSize);
      warps[w].live = lanes == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
      warps[w].runnable.push_back({w, warps[w].live, entry_pc});
    }
    current = options.reverse_warps ? static_cast<uint32_t>(warps.size()) - 1 : 0;
  }

  // --- groups
  void AddRunnable(uint32_t w, LaneMask lanes, uint32_t pc) {
    if (lanes == 0) return;
    for (LaneGroup& group : warps[w].runnable) {
      if (group.pc == pc) {
        group.lanes |= lanes;
        return;
      }
    }
    warps[w].runnable.push_back({w, lanes, pc});
  }

  // Takes the running group off its warp's list.
  LaneGroup TakeRunning() {
    std::vector<LaneGroup>& groups = warps[current].runnable;
    RACER_CHECK(running < groups.size());
    LaneGroup group = groups[running];
    groups[running] = groups.back();
    groups.pop_back();
    return group;
  }

  size_t Smallest(const Warp& warp) const {
    size_t best = 0;
    for (size_t i = 1; i < warp.runnable.size(); ++i) {
      uint32_t a = warp.runnable[i].pc;
      uint32_t b = warp.runnable[best].pc;
      if (rank[a] < rank[b] || (rank[a] == rank[b] && a < b)) best = i;
    }
    return best;
  }

  Step Next(LaneGroup* out) {
    if (fault.has_value()) return Step::kFault;
    Warp& warp = warps[current];
    if (warp.runnable.empty() || turns >= options.slice) {
      turns = 0;
      uint32_t n = static_cast<uint32_t>(warps.size());
      uint32_t step = options.reverse_warps ? n - 1 : 1;
      uint32_t w = (current + step) % n;
      for (uint32_t i = 0; i < n && warps[w].runnable.empty(); ++i) w = (w + step) % n;
      if (warps[w].runnable.empty()) return Stuck();
      current = w;
    }
    running = warps[current].runnable.size() == 1 ? 0 : Smallest(warps[current]);
    *out = warps[current].runnable[running];
    return Step::kRun;
  }

  // --- barriers
  // Lanes of a warp that have arrived at a barrier in its present use.
  LaneMask Arrived(const Barrier& barrier, uint32_t w) const {
    LaneMask lanes = 0;
    for (const BarrierWaiter& waiter : barrier.waiters) {
      if (waiter.group.warp == w) lanes |= waiter.group.lanes;
    }
    return lanes;
  }

  void Fault(SyncFault::Kind kind, std::string message, std::vector<LaneGroup> where) {
    if (fault.has_value()) return;
    fault = SyncFault{kind, std::move(message), std::move(where)};
  }

  void ArriveBarrier(LaneMask lanes, const BarrierArrival& arrival, uint32_t next_pc) {
    LaneGroup group = TakeRunning();
    AddRunnable(group.warp, group.lanes & ~lanes, next_pc);
    group.lanes &= lanes;
    if (group.lanes == 0) return;
    std::string name = "barrier " + std::to_string(arrival.id);
    if (arrival.id >= kBarrierCountLimit) {
      return Fault(SyncFault::Kind::kBarrierId, name + " does not exist: identifiers are 0 to 15", {group});
    }
    Barrier& barrier = barriers[arrival.id];
    uint32_t rounded = static_cast<uint32_t>(warps.size()) * kWarpSize;
    if (arrival.count % kWarpSize != 0) {
      return Fault(SyncFault::Kind::kBarrierCount, "thread count " + std::to_string(arrival.count) + " of " + name + " is not a multiple of the warp size", {group});
    }
    if (arrival.kind == BarrierArrival::Kind::kArrive && arrival.count == 0) {
      return Fault(SyncFault::Kind::kBarrierCount, "bar.arrive on " + name + " without a thread count", {group});
    }
    if (arrival.count > rounded) {
      return Fault(SyncFault::Kind::kDeadlock,
                   name + " waits for " + std::to_string(arrival.count) + " threads, and the CTA has " + std::to_string(threads), {group});
    }
    if (!barrier.waiters.empty() && barrier.waiters.front().arrival.count != arrival.count) {
      return Fault(SyncFault::Kind::kBarrierCount,
                   name + " is used with thread counts " + std::to_string(barrier.waiters.front().arrival.count) + " and " +
                       std::to_string(arrival.count) + " at once",
                   {group, barrier.waiters.front().group});
    }
    if ((Arrived(barrier, group.warp) & group.lanes) != 0) {
      return Fault(SyncFault::Kind::kBarrierCount, NameThreads({group}) + " arrive twice in one use of " + name, {group});
    }
    if (arrival.count != 0 && !CheckPairing(barrier, group, arrival)) return;
    BarrierWaiter waiter{group, arrival, next_pc, {}};
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((group.lanes >> lane) & 1) waiter.published.push_back(clocks.Release(group.warp * kWarpSize + lane));
    }
    if (arrival.kind == BarrierArrival::Kind::kArrive) AddRunnable(group.warp, group.lanes, next_pc);
    barrier.waiters.push_back(std::move(waiter));
    CompleteBarrier(arrival.id);
  }

  // A warp outside the last use must be ordered after its completion, or it could have been part of it under another
  // schedule and which warps meet is a matter of timing.
  bool CheckPairing(const Barrier& barrier, const LaneGroup& group, const BarrierArrival& arrival) {
    if (!barrier.last_counted || barrier.last_use.empty()) return true;
    uint32_t thread = group.warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(group.lanes));
    bool ordered = false;
    for (const auto& [warp, epoch] : barrier.last_use) {
      if (warp == group.warp) return true;
      ordered = ordered || clocks.Ordered(epoch, thread);
    }
    if (ordered) return true;
    Fault(SyncFault::Kind::kBarrierCount,
          "which warps meet at barrier " + std::to_string(arrival.id) + " depends on timing: " + NameThreads({group}) +
              " arrive unordered with an earlier use of it by other warps",
          {group});
    return false;
  }

  void CompleteBarrier(uint32_t id) {
    Barrier& barrier = barriers[id];
    if (barrier.waiters.empty()) return;
    uint32_t count = barrier.waiters.front().arrival.count;
    uint32_t full_warps = 0;
    for (uint32_t w = 0; w < warps.size(); ++w) {
      LaneMask arrived = Arrived(barrier, w);
      bool full = (warps[w].live & ~arrived) == 0;
      if (arrived != 0 && full) ++full_warps;
      if (count == 0 && !full) return;
    }
    if (count != 0 && full_warps * kWarpSize < count) return;
    // Part of a warp never completes a barrier: the rest arrives, leaves, or the CTA gets stuck.
    std::vector<BarrierWaiter> waiters;
    std::vector<BarrierWaiter> rest;
    for (BarrierWaiter& waiter : barrier.waiters) {
      bool full = (warps[waiter.group.warp].live & ~Arrived(barrier, waiter.group.warp)) == 0;
      (full ? waiters : rest).push_back(std::move(waiter));
    }
    if (count != 0 && !rest.empty()) {
      std::vector<LaneGroup> where;
      for (const BarrierWaiter& waiter : rest) where.push_back(waiter.group);
      barrier.waiters = std::move(rest);
      return Fault(SyncFault::Kind::kBarrierCount, "more warps than its thread count arrive at barrier " + std::to_string(id), std::move(where));
    }
    for (size_t i = 0; i < waiters.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (waiters[i].group.warp != waiters[j].group.warp || waiters[i].group.pc == waiters[j].group.pc) continue;
        if (!waiters[i].arrival.aligned && !waiters[j].arrival.aligned) continue;
        return Fault(SyncFault::Kind::kBarrierDivergence,
                     "lanes of one warp meet at barrier " + std::to_string(id) + " from different instructions: " +
                         NameThreads({waiters[j].group}) + " and " + NameThreads({waiters[i].group}),
                     {waiters[i].group, waiters[j].group});
      }
    }
    std::vector<Clocks::Published> published;
    for (const BarrierWaiter& waiter : waiters) published.insert(published.end(), waiter.published.begin(), waiter.published.end());
    Clocks::Snapshot joined = clocks.Join(published);
    Completion completion;
    completion.is_barrier = true;
    completion.barrier = waiters.front().arrival;
    barrier.waiters.clear();
    barrier.last_use.clear();
    barrier.last_counted = count != 0;
    for (const BarrierWaiter& waiter : waiters) {
      completion.arrivals.push_back(waiter.group);
      uint32_t thread = waiter.group.warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(waiter.group.lanes));
      if (waiter.arrival.kind == BarrierArrival::Kind::kArrive) {
        barrier.last_use.push_back({waiter.group.warp, waiter.published.front().self});
        continue;
      }
      completion.barrier.kind = waiter.arrival.kind;
      for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
        if ((waiter.group.lanes >> lane) & 1) clocks.Acquire(waiter.group.warp * kWarpSize + lane, joined);
      }
      barrier.last_use.push_back({waiter.group.warp, {thread, clocks.now(thread)}});
      AddRunnable(waiter.group.warp, waiter.group.lanes, waiter.next_pc);
    }
    completions.push_back(std::move(completion));
  }

  // --- rendezvous of a warp
  void ArriveWarp(LaneMask lanes, const WarpArrival& arrival, uint32_t next_pc) {
    LaneGroup group = TakeRunning();
    AddRunnable(group.warp, group.lanes & ~lanes, next_pc);
    group.lanes &= lanes;
    if (group.lanes == 0) return;
    if ((group.lanes & ~arrival.members) != 0) {
      LaneGroup outside = group;
      outside.lanes &= ~arrival.members;
      return Fault(SyncFault::Kind::kNotInMask, NameThreads({outside}) + " execute a .sync instruction whose member mask lacks them", {group});
    }
    warp_waiters.push_back({group, arrival, next_pc});
    CompleteWarp(group.warp);
  }

  void CompleteWarp(uint32_t w) {
    for (size_t i = 0; i < warp_waiters.size(); ++i) {
      if (warp_waiters[i].group.warp != w) continue;
      const WarpArrival arrival = warp_waiters[i].arrival;
      LaneMask arrived = 0;
      auto together = [&](const WarpWaiter& waiter) {
        return waiter.group.warp == w && waiter.arrival.members == arrival.members && waiter.arrival.key == arrival.key;
      };
      for (const WarpWaiter& waiter : warp_waiters) {
        if (together(waiter)) arrived |= waiter.group.lanes;
      }
      if ((arrival.members & warps[w].live & ~arrived) != 0) continue;
      Completion completion;
      completion.warp = arrival;
      std::vector<WarpWaiter> left;
      std::vector<WarpWaiter> leaving;
      for (WarpWaiter& waiter : warp_waiters) (together(waiter) ? leaving : left).push_back(waiter);
      warp_waiters = std::move(left);
      if (arrival.orders_memory) {
        std::vector<Clocks::Published> published;
        for (const WarpWaiter& waiter : leaving) {
          for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
            if ((waiter.group.lanes >> lane) & 1) published.push_back(clocks.Release(w * kWarpSize + lane));
          }
        }
        Clocks::Snapshot joined = clocks.Join(published);
        for (const Clocks::Published& entry : published) clocks.Acquire(entry.self.thread, joined);
      }
      for (const WarpWaiter& waiter : leaving) {
        completion.arrivals.push_back(waiter.group);
        AddRunnable(w, waiter.group.lanes, waiter.next_pc);
      }
      completions.push_back(std::move(completion));
      return CompleteWarp(w);  // a warp has at most 32 rendezvous open
    }
  }

  void Exit(LaneMask lanes, uint32_t next_pc) {
    LaneGroup group = TakeRunning();
    AddRunnable(group.warp, group.lanes & ~lanes, next_pc);
    warps[group.warp].live &= ~(group.lanes & lanes);
    for (uint32_t id = 0; id < barriers.size(); ++id) CompleteBarrier(id);
    if (!warp_waiters.empty()) CompleteWarp(group.warp);
  }

  // Nothing can run: the end, or a fault that says why not.
  Step Stuck() {
    bool done = std::all_of(warps.begin(), warps.end(), [](const Warp& warp) { return warp.live == 0; });
    if (done) return Step::kDone;
    std::vector<LaneGroup> blocked;
    std::string waits;
    for (uint32_t id = 0; id < barriers.size(); ++id) {
      const Barrier& barrier = barriers[id];
      for (const BarrierWaiter& waiter : barrier.waiters) {
        if (waiter.arrival.kind == BarrierArrival::Kind::kArrive) continue;
        LaneMask missing = warps[waiter.group.warp].live & ~Arrived(barrier, waiter.group.warp);
        if (waiter.arrival.aligned && missing != 0) {
          LaneGroup elsewhere{waiter.group.warp, missing, waiter.group.pc};
          for (const WarpWaiter& other : warp_waiters) {
            if (other.group.warp == waiter.group.warp && (other.group.lanes & missing) != 0) elsewhere.pc = other.group.pc;
          }
          for (const Barrier& other : barriers) {
            for (const BarrierWaiter& w : other.waiters) {
              if (&other != &barrier && w.group.warp == waiter.group.warp && (w.group.lanes & missing) != 0) elsewhere.pc = w.group.pc;
            }
          }
          Fault(SyncFault::Kind::kBarrierDivergence,
                "barrier " + std::to_string(id) + " reached by part of a warp: " + NameThreads({waiter.group}) + " wait there, " +
                    NameThreads({elsewhere}) + " do not come",
                {waiter.group, elsewhere});
        }
        blocked.push_back(waiter.group);
        waits += (waits.empty() ? "" : "; ") + NameThreads({waiter.group}) + " wait at barrier " + std::to_string(id);
        if (waiter.arrival.count != 0) waits += " for " + std::to_string(waiter.arrival.count) + " threads";
      }
    }
    bool mismatch = false;
    for (const WarpWaiter& waiter : warp_waiters) {
      blocked.push_back(waiter.group);
      waits += (waits.empty() ? "" : "; ") + NameThreads({waiter.group}) + " wait for the lanes of a member mask";
      for (const WarpWaiter& other : warp_waiters) {
        bool differs = other.arrival.members != waiter.arrival.members || other.arrival.key != waiter.arrival.key;
        mismatch = mismatch || (other.group.warp == waiter.group.warp && differs && (other.group.lanes & waiter.arrival.members) != 0);
      }
    }
    if (mismatch) Fault(SyncFault::Kind::kMaskMismatch, "lanes of one warp wait for each other with different masks or instructions: " + waits, blocked);
    Fault(SyncFault::Kind::kDeadlock, "deadlock: " + waits, blocked);
    return Step::kFault;
  }

  uint32_t threads;
  std::span<const uint32_t> rank;
  Options options;
  Clocks clocks;
  std::vector<Warp> warps;
  std::vector<Barrier> barriers;
  std::vector<WarpWaiter> warp_waiters;
  std::vector<Completion> completions;
  std::optional<SyncFault> fault;
  uint32_t current = 0;  // warp
  size_t running = 0;    // index in its runnable groups
  uint32_t turns = 0;
};

CtaScheduler::CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc, const Options& options)
    : impl_(std::make_unique<Impl>(thread_count, rank_of_pc, entry_pc, options)) {}
CtaScheduler::CtaScheduler(uint32_t thread_count, std::span<const uint32_t> rank_of_pc, uint32_t entry_pc)
    : CtaScheduler(thread_count, rank_of_pc, entry_pc, Options{}) {}
CtaScheduler::~CtaScheduler() = default;

CtaScheduler::Step CtaScheduler::Next(LaneGroup* group) { return impl_->Next(group); }

void CtaScheduler::Goto(uint32_t pc) {
  ++impl_->turns;
  std::vector<LaneGroup>& groups = impl_->warps[impl_->current].runnable;
  if (groups.size() == 1) {
    groups[0].pc = pc;
    return;
  }
  LaneGroup group = impl_->TakeRunning();
  impl_->AddRunnable(group.warp, group.lanes, pc);
}

void CtaScheduler::Branch(LaneMask taken, uint32_t taken_pc, uint32_t not_taken_pc) {
  ++impl_->turns;
  LaneGroup group = impl_->TakeRunning();
  impl_->AddRunnable(group.warp, group.lanes & taken, taken_pc);
  impl_->AddRunnable(group.warp, group.lanes & ~taken, not_taken_pc);
}

void CtaScheduler::Scatter(const uint32_t pc_of_lane[kWarpSize]) {
  ++impl_->turns;
  LaneGroup group = impl_->TakeRunning();
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((group.lanes >> lane) & 1) impl_->AddRunnable(group.warp, LaneMask{1} << lane, pc_of_lane[lane]);
  }
}

void CtaScheduler::Exit(LaneMask lanes, uint32_t next_pc) { impl_->Exit(lanes, next_pc); }
void CtaScheduler::ArriveBarrier(LaneMask lanes, const BarrierArrival& arrival, uint32_t next_pc) {
  impl_->ArriveBarrier(lanes, arrival, next_pc);
}
void CtaScheduler::ArriveWarp(LaneMask lanes, const WarpArrival& arrival, uint32_t next_pc) { impl_->ArriveWarp(lanes, arrival, next_pc); }

std::vector<Completion> CtaScheduler::TakeCompletions() {
  if (impl_->completions.empty()) return {};
  return std::exchange(impl_->completions, {});
}

const SyncFault& CtaScheduler::fault() const {
  RACER_CHECK(impl_->fault.has_value());
  return *impl_->fault;
}

Epoch CtaScheduler::Now(uint32_t thread) const { return {thread, impl_->clocks.now(thread)}; }
bool CtaScheduler::Ordered(Epoch earlier, uint32_t thread) const { return impl_->clocks.Ordered(earlier, thread); }
uint32_t CtaScheduler::thread_count() const { return impl_->threads; }
LaneMask CtaScheduler::LiveLanes(uint32_t warp) const { return impl_->warps[warp].live; }

}  // namespace racer
