#include <utility>

#include "base/check.h"
#include "ptx_frontend/parse/parser.h"
#include "ptx_frontend/parse/special_registers.h"

namespace racer::parse_internal {

using ir::Operand;

std::optional<Operand> Parser::ParseOperand() {
  std::optional<Operand> operand = ParsePrimary();
  if (!operand || !At("|")) return operand;
  Take();
  std::optional<Operand> second = ParsePrimary();
  if (!second) return std::nullopt;
  Operand pair;
  pair.kind = Operand::Kind::kPair;
  pair.location = operand->location;
  pair.elements.push_back(*std::move(operand));
  pair.elements.push_back(*std::move(second));
  return pair;
}

std::optional<Operand> Parser::ParsePrimary() {
  const Nested nested(this);
  if (!nested.ok()) return std::nullopt;
  const Token& token = Peek();
  // `-a` of the video instructions; kept as negated, and refused by the match everywhere else.
  if ((token.Is("!") || token.Is("-")) && Peek(1).kind == TokenKind::kIdentifier && Peek(1).text != "WARP_SZ") {
    Take();
    std::optional<Operand> operand = ParseNamed();
    if (!operand) return std::nullopt;
    if (operand->kind != Operand::Kind::kRegister) {
      FailAt(token, DiagnosticKind::kPtxSyntax, "`" + std::string(token.text) + "` stands before something else than a register",
             "a register");
      return std::nullopt;
    }
    const bool is_predicate = function_->registers[static_cast<size_t>(operand->reg)].type == ScalarType::kPred;
    if (is_predicate != token.Is("!")) {
      FailAt(token, DiagnosticKind::kPtxType,
             "`" + std::string(token.text) + "` stands before a register that is " + (is_predicate ? "a" : "no") + " predicate");
      return std::nullopt;
    }
    operand->negated = true;
    return operand;
  }
  if (AtConstant()) {
    Operand operand;
    operand.location = Here();
    const std::optional<ConstantValue> value = ParseConstant(BinaryPrecedence("|") + 1);
    if (!value) return std::nullopt;
    operand.kind = value->is_float ? Operand::Kind::kFloat : Operand::Kind::kImmediate;
    operand.bits = value->bits;
    operand.float_width = value->float_width;
    operand.unsigned_literal = value->is_unsigned;
    return operand;
  }
  if (token.kind == TokenKind::kIdentifier) return ParseNamed();
  if (token.Is("[")) return ParseAddress();
  if (token.Is("{")) {
    Operand vector;
    vector.kind = Operand::Kind::kVector;
    vector.location = Here();
    Take();
    if (!ParseGroup("}", &vector)) return std::nullopt;
    return vector;
  }
  Fail("an operand: a register, a constant, `[address]` or `{vector}`");
  return std::nullopt;
}

// The elements up to and with `close`; its opening bracket has been taken.
bool Parser::ParseGroup(std::string_view close, Operand* group) {
  if (Accept(close)) return true;
  while (true) {
    std::optional<Operand> element = ParseOperand();
    if (!element) return false;
    group->elements.push_back(*std::move(element));
    if (Accept(close)) return true;
    if (!Accept(",")) return Fail("`,` or `" + std::string(close) + "`");
  }
}

std::optional<Operand> Parser::ParseNamed() {
  Operand operand;
  operand.location = Here();
  const Token& token = Take();
  if (token.text == "_") {
    operand.kind = Operand::Kind::kSink;
    return operand;
  }
  const Symbol* symbol = Find(token.text);
  if (symbol == nullptr) {
    if (token.text.starts_with('%')) {
      if (std::optional<ir::SpecialRegister> special = FindSpecialRegister(token.text)) {
        operand.kind = Operand::Kind::kSpecial;
        operand.special = *std::move(special);
        if (!ParseComponent(&operand)) return std::nullopt;
        return operand;
      }
    }
    FailAt(token, DiagnosticKind::kPtxUndeclared, "`" + std::string(token.text) + "` is not declared here");
    return std::nullopt;
  }
  switch (symbol->kind) {
    case Symbol::Kind::kRegister:
      operand.kind = Operand::Kind::kRegister;
      operand.reg = symbol->reg;
      if (!ParseComponent(&operand)) return std::nullopt;
      return operand;
    case Symbol::Kind::kFunction:
      operand.kind = Operand::Kind::kFunction;
      operand.name = token.text;
      return operand;
    case Symbol::Kind::kVariable:
      operand.kind = Operand::Kind::kVariable;
      operand.address.variable = symbol->variable;
      if (At("+") || At("-")) {
        const bool minus = Take().Is("-");
        const std::optional<int64_t> offset = ParseConstantInteger("an offset in bytes");
        if (!offset) return std::nullopt;
        operand.address.offset = minus ? static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(*offset)) : *offset;
      } else if (At("[")) {
        Fail("`+` and an offset in bytes (indexed variables are not read)");
        return std::nullopt;
      }
      return operand;
  }
  RACER_UNREACHABLE(static_cast<int>(symbol->kind));
}

