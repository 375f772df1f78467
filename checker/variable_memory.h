// What registers and variables may hold of addresses of variables: what variable_address_use.cc searches with.
#ifndef RACER_CHECKER_VARIABLE_MEMORY_H_
#define RACER_CHECKER_VARIABLE_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"

namespace racer::variable_address {

constexpr int64_t kAnywhere = std::numeric_limits<int64_t>::min();
constexpr int64_t kWordAnywhere = kAnywhere + 1;  // of numbers of four bytes, which are no addresses of eight

// What may have been added to an address: some constants, or else anything.
class Offsets {
 public:
  Offsets() = default;
  explicit Offsets(int64_t offset) { Add(offset); }
  // Whether anything is new.
  bool Unite(const Offsets& other);
  Offsets Plus(int64_t constant) const;
  const int64_t* begin() const { return offsets_.data(); }
  const int64_t* end() const { return offsets_.data() + count_; }

 private:
  bool Add(int64_t offset);

  std::array<int64_t, 12> offsets_{};
  size_t count_ = 0;  // 1 with kAnywhere
};

// What a register may hold: one bit an object whose address it may be, and what is known of all of them together.
using Bits = uint64_t;
constexpr size_t kMaxNamed = 56;
constexpr size_t kNoBit = ~size_t{0};
constexpr Bits kUnknown = Bits{1} << 63;  // objects past the other bits
constexpr Bits kOther = Bits{1} << 62;    // also something else, at another time
constexpr Bits kBare = Bits{1} << 61;     // may be an address within a space that has a window of its own
constexpr Bits kGeneric = Bits{1} << 60;  // may be a generic address
constexpr Bits kMoved = Bits{1} << 59;    // may have been added to
constexpr Bits kWidened = Bits{1} << 58;  // may have been extended to 64 bits after that, with all that a wrapped sum loses
constexpr Bits kNumber = Bits{1} << 57;   // may be a number: made of literals and special registers, no pointer of the caller's
constexpr Bits kZero = Bits{1} << 56;     // may be the literal 0
constexpr Bits kNumeric = kNumber | kZero;
constexpr Bits kObjects = (Bits{1} << kMaxNamed) - 1;

struct Value {
  Bits bits = 0;
  Offsets at;  // of addresses

  bool IsAddress() const { return Has(kObjects | kUnknown); }
  bool Has(Bits any) const { return (bits & any) != 0; }
  Bits Numeric() const { return bits & kNumeric; }
  Value With(Bits more) const { return {bits | more, at}; }
  Value Without(Bits less) const { return {bits & ~less, at}; }
  Value Moved(int64_t constant) const { return {bits | kMoved, at.Plus(constant)}; }
  // Whether anything is new.
  bool Unite(const Value& other);
};

using Cells = std::map<int64_t, Value>;  // addresses and numbers stored, by offset of four bytes

// Something that lies at one place, which nobody chose.
struct Object {
  std::string name;
  StateSpace space = StateSpace::kLocal;  // .shared and .param of any kind are one each
  uint64_t align = 1;
  const ir::Variable* variable = nullptr;
  bool holds_addresses = false;  // .local and .param: what is stored there is followed
  bool local = false;            // written by stores alone
  bool one = true;               // two addresses in it have a known distance
  size_t bit = kNoBit;           // of those whose address is taken
  Cells cells;
  std::set<std::pair<int64_t, int64_t>> extents;  // (offset, bytes) of stores of addresses and over them

  Value Load(int64_t offset, int64_t bytes) const;
  // Whether a load takes up whole addresses as they were stored, not a part of one or parts of two.
  bool IsWhole(int64_t offset, int64_t bytes) const;
  // Each says whether anything is new.
  bool Store(int64_t offset, int64_t bytes, const Value& value);
  bool StoreNumber(int64_t offset, int64_t bytes, Bits numeric);
  bool StoreOther(int64_t offset, int64_t bytes);
};

}  // namespace racer::variable_address

#endif  // RACER_CHECKER_VARIABLE_MEMORY_H_
