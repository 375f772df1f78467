#include "checker/variable_memory.h"

#include <algorithm>

namespace racer::variable_address {
namespace {

// Sums of 32 bits may wrap long before those of 64.
constexpr int64_t kFar = int64_t{1} << 20;

}  // namespace

bool Offsets::Add(int64_t offset) {
  if ((count_ == 1 && offsets_[0] == kAnywhere) || std::find(begin(), end(), offset) != end()) return false;
  if (offset >= -kFar && offset <= kFar && count_ < offsets_.size()) {
    offsets_[count_++] = offset;
  } else {
    offsets_[0] = kAnywhere;
    count_ = 1;
  }
  return true;
}

bool Offsets::Unite(const Offsets& other) {
  bool changed = false;
  for (int64_t offset : other) changed = Add(offset) || changed;
  return changed;
}

Offsets Offsets::Plus(int64_t constant) const {
  const bool far = constant < -kFar || constant > kFar;
  Offsets sum;
  for (int64_t offset : *this) sum.Add(far || offset == kAnywhere ? kAnywhere : offset + constant);
  return sum;
}

bool Value::Unite(const Value& other) {
  const bool changed = (other.bits & ~bits) != 0;
  bits |= other.bits;
  return at.Unite(other.at) || changed;
}

Value Object::Load(int64_t offset, int64_t bytes) const {
  Value value;
  for (const auto& [at, held] : cells) {
    if (at == kWordAnywhere && bytes != 4) continue;
    const bool overlaps = at == kAnywhere || at == kWordAnywhere || offset == kAnywhere || (at < offset + bytes && offset < at + 4);
    if (overlaps) value.Unite(held);
  }
  return value;
}

bool Object::IsWhole(int64_t offset, int64_t bytes) const {
  return std::all_of(extents.begin(), extents.end(), [&](const auto& extent) {
    const auto& [at, size] = extent;
    if (at == kAnywhere || offset == kAnywhere) return size == bytes;
    return at + size <= offset || offset + bytes <= at || (at == offset && size == bytes);
  });
}

bool Object::Store(int64_t offset, int64_t bytes, const Value& value) {
  bool changed = extents.insert({offset, bytes}).second;
  for (int64_t at = offset; at < (offset == kAnywhere ? kAnywhere + 1 : offset + bytes); at += 4)
    changed = cells[at].Unite(value) || changed;
  return changed;
}

bool Object::StoreNumber(int64_t offset, int64_t bytes, Bits numeric) {
  const Value value = {numeric, {}};
  if (offset == kAnywhere) return cells[bytes >= 8 ? kAnywhere : kWordAnywhere].Unite(value);
  // Narrow ones count for the word that they are in.
  bool changed = false;
  for (int64_t at = bytes < 4 ? offset & ~int64_t{3} : offset; at < offset + bytes; at += 4) changed = cells[at].Unite(value) || changed;
  return changed;
}

bool Object::StoreOther(int64_t offset, int64_t bytes) {
  bool changed = false;
  for (auto& [at, held] : cells) {
    if (!held.IsAddress() || (at != kAnywhere && offset != kAnywhere && (at >= offset + bytes || offset >= at + 4))) continue;
    changed = held.Unite({kOther, {}}) || changed;
    changed = extents.insert({offset, bytes}).second || changed;
  }
  return changed;
}

}  // namespace racer::variable_address
