// Atomic operations of Core, in the order in which the scheduler runs them.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_ATOMIC_H_
#define RACER_SYMEXEC_MACHINE_EXEC_ATOMIC_H_

#include <algorithm>
#include <array>
#include <optional>

#include "ptx_frontend/isa/atomic.h"
#include "symexec/ball/decode.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/bits/exact_bits_domain.h"
#include "symexec/machine/core.h"
#include "symexec/machine/places.h"

namespace racer {

template <class Traits>
Value Core<Traits>::CombineWith(const Mods& mods, const Value& old, const Value& b, const Value& c) {
  if constexpr (!kSymbolic) {
    BitsDomain d;
    return {.bits = isa::CombineAtomic(d, mods, old.bits, b.bits, c.bits)};
  } else {
    if (!old.symbolic() && !b.symbolic() && !c.symbolic()) {
      ExactBitsDomain d;
      const uint64_t bits = isa::CombineAtomic(d, mods, old.bits, b.bits, c.bits);
      if (!d.inexact) return {.bits = bits};
    }
    const unsigned width = BitWidth(mods.type);
    auto d = Domain();
    return FromTerm(isa::CombineAtomic(d, mods, ToTerm(old, width), ToTerm(b, width), ToTerm(c, width)));
  }
}

// Whether a sum of constants is the same in every order: of integers without sign, as long as all of it fits the significand.
inline bool SumsExactly(ScalarType type, uint64_t old, uint64_t b, uint64_t sum) {
  const FpFormat format = FormatOf(type);
  const int64_t limit = int64_t{1} << std::min(PrecisionBits(format), 62u);
  for (uint64_t pattern : {old, b, sum}) {
    const std::optional<Rational> value = FiniteValue(format, pattern);
    const std::optional<int64_t> integer = value ? value->ToInt64() : std::nullopt;
    if (!integer || *integer < 0 || *integer > limit) return false;
  }
  return true;
}

// Additions that nothing orders give one sum over the reals, rounded in some order. Nothing may depend on its bits, which the checker
// sees to for terms over inputs; those over constants alone would become bits again. Packed elements are sums of their own.
template <class Traits>
bool Core<Traits>::AcceptReordering(const Decoded& in, const Mods& mods, bool unordered, const Value& old, const Value& b,
                                    const Value& sum) {
  if constexpr (!kSymbolic) return true;
  const ScalarType packed = PackedElement(mods.type), element = packed == ScalarType::kNone ? mods.type : packed;
  const unsigned total = BitWidth(mods.type), width = BitWidth(element);
  bool some_constant = false, all_constant = true;
  for (unsigned at = 0; at < total; at += width) {
    const Value was = Slice(old, total, at, width), added = Slice(b, total, at, width), is = Slice(sum, total, at, width);
    const bool constant = !is.symbolic() || store_->IsClosed(is.term);
    some_constant |= constant;
    all_constant &= constant;
    if (constant && (was.symbolic() || added.symbolic() || is.symbolic() || !SumsExactly(element, was.bits, added.bits, is.bits)))
      inexact_atomic_sum_ = true;
  }
  if (!unordered) return true;
  if (some_constant && inexact_atomic_sum_) {
    Unsupported(std::string(kSumOfConstants), &in);
    return false;
  }
  if (all_constant) return true;
  const Where place = PlaceOfPc(pc_);
  if (!result_.rounded_choice) result_.rounded_choice = place;
  AssumeOnce("atomic additions at " + place.file + ":" + std::to_string(place.line) +
             " are made in any order: their sum is one over the reals, how it is rounded is up to the hardware");
  return true;
}

template <class Traits>
bool Core<Traits>::CheckAtomicRace(const Decoded& in, unsigned lane, const Target& target, unsigned size, const Value& operand,
                                   bool* unordered) {
  const AtomicSite& site = program_.atomics[in.target];
  uint64_t key = 1;  // Bits follows one order
  if constexpr (kSymbolic) {
    key = site.returns || (site.by_operand && operand.symbolic()) ? 0 : uint64_t{site.order_key} << 32;
    if (key != 0 && site.by_operand) key |= operand.bits;
  }
  const MemoryEvent event{.kind = MemoryEvent::Kind::kAtomic,
                          .cta = cta_,
                          .thread = warp_ * kWarpSize + lane,
                          .pc = pc_,
                          .atomic_key = key,
                          .cta_scope = site.cta_scope};
  const uint64_t before = target.race->unordered_atomics();
  const std::optional<Race> race = target.race->Access(*scheduler_, event, target.race_offset, size);
  *unordered = target.race->unordered_atomics() != before;
  if (!race) return true;
  ReportRace(*race, target, in);
  return !stopped_;
}

template <class Traits>
void Core<Traits>::Atomic(const Decoded& in, LaneMask active) {
  const AtomicSite& site = program_.atomics[in.target];
  const unsigned size = site.element_bytes, total = size * site.elements;
  strong_seen_ = true;
  NoteOrder(in.mods);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t address = 0;
    Target target;
    if (!LaneAddress(in, lane, &address) || !Locate(in, lane, address, total, true, &target)) return;
    if (target.space != Space::kGlobal && target.space != Space::kShared)
      return Unsupported("atomic operation in ." + std::string(SpaceName(target.space)) + " memory", &in);
    if (!MarkWritten(in, target, total)) return;
    // PTX ISA, "atom": additions of .f32 flush subnormals in global memory, not in shared memory.
    Mods mods = in.mods;
    mods.ftz = mods.type == ScalarType::kF32 && target.space == Space::kGlobal;
    // An element of 128 bits is two of 64 that are compared together.
    const bool wide = size == 16;
    const unsigned part = wide ? 8 : size, parts = wide ? 2 : site.elements;
    std::array<Value, 8> old, b, c;
    for (unsigned i = 0; i < parts; ++i) {
      b[i] = Read(site.b[i], lane);
      if (!site.c.empty()) c[i] = Read(site.c[i], lane);
    }
    // Halves of a packed element are accesses of their own (PTX ISA, "Packed Data Types" of the memory consistency model).
    std::array<bool, 8> unordered{};
    const unsigned piece = PackedElement(mods.type) == ScalarType::kNone ? size : size / 2;
    for (unsigned at = 0; at < total && target.race != nullptr && !race_finding_; at += piece) {
      const unsigned e = at / size;
      Target element = target;
      element.race_offset += at;
      bool out_of_order = false;
      if (!CheckAtomicRace(in, lane, element, piece, b[e], &out_of_order)) return;
      unordered[e] = unordered[e] || out_of_order;
    }
    for (unsigned i = 0; i < parts; ++i) {
      old[i] = target.bytes->Load(store_, target.offset + i * part, part,
                                  [&](unsigned width) { return UndefinedBytes(in, lane, target.address + i * part, target.space, width); });
    }
    if (wide && in.mods.reduce == ReduceOp::kCas) {
      if constexpr (kSymbolic) {
        TermId same = store_->BvConst(1, 1);
        for (unsigned i = 0; i < 2; ++i)
          same = store_->Bv(TermKind::kBvAnd, 1, same, store_->Bv(TermKind::kBvEq, 64, ToTerm(old[i], 64), ToTerm(b[i], 64)));
        for (unsigned i = 0; i < 2; ++i) c[i] = FromTerm(store_->BvIte(64, same, ToTerm(c[i], 64), ToTerm(old[i], 64)));
      } else if (old[0].bits != b[0].bits || old[1].bits != b[1].bits) {
        c = old;
      }
      for (unsigned i = 0; i < 2; ++i) target.bytes->Store(target.offset + i * part, part, c[i]);
    } else {
      for (unsigned i = 0; i < parts; ++i) {
        const Value now = wide ? b[i] : CombineWith(mods, old[i], b[i], c[i]);
        if (site.rounds && !AcceptReordering(in, mods, unordered[i], old[i], b[i], now)) return;
        target.bytes->Store(target.offset + i * part, part, now);
      }
    }
    for (unsigned i = 0; i < site.d.size(); ++i) Write(site.d[i], lane, old[i]);
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_ATOMIC_H_
