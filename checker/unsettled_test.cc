#include "checker/unsettled.h"

#include <gtest/gtest.h>

#include <bit>

namespace racer {
namespace {

constexpr FpAttr kApprox{.approx = true};

class UnsettledTest : public ::testing::Test {
 protected:
  UnsettledTest() : x_(store_.AddSymbol({"x", ScalarType::kF32, {4}})), ranges_(1) {}
  TermId X(uint32_t i) { return store_.FpInput(x_, i); }
  TermId C(float value) { return store_.FpConst(FpFormat::kF32, std::bit_cast<uint32_t>(value)); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm) { return store_.Fp(kind, FpAttr{}, a, b); }
  TermId Quotient(float a, float b) { return store_.Fp(FpKind::kDiv, kApprox, C(a), C(b)); }
  TermId Floor(TermId a) { return store_.Fp(FpKind::kRoundInt, FpAttr{.rounding = Rounding::kRmi}, a); }
  TermId Less(TermId a, TermId b) { return store_.FpCompare(CompareOp::kLt, false, a, b); }

  TermStore store_;
  SymbolId x_;
  SymbolRanges ranges_;
  std::vector<uint64_t> counts_{4};
  Unsettled unsettled_{store_, ranges_, counts_};
};

TEST_F(UnsettledTest, ATieOfAnApproximation) {
  EXPECT_TRUE(unsettled_.Within(Floor(Quotient(123, 41))));
  EXPECT_TRUE(unsettled_.Within(Less(Quotient(123, 41), C(3))));
  EXPECT_TRUE(unsettled_.Within(store_.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, Quotient(123, 41))));
  EXPECT_TRUE(unsettled_.Within(store_.FpConvert(FpAttr{.format = FpFormat::kE4M3, .satfinite = true}, Quotient(34, 32))));
  // Behind it, and beside an input.
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kMul, X(0), Floor(Quotient(123, 41)))));
}

TEST_F(UnsettledTest, FarFromATie) {
  EXPECT_FALSE(unsettled_.Within(Floor(Quotient(140, 41))));
  EXPECT_FALSE(unsettled_.Within(Less(Quotient(123, 41), C(2.9f))));
  EXPECT_FALSE(unsettled_.Within(Quotient(123, 41)));
  // Of inputs nothing is said here.
  EXPECT_FALSE(unsettled_.Within(Floor(store_.Fp(FpKind::kDiv, kApprox, X(0), C(41)))));
}

// Zero or a little less than it, as the radicand, as the argument of a logarithm or as a divisor; and the sign of it.
TEST_F(UnsettledTest, TheSignOfWhatMayBeZero) {
  const TermId zero = Op(FpKind::kSub, Quotient(123, 41), C(3)), one = Op(FpKind::kAdd, zero, C(1));
  for (const FpKind kind : {FpKind::kSqrt, FpKind::kRsqrt, FpKind::kLg2, FpKind::kRcp}) {
    EXPECT_TRUE(unsettled_.Within(Op(kind, zero))) << static_cast<int>(kind);
    EXPECT_FALSE(unsettled_.Within(Op(kind, one))) << static_cast<int>(kind);
  }
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kDiv, C(1), zero)));
  EXPECT_FALSE(unsettled_.Within(Op(FpKind::kDiv, zero, C(3))));
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kCopySign, zero, C(1))));
  EXPECT_TRUE(unsettled_.Within(store_.Fp(FpKind::kMax, FpAttr{.xorsign = true}, zero, C(1))));
  EXPECT_FALSE(unsettled_.Within(Op(FpKind::kMax, zero, C(1))));
}

// 0.7 * 10 rounds to 7, which no approximation is needed for; 0.5 * 10 is 5 and nothing is rounded.
TEST_F(UnsettledTest, RoundingAlone) {
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, C(0.7f), C(10)))));
  EXPECT_FALSE(unsettled_.Within(Floor(Op(FpKind::kMul, C(0.5f), C(10)))));
  // The machine's only value lies on the side of the real one, if within an ulp of the tie.
  EXPECT_FALSE(unsettled_.Within(Floor(Op(FpKind::kMul, C(0.1f), C(10)))));
}

