#include "symexec/machine/signature.h"

#include <algorithm>
#include <bit>

namespace racer {
namespace {

constexpr uint8_t kWhole = 1, kPart = 2;

uint64_t Mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xbf58476d1ce4e5b9;
  return hash ^ (hash >> 29);
}

Signature::Watch WatchFor(const Decoded& in) {
  if (in.instruction == nullptr || in.action != Action::kValue || in.is_twin) return Signature::Watch::kNone;
  const ir::Instruction& instruction = *in.instruction;
  if (instruction.operand_types.size() < 2) return Signature::Watch::kNone;
  const TypeClass type = ClassOf(instruction.operand_types[1]);
  if (type != TypeClass::kSigned && type != TypeClass::kUnsigned && type != TypeClass::kBits) return Signature::Watch::kNone;
  if (instruction.mnemonic == "setp" || instruction.mnemonic == "set") return Signature::Watch::kResult;
  if (instruction.mnemonic != "min" && instruction.mnemonic != "max") return Signature::Watch::kNone;
  if (PackedElement(instruction.operand_types[1]) != ScalarType::kNone) return Signature::Watch::kNone;
  return type == TypeClass::kSigned ? Signature::Watch::kSignedOrder : Signature::Watch::kUnsignedOrder;
}

}  // namespace

void Signature::Start(const Program* program, uint32_t threads) {
  program_ = program;
  threads_ = threads;
  loop_heads_.clear();
  taken_ = explored_ = {};
  seen_ = &taken_;
  if (program == nullptr) return;
  loop_index_.assign(program->code.size(), kNoRow);
  for (uint32_t head : program->loop_head_of_pc) {
    if (head == kNoRow || loop_index_[head] != kNoRow) continue;
    loop_index_[head] = static_cast<uint32_t>(loop_heads_.size());
    loop_heads_.push_back(head);
  }
  trips_.assign(loop_heads_.size() * threads, 0);
  watch_.clear();
  for (const Decoded& in : program->code) watch_.push_back(WatchFor(in));
  for (Seen* seen : {&taken_, &explored_}) {
    seen->trip_classes.assign(loop_heads_.size(), 0);
    seen->selected.assign(program->code.size(), 0);
  }
}

void Signature::StartCta() { std::fill(trips_.begin(), trips_.end(), 0); }

void Signature::Close(uint32_t loop, uint32_t thread) {
  uint32_t& trips = trips_[size_t{loop} * threads_ + thread];
  if (trips == 0) return;
  seen_->trip_classes[loop] |= static_cast<uint8_t>(1u << std::min<uint32_t>(trips - 1, 3));
  trips = 0;
}

void Signature::Edge(uint32_t from_pc, uint32_t to_pc, uint32_t warp, LaneMask lanes, bool whole) {
  if (lanes == 0) return;
  const uint64_t key = uint64_t{from_pc} << 32 | to_pc;
  auto& edges = seen_->edges;
  auto at = std::lower_bound(edges.begin(), edges.end(), key, [](const auto& edge, uint64_t k) { return edge.first < k; });
  if (at == edges.end() || at->first != key) at = edges.insert(at, {key, 0});
  at->second |= whole ? kWhole : kPart;

  const uint32_t loop = loop_index_[to_pc];
  if (loop == kNoRow) return;
  // A back edge comes from the loop itself: from a pc whose innermost loop is this one, or one nested in it. Nested heads
  // lie behind the outer head, so walking outwards from the nested loop needs no more than the head's own loop.
  bool back = false;
  for (uint32_t head = program_->loop_head_of_pc[from_pc]; head != kNoRow; head = program_->loop_head_of_pc[head]) {
    if (head == to_pc) back = true;
    if (program_->loop_head_of_pc[head] == head) break;
  }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t thread = warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest));
    if (!back) Close(loop, thread);
    if (thread < threads_) ++trips_[size_t{loop} * threads_ + thread];
  }
}

void Signature::FinishCta() {
  for (uint32_t loop = 0; loop < loop_heads_.size(); ++loop) {
    for (uint32_t thread = 0; thread < threads_; ++thread) Close(loop, thread);
  }
}

std::vector<SelectionSeen> Signature::Selections() const {
  std::vector<SelectionSeen> list;
  for (size_t pc = 0; pc < watch_.size(); ++pc) {
    if (watch_[pc] == Watch::kNone) continue;
    list.push_back({program_->code[pc].instruction, (taken_.selected[pc] & 1) != 0, (taken_.selected[pc] & 2) != 0});
  }
  return list;
}

Signature::Exploration Signature::StartExploring(uint32_t thread) {
  Exploration exploration{.thread = thread, .inside = seen_ == &explored_, .trips = {}};
  for (size_t loop = 0; loop < loop_heads_.size(); ++loop) exploration.trips.push_back(trips_[loop * threads_ + thread]);
  seen_ = &explored_;
  return exploration;
}

void Signature::EndExploring(const Exploration& exploration) {
  for (uint32_t loop = 0; loop < loop_heads_.size(); ++loop) {
    uint32_t& trips = trips_[size_t{loop} * threads_ + exploration.thread];
    if (trips != exploration.trips[loop]) Close(loop, exploration.thread);
    trips = exploration.trips[loop];
  }
  if (!exploration.inside) seen_ = &taken_;
}

uint64_t Signature::Hash() const {
  uint64_t hash = 0x7261636572;
  for (const Seen* seen : {&taken_, &explored_}) {
    hash = Mix(hash, seen->edges.size());
    for (const auto& [key, bits] : seen->edges) hash = Mix(Mix(hash, key), bits);
    for (size_t loop = 0; loop < loop_heads_.size(); ++loop) hash = Mix(Mix(hash, loop_heads_[loop]), seen->trip_classes[loop]);
    for (size_t pc = 0; pc < seen->selected.size(); ++pc) {
      if (seen->selected[pc] != 0) hash = Mix(Mix(hash, pc), seen->selected[pc]);
    }
  }
  return hash;
}

}  // namespace racer
