#include "ptx_frontend/lex/literal.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

TEST(LiteralTest, Integers) {
  EXPECT_EQ(ParseIntegerLiteral("0")->value, 0u);
  EXPECT_EQ(ParseIntegerLiteral("010")->value, 8u);
  EXPECT_EQ(ParseIntegerLiteral("0x1F")->value, 31u);
  EXPECT_EQ(ParseIntegerLiteral("0b101")->value, 5u);
  EXPECT_EQ(ParseIntegerLiteral("9223372036854775807")->is_unsigned, false);
  EXPECT_EQ(ParseIntegerLiteral("9223372036854775808")->is_unsigned, true);
  EXPECT_EQ(ParseIntegerLiteral("18446744073709551615")->value, ~uint64_t{0});
  EXPECT_EQ(ParseIntegerLiteral("5U")->value, 5u);
  EXPECT_EQ(ParseIntegerLiteral("5U")->is_unsigned, true);
  EXPECT_FALSE(ParseIntegerLiteral("18446744073709551616").has_value());
  EXPECT_FALSE(ParseIntegerLiteral("0x10000000000000000").has_value());
}

TEST(LiteralTest, Floats) {
  EXPECT_EQ(ParseHexFloatLiteral("0f3F800000"), 0x3f800000u);
  EXPECT_EQ(ParseHexFloatLiteral("0DbfF0000000000001"), 0xbff0000000000001u);
  EXPECT_EQ(ParseDecimalLiteral("1.5"), 1.5);
  EXPECT_EQ(ParseDecimalLiteral("1."), 1.0);
  EXPECT_EQ(ParseDecimalLiteral(".25"), 0.25);
  EXPECT_EQ(ParseDecimalLiteral("1.e-2"), 0.01);
  EXPECT_EQ(ParseDecimalLiteral("1e999"), std::nullopt);
}

}  // namespace
}  // namespace racer
