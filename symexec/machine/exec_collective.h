// Collectives of Core: who meets whom is the scheduler's business, what comes out of it is done here.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_COLLECTIVE_H_
#define RACER_SYMEXEC_MACHINE_EXEC_COLLECTIVE_H_

#include <algorithm>
#include <bit>

#include "ptx_frontend/isa/record.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/machine/action.h"
#include "symexec/machine/closed_terms.h"
#include "symexec/machine/core.h"

namespace racer {

// The member mask of a lane. Legacy forms without .sync concern the lanes that execute together.
template <class Traits>
bool Core<Traits>::MembersOf(const Decoded& in, unsigned lane, LaneMask* members) {
  if (in.action == Action::kMatrix) {
    *members = kAllLanes;
    return true;
  }
  uint64_t bits = 0;
  if (!Control(in.source[in.source_count - 1], lane, "a member mask", &bits)) return false;
  *members = static_cast<LaneMask>(bits);
  return true;
}

template <class Traits>
bool Core<Traits>::WarpCollective(const Decoded& in, LaneMask lanes, LaneMask active) {
  if (active == 0) return true;
  std::array<const Decoded*, kWarpSize> at_lane{};
  ForLanes(active, [&](unsigned lane) { at_lane[lane] = &in; });
  if (!IsSynchronising(in)) {
    Combine(at_lane, active);
    return !stopped_;
  }
  std::array<LaneMask, kWarpSize> members{};
  bool all_here = true, uniform = true, in_mask = true;
  LaneMask first = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    if (!MembersOf(in, lane, &members[lane])) return false;
    if (rest == active) first = members[lane];
    uniform &= members[lane] == first;
    in_mask &= (members[lane] >> lane & 1) != 0;
    all_here &= (members[lane] & ~active) == 0;
  }
  if (!uniform || active != lanes) SplitPaths(lanes, members.data());
  const bool orders = in.action == Action::kWarpBarrier;
  if (!orders && all_here && in_mask) {
    // Everybody that anybody waits for is here: the meeting takes place at once, mask by mask.
    bool agree = true;
    for (LaneMask rest = active; rest != 0 && agree;) {
      const LaneMask mask = members[FirstLane(rest)];
      ForLanes(mask, [&](unsigned lane) { agree &= members[lane] == mask; });
      rest &= ~mask;
    }
    if (agree) {
      for (LaneMask rest = active; rest != 0 && !stopped_;) {
        const LaneMask mask = members[FirstLane(rest)];
        Combine(at_lane, mask);
        rest &= ~mask;
      }
      return !stopped_;
    }
  }
  if (!uniform) {
    // One turn can announce one member mask. The lanes of the first go to the twin, from which only the others come back
    // here: in the end each mask's lanes stand somewhere alone.
    LaneMask same = 0;
    ForLanes(active, [&](unsigned lane) { same |= static_cast<LaneMask>(members[lane] == first) << lane; });
    if (in.is_twin) {
      scheduler_->Branch(same, pc_, in.twin);
    } else {
      uint32_t pcs[kWarpSize];
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        pcs[lane] = (same >> lane & 1) != 0 ? in.twin : (active >> lane & 1) != 0 ? pc_ : pc_ + 1;
      scheduler_->Scatter(pcs);
    }
    return false;
  }
  rendezvous_ = true;
  scheduler_->ArriveWarp(active, {.members = first, .key = in.target, .orders_memory = orders}, pc_ + 1);
  return false;
}

