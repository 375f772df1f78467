// The inline operations against the general ones, which the oracle and the hardware judge.
#include "symexec/bits/fp_fast.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "symexec/bits/bits_domain.h"
#include "symexec/bits/exact_bits_domain.h"
#include "symexec/bits/fp_arith.h"
#include "symexec/bits/fp_exact.h"
#include "symexec/bits/fp_lanes.h"
#include "symexec/bits/rounded_literal.h"

namespace racer {
namespace {

constexpr FpAttr kF32;
constexpr FpAttr kF64{.format = FpFormat::kF64};
constexpr FpAttr kF16{.format = FpFormat::kF16};
constexpr FpAttr kBF16{.format = FpFormat::kBF16};

// Every exponent with significands at and next to the points where a rounding to f16 or bf16 changes, of both signs.
std::vector<uint64_t> EdgesF32() {
  std::vector<uint64_t> patterns;
  for (uint64_t exponent = 0; exponent < 256; ++exponent) {
    for (const uint64_t significand : {0x000000, 0x000001, 0x000fff, 0x001000, 0x001001, 0x001fff, 0x002000, 0x003000, 0x007fff, 0x008000,
                                       0x008001, 0x018000, 0x3fffff, 0x400000, 0x400001, 0x7fefff, 0x7ff000, 0x7fffff}) {
      patterns.push_back(exponent << 23 | significand);
      patterns.push_back(uint64_t{1} << 31 | exponent << 23 | significand);
    }
  }
  return patterns;
}

TEST(FpFast, Conversions) {
  const BitsDomain d;
  for (uint64_t half = 0; half < 0x10000; ++half) {
    ASSERT_EQ(d.FpConvert(FpFormat::kF16, kF32, half), bits::Convert(FpFormat::kF16, kF32, half)) << std::hex << half;
    ASSERT_EQ(d.FpConvert(FpFormat::kBF16, kF32, half), bits::Convert(FpFormat::kBF16, kF32, half)) << std::hex << half;
  }
  std::vector<uint64_t> patterns = EdgesF32();
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000000; ++i) patterns.push_back(random() & 0xffffffff);
  for (const uint64_t a : patterns) {
    ASSERT_EQ(d.FpConvert(FpFormat::kF32, kF16, a), bits::Convert(FpFormat::kF32, kF16, a)) << std::hex << a;
    ASSERT_EQ(d.FpConvert(FpFormat::kF32, kBF16, a), bits::Convert(FpFormat::kF32, kBF16, a)) << std::hex << a;
  }
}

TEST(FpFast, Integers) {
  const BitsDomain d;
  std::mt19937_64 random(8);
  for (const ScalarType type : {ScalarType::kU8, ScalarType::kS8, ScalarType::kU16, ScalarType::kS16, ScalarType::kU32, ScalarType::kS32}) {
    const uint64_t mask = BitsDomain::Mask(BitWidth(type));
    std::vector<uint64_t> patterns;
    for (unsigned bit = 0; bit < 32; ++bit) {
      for (const uint64_t near : {-1, 0, 1}) patterns.push_back(((uint64_t{1} << bit) + near) & mask);
      for (const uint64_t near : {-1, 0, 1}) patterns.push_back(((uint64_t{0x1000001} << bit >> 1) + near) & mask);
    }
    for (int i = 0; i < 20000; ++i) patterns.push_back(random() & mask);
    for (const uint64_t a : patterns) {
      const uint64_t expected = bits::FromInteger(type, kF32, a);
      ExactBitsDomain exact;
      ASSERT_EQ(d.IntToFp(type, kF32, a), expected) << Spelling(type) << std::hex << a;
      ASSERT_EQ(exact.IntToFp(type, kF32, a), expected);
      ASSERT_EQ(!exact.inexact, bits::FromIntegerExactly(type, kF32, a, expected)) << Spelling(type) << std::hex << a;
    }
  }
}

// Random operands whose exponents are near each other, so that sums cancel and round in all ways; a quarter are edges.
class Operands {
 public:
  uint64_t Next() {
    if (random_() % 4 == 0) return edges_[random_() % edges_.size()];
    const uint64_t exponent = 127 + random_() % 48 - 24;
    const uint64_t significand = random_() % 2 == 0 ? random_() & 0x7fffff : (random_() & 0x7ff) << 12;
    return (random_() & 1) << 31 | exponent << 23 | significand;
  }

