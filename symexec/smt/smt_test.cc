#include "symexec/smt/smt.h"

#include <gtest/gtest.h>

#include <string>

#include "symexec/ball/ball.h"

namespace racer {
namespace {

using Status = SmtOutcome::Status;

constexpr FpAttr kF32{};
constexpr uint64_t kZero = 0, kOne = 0x3f800000, kTwo = 0x40000000, kMinusOne = 0xbf800000, kThree = 0x40400000;

// Three f32 inputs x, y, z (cells of one tensor), three u32 inputs, one f32 scalar eps in (0, 1].
class SmtTest : public ::testing::Test {
 protected:
  SmtTest()
      : f_(store_.AddSymbol({"f", ScalarType::kF32, {3}})),
        u_(store_.AddSymbol({"u", ScalarType::kU32, {3}})),
        eps_(store_.AddSymbol({"eps", ScalarType::kF32, {}})),
        ranges_(3) {
    ranges_[2] = {Rational(0), Rational(1), true, false};
    x_ = store_.FpInput(f_, 0);
    y_ = store_.FpInput(f_, 1);
    z_ = store_.FpInput(f_, 2);
    m_ = store_.BvInput(u_, 0);
    n_ = store_.BvInput(u_, 1);
    k_ = store_.BvInput(u_, 2);
    e_ = store_.FpInput(eps_, 0);
  }

  TermId C(uint64_t bits) { return store_.FpConst(FpFormat::kF32, bits); }
  TermId U(uint64_t bits) { return store_.BvConst(32, bits); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm) { return store_.Fp(kind, kF32, a, b, c); }
  TermId Add(TermId a, TermId b) { return Op(FpKind::kAdd, a, b); }
  TermId Sub(TermId a, TermId b) { return Op(FpKind::kSub, a, b); }
  TermId Mul(TermId a, TermId b) { return Op(FpKind::kMul, a, b); }
  TermId Max(TermId a, TermId b) { return Op(FpKind::kMax, a, b); }
  TermId Min(TermId a, TermId b) { return Op(FpKind::kMin, a, b); }
  TermId Neg(TermId a) { return Op(FpKind::kNeg, a); }
  TermId Less(TermId a, TermId b) { return store_.FpCompare(CompareOp::kLt, false, a, b); }
  TermId Bv(TermKind kind, TermId a, TermId b) { return store_.Bv(kind, 32, a, b); }

  SmtOutcome Ask(TermId a, TermId b, const SmtLimits& limits = {}) {
    return SmtProveEqual(store_, ranges_, {3, 3, 1}, a, b, "test", limits);
  }
  void ExpectProved(TermId a, TermId b) {
    EXPECT_NE(a, b) << "the store already made them one term: " << store_.ToString(a);
    const SmtOutcome outcome = Ask(a, b);
    EXPECT_EQ(outcome.status, Status::kProved) << store_.ToString(a) << " against " << store_.ToString(b) << ": " << outcome.reason;
  }
  // Refuted by a point at which certified evaluation sees the difference.
  void ExpectDifferent(TermId a, TermId b) {
    const SmtOutcome outcome = Ask(a, b);
    ASSERT_EQ(outcome.status, Status::kCounterexample) << store_.ToString(a) << " against " << store_.ToString(b) << ": " << outcome.reason;
    EXPECT_TRUE(BallEvaluator(store_, *outcome.point).CertainlyDifferent(a, b)) << store_.ToString(a) << " against " << store_.ToString(b);
  }
  void ExpectUnknown(TermId a, TermId b, const std::string& reason, const SmtLimits& limits = {}) {
    const SmtOutcome outcome = Ask(a, b, limits);
    EXPECT_EQ(outcome.status, Status::kUnknown) << store_.ToString(a) << " against " << store_.ToString(b);
    EXPECT_NE(outcome.reason.find(reason), std::string::npos) << outcome.reason;
  }

