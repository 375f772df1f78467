#include "checker/shrink.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "symexec/ball/ball.h"
#include "symexec/ball/decode.h"

namespace racer {
namespace {

constexpr uint32_t kCells = 100;
constexpr FpFormat kF32 = FpFormat::kF32;

uint64_t Bits(double value) { return *EncodeNearest(kF32, Rational::FromDouble(value)); }

// A store with x[0..99] and s, a cell over them, and kernels that compute exactly what their terms say.
class ShrinkTest : public ::testing::Test {
 protected:
  ShrinkTest() {
    x_ = store_.AddSymbol({"x", ScalarType::kF32, {kCells}});
    s_ = store_.AddSymbol({"s", ScalarType::kF32, {}});
    ranges_.resize(2);
    attr_.format = kF32;
    point_.bits = {std::vector<uint64_t>(kCells), {Bits(0.75)}};
    for (uint32_t i = 0; i < kCells; ++i) point_.bits[0][i] = Bits(i % 7 + 2);
  }

  TermId X(uint32_t i) { return store_.FpInput(x_, i); }
  TermId S() { return store_.FpInput(s_, 0); }
  TermId Op(FpKind kind, TermId a, TermId b) { return store_.Fp(kind, attr_, a, b); }
  TermId Sum(std::optional<uint32_t> without = std::nullopt) {
    TermId sum = kNoTerm;
    for (uint32_t i = 0; i < kCells; ++i) {
      if (i != without) sum = sum == kNoTerm ? X(i) : Op(FpKind::kAdd, sum, X(i));
    }
    return sum;
  }

  std::optional<uint64_t> Computed(const InputPoint& point, TermId term) {
    BallEvaluator::Value value = BallEvaluator(store_, point).Evaluate(term);
    if (value.kind == BallEvaluator::Value::Kind::kUndefined) return 0x7fffffff;
    return EncodeNearest(kF32, Rational::FromDouble(value.middle));
  }
  CellWitness Shrink(TermId candidate, TermId reference) {
    CellPair cell;
    cell.candidate = candidate;
    cell.reference = reference;
    Replay honest = [&](const InputPoint& point, const std::vector<const CellPair*>& cells) {
      ++replays_;
      return std::vector<ReplayedCell>{{Computed(point, cells[0]->candidate), Computed(point, cells[0]->reference)}};
    };
    CascadeOptions options;
    std::optional<CellWitness> witness = CertifyAt(store_, cell, point_, honest, options);
    EXPECT_TRUE(witness.has_value());
    if (!witness.has_value()) return {};
    replays_ = 0;
    options.out_of_budget = [this] { return out_of_budget_; };
    return ShrinkWitness(store_, ranges_, *witness, replay_ ? replay_ : honest, options);
  }
  double At(const CellWitness& witness, uint32_t i) { return FiniteValue(kF32, witness.point.bits[0][i])->ToDouble(); }

