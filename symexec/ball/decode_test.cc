#include "symexec/ball/decode.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

Rational Value(FpFormat format, uint64_t bits) {
  const std::optional<Rational> value = FiniteValue(format, bits);
  EXPECT_TRUE(value.has_value());
  return value.value_or(Rational(-777));
}

// IEEE 754 interchange formats by hand: sign, biased exponent, fraction.
TEST(DecodeTest, KnownPatterns) {
  EXPECT_EQ(Value(FpFormat::kF32, 0x3f800000), Rational(1));
  EXPECT_EQ(Value(FpFormat::kF32, 0xc0200000), Rational(-5, 2));
  EXPECT_EQ(Value(FpFormat::kF32, 0x00000001), Rational::Dyadic(1, -149));
  EXPECT_EQ(Value(FpFormat::kF32, 0x7f7fffff), Rational::Dyadic(0xffffff, 104));
  EXPECT_EQ(Value(FpFormat::kF32, 0x80000000), Rational(0));
  EXPECT_EQ(Value(FpFormat::kF16, 0x3555), Rational::Dyadic(0x555, -12));
  EXPECT_EQ(Value(FpFormat::kF16, 0x7bff), Rational(65504));
  EXPECT_EQ(Value(FpFormat::kF16, 0x0001), Rational::Dyadic(1, -24));
  EXPECT_EQ(Value(FpFormat::kBF16, 0x4049), Rational::Dyadic(201, -6));
  EXPECT_EQ(Value(FpFormat::kTF32, 0x40490000), Rational::Dyadic(201, -6));
  EXPECT_EQ(Value(FpFormat::kF64, 0x3ff0000000000001), Rational(1) + Rational::Dyadic(1, -52));
  EXPECT_EQ(Value(FpFormat::kE4M3, 0x7e), Rational(448));
  EXPECT_EQ(Value(FpFormat::kE4M3, 0x01), Rational::Dyadic(1, -9));
  EXPECT_EQ(Value(FpFormat::kE5M2, 0x7b), Rational(57344));
  EXPECT_EQ(Value(FpFormat::kE5M2, 0x01), Rational::Dyadic(1, -16));
}

TEST(DecodeTest, SpecialPatterns) {
  EXPECT_EQ(DecodeFp(FpFormat::kF32, 0x7f800000).kind, DecodedFp::Kind::kInfinite);
  EXPECT_TRUE(DecodeFp(FpFormat::kF32, 0xff800000).negative);
  EXPECT_EQ(DecodeFp(FpFormat::kF32, 0x7fc00000).kind, DecodedFp::Kind::kNan);
  EXPECT_EQ(DecodeFp(FpFormat::kF16, 0x7c00).kind, DecodedFp::Kind::kInfinite);
  EXPECT_EQ(DecodeFp(FpFormat::kE5M2, 0x7c).kind, DecodedFp::Kind::kInfinite);
  // e4m3: 0x7f and 0xff are NaN, 0x7e is the largest number; there is no infinity.
  EXPECT_EQ(DecodeFp(FpFormat::kE4M3, 0x7f).kind, DecodedFp::Kind::kNan);
  EXPECT_EQ(DecodeFp(FpFormat::kE4M3, 0xff).kind, DecodedFp::Kind::kNan);
  EXPECT_EQ(DecodeFp(FpFormat::kTF32, 0x3f800001).kind, DecodedFp::Kind::kUnspecified);
  EXPECT_FALSE(FiniteValue(FpFormat::kF32, 0x7f800000).has_value());
}

TEST(EncodeTest, EveryFinite16BitPatternRoundTrips) {
  int seen = 0;
  for (FpFormat format : {FpFormat::kF16, FpFormat::kBF16, FpFormat::kE4M3, FpFormat::kE5M2}) {
    for (uint64_t bits = 0; bits < uint64_t{1} << FormatWidth(format); ++bits) {
      const std::optional<Rational> value = FiniteValue(format, bits);
      if (!value || (value->IsZero() && bits != 0)) continue;  // -0 comes back as +0
      ++seen;
      ASSERT_EQ(EncodeExact(format, *value), bits) << static_cast<int>(format);
    }
  }
  EXPECT_EQ(seen, (2 * 31 * 1024 - 1) + (2 * 255 * 128 - 1) + (254 - 1) + (2 * 31 * 4 - 1));
}

