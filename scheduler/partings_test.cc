// Who misses an aligned barrier, under many schedules: the answer must not depend on them. 27 conditions of partings.cc and
// of its calls in cta_scheduler.cc were taken away one by one, and each time a test here or in machine_partings_test failed.
#include "scheduler/partings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "scheduler/fake_kernel.h"

namespace racer {
namespace {

using Fault = SyncFault::Kind;
using Step = CtaScheduler::Step;
using Steps = std::vector<FakeStep>;

// The map of a list of steps, by sets: slow and plain.
PartingMap MapOf(const Steps& steps) {
  const uint32_t n = static_cast<uint32_t>(steps.size());
  std::vector<std::set<uint32_t>> next(n);
  for (uint32_t pc = 0; pc < n; ++pc) {
    const FakeStep& step = steps[pc];
    const bool always = !step.when;
    if (step.kind == FakeStep::Kind::kGoto || step.kind == FakeStep::Kind::kBranch) next[pc].insert(step.target);
    const bool leaves =
        step.kind == FakeStep::Kind::kGoto || (always && (step.kind == FakeStep::Kind::kExit || step.kind == FakeStep::Kind::kBranch));
    if (!leaves && pc + 1 < n) next[pc].insert(pc + 1);
  }
  PartingMap map;
  map.ahead.assign(n + 1, Ahead::kNothing);
  for (uint32_t round = 0; round < n; ++round) {
    for (uint32_t pc = 0; pc < n; ++pc) {
      const bool later = std::any_of(next[pc].begin(), next[pc].end(), [&](uint32_t to) { return map.ahead[to] == Ahead::kWork; });
      if (steps[pc].works || later) map.ahead[pc] = Ahead::kWork;
    }
  }
  for (auto& ways : next) std::erase_if(ways, [&](uint32_t to) { return map.ahead[to] == Ahead::kNothing; });
  // Vertices: the steps, then one in front of the head of each loop that nothing leaves; the last is the exit.
  std::vector<uint32_t> pc_of(n);
  std::iota(pc_of.begin(), pc_of.end(), 0);
  std::vector<bool> leaves(n);
  const auto spread = [&] {
    for (size_t round = 0; round < next.size(); ++round) {
      for (uint32_t v = 0; v < next.size(); ++v) {
        if (std::any_of(next[v].begin(), next[v].end(), [&](uint32_t to) { return leaves[to]; })) leaves[v] = true;
      }
    }
  };
  for (uint32_t pc = 0; pc < n; ++pc) leaves[pc] = next[pc].empty();
  const std::vector<bool> last = leaves;
  spread();
  for (uint32_t jump = n; jump-- > 0;) {
    // Of nested loops the outermost jumps back last.
    if (leaves[jump]) continue;
    const uint32_t head = *next[jump].begin();
    if (head > jump) continue;
    const uint32_t front = static_cast<uint32_t>(next.size());
    for (auto& ways : next) {
      if (ways.erase(head) != 0) ways.insert(front);
    }
    next.push_back({head});
    pc_of.push_back(head);
    leaves.push_back(true);
    spread();
  }
  const uint32_t exit = static_cast<uint32_t>(next.size());
  for (uint32_t v = 0; v < exit; ++v) {
    if (v >= n || last[v]) next[v].insert(exit);
  }
  std::vector<std::set<uint32_t>> after(exit + 1);
  for (uint32_t v = 0; v < exit; ++v) {
    for (uint32_t to = 0; to <= exit; ++to) after[v].insert(to);
  }
  after[exit] = {exit};
  for (uint32_t round = 0; round <= exit; ++round) {
    for (uint32_t v = exit; v-- > 0;) {
      std::set<uint32_t> common = after[*next[v].begin()];
      for (const uint32_t to : next[v]) std::erase_if(common, [&](uint32_t p) { return !after[to].contains(p); });
      common.insert(v);
      after[v] = common;
    }
  }
  map.meeting.assign(n + 1, PartingMap::kNoParting);
  for (uint32_t pc = 0; pc < n; ++pc) {
    const FakeStep& step = steps[pc];
    if (step.kind == FakeStep::Kind::kBarrier && step.when) map.meeting[pc] = pc + 1;
    if (step.kind != FakeStep::Kind::kBranch || !step.when) continue;
    map.meeting[pc] = PartingMap::kNoMeeting;
    for (const uint32_t v : after[pc]) {  // the nearest has all others behind it
      if (v != pc && v != exit && after[v].size() + 1 == after[pc].size()) map.meeting[pc] = pc_of[v];
    }
  }
  return map;
}

// How many times each thread has come to a step before.
class Trips {
 public:
  std::function<bool(uint32_t)> When(std::function<bool(uint32_t thread, int trip)> when) {
    auto trips = std::make_shared<std::array<int, kMaxCtaThreads>>();
    all_.push_back(trips);
    return [trips, when = std::move(when)](uint32_t thread) { return when(thread, (*trips)[thread]++); };
  }
  void Restart() {
    for (auto& trips : all_) trips->fill(0);
  }

