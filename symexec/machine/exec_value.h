// Registers, moves and address conversions of Core.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_VALUE_H_
#define RACER_SYMEXEC_MACHINE_EXEC_VALUE_H_

#include <cstring>

#include "symexec/machine/core.h"

namespace racer {

template <class Traits>
Value Core<Traits>::Read(const Source& source, unsigned lane) {
  uint64_t payload = Row(source)[lane];
  if constexpr (kSymbolic) {
    if ((Symbolic(source) >> lane & 1) != 0) {
      if (payload == 0) {  // never written
        const TermId fresh = Undefined(source.reg_width, "a register that was never written, in " + ThreadName(lane));
        payload = static_cast<uint64_t>(fresh);
        registers_[size_t{source.row} * kWarpSize + lane] = payload;
      }
      if ((payload & kSumHandle) != 0) {
        MarkOrigin();
        payload = static_cast<uint64_t>(TermOfSum(payload));
        registers_[size_t{source.row} * kWarpSize + lane] = payload;
      }
      TermId term{static_cast<uint32_t>(payload)};
      if (source.width != source.reg_width) term = store_->Extract(source.width, term, 0);
      if (source.negated) term = store_->BvNot(source.width, term);
      return FromTerm(term);
    }
  }
  payload &= LowMask(source.width);
  return {.bits = source.negated ? payload ^ LowMask(source.width) : payload};
}

template <class Traits>
void Core<Traits>::Write(const Dest& dest, unsigned lane, const Value& value) {
  uint64_t* row = Row(dest);
  if (kSymbolic && value.symbolic()) {
    TermId term = value.term;
    if (dest.width != dest.reg_width) term = dest.sign ? store_->SExt(dest.reg_width, term) : store_->ZExt(dest.reg_width, term);
    row[lane] = static_cast<uint64_t>(term);
    if constexpr (kSymbolic) symbolic_[dest.row] |= LaneMask{1} << lane;
    return;
  }
  row[lane] = dest.sign ? SignExtend(value.bits, dest.width, dest.reg_width) : value.bits;
  SetConcrete(dest, LaneMask{1} << lane);
}

template <class Traits>
void Core<Traits>::WriteUnspecified(const Dest& dest, unsigned lane) {
  if constexpr (kSymbolic) {
    Write(dest, lane, {.term = Undefined(dest.width, "a result that the instruction leaves open, in " + ThreadName(lane))});
  } else {
    WriteBits(dest, lane, 0);
  }
}

template <class Traits>
TermId Core<Traits>::UnlessUnspecified(TermId open, TermId result, unsigned width, unsigned lane) {
  if (store_->IsConst(open) && store_->const_bits(open) == 0) return result;
  const TermId undefined = Undefined(width, "a result that the instruction leaves open, in " + ThreadName(lane));
  return store_->BvIte(width, open, undefined, result);
}

template <class Traits>
void Core<Traits>::Move(const Decoded& in, LaneMask active) {
  const Source& source = in.source[0];
  const Dest& dest = in.dest[0];
  if (source.width == source.reg_width && dest.width == dest.reg_width && !source.negated) {
    const uint64_t* from = Row(source);
    uint64_t* to = Row(dest);
    if (active == kAllLanes) {
      std::memmove(to, from, kWarpSize * sizeof(uint64_t));
    } else {
      ForLanes(active, [&](unsigned lane) { to[lane] = from[lane]; });
    }
    if constexpr (kSymbolic) symbolic_[dest.row] = (symbolic_[dest.row] & ~active) | (Symbolic(source) & active);
    return;
  }
  ForLanes(active, [&](unsigned lane) { Write(dest, lane, Read(source, lane)); });
}

template <class Traits>
void Core<Traits>::Pack(const Decoded& in, LaneMask active) {
  const std::span<const Source> elements(program_.sources.data() + in.element_first, in.element_count);
  const unsigned width = elements[0].width;
  LaneMask symbolic = 0;
  for (const Source& element : elements) symbolic |= Symbolic(element);
  symbolic &= active;
  ForLanes(active & ~symbolic, [&](unsigned lane) {
    uint64_t bits = 0;
    for (size_t i = 0; i < elements.size(); ++i) bits |= Read(elements[i], lane).bits << (i * width);
    WriteBits(in.dest[0], lane, bits);
  });
  if (!kSymbolic || symbolic == 0) return;
  ForLanes(symbolic, [&](unsigned lane) {
    TermId whole = ReadTerm(elements[0], lane);
    for (size_t i = 1; i < elements.size(); ++i) whole = store_->Concat(ReadTerm(elements[i], lane), whole);
    WriteTerm(in.dest[0], lane, whole);
  });
}

template <class Traits>
void Core<Traits>::Unpack(const Decoded& in, LaneMask active) {
  const std::span<const Dest> elements(program_.dests.data() + in.element_first, in.element_count);
  ForLanes(active, [&](unsigned lane) {
    const Value whole = Read(in.source[0], lane);  // before a destination that is also the source is written
    for (size_t i = 0; i < elements.size(); ++i) {
      const unsigned width = elements[i].width, low = static_cast<unsigned>(i) * width;
      if (kSymbolic && whole.symbolic()) {
        WriteTerm(elements[i], lane, store_->Extract(width, whole.term, low));
      } else {
        WriteBits(elements[i], lane, whole.bits >> low & LowMask(width));
      }
    }
  });
}

// mov.b128: two halves, or four words on either side.
template <class Traits>
void Core<Traits>::MoveWide(const Decoded& in, LaneMask active) {
  const std::span<const Dest> dests(program_.dests.data() + in.element_first, in.element_count);
  ForLanes(active, [&](unsigned lane) {
    std::array<Value, 4> words;
    for (size_t i = 0; i < in.source_count; ++i) words[i] = Read(in.source[i], lane);
    for (size_t half = 0; half < 2 && in.source_count == 4; ++half) {
      const Value &low = words[2 * half], &high = words[2 * half + 1];
      if (low.symbolic() || high.symbolic()) {
        words[half] = FromTerm(store_->Concat(ToTerm(high, 32), ToTerm(low, 32)));
      } else {
        words[half] = {.bits = high.bits << 32 | low.bits};
      }
    }
    for (size_t i = 0; i < dests.size(); ++i) {
      const Value& half = words[dests.size() == 4 ? i / 2 : i];
      if (dests.size() == 2) {
        Write(dests[i], lane, half);
      } else if (half.symbolic()) {
        WriteTerm(dests[i], lane, store_->Extract(32, half.term, 32 * (i % 2)));
      } else {
        WriteBits(dests[i], lane, half.bits >> 32 * (i % 2) & LowMask(32));
      }
    }
  });
}

// cvta: the window's base is added or taken away; global addresses are generic as they are.
template <class Traits>
void Core<Traits>::ConvertAddress(const Decoded& in, LaneMask active) {
  uint64_t add = in.address.space == Space::kGlobal ? 0 : WindowBase(in.address.space);
  if (in.action == Action::kFromGeneric) add = ~add + 1;
  const Source& source = in.source[0];
  if (source.width == source.reg_width && in.dest[0].width == in.dest[0].reg_width && (Symbolic(source) & active) == 0) {
    const uint64_t* from = Row(source);
    uint64_t* to = Row(in.dest[0]);
    ForLanes(active, [&](unsigned lane) { to[lane] = from[lane] + add; });
    return SetConcrete(in.dest[0], active);
  }
  ForLanes(active, [&](unsigned lane) {
    const Value value = Read(in.source[0], lane);
    if (kSymbolic && value.symbolic()) {
      WriteTerm(in.dest[0], lane, store_->Bv(TermKind::kBvAdd, 64, value.term, store_->BvConst(64, add)));
    } else {
      WriteBits(in.dest[0], lane, value.bits + add);
    }
  });
}

template <class Traits>
void Core<Traits>::IsSpace(const Decoded& in, LaneMask active) {
  for (LaneMask rest = active; rest != 0 && !stopped_; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t address = 0, offset = 0;
    if (!Control(in.source[0], lane, "an address", &address)) return;
    WriteBits(in.dest[0], lane, layout_.Resolve(address, &offset) == in.address.space ? 1 : 0);
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_VALUE_H_
