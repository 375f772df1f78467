// Loads and stores of all active lanes at once. Each makes sure that no check of exec_memory.h can fail, the race check aside,
// before it does anything; where one might, it does nothing and exec_memory.h goes lane by lane and says what is wrong.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_ACCESS_H_
#define RACER_SYMEXEC_MACHINE_EXEC_ACCESS_H_

#include <algorithm>
#include <bit>
#include <cstring>

#include "symexec/machine/core.h"

namespace racer {

// Little-endian values of T at from + offset[lane], zero-extended, into a row.
template <class T>
inline void LoadLanesOf(const uint8_t* from, const uint64_t* offset, LaneMask active, uint64_t* row) {
  ForLanes(active, [=](unsigned lane) {
    T value;
    std::memcpy(&value, from + offset[lane], sizeof(T));
    row[lane] = value;
  });
}

// The addresses of the lanes and whether each follows the one of the lane below by `size` (all lanes active).
template <class Traits>
bool Core<Traits>::AddressLanes(const Decoded& in, LaneMask active, unsigned size, LaneTargets* to, uint64_t* low, uint64_t* high) {
  const AddressRef& ref = in.address;
  if (ref.base.row == kNoRow) {
    std::fill_n(to->offset, kWarpSize, ref.offset);
    *low = *high = ref.offset;
    return true;
  }
  if ((Symbolic(ref.base) & active) != 0) return false;
  const uint64_t* base = Row(ref.base);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) to->offset[lane] = base[lane] + ref.offset;
  if (active == kAllLanes) {
    uint64_t apart = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) apart |= to->offset[lane] ^ (to->offset[0] + uint64_t{lane} * size);
    if (apart == 0) {
      to->consecutive = true;
      *low = to->offset[0];
      *high = to->offset[kWarpSize - 1];
      return (*low & (size - 1)) == 0 && *low <= *high;
    }
  }
  uint64_t all = 0;
  *low = ~uint64_t{0};
  *high = 0;
  ForLanes(active, [&](unsigned lane) {
    *low = std::min(*low, to->offset[lane]);
    *high = std::max(*high, to->offset[lane]);
    all |= to->offset[lane];
  });
  return (all & (size - 1)) == 0;
}

// False: some check could fail, or the space is not handled here. The windows of generic addresses are aligned to more than any access.
template <class Traits>
bool Core<Traits>::LocateLanes(const Decoded& in, LaneMask active, unsigned size, bool write, LaneTargets* to) {
  uint64_t low = 0, high = 0;
  if (in.mods.order != MemoryOrder::kWeak || in.address.space == Space::kCallParam || !std::has_single_bit(size)) return false;
  if (!AddressLanes(in, active, size, to, &low, &high)) return false;
  const uint64_t raw = low;
  Space space = in.address.space;
  if (in.address.generic) {
    space = layout_.Resolve(low, &low);
    if (layout_.Resolve(high, &high) != space) return false;
  }
  // Every address in between lies in the segment that holds the first and the last.
  const Segment* segment = layout_.Table(space).Find(low, size);
  if (segment == nullptr || high - segment->base > segment->size - size) return false;
  if ((low & (size - 1)) != 0 || (segment->align != 0 && size > segment->align) || (write && !segment->writable)) return false;
  uint64_t move = low - raw - segment->base;  // from an address to the offset in the object
  switch (space) {
    case Space::kGlobal: {
      if (segment->variable != nullptr) return false;
      GlobalObject& object = globals_[static_cast<size_t>(segment - layout_.global.segments().data())];
      to->bytes = &object.bytes;
      to->race = object.race.get();
      if (object.writers.size() != 0) to->writers = object.writers.data();
      break;
    }
    case Space::kShared:
      to->bytes = &shared_;
      to->race = shared_race_.get();
      move += segment->dense;
      break;
    case Space::kLocal:
      if (segment->variable == nullptr) return false;
      to->bytes = &locals_;
      to->consecutive = false;
      move += segment->dense + uint64_t{warp_} * kWarpSize * layout_.local_bytes;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) to->offset[lane] += lane * layout_.local_bytes;
      break;
    case Space::kParam:
      to->bytes = &params_;
      move += segment->dense;
      break;
    case Space::kConst:
      if (!segment->variable->initializer || !UseInitialValue(in, *segment->variable)) return false;
      to->bytes = &constants_;
      move += segment->dense;
      break;
    case Space::kCallParam: return false;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) to->offset[lane] += move;
  return true;
}