template <class Traits>
void Core<Traits>::Barrier(const Decoded& in, LaneMask lanes, LaneMask active) {
  const BarrierShape shape = BarrierOf(*in.instruction);
  const unsigned counts = in.source_count - (shape.reduces ? 1u : 0u);  // operands before the predicate: id, or id and count
  BarrierArrival arrival;
  arrival.kind = shape.reduces ? BarrierArrival::Kind::kReduce : shape.waits ? BarrierArrival::Kind::kSync : BarrierArrival::Kind::kArrive;
  arrival.aligned = shape.aligned;
  const bool constant = in.source[0].constant && (counts == 1 || in.source[1].constant);  // the same for all lanes
  for (LaneMask rest = constant ? active & ~(active - 1) : active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t id = 0, count = 0;
    if (!Control(in.source[0], lane, "a barrier number", &id)) return;
    if (counts > 1 && !Control(in.source[1], lane, "a barrier's thread count", &count)) return;
    if (counts > 1 && count == 0) return Unsupported("barrier thread count of 0", &in);
    if (lane == FirstLane(active)) {
      arrival.id = static_cast<uint32_t>(id);
      arrival.count = static_cast<uint32_t>(count);
    } else if (arrival.id != id || arrival.count != count) {
      return Unsupported("lanes of one warp name different barriers or counts in one instruction", &in);
    }
  }
  if (arrival.aligned && !AtOneDepth(active))
    return Unsupported("lanes at different depths of a recursion meet at an aligned barrier", &in);
  rendezvous_ = true;
  if (active != lanes) SplitPaths(lanes, active, pc_);
  scheduler_->ArriveBarrier(active, arrival, pc_ + 1);
}

template <class Traits>
void Core<Traits>::Complete(const Completion& completion) {
  if (completion.is_barrier) {
    if (completion.barrier.kind == BarrierArrival::Kind::kReduce) BarrierReduce(completion);
    return;
  }
  std::array<const Decoded*, kWarpSize> at_lane{};
  LaneMask lanes = 0;
  for (const LaneGroup& group : completion.arrivals) {
    SelectWarp(group.warp);
    pc_ = group.pc;
    ForLanes(group.lanes, [&](unsigned lane) { at_lane[lane] = &program_.code[group.pc]; });
    lanes |= group.lanes;
  }
  MarkOrigin();
  Combine(at_lane, lanes);
  HasLeftDomain(*at_lane[FirstLane(lanes)]);
}

template <class Traits>
void Core<Traits>::Combine(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  const Action action = at_lane[FirstLane(lanes)]->action;
  switch (action) {
    case Action::kWarpBarrier: return;
    case Action::kShuffle: return Shuffle(at_lane, lanes);
    case Action::kVote: return Vote(at_lane, lanes);
    case Action::kMatch: return Match(at_lane, lanes);
    case Action::kReduce: return Reduce(at_lane, lanes);
    case Action::kElect: return Elect(at_lane, lanes);
    case Action::kMatrix:
      return Matrix(*at_lane[FirstLane(lanes)], lanes);
    RACER_LANE_ACTIONS:
    RACER_FLOW_ACTIONS:
      break;
  }
  RACER_UNREACHABLE(static_cast<int>(action));
}

// The lane that a lane reads and whether it lies inside the segment. PTX ISA, "shfl.sync": c holds the clamp in its low
// five bits and the segment mask in bits 8 to 12.
struct ShuffleSource {
  unsigned lane = 0;
  bool inside = false;
};
inline ShuffleSource ShuffleLane(ShuffleMode mode, unsigned lane, uint32_t b, uint32_t c) {
  const int step = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31), segment = static_cast<int>(c >> 8 & 31);
  const int self = static_cast<int>(lane);
  const int first = self & segment, limit = first | (clamp & ~segment);
  int from = self;
  bool inside = false;
  switch (mode) {
    case ShuffleMode::kUp:
      from = self - step;
      inside = from >= limit;
      break;
    case ShuffleMode::kDown:
      from = self + step;
      inside = from <= limit;
      break;
    case ShuffleMode::kBfly:
      from = self ^ step;
      inside = from <= limit;
      break;
    case ShuffleMode::kIdx:
      from = first | (step & ~segment);
      inside = from <= limit;
      break;
    case ShuffleMode::kNone: RACER_UNREACHABLE(static_cast<int>(mode));
  }
  return {.lane = static_cast<unsigned>(inside ? from : self), .inside = inside};
}

