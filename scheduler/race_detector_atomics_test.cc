// Atomics towards each other and towards plain accesses.
#include "scheduler/race_detector_fixture.h"

namespace racer {
namespace {

TEST_F(RaceDetectorTest, AtomicsDoNotRaceWithEachOther) {
  for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta_, A, t, 0, 4, 300 + t));
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 3));
}
TEST_F(RaceDetectorTest, AtomicsRaceWithTheRest) {
  EXPECT_FALSE(Races(cta_, A, 0));
  EXPECT_TRUE(Races(cta_, R, 64));
  EXPECT_EQ(race_->first.kind, A);
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, A, 0));
  EXPECT_TRUE(Races(cta_, W, 64));
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, R, 0));
  EXPECT_TRUE(Races(cta_, A, 64));
  EXPECT_EQ(race_->first.kind, R);
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0));
  EXPECT_TRUE(Races(cta_, A, 64));
}
// Initialise, barrier, accumulate, barrier, read. Breaks if an atomic forgets those before it.
TEST_F(RaceDetectorTest, EveryAtomicIsRemembered) {
  EXPECT_FALSE(Races(cta_, W, 0));
  cta_.Sync();
  for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta_, A, t));
  cta_.SyncWarps(0b101, 1);
  EXPECT_TRUE(Races(cta_, R, 64));
  EXPECT_EQ(race_->first.thread, 32u);
}

// Broken once each: without the comparison of keys, with one entry for all keys, without that of sizes, without scopes.
TEST_F(RaceDetectorTest, AtomicsOfDifferentKindsDependOnTheirOrder) {
  EXPECT_EQ(Atomic(cta_, 0, 7), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 1, 7), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 64, 8), Met::kOrder);
  cta_.Sync();
  EXPECT_EQ(Atomic(cta_, 64, 8), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 64, 0), Met::kNothing);  // its own
  EXPECT_EQ(Atomic(cta_, 64, 0), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 65, 8), Met::kOrder);
}
TEST_F(RaceDetectorTest, AnAtomicWhoseResultIsUsedCommutesWithNone) {
  EXPECT_EQ(Atomic(cta_, 0, 0), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 1, 0), Met::kOrder);
}
TEST_F(RaceDetectorTest, AnAtomicOfAnotherKindIsNotForgottenForALaterOne) {
  EXPECT_EQ(Atomic(cta_, 0, 7), Met::kNothing);
  cta_.SyncWarps(0b11, 1);
  EXPECT_EQ(Atomic(cta_, 32, 8), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 64, 8), Met::kOrder);
}
TEST_F(RaceDetectorTest, AtomicsOfOtherBytesRace) {
  EXPECT_EQ(Atomic(cta_, 0, 7), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 1, 7, false, 8), Met::kRace);
  detector_.Reset();
  EXPECT_EQ(Atomic(cta_, 0, 7, false, 8), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 1, 7), Met::kRace);
}
TEST_F(RaceDetectorTest, TheScopesOfAtomicsCoverBothThreads) {
  FakeCta other(96, 1);
  EXPECT_EQ(Atomic(cta_, 0, 7, true), Met::kNothing);
  EXPECT_EQ(Atomic(cta_, 1, 7), Met::kNothing);
  EXPECT_EQ(Atomic(other, 0, 7), Met::kRace);
  detector_.Reset();
  EXPECT_EQ(Atomic(cta_, 0, 7), Met::kNothing);
  EXPECT_EQ(Atomic(other, 1, 7), Met::kNothing);
  EXPECT_EQ(Atomic(other, 2, 7, true), Met::kRace);
}
TEST_F(RaceDetectorTest, UnorderedAtomicsAreCounted) {
  EXPECT_EQ(Atomic(cta_, 0, 7), Met::kNothing);
  cta_.Sync();
  EXPECT_EQ(Atomic(cta_, 1, 7), Met::kNothing);
  EXPECT_EQ(detector_.unordered_atomics(), 0u);
  EXPECT_EQ(Atomic(cta_, 0, 7), Met::kNothing);
  EXPECT_EQ(detector_.unordered_atomics(), 1u);
}

}  // namespace
}  // namespace racer
