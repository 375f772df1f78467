// Whether everything that a contract's domain allows can be launched.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "checker/contract.h"
#include "checker/launch_limits.h"

namespace racer {
namespace {

constexpr size_t kMaxCornerDims = 5;  // of more dims, the rest is large only where all are

// What is wrong with one shape of the domain; nothing for a shape that the dispatch predicate keeps out.
std::optional<Diagnostic> Illegal(const Contract& contract, const DimAssignment& dims) {
  if (contract.dispatch) {
    Result<bool> dispatched = contract.dispatch->EvaluateCondition(dims);
    if (!dispatched.ok()) return dispatched.error();
    if (!*dispatched) return std::nullopt;
  }
  for (const TensorSpec& tensor : contract.tensors) {
    for (const Expression& size : tensor.shape) {
      Result<int64_t> value = size.EvaluateInteger(dims);
      if (!value.ok()) return value.error();
      if (*value >= 1) continue;
      return MakeError(DiagnosticKind::kContractTensor, size.where(),
                       "tensor " + tensor.name + " has a size of " + std::to_string(*value) + " at " + contract.Describe(dims),
                       "at least 1");
    }
  }
  for (const std::optional<CallSpec>* call : {&contract.candidate, &contract.reference}) {
    if (!*call) continue;
    Result<ConcreteLaunch> launch = EvaluateLaunch(contract, **call, dims);
    if (!launch.ok()) return launch.error();
  }
  return std::nullopt;
}

// Lowers one dim after the other as far as the shape stays illegal; halving, so a gap of legal shapes may hide smaller ones.
Diagnostic SmallestBelow(const Contract& contract, const DimAssignment& pinned, DimAssignment dims, Diagnostic error) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (pinned[i] != 0) continue;
    const DimSpec& dim = contract.dims[i];
    int64_t low = dim.min;
    while (low < dims[i]) {
      DimAssignment tried = dims;
      tried[i] = dim.AtLeast(low + (dims[i] - 1 - low) / 2).value();
      if (tried[i] >= dims[i]) {  // no member in the upper half
        tried[i] = dim.AtMost(dims[i] - 1).value_or(dims[i]);
        if (tried[i] >= dims[i] || tried[i] < low) break;
      }
      if (std::optional<Diagnostic> smaller = Illegal(contract, tried)) {
        dims = std::move(tried);
        error = std::move(*smaller);
      } else {
        low = tried[i] + 1;
      }
    }
  }
  return error;
}

}  // namespace

std::optional<Diagnostic> CheckDomain(const Contract& contract, const DimAssignment& pinned) {
  RACER_CHECK(pinned.size() == contract.dims.size());
  size_t varied = std::min(contract.dims.size(), kMaxCornerDims);
  for (uint32_t corner = 0; corner < (1u << varied); ++corner) {
    DimAssignment dims;
    for (size_t i = 0; i < contract.dims.size(); ++i) {
      const DimSpec& dim = contract.dims[i];
      bool largest = i < varied ? (corner >> i & 1) != 0 : corner + 1 == (1u << varied);
      dims.push_back(pinned[i] != 0 ? pinned[i] : largest ? dim.AtMost(dim.max).value() : dim.AtLeast(dim.min).value());
    }
    if (std::optional<Diagnostic> error = Illegal(contract, dims)) return SmallestBelow(contract, pinned, dims, std::move(*error));
  }
  return std::nullopt;
}

}  // namespace racer
