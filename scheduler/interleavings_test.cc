// Tiny programs under every interleaving, against an oracle that shares nothing with the scheduler: it keeps a graph of
// events and asks for paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "scheduler/cta_scheduler.h"
#include "scheduler/race_detector.h"

namespace racer {
namespace {

enum class Op : uint8_t { kRead, kWrite, kSyncAll, kSyncTwo, kArriveTwo, kSyncWarp, kShuffle, kExit };

// One list of operations a thread. Each ends in an exit.
using Program = std::vector<std::vector<Op>>;

// Thread i is `linear[i]` of the CTA; all others exit first. Rendezvous of a warp name `members` of its lanes.
struct Layout {
  std::vector<uint32_t> linear;
  LaneMask members;
  uint32_t WarpOf(size_t i) const { return linear[i] / kWarpSize; }
  LaneMask LaneOf(size_t i) const { return LaneMask{1} << (linear[i] % kWarpSize); }
};

// --- the oracle

struct Oracle {
  enum class State : uint8_t { kReady, kWaits, kExited };
  struct Access {
    size_t thread;
    size_t op;
    int node;
    bool write;
  };

  Oracle(const Program& program, const Layout& layout)
      : program(&program), layout(&layout), next(program.size()), state(program.size(), State::kReady) {
    last.assign(program.size(), -1);
  }

  int NewNode(size_t thread) {
    int node = static_cast<int>(edges.size());
    edges.emplace_back();
    if (last[thread] >= 0) edges[last[thread]].push_back(node);
    last[thread] = node;
    return node;
  }
  bool Path(int from, int to) const {
    std::vector<int> stack{from};
    std::set<int> seen;
    while (!stack.empty()) {
      int node = stack.back();
      stack.pop_back();
      if (node == to) return true;
      if (!seen.insert(node).second) continue;
      stack.insert(stack.end(), edges[node].begin(), edges[node].end());
    }
    return false;
  }

  struct Waiter {
    size_t thread;
    int node;
    bool waits;
    size_t op;
    bool went_on = false;
  };

  bool Step(size_t thread) {  // false: the manual leaves open what follows
    Op op = (*program)[thread][next[thread]];
    size_t index = next[thread]++;
    int node = NewNode(thread);
    switch (op) {
      case Op::kRead:
      case Op::kWrite: accesses.push_back({thread, index, node, op == Op::kWrite}); return true;
      case Op::kExit: state[thread] = State::kExited; break;
      case Op::kSyncAll:
        all.push_back({thread, node, true, index});
        state[thread] = State::kWaits;
        break;
      case Op::kSyncTwo:
      case Op::kArriveTwo:
        for (const Waiter& waiter : two) {
          if (waiter.thread == thread) return false;  // again before completion
        }
        two.push_back({thread, node, op == Op::kSyncTwo, index});
        state[thread] = State::kWaits;
        break;
      case Op::kSyncWarp:
      case Op::kShuffle:
        (op == Op::kSyncWarp ? sync_warp : shuffle).push_back({thread, node, true, index});
        state[thread] = State::kWaits;
        break;
    }
    Settle();
    return true;
  }

  bool WarpHasCome(const std::vector<Waiter>& waiters, uint32_t warp) const {
    for (size_t i = 0; i < next.size(); ++i) {
      if (layout->WarpOf(i) != warp || state[i] == State::kExited) continue;
      if (std::none_of(waiters.begin(), waiters.end(), [&](const Waiter& w) { return w.thread == i; })) return false;
    }
    return true;
  }
  static std::vector<Waiter> OfWarp(const std::vector<Waiter>& waiters, const Layout& layout, uint32_t warp) {
    std::vector<Waiter> mine;
    for (const Waiter& waiter : waiters) {
      if (layout.WarpOf(waiter.thread) == warp) mine.push_back(waiter);
    }
    return mine;
  }

  void Meet(const std::vector<Waiter>& who, bool orders, char what) {
    std::string meeting(1, what);
    for (size_t i = 0; i < next.size(); ++i) {
      for (const Waiter& waiter : who) {
        if (waiter.thread == i) meeting += " " + std::to_string(i) + "." + std::to_string(waiter.op);
      }
    }
    meetings.insert(meeting);
    for (const Waiter& waiter : who) {
      if (!waiter.waits) continue;
      state[waiter.thread] = State::kReady;
      int departure = NewNode(waiter.thread);
      for (const Waiter& other : who) {
        if (orders) edges[other.node].push_back(departure);
      }
    }
  }

