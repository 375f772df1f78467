// Long sums of products: one term however it came about, node by node what the steps are, and little room.
#include "symexec/term/nodes.h"

#include <gtest/gtest.h>

#include <vector>

#include "symexec/term/term.h"

namespace racer {
namespace {

class ChainTest : public testing::Test {
 protected:
  ChainTest() {
    for (uint32_t i = 0; i < 1000; ++i) X(i);  // ids in order: a product has the smaller one first
  }
  TermId X(uint32_t i) { return store_.FpInput(x_, i); }
  TermId Sum(uint32_t n, TermId start, const FpAttr& attr = {}) {
    TermId sum = start;
    for (uint32_t i = 0; i < n; ++i) sum = store_.Fp(FpKind::kFma, attr, X(2 * i), X(2 * i + 1), sum);
    return sum;
  }
  TermId Zero() { return store_.FpConst(FpFormat::kF32, 0); }

  TermStore store_;
  SymbolId x_ = store_.AddSymbol({"x", ScalarType::kF32, {100000}});
};

TEST_F(ChainTest, EveryStepReadsAsTheFusedMultiplyAddThatItIs) {
  constexpr uint32_t kSteps = 200;
  TermId at = Sum(kSteps, Zero());
  for (uint32_t i = kSteps; i-- > 0;) {
    ASSERT_EQ(store_.kind(at), TermKind::kFpTernary);
    ASSERT_EQ(store_.fp_kind(at), FpKind::kFma);
    ASSERT_EQ(store_.format(at), FpFormat::kF32);
    ASSERT_EQ(store_.operand(at, 0), X(2 * i));
    ASSERT_EQ(store_.operand(at, 1), X(2 * i + 1));
    ASSERT_FALSE(store_.ContainsUndef(at));
    ASSERT_FALSE(store_.IsClosed(at));
    ASSERT_EQ(store_.IsChain(at), i < 192) << i;  // three chains of 64, eight steps
    const TermId addend = store_.operand(at, 2);
    ASSERT_LT(static_cast<uint32_t>(addend), static_cast<uint32_t>(at));
    at = addend;
  }
  EXPECT_EQ(at, Zero());
}

// Broken once with the factors left out of the hash and of the comparison.
TEST_F(ChainTest, EqualSumsAreOneTermAndNearlyEqualOnesAreNot) {
  const TermId sum = Sum(130, Zero());
  EXPECT_EQ(Sum(130, Zero()), sum);
  EXPECT_NE(Sum(130, store_.FpConst(FpFormat::kF32, 0x80000000)), sum);
  EXPECT_NE(Sum(130, Zero(), {.rounding = Rounding::kRz}), sum);
  TermId other = Zero();
  for (uint32_t i = 0; i < 130; ++i) other = store_.Fp(FpKind::kFma, {}, X(i == 20 ? 39 : 2 * i), X(2 * i + 1), other);
  EXPECT_NE(other, sum);
  // In parts, with other terms in between.
  TermId parts = Sum(50, Zero());
  store_.Fp(FpKind::kMul, {}, X(1), X(7));
  for (uint32_t i = 50; i < 130; ++i) {
    parts = store_.BitsToFp(FpFormat::kF32, store_.FpToBits(store_.Fp(FpKind::kFma, {}, X(2 * i + 1), X(2 * i), parts)));
  }
  EXPECT_EQ(parts, sum);
}

TEST_F(ChainTest, AListOfFactorsIsTheSameTermAsItsSteps) {
  const TermId sum = Sum(64 + 64, Zero());
  const TermId start = Sum(10, Zero());
  EXPECT_EQ(store_.StepsOfSum(start, {}), 10u);
  std::vector<uint64_t> factors;
  for (uint32_t i = 10; i < 64; ++i) {
    factors.push_back(static_cast<uint32_t>(X(2 * i)) | static_cast<uint64_t>(static_cast<uint32_t>(X(2 * i + 1))) << 32);
  }
  TermId list = store_.FpChain({}, start, factors);
  EXPECT_EQ(store_.StepsOfSum(list, {}), 0u);
  EXPECT_EQ(store_.StepsOfSum(list, {.ftz = true}), std::nullopt);
  for (uint32_t i = 64; i < 128; ++i) list = store_.Fp(FpKind::kFma, {}, X(2 * i), X(2 * i + 1), list);
  EXPECT_EQ(list, sum);
}

// What the machine may decide by bits, what is undefined, clamps and steps of matrix instructions stay as they are.
TEST_F(ChainTest, NotOfConstantsUndefinedValuesAndClamps) {
  TermId closed = store_.FpConst(FpFormat::kF32, 0x3f800000), undefined = store_.BitsToFp(FpFormat::kF32, store_.Undef(32, 1));
  const TermId third = store_.FpConst(FpFormat::kF32, 0x3eaaaaab);
  TermId clamped = Zero(), matrix = Zero();
  for (int i = 0; i < 100; ++i) {
    closed = store_.Fp(FpKind::kFma, {}, third, third, closed);
    undefined = store_.Fp(FpKind::kFma, {}, X(0), X(1), undefined);
    clamped = store_.Fp(FpKind::kFma, {.sat = true}, X(0), X(1), clamped);
    matrix = store_.Fp(FpKind::kFma, {.approx = true}, X(0), X(1), matrix);
  }
  EXPECT_TRUE(store_.IsClosed(closed));
  EXPECT_TRUE(store_.ContainsUndef(undefined));
  for (const TermId term : {closed, undefined, clamped, matrix}) {
    EXPECT_FALSE(store_.IsChain(term));
    EXPECT_EQ(store_.StepsOfSum(term, store_.fp_attr(term)), std::nullopt);
  }
}

TEST_F(ChainTest, LittleRoom) {
  const size_t before = store_.bytes();
  std::vector<uint64_t> factors(64);
  TermId start = Zero();
  for (uint32_t chain = 0; chain < 1000; ++chain) {
    for (uint32_t i = 0; i < 64; ++i) {
      const TermId a = X((chain + i) % 500), b = X(500 + (chain * 7 + i) % 500);
      factors[i] = static_cast<uint32_t>(a) | static_cast<uint64_t>(static_cast<uint32_t>(b)) << 32;
    }
    start = store_.FpChain({}, start, factors);
  }
  EXPECT_LT(store_.bytes() - before, 64000 * 10);  // bytes a step
}

}  // namespace
}  // namespace racer
