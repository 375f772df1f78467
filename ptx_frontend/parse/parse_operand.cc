// Operands (manual: "Instruction Operands").
#include <utility>

#include "ptx_frontend/lex/literal.h"
#include "ptx_frontend/parse/parser.h"
#include "ptx_frontend/parse/special_registers.h"

namespace racer::parse {
namespace {

// x y z w, or r g b a; -1 for anything else.
int ComponentOf(std::string_view selector) {
  static constexpr std::string_view kNames[] = {".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"};
  for (int i = 0; i < 8; ++i) {
    if (selector == kNames[i]) return i % 4;
  }
  return -1;
}

bool IsPartSelector(std::string_view selector) {
  return selector == ".b0" || selector == ".b1" || selector == ".b2" || selector == ".b3" || selector == ".h0" || selector == ".h1" ||
         selector == ".b10" || selector == ".b32" || selector == ".b3210" || selector == ".h10";
}

}  // namespace

Symbol Parser::Lookup(std::string_view name) {
  if (scopes_ != nullptr) {
    const Symbol local = scopes_->Lookup(name);
    if (local.kind != Symbol::Kind::kNone) return local;
  }
  Symbol symbol;
  const auto it = module_symbols_.find(name);
  if (it == module_symbols_.end()) return symbol;
  if (it->second.variable != nullptr) {
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = it->second.variable;
  } else if (it->second.declaration != nullptr || it->second.definition != nullptr) {
    symbol.kind = Symbol::Kind::kFunction;
    symbol.function = it->second.definition != nullptr ? it->second.definition : it->second.declaration;
  }
  return symbol;
}

bool Parser::ParseOperandList(TokenKind close, std::string_view what, std::vector<ir::Operand>* elements) {
  if (!EnterNesting(token_)) return false;
  Advance();
  if (!Is(close)) {
    do {
      if (!ParseOperand(&elements->emplace_back())) return false;
    } while (Accept(TokenKind::kComma));
  }
  LeaveNesting();
  return Expect(close, what);
}

bool Parser::ParseOperand(ir::Operand* operand, bool may_be_pair) {
  using Kind = ir::Operand::Kind;
  operand->location = At(token_);
  switch (token_.kind) {
    case TokenKind::kLeftBrace:
      operand->kind = Kind::kVector;
      if (!ParseOperandList(TokenKind::kRightBrace, "`,` or `}`", &operand->elements)) return false;
      return !may_be_pair || !Is(TokenKind::kPipe) || ParseSecondOfPair(operand);
    case TokenKind::kLeftBracket: return ParseAddress(operand);
    case TokenKind::kBang:
    case TokenKind::kMinus:
      if (next_.kind == TokenKind::kIdentifier && next_.text != "WARP_SZ") {
        const Token sign = token_;
        Advance();
        if (!ParseNamedOperand(operand)) return false;
        if (operand->kind != Kind::kRegister)
          return Error(DiagnosticKind::kPtxSyntax, sign, Describe(sign) + " in front of something else than a register");
        const ScalarType type = function_->registers[static_cast<size_t>(operand->reg)].type;
        if ((sign.kind == TokenKind::kBang) != (type == ScalarType::kPred)) {
          return Error(DiagnosticKind::kPtxType, sign, Describe(sign) + " in front of a register of type ." + std::string(Spelling(type)),
                       sign.kind == TokenKind::kBang ? "a predicate" : "a register that is no predicate");
        }
        operand->negated = true;
        if (sign.kind == TokenKind::kMinus) unsupported_ = "a register with a sign";
        return true;
      }
      return ParseConstantOperand(operand);
    case TokenKind::kIdentifier: {
      if (token_.text == "WARP_SZ") return ParseConstantOperand(operand);
      if (!ParseNamedOperand(operand)) return false;
      return !may_be_pair || !Is(TokenKind::kPipe) || ParseSecondOfPair(operand);
    }
    default: return ParseConstantOperand(operand);  // tokens; what starts no constant is an error there
  }
}

// `|q` behind a destination, which becomes a pair.
bool Parser::ParseSecondOfPair(ir::Operand* operand) {
  ir::Operand pair;
  pair.kind = ir::Operand::Kind::kPair;
  pair.location = operand->location;
  Advance();
  ir::Operand second;
  second.location = At(token_);
  if (!Is(TokenKind::kIdentifier)) return Unexpected("a register or `_`");
  if (!ParseNamedOperand(&second)) return false;
  pair.elements.push_back(std::move(*operand));
  pair.elements.push_back(std::move(second));
  *operand = std::move(pair);
  return true;
}

bool Parser::ParseConstantOperand(ir::Operand* operand) {
  Constant value;
  if (!ParseExpression(&value)) return false;
  operand->bits = value.bits;
  switch (value.kind) {
    case Constant::Kind::kSigned: operand->kind = ir::Operand::Kind::kImmediate; return true;
    case Constant::Kind::kUnsigned:
      operand->kind = ir::Operand::Kind::kImmediate;
      operand->unsigned_literal = true;
      return true;
    case Constant::Kind::kDouble:
      operand->kind = ir::Operand::Kind::kFloat;
      operand->float_width = 64;
      return true;
    case Constant::Kind::kSingle:
      operand->kind = ir::Operand::Kind::kFloat;
      operand->float_width = 32;
      return true;
  }
  return false;
}

bool Parser::ParseNamedOperand(ir::Operand* operand) {
  using Kind = ir::Operand::Kind;
  const Token name = token_;
  Advance();
  if (name.text == "_") {
    operand->kind = Kind::kSink;
    return true;
  }
  const Symbol symbol = Lookup(name.text);
  switch (symbol.kind) {
    case Symbol::Kind::kRegister:
      operand->kind = Kind::kRegister;
      operand->reg = symbol.reg;
      return !Is(TokenKind::kDotWord) || ParseSelector(operand);
    case Symbol::Kind::kVariable:
      operand->kind = Kind::kVariable;
      operand->address.variable = symbol.variable;
      if (Is(TokenKind::kLeftBracket)) return ParseIndexedVariable(operand);
      if (Is(TokenKind::kPlus)) return ParseAddressOffset(&operand->address.offset);
      return true;
    case Symbol::Kind::kFunction:
      operand->kind = Kind::kFunction;
      operand->name = name.text;
      return true;
    case Symbol::Kind::kAmbiguous:
      return Error(DiagnosticKind::kPtxRedeclared, name, Describe(name) + " belongs to two register ranges of one scope");
    case Symbol::Kind::kNone: break;
  }
  if (std::optional<SpecialName> special = FindSpecialRegister(name.text)) {
    operand->kind = Kind::kSpecial;
    if (const std::string unmet = Unmet(special->since); !unmet.empty())
      Error(DiagnosticKind::kPtxVersion, name, Describe(name) + " " + unmet);
    operand->special = std::move(special->special);
    if (Is(TokenKind::kDotWord)) {
      const int component = ComponentOf(token_.text);
      if (!special->is_vector || component < 0)
        return Error(DiagnosticKind::kPtxSyntax, token_, Describe(name) + " has no component " + Describe(token_));
      operand->special.component = static_cast<uint8_t>(component);
      operand->special.has_component = true;
      Advance();
    }
    return true;
  }
  // The rest of the statement is still read, for its own errors.
  Error(DiagnosticKind::kPtxUndeclared, name, Describe(name) + " is not declared");
  operand->kind = Kind::kSink;
  operand->name = name.text;
  if (Is(TokenKind::kDotWord)) Advance();
  return true;
}

bool Parser::ParseSelector(ir::Operand* operand) {
  const ir::Register& reg = function_->registers[static_cast<size_t>(operand->reg)];
  const Token selector = token_;
  Advance();
  if (reg.vector > 1) {
    const int component = ComponentOf(selector.text);
    if (component < 0 || component >= reg.vector) {
      return Error(DiagnosticKind::kPtxType, selector,
                   "vector register `" + reg.name + "` of " + std::to_string(reg.vector) + " elements has no " + Describe(selector));
    }
    operand->vector_component = static_cast<int8_t>(component);
    return true;
  }
  if (!IsPartSelector(selector.text))
    return Error(DiagnosticKind::kPtxType, selector, "register `" + reg.name + "` is no vector: it has no " + Describe(selector));
  operand->name = selector.text.substr(1);
  unsupported_ = "a register with the selector " + std::string(selector.text);
  return true;
}

// `a[3]`: the address of an element (manual: "Arrays as Operands").
bool Parser::ParseIndexedVariable(ir::Operand* operand) {
  const ir::Variable& variable = *operand->address.variable;
  if (!EnterNesting(token_)) return false;
  Advance();
  if (Is(TokenKind::kIdentifier) && token_.text != "WARP_SZ") {
    ir::Operand index;
    if (!ParseNamedOperand(&index)) return false;
    if (index.kind == ir::Operand::Kind::kRegister) operand->address.base = index.reg;
    unsupported_ = "an array indexed by a register";
  } else {
    Constant index;
    const Token at = token_;
    if (!ParseExpression(&index)) return false;
    if (!index.IsInteger()) return Error(DiagnosticKind::kPtxType, at, "an array index that is no integer");
    if (variable.dims.empty()) return Error(DiagnosticKind::kPtxType, at, "`" + variable.name + "` is no array");
    if (index.kind == Constant::Kind::kSigned && index.AsSigned() < 0) return Error(DiagnosticKind::kPtxType, at, "a negative array index");
    // In elements of the scalar type, whatever the number of dimensions: so ptxas has it.
    operand->address.offset = static_cast<int64_t>(index.bits * ((BitWidth(variable.type) + 7) / 8));
  }
  LeaveNesting();
  return Expect(TokenKind::kRightBracket, "`]`");
}

// `+ constant`: behind the `+` stands a whole expression, of which the chain `8 - 4` is one. `[a - 4]` is spelled `[a+-4]`.
bool Parser::ParseAddressOffset(int64_t* offset) {
  Advance();
  const Token at = token_;
  Constant value;
  if (!ParseExpression(&value)) return false;
  if (!value.IsInteger()) return Error(DiagnosticKind::kPtxType, at, "an address offset that is no integer");
  *offset = static_cast<int64_t>(value.bits);
  return true;
}

bool Parser::ParseAddress(ir::Operand* operand) {
  operand->kind = ir::Operand::Kind::kAddress;
  if (!EnterNesting(token_)) return false;
  Advance();
  if (Is(TokenKind::kIdentifier) && token_.text != "WARP_SZ") {
    const Token name = token_;
    Advance();
    const Symbol symbol = Lookup(name.text);
    switch (symbol.kind) {
      case Symbol::Kind::kRegister: {
        operand->address.base = symbol.reg;
        const ir::Register& reg = function_->registers[static_cast<size_t>(symbol.reg)];
        const TypeClass type_class = ClassOf(reg.type);
        if (type_class == TypeClass::kFloat || type_class == TypeClass::kPredicate || reg.vector > 1 || BitWidth(reg.type) > 64) {
          Error(DiagnosticKind::kPtxType, name,
                "register " + Describe(name) + " of type ." + std::string(Spelling(reg.type)) + " as an address", "an integer register");
        }
        break;
      }
      case Symbol::Kind::kVariable: operand->address.variable = symbol.variable; break;
      case Symbol::Kind::kFunction:
        Error(DiagnosticKind::kPtxType, name, "function " + Describe(name) + " as an address", "a register or a variable");
        break;
      case Symbol::Kind::kAmbiguous:
        Error(DiagnosticKind::kPtxRedeclared, name, Describe(name) + " belongs to two register ranges of one scope");
        break;
      case Symbol::Kind::kNone:
        if (FindSpecialRegister(name.text)) {
          Error(DiagnosticKind::kPtxType, name, "special register " + Describe(name) + " as an address", "a register or a variable");
          if (Is(TokenKind::kDotWord)) Advance();
        } else {
          Error(DiagnosticKind::kPtxUndeclared, name, Describe(name) + " is not declared");
        }
        break;
    }
    // What is wrong is no literal: that would be one more error.
    if (symbol.kind != Symbol::Kind::kRegister && symbol.kind != Symbol::Kind::kVariable) operand->name = name.text;
    if (Is(TokenKind::kPlus) && !ParseAddressOffset(&operand->address.offset)) return false;
  } else {
    const Token at = token_;
    Constant value;
    if (!ParseExpression(&value)) return false;
    if (!value.IsInteger()) return Error(DiagnosticKind::kPtxType, at, "an address that is no integer");
    operand->address.offset = value.AsSigned();
  }
  while (Accept(TokenKind::kComma)) {
    if (!ParseOperand(&operand->elements.emplace_back())) return false;
  }
  LeaveNesting();
  return Expect(TokenKind::kRightBracket, "`]`");
}

bool Parser::ParseLabelOperand(ir::Operand* operand) {
  operand->location = At(token_);
  operand->kind = ir::Operand::Kind::kLabel;
  operand->name = token_.text;
  return Expect(TokenKind::kIdentifier, "a label");
}

}  // namespace racer::parse
