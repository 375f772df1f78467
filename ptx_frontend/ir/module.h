// The typed form of a PTX module: what the parser makes, the printer prints back, and the machine runs.
#ifndef RACER_PTX_FRONTEND_IR_MODULE_H_
#define RACER_PTX_FRONTEND_IR_MODULE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/isa/spec.h"
#include "ptx_frontend/isa/types.h"

namespace racer::ir {

// Dense per function; the machine's register file is indexed by it.
enum class RegId : uint32_t {};
// Index into Function::body.
using InstructionIndex = uint32_t;

struct Register {
  std::string name;  // as written, with its % if any; unique names are not guaranteed across scopes
  ScalarType type = ScalarType::kNone;
  uint8_t vector = 1;                // .reg .v2 .f32
  int scope = 0;                     // the Scope that declares it
  InstructionIndex declared_at = 0;  // stands before this instruction (for the printer)
};

// %tid.x, %laneid, ... `component` is 0..3 for x y z w, and the number of %envreg / %pm.
struct SpecialRegister {
  std::string name;  // "%tid", "%laneid", "%clock64", ...
  uint8_t component = 0;
  bool has_component = false;
};

struct Variable;
struct Function;
struct Operand;

// An address: [reg+imm], [variable+imm], [imm]; `variable` also names a parameter.
struct Address {
  std::optional<RegId> base;
  const Variable* variable = nullptr;
  int64_t offset = 0;
};

struct Operand {
  enum class Kind : uint8_t {
    kRegister,   // reg; negated for !p (and -r of the video instructions); vector_component for v.x; name for r.b0, r.h1
    kImmediate,  // bits: the integer literal as 64-bit two's complement
    kFloat,      // bits: of the literal as f64 (decimal, 0d) or f32 (0f): float_width says which
    kAddress,    // address; elements: what follows it inside the brackets, [texture, {x, y}]
    kVariable,   // variable: its address as a value (mov.u64 %rd, buf), plus address.offset
    kSpecial,    // special
    kVector,     // elements
    kSink,       // _
    kLabel,      // target, label
    kFunction,   // function by name (call targets, mov of a function address)
    kList,       // (a, b): call arguments and results
    kPair,       // elements[0] | elements[1]
  };
  Kind kind = Kind::kSink;
  RegId reg{};
  bool negated = false;
  int8_t vector_component = -1;
  uint8_t float_width = 64;
  bool unsigned_literal = false;  // written with a U suffix or not representable as s64
  uint64_t bits = 0;
  Address address;
  SpecialRegister special;
  InstructionIndex target = 0;  // kLabel: index of the first instruction at or after the label
  uint32_t label = 0;           // kLabel: index into Function::labels
  std::string name;             // kLabel, kFunction: as written; kRegister: selector
  std::vector<Operand> elements;
  SourceLocation location;
};

// A `.loc`: the source line an instruction came from, innermost first through inlined_at.
struct DebugLocation {
  uint32_t file = 0;  // number of the .file directive
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function_name;           // of an inlined body, if given
  std::optional<uint32_t> inlined_at;  // index into Module::debug_locations
};

struct Instruction {
  Opcode opcode = Opcode::kUnknown;
  Mods mods;
  // Modifiers exactly as written, in order, without dots: {"shared::cta", "v4", "f32"}. For kUnknown the only description.
  std::string mnemonic;
  std::vector<std::string> modifiers;
  // Why an instruction of a known mnemonic matched no grammar line (its opcode is then kUnknown).
  std::string unmatched;
  std::optional<RegId> guard;
  bool guard_negated = false;
  // In grammar order: destinations first as written. Optional operands that are absent are dropped from the end;
  // use OperandNamed for records whose middle operands are optional.
  std::vector<Operand> operands;
  // For each operand the type that the grammar gives it (kNone for labels and addresses).
  std::vector<ScalarType> operand_types;
  int scope = 0;
  SourceLocation location;
  std::optional<uint32_t> debug_location;  // index into Module::debug_locations

