// Runs one record of the instruction table for the lanes of a warp.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_RECORD_H_
#define RACER_SYMEXEC_MACHINE_EXEC_RECORD_H_

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "ptx_frontend/isa/all.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/bits/exact_bits_domain.h"
#include "symexec/machine/closed_terms.h"
#include "symexec/machine/core.h"

namespace racer {

// The record's results for the operands of one lane after the other; lanes often hold the same ones, which are computed once.
template <class D, class Record>
class LaneResults {
 public:
  explicit LaneResults(const Mods& mods) : mods_(mods) {}
  const std::array<uint64_t, isa::ResultCount<Record>()>& Of(const std::array<uint64_t, kMaxSources>& operands, size_t count) {
    if (filled_ && operands == operands_) return results_;
    domain_ = D();
    operands_ = operands;
    filled_ = true;
    isa::Apply<Record>(domain_, mods_, std::span<const uint64_t>(operands_.data(), count), results_.data());
    return results_;
  }
  const D& domain() const { return domain_; }  // after the last operands

 private:
  const Mods mods_;  // a copy: stores to rows cannot change it
  D domain_;
  bool filled_ = false;
  std::array<uint64_t, kMaxSources> operands_{};
  std::array<uint64_t, isa::ResultCount<Record>()> results_{};
};

// The lanes whose operands are all bits. In Term, bits stand for the reals that they encode: a lane whose result was
// rounded is left as it was and returned, to be made a term.
template <class Traits, class Record>
inline LaneMask ExecuteConcrete(Core<Traits>& core, const Decoded& in, LaneMask lanes) {
  using D = std::conditional_t<Traits::kSymbolic, ExactBitsDomain, BitsDomain>;
  LaneMask rounded = 0;
  const auto was_rounded = [&](const D& d, unsigned lane) {
    if constexpr (Traits::kSymbolic) {
      if (d.inexact) rounded |= LaneMask{1} << lane;
      return d.inexact;
    } else {
      return false;
    }
  };
  constexpr size_t kArity = isa::EvalArity<Record, D>();
  constexpr size_t kResults = isa::ResultCount<Record>();
  LaneResults<D, Record> lane_results(in.mods);
  RACER_CHECK(kArity == 0 || in.source_count == kArity);
  if constexpr (!isa::HasUnspecified<Record, D>) {
    if (in.plain) {
      const size_t count = kArity == 0 ? in.source_count : kArity;
      const size_t wanted = std::min<size_t>(in.dest_count, kResults);
      std::array<const uint64_t*, kMaxSources> rows{};
      for (size_t i = 0; i < count; ++i) rows[i] = core.Row(in.source[i]);
      std::array<uint64_t*, kResults> to{};
      for (size_t i = 0; i < wanted; ++i) to[i] = core.Row(in.dest[i]);
      ForLanes(lanes, [&](unsigned lane) {
        std::array<uint64_t, kMaxSources> operands{};
        for (size_t i = 0; i < count; ++i) operands[i] = rows[i][lane];
        const auto& results = lane_results.Of(operands, count);
        if (was_rounded(lane_results.domain(), lane)) return;
        for (size_t i = 0; i < wanted; ++i) to[i][lane] = results[i];
      });
      for (size_t i = 0; i < wanted; ++i) core.SetConcrete(in.dest[i], lanes & ~rounded);
      return rounded;
    }
  }
  ForLanes(lanes, [&](unsigned lane) {
    std::array<uint64_t, kMaxSources> operands{};
    for (size_t i = 0; i < in.source_count; ++i) operands[i] = core.Read(in.source[i], lane).bits;
    const auto& results = lane_results.Of(operands, in.source_count);
    if (was_rounded(lane_results.domain(), lane)) return;
    bool unspecified = false;
    if constexpr (isa::HasUnspecified<Record, D>) {
      D d;
      unspecified = Record::template Unspecified<D>(d, in.mods, std::span<const uint64_t>(operands.data(), in.source_count)) != 0;
    }
    for (size_t i = 0; i < in.dest_count && i < results.size(); ++i) {
      if (unspecified) {
        core.WriteUnspecified(in.dest[i], lane);
      } else {
        core.WriteBits(in.dest[i], lane, results[i]);
      }
    }
  });
  return rounded;
}

template <class Traits, class Record>
inline void ExecuteSymbolic(Core<Traits>& core, const Decoded& in, LaneMask lanes) {
  auto d = core.Domain();
  using D = decltype(d);
  std::array<TermId, kMaxSources> last{};
  std::array<TermId, isa::ResultCount<Record>()> results{};
  RACER_CHECK((isa::EvalArity<Record, D>() == 0 || in.source_count == isa::EvalArity<Record, D>()));
  bool have_last = false;
  ForLanes(lanes, [&](unsigned lane) {
    std::array<TermId, kMaxSources> operands{};
    for (size_t i = 0; i < in.source_count; ++i) operands[i] = core.ReadTerm(in.source[i], lane);
    // Lanes often hold the same values (a broadcast, a reduced sum).
    if (!have_last || operands != last) {
      isa::Apply<Record>(d, in.mods, std::span<const TermId>(operands.data(), in.source_count), results.data());
      last = operands;
      have_last = true;
    }
    if constexpr (isa::HasUnspecified<Record, D>) {
      const TermId open = Record::template Unspecified<D>(d, in.mods, std::span<const TermId>(operands.data(), in.source_count));
      for (size_t i = 0; i < in.dest_count && i < results.size(); ++i) {
        core.WriteTerm(in.dest[i], lane, core.UnlessUnspecified(open, results[i], in.dest[i].width, lane));
      }
    } else {
      for (size_t i = 0; i < in.dest_count && i < results.size(); ++i) core.WriteTerm(in.dest[i], lane, results[i]);
    }
  });
}

template <class Traits, class Record>
void ExecuteValue(Core<Traits>& core, const Decoded& in, LaneMask active) {
  if constexpr (Traits::kSymbolic) {
    LaneMask symbolic = 0;
    for (size_t i = 0; i < in.source_count; ++i) symbolic |= core.Symbolic(in.source[i]);
    symbolic &= active;
    if (active != symbolic) symbolic |= ExecuteConcrete<Traits, Record>(core, in, active & ~symbolic);
    if (symbolic != 0) ExecuteSymbolic<Traits, Record>(core, in, symbolic);
  } else {
    ExecuteConcrete<Traits, Record>(core, in, active);
  }
}

template <class Traits, class Record>
void AddRecord(std::vector<typename Core<Traits>::ValueFunction>* table, Opcode opcode) {
  if constexpr (Record::kSpec.effect == Effect::kValue) (*table)[static_cast<size_t>(opcode)] = &ExecuteValue<Traits, Record>;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_RECORD_H_