// Race check of the lanes in order, `parts` accesses of `size` bytes each. False: the run has been stopped.
template <class Traits>
bool Core<Traits>::CheckRaces(const Decoded& in, LaneMask active, const LaneTargets& to, unsigned parts, unsigned size,
                              const uint64_t* value_tags) {
  const bool write = value_tags != nullptr;
  const uint32_t accesses = parts * PopCount(active);
  const uint32_t done = to.race->AccessWarp(*scheduler_, {.kind = write ? MemoryEvent::Kind::kWrite : MemoryEvent::Kind::kRead,
                                                          .cta = cta_,
                                                          .warp = warp_,
                                                          .pc = pc_,
                                                          .lanes = active,
                                                          .offsets = to.offset,
                                                          .parts = parts,
                                                          .size = size,
                                                          .value_tags = value_tags});
  if (done == accesses) return true;
  uint32_t number = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    for (unsigned part = 0; part < parts; ++part) {
      if (number++ < done) continue;
      if (race_finding_) return true;
      const Target target{.bytes = to.bytes, .race = to.race, .race_offset = to.offset[lane] + uint64_t{part} * size};
      if (!CheckRace(in, lane, target, size, write, write ? value_tags[lane * parts + part] : 0)) return false;
    }
  }
  return true;
}

template <class Traits>
bool Core<Traits>::LoadLanes(const Decoded& in, LaneMask active) {
  const unsigned size = BitWidth(in.mods.type) / 8, total = size * in.element_count;
  LaneTargets to;
  if (!LocateLanes(in, active, total, false, &to)) return false;
  if (in.mods.nc && to.writers != nullptr && !exploring_) return false;
  if (to.race != nullptr && !race_finding_ && !CheckRaces(in, active, to, 1, total, nullptr)) return true;
  if constexpr (kSymbolic) {
    bool concrete = true;
    ForLanes(active, [&](unsigned lane) { concrete &= to.bytes->IsConcrete(to.offset[lane], total); });
    if (!concrete) {
      LaneMask slow = 0;
      ForLanes(active, [&](unsigned lane) {
        if (!LoadQuick(in, lane, size, *to.bytes, to.offset[lane])) slow |= LaneMask{1} << lane;
      });
      ForLanes(slow, [&](unsigned lane) { LoadLane(in, lane, size, to.bytes, to.offset[lane]); });
      return true;
    }
  }
  for (unsigned e = 0; e < in.element_count; ++e) {
    const Dest& dest = program_.dests[in.element_first + e];
    uint64_t* row = Row(dest);
    const uint8_t* from = to.bytes->data() + e * size;
    switch (size) {
      case 1: LoadLanesOf<uint8_t>(from, to.offset, active, row); break;
      case 2: LoadLanesOf<uint16_t>(from, to.offset, active, row); break;
      case 4: LoadLanesOf<uint32_t>(from, to.offset, active, row); break;
      case 8: LoadLanesOf<uint64_t>(from, to.offset, active, row); break;
      default: RACER_UNREACHABLE(static_cast<int>(size));
    }
    if (dest.sign) ForLanes(active, [&](unsigned lane) { row[lane] = SignExtend(row[lane], dest.width, dest.reg_width); });
    SetConcrete(dest, active);
  }
  return true;
}

// A lane all of whose values are bits or whole terms as wide as their registers; false: nothing has been done.
template <class Traits>
bool Core<Traits>::LoadQuick(const Decoded& in, unsigned lane, unsigned size, const Bytes& bytes, uint64_t offset) {
  if constexpr (kSymbolic) {
    constexpr unsigned kMaxElements = 8;
    std::array<Value, kMaxElements> values;
    const Dest* dests = program_.dests.data() + in.element_first;
    if (in.element_count > kMaxElements) return false;
    for (unsigned e = 0; e < in.element_count; ++e) {
      if (!bytes.Quick(store_, offset + e * size, size, &values[e])) return false;
      if (dests[e].sign || (values[e].symbolic() && dests[e].width != dests[e].reg_width)) return false;
    }
    const LaneMask bit = LaneMask{1} << lane;
    for (unsigned e = 0; e < in.element_count; ++e) {
      const bool symbolic = values[e].symbolic();
      Row(dests[e])[lane] = symbolic ? static_cast<uint64_t>(values[e].term) : values[e].bits;
      LaneMask& mask = symbolic_[dests[e].row];
      mask = symbolic ? mask | bit : mask & ~bit;
    }
    return true;
  }
  return false;
}

template <class Traits>
void Core<Traits>::LoadLane(const Decoded& in, unsigned lane, unsigned size, Bytes* bytes, uint64_t offset) {
  uint64_t address = 0;  // before a destination overwrites it
  if (!LaneAddress(in, lane, &address)) return;
  for (unsigned e = 0; e < in.element_count; ++e) {
    const Value value = bytes->Load(store_, offset + e * size, size, [&](unsigned width) {
      uint64_t local = address;
      const Space space = in.address.generic ? layout_.Resolve(address, &local) : in.address.space;
      return UndefinedBytes(in, lane, local + e * size, space, width);
    });
    Write(program_.dests[in.element_first + e], lane, value);
  }
}