 private:
  std::vector<std::shared_ptr<std::array<int, kMaxCtaThreads>>> all_;
};

constexpr char kDone[] = "done", kDivergence[] = "divergence", kUnclear[] = "unclear";

std::string Verdict(FakeRun* run) {
  const auto step = run->Run();
  if (!step) return "endless";
  if (*step == Step::kDone) return kDone;
  return run->fault().kind == Fault::kBarrierDivergence ? kDivergence
         : run->fault().kind == Fault::kUnspecified     ? kUnclear
                                                        : run->fault().message;
}

// The verdicts under the natural schedule and others.
std::set<std::string> Verdicts(const Steps& steps, uint32_t threads, Trips* trips, int schedules = 60) {
  PartingMap map = MapOf(steps);
  map.places_to_keep = 0;
  std::mt19937 random(7);
  std::set<std::string> verdicts;
  for (int i = 0; i < schedules; ++i) {
    trips->Restart();
    std::vector<uint32_t> ranks(steps.size() + 1);
    std::iota(ranks.begin(), ranks.end(), 1);
    if (i > 0) std::shuffle(ranks.begin(), ranks.end(), random);
    FakeRun run(steps, threads, {.slice = i % 3 == 0 ? 4096u : 1u + i % 5, .reverse_warps = i % 2 != 0, .partings = &map}, ranks);
    verdicts.insert(Verdict(&run));
  }
  return verdicts;
}
#define EXPECT_VERDICT(verdict, ...) EXPECT_THAT(Verdicts(__VA_ARGS__, 64, &trips), testing::ElementsAre(verdict))

bool Odd(uint32_t thread) { return thread % 2 != 0; }
bool Even(uint32_t thread) { return thread % 2 == 0; }

// --- a barrier in a branch

TEST(Partings, ABarrierThatHalfAWarpSkips) {
  Trips trips;
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(Even, 2), Sync(), Work(), ExitStep()});
  // Near misses: nothing follows; whole warps part; an unaligned barrier.
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 2), Sync(), Nothing(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Below(32), 2), Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 2), UnalignedSync(), Work(), ExitStep()});
}

TEST(Partings, NamesThoseThatWaitAndThoseThatWentOn) {
  const Steps steps{BranchIf(Below(8), 2), Sync(3), Work(), ExitStep()};
  const PartingMap map = MapOf(steps);
  FakeRun run(steps, 32, {.partings = &map});
  ASSERT_EQ(run.Run(), Step::kFault);
  EXPECT_EQ(run.fault().message, "barrier 3 reached by part of a warp: threads 8-31 wait there, threads 0-7 have gone past it");
  EXPECT_THAT(run.fault().where, testing::ElementsAre(LaneGroup{0, 0xffffff00, 1}, LaneGroup{0, 0xff, 2}));
}

TEST(Partings, AGuardedBarrier) {
  Trips trips;
  EXPECT_VERDICT(kDivergence, Steps{Bar({}, Odd), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{Bar({}, Odd), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{Bar({}, Below(32)), Work(), ExitStep()});
}

TEST(Partings, ABarrierInOneOfTwoBranches) {
  Trips trips;
  // The others have a barrier after the meeting point, which is another use.
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(Even, 3), Sync(), GotoStep(4), Work(), Sync(), Work(), ExitStep()});
  // One barrier instruction that both branches lead to.
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 3), Work(), GotoStep(4), Work(), Sync(), Work(), ExitStep()});
}

