#include "ptx_frontend/ir/cfg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <random>
#include <string>
#include <vector>

namespace racer::ir {
namespace {

constexpr uint32_t kNone = Cfg::kNoBlock;

// One instruction a line: "x" (anything), "bra 3", "?bra 3" (guarded), "brx 1 2 3", "ret", "?exit", "trap". Targets are
// line numbers.
Function MakeFunction(const std::vector<std::string>& lines) {
  Function function;
  function.scopes.emplace_back();
  for (const std::string& line : lines) {
    Instruction instruction;
    size_t at = 0;
    if (line[0] == '?') {
      instruction.guard = RegId{0};
      at = 1;
    }
    const size_t blank = line.find(' ');
    instruction.mnemonic = line.substr(at, blank == std::string::npos ? std::string::npos : blank - at);
    std::vector<uint32_t> targets;
    for (at = blank; at != std::string::npos; at = line.find(' ', at + 1))
      targets.push_back(static_cast<uint32_t>(std::stoul(line.substr(at + 1))));
    std::vector<uint32_t> labels;
    for (const uint32_t target : targets) {
      labels.push_back(static_cast<uint32_t>(function.labels.size()));
      function.labels.emplace_back().target = target;
    }
    if (instruction.mnemonic == "bra") {
      Operand& operand = instruction.operands.emplace_back();
      operand.kind = Operand::Kind::kLabel;
      operand.label = labels[0];
      operand.target = targets[0];
    } else if (instruction.mnemonic == "brx") {
      instruction.operands.emplace_back();
      Operand& operand = instruction.operands.emplace_back();
      operand.kind = Operand::Kind::kLabel;
      operand.label = static_cast<uint32_t>(function.labels.size());
      Label& list = function.labels.emplace_back();
      list.is_branch_targets = true;
      list.branch_target_labels = labels;
    }
    function.body.push_back(std::move(instruction));
  }
  return function;
}

Cfg Make(const std::vector<std::string>& lines) { return BuildCfg(MakeFunction(lines)); }

template <class T>
std::vector<uint32_t> OfEachBlock(const Cfg& cfg, T Cfg::Block::* member) {
  std::vector<uint32_t> result;
  result.reserve(cfg.blocks.size());
  for (const Cfg::Block& block : cfg.blocks) result.push_back(block.*member);
  return result;
}

std::vector<uint32_t> PostDominators(const Cfg& cfg) { return OfEachBlock(cfg, &Cfg::Block::immediate_post_dominator); }
std::vector<uint32_t> LoopHeads(const Cfg& cfg) { return OfEachBlock(cfg, &Cfg::Block::loop_head); }
std::vector<uint32_t> Ranks(const Cfg& cfg) { return OfEachBlock(cfg, &Cfg::Block::rank); }
using List = std::vector<uint32_t>;

TEST(CfgTest, EmptyBody) { EXPECT_TRUE(Make({}).blocks.empty()); }

TEST(CfgTest, StraightLineIsOneBlock) {
  const Cfg cfg = Make({"x", "x", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 1u);
  EXPECT_EQ(cfg.blocks[0].begin, 0u);
  EXPECT_EQ(cfg.blocks[0].end, 3u);
  EXPECT_TRUE(cfg.blocks[0].successors.empty());
  EXPECT_EQ(cfg.blocks[0].immediate_post_dominator, kNone);
  EXPECT_EQ(cfg.blocks[0].loop_head, kNone);
  EXPECT_EQ(cfg.block_of, (List{0, 0, 0}));
}

// 0: if -> 3 (else) ; 1: then ; 2: else ; 3: join
TEST(CfgTest, DiamondMeetsAtTheJoin) {
  const Cfg cfg = Make({"?bra 3", "x", "bra 4", "x", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 4u);
  EXPECT_EQ(cfg.blocks[0].successors, (List{2, 1}));
  EXPECT_EQ(PostDominators(cfg), (List{3, 3, 3, kNone}));
  EXPECT_EQ(Ranks(cfg), (List{0, 1, 2, 3}));
}

// The join stands in front of one of its branches in the text: rank follows the flow, not the text.
TEST(CfgTest, ColdBranchBehindTheJoin) {
  const Cfg cfg = Make({"?bra 3", "x", "ret", "x", "bra 1"});
  ASSERT_EQ(cfg.blocks.size(), 3u);
  EXPECT_EQ(PostDominators(cfg), (List{1, kNone, 1}));
  EXPECT_EQ(Ranks(cfg), (List{0, 2, 1}));
}

TEST(CfgTest, GuardedReturnGoesOnAndEnds) {
  const Cfg cfg = Make({"x", "?ret", "x", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 2u);
  EXPECT_EQ(cfg.blocks[0].successors, (List{1}));
  // Some lanes never reach block 1, so nothing but the exit post-dominates.
  EXPECT_EQ(PostDominators(cfg), (List{kNone, kNone}));
}

TEST(CfgTest, UnguardedExitAndTrapEndTheBlock) {
  const Cfg cfg = Make({"?bra 2", "exit", "trap", "x"});
  ASSERT_EQ(cfg.blocks.size(), 4u);
  EXPECT_TRUE(cfg.blocks[1].successors.empty());
  EXPECT_TRUE(cfg.blocks[2].successors.empty());
  EXPECT_EQ(PostDominators(cfg), (List{kNone, kNone, kNone, kNone}));
}

TEST(CfgTest, BranchBehindTheLastInstructionIsTheExit) {
  const Cfg cfg = Make({"?bra 2", "x"});
  ASSERT_EQ(cfg.blocks.size(), 2u);
  EXPECT_EQ(cfg.blocks[0].successors, (List{1}));
  EXPECT_EQ(PostDominators(cfg), (List{kNone, kNone}));
}

// 0: entry ; 1: head, leaves to 3 ; 2: body, back to 1 ; 3: after
TEST(CfgTest, WhileLoop) {
  const Cfg cfg = Make({"x", "?bra 4", "x", "bra 1", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 4u);
  EXPECT_EQ(PostDominators(cfg), (List{1, 3, 1, kNone}));
  EXPECT_EQ(LoopHeads(cfg), (List{kNone, 1, 1, kNone}));
  EXPECT_EQ(Ranks(cfg), (List{0, 1, 2, 3}));
  EXPECT_TRUE(cfg.IsBackEdge(2, 1));
  EXPECT_FALSE(cfg.IsBackEdge(1, 2));
  EXPECT_FALSE(cfg.IsBackEdge(1, 3));
}

TEST(CfgTest, SelfLoop) {
  const Cfg cfg = Make({"x", "?bra 1", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 3u);
  EXPECT_EQ(LoopHeads(cfg), (List{kNone, 1, kNone}));
  EXPECT_TRUE(cfg.IsBackEdge(1, 1));
  EXPECT_EQ(PostDominators(cfg), (List{1, 2, kNone}));
}

// The exit of the loop stands in the middle of its text; a loop's blocks still come before it.
TEST(CfgTest, LoopBlocksComeBeforeTheExitOfTheLoop) {
  const Cfg cfg = Make({"?bra 3", "x", "ret", "x", "bra 0"});
  ASSERT_EQ(cfg.blocks.size(), 3u);
  EXPECT_EQ(LoopHeads(cfg), (List{0, kNone, 0}));
  EXPECT_EQ(Ranks(cfg), (List{0, 2, 1}));
}

// 0 ; 1: outer head ; 2: inner head and body ; 3: outer latch ; 4
TEST(CfgTest, NestedLoops) {
  const Cfg cfg = Make({"x", "x", "?bra 2", "?bra 1", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 5u);
  EXPECT_EQ(LoopHeads(cfg), (List{kNone, 1, 2, 1, kNone}));
  EXPECT_EQ(Ranks(cfg), (List{0, 1, 2, 3, 4}));
  EXPECT_EQ(PostDominators(cfg), (List{1, 2, 3, 4, kNone}));
}

// A loop left from two places to two returns.
TEST(CfgTest, LoopWithTwoExits) {
  const Cfg cfg = Make({"?bra 4", "?bra 5", "x", "bra 0", "ret", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 5u);
  EXPECT_EQ(LoopHeads(cfg), (List{0, 0, 0, kNone, kNone}));
  EXPECT_EQ(PostDominators(cfg), (List{kNone, kNone, 0, kNone, kNone}));
}

TEST(CfgTest, EndlessLoop) {
  const Cfg cfg = Make({"x", "?bra 4", "x", "bra 3", "x", "bra 1"});
  // 0 ; 1: to 4 or on ; 2 ; 3: itself ; 4: back to 1
  ASSERT_EQ(cfg.blocks.size(), 5u);
  EXPECT_EQ(cfg.blocks[3].successors, (List{3}));
  EXPECT_EQ(LoopHeads(cfg), (List{kNone, 1, kNone, 3, 1}));
  EXPECT_EQ(PostDominators(cfg), (List{1, 2, 3, kNone, 1}));
  EXPECT_EQ(Ranks(cfg), (List{0, 1, 3, 4, 2}));
}

TEST(CfgTest, WholeFunctionIsAnEndlessLoop) {
  const Cfg cfg = Make({"?bra 2", "x", "bra 0"});
  ASSERT_EQ(cfg.blocks.size(), 3u);
  EXPECT_EQ(PostDominators(cfg), (List{kNone, 2, 0}));
  EXPECT_EQ(LoopHeads(cfg), (List{0, 0, 0}));
}

TEST(CfgTest, UnreachableBlockIsThereAndHarmless) {
  const Cfg cfg = Make({"bra 2", "bra 0", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 3u);
  EXPECT_EQ(PostDominators(cfg), (List{2, 0, kNone}));
  EXPECT_EQ(LoopHeads(cfg), (List{kNone, kNone, kNone}));
  EXPECT_EQ(cfg.blocks[1].rank, 0u);  // it leads to block 0
}

TEST(CfgTest, JumpTable) {
  const Cfg cfg = Make({"brx 1 3 1 5", "x", "bra 6", "x", "bra 6", "x", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 5u);
  EXPECT_EQ(cfg.blocks[0].successors, (List{1, 2, 3}));  // each once, and no fall-through
  EXPECT_EQ(PostDominators(cfg), (List{4, 4, 4, 4, kNone}));
  const Cfg guarded = Make({"?brx 3", "x", "ret", "x"});
  EXPECT_EQ(guarded.blocks[0].successors, (List{2, 1}));
}

// Two blocks that jump into each other and are both entered from outside.
TEST(CfgTest, IrreducibleLoop) {
  const Cfg cfg = Make({"?bra 3", "x", "?bra 5", "x", "bra 1", "ret"});
  ASSERT_EQ(cfg.blocks.size(), 4u);
  EXPECT_EQ(LoopHeads(cfg), (List{kNone, 1, 1, kNone}));
  EXPECT_EQ(PostDominators(cfg), (List{1, 3, 1, kNone}));
}

// Random graphs: the post-dominators agree with Boost's, and ranks are a topological order without the back edges.
TEST(CfgTest, RandomGraphsAgainstBoost) {
  std::mt19937 random(20240817);
  for (int round = 0; round < 2000; ++round) {
    const size_t count = 1 + random() % 14;
    std::vector<std::string> lines;
    for (size_t i = 0; i < count; ++i) {
      const std::string target = " " + std::to_string(random() % count);
      static const char* const kKinds[] = {"x", "bra", "?bra", "?bra", "?bra", "ret", "?ret", "brx"};
      std::string line = kKinds[random() % 8];
      if (line.find("br") != std::string::npos) line += target;
      if (line[0] == 'b' && line[2] == 'x') line += " " + std::to_string(random() % count);
      lines.push_back(line);
    }
    lines.push_back("ret");
    const Cfg cfg = Make(lines);
    const size_t n = cfg.blocks.size();
    // The reversed graph, exit = n. Endless parts hang on the exit by themselves here: skip graphs that have any.
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
    Graph reversed(n + 1);
    std::vector<std::vector<size_t>> before(n + 1);
    for (size_t b = 0; b < n; ++b) {
      const std::string& last = lines[cfg.blocks[b].end - 1];
      if (last.find("ret") != std::string::npos) {
        boost::add_edge(n, b, reversed);
        before[n].push_back(b);
      }
      for (const uint32_t successor : cfg.blocks[b].successors) {
        boost::add_edge(successor, b, reversed);
        before[successor].push_back(b);
        EXPECT_EQ(cfg.IsBackEdge(static_cast<uint32_t>(b), successor), cfg.blocks[successor].rank <= cfg.blocks[b].rank);
      }
    }
    std::vector<bool> seen(n + 1, false);
    std::vector<size_t> work{n};
    seen[n] = true;
    while (!work.empty()) {
      const size_t b = work.back();
      work.pop_back();
      for (const size_t other : before[b]) {
        if (!seen[other]) work.push_back(other);
        seen[other] = true;
      }
    }
    // Ranks are a permutation, and an edge against them stays in a loop.
    List ranks = Ranks(cfg);
    std::sort(ranks.begin(), ranks.end());
    for (size_t b = 0; b < n; ++b) EXPECT_EQ(ranks[b], b);
    for (size_t b = 0; b < n; ++b) {
      for (const uint32_t successor : cfg.blocks[b].successors) {
        if (cfg.blocks[successor].rank <= cfg.blocks[b].rank) {
          EXPECT_NE(cfg.blocks[b].loop_head, kNone);
          EXPECT_EQ(cfg.blocks[successor].loop_head, successor) << "an edge back goes to the head of a loop";
        }
      }
    }
    if (std::find(seen.begin(), seen.end(), false) != seen.end()) continue;
    std::vector<size_t> dominator(n + 1, Graph::null_vertex());
    boost::lengauer_tarjan_dominator_tree(reversed, n,
                                          boost::make_iterator_property_map(dominator.begin(), boost::get(boost::vertex_index, reversed)));
    for (size_t b = 0; b < n; ++b) {
      const uint32_t expected = dominator[b] == n ? kNone : static_cast<uint32_t>(dominator[b]);
      EXPECT_EQ(cfg.blocks[b].immediate_post_dominator, expected) << "round " << round << " block " << b;
    }
  }
}

// A long chain: no recursion, and time in proportion.
TEST(CfgTest, LongChain) {
  Function function;
  function.scopes.emplace_back();
  constexpr uint32_t kCount = 300'000;
  for (uint32_t i = 0; i < kCount; ++i) {
    Instruction& instruction = function.body.emplace_back();
    instruction.mnemonic = "bra";
    instruction.guard = RegId{0};
    Operand& operand = instruction.operands.emplace_back();
    operand.kind = Operand::Kind::kLabel;
    operand.target = std::min(i + 2, kCount - 1);
  }
  const Cfg cfg = BuildCfg(function);
  ASSERT_EQ(cfg.blocks.size(), kCount);
  EXPECT_EQ(cfg.blocks[0].rank, 0u);
  EXPECT_EQ(cfg.blocks[kCount - 1].loop_head, kCount - 1);
}

}  // namespace
}  // namespace racer::ir