template <class Traits>
bool Core<Traits>::StoreLanes(const Decoded& in, LaneMask active) {
  constexpr unsigned kMaxElements = 8;
  const unsigned size = BitWidth(in.mods.type) / 8, count = in.element_count, total = size * count;
  const Source* sources = program_.sources.data() + in.element_first;
  LaneTargets to;
  if (count > kMaxElements || !LocateLanes(in, active, total, true, &to)) return false;
  LaneMask symbolic = 0;
  for (unsigned e = 0; e < count; ++e) {
    if (sources[e].negated) return false;
    symbolic |= Symbolic(sources[e]) & active;
  }
  // Values that fill their registers go as they are; a concrete one of 8 bytes might have to be compared by its halves.
  if (symbolic != 0) {
    if constexpr (!kField) return false;
    for (unsigned e = 0; e < count; ++e) {
      if (sources[e].width != sources[e].reg_width || (size == 8 && (Symbolic(sources[e]) & active) != active)) return false;
      const uint64_t* row = Row(sources[e]);
      LaneMask unknown = 0;
      ForLanes(Symbolic(sources[e]) & active, [&](unsigned lane) { unknown |= LaneMask{row[lane] == 0} << lane; });
      if (unknown != 0) return false;
    }
  }
  if (to.writers != nullptr) {
    uint32_t marks = 0;
    if (to.consecutive) {
      for (uint64_t i = 0; i < uint64_t{kWarpSize} * total; ++i) marks |= to.writers[to.offset[0] + i];
    } else {
      ForLanes(active, [&](unsigned lane) {
        for (unsigned i = 0; i < total; ++i) marks |= to.writers[to.offset[lane] + i];
      });
    }
    if ((marks & kNonCoherentRead) != 0) return false;
  }
  if (to.race != nullptr && !race_finding_) {
    // As CheckStoreRace: values of 8 bytes with more than 32 significant bits count as two. All must be of one kind here.
    unsigned step = size;
    if (size == 8 && symbolic == 0) {
      unsigned long_values = 0;
      for (unsigned e = 0; e < count; ++e) {
        const uint64_t* row = Row(sources[e]);
        ForLanes(active, [&](unsigned lane) { long_values += (row[lane] >> 32) != 0; });
      }
      if (long_values != 0 && long_values != count * PopCount(active)) return false;
      if (long_values != 0) step = 4;
    }
    const unsigned parts = total / step;
    uint64_t tags[kWarpSize * 2 * kMaxElements];
    for (unsigned part = 0; part < parts; ++part) {
      const uint64_t* row = Row(sources[part * step / size]);
      const unsigned low = 8 * (part * step % size);
      const uint64_t mask = LowMask(8 * std::min(step, 4u)), shape = uint64_t{1} << 63 | uint64_t{step} << 32;
      const LaneMask named = Symbolic(sources[part * step / size]) & active;
      ForLanes(active & ~named, [&](unsigned lane) { tags[lane * parts + part] = shape | (row[lane] >> low & mask); });
      ForLanes(named,
               [&](unsigned lane) { tags[lane * parts + part] = ValueTag({.term = TermId{static_cast<uint32_t>(row[lane])}}, size); });
    }
    if (!CheckRaces(in, active, to, parts, step, tags)) return true;
  }
  // Lanes in order: where two write one place the higher one's value stays.
  for (unsigned e = 0; e < count; ++e) {
    const uint64_t* row = Row(sources[e]);
    const uint64_t at = e * size;
    if (const LaneMask named = Symbolic(sources[e]) & active; named != 0) {
      ForLanes(active, [&](unsigned lane) {
        const bool term = (named >> lane & 1) != 0;
        to.bytes->Store(to.offset[lane] + at, size,
                        term ? Value{.term = TermId{static_cast<uint32_t>(row[lane])}} : Value{.bits = row[lane]});
      });
      continue;
    }
    switch (size) {
      case 1: ForLanes(active, [&](unsigned lane) { to.bytes->StoreBits(to.offset[lane] + at, 1, row[lane]); }); break;
      case 2: ForLanes(active, [&](unsigned lane) { to.bytes->StoreBits(to.offset[lane] + at, 2, row[lane]); }); break;
      case 4: ForLanes(active, [&](unsigned lane) { to.bytes->StoreBits(to.offset[lane] + at, 4, row[lane]); }); break;
      case 8: ForLanes(active, [&](unsigned lane) { to.bytes->StoreBits(to.offset[lane] + at, 8, row[lane]); }); break;
      default: RACER_UNREACHABLE(static_cast<int>(size));
    }
  }
  if (to.writers != nullptr) {
    if (to.consecutive) {
      std::fill_n(to.writers + to.offset[0], uint64_t{kWarpSize} * total, pc_ + 1);
    } else {
      ForLanes(active, [&](unsigned lane) { std::fill_n(to.writers + to.offset[lane], total, pc_ + 1); });
    }
  }
  return true;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_ACCESS_H_
