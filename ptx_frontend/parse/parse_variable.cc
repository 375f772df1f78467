// Declarations of variables, registers and parameters.
#include <limits>
#include <utility>

#include "base/check.h"
#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {
namespace {

constexpr size_t kMaxRegisters = size_t{1} << 20;
constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 48;

uint64_t ElementBytes(const ir::Variable& v) { return BitWidth(v.type) / 8 * v.vector; }

}  // namespace

std::optional<StateSpace> Parser::VariableSpace(std::string_view dotted) {
  if (dotted == ".global") return StateSpace::kGlobal;
  if (dotted == ".const") return StateSpace::kConst;
  if (dotted == ".shared" || dotted == ".shared::cta") return StateSpace::kShared;
  if (dotted == ".local") return StateSpace::kLocal;
  if (dotted == ".param") return StateSpace::kParam;
  if (dotted == ".tex") return StateSpace::kTex;
  return std::nullopt;
}

// Alignment, vector, type and attributes in any order, up to the name.
bool Parser::ParseTypeWritten(TypeWritten* type) {
  while (Peek().kind == TokenKind::kDotted) {
    const Token& token = Take();
    if (token.text == ".align") {
      const Token& at = Peek();
      const std::optional<uint64_t> align = TakeInteger("an alignment in bytes");
      if (!align) return false;
      constexpr uint64_t kMaxAlign = uint64_t{1} << 30;
      if (*align == 0 || (*align & (*align - 1)) != 0 || *align > kMaxAlign) {
        return FailAt(at, DiagnosticKind::kPtxType, "`" + std::string(at.text) + "` is no alignment", "a power of two");
      }
      (type->is_pointer ? type->pointer_align : type->align) = *align;
    } else if (token.text == ".v2" || token.text == ".v4" || token.text == ".v8") {
      type->vector = static_cast<uint8_t>(token.text[2] - '0');
    } else if (token.text == ".ptr") {
      type->is_pointer = true;
      if (Peek().kind == TokenKind::kDotted && !At(".align")) {
        const std::optional<StateSpace> space = VariableSpace(Peek().text);
        if (!space) return Fail("`.global`, `.const`, `.local` or `.shared`");
        type->pointer_space = *space;
        Take();
      }
    } else if (token.text == ".attribute") {
      const size_t first = at_;
      if (!Expect("(", "after `.attribute`")) return false;
      for (int depth = 1; depth > 0;) {
        if (Peek().kind == TokenKind::kEnd || At(";")) return Fail("`)` after the attributes");
        const Token& inner = Take();
        depth += inner.Is("(") ? 1 : inner.Is(")") ? -1 : 0;
      }
      type->attributes.push_back(".attribute" + TextBetween(first, at_));
    } else {
      const std::optional<ScalarType> scalar = ScalarTypeFromSpelling(token.text.substr(1));
      if (!scalar || type->type != ScalarType::kNone) {
        return FailAt(token, DiagnosticKind::kPtxSyntax, "found `" + std::string(token.text) + "`",
                      scalar ? "one type" : "a type such as `.b32`");
      }
      type->type = *scalar;
    }
  }
  if (type->type == ScalarType::kNone) return Fail("a type such as `.b32`");
  return true;
}

bool Parser::ParseDimensions(ir::Variable* variable) {
  while (Accept("[")) {
    const Token& at = Peek();
    int64_t extent = 0;
    if (!At("]")) {
      const std::optional<int64_t> written = ParseConstantInteger("a number of elements");
      if (!written) return false;
      extent = *written;
      if (extent <= 0) return FailAt(at, DiagnosticKind::kPtxType, "an array of " + std::to_string(extent) + " elements", "at least one");
    } else if (!variable->dims.empty()) {
      return Fail("a number of elements (only the first dimension may be left open)");
    }
    variable->dims.push_back(static_cast<uint64_t>(extent));
    if (!Expect("]", "after the number of elements")) return false;
  }
  uint64_t size = ElementBytes(*variable);
  for (const uint64_t extent : variable->dims) {
    if (extent != 0 && size > kMaxVariableBytes / extent) {
      return FailAt(Peek(), DiagnosticKind::kPtxType, "`" + variable->name + "` is larger than 2^48 bytes");
    }
    size *= extent == 0 ? 1 : extent;
  }
  return true;
}

