// The words of a synchronisation fault.
#ifndef RACER_SCHEDULER_SYNC_REPORT_H_
#define RACER_SCHEDULER_SYNC_REPORT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scheduler/partings.h"
#include "scheduler/sync_events.h"

namespace racer {

// "thread 7", "threads 0-31, 40": linear indices in the CTA, each once, ascending.
std::string ThreadNames(std::span<const LaneGroup> groups);
std::string ThreadNames(const LaneGroup& group);

// Lanes that wait, and for what.
struct Wait {
  LaneGroup group;  // pc: of the instruction that they wait at
  bool is_barrier = false;
  BarrierArrival barrier;
  WarpArrival warp;
  LaneMask arrived = 0;  // lanes of the same warp that have arrived at the same rendezvous
  // Barriers with a count: threads that have arrived in whole warps, and those of warps that exited without arriving.
  uint32_t threads_arrived = 0;
  uint32_t threads_exited = 0;
};

// Why a CTA in which no lane can run will stay so. `live` holds the lanes of each warp that have not exited; every one of
// them is in exactly one wait.
SyncFault ExplainStuck(std::span<const Wait> waits, std::span<const LaneMask> live);

// Lanes of `warp` wait at an aligned barrier that others of it miss, surely or perhaps.
SyncFault ExplainMissed(uint32_t warp, const Partings::Missed& missed);

}  // namespace racer

#endif  // RACER_SCHEDULER_SYNC_REPORT_H_
