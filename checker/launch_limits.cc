#include "checker/launch_limits.h"

#include <string>
#include <utility>
#include <vector>

namespace racer {
namespace {

struct Axis {
  const char* what;
  std::array<int64_t, 3> limit;
};
constexpr Axis kGrid = {"grid", {2147483647, 65535, 65535}};
constexpr Axis kBlock = {"block", {1024, 1024, 64}};

Result<std::array<uint32_t, 3>> Extents(const Contract& contract, const std::vector<Expression>& expressions, const Axis& axis,
                                        const DimAssignment& dims) {
  std::array<uint32_t, 3> extents{1, 1, 1};
  for (size_t i = 0; i < expressions.size(); ++i) {
    Result<int64_t> value = expressions[i].EvaluateInteger(dims);
    if (!value.ok()) return value.error();
    if (*value < 1 || *value > axis.limit[i]) {
      return MakeError(DiagnosticKind::kContractLaunch, expressions[i].where(),
                       std::string(axis.what) + "." + "xyz"[i] + " is " + std::to_string(*value) + " at " + contract.Describe(dims),
                       "1 to " + std::to_string(axis.limit[i]));
    }
    extents[i] = static_cast<uint32_t>(*value);
  }
  return extents;
}

}  // namespace

Result<ConcreteLaunch> EvaluateLaunch(const Contract& contract, const CallSpec& call, const DimAssignment& dims) {
  ConcreteLaunch launch;
  Result<std::array<uint32_t, 3>> grid = Extents(contract, call.grid, kGrid, dims);
  if (!grid.ok()) return grid.error();
  Result<std::array<uint32_t, 3>> block = Extents(contract, call.block, kBlock, dims);
  if (!block.ok()) return block.error();
  launch.grid = *grid;
  launch.block = *block;
  uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (threads > kMaxThreadsPerCta) {
    return MakeError(DiagnosticKind::kContractLaunch, call.block.front().where(),
                     "block has " + std::to_string(threads) + " threads at " + contract.Describe(dims),
                     "at most " + std::to_string(kMaxThreadsPerCta));
  }
  if (call.dynamic_shared) {
    Result<int64_t> bytes = call.dynamic_shared->EvaluateInteger(dims);
    if (!bytes.ok()) return bytes.error();
    if (*bytes < 0 || static_cast<uint64_t>(*bytes) > kMaxSharedBytes) {
      return MakeError(DiagnosticKind::kContractLaunch, call.dynamic_shared->where(),
                       "dynamic shared memory of " + std::to_string(*bytes) + " bytes at " + contract.Describe(dims),
                       "0 to " + std::to_string(kMaxSharedBytes));
    }
    launch.dynamic_shared = static_cast<uint64_t>(*bytes);
  }
  return launch;
}

}  // namespace racer
