// Precedence climbing over constant expressions; depth is bounded by the nesting limit.
#include "ptx_frontend/lex/literal.h"
#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {

bool Parser::AtConstant() const {
  const Token& token = Peek();
  if (token.kind == TokenKind::kInteger || token.kind == TokenKind::kFloat) return true;
  if (token.kind == TokenKind::kIdentifier) return token.text == "WARP_SZ" && Find("WARP_SZ") == nullptr;
  if (token.Is("(") || token.Is("+") || token.Is("-") || token.Is("~")) return true;
  // `!p` is a predicate, `!0` a number.
  return token.Is("!") && (Peek(1).kind == TokenKind::kInteger || Peek(1).Is("(") || Peek(1).Is("!"));
}

std::optional<ConstantValue> Parser::ParseConstant(int min_precedence) {
  const Nested nested(this);
  if (!nested.ok()) return std::nullopt;
  std::optional<ConstantValue> left = ParseConstantUnary();
  while (left && Peek().kind == TokenKind::kPunctuation) {
    const Token& op = Peek();
    if (op.Is("?") && min_precedence <= 1) {
      Take();
      const std::optional<ConstantValue> yes = ParseConstant();
      if (!yes || !Expect(":", "between the arms of `?`")) return std::nullopt;
      const std::optional<ConstantValue> no = ParseConstant();
      if (!no) return std::nullopt;
      left = left->IsTrue() ? *yes : *no;
      continue;
    }
    const int precedence = BinaryPrecedence(op.text);
    if (precedence == 0 || precedence < min_precedence) break;
    Take();
    const std::optional<ConstantValue> right = ParseConstant(precedence + 1);
    if (!right) return std::nullopt;
    std::string error;
    left = ApplyBinary(op.text, *left, *right, &error);
    if (!left) FailAt(op, DiagnosticKind::kPtxSyntax, error);
  }
  return left;
}

std::optional<ConstantValue> Parser::ParseConstantUnary() {
  // Operators and casts in front, applied from the inside out.
  std::vector<const Token*> prefixes;
  while (true) {
    const Token& token = Peek();
    if (token.Is("+") || token.Is("-") || token.Is("~") || token.Is("!")) {
      prefixes.push_back(&Take());
    } else if (token.Is("(") && (Peek(1).Is(".s64") || Peek(1).Is(".u64")) && Peek(2).Is(")")) {
      Take();
      prefixes.push_back(&Take());
      Take();
    } else {
      break;
    }
  }
  std::optional<ConstantValue> value;
  const Token& token = Peek();
  if (token.kind == TokenKind::kInteger) {
    const IntegerLiteral literal = *ParseIntegerLiteral(Take().text);
    value = ConstantValue{.is_float = false, .is_unsigned = literal.is_unsigned, .float_width = 64, .bits = literal.value};
  } else if (token.kind == TokenKind::kFloat) {
    const FloatLiteral literal = *ParseFloatLiteral(Take().text);
    value = ConstantValue{.is_float = true, .is_unsigned = false, .float_width = literal.width, .bits = literal.bits};
  } else if (token.Is("WARP_SZ")) {
    Take();
    value = ConstantValue{.is_float = false, .is_unsigned = false, .float_width = 64, .bits = 32};
  } else if (token.Is("(")) {
    Take();
    value = ParseConstant();
    if (!value || !Expect(")", "after the expression")) return std::nullopt;
  } else {
    Fail("a constant");
    return std::nullopt;
  }
  for (size_t i = prefixes.size(); i-- > 0 && value;) {
    const Token& prefix = *prefixes[i];
    if (prefix.kind == TokenKind::kDotted) {
      if (value->is_float) {
        FailAt(prefix, DiagnosticKind::kPtxSyntax, "a floating-point constant is cast to an integer", "an integer");
        return std::nullopt;
      }
      value->is_unsigned = prefix.text == ".u64";
      continue;
    }
    std::string error;
    value = ApplyUnary(prefix.text[0], *value, &error);
    if (!value) FailAt(prefix, DiagnosticKind::kPtxSyntax, error);
  }
  return value;
}

std::optional<int64_t> Parser::ParseConstantInteger(std::string_view what) {
  const Token& token = Peek();
  if (!AtConstant()) {
    Fail(std::string(what));
    return std::nullopt;
  }
  const std::optional<ConstantValue> value = ParseConstant();
  if (!value) return std::nullopt;
  if (value->is_float) {
    FailAt(token, DiagnosticKind::kPtxSyntax, "found a floating-point constant", std::string(what));
    return std::nullopt;
  }
  return static_cast<int64_t>(value->bits);
}

}  // namespace racer::parse_internal
