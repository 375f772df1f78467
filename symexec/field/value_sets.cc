#include "symexec/field/value_sets.h"

#include <utility>

#include "symexec/field/keyed.h"

namespace racer::field {

uint32_t ValueSets::Make(const ValueKey& key, uint32_t left, uint32_t right) {
  Node node{.key = key, .left = left, .right = right, .priority = Keyed(seed_, key[0], key[1], 2)};
  for (unsigned i = 0; i < 2; ++i) node.sum[i] = Keyed(seed_, key[0], key[1], i) + nodes_[left].sum[i] + nodes_[right].sum[i];
  nodes_.push_back(node);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

ValueSets::Split ValueSets::SplitAt(uint32_t set, const ValueKey& key) {
  if (set == kEmpty) return {kEmpty, kEmpty};
  const Node node = nodes_[set];
  if (node.key == key) return {node.left, node.right};
  if (key < node.key) {
    const Split parts = SplitAt(node.left, key);
    return {parts.below, Make(node.key, parts.above, node.right)};
  }
  const Split parts = SplitAt(node.right, key);
  return {Make(node.key, node.left, parts.below), parts.above};
}

// As deep as the treaps are: a multiple of the logarithm of their sizes.
uint32_t ValueSets::Union(uint32_t a, uint32_t b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  if (nodes_[a].priority < nodes_[b].priority) std::swap(a, b);
  const Node top = nodes_[a];
  const Split parts = SplitAt(b, top.key);
  const uint32_t left = Union(top.left, parts.below), right = Union(top.right, parts.above);
  return left == top.left && right == top.right ? a : Make(top.key, left, right);
}

}  // namespace racer::field
