// Sets of values, hash-consed: what the maximum of them is an opaque function of.
#ifndef RACER_SYMEXEC_FIELD_VALUE_SETS_H_
#define RACER_SYMEXEC_FIELD_VALUE_SETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace racer::field {

// A value by its residues modulo two primes.
using ValueKey = std::array<uint64_t, 2>;

// Persistent treaps whose priorities are hashes of the keys, so that the shape follows from the members. Union is associative,
// commutative and idempotent, and costs a logarithm for each member of the smaller set.
class ValueSets {
 public:
  explicit ValueSets(uint64_t seed) : seed_(seed), nodes_(1) {}

  static constexpr uint32_t kEmpty = 0;
  uint32_t Single(const ValueKey& key) { return Make(key, kEmpty, kEmpty); }
  uint32_t Union(uint32_t a, uint32_t b);
  // Sums of random functions of the members: equal for equal sets, and for no others but by chance.
  const ValueKey& sum(uint32_t set) const { return nodes_[set].sum; }
  size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

 private:
  struct Node {
    ValueKey key{}, sum{};
    uint32_t left = kEmpty, right = kEmpty;
    uint64_t priority = 0;
  };
  struct Split {
    uint32_t below, above;
  };
  uint32_t Make(const ValueKey& key, uint32_t left, uint32_t right);
  Split SplitAt(uint32_t set, const ValueKey& key);  // without the key itself

  uint64_t seed_;
  std::vector<Node> nodes_;
};

}  // namespace racer::field

#endif  // RACER_SYMEXEC_FIELD_VALUE_SETS_H_
