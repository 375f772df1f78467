#include "idioms/constants.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace racer {
namespace {

std::optional<NamedReal> Lift(float value, std::vector<uint64_t> denominators = {}) {
  return RealOfLiteral(FpFormat::kF32, std::bit_cast<uint32_t>(value), denominators);
}

TEST(ConstantsTest, AReciprocalLiftsToItsReal) {
  auto real = Lift(1.0F / 384.0F);
  ASSERT_TRUE(real.has_value());
  EXPECT_EQ(real->name, "1/384");
  EXPECT_EQ(real->factor, Rational(1, 384));
  EXPECT_EQ(real->radicand, 1U);
  EXPECT_LE(real->ulp_distance, 0.5);
  EXPECT_GT(real->ulp_distance, 0.0);
}

// Near miss: the neighbours of the nearest value stand for nothing.
TEST(ConstantsTest, TheNeighboursOfAReciprocalDoNotLift) {
  uint32_t bits = std::bit_cast<uint32_t>(1.0F / 384.0F);
  EXPECT_FALSE(RealOfLiteral(FpFormat::kF32, bits + 1, {}).has_value());
  EXPECT_FALSE(RealOfLiteral(FpFormat::kF32, bits - 1, {}).has_value());
}

TEST(ConstantsTest, ExactLiteralsStayThemselves) {
  EXPECT_FALSE(Lift(0.5F).has_value());
  EXPECT_FALSE(Lift(1.0F / 1024.0F).has_value());
  EXPECT_FALSE(Lift(2.0F).has_value());  // sqrt(4)
}

// DESIGN.md section 10: constant 0.5 against 0.5000001 must never meet.
TEST(ConstantsTest, AHalfAndItsNeighbourNeverMeet) {
  EXPECT_FALSE(Lift(0.5000001F).has_value());
  EXPECT_FALSE(Lift(0.49999997F).has_value());
}

TEST(ConstantsTest, LargeDenominatorsOnlyWhenTheContractNamesThem) {
  EXPECT_FALSE(Lift(1.0F / 100003.0F).has_value());
  auto real = Lift(1.0F / 100003.0F, {100003});
  ASSERT_TRUE(real.has_value());
  EXPECT_EQ(real->name, "1/100003");
}

TEST(ConstantsTest, SquareRoots) {
  auto scale = Lift(0.08838834764F);  // 1/sqrt(128)
  ASSERT_TRUE(scale.has_value());
  EXPECT_EQ(scale->name, "1/sqrt(128)");
  EXPECT_EQ(scale->factor, Rational(1, 128));
  EXPECT_EQ(scale->radicand, 128U);
  auto root = Lift(-1.41421356F);
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->name, "-sqrt(2)");
  EXPECT_EQ(root->factor, Rational(-1));
}

TEST(ConstantsTest, HalfPrecisionUsesItsOwnSpacing) {
  auto third = RealOfLiteral(FpFormat::kF16, 0x3555, {});  // 0.333251953125, the f16 nearest to 1/3
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(third->name, "1/3");
  EXPECT_FALSE(RealOfLiteral(FpFormat::kF16, 0x3556, {}).has_value());
}

TEST(ConstantsTest, InfinitiesNaNsAndZeroAreNotReals) {
  EXPECT_FALSE(RealOfLiteral(FpFormat::kF32, 0x7f800000, {}).has_value());
  EXPECT_FALSE(RealOfLiteral(FpFormat::kF32, 0x7fc00000, {}).has_value());
  EXPECT_FALSE(RealOfLiteral(FpFormat::kF32, 0, {}).has_value());
}

TEST(ExactValueTest, DecodesEdges) {
  EXPECT_EQ(ExactValue(FpFormat::kF32, 0x3f800000), Rational(1));
  EXPECT_EQ(ExactValue(FpFormat::kF32, 1), Rational::Dyadic(1, -149));
  EXPECT_EQ(ExactValue(FpFormat::kF16, 0xc000), Rational(-2));
  EXPECT_EQ(ExactValue(FpFormat::kBF16, 0x3f80), Rational(1));
  EXPECT_EQ(ExactValue(FpFormat::kF64, 0x8000000000000000), Rational(0));
  EXPECT_FALSE(ExactValue(FpFormat::kF64, 0x7ff0000000000000).has_value());
}

}  // namespace
}  // namespace racer
