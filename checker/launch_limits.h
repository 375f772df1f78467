// The launch of a call at given dims, and what the hardware allows.
#ifndef RACER_CHECKER_LAUNCH_LIMITS_H_
#define RACER_CHECKER_LAUNCH_LIMITS_H_

#include <array>
#include <cstdint>

#include "base/result.h"
#include "checker/contract.h"

namespace racer {

// The largest of any target (sm_90 and later: 227 KiB a CTA; CUDA C++ Programming Guide, "Compute Capabilities").
constexpr uint64_t kMaxSharedBytes = 227 * 1024;
constexpr uint32_t kMaxThreadsPerCta = 1024;

struct ConcreteLaunch {
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint64_t dynamic_shared = 0;
};

// Errors (ContractLaunch, ContractExpression) point at the expression and name the dims.
Result<ConcreteLaunch> EvaluateLaunch(const Contract& contract, const CallSpec& call, const DimAssignment& dims);

}  // namespace racer

#endif  // RACER_CHECKER_LAUNCH_LIMITS_H_
