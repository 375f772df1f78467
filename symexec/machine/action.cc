#include "symexec/machine/action.h"

#include <algorithm>

#include "base/check.h"
#include "ptx_frontend/isa/all.h"

namespace racer {
namespace {

// Value records are run by their Eval and unmodelled ones refused; every other record is named here, or it does not
// compile.
template <class Record>
struct PerformedBy {
  static_assert(Record::kSpec.effect == Effect::kValue || Record::kSpec.effect == Effect::kUnmodelled,
                "the machine does not perform this record");
  static constexpr Action kAction = Record::kSpec.effect == Effect::kValue ? Action::kValue : Action::kUnsupported;
};

#define RACER_ACTION(record, action)                  \
  template <>                                         \
  struct PerformedBy<isa::record> {                   \
    static constexpr Action kAction = Action::action; \
  };
RACER_ACTION(Mov, kMove)
RACER_ACTION(Mov128, kMoveWide)
RACER_ACTION(Ld, kLoad)
RACER_ACTION(Ldu, kLoad)
RACER_ACTION(St, kStore)
RACER_ACTION(Cvta, kToGeneric)
RACER_ACTION(Isspacep, kIsSpace)
RACER_ACTION(Prefetch, kNothing)
RACER_ACTION(Prefetchu, kNothing)
RACER_ACTION(Atom, kAtomic)
RACER_ACTION(Red, kAtomic)
RACER_ACTION(CpAsync, kCopyAsync)
RACER_ACTION(CpAsyncCommitGroup, kCommitCopies)
RACER_ACTION(CpAsyncWaitGroup, kWaitCopies)
RACER_ACTION(CpAsyncWaitAll, kWaitAllCopies)
RACER_ACTION(Discard, kDiscard)
RACER_ACTION(Applypriority, kNothing)
RACER_ACTION(Createpolicy, kOpaque)
RACER_ACTION(Alloca, kAllocate)
RACER_ACTION(Stacksave, kStackSave)
RACER_ACTION(Stackrestore, kStackRestore)
RACER_ACTION(Griddepcontrol, kNothing)
RACER_ACTION(Setmaxnreg, kNothing)
RACER_ACTION(Bra, kBranch)
RACER_ACTION(BrxIdx, kBranchIndexed)
RACER_ACTION(Call, kCall)
RACER_ACTION(Ret, kReturn)
RACER_ACTION(Exit, kExit)
RACER_ACTION(Trap, kTrap)
RACER_ACTION(Nanosleep, kNothing)
RACER_ACTION(Pmevent, kNothing)
RACER_ACTION(BarSync, kBarrier)
RACER_ACTION(BarArrive, kBarrier)
RACER_ACTION(BarRed, kBarrier)
RACER_ACTION(BarWarpSync, kWarpBarrier)
RACER_ACTION(BarrierSync, kBarrier)
RACER_ACTION(BarrierArrive, kBarrier)
RACER_ACTION(BarrierRed, kBarrier)
RACER_ACTION(ShflSync, kShuffle)
RACER_ACTION(Shfl, kShuffle)
RACER_ACTION(VoteSync, kVote)
RACER_ACTION(Vote, kVote)
RACER_ACTION(MatchSync, kMatch)
RACER_ACTION(ReduxSync, kReduce)
RACER_ACTION(Activemask, kActiveMask)
RACER_ACTION(ElectSync, kElect)
RACER_ACTION(Membar, kFence)
RACER_ACTION(Fence, kFence)
RACER_ACTION(Brkpt, kUnsupported)
RACER_ACTION(Ldmatrix, kMatrix)
RACER_ACTION(LdmatrixBytes, kMatrix)
RACER_ACTION(Stmatrix, kMatrix)
RACER_ACTION(StmatrixBytes, kMatrix)
RACER_ACTION(Movmatrix, kMatrix)
RACER_ACTION(MmaQuadPair, kMatrix)
RACER_ACTION(MmaHalfK8, kMatrix)
RACER_ACTION(MmaHalf, kMatrix)
RACER_ACTION(MmaF8, kMatrix)
RACER_ACTION(MmaF8Newer, kMatrix)
RACER_ACTION(MmaF8f6f4, kMatrix)
RACER_ACTION(MmaBlockScale, kMatrix)
RACER_ACTION(MmaDouble, kMatrix)
RACER_ACTION(MmaDoubleM16, kMatrix)
RACER_ACTION(MmaIntM8, kMatrix)
RACER_ACTION(MmaInt, kMatrix)
RACER_ACTION(MmaBitM8, kMatrix)
RACER_ACTION(MmaBit, kMatrix)
RACER_ACTION(MmaBitAnd, kMatrix)
RACER_ACTION(MmaSparse, kMatrix)
RACER_ACTION(MmaSparseInt, kMatrix)
RACER_ACTION(MmaSparseF8, kMatrix)
RACER_ACTION(MmaOrdered, kMatrix)
RACER_ACTION(MmaOrderedInt, kMatrix)
RACER_ACTION(MmaOrderedF8, kMatrix)
RACER_ACTION(MmaOrderedF8f6f4, kMatrix)
RACER_ACTION(MmaOrderedBlockScale, kMatrix)
RACER_ACTION(WmmaLoad, kMatrix)
RACER_ACTION(WmmaLoadInt, kMatrix)
RACER_ACTION(WmmaLoadSub, kMatrix)
RACER_ACTION(WmmaLoadNewer, kMatrix)
RACER_ACTION(WmmaStore, kMatrix)
RACER_ACTION(WmmaStoreInt, kMatrix)
RACER_ACTION(WmmaStoreSub, kMatrix)
RACER_ACTION(WmmaStoreNewer, kMatrix)
RACER_ACTION(WmmaMma, kMatrix)
RACER_ACTION(WmmaMmaInt, kMatrix)
RACER_ACTION(WmmaMmaSub, kMatrix)
RACER_ACTION(WmmaMmaAnd, kMatrix)
RACER_ACTION(WmmaMmaNewer, kMatrix)
#undef RACER_ACTION

}  // namespace

Action ActionOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kUnknown: return Action::kUnsupported;
#define RACER_INSTRUCTION(name) \
  case Opcode::k##name: return PerformedBy<isa::name>::kAction;
#include "ptx_frontend/isa/instructions.def"
  }
  RACER_UNREACHABLE(static_cast<int>(opcode));
}

bool IsWarpCollective(Action action) {
  switch (action) {
  RACER_WARP_ACTIONS:
    return true;
  RACER_LANE_ACTIONS:
  RACER_FLOW_ACTIONS:
    return false;
  }
  RACER_UNREACHABLE(static_cast<int>(action));
}

bool EndsSubBlock(Action action) { return action == Action::kCall || action == Action::kBarrier || IsWarpCollective(action); }

BarrierShape BarrierOf(const ir::Instruction& instruction) {
  auto has = [&](const char* modifier) {
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) != instruction.modifiers.end();
  };
  // bar is barrier.aligned.
  return {.waits = !has("arrive"), .reduces = has("red"), .aligned = instruction.mnemonic == "bar" || has("aligned")};
}

bool IsSynchronising(const Decoded& in) { return in.opcode != Opcode::kShfl && in.opcode != Opcode::kVote; }

}  // namespace racer
