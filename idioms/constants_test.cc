#include "idioms/constants.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "symexec/normal/testing.h"

namespace racer {
namespace {

using Status = ProofOutcome::Status;

uint32_t F32(float value) { return std::bit_cast<uint32_t>(value); }
std::string Name(const std::optional<NamedReal>& real) { return real ? real->name : "none"; }

TEST(RoundedConstantsTest, OnlyCorrectlyRoundedValues) {
  RoundedConstants table({});
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
}

// Broken once with kFamous empty, and once with a literal's own neighbours let in.
TEST(RoundedConstantsTest, FamousConstantsTimesPowersOfTwo) {
  RoundedConstants table({}), head({80});
  const auto name = [&](uint32_t bits) { return Name(table.Find(FpFormat::kF32, bits)); };
  EXPECT_EQ(name(0x3fb8aa3b), "log2(e)");
  EXPECT_EQ(name(0x3fb8aa3a), "none");
  EXPECT_EQ(name(0x3fb8aa3c), "none");
  EXPECT_EQ(name(0xbfb8aa3b), "-log2(e)");
  EXPECT_EQ(name(0x3e38aa3b), "log2(e)/8");
  EXPECT_EQ(name(0x4038aa3b), "2*log2(e)");
  EXPECT_EQ(name(0x3f317218), "ln(2)");
  EXPECT_EQ(name(0x3f4c422a), "sqrt(2/pi)");
  EXPECT_EQ(name(0x3f4c4229), "none");
  EXPECT_EQ(name(0x3fcc422a), "2*sqrt(2/pi)");
  EXPECT_EQ(name(0x3f106eba), "none");
  EXPECT_EQ(name(F32(1.1283791671f)), "2*1/sqrt(pi)");
  EXPECT_EQ(name(0x40490fdb), "pi");
  EXPECT_EQ(name(0x40c90fdb), "2*pi");
  EXPECT_EQ(Name(table.Find(FpFormat::kF64, 0x3ff71547652b82fe)), "log2(e)");
  EXPECT_EQ(Name(table.Find(FpFormat::kF64, 0x3ff71547652b82ff)), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x3dc5)), "log2(e)");
  EXPECT_EQ(Name(table.Find(FpFormat::kBF16, 0x3fb9)), "none");  // 8 bits are too few
  // The scale of attention, folded into the base.
  const uint32_t scale = F32(static_cast<float>(std::log2(std::exp(1.0)) / std::sqrt(80.0)));
  EXPECT_EQ(name(scale), "log2(e)/sqrt(80)");
  EXPECT_EQ(name(scale + 1), "none");
  EXPECT_EQ(Name(head.Find(FpFormat::kF32, scale)), "log2(e)/sqrt(80)");
}

// Broken once by a limit of 4096: no name from 4097 on.
TEST(RoundedConstantsTest, EveryReciprocalAndRootUpTo65536) {
  RoundedConstants table({});
  for (uint64_t n = 2; n <= 65536; ++n) {
    bool power_of_two = (n & (n - 1)) == 0;
    // Division and square root of binary32 are correctly rounded: the host's arithmetic is the independent check.
    const float reciprocal = 1.0f / static_cast<float>(n);
    ASSERT_EQ(Name(table.Find(FpFormat::kF32, F32(reciprocal))), power_of_two ? "none" : "1/" + std::to_string(n));
    ASSERT_EQ(Name(table.Find(FpFormat::kF64, std::bit_cast<uint64_t>(1.0 / static_cast<double>(n)))),
              power_of_two ? "none" : "1/" + std::to_string(n));
    const auto root = static_cast<uint64_t>(std::lround(std::sqrt(static_cast<double>(n))));
    if (root * root == n) continue;
    ASSERT_EQ(Name(table.Find(FpFormat::kF32, F32(std::sqrt(static_cast<float>(n))))), "sqrt(" + std::to_string(n) + ")");
    // Binary64 rounds once more, which is no matter away from the middle between two values.
    const auto reciprocal_root = static_cast<float>(1 / std::sqrt(static_cast<double>(n)));
    ASSERT_EQ(Name(table.Find(FpFormat::kF32, F32(reciprocal_root))), "1/sqrt(" + std::to_string(n) + ")");
  }
}

