#include "reference_models/tensor_program.h"

namespace racer::models {

TensorProgram WeightedRmsNorm() {
  constexpr IndexVar kRow{0};
  constexpr IndexVar kColumn{1};
  constexpr IndexVar kSummed{2};
  TensorProgram program;
  program.name = "weighted_rmsnorm";
  program.formula = "y[n,h] = x[n,h] / sqrt(sum_k x[n,k]^2 / H + eps) * w[h]";
  program.dims = {"N", "H"};
  program.inputs = {{"x", {"N", "H"}}, {"w", {"H"}}, {"eps", {}}};
  program.output = {"y", {"N", "H"}};
  program.output_indices = {kRow, kColumn};

  auto add = [&](Expr e) {
    program.exprs.push_back(std::move(e));
    return ExprId{static_cast<uint16_t>(program.exprs.size() - 1)};
  };
  auto input = [&](const char* name, std::vector<IndexVar> indices) {
    Expr e;
    e.kind = Expr::Kind::kInput;
    e.name = name;
    e.indices = std::move(indices);
    return add(std::move(e));
  };
  auto binary = [&](Expr::Kind kind, ExprId a, ExprId b) {
    Expr e;
    e.kind = kind;
    e.a = a;
    e.b = b;
    return add(std::move(e));
  };
  ExprId summed = input("x", {kRow, kSummed});
  ExprId square = binary(Expr::Kind::kMul, summed, summed);
  Expr sum;
  sum.kind = Expr::Kind::kSum;
  sum.a = square;
  sum.over = kSummed;
  sum.extent = "H";
  ExprId sum_of_squares = add(std::move(sum));
  Expr dim;
  dim.kind = Expr::Kind::kDim;
  dim.name = "H";
  ExprId mean = binary(Expr::Kind::kDiv, sum_of_squares, add(std::move(dim)));
  Expr root;
  root.kind = Expr::Kind::kSqrt;
  root.a = binary(Expr::Kind::kAdd, mean, input("eps", {}));
  ExprId rms = add(std::move(root));
  ExprId normalised = binary(Expr::Kind::kDiv, input("x", {kRow, kColumn}), rms);
  program.root = binary(Expr::Kind::kMul, normalised, input("w", {kColumn}));
  return program;
}

}  // namespace racer::models
