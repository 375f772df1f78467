// One proof and one near miss for every rule, and random terms against numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "symexec/field/prime_field.h"
#include "symexec/normal/algebra.h"
#include "symexec/normal/canonical.h"
#include "symexec/normal/fingerprint.h"
#include "symexec/normal/normal.h"
#include "symexec/normal/testing_world.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

struct RuleCase {
  Rule rule;
  std::function<TermId(World&)> left, right, near_miss;
  How how = How::kStrict;
};

#define T(expression)                                                                   \
  [](World& o) -> TermId {                                                              \
    [[maybe_unused]] TermId x = o.X(0), y = o.X(1), p = o.P(0), q = o.P(1), n = o.N(0); \
    [[maybe_unused]] TermId sum = o.Add(o.Mul(x, x), p);                                \
    return expression;                                                                  \
  }

std::vector<RuleCase> Cases() {
  using R = Rule;
  return {
      {R::kSumOfLeaves, T(o.Add(o.Add(x, y), p)), T(o.Add(x, o.Add(y, p))), T(x)},
      {R::kDistribute, T(o.Mul(o.Add(x, y), o.Add(x, p))), T(o.Fma(x, x, o.Fma(x, y, o.Fma(x, p, o.Mul(y, p))))), T(o.Mul(o.Add(x, y), p))},
      {R::kSqrtSquare, T(o.Mul(o.Sqrt(sum), o.Sqrt(sum))), T(sum), T(o.Mul(o.Sqrt(sum), o.Sqrt(p)))},
      {R::kAbsSquare, T(o.Mul(o.Abs(o.Sub(x, y)), o.Abs(o.Sub(x, y)))), T(o.Mul(o.Sub(x, y), o.Sub(x, y))), T(o.Mul(o.Abs(x), o.Abs(y)))},
      {R::kSqrtCancel, T(o.Mul(o.Rsqrt(sum), o.Rsqrt(sum))), T(o.Rcp(sum)), T(o.Mul(o.Rsqrt(sum), o.Rcp(sum)))},
      {R::kInverseCancel, T(o.Mul(sum, o.Rcp(o.Mul(o.C(2), sum)))), T(o.C(0.5f)), T(o.Mul(o.Add(sum, y), o.Rcp(sum)))},
      {R::kInverseExpand, T(o.Rcp(o.Add(o.C(1), o.Rcp(sum)))), T(o.Mul(sum, o.Rcp(o.Add(sum, o.C(1))))), T(o.Mul(o.Rcp(sum), o.Rcp(sum)))},
      {R::kInverseMono, T(o.Rcp(o.Mul(o.C(4), o.Mul(p, q)))), T(o.Mul(o.C(0.25f), o.Mul(o.Rcp(q), o.Rcp(p)))), T(o.Rcp(o.Add(p, q)))},
      {R::kInverseContent, T(o.Rcp(o.Mul(p, o.Add(p, q)))), T(o.Mul(o.Rcp(p), o.Rcp(o.Add(p, q)))), T(o.Rcp(o.Add(p, q)))},
      {R::kSqrtRational, T(o.Sqrt(o.C(12))), T(o.Mul(o.C(2), o.Sqrt(o.C(3)))), T(o.Sqrt(p))},
      {R::kSqrtContent, T(o.Sqrt(o.Mul(o.C(4), sum))), T(o.Mul(o.C(2), o.Sqrt(sum))), T(o.Sqrt(sum))},
      {R::kSqrtEven, T(o.Sqrt(o.Mul(x, x))), T(o.Abs(x)), T(o.Sqrt(o.Mul(x, y)))},
      {R::kSqrtKnownSign, T(o.Sqrt(o.Mul(p, x))), T(o.Mul(o.Sqrt(x), o.Sqrt(p))), T(o.Sqrt(o.Mul(x, y)))},
      {R::kSqrtImpliedSign, T(o.Sqrt(o.Mul(x, o.Mul(x, x)))), T(o.Mul(x, o.Sqrt(x))), T(o.Sqrt(o.Neg(o.Mul(x, o.Mul(x, x)))))},
      {R::kAbsKnownSign, T(o.Abs(sum)), T(sum), T(o.Abs(o.Sub(x, y)))},
      {R::kAbsProduct, T(o.Abs(o.Mul(o.C(-3), o.Mul(x, p)))), T(o.Mul(o.C(3), o.Mul(p, o.Abs(x)))), T(o.Abs(o.Add(x, y)))},
      {R::kMaxFlatten, T(o.Max(o.Max(x, y), o.Add(x, y))), T(o.Max(o.Max(o.Add(x, y), x), y)), T(o.Max(o.Min(x, y), o.Add(x, y)))},
      {R::kMaxDominated, T(o.Max(o.Add(x, p), x)), T(o.Add(p, x)), T(o.Max(o.Add(x, y), x))},
      {R::kMaxContent, T(o.Max(o.Mul(o.C(2), x), o.Mul(o.C(4), y))), T(o.Mul(o.C(2), o.Max(o.Mul(o.C(2), y), x))),
       T(o.Max(o.Mul(o.C(2), x), y))},
      {R::kMaxFactor, T(o.Max(o.Mul(p, x), o.Mul(y, p))), T(o.Mul(p, o.Max(y, x))), T(o.Max(o.Mul(x, y), o.Mul(x, p)))},
      {R::kSqrtOfSquare, T(o.Sqrt(o.Mul(o.Sub(x, y), o.Sub(x, y)))), T(o.Abs(o.Sub(y, x))), T(o.Sqrt(o.Mul(o.Sub(x, y), o.Add(x, y))))},
      {R::kSumOfSquares, T(o.Sqrt(o.Fma(o.Sub(x, y), o.Sub(x, y), p))), T(o.Sqrt(o.Add(o.Mul(o.Sub(y, x), o.Sub(y, x)), p))),
       T(o.Sqrt(o.Fma(o.Sub(x, y), o.Add(x, y), p)))},
      {R::kAbsContent, T(o.Abs(o.Mul(x, o.Sub(x, y)))), T(o.Mul(o.Abs(x), o.Abs(o.Sub(x, y)))), T(o.Abs(o.Fma(x, x, y)))},
      {R::kMaxAbs, T(o.Max(x, o.Neg(x))), T(o.Abs(x)), T(o.Max(x, o.Neg(y)))},
      {R::kMaxInfinity, T(o.Max(o.Bits(0xff800000), x)), T(x), T(o.Max(o.C(-1e38f), x))},
      {R::kMaxInfinity, T(o.Max(o.Bits(0xff7fffff), x)), T(x), T(o.Max(o.Bits(0xff7ffffe), x))},  // no float is below -FLT_MAX
      {R::kMinAsMax, T(o.Min(x, y)), T(o.Neg(o.Max(o.Neg(x), o.Neg(y)))), T(o.Max(x, y))},
      {R::kSatAsMax, T(o.store.Fp(FpKind::kMul, {.sat = true}, x, y)), T(o.Min(o.Max(o.Mul(x, y), o.C(0)), o.C(1))),
       T(o.Max(o.Mul(x, y), o.C(0)))},
      {R::kReluAsMax, T(o.store.Fp(FpKind::kMul, {.relu = true}, x, y)), T(o.Max(o.Mul(x, y), o.C(0))), T(o.Mul(x, y))},
      {R::kIteSelect, T(o.If(o.Less(x, y), y, x)), T(o.Max(x, y)), T(o.If(o.Less(x, y), y, p))},
      {R::kIteDecided, T(o.If(o.Less(p, o.C(0)), x, y)), T(y), T(o.If(o.Less(x, o.C(0)), x, y))},
      {R::kPowerInteger, T(o.Ex2(o.C(-2))), T(o.C(0.25f)), T(o.Ex2(o.C(0.25f)))},
      {R::kPowerInteger, T(o.Ex2(o.Add(x, o.C(1.5f)))), T(o.Mul(o.C(2), o.Mul(o.Ex2(x), o.Sqrt(o.C(2))))), T(o.Ex2(o.Add(x, o.C(0.25f))))},
      {R::kPowerFuse, T(o.Mul(o.Ex2(x), o.Ex2(o.Sub(y, x)))), T(o.Ex2(y)), T(o.Mul(o.Ex2(x), o.Sub(y, x)))},
      {R::kPowerOfLog, T(o.Ex2(o.Fma(o.Lg2(p), o.C(2), x))), T(o.Mul(o.Mul(p, p), o.Ex2(x))), T(o.Ex2(o.Mul(o.Lg2(p), o.C(0.25f))))},
      {R::kPowerOfLog, T(o.Ex2(o.Mul(o.Lg2(sum), o.C(-0.5f)))), T(o.Rsqrt(sum)), T(o.Ex2(o.Mul(x, o.Lg2(sum))))},
      {R::kPowerContent, T(o.Rcp(o.Add(o.C(1), o.Ex2(o.Neg(x))))), T(o.Mul(o.Ex2(x), o.Rcp(o.Add(o.C(1), o.Ex2(x))))),
       T(o.Rcp(o.Add(o.C(1), x)))},
      {R::kPowerContent, T(o.Rcp(o.Add(o.Add(o.Ex2(o.Sub(x, p)), o.Ex2(o.Sub(y, p))), o.Ex2(o.Sub(q, p))))),
       T(o.Mul(o.Ex2(p), o.Rcp(o.Add(o.Add(o.Ex2(x), o.Ex2(y)), o.Ex2(q))))), T(o.Rcp(o.Add(o.Add(o.Ex2(x), o.Ex2(y)), o.Ex2(q))))},
      {R::kPowerContent, T(o.Sqrt(o.Add(o.Ex2(x), o.Ex2(o.Add(x, y))))),
       T(o.Mul(o.Ex2(o.Mul(x, o.C(0.5f))), o.Sqrt(o.Add(o.C(1), o.Ex2(y))))), T(o.Sqrt(o.Add(o.C(1), p)))},
      {R::kLogOfPower, T(o.Lg2(o.Mul(p, o.Ex2(x)))), T(o.Add(o.Lg2(p), x)), T(o.Lg2(o.Mul(p, q)))},
      {R::kLogOfPower, T(o.Add(o.Lg2(o.Add(o.Ex2(o.Sub(x, p)), o.Ex2(o.Sub(y, p)))), p)), T(o.Lg2(o.Add(o.Ex2(x), o.Ex2(y)))),
       T(o.Lg2(o.Add(o.C(1), p)))},
      {R::kLogOfProduct, T(o.Lg2(o.Mul(p, o.Add(q, p)))), T(o.Add(o.Lg2(o.Add(q, p)), o.Lg2(p))), T(o.Lg2(o.Add(p, q)))},
      {R::kLogistic, T(o.Div(o.Ex2(x), o.Add(o.C(1), o.Ex2(x)))), T(o.Sub(o.C(1), o.Rcp(o.Add(o.C(1), o.Ex2(x))))),
       T(o.Div(o.Ex2(x), o.Add(o.C(1), o.Ex2(y))))},
      {R::kLogistic, T(o.Add(o.Div(o.Ex2(x), o.Add(o.Ex2(y), o.Ex2(x))), o.Div(o.Ex2(y), o.Add(o.Ex2(y), o.Ex2(x))))), T(o.C(1)),
       T(o.Div(o.Ex2(p), o.Add(o.Ex2(y), o.Ex2(x))))},
      {R::kLogistic, T(o.Div(o.Ex2(o.Neg(x)), o.Add(o.C(1), o.Ex2(x)))), T(o.Sub(o.Ex2(o.Neg(x)), o.Rcp(o.Add(o.C(1), o.Ex2(x))))),
       T(o.Div(o.Ex2(o.Neg(x)), o.Add(o.Add(o.C(1), o.Ex2(y)), o.Ex2(x))))},
      {R::kTanhAsPower, T(o.Op(FpKind::kTanh, x)), T(o.Sub(o.C(1), o.Mul(o.C(2), o.Rcp(o.Add(o.C(1), o.Op(FpKind::kExp, o.Add(x, x))))))),
       T(o.Op(FpKind::kErf, x))},
      {R::kPowAsPower, T(o.Op(FpKind::kPow, x, o.C(3))), T(o.Cube(x)), T(o.Op(FpKind::kExp, x))},
      {R::kPowAsPower, T(o.Op(FpKind::kPow, p, x)), T(o.Op(FpKind::kExp, o.Mul(x, o.Op(FpKind::kLog, p)))), T(o.Mul(x, p))},
      {R::kOddFunction, T(o.Op(FpKind::kSin, o.Neg(x))), T(o.Neg(o.Op(FpKind::kSin, x))), T(o.Op(FpKind::kSin, x))},
      {R::kOddFunction, T(o.Op(FpKind::kCos, o.Neg(x))), T(o.Op(FpKind::kCos, x)), T(o.Op(FpKind::kCos, x))},
      {R::kInfinite, T(o.Fma(p, o.Ex2(o.Sub(o.Bits(0xff800000), x)), y)), T(y), T(o.Fma(p, o.Ex2(o.Sub(o.Bits(0xff7fffff), x)), y))},
      {R::kInfinite, T(o.If(o.Less(o.Bits(0xff800000), x), x, y)), T(x), T(o.If(o.Less(o.Bits(0xff7fffff), x), x, y))},
      {R::kInfinite, T(o.Op(FpKind::kTanh, o.Bits(0xff800000))), T(o.C(-1)), T(o.Op(FpKind::kTanh, x))},
      {R::kInfinite, T(o.Div(x, o.Bits(0x7f800000))), T(o.C(0)), T(o.Div(x, p))},
      {R::kClampOrder, T(o.Max(o.Min(x, o.C(2)), o.C(-1))), T(o.Min(o.Max(x, o.C(-1)), o.C(2))), T(o.Max(o.Min(x, y), o.C(-1)))},
      {R::kClampOrder, T(o.Max(o.Min(x, o.C(2)), o.C(3))), T(o.C(3)), T(o.Max(o.Min(x, y), o.C(3)))},
      {R::kIntegerValue, T(o.Signed(o.store.Bv(TermKind::kBvAdd, 32, o.Slice(4, 0), o.Slice(4, 8)))),
       T(o.Add(o.Signed(o.Slice(4, 8)), o.Signed(o.Slice(4, 0)))), T(o.Add(x, y))},
      {R::kFloorWhole, T(o.Signed(o.store.SExt(32, o.store.BvNot(4, o.store.Extract(4, o.I(0), 0))))),
       T(o.Sub(o.C(-1), o.Signed(o.store.SExt(32, o.store.Extract(4, o.I(0), 0))))), T(o.Signed(o.Slice(4, 0)))},
      {R::kFloorKnown, T(o.Signed(o.store.ZExt(32, o.store.Extract(4, o.store.Bv(TermKind::kBvAdd, 32, o.Slice(4, 4), o.Slice(4, 0)), 8)))),
       T(o.C(0)), T(o.Signed(o.store.ZExt(32, o.store.Extract(4, o.store.Bv(TermKind::kBvAdd, 32, o.Slice(4, 4), o.Slice(4, 0)), 4))))},
      {R::kFloorSign, T(o.Unsigned(o.SignedInput())),
       T(o.Fma(o.Unsigned(o.store.ZExt(32, o.store.Extract(1, o.SignedInput(), 31))), o.C(0x1p32f), o.Signed(o.SignedInput()))),
       T(o.Signed(o.SignedInput()))},
      {R::kFloorHalf, T(o.Signed(o.I(0))), T(o.Fma(o.Signed(o.Slice(1, 31)), o.C(-0x1p32f), o.Unsigned(o.I(0)))), T(o.Unsigned(o.I(0)))},
      {R::kFloorOfFloor,
       T(o.Signed(o.store.SExt(32, o.store.Extract(4, o.store.Bv(TermKind::kBvAdd, 32, o.Slice(8, 4), o.Slice(8, 4)), 3)))),
       T(o.Signed(o.store.SExt(32, o.store.Extract(4, o.I(0), 6)))), T(o.Unsigned(o.I(0)))},
      {R::kFloorOpposite, T(o.Signed(o.store.SExt(32, o.store.BvNot(4, o.store.Extract(4, o.I(0), 0))))),
       T(o.Sub(o.C(-1), o.Signed(o.store.SExt(32, o.store.Extract(4, o.I(0), 0))))),
       T(o.Signed(o.store.SExt(32, o.store.Extract(4, o.I(0), 0))))},
      {R::kPatternValue,
       T(o.Sub(o.store.BitsToFp(FpFormat::kF32, o.store.Concat(o.store.BvConst(12, 0x4b0), o.store.Extract(20, o.I(0), 3))), o.C(0x1p23f))),
       T(o.Signed(o.Slice(20, 3))),
       T(o.store.BitsToFp(FpFormat::kF32, o.store.Concat(o.store.BvConst(8, 0x4b), o.store.Extract(24, o.I(0), 3))))},
      {R::kRoundInteger, T(o.Floor(o.Mul(o.Signed(o.I(0)), o.C(3)))), T(o.Mul(o.C(3), o.Signed(o.I(0)))),
       T(o.Floor(o.Mul(o.Signed(o.I(0)), o.C(0.5f))))},
      {R::kRoundExtremum, T(o.Floor(o.Min(x, o.C(2.5f)))), T(o.Min(o.Floor(x), o.C(2))), T(o.Floor(o.Add(o.Max(x, y), p)))},
      {R::kRoundOpposite, T(o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRpi}, x)), T(o.Neg(o.Floor(o.Neg(x)))), T(o.Floor(x))},
      {R::kRoundConstant, T(o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRpi}, o.C(-1.5f))), T(o.C(-1)),
       T(o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRpi}, x))},
      {R::kRoundConstant, T(o.store.FpConvert({.format = FpFormat::kE4M3, .satfinite = true}, o.C(1.0625f))), T(o.C(1)), T(o.C(1.0625f))},
      {R::kLiftConstant, T(o.Mul(x, o.C(1.0f / 3))), T(o.Div(x, o.C(3))), T(o.Mul(x, o.Bits(0x3eaaaaac))), How::kLifted},
      {R::kSumAtom, T(o.Mul(o.Sum(64), o.Sum(64))), T(o.Mul(o.Sum(64), o.Mul(o.C(1), o.Sum(64)))), T(o.Mul(o.Sum(63), o.Sum(63))),
       How::kSums},
  };
}

