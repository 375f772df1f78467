#include "checker/expression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rational.h"

namespace racer {
namespace {

const ExpressionScope kScope{{"N", "H"}, {}};
const std::vector<int64_t> kDims{5, 384};

LocatedText Text(std::string text) {
  auto file = std::make_shared<SourceFile>("t.toml", "shape = \"" + text + "\"");
  return {text, SourceLocation{file, 1, 10, static_cast<int>(text.size())}, true};
}

int64_t Value(const std::string& text) {
  Result<Expression> expression = Expression::ParseNumber(Text(text), kScope);
  EXPECT_TRUE(expression.ok()) << text;
  if (!expression.ok()) return -999;
  Result<int64_t> value = expression->EvaluateInteger(kDims);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : -999;
}

// The error of parsing a number or, if that works, of evaluating it.
Diagnostic Error(const std::string& text) {
  Result<Expression> expression = Expression::ParseNumber(Text(text), kScope);
  if (!expression.ok()) return expression.error();
  Result<int64_t> value = expression->EvaluateInteger(kDims);
  EXPECT_FALSE(value.ok()) << text;
  return value.ok() ? Diagnostic{} : value.error();
}

bool Condition(const std::string& text) {
  Result<Expression> expression = Expression::ParseCondition(Text(text), kScope);
  EXPECT_TRUE(expression.ok()) << text;
  return expression.ok() && expression->EvaluateCondition(kDims).value();
}

TEST(Expression, Integers) {
  EXPECT_EQ(Value("7"), 7);
  EXPECT_EQ(Value("N + H * 2"), 773);
  EXPECT_EQ(Value("(N + H) * 2"), 778);
  EXPECT_EQ(Value("H - N - 1"), 378);
  EXPECT_EQ(Value("-N + 2"), -3);
  EXPECT_EQ(Value("100 / 7 / 2"), 7);
  EXPECT_EQ(Value("H % 100"), 84);
  EXPECT_EQ(Value("ceildiv(N, 4)"), 2);
  EXPECT_EQ(Value("ceildiv(8, 4)"), 2);
  EXPECT_EQ(Value("ceildiv(H, 4) * 4"), 384);
  EXPECT_EQ(Value("min(N, 2)"), 2);
  EXPECT_EQ(Value("max(N, 2, 9)"), 9);
  EXPECT_EQ(Value("min( max(1, N) , H )"), 5);
}

// Rounds down, unlike C, for negative operands; the remainder goes with it.
TEST(Expression, DivisionRoundsDown) {
  EXPECT_EQ(Value("(0-7) / 2"), -4);
  EXPECT_EQ(Value("(0-7) % 2"), 1);
  EXPECT_EQ(Value("ceildiv(0-7, 2)"), -3);
  EXPECT_EQ(Value("7 / (0-2)"), -4);
}

TEST(Expression, Conditions) {
  EXPECT_TRUE(Condition("H % 8 == 0"));
  EXPECT_FALSE(Condition("N % 8 == 0"));
  EXPECT_TRUE(Condition("N < 6 && H >= 384"));
  EXPECT_TRUE(Condition("N == 6 || !(H != 384)"));
  EXPECT_TRUE(Condition("N <= 5 && N > 4"));
  // && binds tighter than ||.
  EXPECT_TRUE(Condition("N == 5 || N == 6 && H == 1"));
}

TEST(Expression, RealsAreExact) {
  ExpressionScope scope{{"N", "H"}, {"eps", "inv_h"}};
  std::vector<std::optional<Rational>> scalars{std::nullopt, Rational(1, 384)};
  auto real = [&](const std::string& text) {
    Result<Expression> expression = Expression::ParseNumber(Text(text), scope);
    EXPECT_TRUE(expression.ok()) << text;
    return expression->EvaluateReal(kDims, scalars).value();
  };
  EXPECT_EQ(real("1/H"), Rational(1, 384));
  EXPECT_EQ(real("H * inv_h"), Rational(1));
  EXPECT_EQ(real("1e-5 + 0.5"), Rational(50001, 100000));
  EXPECT_EQ(real("H % 100 / 3"), Rational(28));
  EXPECT_EQ(real("min(1/3, 1/4)"), Rational(1, 4));
  EXPECT_EQ(real("ceildiv(N, 2)"), Rational(3));
  EXPECT_EQ(real("2 * eps"), std::nullopt);  // symbolic
}

TEST(Expression, ErrorsHaveAPlace) {
  Diagnostic error = Error("N + K");
  EXPECT_EQ(error.kind, DiagnosticKind::kContractExpression);
  EXPECT_EQ(error.Render(),
            "t.toml:1:14: error: unknown name 'K'; expected one of: N, H\n"
            "  shape = \"N + K\"\n"
            "               ^\n");
  EXPECT_EQ(Error("N / (H - 384)").message, "division by zero in 'N / (H - 384)'");
  EXPECT_EQ(Error("N % 0").location.column, 12);
  EXPECT_EQ(Error("9223372036854775807 + N").message, "overflow of 64 bits in '9223372036854775807 + N'");
  EXPECT_EQ(Error("3000000000 * 4000000000").location.column, 21);
  EXPECT_EQ(Error("9223372036854775808").message, "integer 9223372036854775808 is too large");
  EXPECT_EQ(Error("foo(N)").message, "unknown function 'foo'");
  EXPECT_EQ(Error("ceildiv(N)").message, "found ')' after argument 1 of ceildiv");
  EXPECT_EQ(Error("ceildiv(N, 2, 3)").message, "found ',' after argument 2 of ceildiv");
  EXPECT_EQ(Error("N N").message, "unexpected 'N' after an expression");
  EXPECT_EQ(Error("(N").message, "found end of the expression");
  EXPECT_EQ(Error("").message, "expression ends where a value is needed");
  EXPECT_EQ(Error("N +").message, "expression ends where a value is needed");
  EXPECT_EQ(Error("2N").message, "malformed number 2N");
  EXPECT_EQ(Error("1e999999").message, "malformed exponent");
  EXPECT_EQ(Error("N == 2").message, "a condition where a number is needed");
  EXPECT_EQ(Error("N + (H == 2)").message, "operator '+' on a condition");
  EXPECT_EQ(Error("0.5").message, "a fraction in an integer expression");
  EXPECT_EQ(Error("N $ 2").message, "unexpected '$' after an expression");
  EXPECT_EQ(Expression::ParseCondition(Text("N"), kScope).error().message, "a number where a condition is needed");
  EXPECT_EQ(Expression::ParseCondition(Text("N && H == 1"), kScope).error().message, "operator '&&' on a number");
}

TEST(Expression, Limits) {
  EXPECT_EQ(Error(std::string(1001, '1')).message, "expression of 1001 bytes");
  EXPECT_EQ(Error(std::string(66, '(') + "N").message, "expression nested too deeply");
  EXPECT_EQ(Error(std::string(66, '-') + "N").message, "expression nested too deeply");
  EXPECT_EQ(Value(std::string(60, '(') + "N" + std::string(60, ')')), 5);
  std::string sum = "1";
  for (int i = 0; i < 128; ++i) sum += "+1";
  EXPECT_EQ(Error(sum).message, "expression with more than 256 parts");
}

// Squaring through scalars would double the size of a number at every step.
TEST(Expression, NumbersStaySmall) {
  ExpressionScope scope{{}, {"s"}};
  Result<Expression> square = Expression::ParseNumber(Text("s * s"), scope);
  std::vector<std::optional<Rational>> value{Rational(3)};
  int steps = 0;
  for (;; ++steps) {
    Result<std::optional<Rational>> next = square->EvaluateReal({}, value);
    if (!next.ok()) {
      EXPECT_EQ(next.error().message, "number too large in 's * s'");
      break;
    }
    value[0] = **next;
  }
  EXPECT_LT(steps, 20);
}

}  // namespace
}  // namespace racer
