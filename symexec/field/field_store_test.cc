#include "symexec/field/field_store.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "symexec/field/field_domain.h"
#include "symexec/field/key_map.h"
#include "symexec/field/modular.h"
#include "symexec/field/value_sets.h"

namespace racer {
namespace {

using field::P0;
using field::P1;
using field::Q0;
using field::Q1;

// Each law with a near miss that must not hold: were the operations constant, or blind to an operand, the latter would fail.
class FieldStoreTest : public testing::Test {
 protected:
  FieldStoreTest() {
    EXPECT_TRUE(store_.AddSymbol(ScalarType::kF32, 16));
    EXPECT_TRUE(store_.AddSymbol(ScalarType::kU8, 4));
    EXPECT_TRUE(store_.AddSymbol(ScalarType::kF16, 4));
    EXPECT_TRUE(store_.AddSymbol(ScalarType::kBF16, 4));
    EXPECT_TRUE(store_.AddSymbol(ScalarType::kS32, 4));
  }
  TermId X(uint32_t cell) { return store_.Input(SymbolId{0}, cell); }
  TermId C(float value) { return store_.BvConst(32, std::bit_cast<uint32_t>(value)); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm) {
    FpAttr attr;
    attr.approx = kind >= FpKind::kRsqrt && kind <= FpKind::kTanh;
    return store_.Fp(kind, attr, a, b, c);
  }
  TermId Add(TermId a, TermId b) { return Op(FpKind::kAdd, a, b); }
  TermId Sub(TermId a, TermId b) { return Op(FpKind::kSub, a, b); }
  TermId Mul(TermId a, TermId b) { return Op(FpKind::kMul, a, b); }
  TermId Div(TermId a, TermId b) { return Op(FpKind::kDiv, a, b); }
  TermId Max(TermId a, TermId b) { return Op(FpKind::kMax, a, b); }
  TermId Min(TermId a, TermId b) { return Op(FpKind::kMin, a, b); }
  TermId Neg(TermId a) { return Op(FpKind::kNeg, a); }
  TermId Sqrt(TermId a) { return Op(FpKind::kSqrt, a); }
  TermId Ex2(TermId a) { return Op(FpKind::kEx2, a); }
  TermId Less(TermId a, TermId b) { return store_.FpCompare(CompareOp::kLt, FpFormat::kF32, false, a, b); }
  TermId Pick(TermId c, TermId a, TermId b) { return store_.BvIte(32, c, a, b); }
  bool Same(TermId a, TermId b, ScalarType type = ScalarType::kF32) {
    const FieldStore::Residues x = store_.ResiduesOf(a, type), y = store_.ResiduesOf(b, type);
    EXPECT_TRUE(x.known && y.known) << store_.left();
    return x.value == y.value;
  }
  FieldStore store_{{.seed = 7}};
};

TEST(Modular, PrimesAndPowers) {
  // 2 has order q modulo p, so an exponent counts modulo q.
  EXPECT_EQ(P0::Pow(P0::From(2), Q0::prime), P0::kOne);
  EXPECT_EQ(P1::Pow(P1::From(2), Q1::prime), P1::kOne);
  EXPECT_NE(P0::From(2), P0::kOne);
  EXPECT_EQ(P0::To(P0::Mul(P0::From(1000003), P0::From(1000033))), 1000003ull * 1000033);
  EXPECT_EQ(P1::Mul(P1::From(12345), P1::Inverse(P1::From(12345))), P1::kOne);
  EXPECT_EQ(P0::Add(P0::prime - 1, 1), 0u);
  EXPECT_EQ(P0::Sub(0, 1), P0::prime - 1);
  EXPECT_EQ((field::PowerOfTwo<P0, Q0>(Q0::From(77))), P0::Pow(P0::From(2), 77));
  EXPECT_EQ((field::PowerOfTwo<P1, Q1>(Q1::Neg(Q1::kOne))), P1::Inverse(P1::From(2)));
}

TEST(ValueSets, UnionIsAssociativeCommutativeAndIdempotent) {
  field::ValueSets sets(3);
  uint32_t one[40];
  for (uint64_t i = 0; i < 40; ++i) one[i] = sets.Single({i * 7919, i});
  uint32_t up = one[0], down = one[39], tree[40];
  for (int i = 1; i < 40; ++i) up = sets.Union(up, one[i]);
  for (int i = 38; i >= 0; --i) down = sets.Union(one[i], sets.Union(down, down));
  std::copy(one, one + 40, tree);
  for (int step = 1; step < 40; step *= 2) {
    for (int i = 0; i + step < 40; i += 2 * step) tree[i] = sets.Union(tree[i], tree[i + step]);
  }
  EXPECT_EQ(sets.sum(up), sets.sum(down));
  EXPECT_EQ(sets.sum(up), sets.sum(tree[0]));
  EXPECT_EQ(sets.Union(up, one[17]), up);  // nothing new: no new set
  uint32_t without = one[0];
  for (int i = 1; i < 39; ++i) without = sets.Union(without, one[i]);
  EXPECT_NE(sets.sum(up), sets.sum(without));
}

TEST(KeyMap, KeepsTheFirstNumberOfEachKey) {
  field::KeyMap map;
  for (uint32_t i = 1; i <= 1000; ++i) map.Insert({i * 64, 7}, i);  // all but the last six bits alike
  for (uint32_t i = 1; i <= 1000; ++i) map.Insert({i * 64, 7}, 5000);
  for (uint32_t i = 1; i <= 1000; ++i) EXPECT_EQ(map.Find({i * 64, 7}), i);
  EXPECT_EQ(map.Find({64, 8}), 0u);
}

TEST_F(FieldStoreTest, RingAndFractions) {
  const TermId a = X(0), b = X(1), c = X(2);
  EXPECT_TRUE(Same(Mul(Add(a, b), c), Add(Mul(c, b), Mul(a, c))));
  EXPECT_FALSE(Same(Mul(Add(a, b), c), Add(Mul(c, b), a)));
  EXPECT_TRUE(Same(Op(FpKind::kFma, a, b, c), Add(c, Mul(b, a))));
  EXPECT_FALSE(Same(Op(FpKind::kFma, a, b, c), Op(FpKind::kFma, a, c, b)));
  EXPECT_TRUE(Same(Div(a, b), Mul(Op(FpKind::kRcp, b), a)));
  EXPECT_FALSE(Same(Div(a, b), Div(b, a)));
  EXPECT_TRUE(Same(Sub(a, b), Neg(Sub(b, a))));
  EXPECT_FALSE(Same(Sub(a, b), Sub(b, a)));
  EXPECT_FALSE(Same(a, b));
  // Constants are rationals: 0.1f is no tenth, 1/3 divided is one third and no literal.
  EXPECT_TRUE(Same(Mul(a, C(0.5f)), Div(a, C(2))));
  EXPECT_FALSE(Same(Mul(a, C(0.1f)), Div(a, C(10))));
  EXPECT_FALSE(Same(Mul(a, C(0.5f)), Mul(a, C(0.5000001f))));
  EXPECT_TRUE(Same(Add(Add(a, C(0.1f)), C(0.2f)), Add(a, Add(C(0.1f), C(0.2f)))));
  EXPECT_TRUE(Same(Div(C(1), C(3)), Op(FpKind::kRcp, C(3))));
}

TEST_F(FieldStoreTest, ExponentialsTakeSumsToProducts) {
  const TermId a = X(0), b = X(1), m = X(2);
  EXPECT_TRUE(Same(Mul(Ex2(a), Ex2(b)), Ex2(Add(a, b))));
  EXPECT_FALSE(Same(Mul(Ex2(a), Ex2(b)), Ex2(Mul(a, b))));  // e^a e^b against e^(ab)
  EXPECT_TRUE(Same(Ex2(Add(a, C(3))), Mul(Ex2(a), C(8))));
  EXPECT_FALSE(Same(Ex2(Add(a, C(3))), Mul(Ex2(a), C(9))));
  EXPECT_TRUE(Same(Mul(Ex2(Mul(a, C(0.5f))), Ex2(Mul(a, C(0.5f)))), Ex2(a)));
  EXPECT_TRUE(Same(Op(FpKind::kRcp, Ex2(a)), Ex2(Neg(a))));
  // Softmax with and without its maximum subtracted.
  const TermId plain = Div(Ex2(a), Add(Ex2(a), Ex2(b)));
  const TermId shifted = Div(Ex2(Sub(a, m)), Add(Ex2(Sub(a, m)), Ex2(Sub(b, m))));
  EXPECT_TRUE(Same(plain, shifted));
  EXPECT_FALSE(Same(plain, Div(Ex2(Sub(a, m)), Add(Ex2(Sub(a, m)), Ex2(b)))));
  // tanh by its exponential; log2(e) is the same number everywhere, and no rational one.
  const TermId tanh = Op(FpKind::kTanh, a);
  EXPECT_TRUE(Same(Neg(tanh), Op(FpKind::kTanh, Neg(a))));
  EXPECT_FALSE(Same(tanh, Op(FpKind::kTanh, b)));
  // Of an exponential: a function of it, and no more.
  EXPECT_TRUE(Same(Ex2(Ex2(Add(a, b))), Ex2(Ex2(Add(b, a)))));
  EXPECT_FALSE(Same(Ex2(Ex2(a)), Ex2(Ex2(b))));
}

TEST_F(FieldStoreTest, MaximaAreSets) {
  const TermId a = X(0), b = X(1), c = X(2), infinite = store_.BvConst(32, 0xff800000);
  EXPECT_TRUE(Same(Max(a, Max(b, c)), Max(Max(c, a), Max(b, a))));
  EXPECT_FALSE(Same(Max(a, Max(b, c)), Max(a, b)));
  EXPECT_FALSE(Same(Max(a, b), Min(a, b)));
  EXPECT_FALSE(Same(Max(a, b), a));
  EXPECT_TRUE(Same(Max(a, a), a));
  EXPECT_TRUE(Same(Min(a, b), Neg(Max(Neg(b), Neg(a)))));
  EXPECT_TRUE(Same(Max(infinite, a), a));
  EXPECT_TRUE(Same(Op(FpKind::kAbs, a), Op(FpKind::kAbs, Neg(a))));
  EXPECT_FALSE(Same(Op(FpKind::kAbs, a), a));
  FpAttr clamps;
  clamps.sat = true;
  EXPECT_TRUE(Same(store_.Fp(FpKind::kAdd, clamps, a, b), Min(Max(Add(b, a), C(0)), C(1))));
  EXPECT_FALSE(Same(store_.Fp(FpKind::kAdd, clamps, a, b), Add(a, b)));
}

TEST_F(FieldStoreTest, SelectionsByComparison) {
  const TermId a = X(0), b = X(1), c = X(2), d = X(3);
  EXPECT_TRUE(Same(Pick(Less(a, b), c, d), Pick(store_.BvNot(1, Less(a, b)), d, c)));
  EXPECT_FALSE(Same(Pick(Less(a, b), c, d), Pick(Less(a, b), d, c)));
  EXPECT_FALSE(Same(Pick(Less(a, b), c, d), Pick(Less(b, a), c, d)));
  const TermId greater = store_.FpCompare(CompareOp::kGt, FpFormat::kF32, false, b, a);
  EXPECT_TRUE(Same(Pick(Less(a, b), c, d), Pick(greater, c, d)));
  EXPECT_TRUE(Same(Pick(Less(a, b), c, c), c));
  // What is chosen by comparing it is a maximum; a rectifier too.
  EXPECT_TRUE(Same(Pick(Less(a, b), b, a), Max(a, b)));
  EXPECT_TRUE(Same(Pick(Less(a, b), a, b), Min(a, b)));
  EXPECT_TRUE(Same(Pick(Less(C(0), a), a, C(0)), Max(a, C(0))));
  EXPECT_FALSE(Same(Pick(Less(C(0), a), a, C(1)), Max(a, C(0))));
  const TermId ge = store_.FpCompare(CompareOp::kGe, FpFormat::kF32, false, a, b);
  EXPECT_TRUE(Same(Pick(ge, a, b), Max(a, b)));
  // Equality is symmetric; a comparison with itself or an infinity is decided.
  const auto equal = [&](TermId x, TermId y) { return store_.FpCompare(CompareOp::kEq, FpFormat::kF32, false, x, y); };
  EXPECT_TRUE(Same(Pick(equal(a, b), c, d), Pick(equal(b, a), c, d)));
  EXPECT_FALSE(Same(Pick(equal(a, b), c, d), Pick(equal(a, c), c, d)));
  EXPECT_TRUE(store_.IsConst(Less(a, a)));
  EXPECT_TRUE(store_.IsConst(Less(a, store_.BvConst(32, 0x7f800000))));
  // Boolean combinations.
  const TermId p = Less(a, b), q = Less(c, d);
  const auto logic = [&](TermKind kind, TermId x, TermId y) { return store_.Bv(kind, 1, x, y); };
  const TermId both = logic(TermKind::kBvAnd, p, q);
  const TermId either = store_.BvNot(1, logic(TermKind::kBvOr, store_.BvNot(1, q), store_.BvNot(1, p)));
  EXPECT_TRUE(Same(Pick(both, c, d), Pick(either, c, d)));
  EXPECT_FALSE(Same(Pick(both, c, d), Pick(p, c, d)));
  // A predicate made an integer and compared again.
  const TermId as_integer = store_.BvIte(32, p, store_.BvConst(32, 1), store_.BvConst(32, 0));
  const TermId again = store_.BvNot(1, store_.Bv(TermKind::kBvEq, 32, as_integer, store_.BvConst(32, 0)));
  EXPECT_TRUE(Same(Pick(again, c, d), Pick(p, c, d)));
}

TEST_F(FieldStoreTest, Roots) {
  const TermId a = X(0), b = X(1);
  const auto rsqrt = [&](TermId x) { return Op(FpKind::kRsqrt, x); };
  EXPECT_TRUE(Same(Mul(Sqrt(a), Sqrt(a)), a));
  EXPECT_TRUE(Same(rsqrt(a), Div(C(1), Sqrt(a))));
  EXPECT_TRUE(Same(Mul(b, rsqrt(a)), Div(b, Sqrt(a))));
  // The cube as LayerNorm's gradient has it.
  EXPECT_TRUE(Same(Mul(Mul(Mul(b, rsqrt(a)), rsqrt(a)), rsqrt(a)), Div(Mul(b, rsqrt(a)), a)));
  EXPECT_FALSE(Same(Sqrt(a), Sqrt(b)));
  EXPECT_FALSE(Same(Sqrt(a), Neg(Sqrt(a))));
  // |a| is the root of a^2, and no more is seen of it.
  EXPECT_TRUE(Same(Sqrt(Mul(a, a)), Op(FpKind::kAbs, a)));
  EXPECT_TRUE(Same(Mul(Op(FpKind::kAbs, a), Op(FpKind::kAbs, a)), Mul(a, a)));
  EXPECT_TRUE(Same(Op(FpKind::kAbs, a), Max(a, Neg(a))));
  EXPECT_FALSE(Same(Sqrt(Mul(a, a)), a));
  EXPECT_TRUE(Same(Add(Sqrt(a), b), Add(b, Sqrt(a))));
  EXPECT_TRUE(Same(Div(b, Add(Sqrt(a), C(1))), Mul(b, Op(FpKind::kRcp, Add(C(1), Sqrt(a))))));
  // Of numbers: squares are taken out.
  EXPECT_TRUE(Same(Mul(a, Sqrt(C(8))), Mul(Mul(a, C(2)), Sqrt(C(2)))));
  EXPECT_FALSE(Same(Mul(a, Sqrt(C(8))), Mul(a, Sqrt(C(2)))));
  EXPECT_TRUE(Same(Mul(a, rsqrt(C(2))), Mul(Mul(a, C(0.5f)), Sqrt(C(2)))));
}

TEST_F(FieldStoreTest, OpaqueFunctionsAreKeyedByTheirOperand) {
  const TermId a = X(0), b = X(1);
  for (const FpKind kind : {FpKind::kLg2, FpKind::kSin, FpKind::kCos, FpKind::kTanh}) {
    EXPECT_TRUE(Same(Op(kind, Add(a, b)), Op(kind, Add(b, a))));
    EXPECT_FALSE(Same(Op(kind, a), Op(kind, b)));
  }
  EXPECT_FALSE(Same(Op(FpKind::kSin, a), Op(FpKind::kCos, a)));
  FpAttr e4m3, e5m2;
  e4m3.format = FpFormat::kE4M3;
  e5m2.format = FpFormat::kE5M2;
  e4m3.satfinite = e5m2.satfinite = true;
  FpAttr wraps = e4m3;
  wraps.satfinite = false;
  const auto quantised = [&](const FpAttr& attr, TermId x) {
    FpAttr wide;
    return store_.FpConvert(attr.format, wide, store_.FpConvert(FpFormat::kF32, attr, x));
  };
  EXPECT_TRUE(Same(quantised(e4m3, Add(a, b)), quantised(e4m3, Add(b, a))));
  EXPECT_FALSE(Same(quantised(e4m3, a), quantised(e5m2, a)));
  EXPECT_FALSE(Same(quantised(e4m3, a), quantised(wraps, a)));
  EXPECT_FALSE(Same(quantised(e4m3, a), a));
  FpAttr down, nearest;
  down.rounding = Rounding::kRmi;
  nearest.rounding = Rounding::kRni;
  EXPECT_FALSE(Same(store_.FpConvert(FpFormat::kF32, down, a), store_.FpConvert(FpFormat::kF32, nearest, a)));
  EXPECT_FALSE(Same(store_.FpConvert(FpFormat::kF32, down, a), a));
}

TEST_F(FieldStoreTest, PatternsMoveInSlices) {
  const TermId h0 = store_.Input(SymbolId{2}, 0), h1 = store_.Input(SymbolId{2}, 1), b0 = store_.Input(SymbolId{3}, 0);
  const TermId word = store_.Concat(h1, h0);
  EXPECT_EQ(store_.Extract(16, word, 0), h0);
  EXPECT_EQ(store_.Extract(16, word, 16), h1);
  // Shifted and masked apart, and together again.
  EXPECT_EQ(store_.Extract(16, store_.Bv(TermKind::kBvLShr, 32, word, store_.BvConst(32, 16)), 0), h1);
  const TermId low = store_.Bv(TermKind::kBvAnd, 32, word, store_.BvConst(32, 0xffff));
  const TermId high = store_.Bv(TermKind::kBvShl, 32, store_.ZExt(32, h1), store_.BvConst(32, 16));
  const TermId again = store_.Bv(TermKind::kBvOr, 32, low, high);
  EXPECT_EQ(store_.Extract(16, again, 0), h0);
  EXPECT_EQ(store_.Extract(16, again, 16), h1);
  // Halves of a value are no values, but make it again.
  const TermId x = X(0), upper = store_.Extract(16, x, 16), lower = store_.Extract(16, x, 0);
  EXPECT_EQ(store_.Concat(upper, lower), x);
  // Sign bits flipped and cleared; .bf16 above zeros is .f32.
  EXPECT_TRUE(Same(store_.Bv(TermKind::kBvXor, 32, x, store_.BvConst(32, 0x80000000)), Neg(x)));
  EXPECT_TRUE(Same(store_.Bv(TermKind::kBvAnd, 32, x, store_.BvConst(32, 0x7fffffff)), Op(FpKind::kAbs, x)));
  EXPECT_FALSE(Same(store_.Bv(TermKind::kBvXor, 32, x, store_.BvConst(32, 0x80000000)), x));
  FpAttr wide;
  const TermId widened = store_.FpConvert(FpFormat::kBF16, wide, b0);
  EXPECT_TRUE(Same(store_.Bv(TermKind::kBvShl, 32, store_.ZExt(32, b0), store_.BvConst(32, 16)), widened));
  EXPECT_TRUE(store_.left().empty()) << store_.left();
}

TEST_F(FieldStoreTest, IntegersAreNumbersUntilSomethingElseIsDone) {
  const TermId m = store_.Input(SymbolId{1}, 0), n = store_.Input(SymbolId{1}, 1), s = store_.Input(SymbolId{4}, 0);
  FpAttr f32;
  EXPECT_TRUE(Same(store_.IntToFp(ScalarType::kU32, f32, store_.ZExt(32, m)), store_.IntToFp(ScalarType::kU8, f32, m)));
  EXPECT_FALSE(Same(store_.IntToFp(ScalarType::kU8, f32, m), store_.IntToFp(ScalarType::kU8, f32, n)));
  const auto not_zero = [&](TermId x) { return store_.BvNot(1, store_.Bv(TermKind::kBvEq, 8, x, store_.BvConst(8, 0))); };
  EXPECT_TRUE(Same(Pick(not_zero(m), X(0), C(0)), Pick(store_.BvNot(1, not_zero(m)), C(0), X(0))));
  EXPECT_FALSE(Same(Pick(not_zero(m), X(0), C(0)), Pick(not_zero(n), X(0), C(0))));
  EXPECT_TRUE(Same(s, store_.Input(SymbolId{4}, 0), ScalarType::kS32));
  EXPECT_TRUE(store_.left().empty()) << store_.left();
}

// Each of these leaves the domain, by name: were one of them guessed instead, `left` would be empty.
TEST_F(FieldStoreTest, LeavesByName) {
  const auto leaves = [&](auto act) {
    FieldStore store({.seed = 7});
    EXPECT_TRUE(store.AddSymbol(ScalarType::kF32, 4) && store.AddSymbol(ScalarType::kS32, 4));
    const TermId x = store.Input(SymbolId{0}, 0), i = store.Input(SymbolId{1}, 0);
    act(store, x, i);
    return store.left();
  };
  const FpAttr f32;
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) { s.Fp(FpKind::kDiv, f32, x, s.Fp(FpKind::kSub, f32, x, x)); }),
            "a division by what is zero at the random point");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) { s.FpToInt(FpFormat::kF32, ScalarType::kS32, Rounding::kRzi, false, x); }),
            "a conversion of a computed value to an integer");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) { s.Bv(TermKind::kBvAdd, 32, x, s.BvConst(32, 0x7fff)); }),
            "arithmetic on a symbolic integer or on the pattern of a computed value");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId, TermId i) { s.Bv(TermKind::kBvMul, 32, i, s.BvConst(32, 3)); }),
            "arithmetic on a symbolic integer or on the pattern of a computed value");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId i) { s.Bv(TermKind::kBvXor, 32, x, i); }), "bits of symbolic data are combined");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) { s.BvNot(32, x); }), "bits of symbolic data are inverted");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) { s.Fp(FpKind::kMul, f32, x, s.BvConst(32, 0x7f800000)); }),
            "an infinity or NaN among the operands of arithmetic");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) { s.Fp(FpKind::kAdd, f32, x, s.Undef(32, 0)); }), "uninitialised data");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId, TermId i) { s.Fp(FpKind::kNeg, f32, i); }),
            "the pattern of a computed value or an integer is read as .f32");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId, TermId i) { s.IntToFp(ScalarType::kU32, f32, i); }),
            "a symbolic integer is read in another way than as the number that it holds");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId i) {
              const TermId p = s.FpCompare(CompareOp::kLt, FpFormat::kF32, false, x, s.BvConst(32, 0));
              for (uint32_t k = 0; k < 20; ++k) i = s.BvIte(32, p, s.BvConst(32, k), i);
            }),
            "selections of patterns that are nested too deep");
  EXPECT_EQ(leaves([&](FieldStore& s, TermId x, TermId) {
              for (int i = 0; i < 40; ++i) x = s.Fp(FpKind::kMul, f32, x, x);
            }),
            "values of a degree beyond 2^30");
}

