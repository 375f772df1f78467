// Calls and returns. A function's registers and .param variables have one place a thread: a call of a function that may be running
// already sets the frame of the running activation aside, and the return restores it.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_CALL_H_
#define RACER_SYMEXEC_MACHINE_EXEC_CALL_H_

#include <algorithm>
#include <utility>

#include "symexec/machine/core.h"
#include "symexec/machine/places.h"

namespace racer {

template <class Traits>
Value Core<Traits>::LoadPassed(Bytes* bytes, uint64_t offset, unsigned size, unsigned lane) {
  return bytes->Load(store_, offset, size,
                     [&](unsigned width) { return Undefined(width, "a result that the function did not set, in " + ThreadName(lane)); });
}

// Copies one argument or result for the active lanes.
template <class Traits>
void Core<Traits>::Pass(const Transfer& transfer, LaneMask active) {
  ForLanes(active, [&](unsigned lane) {
    const uint64_t block = (warp_ * kWarpSize + lane) * layout_.call_param_bytes;
    const unsigned size = static_cast<unsigned>(transfer.size);
    switch (transfer.kind) {
      case Transfer::Kind::kBytes:
        NoteStore(&call_params_, block + transfer.to, transfer.size, nullptr);
        call_params_.Copy(block + transfer.from, block + transfer.to, transfer.size);
        return;
      case Transfer::Kind::kRowToBytes:
        NoteStore(&call_params_, block + transfer.to, size, nullptr);
        call_params_.Store(block + transfer.to, size, Read(transfer.source, lane));
        return;
      case Transfer::Kind::kBytesToRow: Write(transfer.dest, lane, LoadPassed(&call_params_, block + transfer.from, size, lane)); return;
      case Transfer::Kind::kRowToRow: Write(transfer.dest, lane, Read(transfer.source, lane)); return;
    }
    RACER_UNREACHABLE(static_cast<int>(transfer.kind));
  });
}

// The lanes pass their arguments to a fresh frame of the callee.
template <class Traits>
void Core<Traits>::Call(const Decoded& in, LaneMask lanes, LaneMask active) {
  if (active == 0) return scheduler_->Goto(pc_ + 1, pc_);
  if (in.source_count != 0) return CallIndirect(in, lanes, active);
  const CallSite& site = program_.calls[in.target];
  const uint32_t entry_pc = program_.functions[site.callee].entry_pc;
  Enter(site, active);
  if (active == lanes) return scheduler_->Goto(entry_pc, pc_);
  SplitPaths(lanes, active, entry_pc);
  scheduler_->Branch(active, entry_pc, pc_ + 1, pc_);
}

template <class Traits>
void Core<Traits>::CallIndirect(const Decoded& in, LaneMask lanes, LaneMask active) {
  AssumeOnce("functions lie at made-up addresses");
  uint32_t pcs[kWarpSize];
  std::fill_n(pcs, kWarpSize, pc_ + 1);
  std::array<uint64_t, kWarpSize> addresses{};
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    if (!Control(in.source[0], FirstLane(rest), "a call", &addresses[FirstLane(rest)])) return;
  }
  for (LaneMask rest = active; rest != 0;) {
    const uint64_t address = addresses[FirstLane(rest)];
    LaneMask same = 0;
    ForLanes(rest, [&](unsigned lane) { same |= static_cast<LaneMask>(addresses[lane] == address) << lane; });
    const CallSite* site = nullptr;
    for (const uint32_t call : program_.indirect_calls[in.target].calls) {
      if (kFunctionBase + program_.calls[call].callee * kFunctionStep == address) site = &program_.calls[call];
    }
    if (site == nullptr) {
      return Unsupported("a call through a pointer to no function that takes and gives what the call does and is modelled (" +
                             ThreadName(FirstLane(rest)) + ")",
                         &in);
    }
    Enter(*site, same);
    ForLanes(same, [&](unsigned lane) { pcs[lane] = program_.functions[site->callee].entry_pc; });
    if (same == lanes) return scheduler_->Goto(pcs[FirstLane(same)], pc_);
    rest &= ~same;
  }
  SplitPaths(lanes, pcs);
  scheduler_->Scatter(pcs, pc_);
}