  void Settle() {
    // All threads: nobody is left that has not come.
    bool all_here = !all.empty();
    for (size_t i = 0; i < next.size(); ++i) all_here = all_here && WarpHasCome(all, layout->WarpOf(i));
    if (all_here) {
      std::vector<Waiter> who = std::exchange(all, {});
      Meet(who, true, 'a');
    }
    // Two warps.
    std::set<uint32_t> warps;
    for (const Waiter& waiter : two) {
      if (WarpHasCome(two, layout->WarpOf(waiter.thread))) warps.insert(layout->WarpOf(waiter.thread));
    }
    for (Waiter& waiter : two) {
      if (waiter.waits || waiter.went_on || !warps.contains(layout->WarpOf(waiter.thread))) continue;
      waiter.went_on = true;
      state[waiter.thread] = State::kReady;
    }
    if (warps.size() == 2) {
      std::vector<Waiter> who, rest;
      for (const Waiter& waiter : two) (warps.contains(layout->WarpOf(waiter.thread)) ? who : rest).push_back(waiter);
      two = rest;
      Meet(who, true, 't');
    }
    for (auto* waiters : {&sync_warp, &shuffle}) {
      for (uint32_t warp = 0; warp < 3; ++warp) {
        std::vector<Waiter> mine = OfWarp(*waiters, *layout, warp);
        if (mine.empty() || !WarpHasCome(*waiters, warp)) continue;
        std::erase_if(*waiters, [&](const Waiter& w) { return layout->WarpOf(w.thread) == warp; });
        Meet(mine, waiters == &sync_warp, waiters == &sync_warp ? 'w' : 's');
      }
    }
  }

  const Program* program;
  const Layout* layout;
  std::vector<size_t> next;
  std::vector<State> state;
  std::vector<int> last;
  std::vector<std::vector<int>> edges;
  std::vector<Access> accesses;
  std::vector<Waiter> all, two, sync_warp, shuffle;
  std::multiset<std::string> meetings;
};

// --- replay

struct Outcome {
  enum class End : uint8_t { kDone, kStuck, kOpen } end = End::kDone;
  std::multiset<std::string> meetings;
  bool race = false;

  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};

class Explorer {
 public:
  Explorer(Program program, Layout layout) : program_(std::move(program)), layout_(std::move(layout)) {
    for (std::vector<Op>& ops : program_) ops.push_back(Op::kExit);
  }

  void Run() {
    std::vector<size_t> order;
    Explore(Oracle(program_, layout_), &order);
    // One schedule speaks for all: what the scheduler does not call open comes out the same in every interleaving. And it
    // cries no wolf: where it does call it open, another interleaving goes another way.
    bool open = std::any_of(scheduler_.begin(), scheduler_.end(), [](const Outcome& o) { return o.end == Outcome::End::kOpen; });
    if (!open) {
      EXPECT_EQ(scheduler_.size(), 1u) << Name();
    } else {
      bool again = oracle_.size() == 1 && oracle_.begin()->end == Outcome::End::kOpen;  // an arrival before completion, always
      EXPECT_TRUE(again || oracle_.size() > 1) << Name();
      ++open_programs;
    }
    races_seen += std::any_of(scheduler_.begin(), scheduler_.end(), [](const Outcome& o) { return o.race; });
  }

  static inline uint64_t interleavings = 0, open_programs = 0, races_seen = 0, stuck_seen = 0;

 private:
  std::string Name() const {
    std::string text;
    for (size_t i = 0; i < program_.size(); ++i) {
      text += " [" + std::to_string(layout_.linear[i]) + "]";
      for (Op op : program_[i]) text += " " + std::to_string(static_cast<int>(op));
    }
    return text;
  }

  void Explore(const Oracle& oracle, std::vector<size_t>* order) {
    bool moved = false;
    for (size_t i = 0; i < program_.size(); ++i) {
      if (oracle.state[i] != Oracle::State::kReady) continue;
      moved = true;
      Oracle after = oracle;
      order->push_back(i);
      if (after.Step(i)) {
        Explore(after, order);
      } else {
        Finish(after, *order, Outcome::End::kOpen);
      }
      order->pop_back();
    }
    if (moved) return;
    bool done = std::all_of(oracle.state.begin(), oracle.state.end(), [](Oracle::State s) { return s == Oracle::State::kExited; });
    Finish(oracle, *order, done ? Outcome::End::kDone : Outcome::End::kStuck);
  }

  void Finish(const Oracle& oracle, const std::vector<size_t>& order, Outcome::End end) {
    ++interleavings;
    stuck_seen += end == Outcome::End::kStuck;
    oracle_.insert({end, oracle.meetings, false});
    Outcome outcome = Replay(oracle, order);
    if (outcome.end != Outcome::End::kOpen) {
      ASSERT_EQ(outcome.end, end) << Name();
      ASSERT_EQ(outcome.meetings, oracle.meetings) << Name();
    }
    scheduler_.insert(outcome);
  }