TEST(Partings, NestedBranches) {
  Trips trips;
  const auto thirds = [](uint32_t t) { return t % 3 == 0; };
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(Below(32), 4), BranchIf(thirds, 3), Sync(), Nothing(), Work(), ExitStep()});
  // The inner branch is the same for the warp; the outer one is not.
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(Even, 4), BranchIf(Below(32), 3), Sync(), Nothing(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 4), BranchIf(thirds, 3), Work(), Nothing(), Sync(), Work(), ExitStep()});
}

// --- leaving early

TEST(Partings, AnEarlyReturnMissesNothing) {
  Trips trips;
  EXPECT_VERDICT(kDone, Steps{ExitStep(Even), Work(), Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 4), Work(), Sync(), Work(), ExitStep()});
  // Two conditions one after the other, the second read from memory.
  EXPECT_VERDICT(kDone, Steps{BranchIf(Below(8), 5), Work(), BranchIf(Even, 5), Sync(), Work(), ExitStep()});
}

// What the manual calls undefined and hardware bears: no pass, no violation. Passes without Fork::gone.
TEST(Partings, WorkOnTheWayToAnExitOfTheirOwnIsUnclear) {
  Trips trips;
  EXPECT_VERDICT(kUnclear, Steps{BranchIf(Odd, 3), Work(), ExitStep(), Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Odd, 3), Nothing(), ExitStep(), Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Below(32), 3), Work(), ExitStep(), Sync(), Work(), ExitStep()});
}

// Some left with work on their way, but those that are left miss each other: that is a violation whatever the first may do.
TEST(Partings, TwoBarriersBehindAWayOut) {
  Trips trips;
  const auto others = [](uint32_t t) { return t % 32 >= 8; };
  EXPECT_VERDICT(kDivergence,
                 Steps{BranchIf(others, 3), Work(), ExitStep(), BranchIf(Odd, 6), Sync(1), ExitStep(), Sync(0), Work(), ExitStep()});
}

TEST(Partings, EarlyReturnsInTripsOfALoop) {
  Trips trips;
  // Lane t leaves in trip t / 4; no trip has a meeting point with the exit.
  const auto leaves = trips.When([](uint32_t t, int trip) { return static_cast<int>(t % 32 / 4) == trip; });
  EXPECT_VERDICT(kDone, Steps{Work(), BranchIf(leaves, 5), Sync(), Work(), GotoStep(0), ExitStep()});
  // Bottom-tested, and nothing after the loop.
  const auto again = trips.When([](uint32_t t, int trip) { return trip < static_cast<int>(t % 5); });
  EXPECT_VERDICT(kDone, Steps{Work(), Sync(), BranchIf(again, 0), ExitStep()});
  EXPECT_VERDICT(kDivergence, Steps{Work(), Sync(), BranchIf(again, 0), Work(), ExitStep()});
}

// Where lanes go on after a meeting of their own, or after others have left, may be where all meet.
TEST(Partings, MeetingPointsBehindARendezvousAndAnExit) {
  Trips trips;
  FakeStep among_odd = SyncWarp(0xaaaaaaaa);
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 2), among_odd, Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{BranchIf(Even, 2), ExitStep(Below(8)), Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(Even, 3), among_odd, Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(Even, 3), ExitStep(Below(8)), Sync(), Work(), ExitStep()});
}

// --- loops

TEST(Partings, LoopsOfDifferentLengthBeforeABarrier) {
  Trips trips;
  const auto again = trips.When([](uint32_t t, int trip) { return trip < static_cast<int>(t % 7); });
  EXPECT_VERDICT(kDone, Steps{Work(), BranchIf(again, 0), Sync(), Work(), ExitStep()});
  EXPECT_VERDICT(kDone, Steps{Work(), BranchIf(Even, 3), Work(), BranchIf(again, 0), Sync(), Work(), ExitStep()});
}

// The same instruction, but odd lanes come to it in one trip and even ones in the next. Passes without Fork::past.
TEST(Partings, TwoTripsOfOneLoop) {
  Trips trips;
  const auto skips = trips.When([](uint32_t t, int trip) { return trip % 2 == static_cast<int>(t % 2); });
  const auto again = trips.When([](uint32_t, int trip) { return trip < 3; });
  EXPECT_VERDICT(kDivergence, Steps{BranchIf(skips, 2), Sync(), Work(), BranchIf(again, 0), ExitStep()});
  const auto skips_all = trips.When([](uint32_t, int trip) { return trip % 2 == 0; });
  EXPECT_VERDICT(kDone, Steps{BranchIf(skips_all, 2), Sync(), Work(), BranchIf(again, 0), ExitStep()});
}

