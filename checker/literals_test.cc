#include "checker/literals.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "symexec/ball/decode.h"

namespace racer {
namespace {

constexpr FpFormat kF32 = FpFormat::kF32, kF16 = FpFormat::kF16;

class LiteralsTest : public ::testing::Test {
 protected:
  TermId Literal(uint32_t bits) { return store_.FpConst(kF32, bits); }
  TermId X() { return store_.FpInput(x_, 0); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm) { return store_.Fp(kind, FpAttr{}, a, b); }
  TermId Mul(TermId a, TermId b) { return Op(FpKind::kMul, a, b); }
  TermId Rounded(TermId a) { return store_.FpToInt(ScalarType::kS32, Rounding::kRni, false, false, a); }
  bool IsRounded(FpFormat format, uint64_t bits) { return !RoundedLiterals(store_, {store_.FpConst(format, bits)}).empty(); }
  // At x = `value`.
  std::optional<bool> Rests(TermId a, TermId b, double value = 3) {
    return RestsOnLiterals(store_, a, b, InputPoint{{{*EncodeNearest(kF32, Rational::FromDouble(value))}}}, 192, [this] { return over_; });
  }

  TermStore store_;
  SymbolId x_ = store_.AddSymbol({"x", ScalarType::kF32, {1}});
  bool over_ = false;
};

// Typed by hand: 0.1, log2(e), 1/384 in f32; 0.1 and 1/11 in f16; 0.1 in bf16; 0.1 in f64; subnormal, 1e-5 and 1e-6 in f16, 1e-40 in f32.
TEST_F(LiteralsTest, RoundedNumbersUseTheirDigits) {
  for (uint64_t bits : std::initializer_list<uint64_t>{0x3dcccccd, 0xbdcccccd, 0x3fb8aa3b, 0x3b2aaaab})
    EXPECT_TRUE(IsRounded(kF32, bits)) << bits;
  for (uint64_t bits : std::initializer_list<uint64_t>{0x2e66, 0x2dd1}) EXPECT_TRUE(IsRounded(kF16, bits)) << bits;
  EXPECT_TRUE(IsRounded(FpFormat::kBF16, 0x3dcd));
  EXPECT_TRUE(IsRounded(FpFormat::kF64, 0x3fb999999999999a));
  for (uint64_t bits : std::initializer_list<uint64_t>{0x00a8, 0x8011}) EXPECT_TRUE(IsRounded(kF16, bits)) << bits;
  EXPECT_TRUE(IsRounded(kF32, 0x000116c2));
}

// 0, 0.5, 0.125, 3, 1000, 16777215, infinity and 0.50000006, 0.5000001, 0.99999994, the
// largest number; 1032 in f16 (an offset of packed integers); 0.75 in
// bf16; 0.4375 in e4m3.
TEST_F(LiteralsTest, ShortNumbersAndIntegersAreExact) {
  for (uint64_t bits : std::initializer_list<uint64_t>{0x00000000, 0x3f000000, 0x3e000000, 0x40400000, 0x447a0000, 0x4b7fffff, 0x7f800000})
    EXPECT_FALSE(IsRounded(kF32, bits)) << bits;
  for (uint64_t bits : std::initializer_list<uint64_t>{0x3f000001, 0x3f000002, 0x3f7fffff, 0x7f7fffff})
    EXPECT_FALSE(IsRounded(kF32, bits)) << bits;
  for (uint64_t bits : std::initializer_list<uint64_t>{0x6408, 0x0001, 0x0200}) EXPECT_FALSE(IsRounded(kF16, bits)) << bits;
  EXPECT_FALSE(IsRounded(FpFormat::kBF16, 0x3f40));
  EXPECT_FALSE(IsRounded(FpFormat::kE4M3, 0x2e));
}

// log2(e)/sqrt(80) against 1/sqrt(80) and log2(e); log2(e) truncated. Broken once by counting no movement: false.
TEST_F(LiteralsTest, FoldedLiteralsRestOnTheirRounding) {
  const TermId folded = Mul(X(), Literal(0x3e252b5c)), apart = Mul(Mul(X(), Literal(0x3de4f92e)), Literal(0x3fb8aa3b));
  EXPECT_EQ(Rests(folded, apart), true);
  EXPECT_EQ(Rests(Op(FpKind::kEx2, folded), Op(FpKind::kEx2, apart), 31), true);
  EXPECT_EQ(Rests(Mul(X(), Literal(0x3fb8aa3b)), Mul(X(), Literal(0x3fb8aa3a))), true);
  // 1.0125 - 1 against 1/80.
  EXPECT_EQ(Rests(Mul(X(), Op(FpKind::kSub, Literal(0x3f81999a), Literal(0x3f800000))), Mul(X(), Literal(0x3c4ccccd))), true);
}

// One in the fifth digit, a reciprocal of 385 for 384, an eps of 1e-6 for 1e-5, eight units, one unit of an exact literal. A literal of
// both sides moves on both: what it scales is no excuse (log2(e) x + 2^-20 against log2(e) x). Broken once by taking every literal for
// rounded: 0.5 against 0.50000006 rests on literals.
TEST_F(LiteralsTest, TrueDifferencesDoNot) {
  EXPECT_EQ(Rests(Mul(X(), Literal(0x3d372713)), Mul(X(), Literal(0x3d3728c5))), false);
  EXPECT_EQ(Rests(Mul(X(), Literal(0x3b2aaaab)), Mul(X(), Literal(0x3b2a3a0f))), false);
  const auto root = [&](uint32_t eps) { return Op(FpKind::kRsqrt, Op(FpKind::kAdd, Mul(X(), X()), Literal(eps))); };
  EXPECT_EQ(Rests(root(0x3727c5ac), root(0x358637bd)), false);
  EXPECT_EQ(Rests(Mul(X(), Literal(0x3fb8aa3b)), Mul(X(), Literal(0x3fb8aa43))), false);
  EXPECT_EQ(Rests(Mul(X(), Literal(0x3f000000)), Mul(X(), Literal(0x3f000001))), false);
  const TermId scaled = Mul(X(), Literal(0x3fb8aa3b));
  EXPECT_EQ(Rests(Op(FpKind::kAdd, scaled, Literal(0x35800000)), scaled, 4000), false);
}

// 25 * 20.3 = 507.5: a step of an integer, gone once a literal moves. Rounding towards zero differs at 0.8 of a step too. Broken once by
// asking for the sum of movements alone: false.
TEST_F(LiteralsTest, StepsAreCrossed) {
  const TermId product = Mul(X(), Literal(0x41a26666)), quotient = Op(FpKind::kDiv, X(), Literal(0x3d49c5fd));
  EXPECT_EQ(Rests(Rounded(product), Rounded(quotient), 25), true);
  const TermId truncated = store_.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, quotient);
  EXPECT_EQ(Rests(Rounded(product), truncated, 6), false);
}

TEST_F(LiteralsTest, OutOfBudgetIsNoAnswer) {
  over_ = true;
  EXPECT_EQ(Rests(Mul(X(), Literal(0x3fb8aa3b)), Mul(X(), Literal(0x3fb8aa3a))), std::nullopt);
}

}  // namespace
}  // namespace racer
