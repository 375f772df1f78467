// Loads and stores of Core, with every check on them; exec_access.h is quicker where all of them pass.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_MEMORY_H_
#define RACER_SYMEXEC_MACHINE_EXEC_MEMORY_H_

#include <algorithm>

#include "symexec/machine/core.h"
#include "symexec/machine/places.h"

namespace racer {

template <class Traits>
bool Core<Traits>::LaneAddress(const AddressRef& ref, unsigned lane, uint64_t* address) {
  if (ref.base.row == kNoRow) {
    *address = ref.offset;
    return true;
  }
  if constexpr (kSymbolic) {
    if ((Symbolic(ref.base) >> lane & 1) != 0 && !Control(ref.base, lane, "an address", address)) return false;
  }
  // Plain 64-bit arithmetic: what wraps past 2^64 lands where nothing is mapped.
  *address = Row(ref.base)[lane] + ref.offset;
  return true;
}

template <class Traits>
void Core<Traits>::NoteOrder(const Mods& mods) {
  switch (mods.order) {
    case MemoryOrder::kWeak: return;
    case MemoryOrder::kVolatile:
    case MemoryOrder::kRelaxed:
    case MemoryOrder::kMmio: strong_seen_ = true; return;
    case MemoryOrder::kAcquire:
    case MemoryOrder::kRelease:
    case MemoryOrder::kAcqRel:
    case MemoryOrder::kSc: strong_seen_ = fences_seen_ = true; return;
  }
  RACER_UNREACHABLE(static_cast<int>(mods.order));
}

inline const char* AccessName(const Decoded& in, bool write) {
  if (in.action == Action::kAtomic) return "atomic operation";
  if (in.action == Action::kCopyAsync) return write ? "asynchronous store" : "asynchronous load";
  if (in.action == Action::kDiscard) return "discard";
  return write ? "store" : "load";
}

template <class Traits>
bool Core<Traits>::Locate(const Decoded& in, const AddressRef& ref, unsigned lane, uint64_t address, unsigned size, unsigned align,
                          bool write, Target* target) {
  Space space = ref.space;
  if (ref.generic) space = layout_.Resolve(address, &address);
  const uint32_t thread = warp_ * kWarpSize + lane;
  target->space = space;
  target->address = address;
  if (space == Space::kCallParam) {
    if (address > ref.limit || size > ref.limit - address || address % size != 0) {
      return BadAddress(in, ref, lane, space, address, size, write);
    }
    target->bytes = &call_params_;
    target->offset = thread * layout_.call_param_bytes + in.address.variable + address;
    return true;
  }
  const Segment* segment = layout_.Table(space).Find(address, size);
  // A vector access is aligned to its whole width (PTX ISA, "Vectors").
  if (segment == nullptr || (address & (align - 1)) != 0) return BadAddress(in, ref, lane, space, address, size, write);
  if (segment->align != 0 && align > segment->align) {
    Unsupported(std::string(AccessName(in, write)) + " of " + ByteCount(size) + " at ." + SpaceName(space) + " variable `" + segment->name +
                    "`, which is declared .align " + std::to_string(segment->align) + ": whether it is aligned is up to ptxas",
                &in);
    return false;
  }
  const uint64_t offset = address - segment->base;
  if (write && !segment->writable) {
    if (space == Space::kGlobal) {
      Violate(Gate::kPreserve,
              AccessName(in, write) + (" of " + ByteCount(size)) + " to the read-only tensor at " +
                  AddressName(space, address, size, nullptr) + " by " + ThreadName(lane),
              {PlaceOfPc(pc_)});
    } else {
      Violate(Gate::kBounds,
              AccessName(in, write) + (" to ." + std::string(SpaceName(space))) + " memory at " +
                  AddressName(space, address, size, nullptr) + " by " + ThreadName(lane),
              {PlaceOfPc(pc_)});
    }
    return false;
  }
  switch (space) {
    case Space::kGlobal: {
      GlobalObject& object = globals_[static_cast<size_t>(segment - layout_.global.segments().data())];
      target->bytes = &object.bytes;
      target->offset = offset;
      target->race = object.race.get();
      target->race_offset = offset;
      if ((write || in.mods.nc) && object.writers.size() != 0) target->writers = object.writers.data() + offset;
      if (segment->variable == nullptr) return true;
      if (in.action == Action::kAtomic && !UseVariable(in, *segment->variable, &object, offset, size, false)) return false;
      return UseVariable(in, *segment->variable, &object, offset, size, write);
    }
    case Space::kShared:
      target->bytes = &shared_;
      target->offset = segment->dense + offset;
      target->race = shared_race_.get();
      target->race_offset = target->offset;
      return true;
    case Space::kLocal:
      if (segment->variable == nullptr && !OnStack(thread, offset, size)) {
        Violate(Gate::kBounds,
                AccessName(in, write) + (" of " + ByteCount(size)) + " at " + AddressName(space, address, size, nullptr) +
                    ", where nothing is allocated, by " + ThreadName(lane),
                {PlaceOfPc(pc_)});
        return false;
      }
      target->bytes = &locals_;
      target->offset = thread * layout_.local_bytes + segment->dense + offset;
      return true;
    case Space::kConst:
      target->bytes = &constants_;
      target->offset = segment->dense + offset;
      return UseInitialValue(in, *segment->variable);
    case Space::kParam:
      target->bytes = &params_;
      target->offset = segment->dense + offset;
      return true;
    case Space::kCallParam: break;
  }
  RACER_UNREACHABLE(static_cast<int>(space));
}

// What a module variable holds when the kernel starts is the module's initialiser, unless the host or an earlier launch has changed
// it. Without an initialiser somebody must have; with one the report says what is assumed.
template <class Traits>
bool Core<Traits>::UseInitialValue(const Decoded& in, const ir::Variable& variable) {
  if (&variable == last_assumed_) return true;
  if (!variable.initializer) {
    Unsupported("what `" + variable.name + "` holds, a ." + (variable.space == StateSpace::kConst ? "const" : "global") +
                    " variable without an initialiser, is not known",
                &in);
    return false;
  }
  AssumeOnce("variable `" + variable.name + "` holds its initialiser when the kernel starts");
  last_assumed_ = &variable;
  return true;
}

// A .global variable keeps its value from launch to launch: one that this launch both reads as it was and changes is state.
template <class Traits>
bool Core<Traits>::UseVariable(const Decoded& in, const ir::Variable& variable, GlobalObject* object, uint64_t offset, unsigned size,
                               bool write) {
  const uint32_t* writers = object->writers.data() + offset;
  const bool as_it_was = !write && std::any_of(writers, writers + size, [](uint32_t w) { return (w & ~kNonCoherentRead) == 0; });
  if (as_it_was && !UseInitialValue(in, variable)) return false;
  object->read_as_it_was = object->read_as_it_was || as_it_was;
  object->changed = object->changed || write;
  if (object->read_as_it_was && object->changed) {
    Unsupported("`" + variable.name + "` is kept from launch to launch: it is read as it was before this one and written", &in);
    return false;
  }
  if (write) AssumeOnce("what variable `" + variable.name + "` holds after the launch is not compared");
  return true;
}

template <class Traits>
void Core<Traits>::AssumeOnce(std::string assumption) {
  std::vector<std::string>& all = result_.assumptions;
  if (std::find(all.begin(), all.end(), assumption) == all.end()) all.push_back(std::move(assumption));
}

template <class Traits>
bool Core<Traits>::BadAddress(const Decoded& in, const AddressRef& ref, unsigned lane, Space space, uint64_t address, unsigned size,
                              bool write) {
  const std::string access = std::string(AccessName(in, write)) + " of " + ByteCount(size);
  bool inside = false;
  std::string where;
  if (space == Space::kCallParam) {
    inside = address <= ref.limit && size <= ref.limit - address;
    where = ref.symbol->name + "+" + std::to_string(static_cast<int64_t>(address)) + (inside ? "" : ", which is outside the parameter");
  } else {
    where = AddressName(space, address, size, &inside);
  }
  Violate(Gate::kBounds, (inside ? "misaligned " : "") + access + " at " + where + " by " + ThreadName(lane), {PlaceOfPc(pc_)});
  return false;
}

template <class Traits>
bool Core<Traits>::CheckRace(const Decoded& in, unsigned lane, const Target& target, unsigned size, bool write, uint64_t value_tag) {
  const MemoryEvent event{.kind = write ? MemoryEvent::Kind::kWrite : MemoryEvent::Kind::kRead,
                          .cta = cta_,
                          .thread = warp_ * kWarpSize + lane,
                          .pc = pc_,
                          .value_tag = value_tag};
  const uint64_t tolerated = target.race->benign_same_value();
  const std::optional<Race> race = target.race->Access(*scheduler_, event, target.race_offset, size);
  if (target.race->benign_same_value() != tolerated) [[unlikely]] {
    const Where place = PlaceOfPc(pc_);
    AssumeOnce(
        "a race by the PTX memory model counts as none where the value is the same in every order: threads of a CTA write the same, "
        "or one reads what another writes again, at " +
        place.file + ":" + std::to_string(place.line));
  }
  if (!race) [[likely]]
    return true;
  ReportRace(*race, target, in);
  return !stopped_;
}

template <class Traits>
TermId Core<Traits>::UndefinedBytes(const Decoded& in, unsigned lane, uint64_t address, Space space, unsigned width) {
  const std::string where =
      space == Space::kCallParam ? "parameter " + in.address.symbol->name : AddressName(space, address, width / 8, nullptr);
  return Undefined(width, "uninitialised memory at " + where + ", read by " + ThreadName(lane));
}

// ld.global.nc may read from a cache that stores do not reach: its memory must be read-only for the whole launch (PTX ISA,
// "ld.global.nc").
template <class Traits>
bool Core<Traits>::MarkNonCoherent(const Decoded& in, uint32_t* writers, unsigned size) {
  for (unsigned i = 0; i < size; ++i) {
    if ((writers[i] & ~kNonCoherentRead) != 0) {
      Unsupported((in.opcode == Opcode::kLdu ? "ldu" : "ld.global.nc") + std::string(" of memory that this launch has written"), &in);
      return false;
    }
    writers[i] |= kNonCoherentRead;
  }
  return true;
}

// ldu: one address for all lanes, in global memory (PTX ISA, "ldu").
template <class Traits>
bool Core<Traits>::CheckUniform(const Decoded& in, LaneMask active) {
  uint64_t first = 0, address = 0;
  if (!LaneAddress(in, FirstLane(active), &first)) return false;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    if (!LaneAddress(in, FirstLane(rest), &address)) return false;
    if (address != first) {
      Unsupported("`" + in.instruction->FullName() + "` at addresses that differ between lanes: undefined", &in);
      return false;
    }
  }
  if (in.address.generic && layout_.Resolve(first, &address) != Space::kGlobal) {
    Unsupported("`" + in.instruction->FullName() + "` outside global memory: undefined", &in);
    return false;
  }
  return true;
}