// Earlier trips in which a branch was taken do not count against a lane that leaves early.
TEST(Partings, NearMissSkippedTogetherInEarlierTrips) {
  Trips trips;
  const auto leaves = trips.When([](uint32_t t, int trip) { return t % 2 == 0 && trip == 2; });
  const auto skips = trips.When([](uint32_t, int trip) { return trip != 1; });
  const auto again = trips.When([](uint32_t, int trip) { return trip < 4; });
  EXPECT_VERDICT(kDone, Steps{BranchIf(leaves, 5), BranchIf(skips, 3), Sync(), Work(), BranchIf(again, 0), ExitStep()});
}

// --- lanes that are apart without having parted

TEST(Partings, LanesThatWaitForHalfTheirWarp) {
  Trips trips;
  // Lanes 0-7 wait for lanes 8-15, and all others may be at the branch before them.
  const auto two_halves = [&](FakeStep last) {
    FakeStep first = SyncWarp(0xffff), second = SyncWarp(0xffff);
    first.when = [](uint32_t t) { return t % 32 < 8; };
    second.when = [](uint32_t t) { return t % 32 / 8 == 1; };
    return Steps{first, second, BranchIf(Even, 4), last, Work(), ExitStep()};
  };
  EXPECT_VERDICT(kDivergence, two_halves(Sync()));
  EXPECT_VERDICT(kDone, two_halves(Work()));
  // Those that wait skip the barrier together, when the others are at it or past it.
  Steps alike = two_halves(Sync());
  alike[2].when = alike[0].when;
  EXPECT_VERDICT(kDivergence, alike);
  // Those that they wait for and the rest may be gone before they come to the branch.
  EXPECT_VERDICT(kUnclear, Steps{alike[0], alike[1], BranchIf(alike[0].when, 5), Work(), ExitStep(), Sync(), Work(), ExitStep()});
}

// Lanes that are behind find what those that are gone left for them: lanes 0-7 store and exit before the others come to the branch
// that leads them to the barrier. Each layer of branches before it is kept another way.
TEST(Partings, WhatLanesThatAreGoneLeftBehind) {
  const auto ahead = [](uint32_t t) { return t < 8; };
  const auto others = [](uint32_t t) { return t >= 8; };
  const auto some = [](uint32_t t) { return t >= 8 && t % 2 == 0; };
  const auto all = [](uint32_t) { return true; };
  const auto expect_unclear = [](const Steps& steps, std::vector<uint32_t> ranks) {
    PartingMap map = MapOf(steps);
    map.places_to_keep = 0;
    ranks.resize(steps.size() + 1, 1000);
    FakeRun run(steps, 32, {.partings = &map}, std::move(ranks));
    EXPECT_EQ(Verdict(&run), kUnclear);
  };
  expect_unclear({BranchIf(ahead, 3), BranchIf(some, 3), Work(), BranchIf(others, 6), Work(), ExitStep(), Sync(), Work(), ExitStep()},
                 {1, 10, 11, 2, 3, 4, 12});
  // Two meeting points at one step.
  expect_unclear({BranchIf(ahead, 5), BranchIf(Odd, 5), BranchIf([](uint32_t t) { return t % 4 == 0; }, 5), Work(), Work(),
                  BranchIf(others, 8), Work(), ExitStep(), Sync(), Work(), ExitStep()},
                 {1, 10, 11, 12, 13, 2, 3, 4, 14});
  // A branch that all take.
  expect_unclear({BranchIf(ahead, 3), BranchIf(some, 3), Work(), BranchIf(all, 6), Work(), ExitStep(), BranchIf(others, 9), Work(),
                  ExitStep(), Sync(), Work(), ExitStep()},
                 {1, 10, 11, 2, 3, 3, 4, 5, 6, 12});
}

