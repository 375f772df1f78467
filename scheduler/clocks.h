// Vector clocks of the threads of one CTA.
#ifndef RACER_SCHEDULER_CLOCKS_H_
#define RACER_SCHEDULER_CLOCKS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cta_scheduler.h"

namespace racer {

// What a thread knows to have happened: for every thread the time up to which its accesses are ordered before. Threads that
// left the same rendezvous share one snapshot, so a barrier of n threads costs O(n), not O(n^2).
class Clocks {
 public:
  using Snapshot = std::shared_ptr<const std::vector<uint32_t>>;

  explicit Clocks(uint32_t threads)
      : snapshots_(threads, std::make_shared<const std::vector<uint32_t>>(threads, 0)), known_(threads), now_(threads, 1) {
    for (uint32_t t = 0; t < threads; ++t) known_[t] = snapshots_[t]->data();
  }

  uint32_t now(uint32_t thread) const { return now_[thread]; }
  bool Ordered(Epoch earlier, uint32_t thread) const { return earlier.thread == thread || known_[thread][earlier.thread] >= earlier.time; }

  // What a thread publishes when it arrives at a rendezvous: everything that it knows and did. Its later accesses are new.
  struct Published {
    Snapshot known;
    Epoch self;
  };
  Published Release(uint32_t thread) { return {snapshots_[thread], {thread, now_[thread]++}}; }

  // The join of what was published.
  Snapshot Join(const std::vector<Published>& published) const {
    auto joined = std::make_shared<std::vector<uint32_t>>(*published.front().known);
    const std::vector<uint32_t>* last = published.front().known.get();
    for (const Published& entry : published) {
      if (entry.known.get() != last) {
        last = entry.known.get();
        for (size_t i = 0; i < joined->size(); ++i) (*joined)[i] = std::max((*joined)[i], (*last)[i]);
      }
      uint32_t& own = (*joined)[entry.self.thread];
      own = std::max(own, entry.self.time);
    }
    return joined;
  }
  void Acquire(uint32_t thread, const Snapshot& snapshot) {
    snapshots_[thread] = snapshot;
    known_[thread] = snapshot->data();
  }

 private:
  std::vector<Snapshot> snapshots_;
  std::vector<const uint32_t*> known_;  // of the snapshots, for the hot path
  std::vector<uint32_t> now_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_CLOCKS_H_