TEST(EncodeTest, RoundsToNearestEven) {
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational(1, 10)), 0x3dcccccdu);
  EXPECT_EQ(EncodeNearest(FpFormat::kF16, Rational(1, 3)), 0x3555u);
  EXPECT_EQ(EncodeNearest(FpFormat::kF16, Rational(2049)), 0x6800u);  // tie between 2048 and 2050
  EXPECT_EQ(EncodeNearest(FpFormat::kF16, Rational(2051)), 0x6802u);  // tie between 2050 and 2052
  EXPECT_EQ(EncodeNearest(FpFormat::kF16, Rational(65519)), 0x7bffu);
  EXPECT_EQ(EncodeNearest(FpFormat::kF16, Rational(65520)), std::nullopt);  // rounds to infinity
  EXPECT_EQ(EncodeNearest(FpFormat::kE4M3, Rational(448)), 0x7eu);
  EXPECT_EQ(EncodeNearest(FpFormat::kE4M3, Rational(465)), std::nullopt);   // would be the NaN pattern
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational::Dyadic(1, -150)), 0u);  // tie between 0 and the smallest subnormal
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational::Dyadic(-3, -151)), 0x80000001u);
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational::Dyadic(1, -1000000)), 0u);
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational::Dyadic(1, 1000000)), std::nullopt);
  // The largest subnormal and the step into the normal range.
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational::Dyadic(0x7fffff, -149)), 0x007fffffu);
  EXPECT_EQ(EncodeNearest(FpFormat::kF32, Rational::Dyadic(0xffffff, -150)), 0x00800000u);
  EXPECT_EQ(EncodeNearest(FpFormat::kTF32, Rational(-1)), 0xbf800000u);
}

// By hand, from the OCP specifications and what cvt's .satfinite does.
TEST(QuantiseTest, NarrowFormats) {
  const auto rn = [](FpFormat format, const Rational& value) { return Quantise(format, Rounding::kRn, true, value); };
  EXPECT_EQ(rn(FpFormat::kE4M3, Rational(17, 16)), Rational(1));  // a tie between 1 and 9/8
  EXPECT_EQ(rn(FpFormat::kE4M3, Rational(-1000)), Rational(-448));
  EXPECT_EQ(rn(FpFormat::kE4M3, Rational::Dyadic(1, -10)), Rational(0));
  EXPECT_EQ(rn(FpFormat::kE5M2, Rational(61440)), Rational(57344));
  EXPECT_EQ(rn(FpFormat::kE2M3, Rational(100)), Rational(15, 2));
  EXPECT_EQ(rn(FpFormat::kE3M2, Rational(-100)), Rational(-28));
  EXPECT_EQ(rn(FpFormat::kE2M1, Rational(5)), Rational(4));  // a tie between 4 and 6
  EXPECT_EQ(rn(FpFormat::kE2M1, Rational(7)), Rational(6));
  EXPECT_EQ(Quantise(FpFormat::kE4M3, Rounding::kRn, false, Rational(1000)), std::nullopt);
  EXPECT_EQ(Quantise(FpFormat::kE4M3, Rounding::kRs, true, Rational(1)), std::nullopt);
  const auto power = [](Rounding rounding, const Rational& value) { return Quantise(FpFormat::kUE8M0, rounding, false, value); };
  EXPECT_EQ(power(Rounding::kRz, Rational(-3)), Rational(2));  // the sign is dropped
  EXPECT_EQ(power(Rounding::kRp, Rational(-3)), Rational(4));
  EXPECT_EQ(power(Rounding::kRp, Rational(4)), Rational(4));
  EXPECT_EQ(power(Rounding::kRz, Rational(0)), Rational::Dyadic(1, -127));
  EXPECT_EQ(power(Rounding::kRp, Rational::Dyadic(1, -200)), Rational::Dyadic(1, -127));
  EXPECT_EQ(power(Rounding::kRp, Rational::Dyadic(3, 126)), std::nullopt);
  EXPECT_EQ(Quantise(FpFormat::kUE8M0, Rounding::kRp, true, Rational::Dyadic(3, 126)), Rational::Dyadic(1, 127));
  // A byte of a 6-bit format with more bits set is left open.
  EXPECT_EQ(DecodeFp(FpFormat::kE2M3, 0x41).kind, DecodedFp::Kind::kUnspecified);
  EXPECT_EQ(Value(FpFormat::kE2M3, 0x21), Rational(-1, 8));
  EXPECT_EQ(Value(FpFormat::kUE8M0, 0x80), Rational(2));
}

TEST(EncodeTest, ExactRefusesWhatIsNotThere) {
  EXPECT_EQ(EncodeExact(FpFormat::kF32, Rational(1, 10)), std::nullopt);
  EXPECT_EQ(EncodeExact(FpFormat::kBF16, Rational(257)), std::nullopt);
  EXPECT_EQ(EncodeExact(FpFormat::kBF16, Rational(256)), 0x4380u);
}

}  // namespace
}  // namespace racer
