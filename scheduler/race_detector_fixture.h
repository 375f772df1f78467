// What the tests of the race detector share.
#ifndef RACER_SCHEDULER_RACE_DETECTOR_FIXTURE_H_
#define RACER_SCHEDULER_RACE_DETECTOR_FIXTURE_H_

#include <gtest/gtest.h>

#include <optional>

#include "scheduler/fake_cta.h"
#include "scheduler/race_detector.h"

namespace racer {

inline constexpr auto R = MemoryEvent::Kind::kRead;
inline constexpr auto W = MemoryEvent::Kind::kWrite;
inline constexpr auto A = MemoryEvent::Kind::kAtomic;

class RaceDetectorTest : public testing::Test {
 protected:
  // Whether the access races; its pc is `pc`.
  bool Races(const FakeCta& cta, MemoryEvent::Kind kind, uint32_t thread, uint64_t offset = 0, uint32_t size = 4, uint32_t pc = 0,
             uint64_t tag = 0) {
    MemoryEvent event = cta.Event(kind, thread, pc, tag);
    event.atomic_key = kind == A ? 1 : 0;
    race_ = detector_.Access(cta.scheduler(), event, offset, size);
    return race_.has_value();
  }
  // Of an atomic operation on the word at 0: nothing, a race or an order that matters.
  enum class Met : uint8_t { kNothing, kRace, kOrder };
  Met Atomic(const FakeCta& cta, uint32_t thread, uint64_t key, bool cta_scope = false, uint32_t size = 4) {
    MemoryEvent event = cta.Event(A, thread);
    event.atomic_key = key;
    event.cta_scope = cta_scope;
    race_ = detector_.Access(cta.scheduler(), event, 0, size);
    return !race_ ? Met::kNothing : race_->order_matters ? Met::kOrder : Met::kRace;
  }
  RaceDetector detector_{1 << 16};
  FakeCta cta_{96};
  std::optional<Race> race_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_RACE_DETECTOR_FIXTURE_H_