// The values beside 1/n are no reciprocals, and roots only where the host's own rounding says so.
TEST(RoundedConstantsTest, NeighboursOfReciprocalsAreNotLifted) {
  RoundedConstants table({});
  for (uint64_t n = 2; n <= 65536; ++n) {
    const uint32_t bits = F32(1.0f / static_cast<float>(n));
    for (uint32_t neighbour : {bits - 1, bits + 1}) {
      const std::optional<NamedReal> real = table.Find(FpFormat::kF32, neighbour);
      if (!real.has_value()) continue;
      if (real->name.starts_with("log2(e)/")) {
        const bool root = real->name.starts_with("log2(e)/sqrt(");
        const double divisor = root ? std::sqrt(std::stod(real->name.substr(13))) : std::stod(real->name.substr(8));
        ASSERT_EQ(F32(static_cast<float>(std::log2(std::exp(1.0)) / divisor)), neighbour) << n << ": " << real->name;
        continue;
      }
      ASSERT_TRUE(real->name.starts_with("1/sqrt(")) << n << ": " << real->name;
      const double radicand = std::stod(real->name.substr(7));
      // Binary64 rounds once more, which is no matter away from the middle between two values.
      ASSERT_EQ(F32(static_cast<float>(1 / std::sqrt(radicand))), neighbour) << n << ": " << real->name;
    }
  }
}

TEST(RoundedConstantsTest, CoarseFormatsAreAmbiguous) {
  RoundedConstants table({}), dims({300});
  // f16 has 11 bits: 1/10 is alone in its interval, 1/3000 is not.
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x2e66)), "1/10");
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x0d76)), "none");  // 1/3001 rounds to it as well
  EXPECT_EQ(Name(RoundedConstants({3000}).Find(FpFormat::kF16, 0x0d76)), "1/3000");
  EXPECT_EQ(Name(RoundedConstants({3000, 3001}).Find(FpFormat::kF16, 0x0d76)), "none");
  // bf16 1/300 = 0x3b5a: several n share it; the contract's own dimension decides.
  EXPECT_EQ(Name(table.Find(FpFormat::kBF16, 0x3b5a)), "none");
  EXPECT_EQ(Name(dims.Find(FpFormat::kBF16, 0x3b5a)), "1/300");
}

TEST(RoundedConstantsTest, ThePreferredNumbersGoBeyond65536) {
  EXPECT_EQ(Name(RoundedConstants({}).Find(FpFormat::kF32, F32(1.0f / 81920))), "none");
  EXPECT_EQ(Name(RoundedConstants({81920}).Find(FpFormat::kF32, F32(1.0f / 81920))), "1/81920");
  EXPECT_EQ(Name(RoundedConstants({81921}).Find(FpFormat::kF32, F32(1.0f / 81920))), "none");
}

TEST(RoundedConstantsTest, Distances) {
  // fl(1/3) = 0x3eaaaaab = 11184811 / 2^25 is 1/3 of a unit in the last place above 1/3.
  EXPECT_NEAR(RoundedConstants({}).Find(FpFormat::kF32, 0x3eaaaaab)->ulp_distance, 1.0 / 3, 1e-6);
}

TEST(RoundedConstantsTest, WhatTheNameStandsFor) {
  RoundedConstants table({});
  std::optional<NamedReal> real = table.Find(FpFormat::kF32, F32(1.0F / 384));
  ASSERT_TRUE(real.has_value());
  EXPECT_EQ(real->factor, Rational(1, 384));
  EXPECT_EQ(real->radicand, Rational(1));
  EXPECT_GT(real->ulp_distance, 0.0);
  EXPECT_LE(real->ulp_distance, 0.5);
  real = table.Find(FpFormat::kF32, F32(-0.08838834764F));  // -1/sqrt(128)
  ASSERT_TRUE(real.has_value());
  EXPECT_EQ(real->name, "-1/sqrt(128)");
  EXPECT_EQ(real->factor * real->factor * real->radicand, Rational(1, 128));
  EXPECT_EQ(real->factor.Sign(), -1);
  real = table.Find(FpFormat::kF32, F32(-1.41421356F));
  ASSERT_TRUE(real.has_value());
  EXPECT_EQ(real->name, "-sqrt(2)");
  EXPECT_EQ(real->factor, Rational(-1));
  EXPECT_EQ(real->radicand, Rational(2));
}

