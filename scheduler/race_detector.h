// Conflicting accesses that nothing orders, per byte.
#ifndef RACER_SCHEDULER_RACE_DETECTOR_H_
#define RACER_SCHEDULER_RACE_DETECTOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "scheduler/cta_scheduler.h"
#include "scheduler/memory_event.h"

namespace racer {

// One load or store by lanes of a warp: each makes `parts` accesses of `size` bytes, one behind the other, from its offset on.
struct WarpAccess {
  MemoryEvent::Kind kind = MemoryEvent::Kind::kRead;  // not kAtomic
  uint32_t cta = 0, warp = 0, pc = 0;
  LaneMask lanes = 0;
  const uint64_t* offsets = nullptr;  // by lane
  uint32_t parts = 1, size = 0;
  const uint64_t* value_tags = nullptr;  // of a write: [lane][part]
};

struct Race {
  MemoryEvent first, second;
  uint64_t offset = 0;  // first byte in conflict
  // `first` is by a thread that has exited before a barrier of the whole CTA that precedes `second`. Whether that orders
  // them the manual does not say: UNDECIDED, not a violation.
  bool ordered_by_exit = false;
  // No race: both are atomic towards each other. But what they leave or return depends on which comes first.
  bool order_matters = false;
};

// Shadow of one memory object: a tensor in global memory (shared by all CTAs) or the shared memory of one CTA.
// Two accesses race if they overlap, come from different threads, at least one writes, and neither happens before the other.
// Accesses of different CTAs are never ordered. Atomics do not race with each other where they access the same bytes and the
// scopes of both cover both threads; but without order their keys must be equal (Race::order_matters).
// Two writes of one warp instruction to the same byte are a race as well (which one wins is unspecified).
// Of the accesses remembered the detector forgets only those that a later one makes redundant, so a race is reported
// if and only if there is one, with the pcs of two accesses that do race.
class RaceDetector {
 public:
  explicit RaceDetector(uint64_t bytes);
  ~RaceDetector();
  RaceDetector(RaceDetector&&) noexcept;

  // `scheduler` gives the order inside event.cta, the CTA that is running now. Returns the first race found; such
  // an access is remembered only in part, so races found later may be consequences of it. The bytes must lie in the object.
  // The fast path (same CTA, ordered, same size as before) must be a few nanoseconds.
  std::optional<Race> Access(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size);
  // Makes the accesses, lane by lane and part by part, as Access would, up to the first that needs more than a look at one cell.
  // Returns how many it has made; the others are for Access.
  uint32_t AccessWarp(const CtaScheduler& scheduler, const WarpAccess& access);
  // An access that a copy issued by event.thread makes at some time until EndAsync, which makes it known to have happened by then: what
  // it returns is a race, too.
  struct Async {
    uint64_t name = 0;
    std::optional<Race> race;
  };
  Async BeginAsync(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size);
  std::optional<Race> EndAsync(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t name, uint64_t offset, uint32_t size);
  void AbandonAsync();  // of the CTA that has ended without waiting
  // Asked of the tags of writes by lanes of one warp at one pc: whether they may pass for the same value. Without it only equal
  // tags do.
  using SameValue = std::function<bool(uint64_t tag, uint64_t other, uint32_t pc)>;
  void SetSameValue(SameValue same_value);
  void Reset();                        // shared memory: before the next CTA
  uint64_t unordered_atomics() const;  // atomics that met one of their key that nothing orders
  // Conflicts tolerated because all writes in them write the same; those between lanes of one instruction are none.
  uint64_t benign_same_value() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_RACE_DETECTOR_H_
