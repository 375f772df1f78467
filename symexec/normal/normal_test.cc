#include "symexec/normal/normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "symexec/normal/testing.h"

namespace racer {
namespace {

using Status = ProofOutcome::Status;

class NormalTest : public testing::Test, protected Terms {
 protected:
  // Lifting is allowed unless the options are given.
  ProofOutcome Prove(TermId a, TermId b) { return Prove(a, b, {.constants = &constants_}); }
  ProofOutcome Prove(TermId a, TermId b, const NormalOptions& options) {
    Normalizer normalizer(store, ranges, options);
    ProofOutcome out = normalizer.ProveEqual(a, b);
    ProofOutcome swapped = normalizer.ProveEqual(b, a);
    EXPECT_EQ(out.status, swapped.status) << "not symmetric: " << store.ToString(a) << " and " << store.ToString(b);
    last_ = normalizer.Describe(a) + "   against   " + normalizer.Describe(b) + "   " + out.reason;
    return out;
  }
  // By the canonical form alone, with constants as they are.
  void Equal(TermId a, TermId b, const std::string& step = "canonical") {
    ProofOutcome out = Prove(a, b, kExact);
    EXPECT_EQ(out.status, Status::kProved) << last_;
    EXPECT_EQ(out.step, step) << last_;
  }
  void Different(TermId a, TermId b) { Different(a, b, {.constants = &constants_}); }
  void Different(TermId a, TermId b, const NormalOptions& options) { EXPECT_EQ(Prove(a, b, options).status, Status::kNotEqual) << last_; }
  void Undecided(TermId a, TermId b, const std::string& reason) {
    ProofOutcome out = Prove(a, b);
    EXPECT_EQ(out.status, Status::kUnknown) << last_;
    EXPECT_NE(out.reason.find(reason), std::string::npos) << out.reason;
  }
  const NormalOptions kExact;
  const FewConstants constants_;
  std::string last_;
};

// --- ring

TEST_F(NormalTest, SumsInAnyOrder) {
  TermId a = X(0), b = X(1), c = X(2);
  Equal(Add(Add(a, b), c), Add(a, Add(c, b)));
  Equal(Fma(a, b, c), Add(c, Mul(b, a)));
  Equal(Sub(a, b), Neg(Sub(b, a)));
  Equal(Mul(Add(a, b), Sub(a, b)), Sub(Mul(a, a), Mul(b, b)));
  Different(Sub(a, b), Sub(b, a));
  Different(Fma(a, b, c), Fma(a, b, X(3)));
  Different(Fma(a, b, c), Fma(a, c, b));
  Equal(Add(a, Neg(a)), C(0));
}

TEST_F(NormalTest, ConstantsAreExactRationals) {
  // The f32 nearest to 0.1, 0.2 and 0.3: their exact values do not add up.
  Different(Add(C(0.1f), C(0.2f)), C(0.3f), kExact);
  Equal(Add(C(0.5f), C(0.25f)), C(0.75f));
  Equal(Mul(C(3), X(0)), Add(X(0), Add(X(0), X(0))));
  Different(Mul(C(0.5f), X(0)), Mul(Bits(0x3f000002), X(0)));  // 0.5 against 0.50000012, lifting allowed
  Different(Mul(C(0.5f), X(0)), Mul(Bits(0x3f000001), X(0)));
  Different(Mul(C(0.5f), X(0)), Mul(Bits(0x3effffff), X(0)));
  Equal(C(-0.0f), C(0.0f));
}

TEST_F(NormalTest, LongSums) {
  TermId left = X(0), right = X(999);
  for (uint32_t i = 1; i < 1000; ++i) left = Add(left, X(i));
  for (uint32_t i = 999; i-- > 0;) right = Add(right, X(i));
  Equal(left, right);
  TermId dropped = X(0), perturbed = X(0);
  for (uint32_t i = 1; i < 1000; ++i) {
    if (i != 537) dropped = Add(dropped, X(i));
    perturbed = Add(perturbed, i == 537 ? X(2000) : X(i));
  }
  Different(left, dropped);
  Different(left, perturbed);
}

TEST_F(NormalTest, DoublingChainStaysLinear) {
  TermId a = X(0), b = X(0);
  for (int i = 0; i < 60; ++i) a = Add(a, a);  // 2^60 leaves if nothing were shared
  b = Mul(b, store.FpReal(FpFormat::kF32, Rational::Dyadic(1, 60)));
  Equal(a, b);
  TermId f = X(0), g = X(1);
  for (int i = 0; i < 80; ++i) {
    TermId next = Add(f, g);
    f = g;
    g = next;
  }
  // Fibonacci numbers 80 and 81.
  Equal(g, Add(Mul(X(0), store.FpReal(FpFormat::kF32, Rational(23416728348467685))),
               Mul(X(1), store.FpReal(FpFormat::kF32, Rational(37889062373143906)))));
}

TEST_F(NormalTest, DeepTermsNeedNoStack) {
  TermId a = P(0), b = P(0);
  for (int i = 0; i < 50'000; ++i) {
    a = Sqrt(Add(a, C(1)));
    b = Sqrt(Fma(b, C(1), C(1)));
    if (i % 3 == 0) a = Max(a, X(0)), b = If(Less(b, X(0)), X(0), b);
  }
  Equal(a, b);
  Different(a, Sqrt(b));
}

TEST_F(NormalTest, ButterflySumsAgreeWithPlainOnes) {
  std::vector<TermId> lanes;
  lanes.reserve(32);
  for (uint32_t i = 0; i < 32; ++i) lanes.push_back(Mul(X(i), X(i)));
  TermId plain = lanes[0];
  for (uint32_t i = 1; i < 32; ++i) plain = Add(plain, lanes[i]);
  for (unsigned mask = 16; mask > 0; mask /= 2) {
    std::vector<TermId> next;
    next.reserve(32);
    for (unsigned i = 0; i < 32; ++i) next.push_back(Add(lanes[i], lanes[i ^ mask]));
    lanes = next;
  }
  for (TermId lane : lanes) Equal(plain, lane);
  EXPECT_NE(plain, lanes[7]);
}

TEST_F(NormalTest, RoundingsAreIgnoredConversionsToo) {
  FpAttr f16{.format = FpFormat::kF16}, f32, down{.format = FpFormat::kF32, .rounding = Rounding::kRm, .ftz = true};
  TermId narrow = store.FpConvert(f16, Add(X(0), X(1)));
  Equal(store.FpConvert(f32, narrow), store.Fp(FpKind::kAdd, down, X(0), X(1)));
  // A quantisation to 8 bits is a function, not a rounding to be ignored.
  FpAttr e4m3{.format = FpFormat::kE4M3};
  Different(store.FpConvert(f32, store.FpConvert(e4m3, X(0))), X(0));
  // Of equal values it is equal; with another format, rounding or saturation it is another function.
  FpAttr saturates = e4m3, e5m2{.format = FpFormat::kE5M2, .satfinite = true};
  saturates.satfinite = true;
  Equal(store.FpConvert(f32, store.FpConvert(saturates, Add(X(0), X(1)))),
        store.FpConvert(saturates, store.FpConvert(f16, Add(X(1), X(0)))));
  Different(store.FpConvert(saturates, X(0)), store.FpConvert(e4m3, X(0)));
  Different(store.FpConvert(saturates, X(0)), store.FpConvert(e5m2, X(0)));
  FpAttr down_power{.format = FpFormat::kUE8M0, .rounding = Rounding::kRz}, up_power{.format = FpFormat::kUE8M0, .rounding = Rounding::kRp};
  Different(store.FpConvert(down_power, X(0)), store.FpConvert(up_power, X(0)));
}

// --- division and roots

TEST_F(NormalTest, DivisionIsMultiplicationByTheInverse) {
  TermId a = X(0), p = P(0), q = P(1);
  Equal(Div(a, p), Mul(a, Rcp(p)));
  Equal(Div(a, Add(p, q)), Mul(Rcp(Add(q, p)), a));
  Equal(Div(Div(a, p), q), Div(a, Mul(q, p)));
  Equal(Div(a, C(4)), Mul(a, C(0.25f)));
  Equal(Rcp(Rcp(p)), p);
  Equal(Rcp(Add(C(1), Rcp(p))), Div(p, Add(p, C(1))));
  Different(Div(p, q), Div(q, p));
  Different(Div(a, Add(p, q)), Add(Div(a, p), Div(a, q)));
  Equal(Div(C(2), Add(Mul(C(2), p), Mul(C(4), q))), Rcp(Add(p, Mul(C(2), q))));
}

TEST_F(NormalTest, PartsOfUnity) {
  TermId p = P(0), q = P(1), x = X(0), y = X(1);
  Equal(Add(Div(p, Add(p, q)), Div(q, Add(p, q))), C(1), "cross_multiplication");
  Different(Add(Div(p, Add(p, q)), Div(p, Add(p, q))), C(1));
  // Equal where x + y != 0, undefined elsewhere.
  Undecided(Add(Div(x, Add(x, y)), Div(y, Add(x, y))), C(1), "definedness");
  Equal(Sub(Rcp(p), Rcp(Add(p, C(1)))), Rcp(Mul(p, Add(p, C(1)))), "cross_multiplication");
}

TEST_F(NormalTest, DefinednessIsCompared) {
  TermId x = X(0), z = X(1);
  Undecided(Div(x, x), C(1), "x[0] != 0");
  Undecided(Mul(x, Div(z, z)), x, "x[1] != 0");
  Undecided(Mul(C(0), Rcp(z)), C(0), "x[1] != 0");
  Undecided(Mul(Sqrt(z), Sqrt(z)), z, "x[1] >= 0");
  Undecided(Sub(Sqrt(Neg(z)), Sqrt(Neg(z))), C(0), "-x[1] >= 0");
  Equal(Mul(Sqrt(N(0)), Sqrt(N(0))), N(0));
  Equal(Div(P(0), P(0)), C(1));
  Equal(Div(x, z), Mul(x, Rcp(z)));                   // the same condition on both sides
  Equal(Div(x, Mul(z, X(2))), Div(Div(x, z), X(2)));  // a product is nonzero where its factors are
  Equal(Rsqrt(z), Div(C(1), Sqrt(z)));                // z > 0, against z >= 0 and z != 0
  Undecided(Div(x, C(0)), C(0), "division by zero");
  Undecided(Sqrt(C(-1)), C(0), "outside its domain");
  Undecided(Div(x, Sub(z, z)), x, "division by zero");
  // 1 + u*u never vanishes, 1 - u*u may.
  Equal(Div(Fma(x, x, C(1)), Fma(x, x, C(1))), C(1));
  Undecided(Div(Sub(C(1), Mul(x, x)), Sub(C(1), Mul(x, x))), C(1), "definedness");
  // u in [0, 1]: 2 - u > 0 by intervals, 1 - u may be 0.
  Equal(Div(Sub(C(2), U(0)), Sub(C(2), U(0))), C(1));
  Undecided(Div(Sub(C(1), U(0)), Sub(C(1), U(0))), C(1), "definedness");
}

TEST_F(NormalTest, SignsAreLearnedOnlyFromWhatIsAlwaysDefined) {
  TermId x = X(0), y = X(1), z = X(2);
  TermId variance = Fma(Sub(x, y), Sub(x, y), P(0));
  Equal(Mul(Sqrt(variance), Sqrt(variance)), variance);
  Equal(Div(variance, variance), C(1));
  // sqrt(z)^2 is z and looks like a square; that makes z no nonnegative input, before or after.
  TermId square = Mul(Sqrt(z), Sqrt(z));
  Normalizer normalizer(store, ranges, {});
  EXPECT_EQ(normalizer.ProveEqual(Add(square, x), Add(square, x)).status, Status::kProved);
  EXPECT_NE(normalizer.ProveEqual(Add(square, x), Add(z, x)).status, Status::kProved);
  EXPECT_NE(normalizer.ProveEqual(Abs(z), z).status, Status::kProved);
  EXPECT_NE(normalizer.ProveEqual(Max(z, C(0)), z).status, Status::kProved);
  // (1 + s)^2 + (1 - s)^2 = 2 + 2z is positive where s = sqrt(z) is defined, and only there.
  TermId s = Sqrt(z), sum = Fma(Add(C(1), s), Add(C(1), s), Mul(Sub(C(1), s), Sub(C(1), s))), same = Fma(C(2), z, C(2));
  EXPECT_EQ(normalizer.Describe(sum), "2 + 2*x[2]");
  EXPECT_NE(normalizer.ProveEqual(Abs(same), same).status, Status::kProved);
  EXPECT_NE(normalizer.ProveEqual(Sqrt(Mul(same, same)), same).status, Status::kProved);
  TermId shifted = Mul(Sqrt(Sub(z, x)), Sqrt(Sub(z, x)));
  EXPECT_NE(normalizer.ProveEqual(Add(shifted, x), Add(Abs(Sub(z, x)), x)).status, Status::kProved);
}

TEST_F(NormalTest, ArmsKeepTheirConditionsToThemselves) {
  TermId x = X(0), z = X(1), guard = Less(X(2), X(3));
  Equal(If(guard, Rcp(z), x), If(guard, Div(C(1), z), x));
  Undecided(If(guard, Mul(x, Div(z, z)), Neg(x)), If(guard, x, Neg(x)), "definedness");
  // The same condition on opposite arms is not the same definedness.
  Undecided(If(guard, Mul(x, Div(z, z)), Neg(x)), If(guard, x, Neg(Mul(x, Div(z, z)))), "definedness");
}

TEST_F(NormalTest, Roots) {
  TermId v = P(0), x = X(0), y = X(1);
  Equal(Rcp(Sqrt(v)), Rsqrt(v));
  Equal(Mul(x, Rsqrt(v)), Div(x, Sqrt(v)));
  Equal(Mul(x, Sqrt(Rcp(v))), Mul(x, Rsqrt(v)));
  Equal(Mul(Rsqrt(v), Rsqrt(v)), Rcp(v));
  Equal(Mul(v, Rsqrt(v)), Sqrt(v));
  TermId sum = Add(Fma(x, x, Mul(y, y)), v);
  Equal(Rcp(Sqrt(sum)), Rsqrt(sum));
  Equal(Mul(x, Sqrt(Rcp(sum))), Div(x, Sqrt(sum)));
  Equal(Mul(Rsqrt(sum), Rsqrt(sum)), Rcp(sum));
  Equal(Mul(sum, Rsqrt(sum)), Sqrt(sum));
  Different(Rsqrt(sum), Rsqrt(Add(sum, C(1))));
  Different(Sqrt(sum), Rsqrt(sum));
  Equal(Sqrt(Mul(C(4), sum)), Mul(C(2), Sqrt(sum)));
  Equal(Sqrt(C(8)), Mul(C(2), Sqrt(C(2))));
  Equal(Mul(Sqrt(C(2)), Sqrt(C(3))), Sqrt(C(6)));
  Different(Mul(Sqrt(C(2)), Sqrt(C(3))), Sqrt(C(5)));
}

TEST_F(NormalTest, RootOfASquareIsTheMagnitude) {
  TermId x = X(0), y = X(1);
  Equal(Sqrt(Mul(x, x)), Abs(x));
  Different(Sqrt(Mul(x, x)), x);
  Equal(Sqrt(Mul(N(0), N(0))), N(0));
  Equal(Mul(Abs(x), Abs(x)), Mul(x, x));
  Equal(Abs(Mul(x, y)), Mul(Abs(x), Abs(y)));
  Equal(Abs(Neg(x)), Max(x, Neg(x)));
  Equal(Abs(Sub(x, y)), Abs(Sub(y, x)));
  Different(Abs(Add(x, y)), Add(Abs(x), Abs(y)));
  Equal(Mul(Abs(Sub(x, y)), Abs(Sub(x, y))), Mul(Sub(x, y), Sub(x, y)));
  // The root of a product splits only with signs known.
  Equal(Sqrt(Mul(N(0), N(1))), Mul(Sqrt(N(0)), Sqrt(N(1))));
  EXPECT_NE(Prove(Sqrt(Mul(x, y)), Mul(Sqrt(x), Sqrt(y))).status, Status::kProved);
  EXPECT_NE(Prove(Sqrt(Mul(x, x)), x).status, Status::kProved);
  EXPECT_NE(Prove(Mul(Sqrt(Neg(x)), Sqrt(Neg(y))), Sqrt(Mul(x, y))).status, Status::kProved);
  Equal(Sqrt(Mul(Mul(N(0), N(0)), N(0))), Mul(N(0), Sqrt(N(0))));
}

TEST_F(NormalTest, MeanInsideTheRoot) {
  TermId eps = P(0), ss = Fma(X(0), X(0), Fma(X(1), X(1), Mul(X(2), X(2))));
  TermId h = C(3);
  TermId a = Rcp(Sqrt(Add(Div(ss, h), eps)));
  Equal(a, Div(Sqrt(h), Sqrt(Fma(h, eps, ss))));
  Different(a, Div(Sqrt(h), Sqrt(Add(eps, ss))));
  Different(a, Rcp(Add(Sqrt(Div(ss, h)), eps)));
}

TEST_F(NormalTest, RootsInsideDenominators) {
  TermId s = Sqrt(P(0));
  // 1/(1+s) = (1-s)/(1-p) where p != 1: values agree by s^2 = p, definedness does not.
  Undecided(Rcp(Add(C(1), s)), Div(Sub(C(1), s), Sub(C(1), P(0))), "definedness");
  TermId t = Sqrt(Add(P(0), C(1)));
  Equal(Rcp(Add(t, s)), Sub(t, s), "cross_multiplication");
  Different(Rcp(Add(t, s)), Add(t, s));
}

// --- lifting

TEST_F(NormalTest, MeanByReciprocal) {
  TermId sum = X(0);
  for (uint32_t i = 1; i < 384; ++i) sum = Add(sum, X(i));
  TermId by_division = Div(sum, C(384)), by_reciprocal = Mul(sum, C(1.0f / 384));
  Different(by_division, by_reciprocal, kExact);
  Normalizer normalizer(store, ranges, {.constants = &constants_});
  ProofOutcome out = normalizer.ProveEqual(by_division, by_reciprocal);
  EXPECT_EQ(out.status, Status::kProved);
  EXPECT_EQ(out.step, "lifted_constants");
  ASSERT_EQ(normalizer.ledger().size(), 1u);
  EXPECT_EQ(normalizer.ledger()[0].real, "1/384");
  EXPECT_EQ(normalizer.ledger()[0].bits, 0x3b2aaaabu);
  EXPECT_NEAR(normalizer.ledger()[0].ulp_distance, 1.0 / 3, 1e-6);
  EXPECT_EQ(normalizer.ProveEqual(by_division, by_reciprocal).status, Status::kProved);
  EXPECT_EQ(normalizer.ledger().size(), 1u);
  // One unit in the last place off is another number.
  Different(by_division, Mul(sum, Bits(0x3b2aaaac)));
  Different(by_division, Mul(sum, Bits(0x3b2aaaaa)));
  // Powers of two need no lifting and leave the ledger empty.
  Normalizer exact(store, ranges, {.constants = &constants_});
  EXPECT_EQ(exact.ProveEqual(Div(sum, C(128)), Mul(sum, C(1.0f / 128))).step, "canonical");
  EXPECT_TRUE(exact.ledger().empty());
}

TEST_F(NormalTest, NothingIsLiftedWithoutNeed) {
  Normalizer normalizer(store, ranges, {.constants = &constants_});
  EXPECT_EQ(normalizer.ProveEqual(Mul(X(0), C(0.1f)), Mul(C(0.1f), X(0))).status, Status::kProved);
  TermId third = C(1.0f / 3);
  EXPECT_EQ(normalizer.ProveEqual(Fma(X(0), third, X(1)), Add(X(1), Mul(third, X(0)))).step, "canonical");
  EXPECT_TRUE(normalizer.ledger().empty());
}

TEST_F(NormalTest, LiftedRoots) {
  TermId x = X(0);
  EXPECT_EQ(Prove(Div(x, Sqrt(C(128))), Mul(x, C(static_cast<float>(1 / std::sqrt(128.0))))).step, "lifted_constants") << last_;
  EXPECT_EQ(Prove(Mul(x, Sqrt(C(96))), Mul(x, C(static_cast<float>(std::sqrt(96.0))))).step, "lifted_constants") << last_;
  Different(Div(x, Sqrt(C(128))), Mul(x, C(static_cast<float>(1 / std::sqrt(129.0)))));
  Different(Mul(x, Sqrt(C(96))), Mul(x, C(static_cast<float>(std::sqrt(97.0)))));
}

// --- piecewise

// --- sums kept as atoms

// A row's layer normalisation, cell by cell; `backwards` adds up the other way round and spells the quotient differently.
std::vector<TermId> LayerNorm(Terms& o, uint32_t h, bool backwards, uint32_t dropped = ~0U) {
  auto add_up = [&](const std::vector<TermId>& terms) {
    TermId sum = backwards ? terms.back() : terms.front();
    for (size_t i = 1; i < terms.size(); ++i) sum = o.Add(sum, terms[backwards ? terms.size() - 1 - i : i]);
    return sum;
  };
  std::vector<TermId> row, squares, cells;
  for (uint32_t i = 0; i < h; ++i) row.push_back(o.X(i));
  TermId mean = o.Div(add_up(row), o.C(static_cast<float>(h)));
  for (uint32_t i = 0; i < h; ++i) {
    TermId apart = o.Sub(row[i], mean);
    if (i != dropped) squares.push_back(o.Mul(apart, apart));
  }
  TermId variance = o.Add(o.Div(add_up(squares), o.C(static_cast<float>(h))), o.P(0));
  for (uint32_t i = 0; i < h; ++i) {
    TermId apart = o.Sub(row[i], mean);
    cells.push_back(backwards ? o.Div(apart, o.Sqrt(variance)) : o.Mul(apart, o.Rsqrt(variance)));
  }
  return cells;
}

TEST_F(NormalTest, VarianceOfALongRow) {
  constexpr uint32_t kLength = 1536;  // (x - mean)^2 multiplied out would be a million terms for each x
  std::vector<TermId> a = LayerNorm(*this, kLength, false), b = LayerNorm(*this, kLength, true), c = LayerNorm(*this, kLength, true, 700);
  Normalizer normalizer(store, ranges, kExact);
  for (uint32_t i : {0u, 1u, kLength - 1}) {
    ProofOutcome out = normalizer.ProveEqual(a[i], b[i]);
    EXPECT_EQ(out.status, Status::kProved) << out.reason;
    EXPECT_NE(normalizer.ProveEqual(a[i], b[(i + 1) % kLength]).status, Status::kProved);
    EXPECT_NE(normalizer.ProveEqual(a[i], c[i]).status, Status::kProved);
  }
}

// What an atom hides is found once sums are multiplied out: the mean of the squares against the square of the mean.
TEST_F(NormalTest, AtomsOfSumsHideNothingForGood) {
  constexpr uint32_t kLength = 80;
  TermId h = C(kLength), mean = Div(Sum(kLength), h), two_pass = C(0), squares = C(0);
  for (uint32_t i = 0; i < kLength; ++i) {
    TermId apart = Sub(X(i), mean);
    two_pass = Fma(apart, apart, two_pass);
    squares = Fma(X(i), X(i), squares);
  }
  Equal(Div(two_pass, h), Sub(Div(squares, h), Mul(mean, mean)));
  Normalizer normalizer(store, ranges, kExact);
  ProofOutcome quick = normalizer.ProveEqual(Div(two_pass, h), Sub(Div(squares, h), Mul(mean, mean)), Effort::kQuick);
  EXPECT_NE(quick.status, Status::kProved);
  EXPECT_TRUE(quick.sums_kept);
  Different(Div(two_pass, h), Sub(Div(squares, h), Mul(mean, Sub(mean, X(0)))));
  // Scale and sign of the atom.
  TermId sum = Sum(kLength);
  Equal(Mul(Mul(C(-2), sum), Mul(sum, X(0))), Mul(Mul(sum, sum), Mul(X(0), C(-2))));
  Different(Mul(Mul(C(-2), sum), sum), Mul(C(2), Mul(sum, sum)));
  Different(Mul(sum, sum), Mul(sum, Sum(kLength - 1)));
}

// A NaN ends in these: equal values that are undefined at the same inputs are different numbers there. 1/x and x/x^2 are +inf and
// NaN at x = 0. Broken once each: without the line of AbsorbsNaN for it, the pair is proved.
TEST_F(NormalTest, NoOperationHidesAnUndefinedValue) {
  TermId x = X(0), y = X(1), zero = C(0), infinite = Rcp(x), nan = Div(x, Mul(x, x));
  Equal(infinite, nan);
  const std::string reason = "may be undefined";
  Undecided(Max(infinite, y), Max(nan, y), reason);
  Undecided(Min(y, infinite), Min(y, nan), reason);
  auto sat = [&](TermId t) { return store.Fp(FpKind::kMul, {.sat = true}, t, y); };
  Undecided(sat(infinite), sat(nan), reason);
  auto convert = [&](TermId t) { return store.FpConvert({.format = FpFormat::kF16, .sat = true}, t); };
  Undecided(convert(infinite), convert(nan), reason);
  auto finite = [&](TermId t) { return store.FpConvert({.format = FpFormat::kF16, .satfinite = true}, t); };
  Undecided(finite(infinite), finite(nan), reason);
  Undecided(If(Less(infinite, zero), x, y), If(Less(nan, zero), x, y), reason);
  TermId both = store.Bv(TermKind::kBvAnd, 1, Less(infinite, zero), Less(x, y)),
         both_nan = store.Bv(TermKind::kBvAnd, 1, Less(nan, zero), Less(x, y));
  Undecided(If(both, x, y), If(both_nan, x, y), reason);
  auto there_and_back = [&](TermId t) {
    return store.IntToFp(ScalarType::kS32, FpAttr{}, store.FpToInt(ScalarType::kS32, Rounding::kRzi, false, false, t));
  };
  Undecided(there_and_back(infinite), there_and_back(nan), reason);
  // max.NaN and a value that is always defined: nothing ends there.
  auto max_nan = [&](TermId t) { return store.Fp(FpKind::kMax, {.nan = true}, t, y); };
  Equal(max_nan(infinite), max_nan(nan));
  Equal(Max(Rcp(P(0)), y), Max(y, Div(P(0), Mul(P(0), P(0)))));
}

// A factor of known sign leaves a maximum. Broken once each: the sign of a factor ignored, a negative factor without turning
// max into min, odd powers of unknown sign taken out whole, a zero element that hides the factor, no flattening through a factor.
TEST_F(NormalTest, FactorsOfMaxima) {
  TermId x = X(0), y = X(1), z = X(2), p = P(0), q = P(1), n = N(0), m = M(0), zero = C(0);
  Equal(Max(Mul(p, x), Mul(p, y)), Mul(p, Max(x, y)));
  Equal(Mul(Max(Mul(p, x), zero), y), Mul(Mul(y, Max(x, zero)), p));
  Equal(Min(Mul(p, x), Mul(y, p)), Mul(p, Min(x, y)));
  // A factor that may be zero: both sides are zero there.
  Equal(Max(Mul(n, x), Mul(n, y)), Mul(n, Max(x, y)));
  Equal(Max(Mul(U(0), x), zero), Mul(U(0), Max(x, zero)));
  // A negative one turns max into min; two of them do not.
  Equal(Max(Mul(m, x), Mul(m, y)), Mul(m, Min(x, y)));
  Different(Max(Mul(m, x), Mul(m, y)), Mul(m, Max(x, y)));
  Equal(Max(Mul(m, x), zero), Mul(m, Min(x, zero)));
  Equal(Max(Mul(Mul(m, m), x), Mul(Mul(m, m), y)), Mul(m, Mul(m, Max(x, y))));
  Equal(Max(Mul(Mul(m, M(1)), x), Mul(Mul(m, M(1)), y)), Mul(m, Mul(M(1), Max(x, y))));
  Equal(Max(Mul(Neg(p), x), Mul(Neg(p), y)), Neg(Mul(p, Min(x, y))));
  // Of a factor of unknown sign, what is even.
  for (TermId other : {Max(y, z), Min(y, z)}) {
    EXPECT_NE(Prove(Max(Mul(x, y), Mul(x, z)), Mul(x, other)).status, Status::kProved);
    EXPECT_NE(Prove(Max(Mul(Cube(x), y), Mul(Cube(x), z)), Mul(Cube(x), other)).status, Status::kProved);
  }
  Equal(Max(Mul(Mul(x, x), y), Mul(Mul(x, x), z)), Mul(x, Mul(x, Max(y, z))));
  Equal(Max(Mul(Cube(x), y), Mul(Cube(x), z)), Mul(Mul(x, x), Max(Mul(x, y), Mul(x, z))));
  // Roots, magnitudes and exponentials are never negative, denominators have a sign, too.
  Equal(Max(Mul(Sqrt(n), x), zero), Mul(Sqrt(n), Max(x, zero)));
  Equal(Max(Mul(Abs(z), x), Mul(y, Abs(z))), Mul(Abs(z), Max(x, y)));
  Equal(Max(Mul(Ex2(z), x), Mul(y, Ex2(z))), Mul(Ex2(z), Max(x, y)));
  Equal(Max(Div(x, p), y), Div(Max(x, Mul(y, p)), p));
  Equal(Max(Div(x, m), y), Div(Min(x, Mul(y, m)), m));
  TermId sum = Add(Mul(x, x), p);
  Equal(Max(Mul(Rsqrt(sum), x), zero), Mul(Rsqrt(sum), Max(zero, x)));
  Equal(Max(Mul(Rsqrt(sum), x), Mul(Rsqrt(sum), y)), Div(Max(y, x), Sqrt(sum)));
  // Factors and nesting: however it is written.
  Equal(Max(Mul(p, Max(x, y)), z), Max(Mul(p, x), Max(Mul(p, y), z)));
  Equal(Max(Mul(p, Max(x, Mul(q, y))), Mul(p, Mul(q, z))), Mul(p, Max(Mul(q, Max(y, z)), x)));
  Different(Max(Mul(Neg(p), Max(x, y)), z), Max(Max(Neg(Mul(p, x)), Neg(Mul(p, y))), z));
  Different(Max(Mul(p, x), Mul(p, y)), Mul(q, Max(x, y)));
  Different(Max(Mul(p, x), y), Mul(p, Max(x, y)));
  Different(Max(Mul(p, x), C(1)), Mul(p, Max(x, C(1))));
  // The factor may not bring in or hide an undefined value.
  Undecided(Max(Mul(n, Div(x, n)), zero), Max(x, zero), "may be undefined");
  Undecided(Mul(Div(C(1), n), Max(Mul(n, x), zero)), Max(x, zero), "definedness");
}

TEST_F(NormalTest, MaximaAndMinima) {
  TermId a = X(0), b = X(1), c = X(2);
  Equal(Max(Max(a, b), c), Max(b, Max(c, a)));
  Equal(Min(a, b), Neg(Max(Neg(b), Neg(a))));
  Equal(Max(a, Max(a, b)), Max(a, b));
  Equal(Max(Mul(C(2), a), Mul(C(2), b)), Mul(C(2), Max(a, b)));
  Different(Max(a, b), Min(a, b));
  Different(Max(Max(a, b), c), Max(a, b));
  Equal(Max(a, Bits(0xff800000)), a);  // -inf
  Equal(Min(a, Bits(0x7f800000)), a);  // +inf
  Undecided(Max(a, Bits(0x7f800000)), a, "an infinite value");
  Undecided(Add(a, Bits(0xff800000)), b, "an infinite value");
  Equal(Max(Sqrt(N(0)), C(0)), Sqrt(N(0)));
  Different(Max(a, C(0)), a);
  Equal(store.Fp(FpKind::kAdd, {.relu = true}, a, b), Max(Add(a, b), C(0)));
  Equal(store.Fp(FpKind::kAdd, {.sat = true}, a, b), Min(Max(Add(a, b), C(0)), C(1)));
  Different(store.Fp(FpKind::kAdd, {.sat = true}, a, b), Add(a, b));
  Equal(Max(C(3), C(5)), C(5));
}

TEST_F(NormalTest, Selections) {
  TermId a = X(0), b = X(1);
  Equal(If(Less(a, b), b, a), Max(a, b));
  Equal(If(Less(a, b), a, b), Min(a, b));
  Equal(If(Less(b, a), b, a), Min(a, b));
  Different(If(Less(a, b), b, a), Min(a, b));
  Equal(If(Less(a, b), X(2), X(3)), If(store.FpCompare(CompareOp::kLe, false, b, a), X(3), X(2)));
  Different(If(Less(a, b), X(2), X(3)), If(store.FpCompare(CompareOp::kLe, false, a, b), X(2), X(3)));
  Different(If(Less(a, b), X(2), X(3)), If(Less(a, b), X(3), X(2)));
  Equal(If(Less(N(0), C(0)), X(2), X(3)), X(3));
  Different(If(Less(a, C(0)), X(2), X(3)), X(3));
  TermId both = store.Bv(TermKind::kBvAnd, 1, Less(a, b), Less(b, X(2)));
  TermId neither = store.Bv(TermKind::kBvOr, 1, store.BvNot(1, Less(a, b)), store.BvNot(1, Less(b, X(2))));
  Equal(If(both, X(3), X(4)), If(neither, X(4), X(3)));
  Different(If(both, X(3), X(4)), If(neither, X(3), X(4)));
}

TEST_F(NormalTest, FunctionsAreAtoms) {
  TermId a = X(0), b = X(1);
  Equal(Ex2(Add(a, Add(b, X(2)))), Ex2(Add(Add(b, a), X(2))));
  Different(Mul(Ex2(a), Ex2(b)), Ex2(Mul(a, b)));
  Different(Ex2(a), Ex2(b));
  Equal(Ex2(C(3)), C(8));
  Different(Op(FpKind::kSin, a), Op(FpKind::kCos, a));
  FpAttr floor{.rounding = Rounding::kRmi}, nearest{.rounding = Rounding::kRni};
  Equal(store.Fp(FpKind::kRoundInt, floor, Sub(a, b)), store.Fp(FpKind::kRoundInt, floor, Add(Neg(b), a)));
  Different(store.Fp(FpKind::kRoundInt, floor, a), store.Fp(FpKind::kRoundInt, nearest, a));
  Different(store.Fp(FpKind::kRoundInt, floor, a), a);
  Equal(store.Fp(FpKind::kRoundInt, floor, C(-2.5f)), C(-3));
  Equal(store.Fp(FpKind::kRoundInt, nearest, C(2.5f)), C(2));
  Equal(store.Fp(FpKind::kRoundInt, nearest, C(3.5f)), C(4));
  Undecided(Mul(C(0), Op(FpKind::kLg2, a)), C(0), "x[0] > 0");
  Equal(Op(FpKind::kCopySign, P(0), X(1)), Abs(X(1)));
  Different(Op(FpKind::kCopySign, X(0), X(1)), Op(FpKind::kCopySign, X(1), X(0)));
  Equal(Op(FpKind::kCopySign, X(0), Add(X(1), X(2))), Op(FpKind::kCopySign, X(0), Sub(X(1), Neg(X(2)))));
  // x + 0 is x, but for x = -0 the sign is another.
  Different(Op(FpKind::kCopySign, X(0), X(1)), Op(FpKind::kCopySign, Add(X(0), C(0)), X(1)));
  Undecided(Op(FpKind::kCopySign, C(-0.0f), X(1)), X(1), "sign of a zero");
  // Of the larger magnitude the same is true: x - x is +0, and its negation is not. Broken once by one function of the two real
  // values: both were equal. A minimum is zero there.
  const auto exclusive = [&](FpKind kind, TermId p, TermId q) { return store.Fp(kind, FpAttr{.xorsign = true}, p, q); };
  const TermId zero = Sub(X(0), X(0));
  Different(exclusive(FpKind::kMax, X(1), zero), exclusive(FpKind::kMax, X(1), Neg(zero)));
  Different(exclusive(FpKind::kMax, X(1), Sub(X(0), X(2))), exclusive(FpKind::kMax, X(1), Neg(Sub(X(2), X(0)))));
  Equal(exclusive(FpKind::kMin, X(1), Sub(X(0), X(2))), exclusive(FpKind::kMin, X(1), Neg(Sub(X(2), X(0)))));
  const auto sum = [&](TermId p, TermId q) { return Add(Add(P(0), p), q); };
  Equal(exclusive(FpKind::kMax, X(1), sum(P(1), P(2))), exclusive(FpKind::kMax, X(1), sum(P(2), P(1))));
}

TEST_F(NormalTest, IntegersNeverEnterTheRing) {
  FpAttr f32;
  TermId i = I(0), two = store.BvConst(32, 2);
  TermId half = store.Bv(TermKind::kBvUDiv, 32, i, two);
  TermId back = store.Bv(TermKind::kBvMul, 32, half, two);
  TermId value = store.IntToFp(ScalarType::kU32, f32, i);
  Different(store.IntToFp(ScalarType::kU32, f32, back), value);
  Different(Mul(store.IntToFp(ScalarType::kU32, f32, half), C(2)), value);
  Different(store.IntToFp(ScalarType::kS32, f32, i), value);
  Equal(store.IntToFp(ScalarType::kU32, f32, store.BvConst(32, 0xffffffffu)), R(4294967295));
  Equal(store.IntToFp(ScalarType::kS32, f32, store.BvConst(32, 0xffffffffu)), C(-1));
  Equal(Max(value, C(0)), value);  // unsigned
  // A pattern read as floating point may be no number.
  TermId read = store.BitsToFp(FpFormat::kF32, i);
  Equal(Add(read, X(0)), Sub(X(0), Neg(read)));
  Undecided(Mul(C(0), read), C(0), "integer value");
  // So may a value that went through an integer.
  TermId floor = store.FpToInt(ScalarType::kS32, Rounding::kRmi, false, false, Rcp(X(0)));
  Undecided(Mul(C(0), store.IntToFp(ScalarType::kS32, f32, store.Bv(TermKind::kBvAdd, 32, floor, i))), C(0), "integer value");
}

TEST_F(NormalTest, BitPatterns) {
  TermId a = store.FpToBits(Add(X(0), X(1))), b = store.FpToBits(Fma(X(0), C(1), X(1)));
  Equal(a, b);
  Undecided(a, store.BvNot(32, a), "integer terms");
  SymbolId h = store.AddSymbol({"h", ScalarType::kF16, {8}});
  FpAttr f16{.format = FpFormat::kF16}, bf16{.format = FpFormat::kBF16};
  TermId h0 = store.FpInput(h, 0), h1 = store.FpInput(h, 1);
  TermId s = store.FpToBits(store.Fp(FpKind::kAdd, f16, h0, h1)),
         t = store.FpToBits(store.Fp(FpKind::kFma, f16, h0, store.FpConst(FpFormat::kF16, 0x3c00), h1));
  Equal(store.Concat(s, t), store.Concat(t, s));
  Equal(store.Concat(s, store.FpToBits(h0)), store.Concat(t, store.FpToBits(h0)));
  Different(store.Concat(s, store.FpToBits(h0)), store.Concat(t, store.FpToBits(h1)));
  // The same real number in another format is another pattern.
  Undecided(store.FpToBits(store.FpConvert(bf16, h0)), store.FpToBits(h0), "formats");
  Undecided(store.FpToBits(Mul(C(0), store.BitsToFp(FpFormat::kF32, store.Undef(32, 0)))), store.FpToBits(C(0)), "uninitialised");
}

// --- limits and reports

TEST_F(NormalTest, LimitsAreNamed) {
  TermId a = X(0), b = X(40);
  for (uint32_t i = 1; i < 40; ++i) {
    a = Add(a, X(i));
    b = Add(b, X(40 + i));
  }
  ProofOutcome out = Prove(Mul(a, b), Mul(b, Add(a, C(0))), {.max_product_terms = 1000});
  EXPECT_EQ(out.status, Status::kUnknown);
  EXPECT_NE(out.reason.find("40 by 40"), std::string::npos) << out.reason;
  out = Prove(a, Add(a, C(1)), {.max_monomials = 10});
  EXPECT_EQ(out.status, Status::kUnknown);
  EXPECT_NE(out.reason.find("10 monomials"), std::string::npos) << out.reason;
}

TEST_F(NormalTest, ProbablyEqualBeyondTheBudget) {
  TermId p = P(0), q = P(1), r = P(2);
  TermId left = Add(Div(p, Add(p, Add(q, r))), Div(Add(q, r), Add(p, Add(q, r))));
  ProofOutcome out = Prove(left, C(1), {.max_product_terms = 4});
  EXPECT_EQ(out.status, Status::kProbablyEqual);
  EXPECT_LT(out.error_log2, -100);
  EXPECT_EQ(Prove(left, C(2), {.max_product_terms = 4}).status, Status::kNotEqual);
}

TEST_F(NormalTest, Describe) {
  Normalizer normalizer(store, ranges, {});
  EXPECT_EQ(normalizer.Describe(Sub(Mul(X(0), X(0)), Mul(C(3), X(1)))), "-3*x[1] + x[0]^2");
  EXPECT_EQ(normalizer.Describe(Div(X(2), P(0))), "x[2]/p[0]");
  EXPECT_EQ(normalizer.Describe(Div(Ex2(X(0)), Op(FpKind::kExp, X(1)))), "2^(x[0] - x[1]*log2(e))");
  EXPECT_EQ(normalizer.Describe(Lg2(Mul(C(6), P(0)))), "1 + log2(3) + log2(p[0])");
  normalizer.ProveEqual(Op(FpKind::kErf, X(0)), Op(FpKind::kErf, X(1)));
  EXPECT_EQ(normalizer.UninterpretedFunctions(), std::vector<std::string>{"erf"});
}

}  // namespace
}  // namespace racer