// The low half runs through a loop before the high half, which has the lowest rank, comes to it: what it did there is kept,
// up to a limit.
TEST(Partings, OneHalfFarAheadOfTheOther) {
  for (const int rounds : {5000, 20000}) {
    Trips trips;
    const auto again = trips.When([&](uint32_t, int trip) { return trip < rounds; });
    const auto low = [](uint32_t t) { return t < 16; };
    const Steps steps{BranchIf(low, 2), Nothing(), BranchIf(again, 2), Sync(), Work(), ExitStep()};
    const PartingMap map = MapOf(steps);
    FakeRun run(steps, 32, {.partings = &map}, {1, 100, 2, 3, 4, 5, 6});
    trips.Restart();
    EXPECT_EQ(Verdict(&run), rounds == 5000 ? kDone : kUnclear);
    if (rounds == 5000) continue;
    EXPECT_EQ(run.fault().message,
              "lanes of one warp ran apart for too long to tell whether all that should come to barrier 0 with threads 0-31");
  }
}

// --- random programs

// if, if-else, loops, early exits, barriers and work, nested; conditions by thread and trip.
class RandomProgram {
 public:
  RandomProgram(uint32_t seed, Trips* trips) : random_(seed), trips_(trips) {
    Body(3);
    Add(ExitStep());
  }
  const Steps& steps() const { return steps_; }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  uint32_t Add(FakeStep step) {
    steps_.push_back(std::move(step));
    return static_cast<uint32_t>(steps_.size() - 1);
  }
  std::function<bool(uint32_t)> Condition() {
    const uint32_t seed = static_cast<uint32_t>(random_()), kind = Below(3);
    return trips_->When([seed, kind](uint32_t t, int trip) {
      const uint32_t by = kind == 0 ? 0 : kind == 1 ? t % 32 / 8 : t % 4;
      return ((seed >> ((by * 5 + static_cast<uint32_t>(trip) * 3) % 31)) & 1) != 0;
    });
  }
  void Body(int depth) {
    for (uint32_t n = 1 + Below(3); n > 0; --n) {
      switch (Below(depth == 0 ? 4 : 8)) {
        case 0: Add(Work()); break;
        case 1: Add(Nothing()); break;
        case 2: Add(Sync()); break;
        case 3: Add(Below(3) == 0 ? ExitStep(Condition()) : Work()); break;
        case 4: {  // if
          const uint32_t branch = Add(BranchIf(Condition(), 0));
          Body(depth - 1);
          steps_[branch].target = static_cast<uint32_t>(steps_.size());
          break;
        }
        case 5: {  // if, else
          const uint32_t branch = Add(BranchIf(Condition(), 0));
          Body(depth - 1);
          const uint32_t jump = Add(GotoStep(0));
          steps_[branch].target = static_cast<uint32_t>(steps_.size());
          Body(depth - 1);
          steps_[jump].target = static_cast<uint32_t>(steps_.size());
          break;
        }
        case 6: {  // loop of at most three trips each time
          const uint32_t head = static_cast<uint32_t>(steps_.size());
          Body(depth - 1);
          auto goes_on = Condition();
          auto limit = trips_->When([](uint32_t, int trip) { return trip % 3 != 2; });
          Add(BranchIf([goes_on, limit](uint32_t t) { return limit(t) && goes_on(t); }, head));
          break;
        }
        default: {  // leave from within
          const uint32_t branch = Add(BranchIf(Condition(), 0));
          if (Below(2) == 0) Add(Work());
          Add(ExitStep());
          steps_[branch].target = static_cast<uint32_t>(steps_.size());
          break;
        }
      }
    }
  }

  std::mt19937 random_;
  Trips* trips_;
  Steps steps_;
};

TEST(Partings, OneWarpHasOneVerdict) {
  std::map<std::string, int> seen;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    Trips trips;
    const RandomProgram program(seed, &trips);
    const std::set<std::string> verdicts = Verdicts(program.steps(), 32, &trips, 12);
    ASSERT_EQ(verdicts.size(), 1u) << "seed " << seed << ": " << testing::PrintToString(verdicts);
    ++seen[*verdicts.begin()];
  }
  EXPECT_GT(seen[kDone], 150);
  EXPECT_GT(seen[kDivergence], 150);
  EXPECT_GT(seen[kUnclear], 25);
}

}  // namespace
}  // namespace racer
