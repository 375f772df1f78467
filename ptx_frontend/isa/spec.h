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
//   `label`, `any`. Without one it has the instruction's type: the class `.type`, else `.dtype`, else the last scalar type written.
// - `:imm` behind the name or its type: an integer literal. `:imm=-1|1` is one of these, `:imm=24..256/8` one from 24 to 256 that 8
//   divides, `size:u32<=n` one at most as large as that of operand n, if it is a literal. `pos:u32:lit=0..255`: a literal is of this range,
//   what is none is not looked at; with `:low` only the low 32 bits of it are.
// - `[a]` is an address (`[a:b32]` one in a register of that width), `x{|y}` a pair with optional second half, `x|y` one that must have
//   both, `{, c}` an optional operand; `{!}c` may be a predicate, and then negated, whatever its type. With a `.vec` class, d (ld) or b
//   (st) takes a `{...}` vector.
// - `sink`: any destination may be `_`; an operand that is spelled `_` must be.
// - `d:f32*4` is a vector of four, `{d0, d1, d2, d3}`; of one, `{d0}`; `d:f32{*1}`
//   leaves the braces out, too. `*2+` takes longer vectors and a bare element. `d:f32*n/2`: half as many as the N of
//   the shape (`.m64n96k16`) that is written.
// - `[a, c:s32*2]`: what follows the address inside its brackets, `[tensor, {x, y}]`; `[a{, s:b64}, c:s32]` likewise.
// - `{, c?mod}`: operand c is there exactly if the modifier `.mod` is.
//
// What lines would have to be multiplied out for is a Rule.
//
// Since when, where a part of a record is newer than its `since`: `@VERSION/TARGETS`, either half may be missing,
//
//   "add.type d, a, b; .type = { .f16@4.2/sm_53, .bf16@7.8/sm_90 }"     behind an option, a literal or a class
//   "@8.0/sm_90a wgmma.fence.sync.aligned"                             in front of a line: of all its forms
//   "@8.6/sm_100f|sm_120f cvt..."                                      any one of the targets
//
// sm_90 stands for that architecture and all later ones, sm_90a for itself alone, sm_100f for its family from there on
// (sm_100f, sm_100a, sm_103f, sm_103a). What is written must meet all requirements of its parts.
#ifndef RACER_PTX_FRONTEND_ISA_SPEC_H_
#define RACER_PTX_FRONTEND_ISA_SPEC_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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

// An architecture as .target names it.
struct Target {
  uint16_t number = 0;
  char suffix = 0;  // 'a': this architecture only; 'f': its family; 0: it and all later ones

  friend bool operator==(const Target&, const Target&) = default;
};
// Whether code for `module` may use what `required` has.
bool Admits(Target required, Target module);
std::string Spelling(Target target);                              // "sm_90a"
std::optional<Target> TargetFromSpelling(std::string_view text);  // "sm_90a", "compute_90a"
// The first .version, times ten, that knows this target; nullopt for a target that PTX 9.0 does not know.
std::optional<unsigned> FirstVersionOf(Target target);

// What a module must say to use something.
struct Requirement {
  unsigned version = 0;             // ten times .version; 0: any
  std::array<Target, 4> targets{};  // any one of these; none: any
  bool any_version() const { return version == 0; }
  bool any_target() const { return targets[0].number == 0; }
  bool trivial() const { return any_version() && any_target(); }
  bool MeetsTarget(Target module) const;
};
// "@7.8/sm_90" at the start of `text`, which loses it. nullopt if it is ill-formed.
std::optional<Requirement> TakeRequirement(std::string_view& text);
// ".version 7.8 and .target sm_90a or sm_100f"
std::string Describe(const Requirement& requirement);

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
  double low = 0, high = 0;  // of the magnitude of the operand (of div: of the divisor), inclusive; 0 and 0: any
};

// Modifiers that lines allow and PTX does not have together, or only since then.
struct Rule {
  // ".v8 & .u8|.s8|.L1::* & !.global": all of the groups; of a group one modifier is written, of one with `!` none. `*`: any rest.
  std::string_view when;
  std::string_view says;  // why not, or "@8.8/sm_100"
};
bool Applies(const Rule& rule, std::span<const std::string> modifiers);

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
  std::span<const Rule> rules = {};
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