// Sets aside what the lane's running activation of the function holds.
template <class Traits>
void Core<Traits>::SaveFrame(const CallSite& site, unsigned lane) {
  const ProgramFunction& function = program_.functions[site.callee];
  const uint32_t thread = warp_ * kWarpSize + lane;
  const size_t at = size_t{site.callee} * warps_ * kWarpSize + thread;
  Frame frame;
  frame.function = site.callee;
  frame.return_pc = return_pcs_[at];
  frame.stack_top = stacks_.empty() ? 0 : stack_tops_[at];
  frame.rows.reserve(function.row_count);
  for (uint32_t row = function.first_row; row < function.first_row + function.row_count; ++row) {
    frame.rows.push_back(registers_[size_t{row} * kWarpSize + lane]);
    if constexpr (kSymbolic) frame.symbolic.push_back((symbolic_[row] >> lane & 1) != 0);
  }
  uint64_t bytes = 0, to = 0;
  for (const auto& [offset, size] : function.params) bytes += size;
  frame.params.Reset(bytes);
  for (const auto& [offset, size] : function.params) {
    frame.params.CopyFrom(call_params_, thread * layout_.call_param_bytes + offset, to, size);
    to += size;
  }
  frame_bytes_ += sizeof(Frame) + frame.rows.size() * sizeof(uint64_t) + bytes * Bytes::kBytesPerByte;
  frames_[thread].push_back(std::move(frame));
}

// Lanes that stand at one instruction need not be in the same activation.
template <class Traits>
bool Core<Traits>::AtOneDepth(LaneMask lanes) const {
  if (frames_.empty()) return true;
  bool same = true;
  const std::vector<Frame>* frames = frames_.data() + size_t{warp_} * kWarpSize;
  ForLanes(lanes, [&](unsigned lane) { same &= frames[lane].size() == frames[FirstLane(lanes)].size(); });
  return same;
}

template <class Traits>
void Core<Traits>::RestoreFrame(const CallSite& site, unsigned lane) {
  const ProgramFunction& function = program_.functions[site.callee];
  const uint32_t thread = warp_ * kWarpSize + lane;
  const size_t at = size_t{site.callee} * warps_ * kWarpSize + thread;
  RACER_CHECK(!frames_[thread].empty() && frames_[thread].back().function == site.callee);
  Frame& frame = frames_[thread].back();
  return_pcs_[at] = frame.return_pc;
  if (!stacks_.empty()) stack_tops_[at] = frame.stack_top;
  for (uint32_t i = 0; i < function.row_count; ++i) {
    const uint32_t row = function.first_row + i;
    registers_[size_t{row} * kWarpSize + lane] = frame.rows[i];
    if constexpr (kSymbolic) {
      const LaneMask bit = LaneMask{1} << lane;
      symbolic_[row] = frame.symbolic[i] ? symbolic_[row] | bit : symbolic_[row] & ~bit;
    }
  }
  uint64_t from = 0;
  for (const auto& [offset, size] : function.params) {
    call_params_.CopyFrom(frame.params, from, thread * layout_.call_param_bytes + offset, size);
    from += size;
  }
  frame_bytes_ -= sizeof(Frame) + frame.rows.size() * sizeof(uint64_t) + frame.params.size() * Bytes::kBytesPerByte;
  frames_[thread].pop_back();
}

// Where a function calls itself, what is passed lies in the frame that is set aside or restored: it is carried over by hand.
template <class Traits>
void Core<Traits>::Take(const std::vector<Transfer>& transfers, LaneMask active) {
  carried_.resize(transfers.size() * kWarpSize);
  for (size_t i = 0; i < transfers.size(); ++i) {
    const Transfer& transfer = transfers[i];
    const bool row = transfer.kind == Transfer::Kind::kRowToBytes || transfer.kind == Transfer::Kind::kRowToRow;
    ForLanes(active, [&](unsigned lane) {
      Carried& carried = carried_[i * kWarpSize + lane];
      if (row) {
        carried.value = Read(transfer.source, lane);
      } else {
        carried.bytes.Reset(transfer.size);
        carried.bytes.CopyFrom(call_params_, (warp_ * kWarpSize + lane) * layout_.call_param_bytes + transfer.from, 0, transfer.size);
      }
    });
  }
}

template <class Traits>
void Core<Traits>::Give(const std::vector<Transfer>& transfers, LaneMask active) {
  for (size_t i = 0; i < transfers.size(); ++i) {
    const Transfer& transfer = transfers[i];
    const unsigned size = static_cast<unsigned>(transfer.size);
    ForLanes(active, [&](unsigned lane) {
      const uint64_t to = (warp_ * kWarpSize + lane) * layout_.call_param_bytes + transfer.to;
      Carried& carried = carried_[i * kWarpSize + lane];
      switch (transfer.kind) {
        case Transfer::Kind::kBytes: call_params_.CopyFrom(carried.bytes, 0, to, transfer.size); return;
        case Transfer::Kind::kRowToBytes: call_params_.Store(to, size, carried.value); return;
        case Transfer::Kind::kBytesToRow: Write(transfer.dest, lane, LoadPassed(&carried.bytes, 0, size, lane)); return;
        case Transfer::Kind::kRowToRow: Write(transfer.dest, lane, carried.value); return;
      }
      RACER_UNREACHABLE(static_cast<int>(transfer.kind));
    });
  }
}

