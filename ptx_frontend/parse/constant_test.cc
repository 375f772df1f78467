// Expected values: the manual's rules, each checked against the bytes that ptxas 13.0 puts into an initialised variable.
#include "ptx_frontend/parse/constant.h"

#include <gtest/gtest.h>

namespace racer::parse {
namespace {

constexpr Constant S(int64_t value) { return {Constant::Kind::kSigned, static_cast<uint64_t>(value)}; }
constexpr Constant U(uint64_t value) { return {Constant::Kind::kUnsigned, value}; }

void ExpectBinary(Constant a, TokenKind op, Constant b, Constant expected) {
  const ConstantResult result = EvaluateBinary(op, a, b);
  EXPECT_EQ(result.problem, ConstantProblem::kNone);
  EXPECT_EQ(result.value.kind, expected.kind) << a.bits << " " << static_cast<int>(op) << " " << b.bits;
  EXPECT_EQ(result.value.bits, expected.bits) << a.bits << " " << static_cast<int>(op) << " " << b.bits;
}

TEST(ConstantTest, SignednessOfArithmetic) {
  ExpectBinary(S(-7), TokenKind::kSlash, S(2), S(-3));
  ExpectBinary(U(uint64_t(-8)), TokenKind::kSlash, S(2), U(0x7ffffffffffffffc));
  ExpectBinary(S(2), TokenKind::kMinus, S(3), S(-1));
  ExpectBinary(S(2), TokenKind::kMinus, U(3), U(~uint64_t{0}));
  ExpectBinary(S(-1), TokenKind::kLess, S(1), S(1));
  ExpectBinary(S(-1), TokenKind::kLess, U(1), S(0));
  ExpectBinary(S(-1), TokenKind::kGreaterEqual, S(0), S(0));
  ExpectBinary(S(1), TokenKind::kEqualEqual, U(1), S(1));
}

TEST(ConstantTest, RemainderIsUnsigned) {
  ExpectBinary(S(7), TokenKind::kPercent, S(5), U(2));
  ExpectBinary(S(-1), TokenKind::kPercent, S(7), U(1));  // 2^64 - 1 = 7 * 2635249153387078802 + 1
}

TEST(ConstantTest, ShiftsFollowTheLeftOperandAndCountModulo64) {
  ExpectBinary(S(-1), TokenKind::kRightShift, S(1), S(-1));
  ExpectBinary(U(~uint64_t{0}), TokenKind::kRightShift, S(1), U(0x7fffffffffffffff));
  ExpectBinary(S(1), TokenKind::kLeftShift, S(64), S(1));
  ExpectBinary(S(1), TokenKind::kLeftShift, S(65), S(2));
  ExpectBinary(S(1), TokenKind::kLeftShift, S(-1), S(INT64_MIN));
  ExpectBinary(S(-1), TokenKind::kRightShift, S(64), S(-1));
}

TEST(ConstantTest, LogicAndBits) {
  ExpectBinary(S(3), TokenKind::kAmpersandAmpersand, S(2), S(1));
  ExpectBinary(S(0), TokenKind::kPipePipe, S(0), S(0));
  ExpectBinary(S(6), TokenKind::kCaret, S(3), S(5));
  EXPECT_EQ(EvaluateUnary(TokenKind::kBang, S(5)).value.bits, 0u);
  EXPECT_EQ(EvaluateUnary(TokenKind::kBang, U(0)).value.kind, Constant::Kind::kSigned);
  EXPECT_EQ(EvaluateUnary(TokenKind::kTilde, S(0)).value.kind, Constant::Kind::kUnsigned);
  EXPECT_EQ(EvaluateUnary(TokenKind::kMinus, U(1)).value.kind, Constant::Kind::kUnsigned);
}

TEST(ConstantTest, Extremes) {
  EXPECT_EQ(EvaluateBinary(TokenKind::kSlash, S(1), S(0)).problem, ConstantProblem::kDivisionByZero);
  EXPECT_EQ(EvaluateBinary(TokenKind::kPercent, S(1), S(0)).problem, ConstantProblem::kDivisionByZero);
  ExpectBinary(S(INT64_MIN), TokenKind::kSlash, S(-1), S(INT64_MIN));  // wraps; ptxas itself crashes here
  ExpectBinary(S(INT64_MAX), TokenKind::kPlus, S(1), S(INT64_MIN));
}

TEST(ConstantTest, Conditional) {
  const ConstantResult mixed = EvaluateConditional(S(1), S(-1), U(2));
  EXPECT_EQ(mixed.value.kind, Constant::Kind::kUnsigned);
  EXPECT_EQ(mixed.value.bits, ~uint64_t{0});
  EXPECT_EQ(EvaluateConditional(S(1), S(1), Constant::Double(1)).problem, ConstantProblem::kKinds);
  EXPECT_EQ(EvaluateConditional(Constant::Double(1), S(1), S(1)).problem, ConstantProblem::kKinds);
}

TEST(ConstantTest, FloatingPoint) {
  EXPECT_EQ(EvaluateBinary(TokenKind::kStar, Constant::Double(1.5), Constant::Double(-2)).value.AsDouble(), -3.0);
  EXPECT_EQ(EvaluateBinary(TokenKind::kGreater, Constant::Double(1.5), Constant::Double(1)).value.bits, 1u);
  EXPECT_EQ(EvaluateBinary(TokenKind::kPlus, Constant::Double(1.5), S(1)).problem, ConstantProblem::kKinds);
  EXPECT_EQ(EvaluateBinary(TokenKind::kPercent, Constant::Double(1.5), Constant::Double(1)).problem, ConstantProblem::kKinds);
  const Constant single{Constant::Kind::kSingle, 0x3f800000};
  EXPECT_EQ(EvaluateUnary(TokenKind::kMinus, single).problem, ConstantProblem::kKinds);
  EXPECT_EQ(EvaluateBinary(TokenKind::kPlus, single, single).problem, ConstantProblem::kKinds);
}

}  // namespace
}  // namespace racer::parse
