// Names of one function: nested scopes of registers and variables (labels live elsewhere: they have a name space of
// their own, as ptxas has it).
#ifndef RACER_PTX_FRONTEND_PARSE_SYMBOLS_H_
#define RACER_PTX_FRONTEND_PARSE_SYMBOLS_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"

namespace racer::parse {

struct Symbol {
  enum class Kind : uint8_t { kNone, kRegister, kVariable, kFunction, kAmbiguous } kind = Kind::kNone;
  ir::RegId reg{};
  const ir::Variable* variable = nullptr;
  const ir::Function* function = nullptr;
};

// Registers of a range (`.reg .b32 %r<10>`) come into being when they are first named: a range of a billion costs nothing,
// and the machine's register file holds only what is used. Names are views into the source.
class FunctionScopes {
 public:
  explicit FunctionScopes(ir::Function* function) : function_(function) {}

  void Open(int scope) { scopes_.emplace_back().id = scope; }
  void Close() { scopes_.pop_back(); }

  // Each declares in the innermost scope; false if the name is taken there.
  bool DeclareRegister(std::string_view name, ScalarType type, uint8_t vector, ir::InstructionIndex at);
  bool DeclareRange(std::string_view prefix, uint64_t count, ScalarType type, uint8_t vector, ir::InstructionIndex at);
  bool DeclareVariable(std::string_view name, const ir::Variable* variable);

  // Innermost first. As in ptxas, `r01` names register 1 of a range `r<2>`. kAmbiguous: two ranges of one scope, such as
  // r<20> and r1<5>, both hold the name.
  Symbol Lookup(std::string_view name);

 private:
  struct Range {
    uint64_t count = 0;
    ScalarType type = ScalarType::kNone;
    uint8_t vector = 1;
    ir::InstructionIndex at = 0;
  };
  struct Scope {
    int id = 0;
    std::unordered_map<std::string_view, Symbol> names;  // declared, and range members that were named
    std::unordered_map<std::string_view, Range> ranges;  // by prefix
  };
  // A member of a range of `scope`, made if need be; kNone if no range holds it.
  Symbol LookupInRanges(Scope& scope, std::string_view name);
  ir::RegId AddRegister(std::string name, ScalarType type, uint8_t vector, int scope, ir::InstructionIndex at);

  ir::Function* function_;
  std::vector<Scope> scopes_;
  std::deque<std::string> canonical_names_;  // of range members that were first named with leading zeros
};

}  // namespace racer::parse

#endif  // RACER_PTX_FRONTEND_PARSE_SYMBOLS_H_
