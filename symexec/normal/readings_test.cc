#include <gtest/gtest.h>

#include "symexec/normal/normal.h"
#include "symexec/normal/testing.h"

namespace racer {
namespace {

class ReadingsTest : public testing::Test, protected Terms {
 protected:
  bool Depends(TermId term) { return normalizer_.DependsOnReading(term); }
  TermId Equal(TermId a, TermId b) { return store.FpCompare(CompareOp::kEq, false, a, b); }
  TermId Floor(TermId a) { return store.Fp(FpKind::kRoundInt, FpAttr{.rounding = Rounding::kRmi}, a); }

  const FewConstants constants_;
  Normalizer normalizer_{store, ranges, {.constants = &constants_}};
  const TermId third_ = C(1.0f / 3);
};

TEST_F(ReadingsTest, SettledByOneReadingAlone) {
  const TermId settled = Equal(Mul(X(0), third_), Div(X(0), C(3)));
  EXPECT_TRUE(Depends(settled));
  EXPECT_TRUE(Depends(Mul(X(1), If(settled, X(0), X(1)))));
  EXPECT_TRUE(Depends(Less(Div(P(0), C(3)), Mul(P(0), third_))));
  // As one of a sum that only multiplied out is the other side.
  TermId sum = Sum(8);
  EXPECT_TRUE(Depends(Equal(Mul(sum, third_), Div(sum, C(3)))));
}

TEST_F(ReadingsTest, OpenInBoth) {
  EXPECT_FALSE(Depends(Less(Mul(X(0), third_), X(1))));
  EXPECT_FALSE(Depends(Mul(X(0), third_)));
  EXPECT_FALSE(Depends(If(Less(X(0), X(1)), Mul(X(0), third_), X(1))));
  EXPECT_FALSE(Depends(Floor(Mul(X(0), third_))));
}

TEST_F(ReadingsTest, SettledAlikeInBoth) {
  EXPECT_FALSE(Depends(Less(Mul(P(0), third_), P(0))));
  EXPECT_FALSE(Depends(Equal(Mul(X(0), C(0.3f)), Div(Mul(X(0), C(3)), C(10)))));  // no literal of the table
}

TEST_F(ReadingsTest, RoundedToAnInteger) {
  const TermId one = Sub(Add(Mul(third_, C(3)), X(0)), X(0));
  EXPECT_TRUE(Depends(store.Fp(FpKind::kRoundInt, FpAttr{.rounding = Rounding::kRpi}, one)));  // 1.00000003 or 1
  EXPECT_FALSE(Depends(Floor(one)));
  EXPECT_TRUE(Depends(store.FpToInt(ScalarType::kS32, Rounding::kRpi, false, false, one)));
}

TEST_F(ReadingsTest, Quantised) {
  const auto narrow = [&](TermId a) { return store.FpConvert(FpAttr{.format = FpFormat::kE4M3, .satfinite = true}, a); };
  const TermId rest = Mul(Fma(third_, C(3), C(-1)), C(0x1p25f));  // 1 or 0
  EXPECT_TRUE(Depends(narrow(rest)));
  EXPECT_FALSE(Depends(narrow(Mul(third_, C(4)))));
}

// Broken once, with comparisons and roundings alone: none of the first five.
TEST_F(ReadingsTest, SignsOfDivisorsAndOfWhatIsUnderARoot) {
  const TermId gone = Sub(Div(X(0), C(3)), Mul(X(0), third_));
  const auto unary = [&](FpKind kind, TermId a) { return store.Fp(kind, FpAttr{}, a); };
  EXPECT_TRUE(Depends(Mul(Div(gone, gone), X(0))));
  EXPECT_TRUE(Depends(unary(FpKind::kRcp, gone)));
  EXPECT_TRUE(Depends(unary(FpKind::kRsqrt, Mul(gone, gone))));
  EXPECT_TRUE(Depends(unary(FpKind::kLg2, gone)));
  EXPECT_TRUE(Depends(store.Fp(FpKind::kCopySign, FpAttr{}, gone, C(1))));
  EXPECT_FALSE(Depends(store.Fp(FpKind::kCopySign, FpAttr{}, X(0), gone)));  // whose sign does not count
  EXPECT_FALSE(Depends(Mul(gone, X(1))));
  EXPECT_FALSE(Depends(Div(X(1), Mul(X(0), third_))));
  EXPECT_FALSE(Depends(unary(FpKind::kSqrt, Mul(P(0), third_))));
}

TEST_F(ReadingsTest, WithoutATable) {
  EXPECT_FALSE(Normalizer(store, ranges, {}).DependsOnReading(Equal(Mul(X(0), third_), Div(X(0), C(3)))));
}

}  // namespace
}  // namespace racer
