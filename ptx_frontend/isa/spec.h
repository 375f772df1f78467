// One record an instruction: how it is written, what it does, who vouches for it.
//
// Grammar lines follow the manual's notation, with operand types written out so that the
// operand parser, the type check, the printer and the decoder all come from them:
//
//   "add{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = { .rn, .rz, .rm, .rp }"
//   "setp.cmp.bop{.ftz}.type p:pred{|q:pred}, a, b, {!}c:pred; .cmp = {...} .bop = {...} .type = {...}"
//   "shl.type d, a, b:u32; .type = { .b16, .b32, .b64 }"
//   "ld{.weak}{.ss}{.vec}.type d, [a]; .ss = {...} ..."
//
// - `.x` is a class if the definitions after `;` define it, else a literal modifier; `{.x}` is optional.
// - Operands named d, p, q are destinations, all others sources. `name:type` gives its type: a scalar
//   type, `.class` (the type matched by that class), `wide` (twice the width of the instruction type),
//   `label`, `any`. Without one it has the instruction's type: the class `.type`, else `.dtype`, else
//   the last scalar type written.
// - `[a]` is an address, `x{|y}` a pair with optional second half, `{, c}` an optional operand,
//   `{!}c` may be negated. With a `.vec` class, d (ld) or b (st) takes a `{...}` vector.
// - `name:type*n` is a vector of exactly n elements of that type, written `{...}` even where n is 1; for
//   `name:type{*1}` the braces may be left out.
// - `sink`: any destination may be `_`.
#ifndef RACER_PTX_FRONTEND_ISA_SPEC_H_
#define RACER_PTX_FRONTEND_ISA_SPEC_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ptx_frontend/isa/types.h"

namespace racer {

// Picks the shape of the record's functions.
enum class Effect : uint8_t {
  kValue,       // template <Domain D> static Val Eval(D&, const Mods&, Val a[, Val b[, Val c]]), or EvalMulti
  kMemory,      // ld, st, ...: performed by the machine's memory
  kCollective,  // shfl, vote, bar, ...: a rendezvous of lanes, then a pure combination
  kControl,     // bra, call, ret, exit, ...
  kNone,        // accepted, no effect on values (prefetch, pragma-like)
  kUnmodelled,  // parses; reaching it is UNDECIDED by name
};

enum class Fidelity : uint8_t { kExact, kBounded, kUninterpreted };

struct Since {
  uint8_t ptx = 10;  // 10 * major + minor of .version
  uint8_t sm = 10;
};

enum class From : uint8_t { kManual, kHardware };

// An edge example: modifiers as written after the mnemonic, operand patterns in order (vectors flattened, the carry last), the
// result pattern, and what goes to the second destination or the carry where the example says so.
struct Example {
  std::string_view mods;
  std::array<uint64_t, 6> in;
  uint64_t out;
  From from;
  std::optional<uint64_t> second = std::nullopt;
};

// What the manual grants a form of bounded fidelity: the largest error against the exact value. The first bound that is for the
// form's type and for the magnitude of its last operand holds; where none is, the manual promises nothing.
struct Bound {
  enum class Measure : uint8_t { kUlp, kRelative, kAbsolute } measure = Measure::kUlp;
  ScalarType type = ScalarType::kNone;  // the element of a packed type
  double error = 0;
  double low = 0, high = 0;  // of the magnitude, inclusive; 0 and 0: any
};

struct Spec {
  std::string_view mnemonic;
  std::span<const std::string_view> grammar;
  std::string_view isa;  // anchor of the manual's section
  Since since;
  Effect effect = Effect::kValue;
  Fidelity fidelity = Fidelity::kExact;
  std::span<const Example> examples = {};
  std::span<const Bound> bounds = {};
  // The carry flag CC.CF is an operand that is not written: the last source where it is read, the second result of .cc.
  bool reads_carry = false;
};

// Every instruction that the front end knows, in instructions.def order.
enum class Opcode : uint16_t {
  kUnknown,
#define RACER_INSTRUCTION(name) k##name,
#include "ptx_frontend/isa/instructions.def"
};

const Spec& SpecOf(Opcode opcode);  // opcode != kUnknown

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_SPEC_H_
