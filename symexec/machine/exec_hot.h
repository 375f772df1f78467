// Runs the most frequent forms of value instructions: modifiers and operand counts are constants, operands plain rows.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_HOT_H_
#define RACER_SYMEXEC_MACHINE_EXEC_HOT_H_

#include <array>
#include <bit>
#include <span>
#include <type_traits>
#include <vector>

#include "ptx_frontend/isa/all.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/bits/exact_bits_domain.h"
#include "symexec/bits/fp_lanes.h"
#include "symexec/machine/core.h"
#include "symexec/machine/opcode_count.h"

// Tells GCC's vectoriser that the loop which follows has no dependences.
#if defined(__GNUC__) && !defined(__clang__)
#define RACER_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define RACER_INDEPENDENT_ITERATIONS
#endif

namespace racer {

template <class Traits>
struct HotForm {
  Opcode opcode = Opcode::kUnknown;
  Mods mods;
  unsigned sources = 0;
  typename Core<Traits>::ValueFunction run = nullptr;
};

// The forms of hot_forms.def.
template <class Traits>
void AddHotIntegers(std::vector<HotForm<Traits>>* forms);
template <class Traits>
void AddHotFloats(std::vector<HotForm<Traits>>* forms);

// One of these forms if the instruction has it and its operands are plain, else null.
template <class Traits>
typename Core<Traits>::ValueFunction FindHotForm(const Decoded& in) {
  static const std::vector<std::vector<HotForm<Traits>>> by_opcode = [] {
    std::vector<HotForm<Traits>> forms;
    AddHotIntegers(&forms);
    AddHotFloats(&forms);
    std::vector<std::vector<HotForm<Traits>>> table(kOpcodeCount);
    for (const HotForm<Traits>& form : forms) table[static_cast<size_t>(form.opcode)].push_back(form);
    return table;
  }();
  if (!in.plain || in.dest_count != 1) return nullptr;
  for (const HotForm<Traits>& form : by_opcode[static_cast<size_t>(in.opcode)]) {
    if (form.sources == in.source_count && form.mods == in.mods) return form.run;
  }
  return nullptr;
}

// From so many active lanes on all lanes are computed and the others keep what they held.
constexpr unsigned kBlendLanes = 12;

// As ExecuteValue (exec_record.h) for plain operands and one destination. Flattened, since only what is inlined sees the constants.
template <class Traits, class Record, unsigned kSources, Mods kMods>
[[gnu::flatten]] void ExecuteHot(Core<Traits>& core, const Decoded& in, LaneMask active) {
  using D = std::conditional_t<Traits::kSymbolic, ExactBitsDomain, BitsDomain>;
  static_assert(!isa::HasUnspecified<Record, D>);
  static_assert(isa::EvalArity<Record, D>() == 0 || isa::EvalArity<Record, D>() == kSources);
  if constexpr (Traits::kSymbolic) {
    LaneMask symbolic = 0;
    for (unsigned i = 0; i < kSources; ++i) symbolic |= core.Symbolic(in.source[i]);
    if constexpr (std::is_same_v<Record, isa::FmaFloat> && !kMods.sat) {
      if ((symbolic & active) != 0) {
        active &= ~core.ContinueSums(in, {.format = FormatOf(kMods.type), .rounding = kMods.rounding, .ftz = kMods.ftz}, active);
        if (active == 0) return;
      }
    }
    if ((symbolic & active) != 0) return core.PerformByRecord(in, active);
  }
  const uint64_t* a = core.Row(in.source[0]);
  const uint64_t* b = core.Row(in.source[kSources > 1 ? 1 : 0]);
  const uint64_t* c = core.Row(in.source[kSources > 2 ? 2 : 0]);
  uint64_t* to = core.Row(in.dest[0]);
  const auto compute = [=](D& d, unsigned lane) {
    const std::array<uint64_t, 3> operands{a[lane], b[lane], c[lane]};
    std::array<uint64_t, isa::ResultCount<Record>()> results;
    isa::Apply<Record>(d, kMods, std::span<const uint64_t>(operands.data(), kSources), results.data());
    return results[0];
  };
  // A destination that is also a source is read and written lane by lane, so no iteration depends on another.
  if constexpr (Traits::kSymbolic) {
    LaneMask rounded = 0;
    const auto step = [&](unsigned lane, bool wanted) {
      D d;
      const uint64_t result = compute(d, lane);
      rounded |= static_cast<LaneMask>(d.inexact & wanted) << lane;
      to[lane] = (wanted & !d.inexact) ? result : to[lane];
    };
    if (active == kAllLanes) {
      RACER_INDEPENDENT_ITERATIONS
      for (unsigned lane = 0; lane < kWarpSize; ++lane) step(lane, true);
    } else {
      ForLanes(active, [&](unsigned lane) { step(lane, true); });
    }
    core.SetConcrete(in.dest[0], active & ~rounded);
    if (rounded != 0) core.PerformByRecord(in, rounded);
  } else {
    D d;
    // The host's own instruction, which the rest of the build must not use.
    constexpr bool fuses = std::is_same_v<Record, isa::FmaFloat> && kMods == Mods{.type = ScalarType::kF32, .rounding = Rounding::kRn};
    if (fuses && active == kAllLanes) {
      bits::FmaLanesF32(a, b, c, to);
    } else if (fuses && PopCount(active) >= kBlendLanes) {
      std::array<uint64_t, kWarpSize> results;
      bits::FmaLanesF32(a, b, c, results.data());
      for (unsigned lane = 0; lane < kWarpSize; ++lane) to[lane] = (active >> lane & 1) != 0 ? results[lane] : to[lane];
    } else if (active == kAllLanes) {
      RACER_INDEPENDENT_ITERATIONS
      for (unsigned lane = 0; lane < kWarpSize; ++lane) to[lane] = compute(d, lane);
    } else if (PopCount(active) >= kBlendLanes) {
      RACER_INDEPENDENT_ITERATIONS
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const uint64_t result = compute(d, lane);
        to[lane] = (active >> lane & 1) != 0 ? result : to[lane];
      }
    } else {
      ForLanes(active, [&](unsigned lane) { to[lane] = compute(d, lane); });
    }
  }
}

}  // namespace racer

#undef RACER_INDEPENDENT_ITERATIONS

#endif  // RACER_SYMEXEC_MACHINE_EXEC_HOT_H_
