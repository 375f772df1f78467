// Vector clocks of the threads of one CTA.
#ifndef RACER_SCHEDULER_CLOCKS_H_
#define RACER_SCHEDULER_CLOCKS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/sync_events.h"

namespace racer {

// What a thread knows to have happened: for every thread the time up to which its accesses are ordered before. Threads
// that left the same rendezvous share one snapshot; it is copied when one of them learns more. So a barrier of n threads
// costs O(n), and the warps of a CTA that only synchronise within themselves hold one snapshot a warp.
class Clocks {
 public:
  struct Snapshot {
    uint32_t holders = 0;
    std::vector<uint32_t> times;  // by thread; 0: nothing
  };
  // What the threads that have arrived at a rendezvous published so far.
  struct Gathering {
    std::vector<uint32_t> times;   // by thread: its time at arrival; 0: has not arrived
    std::vector<Snapshot*> known;  // distinct
    uint32_t threads = 0;
  };

  explicit Clocks(uint32_t threads);
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;

  uint32_t now(uint32_t thread) const { return now_[thread]; }
  bool Ordered(Epoch earlier, uint32_t thread) const { return earlier.thread == thread || known_[thread][earlier.thread] >= earlier.time; }
  // For inlined reads; fixed for the life of this.
  const uint32_t* now_data() const { return now_.data(); }
  const uint32_t* const* known_data() const { return known_.data(); }

  // The lanes publish all they know and did into `gathering`; what they do next is newer.
  void Release(uint32_t warp, LaneMask lanes, Gathering* gathering);
  // Everything that was published, and an empty gathering again. The caller holds the result until Drop.
  Snapshot* Join(Gathering* gathering);
  void Acquire(uint32_t warp, LaneMask lanes, Snapshot* snapshot);
  void Hold(Snapshot* snapshot) { ++snapshot->holders; }
  void Drop(Snapshot* snapshot, uint32_t holders = 1);
  // Lanes of one warp learn everything of each other (bar.warp.sync).
  void JoinLanes(uint32_t warp, LaneMask lanes);

 private:
  Snapshot* Fresh();
  void Set(uint32_t thread, Snapshot* snapshot);

  uint32_t threads_;
  std::vector<uint32_t> now_;
  std::vector<Snapshot*> snapshots_;
  std::vector<const uint32_t*> known_;  // snapshots_[t]->times.data()
  std::vector<std::unique_ptr<Snapshot>> all_;
  std::vector<Snapshot*> free_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_CLOCKS_H_
