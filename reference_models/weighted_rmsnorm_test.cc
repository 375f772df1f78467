#include <gtest/gtest.h>

#include <cmath>

#include "reference_models/tensor_program.h"

namespace racer::models {
namespace {

// Emits into doubles; counts additions to show that a row's sum is emitted once.
struct DoubleBuilder {
  using Value = double;
  double Input(const std::string& name, const std::vector<uint64_t>& index) {
    if (name == "eps") return 0.5;
    if (name == "w") return 1.0 + static_cast<double>(index[0]);
    return 10.0 * static_cast<double>(index[0]) + static_cast<double>(index[1]) + 1.0;
  }
  double Constant(const Rational& value) { return value.ToDouble(); }
  double Add(double a, double b) {
    ++additions;
    return a + b;
  }
  double Mul(double a, double b) { return a * b; }
  double Div(double a, double b) { return a / b; }
  double Sqrt(double a) { return std::sqrt(a); }
  int additions = 0;
};

TEST(WeightedRmsNormTest, MatchesTheFormulaByHand) {
  TensorProgram program = WeightedRmsNorm();
  DoubleBuilder builder;
  Emitter<DoubleBuilder> emitter(program, {{"N", 2}, {"H", 3}}, builder);
  // Row 0: x = 1 2 3, mean of squares 14/3, eps 1/2. Cell (0, 2): 3 / sqrt(14/3 + 1/2) * 3.
  EXPECT_DOUBLE_EQ(emitter.Cell({0, 2}), 3.0 / std::sqrt(14.0 / 3.0 + 0.5) * 3.0);
  // Row 1: x = 11 12 13, sum of squares 434. Cell (1, 0): 11 / sqrt(434/3 + 1/2) * 1.
  EXPECT_DOUBLE_EQ(emitter.Cell({1, 0}), 11.0 / std::sqrt(434.0 / 3.0 + 0.5));
}

TEST(WeightedRmsNormTest, ARowsSumIsEmittedOnce) {
  TensorProgram program = WeightedRmsNorm();
  DoubleBuilder builder;
  Emitter<DoubleBuilder> emitter(program, {{"N", 1}, {"H", 100}}, builder);
  for (uint64_t h = 0; h < 100; ++h) emitter.Cell({0, h});
  EXPECT_EQ(builder.additions, 101);  // 100 in the sum, one for eps
}

TEST(ModelsTest, AreFoundByName) {
  EXPECT_NE(FindModel("weighted_rmsnorm"), nullptr);
  EXPECT_EQ(FindModel("weighted_rmsnor"), nullptr);
  EXPECT_EQ(ModelNames(), std::vector<std::string>{"weighted_rmsnorm"});
}

}  // namespace
}  // namespace racer::models
