// What Core says when something is wrong: places, names and messages.
#ifndef RACER_SYMEXEC_MACHINE_FINDINGS_H_
#define RACER_SYMEXEC_MACHINE_FINDINGS_H_

#include <algorithm>
#include <utility>

#include "symexec/machine/core.h"
#include "symexec/machine/machine.h"
#include "symexec/machine/places.h"

namespace racer {

template <class Traits>
void Core<Traits>::Violate(Gate gate, std::string message, std::vector<Where> where) {
  if (stopped_) return;
  // Nobody knows whether data ever lead there.
  if (path_ != kNoTerm) return Unsupported("on a way that data decide, " + std::move(message) + ",", &program_.code[pc_]);
  stopped_ = true;
  if (exploring_) return;
  result_.status = RunResult::Status::kViolation;
  result_.reason = message;
  if (!where.empty()) result_.place = where.front();
  result_.findings.push_back({.gate = gate, .message = std::move(message), .where = std::move(where)});
}

template <class Traits>
void Core<Traits>::Unsupported(std::string reason, const Decoded* in) {
  if (stopped_) return;
  stopped_ = true;
  if (exploring_) return;
  result_.status = RunResult::Status::kUnsupported;
  result_.reason = std::move(reason);
  if (in != nullptr) {
    result_.place = PlaceOfPc(static_cast<uint32_t>(in - program_.code.data()));
    result_.reason += " at line " + std::to_string(result_.place->line);
  }
}

template <class Traits>
void Core<Traits>::OverBudget(std::string reason) {
  if (stopped_) return;
  stopped_ = true;
  if (exploring_) return;
  result_.status = RunResult::Status::kBudget;
  result_.reason = std::move(reason);
  if (program_.code.empty()) return;
  result_.place = PlaceOfPc(pc_);
  const uint32_t head = program_.loop_head_of_pc[pc_];
  if (head == kNoRow) return;
  const Where loop = PlaceOfPc(head);
  result_.reason += ", reached in the loop at line " + std::to_string(loop.line);
}

template <class Traits>
Where Core<Traits>::PlaceOfPc(uint32_t pc) const {
  const Decoded& in = program_.code[pc];
  return in.instruction == nullptr ? Where{} : PlaceOf(*module_, *in.instruction);
}

template <class Traits>
std::string Core<Traits>::ThreadName(uint32_t cta, uint32_t thread) const {
  return "thread " + CoordinateName(thread, config_->launch.block) + " of CTA " + CoordinateName(cta, config_->launch.grid);
}
template <class Traits>
std::string Core<Traits>::ThreadName(unsigned lane) const {
  return ThreadName(cta_, warp_ * kWarpSize + lane);
}

// "x+1536, 4 bytes past the end of x (1536 bytes)"; *inside: the access lies in one object.
template <class Traits>
std::string Core<Traits>::AddressName(Space space, uint64_t address, uint64_t size, bool* inside) const {
  const SegmentTable& table = layout_.Table(space);
  const Segment* segment = table.Find(address, size);
  if (inside != nullptr) *inside = segment != nullptr;
  const bool found = segment != nullptr;
  if (!found) segment = table.Nearest(address);
  return DescribeAddress(space, address, size, segment, found);
}

template <class Traits>
void Core<Traits>::ReportRace(const Race& race, const Target& target, const Decoded& in) {
  const Decoded& first = program_.code[race.first.pc];
  const Decoded& second = program_.code[race.second.pc];
  if (race.order_matters) {
    const bool returns = program_.atomics[first.target].returns || program_.atomics[second.target].returns;
    const Decoded& shows = program_.atomics[second.target].returns || !returns ? second : first;
    return Unsupported(std::string(returns ? "what `" : "what is left by `") + shows.instruction->FullName() +
                           (returns ? "` returns depends on the order of atomics," : "` depends on the order of atomics,"),
                       &in);
  }
  // By the memory model no race: strong accesses, volatile ones among them, that cover each other. What is read is a matter of time.
  const auto strong = [](const MemoryEvent& event, const Decoded& access) {
    return event.kind == MemoryEvent::Kind::kAtomic || access.mods.order != MemoryOrder::kWeak;
  };
  const auto covers = [&](const Decoded& access) {
    return race.first.cta == race.second.cta || (access.mods.scope != Scope::kCta && access.mods.scope != Scope::kCluster);
  };
  const bool both_atomic = race.first.kind == MemoryEvent::Kind::kAtomic && race.second.kind == MemoryEvent::Kind::kAtomic;
  if (!both_atomic && strong(race.first, first) && strong(race.second, second) && covers(first) && covers(second)) {
    return Unsupported("volatile or relaxed accesses that nothing orders", &in);
  }
  if (race.ordered_by_exit) {
    return Unsupported(
        "whether an exited thread's accesses are ordered by a later barrier is left open by the manual; the conflicting access is", &in);
  }
  // Flags kept with volatile or relaxed accesses and fences do order other accesses, in a way that is not followed here.
  if (fences_seen_ && strong_seen_)
    return Unsupported("synchronisation through fences and volatile or relaxed accesses is not modelled", &in);
  if (conditional_[race.first.pc] || conditional_[race.second.pc]) {
    const Where place = PlaceOfPc(race.first.pc);
    return Unsupported("whether accesses race that nothing orders is up to data, which decide whether they are made: the one at line " +
                           std::to_string(place.line) + " and this one,",
                       &in);
  }
  std::string where = "shared memory";
  if (target.race == shared_race_.get()) {
    for (const Segment& segment : layout_.shared.segments()) {
      if (race.offset - segment.dense < segment.size) where = segment.name + "+" + std::to_string(race.offset - segment.dense);
    }
  } else {
    for (size_t i = 0; i < globals_.size(); ++i) {
      if (globals_[i].race.get() == target.race) where = layout_.global.segments()[i].name + "+" + std::to_string(race.offset);
    }
  }
  auto verb = [&](const MemoryEvent& event) {
    if (program_.code[event.pc].action == Action::kCopyAsync)
      return event.kind == MemoryEvent::Kind::kRead ? "asynchronous read" : "asynchronous write";
    switch (event.kind) {
      case MemoryEvent::Kind::kRead: return "read";
      case MemoryEvent::Kind::kWrite: return "write";
      case MemoryEvent::Kind::kAtomic: return "atomic operation";
    }
    RACER_UNREACHABLE(static_cast<int>(event.kind));
  };
  // The CTA runs on for a while: where a barrier is misused as well, that is the cause and comes first.
  race_finding_ =
      Finding{.gate = Gate::kRace,
              .message = "data race on " + where + ": " + verb(race.second) + " by " + ThreadName(race.second.cta, race.second.thread) +
                         " and " + verb(race.first) + " by " + ThreadName(race.first.cta, race.first.thread) + " are not ordered" +
                         (!both_atomic                        ? ""
                          : race.first.cta != race.second.cta ? ": .cta scope makes them atomic only within a CTA"
                                                              : ": they overlap and are not of the same bytes"),
              .where = {PlaceOfPc(race.second.pc), PlaceOfPc(race.first.pc)}};
  race_deadline_ = result_.stats.thread_instructions + kRunOnAfterRace;
}

template <class Traits>
void Core<Traits>::SettleRace() {
  if (!race_finding_) return;
  // A broken barrier is the cause of the race and comes first; of everything else the race may be the cause.
  std::vector<Finding> others = std::exchange(result_.findings, {});
  const bool sync_first = !others.empty() && others[0].gate == Gate::kSync;
  if (!sync_first) {
    stopped_ = false;
    Violate(race_finding_->gate, race_finding_->message, race_finding_->where);
  } else {
    others.push_back(*race_finding_);
  }
  result_.findings.insert(result_.findings.end(), others.begin(), others.end());
  race_finding_.reset();
}

template <class Traits>
void Core<Traits>::ReportSchedulerFault() {
  const SyncFault& fault = scheduler_->fault();
  if (fault.kind == SyncFault::Kind::kUnspecified)
    return Unsupported(fault.message + ",", fault.where.empty() ? nullptr : &program_.code[fault.where[0].pc]);
  std::vector<Where> where;
  for (const LaneGroup& group : fault.where) {
    Where place = PlaceOfPc(group.pc);
    const bool known =
        std::any_of(where.begin(), where.end(), [&](const Where& w) { return w.line == place.line && w.file == place.file; });
    if (!known) where.push_back(std::move(place));
  }
  Violate(Gate::kSync, fault.message + " in CTA " + CoordinateName(cta_, config_->launch.grid), std::move(where));
}

template <class Traits>
uint32_t Core<Traits>::NewCause(std::string message) {
  causes_.push_back({.message = std::move(message), .pc = pc_});
  if (causes_.size() >= (size_t{1} << 24)) OverBudget("more than 2^24 uninitialised reads");
  return Tag() | static_cast<uint32_t>(causes_.size() - 1);
}
template <class Traits>
TermId Core<Traits>::Undefined(unsigned width, std::string message) {
  return store_->Undef(width, NewCause(std::move(message)));
}

template <class Traits>
Finding Core<Traits>::DescribeUndef(uint32_t cause) const {
  const uint32_t index = cause & 0xffffff;
  if ((cause & 0xff000000) != Tag() || index >= causes_.size()) {
    return {.gate = Gate::kInit, .message = "an undefined value", .where = {}};
  }
  return {.gate = Gate::kInit, .message = causes_[index].message, .where = {PlaceOfPc(causes_[index].pc)}};
}

template <class Traits>
Where Core<Traits>::DescribeOrigin(uint32_t origin) const {
  const uint32_t pc = (origin & 0xffffff) - 1;
  if ((origin & 0xff000000) != Tag() || pc >= program_.code.size()) return {};
  return PlaceOfPc(pc);
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_FINDINGS_H_