TEST(NormalRules, EveryRuleHasAProofAndANearMiss) {
  std::set<Rule> covered;
  int line = 0;
  for (const RuleCase& c : Cases()) {
    SCOPED_TRACE("case " + std::to_string(line++));
    World o;
    PolyId left = o.Form(c.left(o), c.how);
    EXPECT_GT(o.algebra.rule_count(c.rule), 0u) << o.store.ToString(c.left(o));
    EXPECT_EQ(left, o.Form(c.right(o), c.how)) << o.store.ToString(c.left(o));
    World miss;
    miss.Form(c.near_miss(miss), c.how);
    EXPECT_EQ(miss.algebra.rule_count(c.rule), 0u);
    covered.insert(c.rule);
  }
  EXPECT_EQ(covered.size(), kRuleCount) << "a rule of rules.def has no case here";
}

TEST(Fingerprint, ErrorBoundIsSchwartzZippel) {
  World o;
  PolyId form = o.Form(o.Sub(o.Mul(o.X(0), o.X(1)), o.X(2)));
  Fingerprint print(o.algebra, 1);
  EXPECT_EQ(print.Test(form), Fingerprint::Answer::kNonZero);
  EXPECT_EQ(print.Test(kZero), Fingerprint::Answer::kZero);
  EXPECT_EQ(print.ErrorLog2(form), 2 * (1 - 60));  // degree 2
  PolyId fraction = o.Form(o.Div(o.X(0), o.Add(o.X(1), o.X(2))));
  EXPECT_EQ(print.Test(fraction), Fingerprint::Answer::kNonZero);
}