template <class Traits>
void Core<Traits>::Shuffle(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  std::array<Value, kWarpSize> results;
  std::array<bool, kWarpSize> inside{};
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    const Decoded& in = *at_lane[lane];
    uint64_t b = 0, c = 0;
    if (!Control(in.source[1], lane, "a shuffle's lane", &b) || !Control(in.source[2], lane, "a shuffle's clamp", &c)) return;
    const ShuffleSource from = ShuffleLane(in.mods.shuffle, lane, static_cast<uint32_t>(b), static_cast<uint32_t>(c));
    inside[lane] = from.inside;
    if ((lanes >> from.lane & 1) != 0) {
      results[lane] = Read(at_lane[from.lane]->source[0], from.lane);
    } else if constexpr (kSymbolic) {
      results[lane] = {.term = Undefined(32, "a shuffle of " + ThreadName(lane) + " from lane " + std::to_string(from.lane) +
                                                 ", which does not take part in it")};
    }
  }
  ForLanes(lanes, [&](unsigned lane) {
    const Decoded& in = *at_lane[lane];
    Write(in.dest[0], lane, results[lane]);
    if (in.dest_count > 1) WriteBits(in.dest[1], lane, inside[lane] ? 1 : 0);
  });
}

template <class Traits>
void Core<Traits>::Vote(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  const VoteMode mode = at_lane[FirstLane(lanes)]->mods.vote;
  LaneMask set = 0, symbolic = 0;
  std::array<TermId, kWarpSize> terms{};
  ForLanes(lanes, [&](unsigned lane) {
    const Value value = Read(at_lane[lane]->source[0], lane);
    if (kSymbolic && value.symbolic()) {
      symbolic |= LaneMask{1} << lane;
      terms[lane] = value.term;
    } else {
      set |= static_cast<LaneMask>(value.bits & 1) << lane;
    }
  });
  Value result;
  if (!kSymbolic || symbolic == 0) {
    switch (mode) {
      case VoteMode::kAll: result.bits = set == lanes; break;
      case VoteMode::kAny: result.bits = set != 0; break;
      case VoteMode::kUni: result.bits = set == lanes || set == 0; break;
      case VoteMode::kBallot: result.bits = set; break;
      case VoteMode::kNone: RACER_UNREACHABLE(static_cast<int>(mode));
    }
  } else {
    TermId all = store_->BvConst(1, 1), any = store_->BvConst(1, 0), ballot = kNoTerm;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const bool takes_part = (lanes >> lane & 1) != 0;
      const TermId bit = (symbolic >> lane & 1) != 0 ? terms[lane] : store_->BvConst(1, set >> lane & 1);
      ballot = ballot == kNoTerm ? bit : store_->Concat(bit, ballot);
      if (!takes_part) continue;
      all = store_->Bv(TermKind::kBvAnd, 1, all, bit);
      any = store_->Bv(TermKind::kBvOr, 1, any, bit);
    }
    switch (mode) {
      case VoteMode::kAll: result = FromTerm(all); break;
      case VoteMode::kAny: result = FromTerm(any); break;
      case VoteMode::kUni: result = FromTerm(store_->Bv(TermKind::kBvOr, 1, all, store_->BvNot(1, any))); break;
      case VoteMode::kBallot: result = FromTerm(ballot); break;
      case VoteMode::kNone: RACER_UNREACHABLE(static_cast<int>(mode));
    }
  }
  ForLanes(lanes, [&](unsigned lane) { Write(at_lane[lane]->dest[0], lane, result); });
}