TEST_F(UnsettledTest, BehindASelection) {
  const TermId positive = Less(C(0), X(0)), tie = Quotient(123, 41);
  EXPECT_TRUE(unsettled_.Within(Floor(store_.FpIte(positive, tie, C(3)))));
  EXPECT_TRUE(unsettled_.Within(Less(C(3), store_.FpIte(positive, C(1), store_.FpIte(Less(X(1), X(0)), C(5), tie)))));
  EXPECT_FALSE(unsettled_.Within(Floor(store_.FpIte(positive, Quotient(140, 41), C(3)))));
  EXPECT_FALSE(unsettled_.Within(Floor(store_.FpIte(positive, X(1), C(3)))));
  const TermId replaced = unsettled_.Replaced(Op(FpKind::kMul, X(0), Floor(store_.FpIte(positive, tie, C(3)))));
  EXPECT_EQ(store_.kind(store_.operand(replaced, 1)), TermKind::kFpUnary);
}

// Broken once, with nothing looked for behind an input: none of these.
TEST_F(UnsettledTest, BesideAnInput) {
  const TermId small = Less(X(0), C(8)), tie = Quotient(24, 3);
  EXPECT_TRUE(unsettled_.Within(Floor(store_.FpIte(small, X(0), tie))));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMin, X(0), tie))));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMax, Op(FpKind::kMin, X(0), tie), C(0)))));
  EXPECT_TRUE(unsettled_.Within(store_.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, Op(FpKind::kMin, tie, X(0)))));
  // Through what is done to the one or the other.
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, Op(FpKind::kNeg, Op(FpKind::kMin, X(0), tie)), C(2)))));
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kDiv, X(1), Op(FpKind::kSub, Op(FpKind::kMin, X(0), tie), C(8)))));
  EXPECT_FALSE(unsettled_.Within(Floor(Op(FpKind::kMin, X(0), Quotient(25, 3)))));
  EXPECT_FALSE(unsettled_.Within(Floor(Op(FpKind::kMin, X(0), C(8)))));
  EXPECT_FALSE(unsettled_.Within(Op(FpKind::kDiv, Op(FpKind::kSub, Op(FpKind::kMin, X(0), tie), C(8)), X(1))));
  // A selection of patterns, both of two, and clamps.
  const TermId bits = store_.BvIte(32, small, store_.BvConst(32, 0x3f800000), store_.BvConst(32, 0x3f000000));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, store_.BitsToFp(FpFormat::kF32, bits), tie))));
  const TermId number = store_.BvIte(32, small, store_.BvConst(32, 1), store_.BvConst(32, 2));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, store_.IntToFp(ScalarType::kU32, FpAttr{}, number), tie))));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, Op(FpKind::kMin, X(0), tie), Op(FpKind::kMin, X(1), C(1))))));
  EXPECT_FALSE(unsettled_.Within(Floor(Op(FpKind::kMul, Op(FpKind::kMin, X(0), tie), X(1)))));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, store_.Fp(FpKind::kAdd, FpAttr{.sat = true}, X(0), X(1)), tie))));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kAdd, store_.Fp(FpKind::kAdd, FpAttr{.relu = true}, X(0), X(1)), tie))));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kCopySign, X(0), tie))));
  TermId many = X(0);
  for (int i = 0; i < 17; ++i) many = Op(FpKind::kMin, many, C(static_cast<float>(i)));
  EXPECT_TRUE(unsettled_.Within(Floor(many)));
}

