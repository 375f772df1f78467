// Reads and writes: order, bytes, CTAs, exits. Atomics, copies, equal values and random histories have files of their own.
#include "scheduler/race_detector_fixture.h"

namespace racer {
namespace {

TEST_F(RaceDetectorTest, UnorderedWriteAndReadRace) {
  EXPECT_FALSE(Races(cta_, W, 5, 8, 4, 11));
  EXPECT_TRUE(Races(cta_, R, 70, 8, 4, 22));
  EXPECT_EQ(race_->first.kind, W);
  EXPECT_EQ(race_->first.thread, 5u);
  EXPECT_EQ(race_->first.pc, 11u);
  EXPECT_EQ(race_->second.kind, R);
  EXPECT_EQ(race_->second.thread, 70u);
  EXPECT_EQ(race_->second.pc, 22u);
  EXPECT_EQ(race_->offset, 8u);
  EXPECT_FALSE(race_->ordered_by_exit);
}
TEST_F(RaceDetectorTest, NearMissOrderedByABarrier) {
  EXPECT_FALSE(Races(cta_, W, 5, 8));
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 70, 8));
}
TEST_F(RaceDetectorTest, NearMissTheSameThread) {
  EXPECT_FALSE(Races(cta_, W, 5));
  EXPECT_FALSE(Races(cta_, R, 5));
  EXPECT_FALSE(Races(cta_, W, 5));
}
TEST_F(RaceDetectorTest, NearMissTheNextByte) {
  EXPECT_FALSE(Races(cta_, W, 5, 8, 4));
  EXPECT_FALSE(Races(cta_, W, 70, 12, 4));
  EXPECT_FALSE(Races(cta_, W, 71, 7, 1));
}
TEST_F(RaceDetectorTest, ReadsDoNotRace) {
  for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta_, R, t));
}

// A barrier between write and read is not enough if the buffer is written again at once: the classic second use.
TEST_F(RaceDetectorTest, ReadThenUnorderedWriteRaces) {
  EXPECT_FALSE(Races(cta_, W, 0));
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 64, 0, 4, 5));
  EXPECT_TRUE(Races(cta_, W, 0, 0, 4, 6));
  EXPECT_EQ(race_->first.kind, R);
  EXPECT_EQ(race_->first.thread, 64u);
  EXPECT_EQ(race_->first.pc, 5u);
}

// Whichever of many unordered readers the writer is not ordered after. Breaks if only the last read is kept.
TEST_F(RaceDetectorTest, EveryReaderIsRemembered) {
  for (uint32_t reader = 0; reader < 96; ++reader) {
    detector_.Reset();
    FakeCta cta(96);
    for (uint32_t t = 0; t < 96; ++t) {
      if (t / 32 != reader / 32 || t == reader) {
        EXPECT_FALSE(Races(cta, R, t, 0, 4, 100 + t));
      }
    }
    // The other two warps meet; then one of them writes.
    uint32_t others = 7 & ~(1u << (reader / 32));
    cta.SyncWarps(others, 1);
    uint32_t writer = reader < 32 ? 32 : 0;
    EXPECT_TRUE(Races(cta, W, writer));
    EXPECT_EQ(race_->first.thread, reader);
    EXPECT_EQ(race_->first.pc, 100 + reader);
  }
}
TEST_F(RaceDetectorTest, NearMissEveryReaderIsOrdered) {
  for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta_, R, t, 0, 4, 100 + t));
  cta_.SyncWarps(0b011, 1);
  cta_.SyncWarps(0b110, 2);
  EXPECT_FALSE(Races(cta_, W, 64));
}
// Reads at many pcs by the same lanes do not pile up, and none of the last is lost.
TEST_F(RaceDetectorTest, ManyPhasesOfReads) {
  for (uint32_t phase = 0; phase < 50; ++phase) {
    for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta_, R, t, 0, 4, phase));
    cta_.SyncWarps(0b011, 1);
  }
  EXPECT_TRUE(Races(cta_, W, 0));
  EXPECT_EQ(race_->first.thread, 64u);
}

// A lane's newer read may be noted before an older one of its own. Breaks if the sweep does not compare times.
TEST_F(RaceDetectorTest, TheNewestReadOfALaneCounts) {
  EXPECT_FALSE(Races(cta_, R, 3, 0, 4, 1));
  cta_.SyncLanes(0, 0b10);
  EXPECT_FALSE(Races(cta_, R, 1, 0, 4, 9));
  EXPECT_FALSE(Races(cta_, R, 0, 0, 4, 9));
  cta_.SyncLanes(0, 0b101);
  EXPECT_FALSE(Races(cta_, R, 0, 0, 4, 9));  // noted with lane 1's, which is at the same time
  EXPECT_FALSE(Races(cta_, R, 3, 0, 4, 2));  // sweeps
  cta_.SyncLanes(0, 0b1110);
  EXPECT_TRUE(Races(cta_, W, 2));
  EXPECT_EQ(race_->first.thread, 0u);
}