TEST_F(FieldStoreTest, DegreesBoundWhatIsCompared) {
  const auto degree = [&](TermId id) { return store_.ResiduesOf(id, ScalarType::kF32).degree; };
  EXPECT_EQ(degree(X(0)), 1u);
  EXPECT_EQ(degree(Mul(X(0), X(1))), 2u);
  EXPECT_EQ(degree(Add(Mul(X(0), X(1)), X(2))), 2u);
  EXPECT_EQ(degree(Add(Div(X(0), X(1)), Div(X(2), X(3)))), 4u);  // (ad + bc) / bd
  EXPECT_EQ(degree(C(3)), 0u);
  EXPECT_EQ(degree(Max(Mul(X(0), X(0)), X(1))), 1u);  // a variable of its own
  EXPECT_EQ(store_.keyed(), 1u);
  EXPECT_EQ(store_.keyed_degree(), 2u);
}

TEST_F(FieldStoreTest, SameSeedSamePointAndAnotherSeedAnother) {
  FieldStore same({.seed = 7}), other({.seed = 8});
  EXPECT_TRUE(same.AddSymbol(ScalarType::kF32, 16) && other.AddSymbol(ScalarType::kF32, 16));
  const auto value = [](FieldStore& store) { return store.ResiduesOf(store.Input(SymbolId{0}, 3), ScalarType::kF32).value; };
  EXPECT_EQ(value(store_), value(same));
  EXPECT_NE(value(store_), value(other));
}