// What is interned may be part of what has been interned. Broken once: with std::vector::insert the constant is 0 where the pool grows,
// and max(max(a, b), c) lost a and b.
TEST(Interning, OfPartsOfOtherForms) {
  World o;
  for (int i = 1; i <= 3000; ++i) {
    const Rational expected(2 * i + 1);
    const PolyId scaled = o.algebra.Scale(o.Form(o.X(0)), expected);
    const PolyId constant = o.algebra.Constant(o.algebra.coefficients(scaled)[0]);
    ASSERT_EQ(o.algebra.coefficients(constant)[0], expected) << i;
    const PolyId power = o.algebra.OfAtom(o.algebra.mono(o.algebra.monos(scaled)[0])[0].atom, i + 1);
    ASSERT_EQ(o.algebra.mono(o.algebra.monos(power)[0])[0].exponent, i + 1);
  }
}

// A maximum in a maximum, with the pools in every state that forms before it leave them in.
TEST(Interning, MaximaInMaximaKeepTheirElements) {
  for (unsigned before = 0; before < 200; ++before) {
    World o;
    PolyId form = o.Form(o.X(50));
    for (unsigned i = 0; i < before; ++i) form = o.algebra.Scale(form, Rational(3));
    const TermId nested = o.Max(o.Max(o.Max(o.X(0), o.X(1)), o.X(2)), o.X(3));
    ASSERT_EQ(o.Form(nested), o.Form(o.Max(o.X(3), o.Max(o.X(2), o.Max(o.X(1), o.X(0)))))) << before;
    ASSERT_NE(o.Form(nested), o.Form(o.Max(o.C(0), o.Max(o.X(3), o.X(2))))) << before;
  }
}

}  // namespace
}  // namespace racer::normal
