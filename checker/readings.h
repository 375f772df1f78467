// Other launches that an inferred contract could have meant.
#ifndef RACER_CHECKER_READINGS_H_
#define RACER_CHECKER_READINGS_H_

#include <string>
#include <vector>

#include "checker/contract.h"

namespace racer {

struct OtherLaunch {
  Contract contract;
  std::string what;  // "candidate with block = [128]"
};

// The contract with another one-dimensional block size (32 to 1024) for one side, and a grid that follows it: a literal in
// the grid that is the block size, or its number of warps, changes along. Empty for blocks of two dimensions.
std::vector<OtherLaunch> OtherLaunches(const Contract& contract);

}  // namespace racer

#endif  // RACER_CHECKER_READINGS_H_