  // pc of operation k of thread i is 1 + 8 i + k; pc 0 is where all start. Ranks follow the wanted order, so that within a
  // warp the right lane runs; a warp that is not wanted is passed over by a Goto, its slice being one event.
  Outcome Replay(const Oracle& oracle, const std::vector<size_t>& order) {
    std::vector<uint32_t> ranks(2 + 8 * program_.size(), 1000);
    std::vector<size_t> seen(program_.size());
    for (size_t at = 0; at < order.size(); ++at) ranks[1 + 8 * order[at] + seen[order[at]]++] = static_cast<uint32_t>(at + 1);
    ranks[0] = 0;
    arrived_by_arrive_.clear();
    const uint32_t threads = std::max(2u, layout_.linear.back() / kWarpSize + 1) * kWarpSize;
    CtaScheduler scheduler(threads, ranks, 0, {.slice = 1});
    RaceDetector detector(4);
    LaneGroup group;
    for (uint32_t warp = 0; warp < threads / kWarpSize;) {
      if (scheduler.Next(&group) != CtaScheduler::Step::kRun) break;
      if (group.warp != warp) {
        scheduler.Goto(group.pc);
        continue;
      }
      LaneMask mine = 0;
      uint32_t pcs[kWarpSize] = {};
      for (size_t i = 0; i < program_.size(); ++i) {
        if (layout_.WarpOf(i) != warp) continue;
        mine |= layout_.LaneOf(i);
        pcs[layout_.linear[i] % kWarpSize] = static_cast<uint32_t>(1 + 8 * i);
      }
      scheduler.Exit(group.lanes & ~mine, 0);
      ++warp;
      if (mine == 0) continue;
      do {
        if (scheduler.Next(&group) != CtaScheduler::Step::kRun) ADD_FAILURE();
        if (group.warp != warp - 1) scheduler.Goto(group.pc);
      } while (group.warp != warp - 1);
      scheduler.Scatter(pcs);
    }
    Outcome outcome;
    std::vector<Epoch> epochs;
    for (size_t at = 0; at <= order.size(); ++at) {
      CtaScheduler::Step step;
      // Passes over warps whose turn it is not. At the end a few more turns make sure that nobody is left.
      for (int tries = 0; (step = scheduler.Next(&group)) == CtaScheduler::Step::kRun && tries < 64; ++tries) {
        if (at < order.size() && group.warp == layout_.WarpOf(order[at]) && group.lanes == layout_.LaneOf(order[at])) break;
        scheduler.Goto(group.pc);
      }
      if (step == CtaScheduler::Step::kFault) {
        // A count that exited warps might fill is stuck for the oracle.
        bool by_exit = scheduler.fault().message.find("whether the") != std::string::npos;
        if (by_exit) {
          EXPECT_FALSE(oracle.two.empty()) << Name();
        }
        bool open = (scheduler.fault().kind == SyncFault::Kind::kUnspecified && !by_exit) ||
                    scheduler.fault().kind == SyncFault::Kind::kBarrierPairing;
        outcome.end = open ? Outcome::End::kOpen : Outcome::End::kStuck;
        if (outcome.end == Outcome::End::kStuck) {
          EXPECT_EQ(at, order.size()) << Name();
        }
        return outcome;
      }
      if (step == CtaScheduler::Step::kDone || at == order.size()) {
        EXPECT_EQ(at, order.size()) << Name();
        EXPECT_EQ(step, CtaScheduler::Step::kDone) << Name();
        return outcome;
      }
      Perform(&scheduler, &detector, oracle, order[at], group, &epochs, &outcome);
      for (const Completion& completion : scheduler.TakeCompletions()) Note(completion, &outcome);
    }
    return outcome;
  }

  void Note(const Completion& completion, Outcome* outcome) {
    char what = !completion.is_barrier ? (completion.warp.orders_memory ? 'w' : 's') : completion.barrier.id == 0 ? 'a' : 't';
    std::map<size_t, size_t> who;
    for (const LaneGroup& group : completion.arrivals) {
      size_t thread = (group.pc - 1) / 8;
      EXPECT_EQ(group.warp, layout_.WarpOf(thread));
      EXPECT_EQ(group.lanes, layout_.LaneOf(thread));
      who[thread] = (group.pc - 1) % 8;
    }
    // Lanes that came by bar.arrive are not listed: they are those that arrived since the last use.
    if (what == 't') {
      for (auto [thread, op] : arrived_by_arrive_) {
        if (layout_.WarpOf(thread) < 3) who[thread] = op;
      }
      arrived_by_arrive_.clear();
    }
    std::string meeting(1, what);
    for (auto [thread, op] : who) meeting += " " + std::to_string(thread) + "." + std::to_string(op);
    outcome->meetings.insert(meeting);
  }

