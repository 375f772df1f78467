// Sums of products that registers carry through a loop (Term): while one grows it is a list of factors, and terms are made once somebody
// reads it. A register's row then holds a handle: which sum, and how many of its steps.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_SUMS_H_
#define RACER_SYMEXEC_MACHINE_EXEC_SUMS_H_

#include <algorithm>
#include <optional>
#include <utility>

#include "symexec/machine/core.h"

namespace racer {

// A B term.
template <class Traits>
TermId Core<Traits>::TermOfSum(uint64_t handle) {
  if constexpr (!kField) {
    const OpenSum& sum = open_sums_[static_cast<uint32_t>(handle)];
    const uint32_t steps = static_cast<uint32_t>((handle ^ kSumHandle) >> 32);
    if (steps >= sum.before) {
      TermId term = sum.start;
      for (uint32_t i = 0; i < steps - sum.before; ++i) {
        const uint64_t factors = sum.factors[i];
        term =
            store_->Fp(FpKind::kFma, sum.attr, TermId{static_cast<uint32_t>(factors)}, TermId{static_cast<uint32_t>(factors >> 32)}, term);
      }
      return store_->FpToBits(term);
    }
    // Inside a chain: its nodes have consecutive ids, the last one after `end` steps.
    const auto chain =
        std::lower_bound(sum.chains.begin(), sum.chains.end(), steps, [](const auto& entry, uint32_t at) { return entry.first < at; });
    return store_->FpToBits(TermId{static_cast<uint32_t>(chain->second) - (chain->first - steps)});
  }
  RACER_UNREACHABLE(handle);  // of Field, nothing is a sum in progress
}

// fma of lanes whose addend is a sum in progress, or long enough to become one. Returns the lanes that are left to do.
template <class Traits>
LaneMask Core<Traits>::ContinueSums(const Decoded& in, const FpAttr& attr, LaneMask lanes) {
  if constexpr (kField)
    return 0;
  else {
    const Dest& dest = in.dest[0];
    const Source& addend = in.source[2];
    const unsigned width = FormatWidth(attr.format);
    lanes &= Symbolic(addend);
    const auto whole = [&](const Source& source) { return !source.negated && source.width == width && source.reg_width == width; };
    if (!whole(in.source[0]) || !whole(in.source[1]) || !whole(addend) || dest.width != width || dest.reg_width != width) return 0;
    LaneMask done = 0;
    ForLanes(lanes, [&](unsigned lane) {
      const uint64_t payload = Row(addend)[lane];
      uint32_t index = 0;
      if ((payload & kSumHandle) != 0) {
        index = static_cast<uint32_t>(payload);
        const OpenSum& sum = open_sums_[index];
        if (sum.steps() != static_cast<uint32_t>((payload ^ kSumHandle) >> 32) || !(sum.attr == attr)) return;
      } else {
        const TermId bits{static_cast<uint32_t>(payload)};
        if (bits == kNoTerm || store_->kind(bits) != TermKind::kFpToBits) return;
        const TermId start = store_->operand(bits, 0);
        const std::optional<unsigned> steps = store_->StepsOfSum(start, attr);
        if (!steps || (*steps < kStepsToOpen && !store_->IsChain(start))) return;
        if (open_sums_.size() == kMaxOpenSums) return;
        index = static_cast<uint32_t>(open_sums_.size());
        open_sums_.push_back({.attr = attr, .start = start, .start_steps = *steps});
        open_sums_.back().factors.reserve(Chain::kLength);
      }
      TermId factor[2];
      for (unsigned i = 0; i < 2; ++i) {
        const TermId bits = ReadTerm(in.source[i], lane);
        // Literals that .ftz flushes are the record's business.
        if (store_->ContainsUndef(bits) || (attr.ftz && store_->IsConst(bits))) return;
        factor[i] = store_->BitsToFp(attr.format, bits);
      }
      if (static_cast<uint32_t>(factor[1]) < static_cast<uint32_t>(factor[0])) std::swap(factor[0], factor[1]);
      OpenSum& sum = open_sums_[index];
      sum.factors.push_back(static_cast<uint32_t>(factor[0]) | static_cast<uint64_t>(factor[1]) << 32);
      if (sum.start_steps + sum.factors.size() == Chain::kLength) {
        MarkOrigin();
        sum.before = sum.steps();
        sum.start = store_->FpChain(attr, sum.start, sum.factors);
        sum.chains.emplace_back(sum.before, sum.start);
        sum.start_steps = 0;
        sum.factors.clear();
      }
      Row(dest)[lane] = kSumHandle | static_cast<uint64_t>(sum.steps()) << 32 | index;
      symbolic_[dest.row] |= LaneMask{1} << lane;
      done |= LaneMask{1} << lane;
    });
    return done;
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_SUMS_H_
