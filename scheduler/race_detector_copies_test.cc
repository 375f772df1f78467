// Asynchronous copies: from the issue to the wait.
#include "scheduler/race_detector_fixture.h"

namespace racer {
namespace {

// Broken once each: without the access at the issue, without InFlight::Find, without the access at the wait.
TEST_F(RaceDetectorTest, ACopyIsMadeAtAnyTimeBetweenIssueAndWait) {
  const auto begin = [&](MemoryEvent::Kind kind, uint32_t thread) {
    MemoryEvent event = cta_.Event(kind, thread, 50);
    event.asynchronous = true;
    RaceDetector::Async async = detector_.BeginAsync(cta_.scheduler(), event, 16, 16);
    race_ = async.race;
    return async.name;
  };
  const auto end = [&](MemoryEvent::Kind kind, uint32_t thread, uint64_t name) {
    race_ = detector_.EndAsync(cta_.scheduler(), cta_.Event(kind, thread, 50), name, 16, 16);
  };
  EXPECT_FALSE(Races(cta_, W, 3, 16));
  begin(W, 40);
  EXPECT_TRUE(race_);  // after a write that nothing orders
  detector_.Reset();
  uint64_t name = begin(W, 40);
  EXPECT_FALSE(race_);
  EXPECT_FALSE(Races(cta_, R, 40, 12));
  EXPECT_TRUE(Races(cta_, R, 40, 28));  // the thread itself
  EXPECT_TRUE(race_->first.asynchronous);
  EXPECT_EQ(race_->first.pc, 50u);
  cta_.Sync();
  EXPECT_TRUE(Races(cta_, R, 3, 16));  // a barrier waits for no copy
  begin(W, 40);
  EXPECT_TRUE(race_);  // nor are two copies ordered
  end(W, 40, name);
  EXPECT_FALSE(race_);
  EXPECT_FALSE(Races(cta_, R, 40, 16));
  EXPECT_TRUE(Races(cta_, R, 3, 16));  // the wait of one thread is not that of others
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 3, 16));
  detector_.Reset();
  name = begin(R, 40);
  begin(R, 41);
  EXPECT_FALSE(race_);
  EXPECT_FALSE(Races(cta_, R, 3, 16));
  EXPECT_TRUE(Races(cta_, W, 40, 16));  // the source is still being read
}

}  // namespace
}  // namespace racer
