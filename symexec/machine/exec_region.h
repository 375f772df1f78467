// Branches that data decide: both ways are taken, lane by lane, up to where they meet, and what they leave becomes a selection.
//
// In Bits the same code looks at the way that is not taken, for the signature alone: a Term run will take it, too.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_REGION_H_
#define RACER_SYMEXEC_MACHINE_EXEC_REGION_H_

#include <algorithm>
#include <tuple>
#include <utility>

#include "symexec/machine/core.h"
#include "symexec/machine/places.h"

namespace racer {

// --- what an arm changes

// Before bytes change: what they were.
template <class Traits>
void Core<Traits>::NoteStore(Bytes* bytes, uint64_t offset, uint64_t size, uint32_t* writers) {
  if (journal_ == nullptr) return;
  for (uint64_t done = 0; done < size;) {
    const unsigned step = static_cast<unsigned>(std::min<uint64_t>(size - done, kMostStored));
    Stored& stored = journal_->emplace_back();
    stored.bytes = bytes;
    stored.offset = offset + done;
    stored.size = step;
    bytes->Save(stored.offset, step, &stored.old);
    if (writers != nullptr) {
      stored.writers = writers + done;
      std::copy_n(stored.writers, step, stored.old_writers.begin());
    }
    done += step;
  }
}

template <class Traits>
void Core<Traits>::Undo(const Journal& journal) {
  for (size_t i = journal.size(); i-- > 0;) journal[i].bytes->Restore(journal[i].offset, journal[i].size, journal[i].old);
}

template <class Traits>
std::vector<uint64_t> Core<Traits>::LaneRows(const Region& region, unsigned lane, std::vector<bool>* symbolic) const {
  std::vector<uint64_t> values;
  values.reserve(region.rows.size());
  for (const Region::Row& row : region.rows) {
    values.push_back(registers_[size_t{row.row} * kWarpSize + lane]);
    if constexpr (kSymbolic) symbolic->push_back((symbolic_[row.row] >> lane & 1) != 0);
  }
  return values;
}

template <class Traits>
void Core<Traits>::SetLaneRow(uint32_t row, unsigned lane, uint64_t value, bool symbolic) {
  registers_[size_t{row} * kWarpSize + lane] = value;
  if constexpr (kSymbolic) {
    const LaneMask bit = LaneMask{1} << lane;
    symbolic_[row] = symbolic ? symbolic_[row] | bit : symbolic_[row] & ~bit;
  }
}

// Places that either arm has stored to, without overlap: as they were stored, or byte by byte where accesses of unlike sizes overlap.
template <class Traits>
typename Core<Traits>::Journal Core<Traits>::PlacesOf(const Journal& a, const Journal& b) const {
  Journal all;
  for (const Journal* journal : {&a, &b}) {
    for (const Stored& stored : *journal) {
      Stored& place = all.emplace_back();
      place.bytes = stored.bytes;
      place.offset = stored.offset;
      place.size = stored.size;
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Stored& x, const Stored& y) { return std::tie(x.bytes, x.offset, x.size) < std::tie(y.bytes, y.offset, y.size); });
  Journal places;
  for (size_t i = 0; i < all.size();) {
    uint64_t end = all[i].offset + all[i].size;
    bool alike = true;
    size_t k = i + 1;
    for (; k < all.size() && all[k].bytes == all[i].bytes && all[k].offset < end; ++k) {
      alike &= all[k].offset == all[i].offset && all[k].size == all[i].size;
      end = std::max(end, all[k].offset + all[k].size);
    }
    if (alike) {
      places.push_back(all[i]);
    } else {
      for (uint64_t at = all[i].offset; at < end; ++at) {
        Stored& place = places.emplace_back();
        place.bytes = all[i].bytes;
        place.offset = at;
        place.size = 1;
      }
    }
    i = k;
  }
  return places;
}

// --- running one arm

template <class Traits>
bool Core<Traits>::Refuse(const char* what, const Decoded& in) {
  Unsupported(std::string(what) + " on a way that data decide", &in);
  return false;
}

// From a return in a function that the arm called.
template <class Traits>
uint32_t Core<Traits>::ReturnInArm(const Decoded& in, unsigned lane) {
  const size_t at = size_t{in.function} * warps_ * kWarpSize + warp_ * kWarpSize + lane;
  if (!stacks_.empty()) CutStack(warp_ * kWarpSize + lane, stack_tops_[at]);
  const uint32_t pc = return_pcs_[at];
  for (const Transfer& transfer : program_.calls[program_.code[pc - 1].target].results) Pass(transfer, LaneMask{1} << lane);
  return pc;
}

// One lane from `arm` to `meeting`, a pc of the function in which the arm begins. False: the run has been stopped.
template <class Traits>
bool Core<Traits>::RunArm(Arm arm, uint32_t meeting, unsigned lane) {
  const LaneMask bit = LaneMask{1} << lane;
  const uint32_t function = program_.code[meeting].function;
  unsigned calls = 0;
  pc_ = arm.pc;
  bool performs = arm.performs;
  while (calls != 0 || pc_ != meeting) {
    const Decoded& in = program_.code[pc_];
    MarkOrigin();
    ++result_.stats.thread_instructions;
    ++result_.stats.warp_instructions;
    if (++arm_instructions_ > kMostArmInstructions) {
      Unsupported("more than " + std::to_string(kMostArmInstructions) + " instructions on ways that data decide", &in);
      return false;
    }
    if ((arm_instructions_ & 0xfff) == 0 && !exploring_ && !WithinBudgets()) return false;
    bool active = true;
    if (in.guard_row != kNoRow && !performs) {
      const Source guard{.row = in.guard_row, .negated = in.guard_negated, .width = 1, .reg_width = 1};
      if ((Symbolic(guard) >> lane & 1) != 0) {
        if (!PerformGuarded(in, lane)) return false;
        continue;
      }
      active = Read(guard, lane).bits != 0;
    }
    performs = false;
    uint32_t next = pc_ + 1;
    switch (in.action) {
      case Action::kValue:
      case Action::kMove:
      case Action::kPack:
      case Action::kUnpack:
      case Action::kMoveWide:
      case Action::kLoad:
      case Action::kStore:
      case Action::kToGeneric:
      case Action::kFromGeneric:
      case Action::kIsSpace:
      case Action::kOpaque:
      case Action::kNothing:
      case Action::kFence:
      case Action::kTrap:
      case Action::kUnsupported:
        if (!active) break;
        if (signature_.on() && signature_.WatchOf(pc_) != Signature::Watch::kNone) {
          PerformWatched(in, bit);
        } else {
          Perform(in, bit);
        }
        if (HasLeftDomain(in) || stopped_) return false;
        break;
      case Action::kBranch:
        if (signature_.on()) Explore(in, bit, active ? bit : 0);
        if (stopped_) return false;
        if (active) next = in.target;
        break;
      case Action::kBranchIndexed: {
        if (!active) break;
        uint64_t index = 0;
        const std::vector<uint32_t>& table = program_.branch_tables[in.target];
        if (!Control(in.source[0], lane, "a branch", &index)) return false;
        if (index >= table.size()) return Refuse("an index outside the targets of `brx.idx`", in);
        next = table[index];
        break;
      }
      case Action::kCall: {
        if (!active) break;
        if (in.source_count != 0) return Refuse("a call through a pointer", in);
        const CallSite& site = program_.calls[in.target];
        if (site.recursive) return Refuse("a recursive call", in);
        Enter(site, bit);
        ++calls;
        next = program_.functions[site.callee].entry_pc;
        break;
      }
      case Action::kReturn:
        if (!active) break;
        if (calls != 0) {
          --calls;
          next = ReturnInArm(in, lane);
          break;
        }
        next = program_.functions[function].end_pc - 1;
        if (next != meeting) return Refuse("a return", in);
        break;
      case Action::kExit:
        if (!active) break;
        next = program_.functions[0].end_pc - 1;
        if (calls != 0 || next != meeting) return Refuse("an exit in a function that was called", in);
        break;
      case Action::kAtomic: return Refuse("an atomic operation", in);
      case Action::kCopyAsync:
      case Action::kCommitCopies:
      case Action::kWaitCopies:
      case Action::kWaitAllCopies: return Refuse("an asynchronous copy", in);
      case Action::kBarrier:
      case Action::kWarpBarrier: return Refuse("a barrier", in);
      case Action::kDiscard:
      case Action::kAllocate:
      case Action::kStackSave:
      case Action::kStackRestore:
      case Action::kActiveMask:
      case Action::kShuffle:
      case Action::kVote:
      case Action::kMatch:
      case Action::kReduce:
      case Action::kElect:
      case Action::kMatrix: return Refuse(("`" + in.instruction->FullName() + "`").c_str(), in);
    }
    if (signature_.on() && (next != pc_ + 1 || in.block_end)) signature_.Edge(pc_, next, warp_, bit, false);
    pc_ = next;
  }
  return true;
}

// An instruction whose guard is symbolic, at pc_; leads to where its ways meet.
template <class Traits>
bool Core<Traits>::PerformGuarded(const Decoded& in, unsigned lane) {
  if constexpr (kSymbolic) {
    switch (in.action) {
      case Action::kValue:
      case Action::kMove:
      case Action::kPack:
      case Action::kUnpack:
      case Action::kMoveWide:
        ConvertGuarded(in, LaneMask{1} << lane);
        if (stopped_) return false;
        [[fallthrough]];
      case Action::kNothing:
      case Action::kFence: ++pc_; return true;
      case Action::kLoad:
      case Action::kStore: return TakeBothWays(in, lane, "a guard");
      case Action::kBranch:
      case Action::kReturn:
      case Action::kExit: return TakeBothWays(in, lane, "a branch");
      default: break;
    }
    StopAtSymbolic(ReadTerm({.row = in.guard_row, .width = 1, .reg_width = 1}, lane), "a guard", lane);
  }
  return false;
}

// --- both arms

// The guard of the instruction at pc_ is symbolic. Ends at where both ways meet.
template <class Traits>
bool Core<Traits>::TakeBothWays(const Decoded& in, unsigned lane, const char* what) {
  if constexpr (kSymbolic) {
    const uint32_t at = pc_;
    const Source guard{.row = in.guard_row, .negated = in.guard_negated, .width = 1, .reg_width = 1};
    const TermId condition = ReadTerm(guard, lane);
    // What constants decide comes out in one way, and roundings may decide which.
    if (store_->ContainsUndef(condition) || !HasInput(*store_, condition)) {
      StopAtSymbolic(condition, what, lane);
      return false;
    }
    if (arms_depth_ == 0) arm_instructions_ = 0;
    if (arms_depth_ >= kMostArms) {
      Unsupported(DependsOnData(what, condition) + ", and so do more than " + std::to_string(kMostArms) +
                      " before it that it lies on one way of (a loop that data end)",
                  &in);
      return false;
    }
    const Region& region = regions_->From(at);
    const bool parts = in.action != Action::kLoad && in.action != Action::kStore;
    const uint32_t end = program_.functions[in.function].end_pc - 1;
    const Arm then = parts ? Arm{in.action == Action::kBranch ? in.target : end, false} : Arm{at, true};
    if (in.action == Action::kExit && in.function != 0) return Refuse("an exit in a function that was called", in);
    const TermId outer_path = path_;
    Journal* outer_journal = journal_;
    ++arms_depth_;
    // The way that is taken where the condition is `holds`.
    const auto run = [&](Arm arm, TermId holds, Journal* journal) {
      path_ = outer_path == kNoTerm ? holds : store_->Bv(TermKind::kBvAnd, 1, outer_path, holds);
      journal_ = journal;
      const bool met = RunArm(arm, region.meeting, lane);
      path_ = outer_path;
      journal_ = outer_journal;
      return met;
    };
    std::vector<bool> symbolic_before, symbolic_then, symbolic_other;
    const std::vector<uint64_t> before = LaneRows(region, lane, &symbolic_before);
    Journal of_then, of_other;
    bool met = run(then, condition, &of_then);
    std::vector<uint64_t> rows_then;
    std::vector<typename Bytes::Saved> after(of_then.size());
    if (met) {
      rows_then = LaneRows(region, lane, &symbolic_then);
      for (size_t i = 0; i < of_then.size(); ++i) of_then[i].bytes->Save(of_then[i].offset, of_then[i].size, &after[i]);
      Undo(of_then);
      for (size_t i = 0; i < before.size(); ++i) SetLaneRow(region.rows[i].row, lane, before[i], symbolic_before[i]);
      met = run({at + 1, false}, store_->BvNot(1, condition), &of_other);
    }
    --arms_depth_;
    if (!met) return false;
    pc_ = at;
    MarkOrigin();
    const auto unwritten = [&](unsigned width) {
      return Undefined(width, "memory that only one of the ways from a branch on data writes, in " + ThreadName(lane));
    };
    const auto merged = [&](const Value& a, const Value& b, unsigned width) {
      return FromTerm(store_->BvIte(width, condition, ToTerm(a, width), ToTerm(b, width)));
    };
    // Memory holds what the other way left; then what the first one did.
    Journal places = PlacesOf(of_then, of_other);
    std::vector<Value> others;
    for (const Stored& place : places) others.push_back(place.bytes->Load(store_, place.offset, place.size, unwritten));
    Undo(of_other);
    for (const Stored& place : places) NoteStore(place.bytes, place.offset, place.size, nullptr);
    for (size_t i = 0; i < of_then.size(); ++i) of_then[i].bytes->Restore(of_then[i].offset, of_then[i].size, after[i]);
    for (size_t i = 0; i < places.size(); ++i) {
      const Stored& place = places[i];
      const Value then_value = place.bytes->Load(store_, place.offset, place.size, unwritten);
      place.bytes->Store(place.offset, place.size, merged(then_value, others[i], 8 * place.size));
    }
    const std::vector<uint64_t> rows_other = LaneRows(region, lane, &symbolic_other);
    for (size_t i = 0; i < region.rows.size(); ++i) {
      const Region::Row& row = region.rows[i];
      if (rows_then[i] == rows_other[i] && symbolic_then[i] == symbolic_other[i]) continue;
      // What nothing reads any more is as if it had never been written.
      SetLaneRow(row.row, lane, 0, true);
      if (!row.live) continue;
      const auto value = [&](uint64_t payload, bool symbolic) -> Value {
        if (!symbolic) return {.bits = payload & LowMask(row.width)};
        if constexpr (kSymbolic) {
          if ((payload & kSumHandle) != 0) return FromTerm(TermOfSum(payload));
        }
        if (payload != 0) return FromTerm(TermId{static_cast<uint32_t>(payload)});
        return {.term = Undefined(row.width, "a register that only one of the ways from a branch on data writes, in " + ThreadName(lane))};
      };
      const Dest whole{.row = row.row, .width = row.width, .reg_width = row.width};
      Write(whole, lane, merged(value(rows_then[i], symbolic_then[i]), value(rows_other[i], symbolic_other[i]), row.width));
    }
    pc_ = region.meeting;
    return true;
  }
  return false;
}

// A group comes to a branch, a guarded return or exit that is symbolic for some of its lanes. These go on where their ways meet.
template <class Traits>
void Core<Traits>::PartOnData(const Decoded& in, LaneMask lanes, LaneMask taken, LaneMask symbolic) {
  if constexpr (kSymbolic) {
    const uint32_t at = pc_;
    const Region& region = regions_->From(at);
    const uint32_t end = program_.functions[in.function].end_pc - 1;
    const PartingMap& partings = program_.partings;
    // Whichever way a lane takes, it has to come past where the scheduler sees lanes meet, or have nothing but the exit ahead.
    const bool meets = partings.empty() || partings.meeting[at] == PartingMap::kNoParting || partings.meeting[at] == region.meeting ||
                       partings.ahead[region.meeting] == Ahead::kNothing;
    if (!meets) {
      return Unsupported(DependsOnData("a branch", ReadTerm({.row = in.guard_row, .width = 1, .reg_width = 1}, FirstLane(symbolic))) +
                             ", and where its ways meet there is a barrier that lanes may miss",
                         &in);
    }
    uint32_t pcs[kWarpSize], ways[kWarpSize], via[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const bool taken_here = (taken >> lane & 1) != 0;
      pcs[lane] = ways[lane] = via[lane] = !taken_here ? at + 1 : in.action == Action::kBranch ? in.target : end;
      if ((symbolic >> lane & 1) == 0) continue;
      pcs[lane] = region.meeting;
      via[lane] = region.longer;
      ways[lane] = ~lane;  // no two of them need go together
    }
    for (LaneMask rest = symbolic; rest != 0; rest &= rest - 1) {
      pc_ = at;
      if (!TakeBothWays(in, FirstLane(rest), "a branch")) return;
    }
    pc_ = at;
    SplitPaths(lanes, ways);
    scheduler_->Scatter(pcs, at, CtaScheduler::kNowhere, via);
  }
}

// --- the way not taken

// Shows the signature the ways that lanes at a branch do not take, where data may decide: a Term run takes them.
template <class Traits>
void Core<Traits>::Explore(const Decoded& in, LaneMask lanes, LaneMask taken) {
  if (kSymbolic || explored_depth_ >= kMostExplored || !regions_->MayDependOnData(pc_)) return;
  const uint32_t at = pc_;
  const Region& region = regions_->From(at);
  ForLanes(lanes, [&](unsigned lane) {
    if (explored_instructions_ >= kMostExploredInstructions || explored_visits_[at] >= kMostExploredVisits) return;
    if (in.action != Action::kBranch && (taken >> lane & 1) == 0) return;  // the way not taken is the end
    ++explored_visits_[at];
    const uint64_t counted = std::exchange(arm_instructions_, 0);
    const RunStats stats = result_.stats;
    const Signature::Exploration exploration = signature_.StartExploring(warp_ * kWarpSize + lane);
    const bool outer = std::exchange(exploring_, true);
    ++explored_depth_;
    Journal journal;
    Journal* outer_journal = std::exchange(journal_, &journal);
    std::vector<bool> symbolic;
    const std::vector<uint64_t> before = LaneRows(region, lane, &symbolic);
    const uint32_t other = (taken >> lane & 1) == 0 ? in.target : at + 1;
    signature_.Edge(at, other, warp_, LaneMask{1} << lane, false);
    RunArm({other, false}, region.meeting, lane);
    // Whatever it ran into.
    stopped_ = false;
    for (size_t i = journal.size(); i-- > 0;) {
      if (journal[i].writers != nullptr) std::copy_n(journal[i].old_writers.begin(), journal[i].size, journal[i].writers);
    }
    Undo(journal);
    for (size_t i = 0; i < before.size(); ++i) SetLaneRow(region.rows[i].row, lane, before[i], false);
    journal_ = outer_journal;
    --explored_depth_;
    exploring_ = outer;
    signature_.EndExploring(exploration);
    result_.stats = stats;
    explored_instructions_ += arm_instructions_;
    arm_instructions_ = counted;
    pc_ = at;
  });
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_REGION_H_