template <class Traits>
void Core<Traits>::Load(const Decoded& in, LaneMask active) {
  const unsigned size = BitWidth(in.mods.type) / 8, total = size * in.element_count;
  const Dest* dests = program_.dests.data() + in.element_first;
  NoteOrder(in.mods);
  if (in.opcode == Opcode::kLdu && !CheckUniform(in, active)) return;
  if (path_ != kNoTerm) conditional_[pc_] = true;
  if (LoadLanes(in, active)) return;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t address = 0;
    Target target;
    if (!LaneAddress(in, lane, &address) || !Locate(in, lane, address, total, false, &target)) return;
    if (target.race != nullptr && !race_finding_ && !CheckRace(in, lane, target, total, false, 0)) return;
    if (target.writers != nullptr && !exploring_ && !MarkNonCoherent(in, target.writers, total)) return;
    for (unsigned e = 0; e < in.element_count; ++e) {
      const Value value = target.bytes->Load(store_, target.offset + e * size, size, [&](unsigned width) {
        return UndefinedBytes(in, lane, target.address + e * size, target.space, width);
      });
      Write(dests[e], lane, value);
    }
  }
}

// Equal tags of accesses of equal size mean equal bytes; accesses of one size are disjoint or the same, since they are
// aligned to it. 0 where that cannot be said in 64 bits. A concrete value of 8 bytes has at most 32 significant ones here.
template <class Traits>
uint64_t Core<Traits>::ValueTag(const Value& value, unsigned size) const {
  const uint64_t shape = uint64_t{size} << 32;
  uint64_t tag = uint64_t{1} << 63 | shape | value.bits;
  if (kSymbolic && value.symbolic()) {
    if constexpr (kField) {
      const uint64_t hash = store_->ValueHash(value.term);
      return hash == 0 ? 0 : uint64_t{1} << 62 | (hash + shape) >> 2;
    }
    if (store_->ContainsUndef(value.term)) return 0;
    tag = uint64_t{1} << 62 | shape | static_cast<uint32_t>(value.term);
  }
  return tag;
}

