#include "symexec/normal/lift.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <optional>
#include <string>

namespace racer::normal {
namespace {

uint32_t F32(float value) { return std::bit_cast<uint32_t>(value); }
std::string Name(const std::optional<NamedReal>& real) { return real ? real->ToString() : "none"; }

TEST(LiftTable, OnlyCorrectlyRoundedValues) {
  LiftTable table({});
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3dcccccd)), "1/10");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3dcccccc)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3dccccce)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0xbdcccccd)), "-1/10");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, F32(0.5f))), "none");  // exact
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3f000001)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3f000002)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, F32(3.0f))), "none");  // sqrt(9) is exact
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3fb504f3)), "sqrt(2)");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3f3504f3)), "1/sqrt(2)");
  EXPECT_EQ(Name(table.Find(FpFormat::kF64, 0x3fb999999999999a)), "1/10");
  EXPECT_EQ(Name(table.Find(FpFormat::kF64, 0x3fb9999980000000)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x7f800000)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, 0x3fb8aa3b)), "none");  // log2(e) is not one of ours
}

TEST(LiftTable, EveryReciprocalAndRootUpTo4096) {
  LiftTable table({});
  for (uint64_t n = 2; n <= 4096; ++n) {
    bool power_of_two = (n & (n - 1)) == 0;
    // Division and square root of binary32 are correctly rounded: the host's arithmetic is the independent check.
    EXPECT_EQ(Name(table.Find(FpFormat::kF32, F32(1.0f / static_cast<float>(n)))), power_of_two ? "none" : "1/" + std::to_string(n));
    uint64_t root = static_cast<uint64_t>(std::sqrt(static_cast<double>(n)) + 0.5);
    if (root * root == n) continue;
    EXPECT_EQ(Name(table.Find(FpFormat::kF32, F32(std::sqrt(static_cast<float>(n))))), "sqrt(" + std::to_string(n) + ")");
  }
}

TEST(LiftTable, CoarseFormatsAreAmbiguous) {
  LiftTable table({}), dims({300});
  // f16 has 11 bits: 1/10 is alone in its interval, 1/3000 is not.
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x2e66)), "1/10");
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x0d76)), "none");  // 1/3001 rounds to it as well
  EXPECT_EQ(Name(LiftTable({3000}).Find(FpFormat::kF16, 0x0d76)), "1/3000");
  EXPECT_EQ(Name(LiftTable({3000, 3001}).Find(FpFormat::kF16, 0x0d76)), "none");
  // bf16 1/300 = 0x3b5a: several n share it; the contract's own dimension decides.
  EXPECT_EQ(Name(table.Find(FpFormat::kBF16, 0x3b5a)), "none");
  EXPECT_EQ(Name(dims.Find(FpFormat::kBF16, 0x3b5a)), "1/300");
}

TEST(LiftTable, ThePreferredNumbersGoBeyond4096) {
  EXPECT_EQ(Name(LiftTable({}).Find(FpFormat::kF32, F32(1.0f / 5120))), "none");
  EXPECT_EQ(Name(LiftTable({5120}).Find(FpFormat::kF32, F32(1.0f / 5120))), "1/5120");
  EXPECT_EQ(Name(LiftTable({5121}).Find(FpFormat::kF32, F32(1.0f / 5120))), "none");
}

TEST(LiftTable, Distances) {
  // fl(1/3) = 0x3eaaaaab = 11184811 / 2^25 is 1/3 of a unit in the last place above 1/3.
  EXPECT_NEAR(UlpDistance(FpFormat::kF32, 0x3eaaaaab, {NamedReal::Shape::kReciprocal, false, 3}), 1.0 / 3, 1e-6);
}

}  // namespace
}  // namespace racer::normal