// DESIGN.md section 10: constant 0.5 against 0.5000001 must never meet.
TEST(RoundedConstantsTest, AHalfAndItsNeighbourNeverMeet) {
  RoundedConstants table({});
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, F32(0.5000001F))), "none");
  EXPECT_EQ(Name(table.Find(FpFormat::kF32, F32(0.49999997F))), "none");
}

TEST(RoundedConstantsTest, HalfPrecisionUsesItsOwnSpacing) {
  RoundedConstants table({});
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x3555)), "1/3");  // 0.333251953125
  EXPECT_EQ(Name(table.Find(FpFormat::kF16, 0x3556)), "none");
}

TEST(SizesOfTest, DimsAndProductsOfTwo) {
  const int64_t dims[] = {3, 50000, 7};
  EXPECT_EQ(SizesOf(dims), (std::vector<uint64_t>{3, 7, 9, 21, 49, 50000, 150000, 350000}));  // 50000^2 > 2^31
  EXPECT_TRUE(SizesOf({}).empty());
}

// --- what the normal form makes of it

ProofOutcome ProveWith(Terms& terms, TermId a, TermId b, const ConstantTable* table) {
  return Normalizer(terms.store, terms.ranges, {.constants = table}).ProveEqual(a, b);
}

TEST(LiftedProofTest, OnlyNumbersOfTheContractGoBeyond65536) {
  Terms t;
  TermId x = t.X(0);
  TermId a = t.Div(x, t.C(81920)), b = t.Mul(x, t.C(1.0f / 81920));
  const RoundedConstants small({}), dims({81920}), others({81919});
  EXPECT_EQ(ProveWith(t, a, b, &small).status, Status::kNotEqual);
  EXPECT_EQ(ProveWith(t, a, b, &others).status, Status::kNotEqual);
  EXPECT_EQ(ProveWith(t, a, b, nullptr).status, Status::kNotEqual);
  EXPECT_EQ(ProveWith(t, a, b, &dims).step, "lifted_constants");
}

TEST(LiftedProofTest, ReciprocalsAndRootsByTheirReals) {
  Terms t;
  TermId x = t.X(0);
  const RoundedConstants table({});
  const auto step = [&](TermId a, TermId b) { return ProveWith(t, a, b, &table).step; };
  EXPECT_EQ(step(t.Div(x, t.C(384)), t.Mul(x, t.C(1.0f / 384))), "lifted_constants");
  EXPECT_EQ(step(t.Div(x, t.C(-384)), t.Mul(x, t.C(-1.0f / 384))), "lifted_constants");
  EXPECT_EQ(step(t.Div(x, t.C(11008)), t.Mul(x, t.C(1.0f / 11008))), "lifted_constants");
  EXPECT_EQ(step(t.Div(x, t.C(11009)), t.Mul(x, t.C(1.0f / 11008))), "");
  EXPECT_EQ(step(t.Div(x, t.C(384)), t.Mul(x, t.Bits(0x3b2aaaac))), "");
  EXPECT_EQ(step(t.Div(x, t.C(384)), t.Mul(x, t.Bits(0x3b2aaaaa))), "");
  EXPECT_EQ(step(t.Div(x, t.Sqrt(t.C(128))), t.Mul(x, t.C(static_cast<float>(1 / std::sqrt(128.0))))), "lifted_constants");
  EXPECT_EQ(step(t.Mul(x, t.Sqrt(t.C(96))), t.Mul(x, t.C(static_cast<float>(std::sqrt(96.0))))), "lifted_constants");
  EXPECT_EQ(step(t.Mul(x, t.Sqrt(t.C(96))), t.Mul(x, t.C(static_cast<float>(std::sqrt(97.0))))), "");
}

}  // namespace
}  // namespace racer