// Of a store that is made under a condition, equal tags mean the same condition, too: what one of the two leaves where it is not made is
// not the value.
template <class Traits>
uint64_t Core<Traits>::StoreTag(const Value& value, unsigned size) {
  const uint64_t tag = ValueTag(value, size);
  if (path_ == kNoTerm || tag == 0) return tag;
  if constexpr (kField) return uint64_t{1} << 61 | (store_->ValueHash(path_) * 0x9e3779b97f4a7c15ULL + tag) >> 3;
  const uint32_t fresh = static_cast<uint32_t>(conditional_tags_.size());
  return uint64_t{1} << 61 | uint64_t{size} << 32 | conditional_tags_.try_emplace({path_, tag}, fresh).first->second;
}

// Lanes of one instruction often store one reduced value, each as it rounded it: a butterfly of fused multiply-adds gives every lane the
// same sum over the reals, but not the same bits.
template <class Traits>
bool Core<Traits>::EqualValues(uint64_t tag_a, uint64_t tag_b, uint32_t pc) {
  const auto is_term = [](uint64_t tag) { return (tag >> 62) == 1; };
  if (!is_term(tag_a) || !is_term(tag_b) || (tag_a >> 32) != (tag_b >> 32)) return false;
  const auto [answer, fresh] = value_pairs_.try_emplace({tag_a, tag_b}, false);
  if (fresh) answer->second = config_->equal_values(TermId{static_cast<uint32_t>(tag_a)}, TermId{static_cast<uint32_t>(tag_b)});
  if (answer->second) {
    const Where place = PlaceOfPc(pc);
    if (!result_.rounded_choice) result_.rounded_choice = place;
    AssumeOnce("lanes of one warp store to one place at " + place.file + ":" + std::to_string(place.line) +
               " what is equal over the reals but rounded differently: which of it stays is up to the hardware");
  }
  return answer->second;
}

