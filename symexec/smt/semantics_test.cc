// Z3's reading of the terms against the other two: the folding of constants, and certified evaluation.
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "symexec/ball/ball.h"
#include "symexec/smt/smt.h"

namespace racer {
namespace {

using Status = SmtOutcome::Status;
using Kind = BallEvaluator::Value::Kind;

// Every bit-vector operator on all pairs of four-bit patterns: one query an operator, against a table of folded constants.
TEST(SmtSemanticsTest, EveryOperatorAtFourBits) {
  TermStore store;
  const SymbolId u = store.AddSymbol({"u", ScalarType::kU8, {2}});
  const TermId a = store.Extract(4, store.BvInput(u, 0), 0), b = store.Extract(4, store.BvInput(u, 1), 0);
  const TermId both = store.Concat(a, b);
  int operators = 0;
  for (TermKind kind : {TermKind::kBvAdd, TermKind::kBvSub, TermKind::kBvMul, TermKind::kBvUDiv, TermKind::kBvURem, TermKind::kBvSDiv,
                        TermKind::kBvSRem, TermKind::kBvAnd, TermKind::kBvOr, TermKind::kBvXor, TermKind::kBvShl, TermKind::kBvLShr,
                        TermKind::kBvAShr, TermKind::kBvEq, TermKind::kBvUlt, TermKind::kBvSlt}) {
    const TermId operation = store.Bv(kind, 4, a, b);
    const unsigned w = store.width(operation);
    for (bool wrong : {false, true}) {
      TermId table = store.BvConst(w, 0);
      for (uint64_t x = 0; x < 16; ++x) {
        for (uint64_t y = 0; y < 16; ++y) {
          const TermId folded = store.Bv(kind, 4, store.BvConst(4, x), store.BvConst(4, y));
          ASSERT_TRUE(store.IsConst(folded));
          // One wrong entry must be found.
          const uint64_t entry = store.const_bits(folded) ^ (wrong && x == 9 && y == 7 ? 1 : 0);
          table = store.BvIte(w, store.Bv(TermKind::kBvEq, 8, both, store.BvConst(8, x << 4 | y)), store.BvConst(w, entry), table);
        }
      }
      const SmtOutcome outcome = SmtProveEqual(store, {}, {2}, operation, table, std::string(TermKindName(kind)));
      EXPECT_EQ(outcome.status, wrong ? Status::kCounterexample : Status::kProved) << TermKindName(kind) << " " << outcome.reason;
      if (outcome.point) {
        EXPECT_EQ(outcome.point->bits[0][0] & 15, 9u);
        EXPECT_EQ(outcome.point->bits[0][1] & 15, 7u);
      }
    }
    ++operators;
  }
  EXPECT_EQ(operators, 16);
}

// Random real terms beside rewritten copies of themselves.
class RandomTerms {
 public:
  RandomTerms(TermStore& store, SymbolId symbol, uint64_t seed) : store_(store), symbol_(symbol), random_(seed) {}

