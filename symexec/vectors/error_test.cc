#include "symexec/vectors/error.h"

#include <gtest/gtest.h>

#include <vector>

namespace racer {
namespace {

ApproximateError Of(Opcode opcode, ScalarType type, std::vector<uint64_t> in, uint64_t result, uint64_t bits, bool ftz = false) {
  Mods mods;
  mods.type = type;
  mods.ftz = ftz;
  return ErrorOf(SpecOf(opcode), mods, type, in, result, bits);
}

TEST(ErrorTest, UnitsInTheLastPlace) {
  // 1/3 is 0x3eaaaaab less a third of a unit.
  const ApproximateError near = Of(Opcode::kRcpApprox, ScalarType::kF32, {0x40400000}, 0x3eaaaaab, 0x3eaaaaab);
  EXPECT_NEAR(near.ulp, 1.0 / 3, 1e-6);
  EXPECT_TRUE(near.promised);
  const ApproximateError below = Of(Opcode::kRcpApprox, ScalarType::kF32, {0x40400000}, 0x3eaaaaa9, 0x3eaaaaab);
  EXPECT_NEAR(below.ulp, 5.0 / 3, 1e-6);
  EXPECT_GT(below.share, 1);
}

TEST(ErrorTest, AbsoluteAndRelativeBoundsByRange) {
  // lg2(1 + 2^-23) is 1.44 * 2^-23: 0 is far off relatively, and within the absolute bound near 1.
  const ApproximateError near_one = Of(Opcode::kLg2, ScalarType::kF32, {0x3f800001}, 0, 0x34388aa9);
  EXPECT_LT(near_one.share, 1);
  // lg2(8) = 3.
  EXPECT_LT(Of(Opcode::kLg2, ScalarType::kF32, {0x41000000}, 0x40400001, 0x40400000).share, 1);
  EXPECT_GT(Of(Opcode::kLg2, ScalarType::kF32, {0x41000000}, 0x40400004, 0x40400000).share, 1);
  // sin beyond 100 pi: no promise.
  EXPECT_FALSE(Of(Opcode::kSin, ScalarType::kF32, {0x43c80000}, 0, 0xbf59c3b1).promised);
}

// Broken once by giving div.approx the bound of div.full: beyond 2^126 it is promised something.
TEST(ErrorTest, QuotientsByRange) {
  const auto one_over = [](Opcode opcode, uint64_t divisor, uint64_t result) {
    return Of(opcode, ScalarType::kF32, {0x3f800000, divisor}, result, result);
  };
  EXPECT_TRUE(one_over(Opcode::kDivApprox, 0x7e800000, 0x00800000).promised);  // 2^126
  EXPECT_FALSE(one_over(Opcode::kDivApprox, 0xfe800001, 0x80000000).promised);
  EXPECT_FALSE(one_over(Opcode::kDivApprox, 0x00400000, 0x7f000000).promised);  // 2^-127
  EXPECT_TRUE(one_over(Opcode::kDivFull, 0xfe800001, 0x807fffff).promised);
  EXPECT_GT(one_over(Opcode::kDivFull, 0xfe800001, 0x807ffff0).share, 1);
}

TEST(ErrorTest, SpecialValues) {
  EXPECT_TRUE(Of(Opcode::kRcpApprox, ScalarType::kF32, {0}, 0x7f7fffff, 0x7f800000).special_differs);
  EXPECT_FALSE(Of(Opcode::kRcpApprox, ScalarType::kF32, {0}, 0x7f800000, 0x7f800000).special_differs);
  EXPECT_TRUE(Of(Opcode::kSqrtApprox, ScalarType::kF32, {0xbf800000}, 0xffc00000, 0x7fffffff).special_differs);
  // A subnormal result is flushed: no error.
  EXPECT_EQ(Of(Opcode::kEx2, ScalarType::kF32, {0xc3000000}, 0, 0, true).share, 0);
  // Unflushed it is one.
  EXPECT_GT(Of(Opcode::kEx2, ScalarType::kF32, {0xc3000000}, 0, 0x00200000).share, 1);
}

}  // namespace
}  // namespace racer
