// Other launches that an inferred contract could have meant.
#ifndef RACER_CHECKER_READINGS_H_
#define RACER_CHECKER_READINGS_H_

#include <string>
#include <vector>

#include "checker/contract.h"

namespace racer {

struct OtherLaunch {
  Contract contract;
  std::string what;        // "candidate with block = [128]"
  bool must_hold = false;  // the kernel is right only if it is right under this one too
};

// The contract with another one-dimensional block size (32 to 1024) for one side, and a grid that follows it: a literal in
// the grid that is the block size, or its number of warps, changes along. Empty for blocks of two dimensions. And with other numbers
// of CTAs for a grid-stride kernel, whose inferred grid is min(N, 2): a kernel that is right with two alone has only been lucky.
std::vector<OtherLaunch> OtherLaunches(const Contract& contract);

}  // namespace racer

#endif  // RACER_CHECKER_READINGS_H_
