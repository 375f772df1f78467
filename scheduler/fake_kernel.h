// Kernels without values for the scheduler's tests: a list of steps that all threads run.
#ifndef RACER_SCHEDULER_FAKE_KERNEL_H_
#define RACER_SCHEDULER_FAKE_KERNEL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/cta_scheduler.h"

namespace racer {

// One instruction; the pc is its index in the kernel.
struct FakeStep {
  enum class Kind : uint8_t { kNothing, kGoto, kBranch, kExit, kBarrier, kWarp } kind = Kind::kNothing;
  uint32_t target = 0;
  std::function<bool(uint32_t thread)> when;  // kBranch: taken; others: the guard. Empty: always
  BarrierArrival barrier;
  WarpArrival warp;
  bool works = false;  // touches memory, say
};

inline FakeStep Nothing() { return {}; }
inline FakeStep Work() {
  FakeStep step;
  step.works = true;
  return step;
}
inline FakeStep GotoStep(uint32_t target) {
  return {.kind = FakeStep::Kind::kGoto, .target = target, .when = {}, .barrier = {}, .warp = {}, .works = false};
}
inline FakeStep BranchIf(std::function<bool(uint32_t)> when, uint32_t target) {
  return {.kind = FakeStep::Kind::kBranch, .target = target, .when = std::move(when), .barrier = {}, .warp = {}, .works = false};
}
inline FakeStep ExitStep(std::function<bool(uint32_t)> when = {}) {
  return {.kind = FakeStep::Kind::kExit, .target = 0, .when = std::move(when), .barrier = {}, .warp = {}, .works = false};
}
inline FakeStep Bar(BarrierArrival barrier, std::function<bool(uint32_t)> when = {}) {
  return {.kind = FakeStep::Kind::kBarrier, .target = 0, .when = std::move(when), .barrier = barrier, .warp = {}, .works = true};
}
inline FakeStep Sync(uint32_t id = 0, uint32_t count = 0) { return Bar({.kind = BarrierArrival::Kind::kSync, .id = id, .count = count}); }
inline FakeStep Arrive(uint32_t id, uint32_t count) { return Bar({.kind = BarrierArrival::Kind::kArrive, .id = id, .count = count}); }
inline FakeStep UnalignedSync(uint32_t id = 0, uint32_t count = 0) {
  return Bar({.kind = BarrierArrival::Kind::kSync, .id = id, .count = count, .aligned = false});
}
inline FakeStep Warp(LaneMask members, uint32_t key = 1, bool orders = false) {
  return {.kind = FakeStep::Kind::kWarp, .target = 0, .when = {}, .barrier = {}, .warp = {members, key, orders}, .works = true};
}
inline FakeStep SyncWarp(LaneMask members = ~LaneMask{0}) { return Warp(members, 0, true); }

inline std::function<bool(uint32_t)> Below(uint32_t n) {
  return [n](uint32_t thread) { return thread < n; };
}

class FakeRun {
 public:
  // Called before a group performs the step at pc.
  using Observer = std::function<void(const LaneGroup&)>;

  FakeRun(std::vector<FakeStep> steps, uint32_t threads, CtaScheduler::Options options = {}, std::vector<uint32_t> ranks = {})
      : steps_(std::move(steps)), ranks_(std::move(ranks)) {
    ranks_.resize(steps_.size() + 1);
    if (ranks_[0] == 0 && ranks_.back() == 0) std::iota(ranks_.begin(), ranks_.end(), 1);
    scheduler_.emplace(threads, ranks_, 0, options);
  }

  CtaScheduler& scheduler() { return *scheduler_; }
  const SyncFault& fault() const { return scheduler_->fault(); }
  std::vector<Completion>& completions() { return completions_; }

  // Runs to the end, to a fault, or for `max_events` events.
  std::optional<CtaScheduler::Step> Run(const Observer& observer = {}, int max_events = 100000) {
    LaneGroup group;
    for (int i = 0; i < max_events; ++i) {
      CtaScheduler::Step step = scheduler_->Next(&group);
      if (step != CtaScheduler::Step::kRun) return step;
      if (observer) observer(group);
      Perform(group);
      for (Completion& completion : scheduler_->TakeCompletions()) completions_.push_back(std::move(completion));
    }
    return std::nullopt;
  }

 private:
  void Perform(const LaneGroup& group) {
    const FakeStep& step = steps_[group.pc];
    LaneMask lanes = 0;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      bool in = ((group.lanes >> lane) & 1) != 0;
      if (in && (!step.when || step.when(group.warp * kWarpSize + lane))) lanes |= LaneMask{1} << lane;
    }
    uint32_t next = group.pc + 1;
    switch (step.kind) {
      case FakeStep::Kind::kNothing: return scheduler_->Goto(next);
      case FakeStep::Kind::kGoto: return scheduler_->Goto(step.target);
      case FakeStep::Kind::kBranch: return scheduler_->Branch(lanes, step.target, next, group.pc);
      case FakeStep::Kind::kExit: return scheduler_->Exit(lanes, next);
      case FakeStep::Kind::kBarrier: return scheduler_->ArriveBarrier(lanes, step.barrier, next);
      case FakeStep::Kind::kWarp: return scheduler_->ArriveWarp(lanes, step.warp, next);
    }
  }

  std::vector<FakeStep> steps_;
  std::vector<uint32_t> ranks_;
  std::optional<CtaScheduler> scheduler_;
  std::vector<Completion> completions_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_FAKE_KERNEL_H_
