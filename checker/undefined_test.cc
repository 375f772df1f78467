#include "checker/undefined.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

class UndefinedTest : public ::testing::Test {
 protected:
  UndefinedTest() : v_(store_.AddSymbol({"v", ScalarType::kU32, {64}})), f_(store_.AddSymbol({"f", ScalarType::kF32, {4}})), ranges_(2) {}
  TermId V(uint32_t i) { return store_.BvInput(v_, i); }
  TermId U(uint64_t bits) { return store_.BvConst(32, bits); }
  TermId Bv(TermKind kind, TermId a, TermId b) { return store_.Bv(kind, 32, a, b); }
  TermId Undef() { return store_.Undef(32, 1); }
  // a / b as the machine leaves it.
  TermId Quotient(TermId a, TermId b) { return store_.BvIte(32, Bv(TermKind::kBvEq, b, U(0)), Undef(), Bv(TermKind::kBvUDiv, a, b)); }
  TermId Low(TermId v) { return Bv(TermKind::kBvAnd, v, U(3)); }

  TermStore store_;
  SymbolId v_, f_;
  SymbolRanges ranges_;
  std::vector<uint64_t> counts_{64, 4};
  UndefinedValues undefined_{store_, ranges_, counts_};
};

TEST_F(UndefinedTest, AnUnreachableArmGoes) {
  TermId divisor = Bv(TermKind::kBvAdd, Low(V(0)), U(1));
  EXPECT_EQ(undefined_.Without(Quotient(V(0), divisor)), Bv(TermKind::kBvUDiv, V(0), divisor));
  // Further up: what stood on the selection stands on what is left of it.
  TermId sum = Bv(TermKind::kBvAdd, Quotient(V(0), divisor), V(1));
  EXPECT_EQ(undefined_.Without(sum), Bv(TermKind::kBvAdd, Bv(TermKind::kBvUDiv, V(0), divisor), V(1)));
  EXPECT_EQ(undefined_.Without(V(1)), V(1));
}

// Broken once by taking both readings of an undefined value for one: everything counts as independent.
TEST_F(UndefinedTest, AReachableOneStays) {
  EXPECT_FALSE(undefined_.Without(Quotient(V(0), Low(V(0)))).has_value());
  EXPECT_FALSE(undefined_.Without(Quotient(V(0), V(1))).has_value());
  EXPECT_FALSE(undefined_.Without(Undef()).has_value());
  EXPECT_FALSE(undefined_.Without(Bv(TermKind::kBvMul, Undef(), V(0))).has_value());
}

// The path condition counts: guarded by the right comparison, and by the wrong one.
TEST_F(UndefinedTest, GuardedBySelection) {
  TermId low = Low(V(0)), quotient = Quotient(V(1), low);
  TermId zero = Bv(TermKind::kBvEq, Bv(TermKind::kBvMul, low, U(3)), U(0)), one = Bv(TermKind::kBvEq, low, U(1));
  EXPECT_TRUE(undefined_.Without(store_.BvIte(32, zero, V(2), quotient)).has_value());
  EXPECT_FALSE(undefined_.Without(store_.BvIte(32, one, V(2), quotient)).has_value());
}

// Each use is a value of its own, since one may become the other arm of its selection and another one zero. Broken once by one
// value for all uses.
TEST_F(UndefinedTest, UsesAreIndependent) {
  TermId u = Undef();
  EXPECT_FALSE(undefined_.Without(Bv(TermKind::kBvXor, Bv(TermKind::kBvXor, u, V(0)), u)).has_value());
}