TEST_F(RaceDetectorTest, LanesOfOneInstructionRaceOnOneByte) {
  EXPECT_FALSE(Races(cta_, W, 3, 0, 4, 9));
  EXPECT_TRUE(Races(cta_, W, 4, 0, 4, 9));
  EXPECT_EQ(race_->first.pc, race_->second.pc);
}
TEST_F(RaceDetectorTest, NearMissLanesOfOneInstructionSideBySide) {
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, W, t, 4 * t, 4, 9));
}
TEST_F(RaceDetectorTest, LockstepDoesNotOrder) {
  // Warp-synchronous code without __syncwarp.
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, W, t, 4 * t, 4, 9));
  EXPECT_TRUE(Races(cta_, R, 0, 4, 4, 10));
}
TEST_F(RaceDetectorTest, NearMissWithSyncWarp) {
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, W, t, 4 * t, 4, 9));
  cta_.SyncLanes(0, 0xffffffff);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, R, t, 4 * (31 - t), 4, 10));
}

// --- bytes

TEST_F(RaceDetectorTest, OverlapOfDifferentSizesIsSeenByTheByte) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 16));
  EXPECT_TRUE(Races(cta_, W, 64, 13, 1));
  EXPECT_EQ(race_->offset, 13u);
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 13, 1));
  EXPECT_TRUE(Races(cta_, W, 64, 0, 16));
  EXPECT_EQ(race_->offset, 13u);
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 8));
  EXPECT_FALSE(Races(cta_, W, 64, 8, 8));
  EXPECT_TRUE(Races(cta_, R, 32, 0, 16));
  EXPECT_EQ(race_->offset, 0u);
}
TEST_F(RaceDetectorTest, CuttingACellKeepsItsHistory) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 16, 7));
  cta_.Sync();
  for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta_, R, t, 0, 16, 200 + t));
  EXPECT_FALSE(Races(cta_, R, 1, 2, 2, 50));  // cuts
  EXPECT_TRUE(Races(cta_, W, 1, 6, 2));
}
TEST_F(RaceDetectorTest, AccessesMayCrossBlocksAndPages) {
  EXPECT_FALSE(Races(cta_, W, 0, 4094, 4));
  EXPECT_TRUE(Races(cta_, R, 64, 4097, 1));
  EXPECT_EQ(race_->offset, 4097u);
  EXPECT_FALSE(Races(cta_, R, 64, 4098, 1));
  EXPECT_FALSE(Races(cta_, W, 3, (1 << 16) - 1, 1));
}

// --- CTAs

TEST_F(RaceDetectorTest, CtasAreNeverOrdered) {
  EXPECT_FALSE(Races(cta_, W, 5, 0, 4, 11));
  FakeCta other(96, 1);
  EXPECT_TRUE(Races(other, R, 5, 0, 4, 12));  // the same thread index
  EXPECT_EQ(race_->first.cta, 0u);
  EXPECT_EQ(race_->second.cta, 1u);
}
TEST_F(RaceDetectorTest, NearMissCtasReadAndWriteTheirOwn) {
  EXPECT_FALSE(Races(cta_, R, 5, 0));
  EXPECT_FALSE(Races(cta_, W, 5, 4));
  FakeCta other(96, 1);
  EXPECT_FALSE(Races(other, R, 7, 0));
  EXPECT_FALSE(Races(other, W, 5, 8));
}
TEST_F(RaceDetectorTest, ReadsOfManyCtasThenAWrite) {
  for (uint32_t writer : {0u, 2u, 4u, 9u}) {
    detector_.Reset();
    for (uint32_t c = 0; c < 5; ++c) {
      FakeCta cta(96, c);
      for (uint32_t t = 0; t < 96; ++t) EXPECT_FALSE(Races(cta, R, t));
    }
    FakeCta cta(96, writer);
    cta.Sync();
    EXPECT_TRUE(Races(cta, W, 0)) << writer;
  }
}
TEST_F(RaceDetectorTest, SharedMemoryStartsAfreshForTheNextCta) {
  EXPECT_FALSE(Races(cta_, W, 5, 0));
  EXPECT_FALSE(Races(cta_, W, 5, 9000));
  detector_.Reset();
  FakeCta other(96, 1);
  EXPECT_FALSE(Races(other, W, 6, 0));
  EXPECT_FALSE(Races(other, W, 6, 9000));
}

// --- exits

TEST_F(RaceDetectorTest, AnExitBeforeABarrierIsMarked) {
  EXPECT_FALSE(Races(cta_, W, 0));
  cta_.ExitWarp(0);
  cta_.Sync();
  EXPECT_TRUE(Races(cta_, R, 64));
  EXPECT_TRUE(race_->ordered_by_exit);
}
TEST_F(RaceDetectorTest, NearMissNoBarrierAfterTheExit) {
  EXPECT_FALSE(Races(cta_, W, 0));
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 1));
  cta_.ExitWarp(0);
  EXPECT_TRUE(Races(cta_, W, 64));
  EXPECT_FALSE(race_->ordered_by_exit);
}
TEST_F(RaceDetectorTest, ASureRaceIsReportedBeforeADoubtfulOne) {
  EXPECT_FALSE(Races(cta_, R, 0));
  cta_.ExitWarp(0);
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 40));
  EXPECT_TRUE(Races(cta_, W, 64));
  EXPECT_EQ(race_->first.thread, 40u);
  EXPECT_FALSE(race_->ordered_by_exit);
}

}  // namespace
}  // namespace racer
