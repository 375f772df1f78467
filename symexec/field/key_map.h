// A map from values, as their residues, to numbers other than 0.
#ifndef RACER_SYMEXEC_FIELD_KEY_MAP_H_
#define RACER_SYMEXEC_FIELD_KEY_MAP_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "symexec/field/value_sets.h"

namespace racer::field {

// Open addressing: most values that are asked for are not there, and that costs one line of the cache. Residues are random already.
class KeyMap {
 public:
  KeyMap() : slots_(64) {}

  // 0: none.
  uint32_t Find(const ValueKey& key) const { return slots_[Place(key)].number; }
  // Keeps the number that the key has, if any.
  void Insert(const ValueKey& key, uint32_t number) {
    Slot& slot = slots_[Place(key)];
    if (slot.number != 0) return;
    slot = {key, number};
    if (++used_ * 2 > slots_.size()) Grow();
  }
  size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    ValueKey key{};
    uint32_t number = 0;
  };
  size_t Place(const ValueKey& key) const {
    const size_t mask = slots_.size() - 1;
    size_t at = static_cast<size_t>(key[0] ^ key[1] >> 7) & mask;
    while (slots_[at].number != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.number != 0) slots_[Place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace racer::field

#endif  // RACER_SYMEXEC_FIELD_KEY_MAP_H_
