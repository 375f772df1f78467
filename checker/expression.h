// Expressions of a contract: integers, rationals and conditions over dims and scalars.
//
//   ||  &&  == != < <= > >=  + -  * / %  unary - !  ( )  ceildiv(a, b)  min(a, ...)  max(a, ...)
//
// with C's precedence. In an integer position (shape, stride, grid, block, argument, dispatch) `/` rounds down and `%` is
// what then remains (both as in C for operands that are not negative); in a real position (the value of a scalar) `/` is
// exact. Integer arithmetic is checked: a value outside int64 is an error, as is division by zero.
#ifndef RACER_CHECKER_EXPRESSION_H_
#define RACER_CHECKER_EXPRESSION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/rational.h"
#include "base/result.h"

namespace racer {

// A piece of text of a contract and where it stands. `exact`: byte i of the text is at column + i of the line (no escapes).
struct LocatedText {
  std::string text;
  SourceLocation where;
  bool exact = true;

  // The place of text[offset, offset + length); the place of the whole text where that cannot be told.
  SourceLocation At(size_t offset, size_t length) const;
};

// The names that an expression may use. Scalars only where `scalars` is not empty.
struct ExpressionScope {
  std::vector<std::string> dims;
  std::vector<std::string> scalars;
};

class Expression {
 public:
  static constexpr size_t kMaxLength = 1000;  // bytes
  static constexpr size_t kMaxNodes = 256;
  static constexpr int kMaxNesting = 64;  // of parentheses, calls and prefix operators

  enum class Op : uint8_t {
    kInteger,
    kReal,
    kDim,
    kScalar,
    kAdd,
    kSub,
    kMul,
    kDiv,
    kMod,
    kCeilDiv,
    kMin,
    kMax,
    kNeg,
    kEq,
    kNe,
    kLt,
    kLe,
    kGt,
    kGe,
    kAnd,
    kOr,
    kNot,
  };
  // Operands come before their node; the last node is the root.
  struct Node {
    Op op = Op::kInteger;
    uint32_t a = 0, b = 0;  // operands: node indices. kDim, kScalar: a is the index in the scope
    int64_t integer = 0;    // kInteger
    Rational real;          // kReal
    uint32_t offset = 0;    // of the operator or name in the text
    uint32_t length = 1;
  };

  Expression() = default;  // the integer 0, from nowhere
  // An integer literal that stands in the file as a TOML integer.
  static Expression Integer(int64_t value, SourceLocation where);
  static Result<Expression> ParseNumber(const LocatedText& text, const ExpressionScope& scope);
  static Result<Expression> ParseCondition(const LocatedText& text, const ExpressionScope& scope);

  // `dims[i]` is the value of scope.dims[i].
  Result<int64_t> EvaluateInteger(std::span<const int64_t> dims) const;
  Result<bool> EvaluateCondition(std::span<const int64_t> dims) const;
  // nullopt if it uses a scalar that is nullopt (has no value of its own).
  Result<std::optional<Rational>> EvaluateReal(std::span<const int64_t> dims, std::span<const std::optional<Rational>> scalars) const;

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::string& text() const { return text_.text; }  // as written
  const SourceLocation& where() const { return text_.where; }
  // The literal, if the expression is nothing but one integer.
  std::optional<int64_t> AsLiteral() const;
  bool UsesDim(uint32_t index) const;
  bool UsesScalar(uint32_t index) const;
  // Every integer literal in it, in order of appearance.
  std::vector<int64_t> Literals() const;

 private:
  friend class ExpressionParser;
  Diagnostic Error(const Node& node, std::string message) const;

  LocatedText text_{"0", {}, false};
  std::vector<Node> nodes_{Node{}};
};

}  // namespace racer

#endif  // RACER_CHECKER_EXPRESSION_H_
