#include "checker/roundings.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

constexpr uint64_t kOne = 0x3f800000, kMinusOne = 0xbf800000, kTenth = 0x3dcccccd, kInfinity = 0x7f800000;

class RoundingsTest : public ::testing::Test {
 protected:
  RoundingsTest()
      : f_(store_.AddSymbol({"f", ScalarType::kF32, {4}})),
        v_(store_.AddSymbol({"v", ScalarType::kU32, {4}})),
        x_(store_.FpInput(f_, 0)),
        y_(store_.FpInput(f_, 1)),
        z_(store_.FpInput(f_, 2)),
        sum_(Op(FpKind::kAdd, x_, y_)) {}
  TermId C(uint64_t bits) { return store_.FpConst(FpFormat::kF32, bits); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm) { return store_.Fp(kind, FpAttr{}, a, b, c); }
  TermId Less(TermId a, TermId b, CompareOp op = CompareOp::kLt) { return store_.FpCompare(op, false, a, b); }
  TermId Through(FpFormat format, TermId a) { return store_.FpConvert(FpAttr{}, store_.FpConvert(FpAttr{.format = format}, a)); }
  // At the time of asking: the answers are kept for the terms that there are.
  Roundings::Traits Of(TermId id) { return Roundings(store_).Of(id); }
  bool Compares(TermId id) { return Of(id).compares_rounded; }
  bool Residual(TermId id) { return Of(id).residual; }

  TermStore store_;
  SymbolId f_, v_;
  TermId x_, y_, z_, sum_;
};

// Broken once by taking every term for exact: no comparison is named.
TEST_F(RoundingsTest, ComparisonsOfComputedValues) {
  EXPECT_TRUE(Compares(store_.FpIte(Less(sum_, z_), x_, y_)));
  EXPECT_TRUE(Compares(store_.BvIte(32, Less(sum_, z_), store_.BvInput(v_, 0), store_.BvConst(32, 3))));
  EXPECT_TRUE(Compares(Op(FpKind::kMul, z_, store_.FpIte(Less(C(0), sum_), C(kOne), C(0)))));
  EXPECT_TRUE(Compares(store_.FpIte(Less(sum_, x_, CompareOp::kEq), y_, sum_)));
  // Of inputs, for a NaN, with infinity.
  EXPECT_FALSE(Compares(store_.FpIte(Less(x_, z_), sum_, y_)));
  EXPECT_FALSE(Compares(store_.FpIte(Less(sum_, sum_, CompareOp::kEq), sum_, y_)));
  EXPECT_FALSE(Compares(store_.FpIte(Less(sum_, C(kInfinity)), sum_, y_)));
  // Subnormal inputs are flushed.
  EXPECT_TRUE(Compares(store_.FpIte(store_.FpCompare(CompareOp::kLt, true, x_, z_), sum_, y_)));
}

// Broken once by asking only whether one arm vanishes: a step counts as continuous.
TEST_F(RoundingsTest, ContinuousSelections) {
  TermId zero = C(0), negative = Less(sum_, zero);
  EXPECT_FALSE(Compares(store_.FpIte(Less(sum_, z_), z_, sum_)));
  EXPECT_FALSE(Compares(store_.FpIte(Less(sum_, C(kTenth)), C(kTenth), sum_)));
  EXPECT_FALSE(Compares(store_.FpIte(negative, zero, sum_)));
  EXPECT_FALSE(Compares(store_.FpIte(negative, Op(FpKind::kNeg, sum_), sum_)));
  EXPECT_FALSE(Compares(store_.FpIte(negative, Op(FpKind::kMul, sum_, C(kTenth)), sum_)));
  EXPECT_TRUE(Compares(store_.FpIte(negative, C(kOne), sum_)));
  EXPECT_TRUE(Compares(store_.FpIte(negative, sum_, Op(FpKind::kAdd, sum_, C(kOne)))));
  // A discontinuity inside a continuous one stays.
  TermId step = store_.FpIte(negative, C(kOne), x_);
  EXPECT_TRUE(Compares(store_.FpIte(Less(step, zero), zero, step)));
  EXPECT_FALSE(Compares(Op(FpKind::kMax, sum_, zero)));
}

