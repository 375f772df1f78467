// Values of constant expressions (manual: "Constant Expressions", "Integer Constant Expression Evaluation").
#ifndef RACER_PTX_FRONTEND_PARSE_CONSTANT_H_
#define RACER_PTX_FRONTEND_PARSE_CONSTANT_H_

#include <cstdint>
#include <optional>

#include "ptx_frontend/lex/token.h"

namespace racer::parse {

struct Constant {
  enum class Kind : uint8_t {
    kSigned,    // .s64
    kUnsigned,  // .u64
    kDouble,    // .f64
    kSingle,    // 0f...: exact bits of an .f32, of which nothing can be computed
  };
  Kind kind = Kind::kSigned;
  uint64_t bits = 0;

  bool IsInteger() const { return kind == Kind::kSigned || kind == Kind::kUnsigned; }
  int64_t AsSigned() const { return static_cast<int64_t>(bits); }

  static Constant Signed(int64_t value) { return {Kind::kSigned, static_cast<uint64_t>(value)}; }
  static Constant Unsigned(uint64_t value) { return {Kind::kUnsigned, value}; }
  static Constant Integer(uint64_t value, bool is_unsigned) { return {is_unsigned ? Kind::kUnsigned : Kind::kSigned, value}; }
  static Constant Double(double value);
  double AsDouble() const;  // of a kDouble
  bool IsTrue() const { return bits != 0; }
};

// Why an operator has no value: the operands are of the wrong kind, or the divisor is zero.
enum class ConstantProblem : uint8_t { kNone, kKinds, kDivisionByZero };

struct ConstantResult {
  Constant value;
  ConstantProblem problem = ConstantProblem::kNone;
};

// op: one of + - ! ~.
ConstantResult EvaluateUnary(TokenKind op, Constant a);
// op: one of * / % + - << >> < <= > >= == != & ^ | && ||. Integers are 64 bits wide and wrap; shift counts are taken
// modulo 64, as ptxas does; % is unsigned.
ConstantResult EvaluateBinary(TokenKind op, Constant a, Constant b);
ConstantResult EvaluateConditional(Constant condition, Constant a, Constant b);

// How tightly a binary operator binds, as in C; 0 for any other token. `?` is not one.
int BinaryPrecedence(TokenKind op);

}  // namespace racer::parse

#endif  // RACER_PTX_FRONTEND_PARSE_CONSTANT_H_
