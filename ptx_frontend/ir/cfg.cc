#include "ptx_frontend/ir/cfg.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/strong_components.hpp>
#include <utility>

#include "ptx_frontend/isa/spec.h"

namespace racer::ir {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

// Where an instruction may go other than to the next one; `falls` is whether it may go there too.
struct Transfer {
  std::vector<InstructionIndex> targets;
  bool ends_block = false;
  bool falls = true;
};

Transfer TransferOf(const Function& function, const Instruction& instruction) {
  Transfer transfer;
  bool guarded = instruction.guard.has_value();
  switch (instruction.opcode) {
    case Opcode::kBra:
      transfer.ends_block = true;
      transfer.falls = guarded;
      for (const Operand& operand : instruction.operands) {
        if (operand.kind == Operand::Kind::kLabel) transfer.targets.push_back(operand.target);
      }
      break;
    case Opcode::kBrxIdx:
      transfer.ends_block = true;
      transfer.falls = guarded;
      // brx.idx index, list: the labels of the .branchtargets declaration.
      for (const Operand& operand : instruction.operands) {
        for (const Label& list : function.labels) {
          if (!list.is_branch_targets || list.name != operand.name) continue;
          for (const std::string& name : list.branch_targets) {
            for (const Label& label : function.labels) {
              if (label.name == name && !label.is_branch_targets) transfer.targets.push_back(label.target);
            }
          }
        }
      }
      break;
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
      transfer.ends_block = true;
      transfer.falls = guarded;
      break;
    default: break;
  }
  return transfer;
}

}  // namespace

bool Cfg::IsBackEdge(uint32_t from, uint32_t to) const {
  return blocks[to].rank <= blocks[from].rank && blocks[from].loop_head != kNoBlock && blocks[from].loop_head == blocks[to].loop_head;
}

Cfg BuildCfg(const Function& function) {
  Cfg cfg;
  const size_t n = function.body.size();
  cfg.block_of.assign(n, Cfg::kNoBlock);
  if (n == 0) return cfg;

  std::vector<bool> leader(n + 1, false);
  leader[0] = true;
  std::vector<Transfer> transfers(n);
  for (size_t i = 0; i < n; ++i) {
    transfers[i] = TransferOf(function, function.body[i]);
    for (InstructionIndex target : transfers[i].targets) {
      if (target < n) leader[target] = true;
    }
    if (transfers[i].ends_block) leader[i + 1] = true;
  }
  for (size_t i = 0; i < n; ++i) {
    if (leader[i]) cfg.blocks.push_back({static_cast<InstructionIndex>(i), 0, {}, Cfg::kNoBlock, Cfg::kNoBlock, 0});
    cfg.block_of[i] = static_cast<uint32_t>(cfg.blocks.size()) - 1;
    cfg.blocks.back().end = static_cast<InstructionIndex>(i) + 1;
  }
  const uint32_t count = static_cast<uint32_t>(cfg.blocks.size());
  const uint32_t exit = count;  // virtual
  Graph forward(count + 1);
  auto connect = [&](uint32_t from, uint32_t to) {
    std::vector<uint32_t>& successors = cfg.blocks[from].successors;
    if (to < count && std::find(successors.begin(), successors.end(), to) == successors.end()) successors.push_back(to);
    boost::add_edge(from, to, forward);
  };
  for (uint32_t b = 0; b < count; ++b) {
    const size_t last = cfg.blocks[b].end - 1;
    if (transfers[last].falls) connect(b, last + 1 < n ? cfg.block_of[last + 1] : exit);
    for (InstructionIndex target : transfers[last].targets) connect(b, target < n ? cfg.block_of[target] : exit);
    if (transfers[last].ends_block && transfers[last].targets.empty()) connect(b, exit);
  }

  std::vector<uint32_t> component(count + 1);
  uint32_t components = boost::strong_components(forward, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, forward)));
  std::vector<uint32_t> size(components, 0);
  std::vector<uint32_t> head(components, Cfg::kNoBlock);
  for (uint32_t b = 0; b < count; ++b) {
    ++size[component[b]];
    if (head[component[b]] == Cfg::kNoBlock) head[component[b]] = b;
  }
  // A loop that never ends still needs a way to the exit, or its blocks have no post-dominator.
  std::vector<bool> leaves(components, false);
  for (uint32_t b = 0; b < count; ++b) {
    for (auto [e, end] = boost::out_edges(b, forward); e != end; ++e) {
      if (component[boost::target(*e, forward)] != component[b]) leaves[component[b]] = true;
    }
  }
  Graph reversed(count + 1);
  for (auto [e, end] = boost::edges(forward); e != end; ++e) boost::add_edge(boost::target(*e, forward), boost::source(*e, forward), reversed);
  for (uint32_t b = 0; b < count; ++b) {
    bool self = std::find(cfg.blocks[b].successors.begin(), cfg.blocks[b].successors.end(), b) != cfg.blocks[b].successors.end();
    if (size[component[b]] > 1 || self) cfg.blocks[b].loop_head = head[component[b]];
    if (!leaves[component[b]]) boost::add_edge(exit, b, reversed);
  }
  std::vector<Graph::vertex_descriptor> idom(count + 1, boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(reversed, exit, boost::make_iterator_property_map(idom.begin(), get(boost::vertex_index, reversed)));
  for (uint32_t b = 0; b < count; ++b) {
    if (idom[b] != boost::graph_traits<Graph>::null_vertex() && idom[b] != exit) cfg.blocks[b].immediate_post_dominator = static_cast<uint32_t>(idom[b]);
  }

  // Reverse post-order of a depth-first search that visits, at every block, what lies outside its loop first, then its
  // post-dominator: both then get the larger ranks.
  auto visited_late = [&](uint32_t from, uint32_t to) {
    int key = 0;
    if (component[to] != component[from]) key += 2;
    if (to == cfg.blocks[from].immediate_post_dominator) key += 1;
    return key;
  };
  std::vector<uint32_t> order;
  std::vector<uint8_t> state(count, 0);
  struct Visit {
    uint32_t block;
    std::vector<uint32_t> pending;
  };
  auto pending_of = [&](uint32_t b) {
    std::vector<uint32_t> pending = cfg.blocks[b].successors;
    std::stable_sort(pending.begin(), pending.end(), [&](uint32_t x, uint32_t y) { return visited_late(b, x) < visited_late(b, y); });
    return pending;  // taken from the back
  };
  for (uint32_t root = 0; root < count; ++root) {  // unreachable blocks are roots of their own, after the entry's
    if (state[root] != 0) continue;
    std::vector<uint32_t> part;
    std::vector<Visit> stack;
    state[root] = 1;
    stack.push_back({root, pending_of(root)});
    while (!stack.empty()) {
      if (stack.back().pending.empty()) {
        part.push_back(stack.back().block);
        stack.pop_back();
        continue;
      }
      uint32_t next = stack.back().pending.back();
      stack.back().pending.pop_back();
      if (state[next] != 0) continue;
      state[next] = 1;
      stack.push_back({next, pending_of(next)});
    }
    order.insert(order.end(), part.rbegin(), part.rend());
  }
  for (uint32_t i = 0; i < order.size(); ++i) cfg.blocks[order[i]].rank = i;
  return cfg;
}

}  // namespace racer::ir
