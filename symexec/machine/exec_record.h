// Runs one record of the instruction table for the lanes of a warp.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_RECORD_H_
#define RACER_SYMEXEC_MACHINE_EXEC_RECORD_H_

#include <array>
#include <concepts>
#include <span>
#include <utility>

#include "ptx_frontend/isa/record.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/machine/core.h"
#include "symexec/term/term_domain.h"

namespace racer {

template <class D, class... V>
consteval size_t EvalArity(typename D::Val (*)(D&, const Mods&, V...)) {
  return sizeof...(V);
}
template <class Record, class D>
concept HasEval = requires { &Record::template Eval<D>; };
template <class Record, class D>
concept HasUnspecified = requires(D& d, const Mods& m, std::span<const typename D::Val> in) {
  { Record::template Unspecified<D>(d, m, in) } -> std::same_as<typename D::Val>;
};

template <class Record, class D>
constexpr size_t ResultsOf() {
  if constexpr (HasEval<Record, D>) {
    return 1;
  } else {
    return Record::kResults;
  }
}

template <class Record, class D, size_t... I>
inline typename D::Val CallEval(D& d, const Mods& mods, const typename D::Val* in, std::index_sequence<I...>) {
  return Record::template Eval<D>(d, mods, in[I]...);
}

// All results for one lane. `count` operands are in `in`; the table's grammar makes it the number that Eval takes.
template <class Record, class D>
inline void EvaluateLane(D& d, const Mods& mods, const typename D::Val* in, size_t count, typename D::Val* out) {
  if constexpr (HasEval<Record, D>) {
    constexpr size_t kArity = EvalArity<D>(&Record::template Eval<D>);
    RACER_CHECK(count == kArity);
    out[0] = CallEval<Record, D>(d, mods, in, std::make_index_sequence<kArity>());
  } else {
    Record::template EvalMulti<D>(d, mods, std::span<const typename D::Val>(in, count), out);
  }
}

template <class Record, size_t... I>
inline void EvaluateRows(const Mods& mods, const std::array<const uint64_t*, 4>& rows, uint64_t* to, LaneMask lanes, std::index_sequence<I...>) {
  ForLanes(lanes, [&](unsigned lane) {
    BitsDomain d;
    to[lane] = Record::template Eval<BitsDomain>(d, mods, rows[I][lane]...);
  });
}

// The lanes whose operands are all bits.
template <class Traits, class Record>
inline void ExecuteConcrete(Core<Traits>& core, const Decoded& in, LaneMask lanes) {
  using D = BitsDomain;
  const Mods mods = in.mods;  // a copy: stores to rows cannot change it
  if constexpr (HasEval<Record, D> && !HasUnspecified<Record, D>) {
    if (in.plain) {
      constexpr size_t kArity = EvalArity<D>(&Record::template Eval<D>);
      RACER_CHECK(in.source_count == kArity);
      std::array<const uint64_t*, 4> rows{};
      for (size_t i = 0; i < kArity; ++i) rows[i] = core.Row(in.source[i]);
      EvaluateRows<Record>(mods, rows, core.Row(in.dest[0]), lanes, std::make_index_sequence<kArity>());
      core.SetConcrete(in.dest[0], lanes);
      return;
    }
  }
  ForLanes(lanes, [&](unsigned lane) {
    D d;
    std::array<uint64_t, 4> operands{};
    std::array<uint64_t, ResultsOf<Record, D>()> results{};
    for (size_t i = 0; i < in.source_count; ++i) operands[i] = core.Read(in.source[i], lane).bits;
    EvaluateLane<Record, D>(d, mods, operands.data(), in.source_count, results.data());
    bool unspecified = false;
    if constexpr (HasUnspecified<Record, D>) {
      unspecified = Record::template Unspecified<D>(d, mods, std::span<const uint64_t>(operands.data(), in.source_count)) != 0;
    }
    for (size_t i = 0; i < in.dest_count && i < results.size(); ++i) {
      if (unspecified) {
        core.WriteUnspecified(in.dest[i], lane);
      } else {
        core.WriteBits(in.dest[i], lane, results[i]);
      }
    }
  });
}

template <class Traits, class Record>
inline void ExecuteSymbolic(Core<Traits>& core, const Decoded& in, LaneMask lanes) {
  using D = TermDomain;
  D d{core.store()};
  std::array<TermId, 4> last{};
  std::array<TermId, ResultsOf<Record, D>()> results{};
  bool have_last = false;
  ForLanes(lanes, [&](unsigned lane) {
    std::array<TermId, 4> operands{};
    for (size_t i = 0; i < in.source_count; ++i) operands[i] = core.ReadTerm(in.source[i], lane);
    // Lanes often hold the same values (a broadcast, a reduced sum).
    if (!have_last || operands != last) {
      EvaluateLane<Record, D>(d, in.mods, operands.data(), in.source_count, results.data());
      last = operands;
      have_last = true;
    }
    if constexpr (HasUnspecified<Record, D>) {
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
    if (symbolic != 0) {
      if (active != symbolic) ExecuteConcrete<Traits, Record>(core, in, active & ~symbolic);
      ExecuteSymbolic<Traits, Record>(core, in, symbolic);
      return;
    }
  }
  ExecuteConcrete<Traits, Record>(core, in, active);
}

template <class Traits, class Record>
void AddRecord(std::vector<typename Core<Traits>::ValueFunction>* table, Opcode opcode) {
  if constexpr (Record::kSpec.effect == Effect::kValue) (*table)[static_cast<size_t>(opcode)] = &ExecuteValue<Traits, Record>;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_RECORD_H_
