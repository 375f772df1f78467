// Running one kernel launch on one machine: what goes in and what comes out.
#ifndef RACER_SYMEXEC_MACHINE_RUN_H_
#define RACER_SYMEXEC_MACHINE_RUN_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/term/term.h"

namespace racer {

using Dim3 = std::array<uint32_t, 3>;

// Hardware limits checked before a launch (CUDA C++ Programming Guide, "Compute Capabilities").
struct LaunchConfig {
  Dim3 grid{1, 1, 1};
  Dim3 block{1, 1, 1};
  uint64_t dynamic_shared = 0;
};

// A tensor in global memory: [base, base + size), with unmapped guard zones on both sides.
// Bases are chosen so that an address has exactly the alignment that the contract grants.
struct BufferSpec {
  std::string name;
  uint64_t size = 0;   // bytes
  uint64_t align = 1;  // bytes, power of two
  uint64_t phase = 0;  // below 2^38: the base modulo 2^40; 0: `align`
  bool readable = true;
  bool writable = true;     // a store to a buffer that is not is a `preserve` violation
  bool initialised = true;  // false: every byte starts undefined
};

// Argument of one .param, in .param order.
struct Argument {
  enum class Kind : uint8_t { kBuffer, kBits, kTerm, kFields } kind = Kind::kBits;
  int buffer = -1;             // kBuffer: index into RunConfig::buffers
  uint64_t buffer_offset = 0;  // bytes
  uint64_t bits = 0;           // kBits: the low bytes of the parameter
  TermId term = kNoTerm;       // kTerm: a B term of the parameter's width (Term machine only)
  // kFields: the parts of a structure; the bytes between them are undefined. Of a field: its place in the structure.
  std::vector<Argument> fields = {};
  uint64_t field_offset = 0, field_bytes = 0;
};

struct RunLimits {
  uint64_t max_thread_instructions = uint64_t{4} << 30;
  uint64_t max_terms = uint64_t{1} << 28;
  uint64_t max_memory_bytes = uint64_t{4} << 30;
  double deadline_seconds = 0;  // steady-clock seconds from the start of the run; 0: none
};

// Initial contents of a buffer. For Term either concrete bytes or one symbol.
struct BufferContents {
  std::vector<uint8_t> bytes;      // empty: see symbol / uninitialised
  std::optional<SymbolId> symbol;  // Term: element i of the buffer is input cell `cells[i]` of the symbol, or i if `cells` is empty
  ScalarType dtype = ScalarType::kNone;
  std::vector<uint32_t> cells;  // element index -> cell index; 0xffffffff: padding, uninitialised
};

struct RunConfig {
  const ir::Module* module = nullptr;
  const ir::Function* entry = nullptr;
  LaunchConfig launch;
  std::vector<BufferSpec> buffers;
  std::vector<BufferContents> contents;  // same length as buffers
  std::vector<Argument> arguments;
  RunLimits limits;
  bool check_races = true;
  // Order in which the CTAs run; results must not depend on it.
  enum class CtaOrder : uint8_t { kForward, kReverse } cta_order = CtaOrder::kForward;
  // activemask where lanes of the warp have parted: left open by the manual, and so refused. With this it is the lanes that the scheduler
  // runs together, which meet again where their paths do; the run lists that as an assumption.
  bool assume_reconvergence = false;
  // Where functions lie is nowhere said, and so their addresses are refused. With this they lie at made-up ones and can be called through
  // them; the run lists that as an assumption.
  bool assume_function_addresses = false;
  bool record_signature = false;  // fill RunResult::signature and selections (Bits, skeleton runs)
  // Term: whether two patterns are equal over the reals, or bit for bit. Asked of values that lanes of one instruction store to one
  // place; not set: only the same term is.
  std::function<bool(TermId, TermId)> equal_values = nullptr;
  uint8_t run_tag = 0;  // top byte of the origins and Undef causes of this run: runs over one TermStore need different ones
};

enum class Gate : uint8_t {
  kParse,
  kLaunch,
  kBounds,
  kInit,
  kRace,
  kSync,
  kPreserve,
  kEquivalence,
  kIndexWidth,
  kSpecialValues,
  kRounding,
  kDeterminism,
  kIntegerExact,
};

// A place in a kernel: the PTX line and, with -lineinfo, the source line.
struct Where {
  std::string file;
  int line = 0;
  std::string text;    // the PTX line, trimmed
  std::string source;  // "file.cu:12" or empty
};

// One violated rule. The first place is where it was noticed, the second (races, barriers) what it conflicts with.
struct Finding {
  Gate gate = Gate::kBounds;
  std::string message;  // names threads, addresses as tensor[cell], sizes
  std::vector<Where> where;
};

struct RunStats {
  uint64_t thread_instructions = 0;
  uint64_t warp_instructions = 0;
  uint64_t terms = 0;
  uint64_t shared_bytes = 0;
  uint64_t peak_bytes = 0;
};

// What a finished output byte range holds.
struct CellValue {
  enum class State : uint8_t { kUnwritten, kUndefined, kConcrete, kSymbolic } state = State::kUnwritten;
  uint64_t bits = 0;
  TermId term = kNoTerm;  // B term of the cell's width; also for kUndefined (contains an Undef)
  uint32_t writer = 0;    // origin of the last store (see DescribeOrigin); 0: never stored to
};

// How an instruction that compares integers (setp, set, min, max) came out in a run, over all threads.
struct SelectionSeen {
  const ir::Instruction* instruction = nullptr;
  bool held = false;    // setp, set: true; min, max: the first operand was the smaller one
  bool failed = false;  // the contrary
};

// A reason of kUnsupported that other values of the inputs would not give.
inline constexpr std::string_view kSumOfConstants = "a sum of constants that depends on the order of atomics";

struct RunResult {
  enum class Status : uint8_t {
    kCompleted,    // every thread exited; findings may still be present (uninitialised values in outputs come from the cells)
    kViolation,    // stopped by findings[0]
    kUnsupported,  // reached something that racer does not model: reason, place
    kBudget,       // a limit of RunLimits: reason names it
  } status = Status::kCompleted;
  std::string reason;
  std::optional<Where> place;
  std::vector<Finding> findings;
  std::vector<std::string> assumptions;  // what the run took for granted about this kernel
  // Where RunConfig::equal_values let lanes store values that are equal over the reals alone: nothing may depend on their bits.
  std::optional<Where> rounded_choice;
  RunStats stats;
  uint64_t signature = 0;
  std::vector<SelectionSeen> selections;  // with a signature: every such instruction of the program, in order
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_RUN_H_
