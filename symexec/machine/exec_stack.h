// The stack of a thread: local memory that it allocates as it runs.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_STACK_H_
#define RACER_SYMEXEC_MACHINE_EXEC_STACK_H_

#include <algorithm>

#include "symexec/machine/core.h"

namespace racer {

template <class Traits>
bool Core<Traits>::OnStack(uint32_t thread, uint64_t offset, uint64_t size) const {
  const std::vector<StackBlock>& blocks = stacks_[thread];
  return std::any_of(blocks.begin(), blocks.end(), [&](const StackBlock& b) { return offset >= b.begin && offset + size <= b.end; });
}

template <class Traits>
void Core<Traits>::CutStack(uint32_t thread, uint64_t top) {
  std::vector<StackBlock>& blocks = stacks_[thread];
  while (!blocks.empty() && blocks.back().end > top) blocks.pop_back();
}

template <class Traits>
void Core<Traits>::Allocate(const Decoded& in, LaneMask active) {
  const Segment& stack = *layout_.stack();
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    const uint32_t thread = warp_ * kWarpSize + lane;
    uint64_t size = 0;
    if (!Control(in.source[0], lane, "the size of an allocation", &size)) return;
    if (size == 0) return Unsupported("an allocation of no bytes", &in);
    // Blocks are kept apart, so that an access past one meets nothing.
    const uint64_t align = in.target, gap = stacks_[thread].empty() ? 0 : align;
    const uint64_t at = ((stack.base + StackTop(thread) + gap + align - 1) & ~(align - 1)) - stack.base;
    if (size > stack.size || at > stack.size - size)
      return Unsupported("a stack of more than " + std::to_string(stack.size) + " bytes", &in);
    stacks_[thread].push_back({at, at + size});
    locals_.Undefine(thread * layout_.local_bytes + stack.dense + at, size);
    WriteBits(in.dest[0], lane, stack.base + at);
  }
}

// What is saved is an address of the stack; only stackrestore understands it.
template <class Traits>
void Core<Traits>::StackSave(const Decoded& in, LaneMask active) {
  ForLanes(active, [&](unsigned lane) { WriteBits(in.dest[0], lane, layout_.stack()->base + StackTop(warp_ * kWarpSize + lane)); });
}

template <class Traits>
void Core<Traits>::StackRestore(const Decoded& in, LaneMask active) {
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    const uint32_t thread = warp_ * kWarpSize + lane;
    uint64_t saved = 0;
    if (!Control(in.source[0], lane, "a stack pointer", &saved)) return;
    const uint64_t top = saved - layout_.stack()->base;
    const std::vector<StackBlock>& blocks = stacks_[thread];
    const bool known = top == 0 || std::any_of(blocks.begin(), blocks.end(), [&](const StackBlock& b) { return b.end == top; });
    if (!known) return Unsupported("a stack pointer that stacksave has not given", &in);
    CutStack(thread, top);
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_STACK_H_
