// The most frequent forms of floating-point arithmetic over the Field domain: modifiers are constants, operands plain rows.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_HOT_FIELD_H_
#define RACER_SYMEXEC_MACHINE_EXEC_HOT_FIELD_H_

#include <optional>

#include "symexec/machine/exec_hot.h"
#include "symexec/machine/field_traits.h"

namespace racer {

// What a record computes, where FieldStore::Step knows it.
template <class Record>
constexpr std::optional<FpKind> StepOf() {
  if (std::is_same_v<Record, isa::AddFloat>) return FpKind::kAdd;
  if (std::is_same_v<Record, isa::SubFloat>) return FpKind::kSub;
  if (std::is_same_v<Record, isa::MulFloat>) return FpKind::kMul;
  if (std::is_same_v<Record, isa::FmaFloat>) return FpKind::kFma;
  if (std::is_same_v<Record, isa::NegFloat>) return FpKind::kNeg;
  return std::nullopt;
}

// As ExecuteHot. Lanes without a symbolic operand and those that the short way does not know go by the record.
template <class Record, unsigned kSources, Mods kMods>
void ExecuteHotField(Core<FieldTraits>& core, const Decoded& in, LaneMask active) {
  constexpr bool kConverts = std::is_same_v<Record, isa::CvtFloat>;
  constexpr std::optional<FpKind> kStep = StepOf<Record>();
  // With .ftz, subnormal literals are zeros, which the record sees to.
  if constexpr ((!kConverts && !kStep.has_value()) || kMods.ftz) {
    ExecuteHot<FieldTraits, Record, kSources, kMods>(core, in, active);
  } else {
    constexpr FpFormat kFormat = FormatOf(kMods.type), kFrom = kConverts ? FormatOf(kMods.type2) : kFormat;
    std::array<LaneMask, 3> symbolic{};
    for (unsigned i = 0; i < kSources; ++i) symbolic[i] = core.Symbolic(in.source[i]);
    const LaneMask lanes = (symbolic[0] | symbolic[1] | symbolic[2]) & active;
    if (lanes == 0) return ExecuteHot<FieldTraits, Record, kSources, kMods>(core, in, active);
    FieldStore& store = core.store();
    std::array<const uint64_t*, 3> rows{};
    for (unsigned i = 0; i < kSources; ++i) rows[i] = core.Row(in.source[i]);
    uint64_t* to = core.Row(in.dest[0]);
    LaneMask rest = active & ~lanes;
    std::array<FieldStore::Node, 3> scratch;
    std::array<uint64_t, 3> known_bits{};
    std::array<const FieldStore::Node*, 3> known{};
    ForLanes(lanes, [&](unsigned lane) {
      std::array<const FieldStore::Node*, 3> operands{};
      for (unsigned i = 0; i < kSources; ++i) {
        const uint64_t value = rows[i][lane];
        if ((symbolic[i] >> lane & 1) != 0) {
          operands[i] = value == 0 ? nullptr : store.Plain(kFrom, TermId{static_cast<uint32_t>(value)}, &scratch[i]);
        } else {
          if (known[i] == nullptr || known_bits[i] != value) {
            known[i] = store.Constant(kFrom, value);
            known_bits[i] = value;
          }
          operands[i] = known[i];
        }
        if (operands[i] == nullptr) {
          rest |= LaneMask{1} << lane;
          return;
        }
      }
      TermId result;
      if constexpr (kConverts) {
        result = store.Renamed(kFormat, *operands[0]);
      } else {
        result = store.Step<*kStep>(kFormat, operands[0], operands[1], operands[2]);
      }
      if (result == kNoTerm) [[unlikely]] {
        rest |= LaneMask{1} << lane;
        return;
      }
      to[lane] = static_cast<uint64_t>(result);
    });
    core.SetSymbolic(in.dest[0], lanes & ~rest);
    if (rest != 0) core.PerformByRecord(in, rest);
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_HOT_FIELD_H_