 private:
  std::mt19937_64 random_{9};
  std::vector<uint64_t> edges_ = EdgesF32();
};

TEST(FpFast, Arithmetic) {
  Operands operands;
  for (int i = 0; i < 300000; ++i) {
    const uint64_t a = operands.Next(), b = operands.Next(), c = operands.Next();
    for (const FpKind kind : {FpKind::kAdd, FpKind::kSub, FpKind::kMul, FpKind::kMin, FpKind::kMax}) {
      ExactBitsDomain d;
      const uint64_t expected = bits::Arithmetic(kind, kF32, a, b, 0);
      ASSERT_EQ(d.Fp(kind, kF32, a, b), expected) << static_cast<int>(kind) << std::hex << " " << a << " " << b;
      const bool magnifies =
          (kind == FpKind::kAdd || kind == FpKind::kSub) && bits::MagnifiesRounding(kind, FpFormat::kF32, a, b, 0, expected);
      ASSERT_EQ(!d.inexact, bits::IsExact(kind, kF32, a, b, 0, expected) && !magnifies)
          << static_cast<int>(kind) << std::hex << " " << a << " " << b;
    }
    for (const FpKind kind : {FpKind::kNeg, FpKind::kAbs}) {
      ExactBitsDomain d;
      ASSERT_EQ(d.Fp(kind, kF32, a), bits::Arithmetic(kind, kF32, a, 0, 0)) << std::hex << a;
      ASSERT_FALSE(d.inexact);
    }
    ExactBitsDomain d;
    const uint64_t expected = bits::Arithmetic(FpKind::kFma, kF32, a, b, c);
    ASSERT_EQ(d.Fp(FpKind::kFma, kF32, a, b, c), expected) << std::hex << a << " " << b << " " << c;
    ASSERT_EQ(!d.inexact, bits::IsExact(FpKind::kFma, kF32, a, b, c, expected) &&
                              !bits::MagnifiesRounding(FpKind::kFma, FpFormat::kF32, a, b, c, expected))
        << std::hex << a << " " << b << " " << c;
  }
}

TEST(FpFast, FmaLanes) {
  Operands operands;
  for (int i = 0; i < 20000; ++i) {
    uint64_t rows[3][32], to[32];
    for (auto& row : rows) {
      for (uint64_t& value : row) value = operands.Next();
    }
    bits::FmaLanesF32(rows[0], rows[1], rows[2], to);
    for (int lane = 0; lane < 32; ++lane) {
      ASSERT_EQ(to[lane], bits::Arithmetic(FpKind::kFma, kF32, rows[0][lane], rows[1][lane], rows[2][lane]))
          << std::hex << rows[0][lane] << " " << rows[1][lane] << " " << rows[2][lane];
    }
  }
}

TEST(FpFast, Arithmetic64) {
  const BitsDomain d;
  Operands operands;
  for (int i = 0; i < 100000; ++i) {
    // f32 edges in the upper half: zeros, subnormals, infinities, NaNs with and without payloads.
    const uint64_t a = operands.Next() << 32 | operands.Next(), b = operands.Next() << 32 | operands.Next();
    for (const FpKind kind : {FpKind::kAdd, FpKind::kSub, FpKind::kMul})
      ASSERT_EQ(d.Fp(kind, kF64, a, b), bits::Arithmetic(kind, kF64, a, b, 0)) << std::hex << a << " " << b;
  }
}

TEST(FpFast, Comparisons) {
  const BitsDomain d;
  Operands operands;
  for (int i = 0; i < 50000; ++i) {
    const uint64_t a = operands.Next(), b = i % 3 == 0 ? a : operands.Next();
    for (const CompareOp op :
         {CompareOp::kEq, CompareOp::kNe, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt, CompareOp::kGe, CompareOp::kEqu, CompareOp::kNeu,
          CompareOp::kLtu, CompareOp::kLeu, CompareOp::kGtu, CompareOp::kGeu, CompareOp::kNum, CompareOp::kNan}) {
      for (const bool ftz : {false, true})
        ASSERT_EQ(d.FpCompare(op, FpFormat::kF32, ftz, a, b), bits::Compare(op, FpFormat::kF32, ftz, a, b)) << std::hex << a << " " << b;
      ASSERT_EQ(d.FpCompare(op, FpFormat::kF64, false, a << 32, b << 32), bits::Compare(op, FpFormat::kF64, false, a << 32, b << 32));
    }
  }
}

}  // namespace
}  // namespace racer
