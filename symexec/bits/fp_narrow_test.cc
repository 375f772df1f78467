// Conversions to narrow formats against exact rational arithmetic (symexec/ball), which shares no code with them.
#include "symexec/bits/fp_narrow.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/ball/decode.h"
#include "symexec/bits/fp_arith.h"

namespace racer {
namespace {

constexpr FpFormat kSigned[] = {FpFormat::kE4M3, FpFormat::kE5M2, FpFormat::kE2M3, FpFormat::kE3M2, FpFormat::kE2M1};

// Every finite value of the format, every midpoint between neighbours, and the floats next to each.
std::vector<float> Interesting(FpFormat format) {
  std::vector<float> values = {1e30f, -1e30f, 1e-30f, -1e-30f};
  const unsigned patterns = 1u << FormatWidth(format);
  for (unsigned bits = 0; bits < patterns; ++bits) {
    if (DecodeFp(format, bits).kind != DecodedFp::Kind::kFinite) continue;
    const double here = FiniteValue(format, bits)->ToDouble();
    std::vector<double> points = {here};
    if (DecodeFp(format, bits + 1).kind == DecodedFp::Kind::kFinite)
      points.push_back((here + FiniteValue(format, bits + 1)->ToDouble()) / 2);
    for (const double point : points) {
      const float value = static_cast<float>(point);
      for (const float near : {value, std::nextafterf(value, 1e30f), std::nextafterf(value, -1e30f)}) values.push_back(near);
    }
  }
  return values;
}

TEST(FpNarrowTest, RoundsLikeExactArithmetic) {
  int compared = 0;
  for (const FpFormat format : kSigned) {
    const FpAttr attr{.format = format, .satfinite = true};
    for (const float value : Interesting(format)) {
      const std::optional<Rational> exact = Quantise(format, Rounding::kRn, true, Rational::FromDouble(value));
      ASSERT_TRUE(exact.has_value());
      const uint64_t bits = bits::Convert(FpFormat::kF32, attr, std::bit_cast<uint32_t>(value));
      const std::optional<Rational> got = FiniteValue(format, bits);
      ASSERT_TRUE(got.has_value()) << value;
      EXPECT_EQ(*got, *exact) << Spelling(format) << " of " << value;
      EXPECT_EQ(std::signbit(bits::DecodeAlternate(format, bits)), std::signbit(value)) << Spelling(format) << " of " << value;
      ++compared;
    }
  }
  EXPECT_GT(compared, 2500);
}

TEST(FpNarrowTest, PowersOfTwo) {
  for (const Rounding rounding : {Rounding::kRz, Rounding::kRp}) {
    const FpAttr attr{.format = FpFormat::kUE8M0, .rounding = rounding, .satfinite = true};
    for (uint32_t pattern = 0; pattern < 0x7f800000; pattern += 0x3ffff) {
      const Rational value = Rational::FromDouble(std::bit_cast<float>(pattern));
      const uint64_t bits = bits::Convert(FpFormat::kF32, attr, pattern);
      EXPECT_EQ(*FiniteValue(FpFormat::kUE8M0, bits), *Quantise(FpFormat::kUE8M0, rounding, true, value)) << pattern;
      EXPECT_EQ(bits, bits::Convert(FpFormat::kF32, attr, pattern | 0x80000000)) << pattern;
    }
  }
}

TEST(FpNarrowTest, EveryPatternComesBack) {
  for (const FpFormat format : kSigned) {
    for (uint64_t bits = 0; bits < uint64_t{1} << FormatWidth(format); ++bits) {
      if (DecodeFp(format, bits).kind != DecodedFp::Kind::kFinite) continue;
      const uint64_t half = bits::Convert(format, {.format = FpFormat::kF16}, bits);
      EXPECT_EQ(bits::Convert(FpFormat::kF16, {.format = format, .satfinite = true}, half), bits) << Spelling(format);
      EXPECT_EQ(*FiniteValue(FpFormat::kF16, half), *FiniteValue(format, bits)) << Spelling(format);
    }
  }
}

}  // namespace
}  // namespace racer