TEST_F(FieldStoreTest, CollectionKeepsWhatIsNamedAndItsParts) {
  const TermId a = Add(X(0), X(1)), b = Mul(X(0), X(1)), pair = store_.Concat(b, a), pick = store_.BvIte(64, Less(a, b), pair, X(0));
  const uint64_t before = store_.ValueHash(pick);
  const size_t size = store_.size();
  store_.BeginCollection();
  const TermId kept = store_.Keep(pick), again = store_.Keep(pick), sum = store_.Keep(a);
  store_.EndCollection();
  EXPECT_EQ(kept, again);
  EXPECT_EQ(store_.ValueHash(kept), before);
  EXPECT_TRUE(Same(sum, Add(X(1), X(0))));
  EXPECT_LT(store_.size(), size + 4);
}

class Thirds : public ConstantTable {
 public:
  std::optional<NamedReal> Find(FpFormat, uint64_t bits) const override {
    if (bits == 0x3eaaaaab) return NamedReal{"1/3", Rational(1, 3)};
    if (bits == 0x3fb504f3) return NamedReal{"sqrt(2)", Rational(1), Rational(2)};
    if (bits == 0x3fb8aa3b) return NamedReal{.name = "log2(e)", .factor = Rational(1), .log2_e = 1};
    if (bits == 0x3f317218) return NamedReal{.name = "ln(2)", .factor = Rational(1), .log2_e = -1};
    if (bits == 0x3f4c422a) return NamedReal{.name = "sqrt(2/pi)", .factor = Rational(1), .radicand = Rational(2), .root_pi = -1};
    if (bits == 0x3fe2dfc5) return NamedReal{.name = "sqrt(pi)", .factor = Rational(1), .root_pi = 1};
    return std::nullopt;
  }
};