bool Parser::ParseVariables(StateSpace space, ir::Linkage linkage) {
  TypeWritten type;
  if (!ParseTypeWritten(&type)) return false;
  if (type.type == ScalarType::kPred) return FailAt(Peek(), DiagnosticKind::kPtxType, "a variable in memory is a predicate", "`.reg`");
  do {
    const Token& name = Peek();
    if (!TakeIdentifier("the variable's name")) return false;
    auto variable = std::make_unique<ir::Variable>();
    variable->name = name.text;
    variable->space = space;
    variable->type = type.type;
    variable->vector = type.vector;
    variable->linkage = linkage;
    variable->attributes = type.attributes;
    variable->is_pointer = type.is_pointer;
    variable->pointer_space = type.pointer_space;
    variable->pointer_align = type.pointer_align;
    variable->align = type.align != 0 ? type.align : ElementBytes(*variable);
    variable->location = LocationOf(file_, name);
    variable->scope = scope_;
    if (function_ != nullptr) variable->declared_at = static_cast<ir::InstructionIndex>(function_->body.size());
    if (At("<")) {
      // .param .b32 p<4>: the manual allows it for registers only.
      return Fail("`;`, `,`, `[` or `=` (only registers come in ranges)");
    }
    if (!ParseDimensions(variable.get())) return false;
    if (!Declare(name.text, {.kind = Symbol::Kind::kVariable, .variable = variable.get()}, name)) return false;
    ir::Variable* declared = variable.get();
    (function_ != nullptr ? function_->variables : module_->variables).push_back(std::move(variable));
    if (Accept("=") && !ParseInitializer(declared)) return false;
  } while (Accept(","));
  return Expect(";", "after the declaration");
}

bool Parser::DeclareRegister(std::string name, const TypeWritten& type, const Token& at) {
  if (function_->registers.size() >= kMaxRegisters) {
    return FailAt(at, DiagnosticKind::kPtxSyntax, "more than " + std::to_string(kMaxRegisters) + " registers in one function");
  }
  const auto id = static_cast<ir::RegId>(function_->registers.size());
  if (!Declare(name, {.kind = Symbol::Kind::kRegister, .reg = id}, at)) return false;
  ir::Register reg;
  reg.name = std::move(name);
  reg.type = type.type;
  reg.vector = type.vector;
  reg.scope = scope_;
  reg.declared_at = static_cast<ir::InstructionIndex>(function_->body.size());
  function_->registers.push_back(std::move(reg));
  return true;
}

// After `.reg`.
bool Parser::ParseRegisters() {
  TypeWritten type;
  if (!ParseTypeWritten(&type)) return false;
  do {
    const Token& name = Peek();
    if (!TakeIdentifier("the register's name")) return false;
    if (!Accept("<")) {
      if (!DeclareRegister(std::string(name.text), type, name)) return false;
      continue;
    }
    const Token& at = Peek();
    const std::optional<uint64_t> count = TakeInteger("a number of registers");
    if (!count || !Expect(">", "after the number of registers")) return false;
    if (*count > kMaxRegisters) return FailAt(at, DiagnosticKind::kPtxSyntax, "a range of " + std::string(at.text) + " registers");
    for (uint64_t i = 0; i < *count; ++i) {
      if (!DeclareRegister(std::string(name.text) + std::to_string(i), type, name)) return false;
    }
  } while (Accept(","));
  return Expect(";", "after the declaration");
}

// `(` .param or .reg declarations `)`.
bool Parser::ParseParameters(ir::Function* function, std::vector<ir::Variable*>* into) {
  if (!Expect("(", "before the parameters")) return false;
  if (Accept(")")) return true;
  do {
    const bool is_register = Accept(".reg");
    if (!is_register && !Accept(".param")) return Fail("`.param` or `.reg`");
    TypeWritten type;
    if (!ParseTypeWritten(&type)) return false;
    if (type.type == ScalarType::kPred && !is_register) {
      return FailAt(Peek(), DiagnosticKind::kPtxType, "a parameter in memory is a predicate", "`.reg`");
    }
    const Token& name = Peek();
    if (!TakeIdentifier("the parameter's name")) return false;
    auto variable = std::make_unique<ir::Variable>();
    variable->name = name.text;
    variable->space = is_register ? StateSpace::kReg : StateSpace::kParam;
    variable->type = type.type;
    variable->vector = type.vector;
    variable->attributes = type.attributes;
    variable->is_pointer = type.is_pointer;
    variable->pointer_space = type.pointer_space;
    variable->pointer_align = type.pointer_align;
    variable->align = type.align != 0 ? type.align : std::max<uint64_t>(1, ElementBytes(*variable));
    variable->location = LocationOf(file_, name);
    variable->scope = 0;
    if (!ParseDimensions(variable.get())) return false;
    if (is_register) {
      if (!variable->dims.empty()) return FailAt(name, DiagnosticKind::kPtxType, "a register parameter is an array", "`.param`");
      if (name.text != "_") {
        if (!DeclareRegister(std::string(name.text), type, name)) return false;
        function->registers.back().is_parameter = true;
      }
    } else if (name.text != "_" && !Declare(name.text, {.kind = Symbol::Kind::kVariable, .variable = variable.get()}, name)) {
      return false;
    }
    into->push_back(variable.get());
    function->variables.push_back(std::move(variable));
  } while (Accept(","));
  return Expect(")", "after the parameters");
}

}  // namespace racer::parse_internal