// Only the sign of a divisor decides: the quotient is no number of its own. Broken once, with quotients replaced: not equal.
TEST_F(UnsettledTest, SignsThatAreNotInDoubt) {
  const TermId scale = store_.Fp(FpKind::kEx2, kApprox, Op(FpKind::kMul, Floor(Quotient(123, 41)), C(1)));
  const TermId a = unsettled_.Replaced(Op(FpKind::kDiv, X(0), scale));
  const TermId b = unsettled_.Replaced(Op(FpKind::kMul, X(0), Op(FpKind::kRcp, scale)));
  ASSERT_EQ(store_.fp_kind(a), FpKind::kDiv);
  const TermId inverse = store_.operand(b, store_.kind(store_.operand(b, 0)) == TermKind::kFpUnary ? 0 : 1);
  EXPECT_EQ(store_.operand(a, 1), store_.operand(inverse, 0));
  // One inside says nothing of the rest: 0 * floor(..) is 0 for every value of that. Broken once, with any operand that has one: Sqrt of
  // it.
  const TermId product = Op(FpKind::kMul, Op(FpKind::kSub, Quotient(123, 41), C(3)), Floor(Quotient(82, 41)));
  EXPECT_EQ(store_.kind(store_.operand(unsettled_.Replaced(Op(FpKind::kSqrt, product)), 0)), TermKind::kFpUnary);  // the stand-in
  // The same where the sign is in doubt.
  const TermId zero = Op(FpKind::kSub, Quotient(123, 41), C(3));
  EXPECT_EQ(store_.operand(unsettled_.Replaced(Op(FpKind::kDiv, X(0), zero)), 1),
            store_.operand(unsettled_.Replaced(Op(FpKind::kRcp, zero)), 0));
  // 1e-7 is two of the smallest numbers of f16, on every device.
  const TermId small = store_.FpConvert(FpAttr{.format = FpFormat::kF16}, C(1e-7f));
  EXPECT_FALSE(unsettled_.Within(store_.Fp(FpKind::kRcp, FpAttr{.format = FpFormat::kF16}, small)));
}

// Broken once, with decisions alone: none of these.
TEST_F(UnsettledTest, NumbersThatRoundingsMakeOthersOf) {
  const auto in = [&](FpFormat format, float value) { return store_.FpConvert(FpAttr{.format = format}, C(value)); };
  const auto sub = [&](FpFormat format, TermId a, TermId b) { return store_.Fp(FpKind::kSub, FpAttr{.format = format}, a, b); };
  const auto converted = [&](unsigned number) { return store_.IntToFp(ScalarType::kU32, FpAttr{}, store_.BvConst(32, number)); };
  EXPECT_TRUE(unsettled_.Within(sub(FpFormat::kBF16, in(FpFormat::kBF16, 301), in(FpFormat::kBF16, 300))));  // 0, not 1
  EXPECT_FALSE(unsettled_.Within(sub(FpFormat::kF16, in(FpFormat::kF16, 301), in(FpFormat::kF16, 300))));
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kSub, converted(16777217), C(16777216))));
  EXPECT_FALSE(unsettled_.Within(Op(FpKind::kSub, converted(16777218), C(16777216))));
  const TermId odd = C(4097);
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kSub, Op(FpKind::kMul, odd, odd), Op(FpKind::kMul, C(4096), C(4098)))));
  // What an approximation is given counts, not its own error.
  const auto sine = [&](TermId a) { return store_.Fp(FpKind::kSin, kApprox, store_.FpConvert(FpAttr{}, a)); };
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kMul, X(0), sine(in(FpFormat::kBF16, 4097)))));
  EXPECT_FALSE(unsettled_.Within(sine(odd)));
  EXPECT_FALSE(unsettled_.Within(sine(in(FpFormat::kBF16, 2.01f))));
  // The noise of a sum that cancels, and a rounding like any other.
  EXPECT_FALSE(unsettled_.Within(Op(FpKind::kSub, Op(FpKind::kAdd, C(0.1f), C(0.2f)), C(0.3f))));
  EXPECT_FALSE(unsettled_.Within(in(FpFormat::kBF16, -4097)));  // as of a mask
  EXPECT_FALSE(unsettled_.Within(in(FpFormat::kBF16, 4097.5f)));
  EXPECT_TRUE(unsettled_.Within(in(FpFormat::kBF16, 257)));
  EXPECT_TRUE(unsettled_.Within(store_.FpConvert(FpAttr{.format = FpFormat::kBF16}, converted(257))));
  EXPECT_FALSE(unsettled_.Within(store_.FpConvert(FpAttr{.format = FpFormat::kBF16}, converted(256))));
  EXPECT_TRUE(unsettled_.Within(converted(16777217)));
  // One of the two that it may be.
  const TermId either = store_.FpIte(Less(C(0), X(0)), converted(4097), C(0));
  EXPECT_TRUE(unsettled_.Within(store_.FpConvert(FpAttr{.format = FpFormat::kBF16}, either)));
  const TermId number = Op(FpKind::kMul, X(0), sine(in(FpFormat::kBF16, 4097))), decision = Floor(Quotient(123, 41));
  EXPECT_TRUE(unsettled_.Within(Op(FpKind::kMul, number, decision)));
  EXPECT_FALSE(unsettled_.HasDecision(number));
  EXPECT_TRUE(unsettled_.HasDecision(Op(FpKind::kMul, number, decision)));
  EXPECT_EQ(store_.kind(unsettled_.Replaced(Op(FpKind::kSub, converted(16777217), C(16777216)))), TermKind::kFpInput);
  // A sine of what is out of the range that the manual gives an error for may be anything.
  EXPECT_EQ(store_.kind(unsettled_.Replaced(sine(in(FpFormat::kBF16, 4097)))), TermKind::kFpUnary);
}

