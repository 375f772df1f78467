// Where the nodes of a TermStore lie: in blocks of 64 ids, and chains of 64 fused multiply-adds in a fifth of the room.
#ifndef RACER_SYMEXEC_TERM_NODES_H_
#define RACER_SYMEXEC_TERM_NODES_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace racer {

enum class TermKind : uint8_t;

// 16 bytes. For leaves a..c hold the payload (see the accessors of TermStore).
struct TermNode {
  TermKind kind;
  uint8_t width;  // B: bits of the pattern. R: FpFormat of the value
  uint16_t attr;  // packed FpKind + FpAttr, CompareOp, Rounding, ... by kind
  uint32_t a, b, c;
  friend bool operator==(const TermNode&, const TermNode&) = default;
};
static_assert(sizeof(TermNode) == 16);

// 64 nodes node[k] = {kind, width, attr, a[k], b[k], node[k - 1]}, of which the first has `base` for c.
struct Chain {
  static constexpr unsigned kLength = 64;
  TermKind kind;
  uint8_t width = 0;
  uint16_t attr = 0;
  uint32_t base = 0;
  std::array<uint64_t, kLength> factors{};  // a | b << 32
  friend bool operator==(const Chain&, const Chain&) = default;
};

// Ids grow, and an operand's id is below that of what uses it. Ids that a chain left unused at the end of a block read as a zeroed node,
// a leaf that nothing refers to.
class NodeTable {
 public:
  NodeTable();
  size_t size() const { return next_; }
  TermNode node(uint32_t id) const {
    const Block& block = blocks_[id / kBlock];
    const unsigned k = id % kBlock;
    if (block.chain == nullptr) [[likely]]
      return block.plain->nodes[k];
    const uint64_t factors = block.chain->factors[k];
    return {block.chain->kind,
            block.chain->width,
            block.chain->attr,
            static_cast<uint32_t>(factors),
            static_cast<uint32_t>(factors >> 32),
            k == 0 ? block.chain->base : id - 1};
  }
  bool IsChain(uint32_t id) const { return blocks_[id / kBlock].chain != nullptr; }
  uint32_t origin(uint32_t id) const {
    const Block& block = blocks_[id / kBlock];
    return block.chain == nullptr ? block.plain->origins[id % kBlock] : block.origin;
  }
  // Nothing in a chain is undefined, and none of its nodes is made of constants alone.
  bool undef(uint32_t id) const { return Bit(&Plain::undef, id); }
  bool closed(uint32_t id) const { return Bit(&Plain::closed, id); }
  // Of a fused multiply-add: how many of its kind, one the addend of the next, end in it, counted from the end of the last chain.
  unsigned depth(uint32_t id) const {
    const Block& block = blocks_[id / kBlock];
    return block.chain == nullptr ? block.plain->depths[id % kBlock] : 0;
  }

  uint32_t Append(const TermNode& node, uint32_t origin, bool undef, bool closed, unsigned depth);
  // The last node of the chain; one with the same contents is the same.
  uint32_t AppendChain(const Chain& chain, uint32_t origin);
  size_t bytes() const;

 private:
  static constexpr uint32_t kBlock = Chain::kLength;
  struct Plain {
    std::array<TermNode, kBlock> nodes;
    std::array<uint32_t, kBlock> origins;
    std::array<uint8_t, kBlock> depths;
    uint64_t undef, closed;
  };
  struct Block {
    std::unique_ptr<Plain> plain;
    std::unique_ptr<Chain> chain;
    uint32_t origin = 0;  // of a chain
  };
  void GrowChains();
  bool Bit(uint64_t Plain::* bits, uint32_t id) const {
    const Block& block = blocks_[id / kBlock];
    return block.chain == nullptr && (block.plain.get()->*bits >> (id % kBlock) & 1) != 0;
  }

  std::vector<Block> blocks_;
  uint32_t next_ = 0;
  size_t chain_count_ = 0;
  struct Slot {
    uint32_t hash, block;
  };
  std::vector<Slot> chains_;  // open addressing, a power of two long, at most half full; block 0 is never a chain
};

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_NODES_H_
