#include "ptx_frontend/ir/cfg.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <queue>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace racer::ir {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

// Loops nested deeper than this are ranked as one: a bound on the time for hostile input, and only the order in which
// lanes run is at stake.
constexpr int kMaxLoopDepth = 64;

enum class Ending : uint8_t { kNone, kBranch, kIndexedBranch, kExit };

Ending EndingOf(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic;
  if (name == "bra") return Ending::kBranch;
  if (name == "brx") return Ending::kIndexedBranch;
  if (name == "ret" || name == "exit" || name == "trap") return Ending::kExit;
  return Ending::kNone;
}

// Where a branch may go, as instruction indices; the end of the body stands for the exit.
void ForEachTarget(const Function& function, const Instruction& instruction, const std::function<void(InstructionIndex)>& visit) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Operand::Kind::kLabel) continue;
    if (EndingOf(instruction) == Ending::kBranch) {
      visit(operand.target);
    } else {
      for (const uint32_t label : function.labels.at(operand.label).branch_target_labels) visit(function.labels.at(label).target);
    }
  }
}

// Component of each vertex.
std::vector<uint32_t> StrongComponents(const Graph& graph) {
  std::vector<uint32_t> component(boost::num_vertices(graph), 0);
  if (!component.empty()) {
    boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  }
  return component;
}

class Builder {
 public:
  explicit Builder(const Function& function) : function_(function) {}

  Cfg Build() {
    MakeBlocks();
    if (!cfg_.blocks.empty()) {
      FindPostDominators();
      RankBlocks();
    }
    return std::move(cfg_);
  }

 private:
  uint32_t size() const { return static_cast<uint32_t>(cfg_.blocks.size()); }

  void MakeBlocks() {
    const InstructionIndex count = static_cast<InstructionIndex>(function_.body.size());
    std::vector<bool> leader(count + size_t{1}, false);
    leader[0] = true;
    for (InstructionIndex i = 0; i < count; ++i) {
      const Ending ending = EndingOf(function_.body[i]);
      if (ending == Ending::kNone) continue;
      leader[i + 1] = true;
      if (ending != Ending::kExit) ForEachTarget(function_, function_.body[i], [&](InstructionIndex target) { leader.at(target) = true; });
    }
    cfg_.block_of.resize(count);
    for (InstructionIndex i = 0; i < count; ++i) {
      if (leader[i]) cfg_.blocks.emplace_back().begin = i;
      cfg_.block_of[i] = size() - 1;
      cfg_.blocks.back().end = i + 1;
    }
    exits_.assign(size(), false);
    for (uint32_t b = 0; b < size(); ++b) {
      Cfg::Block& block = cfg_.blocks[b];
      const auto add = [&](InstructionIndex target) {
        if (target == count) {
          exits_[b] = true;
        } else {
          block.successors.push_back(cfg_.block_of[target]);
        }
      };
      const Instruction& last = function_.body[block.end - 1];
      const Ending ending = EndingOf(last);
      if (ending == Ending::kBranch || ending == Ending::kIndexedBranch) ForEachTarget(function_, last, add);
      if (ending == Ending::kExit) exits_[b] = true;
      if (ending == Ending::kNone || last.guard) add(block.end);
      // A jump table may name a block many times.
      std::vector<uint32_t> unique;
      for (const uint32_t successor : block.successors) {
        if (last_seen_.size() < size()) last_seen_.resize(size(), Cfg::kNoBlock);
        if (last_seen_[successor] != b) unique.push_back(successor);
        last_seen_[successor] = b;
      }
      block.successors = std::move(unique);
    }
  }

  // A loop that nothing leaves never reaches the exit; its first block is then taken to lead there, so that the rest of
  // it still has post-dominators.
  void ConnectEndlessLoops() {
    Graph graph(size());
    for (uint32_t b = 0; b < size(); ++b) {
      for (const uint32_t successor : cfg_.blocks[b].successors) boost::add_edge(b, successor, graph);
    }
    const std::vector<uint32_t> component = StrongComponents(graph);
    const uint32_t components = component.empty() ? 0 : *std::max_element(component.begin(), component.end()) + 1;
    std::vector<bool> leaves(components, false);
    std::vector<uint32_t> first(components, Cfg::kNoBlock);
    for (uint32_t b = size(); b-- > 0;) {
      first[component[b]] = b;
      if (exits_[b]) leaves[component[b]] = true;
      for (const uint32_t successor : cfg_.blocks[b].successors) {
        if (component[successor] != component[b]) leaves[component[b]] = true;
      }
    }
    to_exit_ = exits_;
    for (uint32_t c = 0; c < components; ++c) {
      if (!leaves[c]) to_exit_[first[c]] = true;
    }
  }

