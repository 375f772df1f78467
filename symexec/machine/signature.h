// Which ways a run went: the shape of its control flow, for grouping launches that behave alike.
#ifndef RACER_SYMEXEC_MACHINE_SIGNATURE_H_
#define RACER_SYMEXEC_MACHINE_SIGNATURE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "scheduler/cta_scheduler.h"
#include "symexec/machine/program.h"
#include "symexec/machine/run.h"

namespace racer {

// Records branch edges, whether groups were whole warps, how often each lane went round each
// loop (0, 1, 2 or more times), and which ways comparisons of integers came out. Only the set of what was seen counts, not order or number.
class Signature {
 public:
  void Start(const Program* program, uint32_t threads);  // null: off
  bool on() const { return program_ != nullptr; }
  void StartCta();
  // `lanes` of `warp` go from the block that ends at from_pc to to_pc; whole: they are all lanes of the warp.
  void Edge(uint32_t from_pc, uint32_t to_pc, uint32_t warp, LaneMask lanes, bool whole);
  void FinishCta();
  // Instructions whose outcome is recorded: setp and set by their result, min and max by which operand is smaller.
  enum class Watch : uint8_t { kNone, kResult, kSignedOrder, kUnsignedOrder };
  Watch WatchOf(uint32_t pc) const { return watch_[pc]; }
  void Select(uint32_t pc, bool held, bool failed) { seen_->selected[pc] |= static_cast<uint8_t>((held ? 1 : 0) | (failed ? 2 : 0)); }
  // Ways that a thread does not take but that a Term run at this shape may come to count apart: they make shapes differ, and never pass for
  // ways that were taken.
  struct Exploration {
    uint32_t thread = 0;
    bool inside = false;  // another one
    std::vector<uint32_t> trips;
  };
  Exploration StartExploring(uint32_t thread);
  void EndExploring(const Exploration& exploration);
  std::vector<SelectionSeen> Selections() const;
  uint64_t Hash() const;

 private:
  void Close(uint32_t loop, uint32_t thread);

  const Program* program_ = nullptr;
  uint32_t threads_ = 0;
  std::vector<uint32_t> loop_index_;  // by pc of a loop head; kNoRow elsewhere
  std::vector<uint32_t> loop_heads_;
  std::vector<uint32_t> trips_;  // [loop][thread]: 0 not inside, else back edges + 1
  std::vector<Watch> watch_;     // by pc
  struct Seen {
    std::vector<uint8_t> trip_classes;                // [loop]: bits of 0, 1, 2, many
    std::vector<uint8_t> selected;                    // by pc: bit 0 held, bit 1 failed
    std::vector<std::pair<uint64_t, uint8_t>> edges;  // (from << 32 | to) -> bits: whole warp, part of it; sorted
  };
  Seen taken_, explored_;
  Seen* seen_ = &taken_;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_SIGNATURE_H_
