#include "scheduler/clocks.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace racer {

Clocks::Clocks(uint32_t threads) : threads_(threads), now_(threads, 1), snapshots_(threads), known_(threads) {
  Snapshot* start = Fresh();
  start->times.assign(threads, 0);
  for (uint32_t t = 0; t < threads; ++t) Set(t, start);
}

Clocks::Snapshot* Clocks::Fresh() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Snapshot>());
    return all_.back().get();
  }
  Snapshot* snapshot = free_.back();
  free_.pop_back();
  return snapshot;
}

void Clocks::Drop(Snapshot* snapshot, uint32_t holders) {
  RACER_CHECK(snapshot->holders >= holders);
  snapshot->holders -= holders;
  if (snapshot->holders == 0) free_.push_back(snapshot);
}

void Clocks::Set(uint32_t thread, Snapshot* snapshot) {
  ++snapshot->holders;
  if (snapshots_[thread] != nullptr) Drop(snapshots_[thread]);
  snapshots_[thread] = snapshot;
  known_[thread] = snapshot->times.data();
}

void Clocks::Release(uint32_t warp, LaneMask lanes, Gathering* gathering) {
  if (gathering->times.empty()) gathering->times.assign(threads_, 0);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    uint32_t thread = warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest));
    Snapshot* known = snapshots_[thread];
    if (gathering->known.empty() || gathering->known.back() != known) {
      if (std::find(gathering->known.begin(), gathering->known.end(), known) == gathering->known.end()) {
        gathering->known.push_back(known);
        Hold(known);
      }
    }
    if (gathering->times[thread] == 0) ++gathering->threads;
    gathering->times[thread] = now_[thread]++;
  }
}

Clocks::Snapshot* Clocks::Join(Gathering* gathering) {
  Snapshot* joined = Fresh();
  joined->holders = 1;
  std::vector<uint32_t>& times = joined->times;
  // Nobody knows more of a thread than the thread itself, so what was known matters only for threads that did not come.
  if (gathering->threads == threads_) {
    times.swap(gathering->times);
  } else {
    times.assign(gathering->times.begin(), gathering->times.end());
    for (const Snapshot* known : gathering->known) {
      for (uint32_t t = 0; t < threads_; ++t) times[t] = std::max(times[t], known->times[t]);
    }
  }
  for (Snapshot* known : gathering->known) Drop(known);
  gathering->known.clear();
  gathering->times.assign(threads_, 0);
  gathering->threads = 0;
  return joined;
}

void Clocks::Acquire(uint32_t warp, LaneMask lanes, Snapshot* snapshot) {
  // Lanes mostly hold one snapshot, which is dropped once for all of them.
  snapshot->holders += static_cast<uint32_t>(std::popcount(lanes));
  Snapshot* old = nullptr;
  uint32_t holders = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t thread = warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest));
    if (snapshots_[thread] != old) {
      if (holders != 0) Drop(old, holders);
      old = snapshots_[thread];
      holders = 0;
    }
    ++holders;
    snapshots_[thread] = snapshot;
    known_[thread] = snapshot->times.data();
  }
  if (holders != 0) Drop(old, holders);
}

void Clocks::JoinLanes(uint32_t warp, LaneMask lanes) {
  if (lanes == 0) return;
  uint32_t base = warp * kWarpSize;
  Snapshot* first = snapshots_[base + static_cast<uint32_t>(std::countr_zero(lanes))];
  bool shared = true;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    shared = shared && snapshots_[base + static_cast<uint32_t>(std::countr_zero(rest))] == first;
  }
  Snapshot* joined = first;
  bool in_place = shared && first->holders == static_cast<uint32_t>(std::popcount(lanes));
  if (!in_place) {
    joined = Fresh();
    joined->times = first->times;
    const Snapshot* merged = first;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const Snapshot* known = snapshots_[base + static_cast<uint32_t>(std::countr_zero(rest))];
      if (known == merged) continue;
      merged = known;
      for (uint32_t t = 0; t < threads_; ++t) joined->times[t] = std::max(joined->times[t], known->times[t]);
    }
  }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    uint32_t thread = base + static_cast<uint32_t>(std::countr_zero(rest));
    joined->times[thread] = now_[thread]++;
  }
  if (!in_place) Acquire(warp, lanes, joined);
}

}  // namespace racer