  // A term and a copy that is equal over the reals but written differently.
  std::pair<TermId, TermId> Pair(int depth) {
    if (depth == 0 || Below(8) == 0) {
      static constexpr uint64_t kLiterals[] = {0, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000};
      const TermId leaf = Below(3) == 0 ? store_.FpConst(FpFormat::kF32, kLiterals[Below(std::size(kLiterals))])
                                        : store_.FpInput(symbol_, static_cast<uint32_t>(Below(3)));
      return {leaf, leaf};
    }
    const auto [a, a2] = Pair(depth - 1);
    const auto [b, b2] = Pair(depth - 1);
    const TermId one = store_.FpConst(FpFormat::kF32, 0x3f800000), zero = store_.FpConst(FpFormat::kF32, 0);
    switch (Below(14)) {
      case 0: return {Op(FpKind::kAdd, a, b), Op(FpKind::kAdd, b2, a2)};
      case 1: return {Op(FpKind::kSub, a, b), Op(FpKind::kAdd, a2, Op(FpKind::kNeg, b2))};
      case 2: return {Op(FpKind::kMul, a, b), Op(FpKind::kNeg, Op(FpKind::kMul, Op(FpKind::kNeg, b2), a2))};
      case 3: return {Op(FpKind::kFma, a, b, a), Op(FpKind::kMul, a2, Op(FpKind::kAdd, b2, one))};
      case 4: return {Op(FpKind::kMax, a, b), store_.FpIte(Compare(CompareOp::kLt, b2, a2), a2, b2)};
      case 5: return {Op(FpKind::kMin, a, b), Op(FpKind::kNeg, Op(FpKind::kMax, Op(FpKind::kNeg, b2), Op(FpKind::kNeg, a2)))};
      case 6: return {Op(FpKind::kAbs, a), Op(FpKind::kMax, a2, Op(FpKind::kNeg, a2))};
      case 7: return {Op(FpKind::kDiv, a, b), Op(FpKind::kMul, a2, Op(FpKind::kRcp, b2))};
      case 8: return {Op(FpKind::kRsqrt, a), Op(FpKind::kDiv, one, Op(FpKind::kSqrt, a2))};
      case 9: return {Op(FpKind::kSqrt, Op(FpKind::kMul, a, a)), Op(FpKind::kAbs, a2)};
      case 10: {
        FpAttr sat;
        sat.sat = true;
        return {store_.Fp(FpKind::kAdd, sat, a, b), Op(FpKind::kMin, Op(FpKind::kMax, Op(FpKind::kAdd, a2, b2), zero), one)};
      }
      case 11: {
        FpAttr relu;
        relu.relu = true;
        return {store_.Fp(FpKind::kFma, relu, a, b, b), Op(FpKind::kMax, zero, Op(FpKind::kFma, b2, a2, b2))};
      }
      case 12: return {store_.FpIte(Compare(CompareOp::kGe, a, b), a, zero), store_.FpIte(Compare(CompareOp::kLt, a2, b2), zero, a2)};
      default: return {Op(FpKind::kCopySign, one, a), Op(FpKind::kAbs, a2)};
    }
  }
  size_t Below(size_t bound) { return random_() % bound; }

 private:
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm) { return store_.Fp(kind, FpAttr{}, a, b, c); }
  TermId Compare(CompareOp op, TermId a, TermId b) { return store_.FpCompare(op, false, a, b); }

  TermStore& store_;
  SymbolId symbol_;
  std::mt19937_64 random_;
};

// Whether certified evaluation contradicts equality at the point.
bool Contradicts(const TermStore& store, const InputPoint& point, TermId a, TermId b) {
  BallEvaluator ball(store, point);
  if (ball.CertainlyDifferent(a, b)) return true;
  const Kind x = ball.Evaluate(a, false).kind, y = ball.Evaluate(b, false).kind;
  return (x == Kind::kUndefined && y == Kind::kReal) || (x == Kind::kReal && y == Kind::kUndefined);
}

TEST(SmtSemanticsTest, AgreesWithCertifiedEvaluation) {
  constexpr uint64_t kSeed = 20261129;
  TermStore store;
  const SymbolId symbol = store.AddSymbol({"x", ScalarType::kF32, {3}});
  RandomTerms terms(store, symbol, kSeed);
  SmtLimits limits;
  limits.seconds = 1;
  int proved = 0, refuted = 0, replayed = 0;
  for (int round = 0; round < 120; ++round) {
    const auto [a, same] = terms.Pair(2);
    const auto [b, other] = terms.Pair(2);
    for (TermId against : {same, b}) {
      if (a == against) continue;
      const SmtOutcome outcome = SmtProveEqual(store, {}, {3}, a, against, "random", limits);
      const std::string what = store.ToString(a) + " against " + store.ToString(against) + ", seed " + std::to_string(kSeed);
      if (outcome.status == Status::kProved) {
        ++proved;
        for (unsigned index = 0; index < kPointCount; ++index)
          EXPECT_FALSE(Contradicts(store, MakePoint(store, {}, {3}, index, 1), a, against)) << what << ", point " << index;
      } else if (outcome.status == Status::kCounterexample) {
        EXPECT_NE(against, same) << "equal by construction: " << what;
        ++refuted;
        // A model may lie on a curve that no f32 is on; then its rounding shows nothing.
        replayed += Contradicts(store, *outcome.point, a, against) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(proved, 60);
  EXPECT_GE(refuted, 60);
  EXPECT_GE(replayed, refuted * 9 / 10) << refuted;
}

}  // namespace
}  // namespace racer