  TermStore store_;
  SymbolId x_{}, s_{};
  SymbolRanges ranges_;
  FpAttr attr_;
  InputPoint point_;
  Replay replay_;  // empty: an honest one
  unsigned replays_ = 0;
  bool out_of_budget_ = false;
};

TEST_F(ShrinkTest, OnlyTheDroppedTermIsLeft) {
  CellWitness witness = Shrink(Sum(37), Sum());
  for (uint32_t i = 0; i < kCells; ++i) EXPECT_EQ(At(witness, i), i == 37 ? 1 : 0) << i;
  EXPECT_EQ(witness.candidate_bits, Bits(0));
  EXPECT_EQ(witness.reference_bits, Bits(1));
  EXPECT_EQ(witness.candidate_real, "0");
  EXPECT_LE(replays_, 256u);
  EXPECT_EQ(Shrink(Sum(37), Sum()).point.bits, witness.point.bits);
}

TEST_F(ShrinkTest, BothFactorsOfAProductAreLeft) {
  CellWitness witness = Shrink(Sum(), Op(FpKind::kAdd, Sum(), Op(FpKind::kMul, X(3), X(90))));
  for (uint32_t i = 0; i < kCells; ++i) EXPECT_EQ(At(witness, i), i == 3 || i == 90 ? 1 : 0) << i;
}

// Breaks if a default outside the range is taken: s in (0, 1/2] may be neither 0 nor 1.
TEST_F(ShrinkTest, StaysInTheRange) {
  point_.bits[1][0] = Bits(0.25);
  ranges_[1] = {Rational(0), Rational::Dyadic(1, -1), true, false};
  CellWitness witness = Shrink(Op(FpKind::kMul, S(), Sum(37)), Op(FpKind::kMul, S(), Sum()));
  EXPECT_EQ(witness.point.bits[1][0], Bits(0.25));
  EXPECT_EQ(At(witness, 37), 1);
  EXPECT_EQ(At(witness, 38), 0);
}

TEST_F(ShrinkTest, OneWhereZeroIsOutOfRange) {
  ranges_[1] = {Rational(0), Rational(1), true, false};
  CellWitness witness = Shrink(Op(FpKind::kMul, S(), X(0)), X(1));
  EXPECT_EQ(witness.point.bits[1][0], Bits(1));
}

// Breaks if a step counts without its own replay: these kernels agree everywhere but at the witness.
TEST_F(ShrinkTest, WhatDoesNotReplayDoesNotCount) {
  replay_ = [&](const InputPoint&, const std::vector<const CellPair*>&) {
    ++replays_;
    return std::vector<ReplayedCell>{{Bits(1), Bits(1)}};
  };
  CellWitness witness = Shrink(Sum(37), Sum());
  EXPECT_EQ(witness.point.bits, point_.bits);
  EXPECT_GT(replays_, 0u);
  EXPECT_LE(replays_, 256u);
}

// Breaks if a replayed value need not belong to its side: these are neither side's.
TEST_F(ShrinkTest, ForeignValuesDoNotCount) {
  replay_ = [&](const InputPoint&, const std::vector<const CellPair*>&) { return std::vector<ReplayedCell>{{Bits(1000), Bits(2000)}}; };
  EXPECT_EQ(Shrink(Sum(37), Sum()).point.bits, point_.bits);
}

// Breaks if a difference of values may become one of definedness: with x[0] = 0 the candidate would divide by zero.
TEST_F(ShrinkTest, KeepsBothSidesDefined) {
  CellWitness witness = Shrink(Op(FpKind::kDiv, X(1), X(0)), X(1));
  EXPECT_NE(At(witness, 0), 0);
  EXPECT_NE(witness.candidate_real, "undefined");
}

// Breaks if it may become one of values: the root of -4 would be the root of 0.
TEST_F(ShrinkTest, AnUndefinedSideStaysUndefined) {
  point_.bits[0][0] = Bits(-4);
  CellWitness witness = Shrink(Op(FpKind::kAdd, X(1), Op(FpKind::kSqrt, X(0), kNoTerm)), Op(FpKind::kAdd, X(1), X(2)));
  EXPECT_EQ(witness.candidate_real, "undefined");
  EXPECT_EQ(At(witness, 0), -4);
  EXPECT_EQ(At(witness, 2), 0);
}

// Breaks if a plain difference may fade: with x[2] = 1 it would be a thousandth of the value.
TEST_F(ShrinkTest, KeepsTheDifferencePlain) {
  TermId small = Op(FpKind::kMul, store_.FpReal(kF32, Rational::Dyadic(1, -10)), X(1));
  TermId product = Op(FpKind::kMul, small, Op(FpKind::kMul, X(2), X(2)));
  for (uint32_t i : {1, 2}) point_.bits[0][i] = Bits(64);
  CellWitness witness = Shrink(Op(FpKind::kAdd, X(1), product), X(1));
  EXPECT_GE(At(witness, 2), 8);
}

// x[0] is needed for the difference only as long as s is 2. Broken once by a single look at every input: x[0] stays.
TEST_F(ShrinkTest, NothingThatIsNoLongerNeededIsLeft) {
  ranges_[1] = {Rational(1), Rational(2), false, false};
  point_.bits[1][0] = Bits(2);
  for (uint32_t i = 0; i < kCells; ++i) point_.bits[0][i] = Bits(1);
  // x[1] against x[1] * (x[0] + 1 - (s - 1)): with s = 2 that is x[1] * x[0], with s = 1 x[1] * (x[0] + 1).
  const TermId factor = Op(FpKind::kSub, Op(FpKind::kAdd, X(0), store_.FpReal(kF32, Rational(3))), S());
  CellWitness witness = Shrink(Op(FpKind::kMul, X(1), factor), Op(FpKind::kMul, X(1), store_.FpReal(kF32, Rational(1))));
  EXPECT_EQ(At(witness, 0), 0);
  EXPECT_EQ(At(witness, 1), 1);
  EXPECT_EQ(witness.point.bits[1][0], Bits(1));
}

// 1 / (sum of 50 squares / 100 + 1) against 1: with ones a plain difference needs seven of them, one large one will do. Broken once without
// gathering: seven.
TEST_F(ShrinkTest, FewLargeInputsForManySmallOnes) {
  for (uint32_t i = 0; i < kCells; ++i) point_.bits[0][i] = Bits(1);
  const TermId one = store_.FpReal(kF32, Rational(1));
  TermId sum = Op(FpKind::kMul, X(0), X(0));
  for (uint32_t i = 1; i < 50; ++i) sum = Op(FpKind::kAdd, sum, Op(FpKind::kMul, X(i), X(i)));
  const TermId mean = Op(FpKind::kMul, sum, store_.FpReal(kF32, Rational(1, 100)));
  CellWitness witness = Shrink(Op(FpKind::kDiv, one, Op(FpKind::kAdd, mean, one)), one);
  unsigned left = 0;
  for (uint32_t i = 0; i < 50; ++i) left += At(witness, i) != 0 ? 1 : 0;
  EXPECT_EQ(left, 1u);
}

TEST_F(ShrinkTest, EndsWithTheBudget) {
  out_of_budget_ = true;
  EXPECT_EQ(Shrink(Sum(37), Sum()).point.bits, point_.bits);
  EXPECT_EQ(replays_, 0u);
}

}  // namespace
}  // namespace racer