// A scalar that the contract gives as a number is rounded to its format by whoever passes it.
TEST_F(UnsettledTest, ScalarsOfTheContract) {
  const TermId third = store_.FpReal(FpFormat::kF32, Rational(1, 3));
  EXPECT_TRUE(unsettled_.Within(Floor(Op(FpKind::kMul, third, C(3)))));
  EXPECT_FALSE(unsettled_.Within(Floor(Op(FpKind::kMul, third, C(4)))));
}

// The outermost decision becomes an input: with the inner one alone, floor(v) = v would pass for integers v.
TEST_F(UnsettledTest, TheOutermostIsReplaced) {
  const TermId inner = Floor(Quotient(123, 41)), outer = Floor(store_.Fp(FpKind::kDiv, kApprox, inner, C(3)));
  const TermId a = unsettled_.Replaced(Op(FpKind::kMul, X(0), outer)), b = unsettled_.Replaced(Op(FpKind::kMul, X(0), inner));
  const SymbolId symbol = store_.input_symbol(store_.operand(b, 1));
  EXPECT_EQ(a, Op(FpKind::kMul, X(0), Op(FpKind::kLg2, store_.FpInput(symbol, 0))));
  EXPECT_EQ(b, Op(FpKind::kMul, X(0), store_.FpInput(symbol, 1)));
  EXPECT_EQ(counts_[static_cast<size_t>(symbol)], 2u);
  EXPECT_EQ(ranges_.size(), counts_.size());
  EXPECT_EQ(unsettled_.Replaced(X(1)), X(1));
}

// The logarithm of what may be zero may be an infinity: the stand-in has a condition, and 0 times it is not 0.
TEST_F(UnsettledTest, WhatMayBeNoNumberStaysPartial) {
  const TermId zero = Op(FpKind::kSub, Quotient(123, 41), C(3));
  for (const FpKind kind : {FpKind::kSqrt, FpKind::kRsqrt, FpKind::kLg2, FpKind::kRcp}) {
    const TermId replaced = unsettled_.Replaced(Op(kind, zero));
    ASSERT_EQ(store_.kind(replaced), TermKind::kFpUnary) << static_cast<int>(kind);
    EXPECT_EQ(store_.fp_kind(replaced), kind);
    EXPECT_EQ(store_.kind(store_.operand(replaced, 0)), TermKind::kFpInput) << static_cast<int>(kind);
  }
  EXPECT_EQ(store_.kind(unsettled_.Replaced(Floor(Op(FpKind::kLg2, zero)))), TermKind::kFpUnary);
  // 1 / lg2(zero): the divisor may be an infinity.
  const TermId quotient = unsettled_.Replaced(Op(FpKind::kDiv, X(0), Op(FpKind::kLg2, zero)));
  EXPECT_EQ(store_.fp_kind(quotient), FpKind::kDiv);
  EXPECT_EQ(store_.fp_kind(store_.operand(quotient, 1)), FpKind::kLg2);
  EXPECT_EQ(store_.kind(unsettled_.Replaced(Floor(zero))), TermKind::kFpInput);
}

TEST_F(UnsettledTest, OutcomesAndIntegersAreReplacedAlike) {
  const TermId chosen = store_.FpIte(Less(Quotient(123, 41), C(3)), X(0), X(1));
  const TermId replaced = unsettled_.Replaced(chosen);
  EXPECT_EQ(unsettled_.Replaced(chosen), replaced);
  EXPECT_EQ(store_.kind(replaced), TermKind::kFpIte);
  EXPECT_EQ(store_.kind(store_.operand(store_.operand(replaced, 0), 0)), TermKind::kFpInput);
  const TermId integer = store_.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, Quotient(123, 41));
  EXPECT_EQ(store_.kind(unsettled_.Replaced(integer)), TermKind::kBvInput);
}

}  // namespace
}  // namespace racer