  void Perform(CtaScheduler* scheduler, RaceDetector* detector, const Oracle& oracle, size_t thread, const LaneGroup& group,
               std::vector<Epoch>* epochs, Outcome* outcome) {
    size_t index = (group.pc - 1) % 8;
    Op op = program_[thread][index];
    uint32_t next = group.pc + 1;
    if (epochs->empty() && index == 0) {
    }
    switch (op) {
      case Op::kRead:
      case Op::kWrite: CheckAccess(scheduler, detector, oracle, thread, group, epochs, outcome); return scheduler->Goto(next);
      case Op::kExit: return scheduler->Exit(group.lanes, next);
      case Op::kSyncAll: return scheduler->ArriveBarrier(group.lanes, {.aligned = false}, next);
      case Op::kSyncTwo: return scheduler->ArriveBarrier(group.lanes, {.id = 1, .count = 64, .aligned = false}, next);
      case Op::kArriveTwo:
        arrived_by_arrive_.push_back({thread, index});
        return scheduler->ArriveBarrier(group.lanes, {.kind = BarrierArrival::Kind::kArrive, .id = 1, .count = 64, .aligned = false}, next);
      case Op::kSyncWarp: return scheduler->ArriveWarp(group.lanes, {.members = layout_.members, .key = 1, .orders_memory = true}, next);
      case Op::kShuffle: return scheduler->ArriveWarp(group.lanes, {.members = layout_.members, .key = 2}, next);
    }
  }

  void CheckAccess(CtaScheduler* scheduler, RaceDetector* detector, const Oracle& oracle, size_t thread, const LaneGroup& group,
                   std::vector<Epoch>* epochs, Outcome* outcome) {
    size_t nth = epochs->size();
    const Oracle::Access& access = oracle.accesses[nth];
    ASSERT_EQ(access.thread, thread);
    bool race = false;
    for (size_t i = 0; i < nth; ++i) {
      const Oracle::Access& earlier = oracle.accesses[i];
      bool ordered = oracle.Path(earlier.node, access.node);
      ASSERT_EQ(scheduler->Ordered((*epochs)[i], layout_.linear[thread]), ordered) << Name() << ": access " << i << " and " << nth;
      race = race || (!ordered && (earlier.write || access.write));
    }
    epochs->push_back(scheduler->Now(layout_.linear[thread]));
    if (outcome->race) return;
    MemoryEvent event;
    event.kind = access.write ? MemoryEvent::Kind::kWrite : MemoryEvent::Kind::kRead;
    event.thread = layout_.linear[thread];
    event.pc = group.pc;
    ASSERT_EQ(detector->Access(*scheduler, event, 0, 4).has_value(), race) << Name();
    outcome->race = race;
  }

  Program program_;
  Layout layout_;
  std::set<Outcome> oracle_, scheduler_;
  std::vector<std::pair<size_t, size_t>> arrived_by_arrive_;
};

const std::vector<Op> kAlphabet{Op::kRead, Op::kWrite, Op::kSyncAll, Op::kSyncTwo, Op::kArriveTwo, Op::kSyncWarp, Op::kShuffle};

// Every list of up to `length` operations.
std::vector<std::vector<Op>> Lists(size_t length) {
  std::vector<std::vector<Op>> lists{{}};
  for (size_t begin = 0, n = 0; n < length; ++n) {
    size_t end = lists.size();
    for (; begin < end; ++begin) {
      for (Op op : kAlphabet) {
        lists.push_back(lists[begin]);
        lists.back().push_back(op);
      }
    }
  }
  return lists;
}

const Layout kTwoWarps{{0, 32}, 1}, kOneWarp{{0, 1}, 3};
const Layout kThreeWarps{{0, 32, 64}, 1}, kTwoAndOne{{0, 1, 32}, 3}, kThreeLanes{{0, 1, 2}, 7};

TEST(Interleavings, AllProgramsOfTwoThreads) {
  for (const Layout& layout : {kTwoWarps, kOneWarp}) {
    for (const auto& first : Lists(2)) {
      for (const auto& second : Lists(2)) {
        Explorer({first, second}, layout).Run();
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(Explorer::races_seen, 100u);
  EXPECT_GT(Explorer::stuck_seen, 100u);
}

TEST(Interleavings, ProgramsOfThreeThreads) {
  std::mt19937 random(20240229);
  Explorer::open_programs = 0;
  for (int i = 0; i < 1500; ++i) {
    const Layout& layout = i % 3 == 0 ? kThreeWarps : i % 3 == 1 ? kTwoAndOne : kThreeLanes;
    Program program(3);
    for (auto& ops : program) {
      for (size_t n = random() % 4; n > 0; --n) ops.push_back(kAlphabet[random() % kAlphabet.size()]);
    }
    Explorer(program, layout).Run();
    if (HasFailure()) return;
  }
  EXPECT_GT(Explorer::open_programs, 10u);
  RecordProperty("interleavings", std::to_string(Explorer::interleavings));
}

}  // namespace
}  // namespace racer
