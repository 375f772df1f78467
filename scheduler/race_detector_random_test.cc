// Random accesses against a list of all that happened, and whole warps against their lanes.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <vector>

#include "scheduler/race_detector_fixture.h"

namespace racer {
namespace {

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