  void FindPostDominators() {
    ConnectEndlessLoops();
    std::vector<std::vector<uint32_t>> successors(size());
    for (uint32_t b = 0; b < size(); ++b) {
      successors[b] = cfg_.blocks[b].successors;
      if (to_exit_[b]) successors[b].push_back(size());
    }
    const std::vector<uint32_t> dominators = ImmediatePostDominators(successors);
    for (uint32_t b = 0; b < size(); ++b) cfg_.blocks[b].immediate_post_dominator = dominators[b] == size() ? Cfg::kNoBlock : dominators[b];
  }

  struct Region {
    std::vector<uint32_t> blocks;   // ascending
    uint32_t head = Cfg::kNoBlock;  // of the loop that the region is; edges to it do not count
    int depth = 0;
  };

  // Outermost loops first; each loop is taken apart like the whole, without the edges back to its head.
  void RankBlocks() {
    region_of_.assign(size(), 0);
    uint32_t regions = 0, next_rank = 0;
    std::vector<Region> work(1);
    for (uint32_t b = 0; b < size(); ++b) work[0].blocks.push_back(b);
    local_.assign(size(), 0);
    while (!work.empty()) {
      Region region = std::move(work.back());
      work.pop_back();
      if (region.blocks.size() == 1 && region.depth > 0) {
        cfg_.blocks[region.blocks[0]].loop_head = region.head;
        cfg_.blocks[region.blocks[0]].rank = next_rank++;
        continue;
      }
      ++regions;
      for (size_t i = 0; i < region.blocks.size(); ++i) {
        region_of_[region.blocks[i]] = regions;
        local_[region.blocks[i]] = static_cast<uint32_t>(i);
        cfg_.blocks[region.blocks[i]].loop_head = region.head;
      }
      std::vector<Region> parts = TakeApart(region, regions);
      // The stack gives back the last one first.
      for (size_t i = parts.size(); i-- > 0;) work.push_back(std::move(parts[i]));
    }
  }

  // The region's components in topological order, smallest block first where there is a choice.
  std::vector<Region> TakeApart(const Region& region, uint32_t id) {
    const auto inside = [&](uint32_t b) { return region_of_[b] == id; };
    Graph graph(region.blocks.size());
    for (const uint32_t b : region.blocks) {
      for (const uint32_t successor : cfg_.blocks[b].successors) {
        if (inside(successor) && successor != region.head) boost::add_edge(local_[b], local_[successor], graph);
      }
    }
    const std::vector<uint32_t> component = StrongComponents(graph);
    const uint32_t count = *std::max_element(component.begin(), component.end()) + 1;
    std::vector<Region> parts(count);
    std::vector<uint32_t> waits_for(count, 0);
    std::vector<bool> cyclic(count, false);
    for (const uint32_t b : region.blocks) parts[component[local_[b]]].blocks.push_back(b);
    for (const uint32_t b : region.blocks) {
      const uint32_t from = component[local_[b]];
      for (const uint32_t successor : cfg_.blocks[b].successors) {
        if (!inside(successor) || successor == region.head) continue;
        const uint32_t to = component[local_[successor]];
        if (to != from) ++waits_for[to];
        if (to == from) cyclic[from] = true;
      }
    }
    std::vector<uint32_t> entered(count, Cfg::kNoBlock);  // smallest block that is entered from outside
    const auto enter = [&](uint32_t b) { entered[component[local_[b]]] = std::min(entered[component[local_[b]]], b); };
    if (region.blocks[0] == 0) enter(0);
    for (const uint32_t b : region.blocks) {
      for (const uint32_t successor : cfg_.blocks[b].successors) {
        if (inside(successor) && successor != region.head && component[local_[b]] != component[local_[successor]]) enter(successor);
      }
    }
    std::priority_queue<std::pair<uint32_t, uint32_t>, std::vector<std::pair<uint32_t, uint32_t>>, std::greater<>> ready;
    for (uint32_t c = 0; c < count; ++c) {
      if (waits_for[c] == 0) ready.emplace(parts[c].blocks[0], c);
    }
    std::vector<Region> ordered;
    while (!ready.empty()) {
      const uint32_t c = ready.top().second;
      ready.pop();
      for (const uint32_t b : parts[c].blocks) {
        for (const uint32_t successor : cfg_.blocks[b].successors) {
          if (!inside(successor) || successor == region.head) continue;
          const uint32_t to = component[local_[successor]];
          if (to != c && --waits_for[to] == 0) ready.emplace(parts[to].blocks[0], to);
        }
      }
      Region& part = parts[c];
      part.depth = region.depth + 1;
      part.head = region.head;
      if (cyclic[c]) part.head = entered[c] != Cfg::kNoBlock ? entered[c] : part.blocks[0];
      if (cyclic[c] && part.depth > kMaxLoopDepth) {
        for (const uint32_t b : part.blocks) ordered.push_back({{b}, part.head, part.depth});
      } else {
        ordered.push_back(std::move(part));
      }
    }
    return ordered;
  }

