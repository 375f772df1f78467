// Cost of the events that a machine makes most often, for CTAs of 256 and 1024 threads. Items are events of a group.
#include <benchmark/benchmark.h>

#include <vector>

#include "scheduler/cta_scheduler.h"
#include "scheduler/race_detector.h"

namespace racer {
namespace {

constexpr LaneMask kAllLanes = ~LaneMask{0};
const std::vector<uint32_t> kRanks{1, 2, 3, 4, 5, 6, 7, 8};

void UniformGoto(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  LaneGroup group;
  for (auto _ : state) {
    scheduler.Next(&group);
    scheduler.Goto((group.pc + 1) & 7);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(UniformGoto);

void UniformBranch(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  LaneGroup group;
  for (auto _ : state) {
    scheduler.Next(&group);
    scheduler.Branch(kAllLanes, (group.pc + 1) & 7, 0);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(UniformBranch);

// Split, both sides to the join.
void DivergentBranch(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  LaneGroup group;
  for (auto _ : state) {
    scheduler.Next(&group);
    if (group.pc == 0) {
      scheduler.Branch(0xffff, 1, 2);
    } else if (group.pc == 3) {
      scheduler.Goto(0);
    } else {
      scheduler.Goto(3);
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(DivergentBranch);

void Shuffle(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  LaneGroup group;
  for (auto _ : state) {
    scheduler.Next(&group);
    if (group.pc == 0) {
      scheduler.ArriveWarp(kAllLanes, {.members = kAllLanes}, 1);
    } else {
      scheduler.Goto(0);
    }
    benchmark::DoNotOptimize(scheduler.TakeCompletions());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Shuffle);

void SyncWarp(benchmark::State& state) {
  CtaScheduler scheduler(static_cast<uint32_t>(state.range(0)), kRanks, 0);
  LaneGroup group;
  for (auto _ : state) {
    scheduler.Next(&group);
    if (group.pc == 0) {
      scheduler.ArriveWarp(kAllLanes, {.members = kAllLanes, .orders_memory = true}, 1);
    } else {
      scheduler.Goto(0);
    }
    benchmark::DoNotOptimize(scheduler.TakeCompletions());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(SyncWarp)->Arg(256)->Arg(1024);

// One whole barrier of the CTA an iteration.
void Barrier(benchmark::State& state) {
  uint32_t threads = static_cast<uint32_t>(state.range(0));
  CtaScheduler scheduler(threads, kRanks, 0);
  LaneGroup group;
  for (auto _ : state) {
    for (uint32_t w = 0; w < threads / kWarpSize; ++w) {
      scheduler.Next(&group);
      if (group.pc != 0) {
        scheduler.Goto(0);
        scheduler.Next(&group);
      }
      scheduler.ArriveBarrier(group.lanes, {}, 1);
    }
    benchmark::DoNotOptimize(scheduler.TakeCompletions());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Barrier)->Arg(256)->Arg(1024);

void NewCta(benchmark::State& state) {
  for (auto _ : state) CtaScheduler scheduler(static_cast<uint32_t>(state.range(0)), kRanks, 0);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(NewCta)->Arg(256)->Arg(1024);

// --- races; items are accesses of a lane

MemoryEvent Event(MemoryEvent::Kind kind, uint32_t thread) {
  MemoryEvent event;
  event.kind = kind;
  event.thread = thread;
  return event;
}

// Every lane reads and writes its own word, again and again.
void OwnWords(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  RaceDetector detector(256 * 4);
  for (auto _ : state) {
    for (uint32_t t = 0; t < 256; ++t) {
      if (detector.Access(scheduler, Event(MemoryEvent::Kind::kWrite, t), 4 * t, 4)) state.SkipWithError("race");
      if (detector.Access(scheduler, Event(MemoryEvent::Kind::kRead, t), 4 * t, 4)) state.SkipWithError("race");
    }
  }
  state.SetItemsProcessed(state.iterations() * 512);
}
BENCHMARK(OwnWords);

// Every lane reads one word (broadcast) and the next 16 bytes of a row.
void SharedReads(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  RaceDetector detector(256 * 16 + 16);
  for (auto _ : state) {
    for (uint32_t t = 0; t < 256; ++t) {
      if (detector.Access(scheduler, Event(MemoryEvent::Kind::kRead, t), 0, 4)) state.SkipWithError("race");
      if (detector.Access(scheduler, Event(MemoryEvent::Kind::kRead, t), 16 * t + 16, 16)) state.SkipWithError("race");
    }
  }
  state.SetItemsProcessed(state.iterations() * 512);
}
BENCHMARK(SharedReads);

// First touch of a tensor of 1 MiB by 4-byte stores.
void FreshStores(benchmark::State& state) {
  CtaScheduler scheduler(256, kRanks, 0);
  RaceDetector detector(1 << 20);
  for (auto _ : state) {
    detector.Reset();
    for (uint32_t i = 0; i < (1 << 18); ++i) detector.Access(scheduler, Event(MemoryEvent::Kind::kWrite, i & 255), 4 * i, 4);
  }
  state.SetItemsProcessed(state.iterations() * (1 << 18));
}
BENCHMARK(FreshStores);

}  // namespace
}  // namespace racer

BENCHMARK_MAIN();