// `.x` after a vector or special register, `.b0` and `.h1` after any register.
bool Parser::ParseComponent(Operand* operand) {
  const Token& token = Peek();
  if (token.kind != TokenKind::kDotted) return true;
  const std::string_view name = token.text.substr(1);
  static constexpr std::string_view kLetters[] = {"x", "y", "z", "w", "r", "g", "b", "a"};
  static constexpr std::string_view kParts[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
  const auto letter = std::find(std::begin(kLetters), std::end(kLetters), name);
  const auto part = std::find(std::begin(kParts), std::end(kParts), name);
  if (operand->kind == Operand::Kind::kSpecial) {
    if (letter - std::begin(kLetters) >= 4) return Fail("`.x`, `.y`, `.z` or `.w`");
    operand->special.component = static_cast<uint8_t>(letter - std::begin(kLetters));
    operand->special.has_component = true;
  } else if (letter != std::end(kLetters)) {
    const ir::Register& reg = function_->registers[static_cast<size_t>(operand->reg)];
    const auto component = (letter - std::begin(kLetters)) % 4;
    if (component >= reg.vector || reg.vector == 1) {
      return FailAt(token, DiagnosticKind::kPtxType, "`" + reg.name + "` has no component `" + std::string(token.text) + "`");
    }
    operand->vector_component = static_cast<int8_t>(component);
  } else if (part != std::end(kParts)) {
    operand->vector_component = static_cast<int8_t>(16 + (part - std::begin(kParts)));
  } else {
    return Fail("a component such as `.x`");
  }
  Take();
  return true;
}

std::optional<Operand> Parser::ParseAddress() {
  Operand operand;
  operand.kind = Operand::Kind::kAddress;
  operand.location = Here();
  Take();
  if (AtConstant()) {
    const std::optional<int64_t> offset = ParseConstantInteger("an address");
    if (!offset) return std::nullopt;
    operand.address.offset = *offset;
  } else {
    if (Peek().kind != TokenKind::kIdentifier) {
      Fail("a register, a variable or a constant");
      return std::nullopt;
    }
    const Token& token = Peek();
    std::optional<Operand> base = ParseNamed();
    if (!base) return std::nullopt;
    if (base->kind == Operand::Kind::kRegister && base->vector_component < 0) {
      operand.address.base = base->reg;
      if (At("+") || At("-")) {
        const bool minus = Take().Is("-");
        const std::optional<int64_t> offset = ParseConstantInteger("an offset in bytes");
        if (!offset) return std::nullopt;
        operand.address.offset = minus ? static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(*offset)) : *offset;
      }
    } else if (base->kind == Operand::Kind::kVariable) {
      operand.address = base->address;
    } else {
      FailAt(token, DiagnosticKind::kPtxSyntax, "`" + std::string(token.text) + "` is no base of an address", "a register or a variable");
      return std::nullopt;
    }
  }
  if (Accept("]")) return operand;
  // [map, {x, y}] of texture and tensor instructions.
  if (!Accept(",")) {
    Fail("`]`");
    return std::nullopt;
  }
  if (!ParseGroup("]", &operand)) return std::nullopt;
  return operand;
}

std::optional<Operand> Parser::ParseLabelOperand() {
  Operand operand;
  operand.location = Here();
  const std::optional<std::string_view> name = TakeIdentifier("a label");
  if (!name) return std::nullopt;
  operand.kind = Operand::Kind::kLabel;
  operand.name = *name;
  return operand;
}

}  // namespace racer::parse_internal
