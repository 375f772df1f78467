// Selections among infinities, few integers, indices of maxima, and functions that Z3 never sees.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "symexec/smt/smt.h"

namespace racer {
namespace {

using Status = SmtOutcome::Status;

constexpr FpAttr kF32{};

class PiecewiseTest : public ::testing::Test {
 protected:
  PiecewiseTest() : f_(store_.AddSymbol({"f", ScalarType::kF32, {32}})) {}

  TermId X(uint32_t i) { return store_.FpInput(f_, i); }
  TermId C(uint64_t bits) { return store_.FpConst(FpFormat::kF32, bits); }
  TermId U(uint64_t bits) { return store_.BvConst(32, bits); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm) { return store_.Fp(kind, kF32, a, b); }
  TermId Less(TermId a, TermId b) { return store_.FpCompare(CompareOp::kLt, false, a, b); }
  TermId Equal(TermId a, TermId b) { return store_.FpCompare(CompareOp::kEq, false, a, b); }
  TermId If(TermId c, TermId a, TermId b) { return store_.FpIte(c, a, b); }
  TermId Choose(TermId c, TermId a, TermId b) { return store_.BvIte(32, c, a, b); }

  SmtOutcome Ask(TermId a, TermId b, SmtRounding rounding = SmtRounding::kIgnored) {
    return SmtProveEqual(store_, {}, {32}, a, b, "test", {}, rounding);
  }

  struct Best {
    TermId value, index;
  };
  // From an infinity on, where `later` elements take over on ties or not.
  Best Serial(uint32_t n, bool later) {
    Best best{C(0xff800000), U(0xffffffff)};
    for (uint32_t i = 0; i < n; ++i) {
      const TermId above = later ? store_.FpCompare(CompareOp::kLe, false, best.value, X(i)) : Less(best.value, X(i));
      best = {If(above, X(i), best.value), Choose(above, U(i), best.index)};
    }
    return best;
  }
  // Neighbours first; lanes without an element hold minus infinity. Of equal ones, the lower index.
  Best Tree(uint32_t n, bool ties) {
    std::vector<Best> all;
    for (uint32_t i = 0; i < 16; ++i) all.push_back({i < n ? X(i) : C(0xff800000), U(i)});
    for (uint32_t offset = 8; offset > 0; offset /= 2) {
      for (uint32_t i = 0; i < offset; ++i) {
        const Best mine = all[i], other = all[i + offset];
        TermId takes = Less(mine.value, other.value);
        const TermId lower = store_.Bv(TermKind::kBvSlt, 32, other.index, mine.index);
        const TermId tie = store_.Bv(TermKind::kBvAnd, 1, Equal(mine.value, other.value), lower);
        if (ties) takes = store_.Bv(TermKind::kBvOr, 1, takes, tie);
        all[i] = {If(takes, other.value, mine.value), Choose(takes, other.index, mine.index)};
      }
    }
    return all[0];
  }

  TermStore store_;
  SymbolId f_;
};

// Broken once: infinities compared by their sign turned round.
TEST_F(PiecewiseTest, IndicesOfMaxima) {
  for (uint32_t n : {5, 12}) {
    EXPECT_EQ(Ask(Serial(n, false).index, Tree(n, true).index).status, Status::kProved) << n;
    EXPECT_EQ(Ask(Serial(n, false).value, Tree(n, true).value).status, Status::kProved) << n;
    // The last of equal ones, and whichever the tree meets first.
    EXPECT_EQ(Ask(Serial(n, true).index, Tree(n, true).index).status, Status::kCounterexample) << n;
    EXPECT_EQ(Ask(Serial(12, false).index, Tree(12, false).index).status, Status::kCounterexample) << n;
  }
  EXPECT_EQ(Ask(Serial(5, false).index, Serial(6, false).index).status, Status::kCounterexample);
}

// A sum may overflow on hardware, an input may not. Broken once: decided for both.
TEST_F(PiecewiseTest, InfinitiesAgainstWhatRounds) {
  const TermId infinity = C(0x7f800000);
  const auto guarded = [&](TermId value) { return Choose(Less(value, infinity), U(1), U(2)); };
  EXPECT_EQ(Ask(guarded(X(0)), U(1), SmtRounding::kUnknown).status, Status::kProved);
  const TermId sum = Op(FpKind::kAdd, X(0), X(1));
  EXPECT_EQ(Ask(guarded(sum), U(1)).status, Status::kProved);
  EXPECT_EQ(Ask(guarded(sum), U(1), SmtRounding::kUnknown).status, Status::kUnknown);
  // An infinity that data choose is not decided.
  EXPECT_EQ(Ask(guarded(If(Less(X(0), X(1)), infinity, X(0))), U(1)).status, Status::kUnknown);
}

// Broken once: patterns read as unsigned numbers.
TEST_F(PiecewiseTest, FewIntegersAsNumbers) {
  const TermId zero = C(0), positive = Less(zero, X(0)), negative = Less(X(0), zero);
  const auto bit = [&](TermId condition) { return Choose(condition, U(1), U(0)); };
  const TermId difference = store_.Bv(TermKind::kBvSub, 32, bit(positive), bit(negative));
  const TermId sign = If(positive, C(0x3f800000), If(negative, C(0xbf800000), zero));
  EXPECT_EQ(Ask(store_.IntToFp(ScalarType::kS32, kF32, difference), sign).status, Status::kProved);
  EXPECT_EQ(Ask(store_.IntToFp(ScalarType::kU32, kF32, difference), sign).status, Status::kCounterexample);
  const TermId sum = store_.Bv(TermKind::kBvAdd, 32, bit(positive), bit(negative));
  EXPECT_EQ(Ask(store_.IntToFp(ScalarType::kS32, kF32, sum), sign).status, Status::kCounterexample);
}

// Broken once: one unknown for all arguments.
TEST_F(PiecewiseTest, FunctionsThatAreNeverSeen) {
  const TermId zero = C(0), power = Op(FpKind::kEx2, Op(FpKind::kMul, X(0), X(1))), other = Op(FpKind::kEx2, X(1));
  const TermId positive = Less(zero, X(0));
  const TermId gate = If(positive, C(0x3f800000), zero);
  EXPECT_EQ(Ask(If(positive, power, zero), Op(FpKind::kMul, gate, power)).status, Status::kProved);
  EXPECT_EQ(Ask(Op(FpKind::kMax, power, zero), power).status, Status::kProved);
  // Not proved, and no counterexample either: the unknowns know nothing of the function.
  const SmtOutcome unlike = Ask(If(positive, power, zero), Op(FpKind::kMul, gate, other));
  EXPECT_EQ(unlike.status, Status::kUnknown);
  EXPECT_EQ(unlike.reason, "exponential in the query");
  // Defined at the same inputs: a logarithm is not, where its gate is closed.
  const TermId logarithm = Op(FpKind::kLg2, X(1));
  EXPECT_EQ(Ask(If(positive, logarithm, zero), Op(FpKind::kMul, gate, logarithm)).status, Status::kUnknown);
  EXPECT_EQ(Ask(Op(FpKind::kMul, logarithm, gate), If(positive, logarithm, Op(FpKind::kMul, logarithm, zero))).status, Status::kProved);
  // Without a selection nothing is sent.
  EXPECT_EQ(Ask(power, other).reason, "exponential in the query");
}

}  // namespace
}  // namespace racer