  TermStore store_;
  SymbolId f_, u_, eps_;
  SymbolRanges ranges_;
  TermId x_, y_, z_, m_, n_, k_, e_;
};

TEST_F(SmtTest, VectorIdentities) {
  ExpectProved(Bv(TermKind::kBvMul, m_, U(2)), Bv(TermKind::kBvAdd, m_, m_));
  ExpectProved(Bv(TermKind::kBvMul, m_, U(2)), Bv(TermKind::kBvShl, m_, U(1)));
  ExpectProved(Bv(TermKind::kBvXor, Bv(TermKind::kBvXor, m_, n_), n_), m_);
  // a + b = (a ^ b) + 2 (a & b)
  ExpectProved(Bv(TermKind::kBvAdd, m_, n_),
               Bv(TermKind::kBvAdd, Bv(TermKind::kBvXor, m_, n_), Bv(TermKind::kBvMul, U(2), Bv(TermKind::kBvAnd, m_, n_))));
  ExpectProved(Bv(TermKind::kBvSub, U(0), m_), Bv(TermKind::kBvAdd, store_.BvNot(32, m_), U(1)));
  // Unsigned division and remainder go together.
  ExpectProved(Bv(TermKind::kBvAdd, Bv(TermKind::kBvMul, Bv(TermKind::kBvUDiv, m_, U(10)), U(10)), Bv(TermKind::kBvURem, m_, U(10))), m_);
}

// Traps of design.md section 10: each pair would be equal if the integer were taken for a real number.
TEST_F(SmtTest, IntegersAreNoReals) {
  const TermId half = Bv(TermKind::kBvUDiv, m_, U(2));
  ExpectDifferent(Bv(TermKind::kBvMul, half, U(2)), m_);
  ExpectDifferent(store_.ZExt(64, m_), store_.SExt(64, m_));
  ExpectDifferent(Bv(TermKind::kBvAShr, m_, U(1)), Bv(TermKind::kBvLShr, m_, U(1)));
  ExpectDifferent(store_.Bv(TermKind::kBvUlt, 32, m_, n_), store_.Bv(TermKind::kBvSlt, 32, m_, n_));
  ExpectDifferent(Bv(TermKind::kBvUDiv, m_, n_), Bv(TermKind::kBvSDiv, m_, n_));
  // A product of two u32 does not fit in 32 bits.
  const TermId wide = store_.Bv(TermKind::kBvMul, 64, store_.ZExt(64, m_), store_.ZExt(64, n_));
  ExpectDifferent(wide, store_.ZExt(64, Bv(TermKind::kBvMul, m_, n_)));
  // m + 1 > m is false once.
  ExpectDifferent(Bv(TermKind::kBvUlt, m_, Bv(TermKind::kBvAdd, m_, U(1))), store_.BvConst(1, 1));
}

TEST_F(SmtTest, MinusOneIsNotZeroComplemented) {
  ExpectProved(Bv(TermKind::kBvAdd, m_, U(0xffffffff)),
               Bv(TermKind::kBvSub, m_, store_.Bv(TermKind::kBvSub, 32, n_, Bv(TermKind::kBvSub, n_, U(1)))));
  const TermId all_ones = Bv(TermKind::kBvOr, m_, store_.BvNot(32, m_));
  ExpectProved(all_ones, U(0xffffffff));
  ExpectDifferent(all_ones, store_.ZExt(32, store_.BvNot(1, store_.Bv(TermKind::kBvUlt, 32, m_, U(0)))));  // 1
}

TEST_F(SmtTest, WidthOne) {
  const TermId p = store_.Bv(TermKind::kBvUlt, 32, m_, n_), q = store_.Bv(TermKind::kBvUlt, 32, n_, k_);
  ExpectProved(store_.Bv(TermKind::kBvXor, 1, p, q), store_.Bv(TermKind::kBvAdd, 1, p, q));
  ExpectProved(store_.BvNot(1, store_.Bv(TermKind::kBvAnd, 1, p, q)),
               store_.Bv(TermKind::kBvOr, 1, store_.BvNot(1, p), store_.BvNot(1, q)));
  ExpectProved(store_.ZExt(32, p), store_.BvIte(32, p, U(1), U(0)));
  ExpectProved(store_.SExt(32, p), store_.BvIte(32, p, U(0xffffffff), U(0)));
  ExpectDifferent(store_.Bv(TermKind::kBvAnd, 1, p, q), store_.Bv(TermKind::kBvOr, 1, p, q));
  // x udiv 0 is all ones, so 1 for one bit.
  ExpectProved(store_.Bv(TermKind::kBvUDiv, 1, p, q), store_.Bv(TermKind::kBvOr, 1, p, store_.BvNot(1, q)));
}

TEST_F(SmtTest, MaxMinAbsSelect) {
  ExpectProved(Add(Max(x_, y_), Min(x_, y_)), Add(x_, y_));
  ExpectProved(Op(FpKind::kAbs, x_), Max(x_, Neg(x_)));
  ExpectProved(Op(FpKind::kAbs, x_), Op(FpKind::kSqrt, Mul(x_, x_)));
  ExpectProved(Max(x_, y_), store_.FpIte(Less(x_, y_), y_, x_));
  ExpectProved(Max(Max(x_, y_), z_), Max(x_, Max(z_, y_)));
  FpAttr relu = kF32;
  relu.relu = true;
  ExpectProved(store_.Fp(FpKind::kAdd, relu, x_, y_), Max(Add(x_, y_), C(kZero)));
  FpAttr sat = kF32;
  sat.sat = true;
  ExpectProved(store_.Fp(FpKind::kMul, sat, x_, y_), Max(Min(Mul(x_, y_), C(kOne)), C(kZero)));
  // The order of a clamp is free where the ends are in order.
  ExpectProved(Max(Min(x_, C(kTwo)), C(kMinusOne)), Min(Max(x_, C(kMinusOne)), C(kTwo)));
  ExpectDifferent(Max(Min(x_, C(kMinusOne)), C(kTwo)), Min(Max(x_, C(kTwo)), C(kMinusOne)));
  ExpectDifferent(Max(x_, y_), Min(x_, y_));
  ExpectDifferent(Max(x_, C(kZero)), x_);
}

TEST_F(SmtTest, SignTransfer) {
  FpAttr xorsign = kF32;
  xorsign.xorsign = true;
  // sign(x) * |y| * |x| = x * |y| everywhere, zero included.
  ExpectProved(Mul(Op(FpKind::kCopySign, x_, y_), Op(FpKind::kAbs, x_)), Mul(x_, Op(FpKind::kAbs, y_)));
  ExpectProved(Mul(store_.Fp(FpKind::kMin, xorsign, x_, y_), store_.Fp(FpKind::kMax, xorsign, x_, y_)), Op(FpKind::kAbs, Mul(x_, y_)));
  // The sign of a computed zero is not known, so this must not be provable: at x = y = 0 the signs may differ.
  const SmtOutcome outcome = Ask(Op(FpKind::kCopySign, Sub(x_, y_), z_), Op(FpKind::kCopySign, Neg(Sub(y_, x_)), z_));
  EXPECT_NE(outcome.status, Status::kProved);
}

TEST_F(SmtTest, Polynomials) {
  ExpectProved(Mul(Add(x_, y_), Sub(x_, y_)), Sub(Mul(x_, x_), Mul(y_, y_)));
  ExpectProved(Op(FpKind::kFma, x_, y_, z_), Add(z_, Mul(y_, x_)));
  ExpectDifferent(Op(FpKind::kFma, x_, y_, z_), Op(FpKind::kFma, x_, z_, y_));
  ExpectDifferent(Mul(C(0x3f000000), x_), Mul(C(0x3f000001), x_));  // 0.5 against its neighbour
  ExpectDifferent(Add(Add(x_, y_), z_), Add(x_, y_));
}

TEST_F(SmtTest, RootsAndQuotients) {
  const TermId square_plus = Add(Mul(x_, x_), e_);
  const TermId root = Op(FpKind::kSqrt, square_plus);
  ExpectProved(Mul(root, root), square_plus);
  ExpectProved(Op(FpKind::kRsqrt, square_plus), Op(FpKind::kRcp, root));
  ExpectProved(Mul(Op(FpKind::kRsqrt, square_plus), root), Op(FpKind::kDiv, e_, e_));
  ExpectProved(Op(FpKind::kDiv, x_, root), Mul(x_, Op(FpKind::kRsqrt, square_plus)));
  ExpectProved(Op(FpKind::kDiv, x_, C(kThree)), Mul(x_, store_.FpReal(FpFormat::kF32, Rational(1, 3))));
  // eps outside the root.
  ExpectDifferent(Op(FpKind::kRsqrt, square_plus), Op(FpKind::kRcp, Add(Op(FpKind::kAbs, x_), e_)));
}

TEST_F(SmtTest, BothSidesMustBeDefinedAtTheSameInputs) {
  const auto not_proved = [&](TermId a, TermId b) { EXPECT_EQ(Ask(a, b).status, Status::kCounterexample) << store_.ToString(a); };
  not_proved(Op(FpKind::kDiv, x_, x_), C(kOne));
  not_proved(Mul(Op(FpKind::kSqrt, x_), Op(FpKind::kSqrt, x_)), x_);
  // Positive: the divisor cannot vanish, or the undefined branch is never taken.
  ExpectProved(Op(FpKind::kDiv, e_, e_), C(kOne));
  const TermId positive = Less(C(kZero), x_);
  ExpectProved(store_.FpIte(positive, Op(FpKind::kDiv, x_, x_), C(kOne)), store_.FpIte(positive, C(kOne), Mul(C(kOne), C(kOne))));
  // Undefined at the same inputs.
  ExpectProved(Op(FpKind::kDiv, Mul(x_, y_), y_), Mul(x_, Op(FpKind::kDiv, y_, y_)));
}

// A NaN ends in these: 1/x and x/x^2 are equal and undefined at the same inputs, but +inf and NaN at x = 0. Broken once each: without
// the line of AbsorbsNaN for it, the pair is proved.
TEST_F(SmtTest, NoOperationHidesAnUndefinedValue) {
  const TermId infinite = Op(FpKind::kRcp, x_), nan = Op(FpKind::kDiv, x_, Mul(x_, x_));
  ExpectProved(infinite, nan);
  const auto refused = [&](const auto& operation) {
    ExpectUnknown(operation(infinite), operation(nan), "of a value that may be undefined");
  };
  refused([&](TermId t) { return Max(t, y_); });
  refused([&](TermId t) { return Min(y_, t); });
  FpAttr sat = kF32;
  sat.sat = true;
  refused([&](TermId t) { return store_.Fp(FpKind::kMul, sat, t, y_); });
  FpAttr half = sat;
  half.format = FpFormat::kF16;
  refused([&](TermId t) { return store_.FpConvert(half, t); });
  refused([&](TermId t) { return store_.FpConvert({.format = FpFormat::kF16, .satfinite = true}, t); });
  refused([&](TermId t) { return store_.FpIte(Less(t, C(kZero)), x_, y_); });
  refused([&](TermId t) { return store_.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, t); });
  // max.NaN hands the NaN on.
  FpAttr nan_wins = kF32;
  nan_wins.nan = true;
  ExpectProved(store_.Fp(FpKind::kMax, nan_wins, infinite, y_), store_.Fp(FpKind::kMax, nan_wins, nan, y_));
}

// A conversion to a narrow format is no identity: broken once by leaving it out of the encoder, and the second and the third were proved.
TEST_F(SmtTest, QuantisationIsAFunctionOfItsOwn) {
  const FpAttr e4m3{.format = FpFormat::kE4M3, .satfinite = true}, wraps{.format = FpFormat::kE4M3};
  const auto there_and_back = [&](const FpAttr& attr, TermId t) { return store_.FpConvert(kF32, store_.FpConvert(attr, t)); };
  ExpectProved(there_and_back(e4m3, Add(x_, x_)), there_and_back(e4m3, Mul(x_, C(0x40000000))));
  EXPECT_NE(Ask(there_and_back(e4m3, x_), x_).status, Status::kProved);
  EXPECT_NE(Ask(there_and_back(e4m3, x_), there_and_back(wraps, x_)).status, Status::kProved);
}

// An infinity does not pass through: the largest number is no neutral element. Broken once each: min(., y) was y.
TEST_F(SmtTest, ConversionsEndAnInfinity) {
  const TermId infinity = C(0x7f800000);
  const auto least = [&](const FpAttr& attr) { return Min(store_.FpConvert(kF32, store_.FpConvert(attr, infinity)), y_); };
  ExpectUnknown(least({.format = FpFormat::kF16, .satfinite = true}), y_, "infinite value");
  ExpectUnknown(least({.format = FpFormat::kE4M3}), y_, "infinite value");
  ExpectProved(least({.format = FpFormat::kF16}), y_);
}

TEST_F(SmtTest, RangesAreUsed) {
  ranges_[0] = {Rational(2), std::nullopt, false, false};
  ranges_[1] = {std::nullopt, Rational(100), false, true};
  ExpectProved(Max(x_, C(kTwo)), x_);
  ExpectProved(Max(x_, C(kOne)), x_);
  ExpectDifferent(Max(x_, C(kThree)), x_);
  ExpectProved(store_.Bv(TermKind::kBvUlt, 32, m_, U(100)), store_.BvConst(1, 1));
  ExpectDifferent(store_.Bv(TermKind::kBvUlt, 32, m_, U(99)), store_.BvConst(1, 1));  // open end: 99 is allowed
  ExpectProved(Less(e_, C(kZero)), store_.BvConst(1, 0));
  ExpectDifferent(Less(e_, C(kOne)), store_.BvConst(1, 1));  // 1 is in (0, 1]
}

TEST_F(SmtTest, SignedRanges) {
  TermStore store;
  const TermId s = store.BvInput(store.AddSymbol({"s", ScalarType::kS16, {}}), 0);
  const SymbolRanges ranges = {{Rational(-7, 2), Rational(5), false, true}};  // -3 .. 4
  const auto ask = [&](TermId a, TermId b) { return SmtProveEqual(store, ranges, {1}, a, b, "signed").status; };
  const TermId yes = store.BvConst(1, 1);
  EXPECT_EQ(ask(store.Bv(TermKind::kBvSlt, 16, s, store.BvConst(16, 5)), yes), Status::kProved);
  EXPECT_EQ(ask(store.Bv(TermKind::kBvSlt, 16, s, store.BvConst(16, 4)), yes), Status::kCounterexample);
  EXPECT_EQ(ask(store.Bv(TermKind::kBvSlt, 16, store.BvConst(16, 0xfffc), s), yes), Status::kProved);
  EXPECT_EQ(ask(store.Bv(TermKind::kBvSlt, 16, store.BvConst(16, 0xfffd), s), yes), Status::kCounterexample);
}

TEST_F(SmtTest, EmptyRangeProvesNothing) {
  ranges_[0] = {Rational(1), Rational(1), false, true};
  ExpectUnknown(x_, y_, "empty input range");
  ranges_[0] = {};
  ranges_[1] = {Rational(1, 3), Rational(2, 3), false, false};  // no integer
  ExpectUnknown(m_, n_, "empty input range");
}

TEST_F(SmtTest, ShortIntegersAsReals) {
  TermStore store;
  const TermId b = store.BvInput(store.AddSymbol({"b", ScalarType::kS8, {}}), 0);
  const TermId direct = store.IntToFp(ScalarType::kS8, kF32, b);
  const TermId wide = store.IntToFp(ScalarType::kS16, kF32, store.SExt(16, b));
  const TermId wrong = store.IntToFp(ScalarType::kS16, kF32, store.ZExt(16, b));  // an s8 load without its sign
  EXPECT_EQ(SmtProveEqual(store, {}, {1}, direct, wide, "s8").status, Status::kProved);
  const SmtOutcome outcome = SmtProveEqual(store, {}, {1}, direct, wrong, "s8");
  ASSERT_EQ(outcome.status, Status::kCounterexample) << outcome.reason;
  EXPECT_TRUE(BallEvaluator(store, *outcome.point).CertainlyDifferent(direct, wrong));
}

TEST_F(SmtTest, OpaqueCastsAreFunctionsOfTheReal) {
  const TermId sum = Add(Add(x_, y_), z_), other = Add(x_, Add(z_, y_));
  const auto plus_one = [&](TermId fp) { return Bv(TermKind::kBvAdd, store_.FpToBits(fp), U(1)); };
  // Breaks if patterns are keyed by their real value: x + 1 - 1 is x, and its bits are not.
  EXPECT_NE(Ask(plus_one(sum), plus_one(other)).status, Status::kProved);
  ExpectProved(Bv(TermKind::kBvMul, plus_one(sum), U(3)), Bv(TermKind::kBvAdd, Bv(TermKind::kBvMul, store_.FpToBits(sum), U(3)), U(3)));
  const auto to_int = [&](Rounding rounding, TermId fp) { return store_.FpToInt(ScalarType::kS32, rounding, false, false, fp); };
  ExpectProved(to_int(Rounding::kRzi, sum), to_int(Rounding::kRzi, other));
  EXPECT_NE(Ask(to_int(Rounding::kRzi, sum), to_int(Rounding::kRmi, other)).status, Status::kProved);
  FpAttr down = kF32;
  down.rounding = Rounding::kRmi;
  ExpectProved(store_.Fp(FpKind::kRoundInt, down, sum), store_.Fp(FpKind::kRoundInt, down, other));
  EXPECT_NE(Ask(store_.Fp(FpKind::kRoundInt, down, sum), sum).status, Status::kProved);
  const TermId as_float = store_.BitsToFp(FpFormat::kF32, Bv(TermKind::kBvAdd, m_, n_));
  ExpectProved(as_float, store_.BitsToFp(FpFormat::kF32, Bv(TermKind::kBvSub, m_, Bv(TermKind::kBvSub, U(0), n_))));
}

TEST_F(SmtTest, PatternsOfEqualValuesMayDiffer) {
  EXPECT_NE(Ask(store_.FpToBits(Add(x_, Add(y_, z_))), store_.FpToBits(Add(Add(x_, y_), z_))).status, Status::kProved);
}

TEST_F(SmtTest, InfiniteLiterals) {
  const TermId minus_infinity = C(0xff800000);
  ExpectProved(Max(minus_infinity, x_), Max(x_, x_));
  ExpectDifferent(Max(minus_infinity, x_), Max(C(kZero), x_));
  ExpectUnknown(Add(minus_infinity, x_), x_, "infinite value");
  ExpectUnknown(Max(C(0x7f800000), x_), x_, "infinite value");
}

TEST_F(SmtTest, RefusedByName) {
  ExpectUnknown(Op(FpKind::kEx2, x_), Op(FpKind::kEx2, Add(x_, C(kZero))), "exponential in the query");
  ExpectUnknown(Op(FpKind::kTanh, x_), x_, "exponential in the query");
  ExpectUnknown(Op(FpKind::kSin, x_), x_, "trigonometric function in the query");
  ExpectUnknown(store_.Undef(32, 1), m_, "undefined value");
  ExpectUnknown(store_.Undef(32, 1), store_.Undef(32, 1), "undefined value");
  ExpectUnknown(C(0x7fc00000), x_, "NaN");
  SmtLimits small;
  small.max_nodes = 3;
  ExpectUnknown(Add(x_, y_), Add(y_, z_), "query too large", small);
  small.max_nodes = 5;
  EXPECT_EQ(Ask(Add(x_, y_), Add(y_, z_), small).status, Status::kCounterexample);
}

TEST_F(SmtTest, ModelBeyondTheFormatIsNoWitness) {
  // Only x >= 2^128 tells the sides apart, and no f32 is that large.
  const TermId big = store_.FpReal(FpFormat::kF32, Rational::Dyadic(1, 128));
  ExpectUnknown(Min(x_, big), x_, "counterexample not representable");
}

TEST_F(SmtTest, AlgebraicModelsAreRounded) {
  // They differ exactly where x * x = 2: the model is a root of 2.
  const TermId two = store_.FpCompare(CompareOp::kEq, false, Mul(x_, x_), C(kTwo));
  const SmtOutcome outcome = Ask(two, store_.BvConst(1, 0));
  ASSERT_EQ(outcome.status, Status::kCounterexample) << outcome.reason;
  EXPECT_TRUE(outcome.point->bits[0][0] == 0x3fb504f3 || outcome.point->bits[0][0] == 0xbfb504f3) << outcome.point->bits[0][0];
}

// Associativity of 64-bit products: no solver gets there by bit-blasting.
class EndlessTest : public SmtTest {
 protected:
  EndlessTest() {
    const TermId a = store_.ZExt(64, m_), b = store_.ZExt(64, n_), c = store_.ZExt(64, k_);
    const auto mul = [&](TermId l, TermId r) { return store_.Bv(TermKind::kBvMul, 64, l, r); };
    const auto add = [&](TermId l, TermId r) { return store_.Bv(TermKind::kBvAdd, 64, l, r); };
    left_ = mul(add(mul(a, b), c), add(mul(b, c), a));
    right_ = add(mul(mul(a, b), mul(b, c)), add(mul(mul(a, b), a), add(mul(c, mul(b, c)), mul(c, add(a, store_.BvConst(64, 0))))));
    // Hidden behind a bitwise operation so that polynomial rewriting does not see it.
    left_ = store_.Bv(TermKind::kBvXor, 64, left_, store_.Bv(TermKind::kBvUDiv, 64, mul(left_, left_), add(c, store_.BvConst(64, 7))));
    right_ = store_.Bv(TermKind::kBvXor, 64, right_, store_.Bv(TermKind::kBvUDiv, 64, mul(right_, right_), add(store_.BvConst(64, 7), c)));
  }
  TermId left_, right_;
};

TEST_F(EndlessTest, KilledAtTheDeadline) {
  SmtLimits limits;
  limits.seconds = 0.5;
  limits.rlimit = 4'000'000'000;
  const SmtOutcome outcome = Ask(left_, right_, limits);
  EXPECT_EQ(outcome.status, Status::kUnknown);
  EXPECT_EQ(outcome.reason, "solver limit: killed after 0.5 s");
  EXPECT_LT(outcome.seconds, 2.0);
}

TEST_F(EndlessTest, ResourceLimit) {
  SmtLimits limits;
  limits.seconds = 60;
  limits.rlimit = 100'000;
  const SmtOutcome outcome = Ask(left_, right_, limits);
  EXPECT_EQ(outcome.status, Status::kUnknown);
  EXPECT_EQ(outcome.reason, "solver limit: max. resource limit exceeded");
  EXPECT_LT(outcome.seconds, 30.0);
}

TEST_F(EndlessTest, MemoryLimit) {
  SmtLimits limits;
  limits.seconds = 60;
  limits.rlimit = 4'000'000'000;
  limits.memory_bytes = 24 << 20;
  const SmtOutcome outcome = Ask(left_, right_, limits);
  EXPECT_EQ(outcome.status, Status::kUnknown);
  EXPECT_EQ(outcome.reason, "solver limit: out of memory");
  EXPECT_LT(outcome.seconds, 30.0);
}

TEST_F(SmtTest, DeepQueryNeedsNoStackHere) {
  TermId left = x_, right = x_;
  for (int i = 0; i < 400'000; ++i) {
    left = Add(left, y_);
    right = Add(y_, right);
  }
  ExpectUnknown(left, Mul(left, right), "query too large");
  SmtLimits limits;
  limits.max_nodes = 1'000'000;
  limits.seconds = 1;
  EXPECT_NE(Ask(left, Add(left, y_), limits).status, Status::kProved);
}

// With the roundings unknown one term has one value, and terms equal over the reals are others. Broken once by letting roundings to
// integers see the real value.
TEST_F(SmtTest, UnknownRoundings) {
  const auto status = [&](TermId a, TermId b) {
    return SmtProveEqual(store_, ranges_, {3, 3, 1}, a, b, "test", {}, SmtRounding::kUnknown).status;
  };
  const auto choose = [&](TermId condition, TermId a, TermId b) { return store_.BvIte(32, condition, a, b); };
  TermId sum = Add(Add(x_, y_), z_), other = Add(x_, Add(y_, z_));
  TermId twice = Bv(TermKind::kBvAdd, m_, m_), shifted = Bv(TermKind::kBvShl, m_, U(1));
  EXPECT_EQ(status(choose(Less(sum, e_), twice, n_), choose(Less(sum, e_), shifted, n_)), Status::kProved);
  EXPECT_EQ(status(choose(Less(sum, e_), twice, n_), choose(store_.FpCompare(CompareOp::kLe, false, e_, sum), n_, shifted)),
            Status::kProved);
  EXPECT_NE(status(choose(Less(sum, e_), twice, n_), choose(Less(other, e_), shifted, n_)), Status::kProved);
  EXPECT_NE(status(choose(Less(Add(x_, C(kOne)), x_), n_, m_), m_), Status::kProved);
  ExpectProved(choose(Less(Add(x_, C(kOne)), x_), n_, m_), m_);
  EXPECT_EQ(status(choose(Less(Max(x_, C(kOne)), C(kZero)), n_, m_), m_), Status::kProved);
  const auto to_int = [&](TermId a) { return store_.FpToInt(ScalarType::kU32, Rounding::kRzi, false, false, a); };
  EXPECT_NE(status(to_int(sum), to_int(other)), Status::kProved);
  ExpectProved(to_int(sum), to_int(other));
}

}  // namespace
}  // namespace racer
