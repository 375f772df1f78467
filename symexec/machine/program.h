// A kernel ready to run: one flat list of decoded instructions of the entry and of every function
// that it can call, with all operands resolved to rows of registers and constants.
//
// A *row* is 32 values, one a lane. Each warp has one row for every register of every function
// (a call of a function that is running already sets the frame in use aside), for every special
// register in use, and one that takes writes to `_`. Constants are rows shared by all warps.
#ifndef RACER_SYMEXEC_MACHINE_PROGRAM_H_
#define RACER_SYMEXEC_MACHINE_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/matrix_form.h"
#include "scheduler/partings.h"
#include "symexec/machine/layout.h"

namespace racer {

// What the machine does for an instruction.
enum class Action : uint8_t {
  kValue,     // the record's Eval, lane by lane
  kMove,      // copies a row
  kPack,      // mov d, {a, b, ...}
  kUnpack,    // mov {d, e, ...}, a
  kMoveWide,  // mov.b128 and its packing and unpacking
  kLoad,
  kStore,
  kAtomic,  // atom, red: `target` in Program::atomics
  kDiscard,
  kCopyAsync,  // cp.async: `target` in Program::copies
  kCommitCopies,
  kWaitCopies,  // cp.async.wait_group N: `target`
  kWaitAllCopies,
  kOpaque,    // createpolicy: a result that only the hardware understands
  kAllocate,  // alloca
  kStackSave,
  kStackRestore,
  kToGeneric,    // cvta.space
  kFromGeneric,  // cvta.to.space
  kIsSpace,      // isspacep
  kNothing,      // no effect on values
  kFence,        // membar, fence: no effect on values; orders nothing for the race check
  kBranch,
  kBranchIndexed,
  kCall,
  kReturn,
  kExit,
  kTrap,
  kBarrier,      // bar.sync, bar.arrive, bar.red and barrier.*
  kWarpBarrier,  // bar.warp.sync
  kShuffle,
  kVote,
  kMatch,
  kReduce,  // redux.sync
  kElect,
  kMatrix,  // ldmatrix, stmatrix, movmatrix, mma, wmma
  kActiveMask,
  kUnsupported,  // reaching it ends the run: message `target`
};

// Case labels for switches that treat them alike: what is over once it is done for each active lane, what leads elsewhere or waits for
// the CTA, and what lanes of a warp do together.
#define RACER_LANE_ACTIONS     \
  case Action::kValue:         \
  case Action::kMove:          \
  case Action::kPack:          \
  case Action::kUnpack:        \
  case Action::kMoveWide:      \
  case Action::kLoad:          \
  case Action::kStore:         \
  case Action::kAtomic:        \
  case Action::kDiscard:       \
  case Action::kCopyAsync:     \
  case Action::kCommitCopies:  \
  case Action::kWaitCopies:    \
  case Action::kWaitAllCopies: \
  case Action::kOpaque:        \
  case Action::kAllocate:      \
  case Action::kStackSave:     \
  case Action::kStackRestore:  \
  case Action::kToGeneric:     \
  case Action::kFromGeneric:   \
  case Action::kIsSpace:       \
  case Action::kNothing:       \
  case Action::kFence:         \
  case Action::kActiveMask:    \
  case Action::kTrap:          \
  case Action::kUnsupported
#define RACER_FLOW_ACTIONS     \
  case Action::kBranch:        \
  case Action::kBranchIndexed: \
  case Action::kCall:          \
  case Action::kReturn:        \
  case Action::kExit:          \
  case Action::kBarrier
#define RACER_WARP_ACTIONS   \
  case Action::kWarpBarrier: \
  case Action::kShuffle:     \
  case Action::kVote:        \
  case Action::kMatch:       \
  case Action::kReduce:      \
  case Action::kElect:       \
  case Action::kMatrix

constexpr uint32_t kNoRow = ~uint32_t{0};
constexpr size_t kMaxSources = 6;  // scalar sources of one instruction; lop3 with a predicate has 5

struct Source {
  uint32_t row = kNoRow;
  bool constant = false;  // row of the constant bank
  bool negated = false;   // !p
  uint8_t width = 0;      // bits that the instruction reads
  uint8_t reg_width = 0;  // bits that the row holds
};

struct Dest {
  uint32_t row = kNoRow;
  uint8_t width = 0;      // bits that the instruction writes
  uint8_t reg_width = 0;  // bits of the register; wider ones are extended
  bool sign = false;      // sign extension
};

// The address of a load or store: (base row, if any) + offset in `space`.
struct AddressRef {
  bool generic = false;
  Space space = Space::kGlobal;
  Source base;  // row kNoRow: none
  uint64_t offset = 0;
  uint64_t limit = 0;     // kCallParam: bytes of the variable
  uint64_t variable = 0;  // kCallParam: its offset in the block
  const ir::Variable* symbol = nullptr;
};

// One value that a call passes in either direction.
struct Transfer {
  enum class Kind : uint8_t { kBytes, kRowToBytes, kBytesToRow, kRowToRow } kind = Kind::kBytes;
  uint64_t from = 0, to = 0;  // offsets in the call-parameter block
  uint64_t size = 0;          // bytes
  Source source;
  Dest dest;
};

// An atomic operation on `elements` neighbouring locations. 128-bit elements are two of 64 bits that count as one.
struct AtomicSite {
  std::vector<Source> b, c;  // c: of cas
  std::vector<Dest> d;       // of atom
  unsigned elements = 1, element_bytes = 4;
  bool returns = false;  // some result is read by an instruction of the program
  // Operations of one kind without result give the same in any order (0: not so); `rounds`: over the reals alone. `by_operand`: if
  // they have equal operands too.
  uint32_t order_key = 0;
  bool rounds = false, by_operand = false;
  bool cta_scope = false;  // .cta, or .cluster, which is the CTA itself
};

struct CopySite {
  AddressRef to;  // the source is Decoded::address
  unsigned bytes = 16;
  bool ignores = false;  // source[0] is a predicate that says whether zeros are copied; else the number of bytes that are not zeros
};

struct CallSite {
  uint32_t callee = 0;     // index into Program::functions
  bool recursive = false;  // the callee may be running already: its frame is set aside
  std::vector<Transfer> arguments, results;
};

// A call through a pointer, in source[0]: the calls that it may be.
struct IndirectCall {
  std::vector<uint32_t> calls;  // into Program::calls, each to another function
};

// Operands of actions that have more than a few. Vector operands are lists of Source or Dest.
struct Decoded {
  Action action = Action::kUnsupported;
  Opcode opcode = Opcode::kUnknown;
  bool block_end = false;  // the next instruction starts another block
  bool guard_negated = false;
  bool implicit = false;  // the return at the end of a body
  bool plain = false;     // every operand is exactly as wide as its register, none is negated
  uint8_t source_count = 0, dest_count = 0;
  Mods mods;
  uint32_t guard_row = kNoRow;
  Dest dest[2];
  Source source[kMaxSources];
  AddressRef address;
  // In Program::sources (kStore, kPack) or Program::dests (kLoad, kUnpack, kMoveWide). kMatrix: index into Program::matrices.
  uint32_t element_first = 0, element_count = 0;
  // kBranch: pc. kBranchIndexed: index into Program::branch_tables. kCall: into Program::calls, or with a source into
  // Program::indirect_calls. kUnsupported: into Program::messages. kAtomic, kCopyAsync: into Program::atomics, Program::copies.
  // kWaitCopies: the groups that may stay under way. kAllocate: the alignment.
  // Collectives: the key under which lanes meet.
  uint32_t target = 0;
  uint32_t function = 0;
  // A warp collective whose member mask is not a constant has a twin of itself, without guard, behind all functions, and
  // after that a jump to where it goes on. In the twin, `twin` is the original.
  uint32_t twin = kNoRow;
  bool is_twin = false;
  const ir::Instruction* instruction = nullptr;  // of an implicit return: the last of the body, or null
};

enum class Special : uint8_t {
  kTid,
  kNtid,
  kCtaid,
  kNctaid,
  kLaneId,
  kLaneMaskEq,
  kLaneMaskLe,
  kLaneMaskLt,
  kLaneMaskGe,
  kLaneMaskGt,
  kDynamicSmemSize,
  kReservedSmem,  // %reserved_smem_offset_1
  kClusterId,
  kNclusterId,
  kZero,
  kOne,
};

struct SpecialUse {
  Special kind = Special::kTid;
  uint8_t component = 0;
  uint32_t row = 0;
};

// A range of Program::sources or Program::dests.
struct OperandRange {
  uint32_t first = 0, count = 0;
};

// Operands of a warp-level matrix instruction, as the manual names them.
struct MatrixInstruction {
  MatrixForm form;
  OperandRange d;         // dests
  OperandRange a, b, c;   // sources; of stores: a is what is stored
  OperandRange metadata;  // sparse A: e; `selector` is f
  uint32_t selector = 0;
  OperandRange scale_a, scale_b;  // the scales and their {byte-id, thread-id}
  OperandRange ids_a, ids_b;
  OperandRange stride;          // wmma.load, wmma.store; none: the width of the matrix
  bool through_memory = false;  // wmma.mma, wmma.store: memory that fragments were stored to hides the kinds of its fragments
};

struct ProgramFunction {
  const ir::Function* function = nullptr;
  uint32_t entry_pc = 0, end_pc = 0;
  uint32_t first_row = 0, row_count = 0;               // its registers
  uint32_t carry_row = kNoRow;                         // one of them: CC.CF, if it is used
  std::vector<std::pair<uint64_t, uint64_t>> locals;   // (offset, size) in the thread's local block
  std::vector<std::pair<uint64_t, uint64_t>> results;  // (offset, size) of its .param results in the call-parameter block
  std::vector<std::pair<uint64_t, uint64_t>> params;   // and of all its .param variables, those of its calls too
};

struct Program {
  std::vector<Decoded> code;  // the entry's come first: their pc is their InstructionIndex
  std::vector<uint32_t> rank_of_pc;
  std::vector<uint32_t> block_of_pc;      // unique over all functions
  std::vector<uint32_t> loop_head_of_pc;  // first pc of the innermost loop around; kNoRow outside loops
  PartingMap partings;
  std::vector<ProgramFunction> functions;
  std::vector<CallSite> calls;
  std::vector<IndirectCall> indirect_calls;
  std::vector<AtomicSite> atomics;
  std::vector<CopySite> copies;
  std::vector<std::vector<uint32_t>> branch_tables;
  std::vector<std::string> messages;
  std::vector<Source> sources;
  std::vector<Dest> dests;
  std::vector<MatrixInstruction> matrices;
  std::vector<uint64_t> constants;  // one value a row
  std::vector<SpecialUse> specials;
  uint32_t register_rows = 0;  // rows a warp, of registers; specials and the sink follow
  uint32_t row_count = 0;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_PROGRAM_H_
