// Operators as small tensor programs over the reals, independent of PTX and of the machine.
//
// A program is an expression for one output element in terms of index variables. It is emitted through
// a Builder, so that the same program gives terms (for the checker) and values (for its own tests).
#ifndef RACER_REFERENCE_MODELS_TENSOR_PROGRAM_H_
#define RACER_REFERENCE_MODELS_TENSOR_PROGRAM_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/rational.h"

namespace racer::models {

enum class ExprId : uint16_t {};
enum class IndexVar : uint8_t {};

struct Expr {
  enum class Kind : uint8_t { kInput, kDim, kConst, kAdd, kMul, kDiv, kSqrt, kSum } kind = Kind::kConst;
  std::string name;               // kInput: tensor or scalar; kDim: dim
  std::vector<IndexVar> indices;  // kInput
  Rational value;                 // kConst
  ExprId a{}, b{};                // operands; kSum: a is the summand
  IndexVar over{};                // kSum: index variable
  std::string extent;             // kSum: dim that it runs over
};

struct TensorDecl {
  std::string name;
  std::vector<std::string> shape;  // dims; empty for a scalar
};

struct TensorProgram {
  std::string name;
  std::string formula;  // for the report, one line
  std::vector<std::string> dims;
  std::vector<TensorDecl> inputs;
  TensorDecl output;
  std::vector<IndexVar> output_indices;  // one per output dim
  std::vector<Expr> exprs;               // operands come before their users
  ExprId root{};
};

// y[n, h] = x[n, h] / sqrt(sum_k x[n, k]^2 / H + eps) * w[h]
// (Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019).
TensorProgram WeightedRmsNorm();

// The program called `name`, or null.
const TensorProgram* FindModel(const std::string& name);
std::vector<std::string> ModelNames();

// Emits one output element. A Builder has a `Value` type and
//   Value Input(const std::string& name, const std::vector<uint64_t>& index);
//   Value Constant(const Rational&);  Value Add(Value, Value);  Value Mul(Value, Value);
//   Value Div(Value, Value);  Value Sqrt(Value);
// Sub-expressions that depend on the same index values are emitted once per Emitter.
template <class Builder>
class Emitter {
 public:
  using Value = typename Builder::Value;

  Emitter(const TensorProgram& program, std::map<std::string, uint64_t> dims, Builder& builder)
      : program_(program), dims_(std::move(dims)), builder_(builder), uses_(program.exprs.size()) {
    // The index variables that each expression depends on, operands first.
    for (size_t i = 0; i < program_.exprs.size(); ++i) {
      const Expr& e = program_.exprs[i];
      uint32_t uses = 0;
      for (IndexVar v : e.indices) uses |= 1U << static_cast<unsigned>(v);
      if (e.kind >= Expr::Kind::kAdd) uses |= uses_[static_cast<size_t>(e.a)];
      if (e.kind == Expr::Kind::kAdd || e.kind == Expr::Kind::kMul || e.kind == Expr::Kind::kDiv) uses |= uses_[static_cast<size_t>(e.b)];
      if (e.kind == Expr::Kind::kSum) uses &= ~(1U << static_cast<unsigned>(e.over));
      uses_[i] = uses;
    }
  }

  Value Cell(const std::vector<uint64_t>& index) {
    RACER_CHECK(index.size() == program_.output_indices.size());
    std::vector<uint64_t> env(32, 0);
    for (size_t i = 0; i < index.size(); ++i) env[static_cast<size_t>(program_.output_indices[i])] = index[i];
    return Emit(program_.root, env);
  }

 private:
  // Depth is bounded by the program's own size, which is ours, not the user's.
  Value Emit(ExprId id, std::vector<uint64_t>& env) {
    std::vector<uint64_t> key{static_cast<uint64_t>(id)};
    for (unsigned v = 0; v < 32; ++v) {
      if ((uses_[static_cast<size_t>(id)] >> v) & 1U) key.push_back(env[v]);
    }
    auto found = memo_.find(key);
    if (found != memo_.end()) return found->second;
    Value value = EmitFresh(program_.exprs[static_cast<size_t>(id)], env);
    memo_.emplace(std::move(key), value);
    return value;
  }

  Value EmitFresh(const Expr& e, std::vector<uint64_t>& env) {
    switch (e.kind) {
      case Expr::Kind::kInput: {
        std::vector<uint64_t> index;
        index.reserve(e.indices.size());
        for (IndexVar v : e.indices) index.push_back(env[static_cast<size_t>(v)]);
        return builder_.Input(e.name, index);
      }
      case Expr::Kind::kDim: return builder_.Constant(Rational(static_cast<int64_t>(dims_.at(e.name))));
      case Expr::Kind::kConst: return builder_.Constant(e.value);
      case Expr::Kind::kAdd: return builder_.Add(Emit(e.a, env), Emit(e.b, env));
      case Expr::Kind::kMul: return builder_.Mul(Emit(e.a, env), Emit(e.b, env));
      case Expr::Kind::kDiv: return builder_.Div(Emit(e.a, env), Emit(e.b, env));
      case Expr::Kind::kSqrt: return builder_.Sqrt(Emit(e.a, env));
      case Expr::Kind::kSum: {
        uint64_t& at = env[static_cast<size_t>(e.over)];
        uint64_t saved = at;
        Value sum = builder_.Constant(Rational(0));
        for (at = 0; at < dims_.at(e.extent); ++at) sum = builder_.Add(sum, Emit(e.a, env));
        at = saved;
        return sum;
      }
    }
    RACER_UNREACHABLE(e.kind);
  }

  const TensorProgram& program_;
  std::map<std::string, uint64_t> dims_;
  Builder& builder_;
  std::vector<uint32_t> uses_;
  std::map<std::vector<uint64_t>, Value> memo_;
};

}  // namespace racer::models

#endif  // RACER_REFERENCE_MODELS_TENSOR_PROGRAM_H_