// Value by value, since lanes that write the same vector are told by its elements; a concrete value that fills 8 bytes by its halves.
template <class Traits>
bool Core<Traits>::CheckStoreRace(const Decoded& in, unsigned lane, Target target, const Value* values, unsigned count, unsigned size) {
  for (unsigned e = 0; e < count; ++e) {
    const Value& value = values[e];
    const bool halves = size == 8 && !value.symbolic() && (value.bits >> 32) != 0;
    const unsigned step = halves ? size / 2 : size;
    for (unsigned done = 0; done < size; done += step, target.race_offset += step) {
      Value part = value;
      if (halves) part.bits = done == 0 ? value.bits & 0xffffffff : value.bits >> 32;
      if (!CheckRace(in, lane, target, step, true, StoreTag(part, step))) return false;
      if (race_finding_) return true;
    }
  }
  return true;
}

// Remembers who wrote these bytes, unless ld.global.nc may have read them.
template <class Traits>
bool Core<Traits>::MarkWritten(const Decoded& in, const Target& target, unsigned size) {
  if (target.writers == nullptr) return true;
  if (std::any_of(target.writers, target.writers + size, [](uint32_t w) { return (w & kNonCoherentRead) != 0; })) {
    Unsupported("store to memory that ld.global.nc or ldu has read in this launch", &in);
    return false;
  }
  std::fill_n(target.writers, size, pc_ + 1);
  return true;
}

// discard.L2: a store of a value that nobody knows (PTX ISA, "discard").
template <class Traits>
void Core<Traits>::Discard(const Decoded& in, LaneMask active) {
  constexpr unsigned kSize = 128;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t address = 0;
    Target target;
    if (!LaneAddress(in, lane, &address) || !Locate(in, lane, address, kSize, true, &target)) return;
    if (target.space != Space::kGlobal) return Unsupported("discard outside global memory", &in);
    if (target.race != nullptr && !race_finding_ && !CheckRace(in, lane, target, kSize, true, 0)) return;
    if (!MarkWritten(in, target, kSize)) return;
    target.bytes->Undefine(target.offset, kSize);
  }
}

template <class Traits>
void Core<Traits>::Store(const Decoded& in, LaneMask active) {
  const unsigned size = BitWidth(in.mods.type) / 8, total = size * in.element_count;
  const Source* sources = program_.sources.data() + in.element_first;
  std::array<Value, 8> values;
  NoteOrder(in.mods);
  if (path_ != kNoTerm) conditional_[pc_] = true;
  if (journal_ == nullptr && StoreLanes(in, active)) return;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t address = 0;
    Target target;
    if (!LaneAddress(in, lane, &address) || !Locate(in, lane, address, total, true, &target)) return;
    for (unsigned e = 0; e < in.element_count; ++e) values[e] = Read(sources[e], lane);
    if (target.race != nullptr && !race_finding_ && !CheckStoreRace(in, lane, target, values.data(), in.element_count, size)) return;
    for (unsigned e = 0; e < in.element_count; ++e) {
      NoteStore(target.bytes, target.offset + e * size, size, target.writers == nullptr ? nullptr : target.writers + e * size);
    }
    if (!MarkWritten(in, target, total)) return;
    for (unsigned e = 0; e < in.element_count; ++e) target.bytes->Store(target.offset + e * size, size, values[e]);
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_MEMORY_H_
