#include "checker/edge_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "symexec/ball/dtype.h"

namespace racer {
namespace {

class EdgePointsTest : public ::testing::Test {
 protected:
  EdgePointsTest()
      : x_(store_.AddSymbol({"x", ScalarType::kF32, {4}})),
        s_(store_.AddSymbol({"s", ScalarType::kF32, {}})),
        product_(store_.Fp(FpKind::kMul, FpAttr{}, store_.FpInput(x_, 0), store_.FpInput(s_, 0))) {}
  TermId C(float value) { return store_.FpConst(FpFormat::kF32, std::bit_cast<uint32_t>(value)); }
  bool Has(TermId root, const Rational& value) {
    const std::vector<Rational> values = EdgeValues(store_, {root});
    return std::find(values.begin(), values.end(), value) != values.end();
  }

  TermStore store_;
  SymbolId x_, s_;
  TermId product_;
};

TEST_F(EdgePointsTest, LiteralsOfExtremaAndConversions) {
  EXPECT_TRUE(EdgeValues(store_, {product_}).empty());
  EXPECT_TRUE(EdgeValues(store_, {store_.Fp(FpKind::kAdd, FpAttr{}, product_, C(240))}).empty());
  const TermId clamped = store_.Fp(FpKind::kMin, FpAttr{}, product_, C(240));
  EXPECT_TRUE(Has(clamped, Rational(240)));
  EXPECT_TRUE(Has(clamped, Rational(480)));
  EXPECT_FALSE(Has(clamped, Rational(1, 2)));  // nothing is rounded
  const TermId byte = store_.FpToInt(ScalarType::kS8, Rounding::kRni, false, true, product_);
  for (const Rational& value : {Rational(-128), Rational(127), Rational(128), Rational(255, 2), Rational(254), Rational(1, 2)}) {
    EXPECT_TRUE(Has(byte, value)) << value.ToString();
  }
  const TermId word = store_.FpToInt(ScalarType::kS32, Rounding::kRni, false, true, product_);
  const TermId least = store_.BvConst(32, static_cast<uint64_t>(-128));
  const TermId clamped_word = store_.BvIte(32, store_.Bv(TermKind::kBvSlt, 32, word, least), least, word);
  EXPECT_TRUE(Has(clamped_word, Rational(-128)));
  EXPECT_TRUE(Has(clamped_word, Rational(-256)));
  EXPECT_TRUE(Has(store_.FpConvert({.format = FpFormat::kE4M3, .satfinite = true}, product_), Rational(480)));
}

TEST_F(EdgePointsTest, EveryCellComesToEveryValueInsideTheRanges) {
  SymbolRanges ranges(2);
  ranges[1].low = Rational(2);
  const std::vector<Rational> values = {Rational(1), Rational(5, 2), Rational(-7)};
  for (uint64_t cell = 0; cell < 4; ++cell) {
    std::vector<Rational> met;
    for (unsigned index = 0; index < values.size(); ++index) {
      const InputPoint point = EdgePoint(store_, ranges, {4, 1}, values, index);
      ASSERT_EQ(point.bits.size(), 2u);
      met.push_back(*Dtype(ScalarType::kF32).ValueOf(point.bits[0][cell]));
      EXPECT_EQ(point.bits[1][0], 0x40000000u);  // the scalar nearest to 1
    }
    EXPECT_TRUE(std::is_permutation(met.begin(), met.end(), values.begin()));
  }
  ranges[0].low = Rational(2);
  ranges[0].high = Rational(1);
  EXPECT_TRUE(EdgePoint(store_, ranges, {4, 1}, values, 0).bits.empty());
}

}  // namespace
}  // namespace racer
