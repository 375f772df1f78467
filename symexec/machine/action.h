// Which part of the machine performs an instruction.
#ifndef RACER_SYMEXEC_MACHINE_ACTION_H_
#define RACER_SYMEXEC_MACHINE_ACTION_H_

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/spec.h"
#include "symexec/machine/program.h"

namespace racer {

// mov and cvta are refined by the decoder (kPack, kUnpack, kFromGeneric).
Action ActionOf(Opcode opcode);

// A meeting of lanes of one warp: shuffles, votes, bar.warp.sync and the like.
bool IsWarpCollective(Action action);
// After these, lanes may go on at another time than those beside them.
bool EndsSubBlock(Action action);

// bar and barrier: which of .sync, .arrive and .red is written. A bare `bar` is .sync.
struct BarrierShape {
  bool waits = true;
  bool reduces = false;
  bool aligned = true;
};
BarrierShape BarrierOf(const ir::Instruction& instruction);

// Whether a warp collective has .sync, and with it members: a mask as its last operand, or all lanes (kMatrix).
bool IsSynchronising(const Decoded& in);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_ACTION_H_