// A literal that is lifted is what the other side divides by or takes the root of.
TEST(FieldConstants, LiftedLiterals) {
  const Thirds table;
  FieldStore lifted({.seed = 1, .constants = &table}), exact({.seed = 1});
  for (FieldStore* store : {&lifted, &exact}) {
    EXPECT_TRUE(store->AddSymbol(ScalarType::kF32, 4));
    const TermId x = store->Input(SymbolId{0}, 0);
    const auto constant = [&](uint32_t bits) { return store->BvConst(32, bits); };
    const FpAttr f32;
    const auto value = [&](TermId id) { return store->ResiduesOf(id, ScalarType::kF32).value; };
    const bool lifts = store == &lifted;
    EXPECT_EQ(value(store->Fp(FpKind::kMul, f32, x, constant(0x3eaaaaab))) == value(store->Fp(FpKind::kDiv, f32, x, constant(0x40400000))),
              lifts);
    const auto product = [&](uint32_t a, uint32_t b) {
      return value(store->Fp(FpKind::kMul, f32, store->Fp(FpKind::kMul, f32, x, constant(a)), constant(b)));
    };
    EXPECT_EQ(product(0x3fb8aa3b, 0x3f317218) == value(x), lifts);  // log2(e) ln(2)
    EXPECT_NE(product(0x3fb8aa3b, 0x3fb8aa3b), value(x));
    EXPECT_EQ(product(0x3f4c422a, 0x3fe2dfc5) == product(0x3fb504f3, 0x3f800000), lifts);  // sqrt(2/pi) sqrt(pi)
    const TermId root = store->Fp(FpKind::kSqrt, f32, constant(0x40000000));
    EXPECT_EQ(value(store->Fp(FpKind::kMul, f32, x, constant(0x3fb504f3))) == value(store->Fp(FpKind::kMul, f32, x, root)), lifts);
  }
}

}  // namespace
}  // namespace racer
