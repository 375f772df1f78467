// In which order lanes that are apart run: ranks of blocks, and what collectives with unknown members need behind the code.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_ORDER_H_
#define RACER_SYMEXEC_MACHINE_DECODE_ORDER_H_

#include <cstdint>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/program.h"

namespace racer {

// Ranks: callees before callers; inside a function by the block's rank, then by place, where a block is also split
// after every call and rendezvous, so that lanes that are behind catch up first.
void OrderBlocks(const std::vector<const ir::Function*>& functions, const std::vector<uint32_t>& callees_first, Program* program);

// See Decoded::twin. After OrderBlocks.
void AddTwins(Program* program);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_ORDER_H_
