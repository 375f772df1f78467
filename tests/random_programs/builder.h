// Statements of a generated program. One Builder a function; it names the function's registers and labels.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_BUILDER_H_
#define RACER_TESTS_RANDOM_PROGRAMS_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ptx_frontend/isa/types.h"
#include "tests/random_programs/forms.h"
#include "tests/random_programs/program.h"
#include "tests/random_programs/rng.h"

namespace racer::programs {

// How many registers of each sort a function computes with: %p %rs %r %rd %f %fd. A vector may take four of any sort.
struct Pool {
  uint32_t p = 8, rs = 8, r = 12, rd = 8, f = 8, fd = 6;
};

// A function that the kernel may call.
struct Callee {
  std::string name;
  std::vector<ScalarType> parameters;
  ScalarType result = ScalarType::kB32;
  bool by_register = false;  // .reg instead of .param
};

inline constexpr uint32_t kSharedSlot = 16;    // bytes a thread owns in shared memory
inline constexpr uint32_t kLocalBytes = 64;    // of local memory
inline constexpr uint32_t kTableBytes = 128;   // of each of the tables tc (.const) and tg (.global)
inline constexpr uint32_t kScratchBytes = 32;  // of its row, where a thread loads and stores

class Builder {
 public:
  Builder(Rng& rng, const FormTable& forms, const Pool& pool, std::string label_prefix)
      : rng_(rng), forms_(forms), pool_(pool), label_prefix_(std::move(label_prefix)) {}

  // Where a statement stands.
  struct Place {
    int depth = 0;          // of branches and loops
    int trips = 1;          // how often the loops around it run at most
    bool converged = true;  // every thread of the CTA comes by together
    bool kernel = true;     // memory and calls are at hand
  };

  std::vector<Node> Block(uint32_t statements, const Place& place);
  Node Statement(const Place& place);

  // Straight-line statements (builder_value.cc).
  Node Value();
  Node Pack();
  Node Immediate();
  Node MoveBits();
  Node AddressArithmetic();
  Node CarryChain();
  // Memory of the thread's own and tables (builder_memory.cc).
  Node TableLoad();
  Node LocalAccess();
  Node ScratchAccess();
  Node Exchange();
  Node AtomicOfOwn();
  Node AtomicOfAll();
  Node Call(const Callee& callee);
  // Warp-wide and CTA-wide operations (builder_warp.cc).
  Node Warp(const std::string& mask, uint32_t segment);
  Node MaskedWarp();
  Node Barrier();
  // Control flow (builder_control.cc).
  Node If(const Place& place);
  Node Loop(const Place& place);
  Node Switch(const Place& place);
  Node EarlyExit();

  // Lines that declare what the statements so far use.
  std::vector<std::string> Declarations() const;
  // A register that holds a value of this type; `wider`: maybe more bits than that; `typed`: no floating-point register for .bN.
  std::string Register(ScalarType type, bool wider = false, bool typed = false);
  // Different registers for the elements of a vector, which must be of one type.
  std::vector<std::string> VectorRegisters(ScalarType type, uint32_t count, bool wider, bool typed = false);
  std::string Predicate() { return "%p" + std::to_string(rng_.Below(pool_.p)); }
  std::string SignedPredicate() { return (rng_.Chance(30) ? "!" : "") + Predicate(); }
  std::string Guard(uint32_t percent);
  std::string Literal(ScalarType type);
  std::vector<std::string> Canonical(ScalarType type, const std::string& name);

  uint32_t threads = 0;  // of a CTA
  std::vector<Callee> callees;
  bool values_only = false;  // see Shape

 private:
  std::string Label(const std::string& what) { return "$" + label_prefix_ + std::to_string(label_) + "_" + what; }
  std::string Temp32() { return "%t" + std::to_string(temps_++ % 8); }
  std::string Temp64() { return "%u" + std::to_string(temps_++ % 8); }
  // `line` guarded by a fresh copy of... a condition: sets %q and gives its name.
  std::string Condition(std::vector<std::string>& lines, bool uniform);
  // A byte offset into `bytes` bytes, aligned to `align`: a number or a register computed by `lines`.
  std::string Offset(std::vector<std::string>& lines, const std::string& base, uint32_t bytes, uint32_t align);
  // A load of a random type and width of at most `limit` bytes, or a store with lines before it.
  struct Access {
    std::string modifiers, operand;
    uint32_t bytes = 0;
  };
  Access RandomAccess(uint32_t limit, std::vector<std::string>* store = nullptr);

  Rng& rng_;
  const FormTable& forms_;
  const Pool pool_;
  const std::string label_prefix_;
  uint32_t label_ = 0, temps_ = 0, counters_ = 0, conditions_ = 0;
};

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_BUILDER_H_