TEST_F(RoundingsTest, SignsAndIntegers) {
  EXPECT_TRUE(Compares(Op(FpKind::kCopySign, sum_, C(kOne))));
  EXPECT_FALSE(Compares(Op(FpKind::kCopySign, sum_, sum_)));
  EXPECT_FALSE(Compares(Op(FpKind::kCopySign, x_, sum_)));
  const auto exclusive = [&](FpKind kind, TermId a, TermId b) { return store_.Fp(kind, FpAttr{.xorsign = true}, a, b); };
  EXPECT_TRUE(Compares(exclusive(FpKind::kMax, z_, sum_)));
  EXPECT_FALSE(Compares(exclusive(FpKind::kMax, z_, x_)));
  EXPECT_FALSE(Compares(exclusive(FpKind::kMin, z_, sum_)));  // what has the doubtful sign is near zero
  EXPECT_TRUE(Of(store_.Fp(FpKind::kRoundInt, FpAttr{.rounding = Rounding::kRni}, x_)).to_integer);
  const auto to_int = [&](TermId a) { return Of(store_.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, a)); };
  EXPECT_TRUE(to_int(x_).to_integer);
  EXPECT_FALSE(to_int(x_).decides_rounded);
  EXPECT_TRUE(to_int(sum_).decides_rounded);
  EXPECT_TRUE(to_int(sum_).floating_input);
  TermId from_int = store_.IntToFp(ScalarType::kU32, FpAttr{}, store_.BvInput(v_, 0));
  EXPECT_TRUE(to_int(from_int).decides_rounded);
  EXPECT_FALSE(to_int(from_int).floating_input);
}

TEST_F(RoundingsTest, QuantisersByName) {
  using Names = std::vector<std::string>;
  const auto names = [&](TermId id) { return Roundings::QuantiserNames(Of(id).quantised); };
  const TermId e4m3 = store_.FpConvert({.format = FpFormat::kE4M3, .satfinite = true}, sum_);
  const TermId power = store_.FpConvert({.format = FpFormat::kUE8M0, .rounding = Rounding::kRp}, sum_);
  const TermId both = Op(FpKind::kMul, store_.FpConvert(FpAttr{}, e4m3), store_.FpConvert(FpAttr{}, power));
  EXPECT_EQ(names(both), (Names{"to_e4m3.satfinite", "to_ue8m0"}));
  EXPECT_EQ(names(Through(FpFormat::kBF16, sum_)), Names());
}

// Broken once by not counting the narrowings: x - x counts. And by dropping the signs: x + bf16(x) does.
TEST_F(RoundingsTest, ResidualsOfConversions) {
  TermId narrow = Through(FpFormat::kBF16, sum_);
  EXPECT_TRUE(Residual(Op(FpKind::kSub, sum_, narrow)));
  EXPECT_TRUE(Residual(Op(FpKind::kMul, z_, Op(FpKind::kSub, narrow, sum_))));
  EXPECT_TRUE(Residual(Op(FpKind::kAdd, Op(FpKind::kNeg, narrow), sum_)));
  EXPECT_TRUE(Residual(Op(FpKind::kFma, narrow, C(kMinusOne), sum_)));
  EXPECT_TRUE(Residual(Op(FpKind::kSub, x_, Through(FpFormat::kF16, x_))));
  EXPECT_FALSE(Residual(Op(FpKind::kAdd, sum_, narrow)));
  EXPECT_FALSE(Residual(Op(FpKind::kSub, sum_, sum_)));
  EXPECT_FALSE(Residual(Op(FpKind::kSub, z_, narrow)));
  EXPECT_FALSE(Residual(Op(FpKind::kSub, narrow, narrow)));
  EXPECT_FALSE(Residual(Op(FpKind::kFma, narrow, C(kTenth), sum_)));
}

}  // namespace
}  // namespace racer
