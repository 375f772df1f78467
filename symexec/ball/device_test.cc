#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "symexec/ball/ball.h"

namespace racer {
namespace {

using Kind = BallEvaluator::Value::Kind;

// Enclosures of what devices compute: every test asks whether a number just inside the error is held possible, and one that is far
// outside is not.
class DeviceTest : public ::testing::Test {
 protected:
  TermId C(float value) { return store_.FpConst(FpFormat::kF32, std::bit_cast<uint32_t>(value)); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm) { return store_.Fp(kind, FpAttr{}, a, b, c); }
  TermId Approx(FpKind kind, TermId a, TermId b = kNoTerm) { return store_.Fp(kind, FpAttr{.approx = true}, a, b); }
  Kind KindOf(TermId id) { return BallEvaluator(store_, point_, 96, BallEvaluator::View::kDevice).Evaluate(id).kind; }
  // Whether it is certain on which side of the number the value lies.
  bool Settled(TermId term, double bound) {
    const TermId wide = store_.FpConvert(FpAttr{.format = FpFormat::kF64}, term);
    return KindOf(store_.FpCompare(CompareOp::kLt, false, wide, store_.FpConst(FpFormat::kF64, std::bit_cast<uint64_t>(bound)))) ==
           Kind::kBits;
  }
  void ExpectError(TermId term, double value, double error) {
    EXPECT_FALSE(Settled(term, value + error)) << store_.ToString(term);
    EXPECT_FALSE(Settled(term, value - error)) << store_.ToString(term);
    EXPECT_TRUE(Settled(term, value + 8 * error)) << store_.ToString(term);
    EXPECT_TRUE(Settled(term, value - 8 * error)) << store_.ToString(term);
  }

