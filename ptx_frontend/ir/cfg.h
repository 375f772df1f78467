// Control-flow graph of one function, on Boost.Graph.
#ifndef RACER_PTX_FRONTEND_IR_CFG_H_
#define RACER_PTX_FRONTEND_IR_CFG_H_

#include <cstdint>
#include <vector>

#include "ptx_frontend/ir/module.h"

namespace racer::ir {

struct Cfg {
  static constexpr uint32_t kNoBlock = ~uint32_t{0};
  struct Block {
    InstructionIndex begin = 0, end = 0;  // [begin, end) in Function::body
    std::vector<uint32_t> successors;
    uint32_t immediate_post_dominator = kNoBlock;  // kNoBlock: the exit
    uint32_t loop_head = kNoBlock;                 // head of the innermost loop (SCC) around the block
    // Scheduling order: a block comes before its post-dominators, and a loop's blocks before its exits,
    // so running the lanes with the smallest rank first reconverges them at the post-dominator.
    uint32_t rank = 0;
  };
  std::vector<Block> blocks;
  std::vector<uint32_t> block_of;  // per instruction

  bool IsBackEdge(uint32_t from, uint32_t to) const;
};

Cfg BuildCfg(const Function& function);

// Immediate post-dominator of each vertex; vertex n, the number of vertices, is the exit, which every vertex must reach.
std::vector<uint32_t> ImmediatePostDominators(const std::vector<std::vector<uint32_t>>& successors);

}  // namespace racer::ir

#endif  // RACER_PTX_FRONTEND_IR_CFG_H_
