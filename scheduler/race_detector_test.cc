#include "scheduler/race_detector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <vector>

#include "scheduler/fake_cta.h"

namespace racer {
namespace {

constexpr auto R = MemoryEvent::Kind::kRead;
constexpr auto W = MemoryEvent::Kind::kWrite;
constexpr auto A = MemoryEvent::Kind::kAtomic;

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

// --- atomics

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

// --- asynchronous copies

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

// --- writes of the same value

TEST_F(RaceDetectorTest, EqualValuesAreToleratedAndCounted) {
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, W, t, 0, 4, 9, 77));
  EXPECT_EQ(detector_.benign_same_value(), 31u);
  cta_.Sync();
  EXPECT_FALSE(Races(cta_, R, 90));
  EXPECT_EQ(detector_.benign_same_value(), 31u);
}
TEST_F(RaceDetectorTest, NearMissDifferentOrUnknownValues) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_TRUE(Races(cta_, W, 1, 0, 4, 9, 78));
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_TRUE(Races(cta_, W, 1, 0, 4, 9, 0));
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 0));
  EXPECT_TRUE(Races(cta_, W, 1, 0, 4, 9, 0));
}
// Lanes of one warp at one pc may pass for writers of the same value; nobody else is even asked.
TEST_F(RaceDetectorTest, ValuesThatPassForTheSame) {
  std::vector<std::pair<uint64_t, uint64_t>> asked;
  detector_.SetSameValue([&](uint64_t a, uint64_t b, uint32_t) {
    asked.emplace_back(a, b);
    return a / 10 == b / 10;
  });
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 71));
  EXPECT_FALSE(Races(cta_, W, 1, 0, 4, 9, 72));
  EXPECT_TRUE(Races(cta_, W, 2, 0, 4, 9, 82));
  EXPECT_EQ(asked, (std::vector<std::pair<uint64_t, uint64_t>>{{71, 72}, {71, 82}}));
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 71));
  EXPECT_TRUE(Races(cta_, W, 1, 0, 4, 10, 72));  // another pc
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 71));
  EXPECT_TRUE(Races(cta_, W, 40, 0, 4, 9, 72));  // another warp
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 71));
  EXPECT_TRUE(Races(cta_, W, 1, 0, 4, 9, 0));  // unknown
  EXPECT_EQ(asked.size(), 2u);
}
// A tag speaks of one place and size: the halves of two words with equal tags need not be equal.
TEST_F(RaceDetectorTest, TagsCompareOnlyTheSameBytes) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_TRUE(Races(cta_, W, 1, 2, 2, 9, 77));
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_TRUE(Races(cta_, W, 1, 0, 8, 9, 77));
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_TRUE(Races(cta_, W, 1, 2, 4, 9, 77));
  // Near miss: the same bytes after another access has cut the cell.
  detector_.Reset();
  EXPECT_FALSE(Races(cta_, W, 0, 0, 8, 9, 77));
  EXPECT_FALSE(Races(cta_, R, 0, 6, 1, 10));
  EXPECT_FALSE(Races(cta_, W, 1, 0, 8, 9, 77));
}
TEST_F(RaceDetectorTest, AReaderMustBeOrderedAfterOneOfThem) {
  // Every lane writes the same and reads back without a barrier: its own write settles the value.
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, W, t, 0, 4, 9, 77));
  for (uint32_t t = 0; t < 32; ++t) EXPECT_FALSE(Races(cta_, R, t, 0, 4, 10));
  // A thread that did not write may see the value before.
  EXPECT_TRUE(Races(cta_, R, 32, 0, 4, 10));
}
// Breaks if the later of the tolerated writes replaces the earlier one.
TEST_F(RaceDetectorTest, AnotherValueMustBeOrderedAfterAllOfThem) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_FALSE(Races(cta_, W, 32, 0, 4, 9, 77));
  cta_.SyncWarps(0b110, 1);  // thread 32 but not thread 0
  EXPECT_TRUE(Races(cta_, W, 64, 0, 4, 12, 78));
  EXPECT_EQ(race_->first.thread, 0u);
}
TEST_F(RaceDetectorTest, AnAtomicEndsTheTolerance) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  EXPECT_FALSE(Races(cta_, A, 0, 0, 4, 10));
  EXPECT_TRUE(Races(cta_, W, 32, 0, 4, 9, 77));
}
TEST_F(RaceDetectorTest, EqualValuesOfTwoCtasAreNotTolerated) {
  EXPECT_FALSE(Races(cta_, W, 0, 0, 4, 9, 77));
  FakeCta other(96, 1);
  EXPECT_TRUE(Races(other, W, 0, 0, 4, 9, 77));
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

// Random accesses against a list of everything that ever happened, byte by byte.
TEST(RaceDetectorRandom, AgreesWithTheWholeHistory) {
  struct Past {
    MemoryEvent event;
    Epoch epoch;
    uint64_t offset;
    uint32_t size;
  };
  struct Flying {
    MemoryEvent event;
    uint64_t name, offset;
    uint32_t size;
  };
  uint64_t races = 0, accesses = 0, met_orders = 0, met_copies = 0;
  for (uint32_t seed = 1; seed <= 6000; ++seed) {
    std::mt19937 random(seed);
    auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    RaceDetector detector(64);
    std::vector<Past> history;
    bool done = false;
    uint32_t writes_in_ten = 1 + pick(3);
    bool mostly_reads = seed % 4 == 0;
    uint32_t atomics_in_ten = seed % 3 == 0 ? 7 : 1;
    for (uint32_t c = 0; c < 2 && !done; ++c) {
      FakeCta cta(70, c);
      uint32_t barriers = 0;
      std::vector<Flying> flying;
      for (uint32_t i = 0; i < (mostly_reads ? 400u : 120u) && !done; ++i) {
        uint32_t what = pick(10);
        if (what == 0 && (!mostly_reads || pick(8) == 0)) cta.Sync();
        if (what == 1 && ++barriers <= 15) cta.SyncWarps(0b11 << pick(2), barriers);  // an id may not be reused unordered
        if (what == 2 || (mostly_reads && what > 6)) {
          uint32_t warp = pick(3);
          cta.SyncLanes(warp, 0x3f & (random() | 3));
        }
        if (what == 3 && !mostly_reads) cta.Sync();
        uint32_t size = 1u << pick(5);
        if (pick(8) == 0) size = 3 + pick(5);
        // Few threads and places: conflicts are likely. Each CTA prefers its own half, or nothing would pass.
        uint32_t thread = (pick(3) * 32 + pick(3)) % 70;
        uint64_t offset = pick(16 / std::min(size, 16u)) * size % 16 + (pick(40) == 0 ? 16 * pick(3) : 32 * c);
        uint32_t k = pick(mostly_reads ? 100 : 10);
        MemoryEvent event = cta.Event(k < writes_in_ten ? W : k >= 10 - atomics_in_ten ? A : R, thread, mostly_reads ? pick(3) : i);
        if (event.kind == A) {
          size = std::bit_floor(std::min(size, 16u));
          offset = offset / size * size;
          if (pick(2) == 0) offset = 32 + offset % 16;  // some that both CTAs use
          event.atomic_key = pick(8) == 0 ? pick(3) : 1;
          event.cta_scope = pick(12) == 0;
        }
        // Now and then a copy is issued or waited for instead.
        const bool copies = event.kind != A && pick(6) == 0;
        if (!flying.empty() && pick(5) == 0) {
          const size_t which = pick(static_cast<uint32_t>(flying.size()));
          const Flying copy = flying[which];
          flying.erase(flying.begin() + static_cast<ptrdiff_t>(which));
          ASSERT_FALSE(detector.EndAsync(cta.scheduler(), copy.event, copy.name, copy.offset, copy.size)) << "seed " << seed;
          history.push_back({copy.event, cta.scheduler().Now(copy.event.thread), copy.offset, copy.size});
          continue;
        }
        event.asynchronous = copies;
        bool expected = false;
        const auto conflicts = [&](const MemoryEvent& past, uint64_t at, uint32_t bytes) {
          const bool write = past.kind != R || event.kind != R;
          const bool covered = past.cta == c || (!past.cta_scope && !event.cta_scope);
          const bool commute = past.kind == A && event.kind == A && at == offset && bytes == size && covered && past.atomic_key != 0 &&
                               past.atomic_key == event.atomic_key;
          return at < offset + size && offset < at + bytes && write && !commute;
        };
        for (const Past& past : history) {
          bool same = past.event.cta == c && past.event.thread == thread;
          bool ordered = past.event.cta == c && cta.scheduler().Ordered(past.epoch, thread);
          expected = expected || (conflicts(past.event, past.offset, past.size) && !same && !ordered);
        }
        bool met_copy = false;
        for (const Flying& copy : flying) met_copy = met_copy || conflicts(copy.event, copy.offset, copy.size);
        expected = expected || met_copy;
        std::optional<Race> race;
        if (copies) {
          RaceDetector::Async async = detector.BeginAsync(cta.scheduler(), event, offset, size);
          race = async.race;
          if (!race) flying.push_back({event, async.name, offset, size});
        } else {
          race = detector.Access(cta.scheduler(), event, offset, size);
        }
        ++accesses;
        ASSERT_EQ(race.has_value(), expected) << "seed " << seed << " access " << i;
        if (race.has_value()) {
          // The pair named is one that does race, at the byte named.
          bool real = met_copy && race->first.asynchronous;
          met_orders += race->order_matters;
          met_copies += met_copy;
          if (race->order_matters) {
            ASSERT_TRUE(race->first.kind == A && event.kind == A) << "seed " << seed;
          }
          for (const Past& past : history) {
            bool named = past.event.cta == race->first.cta && past.event.thread == race->first.thread && past.event.pc == race->first.pc &&
                         past.event.kind == race->first.kind;
            bool there = past.offset <= race->offset && race->offset < past.offset + past.size && offset <= race->offset &&
                         race->offset < offset + size;
            bool ordered = past.event.cta == c && cta.scheduler().Ordered(past.epoch, thread);
            real = real || (named && there && !ordered);
          }
          ASSERT_TRUE(real) << "seed " << seed;
          ++races;
          done = true;
        }
        history.push_back({event, cta.scheduler().Now(thread), offset, size});
      }
      detector.AbandonAsync();
    }
  }
  // Neither side of the comparison is vacuous.
  EXPECT_GT(races, 500u);
  EXPECT_GT(accesses, 20000u);
  EXPECT_GT(met_orders, 50u);
  EXPECT_GT(met_copies, 50u);
}

// Whole warps by AccessWarp, then what it left by Access, against Access alone. Breaks where AccessWarp takes an access that is not
// ordered after what the cell holds (tried: reads not looked at by a write), or tells wrongly how many it has made.
TEST(RaceDetectorRandom, WarpsAgreeWithTheirLanes) {
  uint64_t races = 0, by_warp = 0, by_lane = 0;
  for (uint32_t seed = 1; seed <= 1500; ++seed) {
    std::mt19937 random(seed);
    auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    RaceDetector warps(4096), lanes(4096);
    bool done = false;
    for (uint32_t c = 0; c < 2 && !done; ++c) {
      FakeCta cta(96, c);
      for (uint32_t i = 0; i < 60 && !done; ++i) {
        if (pick(3) == 0) cta.Sync();
        if (pick(6) == 0) cta.SyncLanes(pick(3), static_cast<LaneMask>(random()) | 1);
        WarpAccess access{.kind = pick(3) == 0 ? R : W,
                          .cta = c,
                          .warp = pick(3),
                          .pc = i,
                          .lanes = pick(2) == 0 ? ~LaneMask{0} : static_cast<LaneMask>(random())};
        access.size = 1u << pick(5);
        access.parts = access.kind == W ? 1 + pick(3) : 1;
        const uint32_t length = access.size * access.parts, shape = pick(8);
        // Mostly a warp's own places, of one size; sometimes another's, all the same one, or scattered ones.
        const uint32_t whose = pick(12) == 0 ? pick(3) : access.warp;
        std::vector<uint64_t> offsets(kWarpSize), tags;
        for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
          const uint64_t own = (2048 * c + 512 * whose + uint64_t{lane} * length) % 2048 + 2048 * c;
          offsets[lane] = (shape == 0 ? 512 * whose + 2048 * c : shape == 1 ? pick(64) * access.size : own) / access.size * access.size;
          offsets[lane] = std::min<uint64_t>(offsets[lane], (4096 - length) / access.size * access.size);
          for (uint32_t part = 0; part < access.parts; ++part) tags.push_back(shape == 0 ? 7 : pick(3));
        }
        access.offsets = offsets.data();
        access.value_tags = tags.data();
        const uint32_t made = warps.AccessWarp(cta.scheduler(), access);
        uint32_t number = 0;
        for (uint32_t lane = 0; lane < kWarpSize && !done; ++lane) {
          if ((access.lanes >> lane & 1) == 0) continue;
          for (uint32_t part = 0; part < access.parts && !done; ++part) {
            const uint64_t tag = access.kind == W ? tags[lane * access.parts + part] : 0;
            const MemoryEvent event = cta.Event(access.kind, access.warp * kWarpSize + lane, i, tag);
            const uint64_t offset = offsets[lane] + uint64_t{part} * access.size;
            const std::optional<Race> expected = lanes.Access(cta.scheduler(), event, offset, access.size);
            std::optional<Race> race;
            ++(number < made ? by_warp : by_lane);
            if (number++ >= made) race = warps.Access(cta.scheduler(), event, offset, access.size);
            ASSERT_EQ(race.has_value(), expected.has_value()) << "seed " << seed << " access " << i << " lane " << lane;
            if (!race) continue;
            EXPECT_EQ(race->first.thread, expected->first.thread) << "seed " << seed;
            EXPECT_EQ(race->first.pc, expected->first.pc) << "seed " << seed;
            EXPECT_EQ(race->offset, expected->offset) << "seed " << seed;
            ++races;
            done = true;
          }
        }
        ASSERT_EQ(warps.benign_same_value(), lanes.benign_same_value()) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(races, 300u);
  EXPECT_GT(by_warp, 100000u);
  EXPECT_GT(by_lane, 5000u);
}

}  // namespace
}  // namespace racer