  TermStore store_;
  const InputPoint point_;
};

// The manual's bounds ("Floating Point Instructions"), in place.
TEST_F(DeviceTest, Approximations) {
  ExpectError(Approx(FpKind::kDiv, C(123), C(41)), 3, 2 * 0x1p-22);
  ExpectError(store_.Fp(FpKind::kDiv, FpAttr{.full = true}, C(123), C(41)), 3, 2 * 0x1p-22);
  ExpectError(Approx(FpKind::kRcp, C(0.25f)), 4, 0x1p-21);
  ExpectError(Approx(FpKind::kSqrt, C(9)), 3, 3 * 0x1p-23);
  ExpectError(Approx(FpKind::kRsqrt, C(0.25f)), 2, 2 * 0x1.0p-23);
  ExpectError(Approx(FpKind::kEx2, C(3)), 8, 2 * 0x1p-21);
  ExpectError(Approx(FpKind::kLg2, C(1)), 0, 0x1p-22);
  ExpectError(Approx(FpKind::kLg2, C(8)), 3, 3 * 0x1p-22);
  ExpectError(Approx(FpKind::kSin, C(1)), 0.8414709848078965, 0x1p-21);
  ExpectError(Approx(FpKind::kCos, C(100)), 0.8623188722876839, 0x1p-15);
  ExpectError(Approx(FpKind::kTanh, C(1)), 0.7615941559557649, 0.76 * 0x1p-11);
  ExpectError(store_.Fp(FpKind::kEx2, FpAttr{.format = FpFormat::kF16, .approx = true}, store_.FpConst(FpFormat::kF16, 0x3c00)), 2,
              2 * 0x1p-10);
  ExpectError(store_.Fp(FpKind::kTanh, FpAttr{.format = FpFormat::kBF16, .approx = true}, store_.FpConst(FpFormat::kBF16, 0x3f80)),
              0.7615941559557649, 0x1p-8);
  ExpectError(Approx(FpKind::kExp, C(1)), 2.718281828459045, 8 * 0x1p-22);  // code of a library
  ExpectError(Approx(FpKind::kErf, C(1)), 0.8427007929497149, 8 * 0x1p-24);
}

TEST_F(DeviceTest, NothingIsGranted) {
  EXPECT_EQ(KindOf(Approx(FpKind::kSin, C(1000))), Kind::kUnknown);
  EXPECT_EQ(KindOf(Approx(FpKind::kDiv, C(1), C(0x1.8p126f))), Kind::kUnknown);
  EXPECT_EQ(KindOf(Approx(FpKind::kEx2, C(127.5f))), Kind::kUnknown);  // may overflow
  EXPECT_EQ(
      KindOf(store_.Fp(FpKind::kRcp, FpAttr{.format = FpFormat::kF64, .approx = true}, store_.FpConst(FpFormat::kF64, 0x4000000000000000))),
      Kind::kUnknown);
  // A sum of a matrix instruction, but for zeros.
  EXPECT_EQ(KindOf(store_.Fp(FpKind::kFma, FpAttr{.approx = true}, C(3), C(5), C(7))), Kind::kUnknown);
  EXPECT_EQ(KindOf(store_.Fp(FpKind::kFma, FpAttr{.approx = true}, Approx(FpKind::kEx2, C(1.5f)), C(0), C(0))), Kind::kReal);
}

TEST_F(DeviceTest, Roundings) {
  ExpectError(Op(FpKind::kDiv, C(1), C(3)), 1.0 / 3, 0x1p-25);
  ExpectError(Op(FpKind::kAdd, C(1), C(0x1p-24f)), 1, 0x1p-23);
  ExpectError(store_.FpConvert(FpAttr{.format = FpFormat::kBF16}, C(1.01f)), 1.01, 0x1p-8);
  ExpectError(store_.FpReal(FpFormat::kF32, Rational(1, 3)), 1.0 / 3, 0x1p-25);
  const TermId integer = store_.BvConst(32, 16777217);
  ExpectError(store_.IntToFp(ScalarType::kU32, FpAttr{}, integer), 16777217, 1);
  // Nothing rounds where the result is a number of the format.
  EXPECT_TRUE(Settled(Op(FpKind::kAdd, C(1), C(2)), 3));
  EXPECT_TRUE(Settled(Op(FpKind::kMul, C(0), C(0.3f)), 0));
  // A product far below the least subnormal number may be zero.
  EXPECT_FALSE(Settled(Op(FpKind::kMul, C(0x1p-100f), C(0x1p-100f)), 0));
}

// 2^-130 is a subnormal number; .ftz makes it zero before it is rounded up, compared or added.
TEST_F(DeviceTest, Flushes) {
  const TermId small = Op(FpKind::kMul, C(0x1p-65f), C(0x1.000002p-65f));
  const FpAttr up{.rounding = Rounding::kRpi}, flushed{.rounding = Rounding::kRpi, .ftz = true};
  EXPECT_EQ(KindOf(store_.Fp(FpKind::kRoundInt, up, small)), Kind::kReal);
  EXPECT_EQ(KindOf(store_.Fp(FpKind::kRoundInt, flushed, small)), Kind::kUnknown);
  EXPECT_EQ(KindOf(store_.FpCompare(CompareOp::kGt, false, small, C(0))), Kind::kBits);
  EXPECT_EQ(KindOf(store_.FpCompare(CompareOp::kGt, true, small, C(0))), Kind::kUnknown);
  EXPECT_EQ(KindOf(store_.FpToInt(ScalarType::kS32, Rounding::kRpi, false, false, small)), Kind::kBits);
  EXPECT_EQ(KindOf(store_.FpToInt(ScalarType::kS32, Rounding::kRpi, true, false, small)), Kind::kUnknown);
  EXPECT_FALSE(Settled(store_.Fp(FpKind::kAdd, FpAttr{.ftz = true}, small, small), 0));
}

// The same operation on the same operands gives the same number; from an infinity and from zero the manual's tables give one.
TEST_F(DeviceTest, Certainties) {
  const TermId a = Approx(FpKind::kEx2, C(1.5f)), infinity = C(INFINITY);
  EXPECT_TRUE(Settled(Op(FpKind::kSub, a, a), 0));
  EXPECT_EQ(KindOf(store_.FpCompare(CompareOp::kEq, false, a, a)), Kind::kBits);
  EXPECT_TRUE(Settled(Approx(FpKind::kEx2, C(-INFINITY)), 0));
  EXPECT_TRUE(Settled(Approx(FpKind::kEx2, C(0)), 1));
  EXPECT_TRUE(Settled(Approx(FpKind::kRcp, infinity), 0));
  EXPECT_EQ(KindOf(Approx(FpKind::kRcp, C(0))), Kind::kUndefined);
}

}  // namespace
}  // namespace racer