  std::string FullName() const;  // "ld.global.v4.f32"
};

// Contents of an initialised variable: bytes, and addresses of other variables put at offsets.
struct Initializer {
  struct Relocation {
    uint64_t offset = 0;
    std::string symbol;
    int64_t addend = 0;
    bool generic = false;  // generic(sym)
    uint8_t width = 8;
    uint64_t mask = ~uint64_t{0};  // 0xFF(sym) forms
  };
  std::vector<uint8_t> bytes;  // at most the variable's size; the rest is zero
  std::vector<Relocation> relocations;
};

enum class Linkage : uint8_t { kNone, kExtern, kVisible, kWeak, kCommon };

struct Variable {
  std::string name;
  StateSpace space = StateSpace::kGlobal;
  ScalarType type = ScalarType::kB8;
  uint8_t vector = 1;
  std::vector<uint64_t> dims;  // {} scalar; 0 stands for [] (unsized)
  uint64_t align = 0;          // bytes; never 0 after parsing
  Linkage linkage = Linkage::kNone;
  std::optional<Initializer> initializer;
  std::vector<std::string> initializer_text;  // tokens as written, for the printer
  std::vector<std::string> attributes;        // ".attribute(.managed)", as written
  // Kernel parameters: `.ptr .space .align N`.
  bool is_pointer = false;
  StateSpace pointer_space = StateSpace::kGeneric;
  uint64_t pointer_align = 0;
  int scope = -1;                    // -1: module scope
  InstructionIndex declared_at = 0;  // in a function: stands before this instruction (for the printer)
  SourceLocation location;

  uint64_t SizeBytes() const;  // 0 for an unsized array
};

// `{` ... `}` inside a function; scope 0 is the body itself, parent -1.
struct Scope {
  int parent = -1;
  InstructionIndex begin = 0;  // body index at which it opens / closes (for the printer)
  InstructionIndex end = 0;
};

struct Label {
  std::string name;
  InstructionIndex target = 0;
  int scope = 0;
  SourceLocation location;
  std::vector<std::string> branch_targets;     // `.branchtargets` list declared under this label
  std::vector<uint32_t> branch_target_labels;  // the same, as indices into Function::labels
  bool is_branch_targets = false;
  bool is_call_prototype = false;  // .callprototype or .calltargets
  std::string declaration_text;    // .callprototype/.calltargets as written
};

// A `.pragma` among the statements; applies to what follows it.
struct StatementDirective {
  InstructionIndex at = 0;
  int scope = 0;
  std::string text;  // without the semicolon
};

// Performance and launch directives of an entry.
struct LaunchBounds {
  std::optional<std::array<uint32_t, 3>> maxntid, reqntid, reqnctapercluster;
  std::optional<uint32_t> minnctapersm, maxnreg, maxclusterrank;
  bool explicitcluster = false, blocksareclusters = false;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;  // no body
  bool noreturn = false;
  Linkage linkage = Linkage::kNone;
  std::vector<Variable*> returns;  // .param or .reg
  std::vector<Variable*> params;
  LaunchBounds bounds;
  std::vector<std::string> directives;  // others (.pragma, .attribute, .abi_preserve, ...), as written
  std::vector<Register> registers;
  std::vector<Scope> scopes;
  std::vector<Label> labels;
  std::vector<StatementDirective> statement_directives;
  std::vector<Instruction> body;
  std::vector<std::unique_ptr<Variable>> variables;  // owns params, returns, .shared/.local/.param of the body
  SourceLocation location;
};

struct FileEntry {
  uint32_t number = 0;
  std::string name;
  std::optional<uint64_t> timestamp, size;
};

struct Alias {
  std::string name;
  std::string aliasee;
};

// What stands where at module scope, in the order of the text.
struct ModuleItem {
  enum class Kind : uint8_t { kVariable, kFunction, kFile, kSection, kAlias, kPragma } kind = Kind::kVariable;
  uint32_t index = 0;  // into the vector of that kind
};

struct Module {
  std::shared_ptr<const SourceFile> file;
  int version_major = 0, version_minor = 0;
  std::vector<std::string> target;  // {"sm_90", "debug"}
  int sm = 0;                       // 90
  bool arch_specific = false;       // sm_90a
  int address_size = 64;
  std::vector<std::unique_ptr<Variable>> variables;  // module scope
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<FileEntry> files;
  std::vector<DebugLocation> debug_locations;
  std::vector<std::string> raw_sections;  // .section {...} blocks and @@DWARF lines as written
  std::vector<Alias> aliases;
  std::vector<std::string> pragmas;  // at module scope, without the semicolon
  std::vector<ModuleItem> order;
  std::vector<std::string> contract_lines;  // text after `//! `, in order
  std::vector<int> contract_line_numbers;

  const Function* FindFunction(std::string_view name) const;
  std::vector<const Function*> Entries() const;  // entries with a body
  // "file.cu:12" of an instruction's .loc, outermost call site last ("a.cuh:3 inlined at file.cu:12"); empty without one.
  std::string SourceLine(const Instruction& instruction) const;
};

}  // namespace racer::ir

#endif  // RACER_PTX_FRONTEND_IR_MODULE_H_
