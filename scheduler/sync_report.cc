#include "scheduler/sync_report.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/check.h"

namespace racer {
namespace {

std::string Hex(uint32_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(value >> shift) & 15];
  return text;
}

// "at barrier 1 for 64 threads, of which 32 have arrived", "for lanes 16-31 of warp 0 ..."
std::string WhatFor(const Wait& wait, std::span<const LaneMask> live) {
  LaneMask missing = live[wait.group.warp] & ~wait.arrived;
  if (!wait.is_barrier) {
    return "for " + ThreadNames(LaneGroup{wait.group.warp, missing & wait.warp.members, 0}) + " (member mask " + Hex(wait.warp.members) +
           ")";
  }
  std::string text = "at barrier " + std::to_string(wait.barrier.id);
  if (missing != 0) return text + " for the rest of their warp";
  if (wait.barrier.count == 0) return text + " for every thread that has not exited";
  return text + " for " + std::to_string(wait.barrier.count) + " threads, of which " + std::to_string(wait.threads_arrived) + " have come";
}

// "threads 0-31 wait"
std::string ThreadsWait(std::span<const LaneGroup> groups) {
  uint32_t total = 0;
  for (const LaneGroup& group : groups) total += static_cast<uint32_t>(std::popcount(group.lanes));
  return ThreadNames(groups) + (total == 1 ? " waits" : " wait");
}
std::string ThreadsWait(const LaneGroup& group) { return ThreadsWait(std::span<const LaneGroup>(&group, 1)); }

// Part of a warp waits at an aligned barrier and the rest of the warp elsewhere.
std::optional<SyncFault> FindDivergence(std::span<const Wait> waits, std::span<const LaneMask> live) {
  for (const Wait& wait : waits) {
    if (!wait.is_barrier || !wait.barrier.aligned) continue;
    LaneMask missing = live[wait.group.warp] & ~wait.arrived;
    if (missing == 0) continue;
    SyncFault fault{SyncFault::Kind::kBarrierDivergence, {}, {wait.group}};
    fault.message = "barrier " + std::to_string(wait.barrier.id) + " reached by part of a warp: " + ThreadsWait(wait.group) + " there";
    for (const Wait& other : waits) {
      if (other.group.warp != wait.group.warp || (other.group.lanes & missing) == 0) continue;
      fault.where.push_back(other.group);
      fault.message += ", " + ThreadsWait(other.group) + " " + WhatFor(other, live);
    }
    return fault;
  }
  return std::nullopt;
}

// Rendezvous of one warp that wait for each other in a circle.
std::optional<SyncFault> FindMismatch(std::span<const Wait> waits, std::span<const LaneMask> live) {
  for (uint32_t warp = 0; warp < live.size(); ++warp) {
    std::vector<const Wait*> here;
    for (const Wait& wait : waits) {
      if (wait.group.warp == warp && !wait.is_barrier) here.push_back(&wait);
    }
    RACER_CHECK(here.size() <= kWarpSize);
    // needs[i]: bit j if i waits for a lane that waits in j; then its transitive closure.
    std::array<uint32_t, kWarpSize> needs{};
    auto same = [](const Wait& a, const Wait& b) { return a.warp.members == b.warp.members && a.warp.key == b.warp.key; };
    for (size_t i = 0; i < here.size(); ++i) {
      LaneMask missing = live[warp] & here[i]->warp.members & ~here[i]->arrived;
      for (size_t j = 0; j < here.size(); ++j) {
        if ((here[j]->group.lanes & missing) != 0 && !same(*here[i], *here[j])) needs[i] |= uint32_t{1} << j;
      }
    }
    // Arrivals at one rendezvous wait for the same lanes, and for all of it.
    for (size_t k = 0; k < here.size(); ++k) {
      for (size_t i = 0; i < here.size(); ++i) {
        if ((needs[i] >> k) & 1) needs[i] |= needs[k];
      }
    }
    for (size_t i = 0; i < here.size(); ++i) {
      if (!((needs[i] >> i) & 1)) continue;
      SyncFault fault{SyncFault::Kind::kMaskMismatch, "lanes of one warp wait for each other and cannot meet: ", {}};
      bool first = true;
      for (size_t j = 0; j < here.size(); ++j) {
        bool in_circle = ((needs[i] >> j) & 1) != 0 && ((needs[j] >> i) & 1) != 0;
        if (!in_circle) continue;
        fault.message += (first ? "" : "; ") + ThreadsWait(here[j]->group) + " " + WhatFor(*here[j], live);
        fault.where.push_back(here[j]->group);
        first = false;
      }
      return fault;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string ThreadNames(std::span<const LaneGroup> groups) {
  std::array<LaneMask, kMaxCtaWarps> lanes{};
  uint32_t total = 0;
  for (const LaneGroup& group : groups) lanes[group.warp] |= group.lanes;
  for (LaneMask mask : lanes) total += static_cast<uint32_t>(std::popcount(mask));
  auto in = [&](uint32_t t) { return ((lanes[t / kWarpSize] >> (t % kWarpSize)) & 1) != 0; };
  std::string text = total == 1 ? "thread " : "threads ";
  bool first = true;
  for (uint32_t t = 0; t < kMaxCtaThreads; ++t) {
    if (!in(t)) continue;
    uint32_t end = t;
    while (end + 1 < kMaxCtaThreads && in(end + 1)) ++end;
    text += (first ? "" : ", ") + std::to_string(t) + (end == t ? "" : "-" + std::to_string(end));
    first = false;
    t = end;
  }
  return text;
}

std::string ThreadNames(const LaneGroup& group) { return ThreadNames(std::span<const LaneGroup>(&group, 1)); }

SyncFault ExplainMissed(uint32_t warp, const Partings::Missed& missed) {
  const LaneGroup waiting{warp, missed.waiting, missed.barrier_pc}, others{warp, missed.others, missed.pc};
  const std::string barrier = "barrier " + std::to_string(missed.barrier);
  if (missed.others == 0) {
    return {SyncFault::Kind::kUnspecified,
            "lanes of one warp ran apart for too long to tell whether all that should come to " + barrier + " with " + ThreadNames(waiting),
            {waiting}};
  }
  if (missed.pc == Partings::kNowhere) {
    return {SyncFault::Kind::kUnspecified,
            ThreadNames(waiting) + " come to " + barrier + ", which is aligned, without " + ThreadNames(others) +
                " of their warp, which parted from them with more than the exit ahead; whether it may be used so is not specified",
            {waiting}};
  }
  return {SyncFault::Kind::kBarrierDivergence,
          barrier + " reached by part of a warp: " + ThreadsWait(waiting) + " there, " + ThreadNames(others) +
              (std::has_single_bit(missed.others) ? " has" : " have") + " gone past it",
          {waiting, others}};
}

SyncFault ExplainStuck(std::span<const Wait> waits, std::span<const LaneMask> live) {
  // Most specific first: a circle of masks and a split warp explain themselves; the rest is a list.
  if (std::optional<SyncFault> fault = FindMismatch(waits, live)) return *fault;
  if (std::optional<SyncFault> fault = FindDivergence(waits, live)) return *fault;
  SyncFault fault{SyncFault::Kind::kDeadlock, "deadlock: ", {}};
  for (const Wait& wait : waits) {
    fault.where.push_back(wait.group);
    // The manual says what exited threads count for only where all threads of the CTA take part.
    bool full_warp = (live[wait.group.warp] & ~wait.arrived) == 0;
    if (wait.is_barrier && wait.barrier.count != 0 && full_warp && wait.threads_arrived + wait.threads_exited >= wait.barrier.count) {
      return {SyncFault::Kind::kUnspecified,
              ThreadsWait(wait.group) + " " + WhatFor(wait, live) + "; whether the " + std::to_string(wait.threads_exited) +
                  " threads of warps that exited count as well is not specified",
              {wait.group}};
    }
  }
  // Waits of the same kind at the same pc in several warps make one phrase.
  std::vector<bool> named(waits.size());
  bool first = true;
  for (size_t i = 0; i < waits.size(); ++i) {
    if (named[i]) continue;
    std::string what = WhatFor(waits[i], live);
    std::vector<LaneGroup> groups;
    for (size_t j = i; j < waits.size(); ++j) {
      if (named[j] || waits[j].group.pc != waits[i].group.pc || WhatFor(waits[j], live) != what) continue;
      named[j] = true;
      groups.push_back(waits[j].group);
    }
    fault.message += (first ? "" : "; ") + ThreadsWait(groups) + " " + what;
    first = false;
  }
  return fault;
}

}  // namespace racer