template <class Traits>
void Core<Traits>::Enter(const CallSite& site, LaneMask active) {
  const ProgramFunction& callee = program_.functions[site.callee];
  const auto undefine = [&](uint32_t row) {
    uint64_t* lanes_of_row = registers_ + size_t{row} * kWarpSize;
    ForLanes(active, [&](unsigned lane) { lanes_of_row[lane] = 0; });
    if constexpr (kSymbolic) symbolic_[row] |= active;
  };
  if (site.recursive) Take(site.arguments, active);
  // The carry flag does not survive a call.
  if (const uint32_t carry = program_.functions[program_.code[pc_].function].carry_row; carry != kNoRow) undefine(carry);
  if (site.recursive) {
    AssumeOnce("the stack is deep enough for the recursion");
    ForLanes(active, [&](unsigned lane) { SaveFrame(site, lane); });
  }
  // A function's registers, locals and results start undefined in every call.
  for (uint32_t row = callee.first_row; row < callee.first_row + callee.row_count; ++row) undefine(row);
  ForLanes(active, [&](unsigned lane) {
    const uint64_t thread = warp_ * kWarpSize + lane;
    for (const auto& [offset, size] : callee.locals) locals_.Undefine(thread * layout_.local_bytes + offset, size);
    for (const auto& [offset, size] : callee.results) {
      NoteStore(&call_params_, thread * layout_.call_param_bytes + offset, size, nullptr);
      call_params_.Undefine(thread * layout_.call_param_bytes + offset, size);
    }
    return_pcs_[size_t{site.callee} * warps_ * kWarpSize + thread] = pc_ + 1;
    if (!stacks_.empty()) stack_tops_[size_t{site.callee} * warps_ * kWarpSize + thread] = StackTop(static_cast<uint32_t>(thread));
  });
  if (site.recursive) return Give(site.arguments, active);
  for (const Transfer& transfer : site.arguments) Pass(transfer, active);
}

template <class Traits>
void Core<Traits>::Return(const Decoded& in, LaneMask lanes, LaneMask active) {
  if (active == 0) return scheduler_->Goto(pc_ + 1, pc_);
  if (in.function == 0) {
    rendezvous_ = true;
    return scheduler_->Exit(active, pc_ + 1);
  }
  const uint32_t end_pc = program_.functions[in.function].end_pc - 1;
  uint32_t pcs[kWarpSize];
  std::fill_n(pcs, kWarpSize, pc_ + 1);
  const uint32_t* return_pcs = return_pcs_.data() + (size_t{in.function} * warps_ + warp_) * kWarpSize;
  if (!stacks_.empty()) {
    const uint64_t* tops = stack_tops_.data() + (size_t{in.function} * warps_ + warp_) * kWarpSize;
    ForLanes(active, [&](unsigned lane) { CutStack(warp_ * kWarpSize + lane, tops[lane]); });
  }
  // Lanes that came from the same call return together.
  for (LaneMask rest = active; rest != 0;) {
    const uint32_t pc = return_pcs[FirstLane(rest)];
    LaneMask same = 0;
    ForLanes(rest, [&](unsigned lane) { same |= static_cast<LaneMask>(return_pcs[lane] == pc) << lane; });
    const Decoded& call = program_.code[pc - 1];
    uint32_t site = call.target;
    if (call.source_count != 0) {
      for (const uint32_t candidate : program_.indirect_calls[call.target].calls) {
        if (program_.calls[candidate].callee == in.function) site = candidate;
      }
    }
    const CallSite& called = program_.calls[site];
    if (called.recursive) {
      Take(called.results, same);
      ForLanes(same, [&](unsigned lane) { RestoreFrame(called, lane); });
      Give(called.results, same);
    } else {
      for (const Transfer& transfer : called.results) Pass(transfer, same);
    }
    ForLanes(same, [&](unsigned lane) { pcs[lane] = pc; });
    if (same == lanes) return scheduler_->Goto(pc, pc_, end_pc);
    rest &= ~same;
  }
  SplitPaths(lanes, pcs);
  scheduler_->Scatter(pcs, pc_, end_pc);
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_CALL_H_
