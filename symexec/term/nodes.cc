#include "symexec/term/nodes.h"

#include "base/check.h"

namespace racer {

NodeTable::NodeTable() : chains_(1 << 6) {}

void NodeTable::GrowChains() {
  std::vector<Slot> old(chains_.size() * 2);
  old.swap(chains_);
  for (const Slot& slot : old) {
    if (slot.block == 0) continue;
    size_t i = slot.hash & (chains_.size() - 1);
    while (chains_[i].block != 0) i = (i + 1) & (chains_.size() - 1);
    chains_[i] = slot;
  }
}

uint32_t NodeTable::Append(const TermNode& node, uint32_t origin, bool undef, bool closed, unsigned depth) {
  if (next_ % kBlock == 0) {
    Block& block = blocks_.emplace_back();
    block.plain = std::make_unique<Plain>();
  }
  RACER_CHECK(next_ != 0xffffffffu);
  const uint32_t id = next_++;
  const uint64_t bit = uint64_t{1} << (id % kBlock);
  Plain& plain = *blocks_.back().plain;
  plain.nodes[id % kBlock] = node;
  plain.origins[id % kBlock] = origin;
  plain.depths[id % kBlock] = static_cast<uint8_t>(depth);
  if (undef) plain.undef |= bit;
  if (closed) plain.closed |= bit;
  return id;
}

uint32_t NodeTable::AppendChain(const Chain& chain, uint32_t origin) {
  uint64_t hash = (static_cast<uint64_t>(chain.attr) << 32 | chain.base) * 0x9e3779b97f4a7c15ULL + chain.width;
  for (const uint64_t factors : chain.factors) hash = (hash ^ factors ^ hash >> 29) * 0xd6e8feb86659fd93ULL;
  const uint32_t short_hash = static_cast<uint32_t>(hash >> 32);
  size_t at = short_hash & (chains_.size() - 1);
  for (; chains_[at].block != 0; at = (at + 1) & (chains_.size() - 1)) {
    const Slot& slot = chains_[at];
    if (slot.hash == short_hash && *blocks_[slot.block].chain == chain) return slot.block * kBlock + kBlock - 1;
  }
  const uint32_t index = static_cast<uint32_t>(blocks_.size());
  RACER_CHECK(index < 0xffffffffu / kBlock - 1);
  Block& block = blocks_.emplace_back();
  block.chain = std::make_unique<Chain>(chain);
  block.origin = origin;
  chains_[at] = {short_hash, index};
  if (++chain_count_ * 2 > chains_.size()) GrowChains();
  next_ = (index + 1) * kBlock;
  return next_ - 1;
}

size_t NodeTable::bytes() const {
  return blocks_.capacity() * sizeof(Block) + (blocks_.size() - chain_count_) * sizeof(Plain) + chain_count_ * sizeof(Chain) +
         chains_.capacity() * sizeof(Slot);
}

}  // namespace racer