// match.any: the lanes with the same value. match.all: all lanes if all values are the same, else 0; p says which.
template <class Traits>
void Core<Traits>::Match(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  std::array<uint64_t, kWarpSize> values{};
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    if (!Control(at_lane[lane]->source[0], lane, "a matched value", &values[lane])) return;
  }
  const uint64_t first = values[FirstLane(lanes)];
  LaneMask like_first = 0;
  ForLanes(lanes, [&](unsigned lane) { like_first |= static_cast<LaneMask>(values[lane] == first) << lane; });
  ForLanes(lanes, [&](unsigned lane) {
    const Decoded& in = *at_lane[lane];
    if (in.mods.match == MatchMode::kAll) {
      WriteBits(in.dest[0], lane, like_first == lanes ? lanes : 0);
      if (in.dest_count > 1) WriteBits(in.dest[1], lane, like_first == lanes ? 1 : 0);
      return;
    }
    LaneMask same = 0;
    ForLanes(lanes, [&](unsigned other) { same |= static_cast<LaneMask>(values[other] == values[lane]) << other; });
    WriteBits(in.dest[0], lane, same);
  });
}

template <class Traits>
void Core<Traits>::Reduce(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  const Decoded& first = *at_lane[FirstLane(lanes)];
  const bool is_signed = IsSigned(first.mods.type);
  if (first.mods.type == ScalarType::kF32) return ReduceFloats(at_lane, lanes);
  bool symbolic = false;
  Value result;
  bool started = false;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    const Value value = Read(at_lane[lane]->source[0], lane);
    if (!started) {
      result = value;
      started = true;
      continue;
    }
    symbolic = kSymbolic && (value.symbolic() || result.symbolic());
    const uint32_t a = static_cast<uint32_t>(result.bits), b = static_cast<uint32_t>(value.bits);
    const bool less = is_signed ? static_cast<int32_t>(b) < static_cast<int32_t>(a) : b < a;
    TermId ta = kNoTerm, tb = kNoTerm;
    if (symbolic) {
      ta = ToTerm(result, 32);
      tb = ToTerm(value, 32);
    }
    const TermKind compare = is_signed ? TermKind::kBvSlt : TermKind::kBvUlt;
    switch (first.mods.reduce) {
      case ReduceOp::kAdd: result = symbolic ? FromTerm(store_->Bv(TermKind::kBvAdd, 32, ta, tb)) : Value{.bits = uint32_t{a + b}}; break;
      case ReduceOp::kAnd: result = symbolic ? FromTerm(store_->Bv(TermKind::kBvAnd, 32, ta, tb)) : Value{.bits = a & b}; break;
      case ReduceOp::kOr: result = symbolic ? FromTerm(store_->Bv(TermKind::kBvOr, 32, ta, tb)) : Value{.bits = a | b}; break;
      case ReduceOp::kXor: result = symbolic ? FromTerm(store_->Bv(TermKind::kBvXor, 32, ta, tb)) : Value{.bits = a ^ b}; break;
      case ReduceOp::kMin:
        result = symbolic ? FromTerm(store_->BvIte(32, store_->Bv(compare, 32, tb, ta), tb, ta)) : Value{.bits = less ? b : a};
        break;
      case ReduceOp::kMax:
        result = symbolic ? FromTerm(store_->BvIte(32, store_->Bv(compare, 32, ta, tb), tb, ta)) : Value{.bits = less ? a : b};
        break;
      case ReduceOp::kNone:
      case ReduceOp::kInc:
      case ReduceOp::kDec:
      case ReduceOp::kExch:
      case ReduceOp::kCas:
      case ReduceOp::kPopc: return Unsupported("`" + first.instruction->FullName() + "` is not modelled", &first);
    }
  }
  ForLanes(lanes, [&](unsigned lane) { Write(at_lane[lane]->dest[0], lane, result); });
}