  const Function& function_;
  Cfg cfg_;
  std::vector<bool> exits_;    // some lane may end behind the block
  std::vector<bool> to_exit_;  // the same, and one block of each endless loop
  std::vector<uint32_t> last_seen_;
  std::vector<uint32_t> region_of_, local_;
};

}  // namespace

bool Cfg::IsBackEdge(uint32_t from, uint32_t to) const { return blocks[to].rank <= blocks[from].rank; }

// Semi-NCA dominators of the reversed graph, rooted at the exit. Boost's own dominator tree recurses as deep as the
// graph, which the stack does not bear; the test compares the two.
std::vector<uint32_t> ImmediatePostDominators(const std::vector<std::vector<uint32_t>>& successors) {
  const uint32_t exit = static_cast<uint32_t>(successors.size());
  std::vector<std::vector<uint32_t>> predecessors(exit + size_t{1});
  for (uint32_t b = 0; b < exit; ++b) {
    for (const uint32_t successor : successors[b]) predecessors[successor].push_back(b);
  }
  // Depth-first numbers from the exit; all arrays below are indexed by them.
  std::vector<uint32_t> number(exit + size_t{1}, Cfg::kNoBlock), vertex, parent;
  std::vector<std::pair<uint32_t, size_t>> stack;
  const auto enter = [&](uint32_t b, uint32_t from) {
    number[b] = static_cast<uint32_t>(vertex.size());
    vertex.push_back(b);
    parent.push_back(from);
    stack.emplace_back(b, 0);
  };
  enter(exit, 0);
  while (!stack.empty()) {
    const uint32_t b = stack.back().first;
    if (stack.back().second == predecessors[b].size()) {
      stack.pop_back();
      continue;
    }
    const uint32_t next = predecessors[b][stack.back().second++];
    if (number[next] == Cfg::kNoBlock) enter(next, number[b]);
  }
  const uint32_t count = static_cast<uint32_t>(vertex.size());
  RACER_CHECK(count == exit + 1);

  std::vector<uint32_t> semi(count), label(count), ancestor = parent, dominator = parent;
  for (uint32_t i = 0; i < count; ++i) semi[i] = label[i] = i;
  std::vector<uint32_t> path;
  // The vertex of least semidominator on the way from v up to, but without, the vertices not above `linked`.
  const auto evaluate = [&](uint32_t v, uint32_t linked) {
    if (v < linked) return v;
    while (ancestor[v] >= linked) {
      path.push_back(v);
      v = ancestor[v];
    }
    while (!path.empty()) {
      const uint32_t w = path.back();
      path.pop_back();
      if (semi[label[v]] < semi[label[w]]) label[w] = label[v];
      ancestor[w] = ancestor[v];
      v = w;
    }
    return label[v];
  };
  for (uint32_t i = count; i-- > 1;) {
    const uint32_t b = vertex[i];
    semi[i] = parent[i];
    const auto consider = [&](uint32_t other) { semi[i] = std::min(semi[i], semi[evaluate(number[other], i + 1)]); };
    for (const uint32_t successor : successors[b]) consider(successor);
  }
  std::vector<uint32_t> result(exit);
  for (uint32_t i = 1; i < count; ++i) {
    while (dominator[i] > semi[i]) dominator[i] = dominator[dominator[i]];
    result[vertex[i]] = vertex[dominator[i]];
  }
  return result;
}

Cfg BuildCfg(const Function& function) { return Builder(function).Build(); }

}  // namespace racer::ir
