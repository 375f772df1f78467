// The words in which the machine and the scheduler speak about synchronisation.
#ifndef RACER_SCHEDULER_SYNC_EVENTS_H_
#define RACER_SCHEDULER_SYNC_EVENTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace racer {

using LaneMask = uint32_t;  // bit l: lane l of the warp
constexpr uint32_t kWarpSize = 32;
constexpr uint32_t kMaxCtaThreads = 1024;  // CUDA C++ Programming Guide, "Compute Capabilities"
constexpr uint32_t kMaxCtaWarps = kMaxCtaThreads / kWarpSize;
constexpr uint32_t kBarrierIds = 16;  // PTX ISA, "barrier": logical barriers 0 to 15

// A set of lanes of one warp at one pc.
struct LaneGroup {
  uint32_t warp = 0;
  LaneMask lanes = 0;
  uint32_t pc = 0;

  friend bool operator==(const LaneGroup&, const LaneGroup&) = default;
};

// bar.sync / bar.arrive / bar.red and their barrier.* spellings.
struct BarrierArrival {
  enum class Kind : uint8_t { kSync, kArrive, kReduce } kind = Kind::kSync;
  uint32_t id = 0;      // 0..15
  uint32_t count = 0;   // threads; 0: every thread of the CTA that has not exited
  bool aligned = true;  // all lanes of the warp must execute the same instruction
};

// shfl/vote/match/redux.sync, bar.warp.sync, ...: lanes in `members` wait for each other. Members that have exited
// or that the CTA does not have (its last warp may be short) are not waited for.
struct WarpArrival {
  LaneMask members = 0;
  uint32_t key = 0;            // arrivals meet only with equal keys (opcode and qualifiers)
  bool orders_memory = false;  // bar.warp.sync: yes. shfl, vote: no
};

// A rendezvous that has just taken place; lanes of `arrivals` are runnable again at next_pc. Lanes that came by
// bar.arrive have gone on before and are not listed.
struct Completion {
  bool is_barrier = false;
  BarrierArrival barrier;
  WarpArrival warp;
  std::vector<LaneGroup> arrivals;  // pc: of the instruction that each executed; sorted by warp, then by time of arrival
};

// A broken synchronisation rule.
struct SyncFault {
  enum class Kind : uint8_t {
    kBarrierDivergence,  // aligned barrier reached by part of a warp, or by lanes of one warp at different pcs
    kDeadlock,           // nothing can run and not every thread has exited
    kNotInMask,          // a lane executes a *.sync whose member mask lacks it
    kMaskMismatch,       // lanes wait for each other with different masks or keys and can never meet
    kBarrierCount,       // count not a multiple of the warp size, too large, or differing within one use
    kBarrierId,          // id outside 0..15
    kBarrierMixed,       // bar.red and bar.sync/bar.arrive in one use of a barrier
    kBarrierPairing,     // nothing orders the uses of a barrier by different threads, so which of them meet is a matter of timing
    kUnspecified,        // no rule broken, but what happens is left open by the manual: UNDECIDED
  } kind = Kind::kDeadlock;
  std::string message;           // names threads as "threads 0-31, 40" and the barrier
  std::vector<LaneGroup> where;  // the lanes concerned; the first is the one noticed. pc: of the instruction
};

// A point in a thread's history: everything the thread did up to and including `time`.
struct Epoch {
  uint32_t thread = 0;  // linear index in the CTA
  uint32_t time = 0;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_SYNC_EVENTS_H_
