// Running a group of lanes: guards and branches.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_CONTROL_H_
#define RACER_SYMEXEC_MACHINE_EXEC_CONTROL_H_

#include <algorithm>

#include "symexec/machine/core.h"
#include "symexec/machine/places.h"

namespace racer {

template <class Traits>
void Core<Traits>::SelectWarp(uint32_t warp) {
  warp_ = warp;
  registers_ = warp_registers_.data() + size_t{warp} * program_.row_count * kWarpSize;
  if constexpr (kSymbolic) symbolic_ = warp_symbolic_.data() + size_t{warp} * program_.row_count;
}

template <class Traits>
bool Core<Traits>::Control(const Source& source, unsigned lane, const char* what, uint64_t* bits) {
  const Value value = Read(source, lane);
  if (kSymbolic && value.symbolic()) {
    StopAtSymbolic(value.term, what, lane);
    return false;
  }
  *bits = value.bits;
  return true;
}

template <class Traits>
void Core<Traits>::StopAtSymbolic(TermId term, const char* what, unsigned lane) {
  if constexpr (!kField) {
    // What only one arm of a selection on symbolic data leaves undefined may be defined: no finding.
    const std::optional<uint32_t> cause = store_->ContainsUndef(term) ? FirstUndef(*store_, term, /*arms=*/false) : std::nullopt;
    if (cause) {
      Finding read = DescribeUndef(*cause);
      std::vector<Where> where{PlaceOfPc(pc_)};
      where.insert(where.end(), read.where.begin(), read.where.end());
      return Violate(Gate::kInit, std::string(what) + " of " + ThreadName(lane) + " depends on " + read.message, std::move(where));
    }
  }
  Unsupported(DependsOnData(what, term), &program_.code[pc_]);
}

template <class Traits>
std::string Core<Traits>::DependsOnData(const char* what, TermId term) const {
  if (store_->IsClosed(term)) return std::string(what) + " depends on how constants are rounded or approximated";
  std::string reason = std::string(what) + " depends on symbolic data";
  if constexpr (!kField) {
    const std::string tensor = IntegerTensorOf(*store_, term);
    if (!tensor.empty()) reason += " (the integers of " + tensor + ", which role = \"index\" in the contract makes concrete)";
  }
  return reason;
}

template <class Traits>
bool Core<Traits>::HasLeftDomain(const Decoded& in) {
  if constexpr (kField) {
    if (!store_->has_left()) [[likely]]
      return false;
    if (!stopped_) Unsupported(store_->left(), &in);
    return true;
  }
  return false;
}

// `value` where the width-1 `condition` is 0: of a selection on the same condition, the branch taken. So `@p mov` followed
// by `@!p mov` leaves nothing of the value before.
inline TermId WhereFalse(TermStore& store, TermId value, TermId condition) {
  const bool bits = store.kind(value) == TermKind::kFpToBits;
  const TermId ite = bits ? store.operand(value, 0) : value;
  const TermKind kind = store.kind(ite);
  if (kind != TermKind::kBvIte && kind != TermKind::kFpIte) return value;
  const TermId selector = store.operand(ite, 0);
  const bool negated = selector == store.BvNot(1, condition);
  if (selector != condition && !negated) return value;
  const TermId branch = store.operand(ite, negated ? 1 : 2);
  return bits ? store.FpToBits(branch) : branch;
}
// Of values that are no terms, nothing is known.
template <class Names>
TermId WhereFalse(Names&, TermId value, TermId) {
  return value;
}

template <class Traits>
LaneMask Core<Traits>::GuardLanes(const Decoded& in, LaneMask lanes, LaneMask* symbolic) {
  LaneMask set = LowestBits(registers_ + size_t{in.guard_row} * kWarpSize);
  if (in.guard_negated) set = ~set;
  set &= lanes;
  if constexpr (kSymbolic) {
    *symbolic = symbolic_[in.guard_row] & lanes;
    set &= ~*symbolic;
  }
  return set;
}

// A value instruction whose guard is symbolic: the destination becomes an if-then-else of the new and the old value.
template <class Traits>
void Core<Traits>::ConvertGuarded(const Decoded& in, LaneMask lanes) {
  if constexpr (kSymbolic) {
    std::array<Dest, 8> dests;
    size_t count = 0;
    if (in.action == Action::kUnpack || in.action == Action::kMoveWide) {
      for (; count < in.element_count && count < dests.size(); ++count) dests[count] = program_.dests[in.element_first + count];
    } else {
      for (; count < in.dest_count; ++count) dests[count] = in.dest[count];
    }
    const Source guard{.row = in.guard_row, .negated = in.guard_negated, .width = 1, .reg_width = 1};
    ForLanes(lanes, [&](unsigned lane) {
      if (stopped_) return;
      const TermId condition = ReadTerm(guard, lane);
      if (store_->ContainsUndef(condition)) return StopAtSymbolic(condition, "a guard", lane);
      std::array<TermId, 8> old;
      for (size_t i = 0; i < count; ++i) {
        const Source whole{.row = dests[i].row, .width = dests[i].reg_width, .reg_width = dests[i].reg_width};
        old[i] = ReadTerm(whole, lane);
      }
      Perform(in, LaneMask{1} << lane);
      for (size_t i = 0; i < count; ++i) {
        const unsigned width = dests[i].reg_width;
        const Source whole{.row = dests[i].row, .width = dests[i].reg_width, .reg_width = dests[i].reg_width};
        const Dest full{.row = dests[i].row, .width = dests[i].reg_width, .reg_width = dests[i].reg_width};
        WriteTerm(full, lane, store_->BvIte(width, condition, ReadTerm(whole, lane), WhereFalse(*store_, old[i], condition)));
      }
    });
  }
}

template <class Traits>
typename Core<Traits>::ValueFunction Core<Traits>::Performer(const Decoded& in) const {
  switch (in.action) {
    case Action::kValue: {
      const ValueFunction hot = HotFunction<Traits>(in);
      return hot != nullptr ? hot : values_[static_cast<size_t>(in.opcode)];
    }
    case Action::kMove: return &Call<&Core::Move>;
    case Action::kPack: return &Call<&Core::Pack>;
    case Action::kUnpack: return &Call<&Core::Unpack>;
    case Action::kLoad: return &Call<&Core::Load>;
    case Action::kStore: return &Call<&Core::Store>;
    case Action::kMoveWide: return &Call<&Core::MoveWide>;
    case Action::kAtomic: return &Call<&Core::Atomic>;
    case Action::kCopyAsync: return &Call<&Core::CopyAsync>;
    case Action::kToGeneric:
    case Action::kFromGeneric: return &Call<&Core::ConvertAddress>;
    case Action::kIsSpace: return &Call<&Core::IsSpace>;
    case Action::kDiscard:
    case Action::kCommitCopies:
    case Action::kWaitCopies:
    case Action::kWaitAllCopies:
    case Action::kOpaque:
    case Action::kAllocate:
    case Action::kStackSave:
    case Action::kStackRestore:
    case Action::kNothing:
    case Action::kFence:
    case Action::kActiveMask:
    case Action::kTrap:
    case Action::kUnsupported:
      return &Call<&Core::PerformRare>;
    RACER_FLOW_ACTIONS:
    RACER_WARP_ACTIONS:
      return nullptr;
  }
  RACER_UNREACHABLE(static_cast<int>(in.action));
}

template <class Traits>
void Core<Traits>::PerformRare(const Decoded& in, LaneMask active) {
  switch (in.action) {
    case Action::kNothing: return;
    case Action::kFence: fences_seen_ = true; return;
    case Action::kActiveMask: return ActiveMask(in, active);
    case Action::kDiscard: return Discard(in, active);
    case Action::kCommitCopies: return CommitCopies(active);
    case Action::kWaitCopies: return WaitCopies(active, in.target);
    case Action::kWaitAllCopies: CommitCopies(active); return WaitCopies(active, 0);
    case Action::kOpaque: ForLanes(active, [&](unsigned lane) { WriteUnspecified(in.dest[0], lane); }); return;
    case Action::kAllocate: return Allocate(in, active);
    case Action::kStackSave: return StackSave(in, active);
    case Action::kStackRestore: return StackRestore(in, active);
    case Action::kTrap: return Unsupported("trap reached", &in);
    default: break;  // Performer sends none else here
  }
  RACER_CHECK(in.action == Action::kUnsupported);
  Unsupported(program_.messages[in.target], &in);
}

template <class Traits>
void Core<Traits>::Goto(uint32_t pc) {
  scheduler_->Goto(pc);
}

// Performs a comparison and records how it came out; the operands are looked at before the result may overwrite them.
template <class Traits>
void Core<Traits>::PerformWatched(const Decoded& in, LaneMask active) {
  const Signature::Watch watch = signature_.WatchOf(pc_);
  bool held = false, failed = false;
  if (watch != Signature::Watch::kResult && in.source_count >= 2) {
    const unsigned width = in.source[0].width;
    ForLanes(active, [&](unsigned lane) {
      uint64_t a = Read(in.source[0], lane).bits, b = Read(in.source[1], lane).bits;
      const uint64_t flip = watch == Signature::Watch::kSignedOrder ? uint64_t{1} << (width - 1) : 0;
      a = (a & LowMask(width)) ^ flip;
      b = (b & LowMask(width)) ^ flip;
      held |= a < b;
      failed |= b < a;
    });
  }
  Perform(in, active);
  if (watch == Signature::Watch::kResult && in.dest_count >= 1) {
    const uint64_t* row = Row(in.dest[0]);
    ForLanes(active, [&](unsigned lane) { (row[lane] != 0 ? held : failed) = true; });
  }
  signature_.Select(pc_, held, failed);
}

template <class Traits>
void Core<Traits>::RunGroup(const LaneGroup& group) {
  SelectWarp(group.warp);
  pc_ = group.pc;
  const LaneMask lanes = group.lanes;
  const uint32_t width = PopCount(lanes);
  const Decoded* code = program_.code.data();
  const bool watched = signature_.on();
  for (;;) {
    const Decoded& in = code[pc_];
    MarkOrigin();
    result_.stats.thread_instructions += width;
    ++result_.stats.warp_instructions;
    LaneMask active = lanes;
    if (in.guard_row != kNoRow) {
      LaneMask symbolic = 0;
      active = GuardLanes(in, lanes, &symbolic);
      if (kSymbolic && symbolic != 0) {
        const bool converts = in.action == Action::kValue || in.action == Action::kMove || in.action == Action::kPack ||
                              in.action == Action::kUnpack || in.action == Action::kMoveWide;
        if (converts) {
          ConvertGuarded(in, symbolic);
        } else if (in.action == Action::kBranch || in.action == Action::kReturn || in.action == Action::kExit) {
          return PartOnData(in, lanes, active, symbolic);
        } else {
          const uint32_t at = pc_;
          for (LaneMask rest = symbolic; rest != 0 && !stopped_; rest &= rest - 1) {
            PerformGuarded(in, FirstLane(rest));
            pc_ = at;
          }
        }
        if (stopped_) return;
      }
    }
    if (const ValueFunction perform = performers_[pc_]; perform != nullptr) [[likely]] {
      if (active != 0) {
        if (watched && signature_.WatchOf(pc_) != Signature::Watch::kNone) {
          PerformWatched(in, active);
        } else {
          perform(*this, in, active);
        }
      }
    } else if (!PerformControl(in, lanes, active)) {
      return;
    }
    if (HasLeftDomain(in) || stopped_) return;
    if (in.block_end) {
      if (watched) signature_.Edge(pc_, pc_ + 1, warp_, lanes, lanes == scheduler_->LiveLanes(warp_));
      return Goto(pc_ + 1);
    }
    ++pc_;
  }
}

template <class Traits>
bool Core<Traits>::PerformControl(const Decoded& in, LaneMask lanes, LaneMask active) {
  switch (in.action) {
    case Action::kBranch: Branch(in, lanes, active); return false;
    case Action::kBranchIndexed: BranchIndexed(in, lanes, active); return false;
    case Action::kCall: Call(in, lanes, active); return false;
    case Action::kReturn:
      if (signature_.on()) Explore(in, lanes, active);
      Return(in, lanes, active);
      return false;
    case Action::kExit:
      if (active == 0) return true;
      if (signature_.on()) Explore(in, lanes, active);
      rendezvous_ = true;
      scheduler_->Exit(active, pc_ + 1);
      return false;
    case Action::kBarrier:
      if (active == 0) {
        scheduler_->Goto(pc_ + 1, pc_);
        return false;
      }
      Barrier(in, lanes, active);
      return false;
    RACER_WARP_ACTIONS:
      return WarpCollective(in, lanes, active);
    RACER_LANE_ACTIONS:
      break;
  }
  RACER_UNREACHABLE(static_cast<int>(in.action));
}

// Lanes that have gone different ways need not be active together again, wherever they meet (PTX ISA, "activemask").
template <class Traits>
void Core<Traits>::ActiveMask(const Decoded& in, LaneMask active) {
  const uint32_t* paths = paths_.data() + size_t{warp_} * kWarpSize;
  LaneMask together = 0;
  ForLanes(scheduler_->LiveLanes(warp_), [&](unsigned lane) { together |= LaneMask{paths[lane] == paths[FirstLane(active)]} << lane; });
  if (together != active) {
    if (!config_->assume_reconvergence) return Unsupported("which lanes are active together here is left open by the manual", &in);
    AssumeOnce("lanes that have parted are active together again where their paths meet (`activemask`)");
  }
  ForLanes(active, [&](unsigned lane) { WriteBits(in.dest[0], lane, active); });
}

// Lanes that have always gone the same way, and waited for the same lanes, have the same number.
template <class Traits>
void Core<Traits>::SplitPaths(LaneMask lanes, const uint32_t* ways) {
  if (paths_.empty()) return;
  uint32_t* paths = paths_.data() + size_t{warp_} * kWarpSize;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> fresh;
  ForLanes(lanes,
           [&](unsigned lane) { paths[lane] = fresh.try_emplace({paths[lane], ways[lane]}, last_path_ + 1 + fresh.size()).first->second; });
  last_path_ += static_cast<uint32_t>(fresh.size());
}

template <class Traits>
void Core<Traits>::SplitPaths(LaneMask lanes, LaneMask taken, uint32_t target) {
  if (paths_.empty()) return;
  uint32_t pcs[kWarpSize];
  std::fill_n(pcs, kWarpSize, pc_ + 1);
  ForLanes(taken, [&](unsigned lane) { pcs[lane] = target; });
  SplitPaths(lanes, pcs);
}

template <class Traits>
void Core<Traits>::Branch(const Decoded& in, LaneMask lanes, LaneMask taken) {
  if (signature_.on()) {
    Explore(in, lanes, taken);
    const LaneMask live = scheduler_->LiveLanes(warp_);
    signature_.Edge(pc_, in.target, warp_, taken, taken == live);
    signature_.Edge(pc_, pc_ + 1, warp_, lanes & ~taken, (lanes & ~taken) == live);
  }
  if (taken == lanes) return scheduler_->Goto(in.target, pc_);
  if (taken == 0) return scheduler_->Goto(pc_ + 1, pc_);
  SplitPaths(lanes, taken, in.target);
  scheduler_->Branch(taken, in.target, pc_ + 1, pc_);
}

template <class Traits>
void Core<Traits>::BranchIndexed(const Decoded& in, LaneMask lanes, LaneMask active) {
  const std::vector<uint32_t>& table = program_.branch_tables[in.target];
  uint32_t pcs[kWarpSize];
  std::fill_n(pcs, kWarpSize, pc_ + 1);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t index = 0;
    if (!Control(in.source[0], lane, "a branch", &index)) return;
    if (index >= table.size()) {
      return Unsupported("branch index " + std::to_string(index) + " of " + ThreadName(lane) + " is outside the list of " +
                             std::to_string(table.size()) + " targets",
                         &in);
    }
    pcs[lane] = table[index];
  }
  if (signature_.on()) {
    ForLanes(lanes, [&](unsigned lane) { signature_.Edge(pc_, pcs[lane], warp_, LaneMask{1} << lane, false); });
  }
  SplitPaths(lanes, pcs);
  scheduler_->Scatter(pcs, pc_);
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_CONTROL_H_
