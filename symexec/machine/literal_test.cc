#include "symexec/machine/literal.h"

#include <bit>

#include "gtest/gtest.h"

namespace racer {
namespace {

ir::Operand Integer(int64_t value) {
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kImmediate;
  operand.bits = static_cast<uint64_t>(value);
  return operand;
}

ir::Operand Float(double value) {
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kFloat;
  operand.bits = std::bit_cast<uint64_t>(value);
  return operand;
}

ir::Operand Single(uint32_t bits) {
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::kFloat;
  operand.float_width = 32;
  operand.bits = bits;
  return operand;
}

TEST(Literal, IntegersAreCutToTheWidth) {
  EXPECT_EQ(LiteralPattern(Integer(-1), ScalarType::kU32), 0xffffffffu);  // -1 as u32 is not 0
  EXPECT_EQ(LiteralPattern(Integer(-1), ScalarType::kB16), 0xffffu);
  EXPECT_EQ(LiteralPattern(Integer(-8388608), ScalarType::kU32), 0xff800000u);  // the pattern of -inf
  EXPECT_EQ(LiteralPattern(Integer(-1), ScalarType::kPred), 1u);
  EXPECT_EQ(LiteralPattern(Integer(0), ScalarType::kPred), 0u);
  EXPECT_EQ(LiteralPattern(Integer(1), ScalarType::kF32), std::nullopt);
}

TEST(Literal, SingleHexLiterals) {
  EXPECT_EQ(LiteralPattern(Single(0x3f800000), ScalarType::kF32), 0x3f800000u);
  EXPECT_EQ(LiteralPattern(Single(0x3f800000), ScalarType::kB32), 0x3f800000u);
  EXPECT_EQ(LiteralPattern(Single(0x3f800000), ScalarType::kF64), 0x3ff0000000000000u);
  EXPECT_EQ(LiteralPattern(Single(0x3f800000), ScalarType::kB64), std::nullopt);
  EXPECT_EQ(LiteralPattern(Single(0x3f800000), ScalarType::kU32), std::nullopt);
}

TEST(Literal, DecimalsAreRoundedOnce) {
  EXPECT_EQ(LiteralPattern(Float(0.1), ScalarType::kF64), 0x3fb999999999999au);
  EXPECT_EQ(LiteralPattern(Float(0.1), ScalarType::kF32), 0x3dcccccdu);
  EXPECT_EQ(LiteralPattern(Float(0.1), ScalarType::kF16), 0x2e66u);
  EXPECT_EQ(LiteralPattern(Float(0.1), ScalarType::kBF16), 0x3dcdu);
  EXPECT_EQ(LiteralPattern(Float(0.1), ScalarType::kB32), std::nullopt);
  // 1 + 2^-11 + 2^-40 is just above the midpoint of two f16 values; through f32 it would become the midpoint and go down.
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(1.0 + 0x1p-11 + 0x1p-40)), 0x3c01u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(1.0 + 0x1p-11)), 0x3c00u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(1.0 + 3 * 0x1p-11)), 0x3c02u);
}

TEST(Literal, EdgesOfTheRange) {
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(65504.0)), 0x7bffu);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(65519.99)), 0x7bffu);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(65520.0)), 0x7c00u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(-1e300)), 0xfc00u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(0x1p-24)), 0x0001u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(0x1p-25)), 0x0000u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(-0x1.8p-25)), 0x8001u);
  EXPECT_EQ(RoundToF16(std::bit_cast<uint64_t>(0x1.ffcp-15)), 0x0400u);  // rounds up into the normal range
  EXPECT_EQ(RoundToF32(std::bit_cast<uint64_t>(1e-46)), 0u);
  EXPECT_EQ(RoundToF32(std::bit_cast<uint64_t>(-0.0)), 0x80000000u);
  EXPECT_EQ(RoundToF32(std::bit_cast<uint64_t>(1e-40)), std::bit_cast<uint32_t>(static_cast<float>(1e-40)));
}

}  // namespace
}  // namespace racer
