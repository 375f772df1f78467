#include "ptx_frontend/parse/constant.h"

#include <bit>

#include "base/check.h"

namespace racer::parse {
namespace {

constexpr ConstantResult kKindsProblem = {{}, ConstantProblem::kKinds};

ConstantResult Truth(bool value) { return {Constant::Signed(value ? 1 : 0), ConstantProblem::kNone}; }

ConstantResult EvaluateDoubles(TokenKind op, double a, double b) {
  switch (op) {
    case TokenKind::kPlus: return {Constant::Double(a + b), ConstantProblem::kNone};
    case TokenKind::kMinus: return {Constant::Double(a - b), ConstantProblem::kNone};
    case TokenKind::kStar: return {Constant::Double(a * b), ConstantProblem::kNone};
    case TokenKind::kSlash: return {Constant::Double(a / b), ConstantProblem::kNone};
    case TokenKind::kLess: return Truth(a < b);
    case TokenKind::kLessEqual: return Truth(a <= b);
    case TokenKind::kGreater: return Truth(a > b);
    case TokenKind::kGreaterEqual: return Truth(a >= b);
    case TokenKind::kEqualEqual: return Truth(a == b);
    case TokenKind::kBangEqual: return Truth(a != b);
    default: return kKindsProblem;  // integer operators
  }
}

}  // namespace

Constant Constant::Double(double value) { return {Kind::kDouble, std::bit_cast<uint64_t>(value)}; }
double Constant::AsDouble() const { return std::bit_cast<double>(bits); }

ConstantResult EvaluateUnary(TokenKind op, Constant a) {
  if (op == TokenKind::kPlus && a.kind != Constant::Kind::kSingle) return {a, ConstantProblem::kNone};
  if (op == TokenKind::kMinus && a.kind == Constant::Kind::kDouble) return {Constant::Double(-a.AsDouble()), ConstantProblem::kNone};
  if (!a.IsInteger()) return kKindsProblem;
  if (op == TokenKind::kMinus) return {Constant{a.kind, uint64_t{0} - a.bits}, ConstantProblem::kNone};
  if (op == TokenKind::kTilde) return {Constant::Unsigned(~a.bits), ConstantProblem::kNone};
  RACER_CHECK(op == TokenKind::kBang);
  return Truth(a.bits == 0);
}

ConstantResult EvaluateBinary(TokenKind op, Constant a, Constant b) {
  if (a.kind == Constant::Kind::kDouble && b.kind == Constant::Kind::kDouble) return EvaluateDoubles(op, a.AsDouble(), b.AsDouble());
  if (!a.IsInteger() || !b.IsInteger()) return kKindsProblem;
  const bool is_unsigned = a.kind == Constant::Kind::kUnsigned || b.kind == Constant::Kind::kUnsigned;
  const auto same = [&](uint64_t bits) { return ConstantResult{Constant::Integer(bits, is_unsigned), ConstantProblem::kNone}; };
  const auto shifted = [&](uint64_t bits) { return ConstantResult{Constant{a.kind, bits}, ConstantProblem::kNone}; };
  const bool less = is_unsigned ? a.bits < b.bits : a.AsSigned() < b.AsSigned();
  const unsigned count = static_cast<unsigned>(b.bits & 63);
  switch (op) {
    case TokenKind::kStar: return same(a.bits * b.bits);
    case TokenKind::kPlus: return same(a.bits + b.bits);
    case TokenKind::kMinus: return same(a.bits - b.bits);
    case TokenKind::kSlash:
      if (b.bits == 0) return {{}, ConstantProblem::kDivisionByZero};
      if (is_unsigned) return same(a.bits / b.bits);
      if (b.AsSigned() == -1) return same(uint64_t{0} - a.bits);  // INT64_MIN / -1 traps in C++
      return same(static_cast<uint64_t>(a.AsSigned() / b.AsSigned()));
    case TokenKind::kPercent:
      if (b.bits == 0) return {{}, ConstantProblem::kDivisionByZero};
      return {Constant::Unsigned(a.bits % b.bits), ConstantProblem::kNone};
    case TokenKind::kLeftShift: return shifted(a.bits << count);
    case TokenKind::kRightShift:
      return shifted(a.kind == Constant::Kind::kUnsigned ? a.bits >> count : static_cast<uint64_t>(a.AsSigned() >> count));
    case TokenKind::kLess: return Truth(less);
    case TokenKind::kGreaterEqual: return Truth(!less);
    case TokenKind::kGreater: return Truth(!less && a.bits != b.bits);
    case TokenKind::kLessEqual: return Truth(less || a.bits == b.bits);
    case TokenKind::kEqualEqual: return Truth(a.bits == b.bits);
    case TokenKind::kBangEqual: return Truth(a.bits != b.bits);
    case TokenKind::kAmpersand: return same(a.bits & b.bits);
    case TokenKind::kCaret: return same(a.bits ^ b.bits);
    case TokenKind::kPipe: return same(a.bits | b.bits);
    case TokenKind::kAmpersandAmpersand: return Truth(a.IsTrue() && b.IsTrue());
    case TokenKind::kPipePipe: return Truth(a.IsTrue() || b.IsTrue());
    default: RACER_UNREACHABLE(static_cast<int>(op));  // BinaryPrecedence lets nothing else through
  }
}

ConstantResult EvaluateConditional(Constant condition, Constant a, Constant b) {
  if (!condition.IsInteger()) return kKindsProblem;
  const Constant chosen = condition.IsTrue() ? a : b;
  if (a.IsInteger() && b.IsInteger()) {
    const bool is_unsigned = a.kind == Constant::Kind::kUnsigned || b.kind == Constant::Kind::kUnsigned;
    return {Constant::Integer(chosen.bits, is_unsigned), ConstantProblem::kNone};
  }
  if (a.kind == Constant::Kind::kDouble && b.kind == Constant::Kind::kDouble) return {chosen, ConstantProblem::kNone};
  return kKindsProblem;
}

int BinaryPrecedence(TokenKind op) {
  switch (op) {
    case TokenKind::kStar:
    case TokenKind::kSlash:
    case TokenKind::kPercent: return 10;
    case TokenKind::kPlus:
    case TokenKind::kMinus: return 9;
    case TokenKind::kLeftShift:
    case TokenKind::kRightShift: return 8;
    case TokenKind::kLess:
    case TokenKind::kLessEqual:
    case TokenKind::kGreater:
    case TokenKind::kGreaterEqual: return 7;
    case TokenKind::kEqualEqual:
    case TokenKind::kBangEqual: return 6;
    case TokenKind::kAmpersand: return 5;
    case TokenKind::kCaret: return 4;
    case TokenKind::kPipe: return 3;
    case TokenKind::kAmpersandAmpersand: return 2;
    case TokenKind::kPipePipe: return 1;
    default: return 0;
  }
}

}  // namespace racer::parse
