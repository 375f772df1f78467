#include "symexec/machine/decode_order.h"

#include <algorithm>

#include "ptx_frontend/ir/cfg.h"
#include "symexec/machine/action.h"

namespace racer {

void OrderBlocks(const std::vector<const ir::Function*>& functions, const std::vector<uint32_t>& callees_first, Program* program) {
  const size_t n = program->code.size();
  program->rank_of_pc.assign(n, 0);
  program->block_of_pc.assign(n, 0);
  program->loop_head_of_pc.assign(n, kNoRow);
  uint32_t next_rank = 0, next_block = 0;
  for (uint32_t index : callees_first) {
    const ProgramFunction& decoded = program->functions[index];
    const ir::Function& function = *functions[index];
    struct Piece {
      uint32_t rank, begin, end;  // pcs
    };
    std::vector<Piece> pieces;
    if (!function.body.empty()) {
      const ir::Cfg cfg = ir::BuildCfg(function);
      for (const ir::Cfg::Block& block : cfg.blocks) {
        uint32_t begin = decoded.entry_pc + block.begin;
        const uint32_t end = decoded.entry_pc + block.end;
        for (uint32_t pc = begin; pc < end; ++pc) {
          if (block.loop_head != ir::Cfg::kNoBlock) program->loop_head_of_pc[pc] = decoded.entry_pc + cfg.blocks[block.loop_head].begin;
          if (pc + 1 == end || EndsSubBlock(program->code[pc].action)) {
            pieces.push_back({block.rank, begin, pc + 1});
            begin = pc + 1;
          }
        }
      }
    }
    pieces.push_back({~uint32_t{0}, decoded.end_pc - 1, decoded.end_pc});
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.rank != b.rank ? a.rank < b.rank : a.begin < b.begin; });
    for (const Piece& piece : pieces) {
      for (uint32_t pc = piece.begin; pc < piece.end; ++pc) {
        program->rank_of_pc[pc] = next_rank;
        program->block_of_pc[pc] = next_block;
      }
      program->code[piece.end - 1].block_end = true;
      ++next_rank;
      ++next_block;
    }
  }
}

void AddTwins(Program* program) {
  const uint32_t end = static_cast<uint32_t>(program->code.size());
  for (uint32_t pc = 0; pc < end; ++pc) {
    const Decoded& original = program->code[pc];
    if (!IsWarpCollective(original.action) || original.action == Action::kMatrix || !IsSynchronising(original) ||
        original.source[original.source_count - 1].constant)
      continue;
    Decoded twin = original;
    twin.guard_row = kNoRow;
    twin.twin = pc;
    twin.is_twin = true;
    Decoded jump;
    jump.action = Action::kBranch;
    jump.target = pc + 1;
    jump.instruction = twin.instruction;
    jump.function = twin.function;
    program->code[pc].twin = static_cast<uint32_t>(program->code.size());
    for (const Decoded& added : {twin, jump}) {
      program->code.push_back(added);
      program->rank_of_pc.push_back(program->rank_of_pc[pc]);
      program->block_of_pc.push_back(program->block_of_pc[pc]);
      program->loop_head_of_pc.push_back(program->loop_head_of_pc[pc]);
    }
  }
}

}  // namespace racer
