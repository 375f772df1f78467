#include "symexec/term/rounded.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

class RoundedTest : public ::testing::Test {
 protected:
  RoundedTest()
      : f_(store_.AddSymbol({"f", ScalarType::kF32, {4}})),
        h_(store_.AddSymbol({"h", ScalarType::kBF16, {4}})),
        v_(store_.AddSymbol({"v", ScalarType::kU32, {4}})),
        x_(store_.FpInput(f_, 0)),
        y_(store_.FpInput(f_, 1)),
        n_(store_.BvInput(v_, 0)),
        sum_(Op(FpKind::kAdd, x_, y_)) {}
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, FpAttr attr = {}) { return store_.Fp(kind, attr, a, b); }
  bool Rounded(TermId id) { return RoundedTerms(store_)[static_cast<size_t>(id)]; }

  TermStore store_;
  SymbolId f_, h_, v_;
  TermId x_, y_, n_, sum_;
};

TEST_F(RoundedTest, Operations) {
  EXPECT_FALSE(Rounded(x_));
  EXPECT_TRUE(Rounded(sum_));
  EXPECT_TRUE(Rounded(Op(FpKind::kEx2, x_)));
  EXPECT_FALSE(Rounded(Op(FpKind::kNeg, x_)));
  EXPECT_FALSE(Rounded(Op(FpKind::kMax, x_, y_, FpAttr{.relu = true})));
  EXPECT_FALSE(Rounded(Op(FpKind::kRoundInt, x_, kNoTerm, FpAttr{.rounding = Rounding::kRmi})));
  // What is above a rounded value.
  EXPECT_TRUE(Rounded(Op(FpKind::kNeg, sum_)));
  EXPECT_TRUE(Rounded(Op(FpKind::kMax, x_, sum_)));
  EXPECT_TRUE(Rounded(Op(FpKind::kRoundInt, sum_, kNoTerm, FpAttr{.rounding = Rounding::kRmi})));
  // Subnormal operands are flushed.
  EXPECT_TRUE(Rounded(Op(FpKind::kMax, x_, y_, FpAttr{.ftz = true})));
}

TEST_F(RoundedTest, Selections) {
  const auto select = [&](TermId a, TermId b) { return store_.FpIte(store_.FpCompare(CompareOp::kLt, false, sum_, y_), a, b); };
  EXPECT_FALSE(Rounded(select(x_, y_)));
  EXPECT_TRUE(Rounded(select(x_, sum_)));
  // A pattern is what it is.
  EXPECT_FALSE(Rounded(store_.BitsToFp(FpFormat::kF32, store_.Bv(TermKind::kBvXor, 32, store_.FpToBits(sum_), n_))));
}

TEST_F(RoundedTest, Conversions) {
  const auto to = [&](FpFormat format, TermId a) { return store_.FpConvert(FpAttr{.format = format}, a); };
  EXPECT_TRUE(Rounded(to(FpFormat::kBF16, x_)));
  EXPECT_TRUE(Rounded(to(FpFormat::kF32, to(FpFormat::kBF16, x_))));
  EXPECT_TRUE(Rounded(to(FpFormat::kTF32, x_)));
  EXPECT_FALSE(Rounded(to(FpFormat::kF32, store_.FpInput(h_, 0))));
  EXPECT_TRUE(Rounded(to(FpFormat::kF16, store_.FpInput(h_, 0))));
  EXPECT_FALSE(Rounded(to(FpFormat::kF64, x_)));
  EXPECT_TRUE(Rounded(to(FpFormat::kF64, sum_)));
}

// Broken once by a significand of one bit more: 25 bits count as exact.
TEST_F(RoundedTest, IntegersBeyondTheSignificand) {
  const auto from = [&](FpFormat format, unsigned bits) {
    TermId low = bits == 32 ? n_ : store_.ZExt(32, store_.Extract(bits, n_, 0));
    return store_.IntToFp(ScalarType::kU32, FpAttr{.format = format}, low);
  };
  EXPECT_TRUE(Rounded(from(FpFormat::kF32, 32)));
  EXPECT_TRUE(Rounded(from(FpFormat::kF32, 25)));
  EXPECT_FALSE(Rounded(from(FpFormat::kF32, 24)));
  EXPECT_FALSE(Rounded(from(FpFormat::kF64, 32)));
  EXPECT_TRUE(Rounded(from(FpFormat::kF16, 12)));
  EXPECT_FALSE(Rounded(from(FpFormat::kBF16, 8)));
  EXPECT_FALSE(Rounded(store_.FpReal(FpFormat::kF32, Rational(3))));
  EXPECT_TRUE(Rounded(store_.FpReal(FpFormat::kF32, Rational(1, 3))));
}

}  // namespace
}  // namespace racer