// The smallest or largest of the lanes' numbers, or of their magnitudes: lane by lane as min and max do it, so that a NaN loses unless
// .NaN is written, and what is a NaN in the end is the canonical one, of one lane too.
template <class Traits>
void Core<Traits>::ReduceFloats(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  const Decoded& first = *at_lane[FirstLane(lanes)];
  Mods mods = first.mods;
  mods.abs = false;
  const FpKind kind = mods.reduce == ReduceOp::kMin ? FpKind::kMin : FpKind::kMax;
  bool symbolic = false;
  ForLanes(lanes, [&](unsigned lane) { symbolic |= kSymbolic && Read(at_lane[lane]->source[0], lane).symbolic(); });
  const auto fold = [&](auto d, auto read) {
    auto result = read(FirstLane(lanes));
    const auto magnitude = [&](auto value) { return first.mods.abs ? isa::FpLanewise(d, FpKind::kAbs, mods, value) : value; };
    result = magnitude(result);
    result = isa::FpLanewise(d, kind, mods, result, result);
    ForLanes(lanes & (lanes - 1), [&](unsigned lane) { result = isa::FpLanewise(d, kind, mods, result, magnitude(read(lane))); });
    return result;
  };
  Value result;
  if constexpr (kSymbolic) {
    if (symbolic) {
      result = FromTerm(
          fold(Domain(), [&](unsigned lane) { return ToTerm(Read(at_lane[lane]->source[0], lane), 32); }));
    }
  }
  if (!symbolic) result.bits = fold(BitsDomain(), [&](unsigned lane) { return Read(at_lane[lane]->source[0], lane).bits; });
  ForLanes(lanes, [&](unsigned lane) { Write(at_lane[lane]->dest[0], lane, result); });
}

// The manual leaves the choice of the leader open but fixed for a mask.
template <class Traits>
void Core<Traits>::Elect(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes) {
  const unsigned leader = FirstLane(lanes);
  if (std::popcount(lanes) > 1) return Unsupported("which lane is elected is left open by the manual", at_lane[leader]);
  ForLanes(lanes, [&](unsigned lane) {
    const Decoded& in = *at_lane[lane];
    WriteBits(in.dest[0], lane, leader);
    if (in.dest_count > 1) WriteBits(in.dest[1], lane, lane == leader ? 1 : 0);
  });
}

// bar.red: over the predicates of every thread that took part.
template <class Traits>
void Core<Traits>::BarrierReduce(const Completion& completion) {
  uint64_t set = 0, total = 0;
  const Decoded* first = nullptr;
  for (const LaneGroup& group : completion.arrivals) {
    const Decoded& in = program_.code[group.pc];
    if (in.action != Action::kBarrier || in.dest_count == 0) continue;
    if (first == nullptr) first = &in;
    SelectWarp(group.warp);
    pc_ = group.pc;
    if (in.mods.reduce != first->mods.reduce) return Unsupported("threads meet at a barrier with different reductions", &in);
    for (LaneMask rest = group.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = FirstLane(rest);
      uint64_t bit = 0;
      if (!Control(in.source[in.source_count - 1], lane, "a barrier reduction", &bit)) return;
      set += bit & 1;
      ++total;
    }
  }
  if (first == nullptr) return;
  uint64_t result = 0;
  switch (first->mods.reduce) {
    case ReduceOp::kAnd: result = set == total; break;
    case ReduceOp::kOr: result = set != 0; break;
    case ReduceOp::kPopc: result = set; break;
    case ReduceOp::kNone:
    case ReduceOp::kXor:
    case ReduceOp::kAdd:
    case ReduceOp::kInc:
    case ReduceOp::kDec:
    case ReduceOp::kMin:
    case ReduceOp::kMax:
    case ReduceOp::kExch:
    case ReduceOp::kCas: return Unsupported("`" + first->instruction->FullName() + "` is not modelled", first);
  }
  for (const LaneGroup& group : completion.arrivals) {
    const Decoded& in = program_.code[group.pc];
    if (in.action != Action::kBarrier || in.dest_count == 0) continue;
    SelectWarp(group.warp);
    ForLanes(group.lanes, [&](unsigned lane) { WriteBits(in.dest[0], lane, result); });
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_COLLECTIVE_H_
