#include "checker/rounding_by_addition.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "symexec/ball/ball.h"

namespace racer {
namespace {

constexpr FpAttr Rounded(Rounding rounding) {
  FpAttr attr;
  attr.rounding = rounding;
  return attr;
}

// What the spelled term is over the reals is what f32 arithmetic makes of the sum as written.
class RoundingByAdditionTest : public ::testing::Test {
 protected:
  RoundingByAdditionTest() : x_(store_.AddSymbol({"x", ScalarType::kF32, {2}})) {}
  TermId X(uint32_t i = 0) { return store_.FpInput(x_, i); }
  TermId C(float value) { return store_.FpConst(FpFormat::kF32, std::bit_cast<uint32_t>(value)); }
  TermId Add(TermId a, TermId b, Rounding rounding = Rounding::kRn) { return store_.Fp(FpKind::kAdd, Rounded(rounding), a, b); }
  TermId Sub(TermId a, TermId b) { return store_.Fp(FpKind::kSub, FpAttr{}, a, b); }
  double RealAt(TermId term, float x, float y = 0) {
    InputPoint point;
    point.bits = {{std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y)}};
    BallEvaluator ball(store_, point);
    const BallEvaluator::Value value = ball.Evaluate(term);
    EXPECT_EQ(value.kind, BallEvaluator::Value::Kind::kReal) << store_.ToString(term) << " at " << x;
    return value.middle;
  }
  bool IsSpelled(TermId term) { return rounding_.Spelled(term) != term; }

  TermStore store_;
  SymbolId x_;
  RoundingByAddition rounding_{store_};
};

TEST_F(RoundingByAdditionTest, AsTheMachineRounds) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> any(-3000, 3000);
  for (const float literal : {12582912.0f, -12582912.0f, 12582913.0f, 6291456.0f, 25165824.0f, 25165826.0f}) {
    const TermId sum = Sub(Add(X(), C(literal)), C(literal)), spelled = rounding_.Spelled(sum);
    ASSERT_NE(spelled, sum) << literal;
    for (int i = 0; i < 400; ++i) {
      // Every fourth one a tie.
      const float x = i % 4 == 0 ? std::floor(any(random)) + 0.5f : any(random);
      const volatile float first = x + literal;
      EXPECT_EQ(RealAt(spelled, x), first - literal) << x << " + " << literal;
    }
  }
}

TEST_F(RoundingByAdditionTest, EveryFormOfIt) {
  const float c = 12582912;
  EXPECT_EQ(RealAt(rounding_.Spelled(Add(Add(C(c), X()), C(-c))), 1.75f), 2);
  EXPECT_EQ(RealAt(rounding_.Spelled(Add(C(-c), Sub(X(), C(-c)))), 1.75f), 2);
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(C(c), Sub(C(c), X()))), 1.75f), 2);
  EXPECT_EQ(RealAt(rounding_.Spelled(Add(Add(X(), C(c)), C(-c - 126))), 1.75f), -124);  // as in expf of nvcc
  const TermId product = store_.Fp(FpKind::kFma, FpAttr{}, X(), X(1), C(c));
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(product, C(c))), 1.25f, 1.5f), 2);
  EXPECT_EQ(RealAt(rounding_.Spelled(store_.Fp(FpKind::kFma, FpAttr{}, Add(X(), C(c)), C(-1), C(c))), 1.75f), -2);
  // Further up, and of each other.
  const TermId rounded = Sub(Add(X(), C(c)), C(c));
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(X(), rounded)), 1.75f), -0.25);
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(Add(Add(rounded, C(0.25f)), C(c)), C(c))), 1.75f), 2);
}

TEST_F(RoundingByAdditionTest, Directions) {
  const float c = 12582912;
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(Add(X(), C(c), Rounding::kRm), C(c))), 1.75f), 1);
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(Add(X(), C(c), Rounding::kRp), C(c))), 1.25f), 2);
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(Add(X(), C(c), Rounding::kRz), C(c))), -1.25f), -2);    // towards zero is down there
  EXPECT_EQ(RealAt(rounding_.Spelled(Sub(Add(X(), C(-c), Rounding::kRz), C(-c))), -1.25f), -1);  // and up here
}

TEST_F(RoundingByAdditionTest, OtherFormats) {
  const auto h = [&](uint64_t bits) { return store_.FpConst(FpFormat::kF16, bits); };
  FpAttr half;
  half.format = FpFormat::kF16;
  const TermId x = store_.FpConvert(half, X());
  const TermId sum = store_.Fp(FpKind::kAdd, half, store_.Fp(FpKind::kAdd, half, x, h(0x6600)), h(0xe600));  // 1536
  EXPECT_EQ(RealAt(rounding_.Spelled(sum), 1.75f), 2);
}

TEST_F(RoundingByAdditionTest, NearMisses) {
  const float c = 12582912;
  EXPECT_FALSE(IsSpelled(Sub(Add(X(), C(1024)), C(1024))));  // a rounding like any other
  EXPECT_FALSE(IsSpelled(Add(Add(X(), C(c)), C(c))));        // nothing is taken away
  EXPECT_FALSE(IsSpelled(Add(X(), C(c))));
  EXPECT_FALSE(IsSpelled(Sub(Add(X(), C(c)), C(c / 2))));  // still large
  EXPECT_FALSE(IsSpelled(Sub(Add(X(), X(1)), C(c))));
  EXPECT_TRUE(rounding_.assumptions().empty());
}

TEST_F(RoundingByAdditionTest, NamesItsRange) {
  rounding_.Spelled(Sub(Add(X(), C(12582912)), C(12582912)));
  rounding_.Spelled(Sub(Add(X(1), C(12582912)), C(12582912)));
  ASSERT_EQ(rounding_.assumptions().size(), 1u);
  EXPECT_EQ(
      *rounding_.assumptions().begin(),
      "what is added to 12582912, which is taken away again, lies between -4194304 and 4194304, and is rounded to a multiple of 1 by that");
}

}  // namespace
}  // namespace racer
