// Constant expressions (manual: "Constant Expressions").
#include <string>

#include "ptx_frontend/lex/literal.h"
#include "ptx_frontend/parse/parser.h"

namespace racer::parse {
namespace {

constexpr int64_t kWarpSize = 32;

}  // namespace

bool Parser::EnterNesting(const Token& token) {
  if (++nesting_ <= limits_.max_nesting) return true;
  return Fatal(DiagnosticKind::kPtxNesting, token, "nested more than " + std::to_string(limits_.max_nesting) + " deep");
}

bool Parser::Take(const ConstantResult& result, const Token& op, Constant* value) {
  switch (result.problem) {
    case ConstantProblem::kNone: *value = result.value; return true;
    case ConstantProblem::kKinds:
      return Error(DiagnosticKind::kPtxType, op, Describe(op) + " cannot be applied to these constants",
                   "integers, or decimal floating-point constants on both sides");
    case ConstantProblem::kDivisionByZero: return Error(DiagnosticKind::kPtxType, op, "division by zero in a constant expression");
  }
  return false;
}

bool Parser::ParseExpression(Constant* value) {
  if (!EnterNesting(token_)) return false;
  if (!ParseBinary(1, value)) return false;
  if (Is(TokenKind::kQuestion)) {
    const Token op = token_;
    Advance();
    Constant a, b;
    if (!ParseExpression(&a) || !Expect(TokenKind::kColon, "`:`") || !ParseExpression(&b)) return false;
    if (!Take(EvaluateConditional(*value, a, b), op, value)) return false;
  }
  LeaveNesting();
  return true;
}

bool Parser::ParseBinary(int min_precedence, Constant* value) {
  if (!ParseUnary(value)) return false;
  while (true) {
    const int precedence = BinaryPrecedence(token_.kind);
    if (precedence == 0 || precedence < min_precedence) return true;
    const Token op = token_;
    Advance();
    Constant right;
    if (!ParseBinary(precedence + 1, &right)) return false;
    if (!Take(EvaluateBinary(op.kind, *value, right), op, value)) return false;
  }
}

bool Parser::ParseUnary(Constant* value) {
  // A cast: `(.s64)`, `(.u64)`.
  const bool cast = Is(TokenKind::kLeftParen) && next_.kind == TokenKind::kDotWord;
  if (!cast && !Is(TokenKind::kMinus) && !Is(TokenKind::kPlus) && !Is(TokenKind::kBang) && !Is(TokenKind::kTilde))
    return ParsePrimary(value);
  if (!EnterNesting(token_)) return false;
  const Token op = token_;
  Advance();
  if (cast) {
    const bool to_signed = IsWord(".s64");
    if (!to_signed && !IsWord(".u64")) return Unexpected("`.s64` or `.u64`");
    const Token type = token_;
    Advance();
    if (!Expect(TokenKind::kRightParen, "`)`") || !ParseUnary(value)) return false;
    if (!value->IsInteger()) return Take({{}, ConstantProblem::kKinds}, type, value);
    value->kind = to_signed ? Constant::Kind::kSigned : Constant::Kind::kUnsigned;
  } else {
    Constant operand;
    if (!ParseUnary(&operand) || !Take(EvaluateUnary(op.kind, operand), op, value)) return false;
  }
  LeaveNesting();
  return true;
}

bool Parser::ParsePrimary(Constant* value) {
  const Token literal = token_;
  switch (token_.kind) {
    case TokenKind::kInteger: {
      Advance();
      const std::optional<IntegerLiteral> parsed = ParseIntegerLiteral(literal.text);
      if (!parsed) return Error(DiagnosticKind::kPtxLexical, literal, Describe(literal) + " does not fit 64 bits");
      *value = Constant::Integer(parsed->value, parsed->is_unsigned);
      return true;
    }
    case TokenKind::kFloat32:
      Advance();
      *value = {Constant::Kind::kSingle, ParseHexFloatLiteral(literal.text)};
      return true;
    case TokenKind::kFloat64:
      Advance();
      *value = {Constant::Kind::kDouble, ParseHexFloatLiteral(literal.text)};
      return true;
    case TokenKind::kDecimal: {
      Advance();
      const std::optional<double> parsed = ParseDecimalLiteral(literal.text);
      if (!parsed) return Error(DiagnosticKind::kPtxLexical, literal, Describe(literal) + " is out of the range of .f64");
      *value = Constant::Double(*parsed);
      return true;
    }
    case TokenKind::kLeftParen: Advance(); return ParseExpression(value) && Expect(TokenKind::kRightParen, "`)`");
    case TokenKind::kIdentifier:
      if (literal.text == "WARP_SZ") {
        Advance();
        *value = Constant::Signed(kWarpSize);
        return true;
      }
      return Unexpected("a constant");
    default: return Unexpected("a constant");  // tokens, not a set of cases to exhaust
  }
}

}  // namespace racer::parse