// At x = 0 the quotient has no real value, and what hardware computes may be the pattern that selects the undefined value.
// Broken once by comparing only where the readings are defined.
TEST_F(UndefinedTest, NothingIsConcludedWhereTheRealsEnd) {
  FpAttr attr;
  TermId x = store_.FpInput(f_, 0), zero = store_.FpConst(FpFormat::kF32, 0), one = store_.FpConst(FpFormat::kF32, 0x3f800000);
  TermId is_zero = store_.FpCompare(CompareOp::kEq, false, x, zero);
  TermId infinite = Bv(TermKind::kBvEq, store_.FpToBits(store_.Fp(FpKind::kDiv, attr, one, x)), U(0x7f800000));
  TermId condition = store_.Bv(TermKind::kBvAnd, 1, is_zero, infinite);
  EXPECT_FALSE(undefined_.Without(store_.BvIte(32, condition, Undef(), V(0))).has_value());
}

// x + 1 > x holds over the reals, and not at 1e10 on hardware. Broken once by letting comparisons see the real values.
class UndefinedRoundingTest : public UndefinedTest {
 protected:
  bool Unless(TermId reached) {
    UndefinedValues undefined(store_, ranges_, counts_);
    return undefined.Without(store_.BvIte(32, reached, Undef(), store_.FpToBits(x_))).has_value();
  }
  TermId Less(TermId a, TermId b, bool ftz = false) { return store_.FpCompare(CompareOp::kLt, ftz, a, b); }
  TermId Literal(uint64_t bits) { return store_.FpConst(FpFormat::kF32, bits); }

  TermId x_ = store_.FpInput(f_, 0), one_ = Literal(0x3f800000), minus_one_ = Literal(0xbf800000);
  TermId sum_ = store_.Fp(FpKind::kAdd, FpAttr{}, x_, one_), magnitude_ = store_.Fp(FpKind::kAbs, FpAttr{}, x_);
};

TEST_F(UndefinedRoundingTest, RoundedComparisonsKeepNothingOutOfReach) {
  EXPECT_FALSE(Unless(Less(sum_, x_)));
  // An integer of more than 24 bits, a narrowing, and what a flushing comparison takes for zero.
  TermId integer = store_.IntToFp(ScalarType::kU32, FpAttr{}, V(0));
  EXPECT_FALSE(Unless(Less(store_.Fp(FpKind::kAdd, FpAttr{}, integer, one_), integer)));
  TermId narrow = store_.FpConvert(FpAttr{}, store_.FpConvert(FpAttr{.format = FpFormat::kBF16}, x_));
  EXPECT_FALSE(Unless(Less(narrow, x_)));
  const auto to_int = [&](TermId a) { return store_.FpToInt(ScalarType::kU32, Rounding::kRzi, false, false, a); };
  EXPECT_FALSE(Unless(Bv(TermKind::kBvUlt, to_int(narrow), to_int(x_))));
  EXPECT_FALSE(Unless(Less(magnitude_, minus_one_, true)));
}

// Exact operands are what they are over the reals, and a rounded value has one order whatever it is.
TEST_F(UndefinedRoundingTest, ExactComparisonsDo) {
  EXPECT_TRUE(Unless(Less(magnitude_, minus_one_)));
  EXPECT_TRUE(Unless(Less(store_.Fp(FpKind::kMax, FpAttr{}, x_, one_), Literal(0))));
  EXPECT_TRUE(Unless(store_.Bv(TermKind::kBvAnd, 1, Less(sum_, x_), Less(x_, sum_))));
}

TEST_F(UndefinedTest, TermsEqualUpToRenamingAreAskedAboutOnce) {
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_TRUE(undefined_.Without(Quotient(V(i), Bv(TermKind::kBvAdd, Low(V(i)), U(1)))).has_value()) << i;
  }
}

TEST_F(UndefinedTest, BoundedInQueries) {
  unsigned proved = 0;
  for (uint32_t i = 0; i < 20; ++i) proved += undefined_.Without(Quotient(V(0), Bv(TermKind::kBvAdd, Low(V(0)), U(1 + 8 * i)))).has_value();
  EXPECT_EQ(proved, 8u);
}

}  // namespace
}  // namespace racer
