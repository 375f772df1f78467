// Stores that nothing can see: the nulls that `nvcc -G` puts where pointers go.
#ifndef RACER_CHECKER_OVERWRITTEN_STORES_H_
#define RACER_CHECKER_OVERWRITTEN_STORES_H_

#include <vector>

#include "ptx_frontend/ir/cfg.h"
#include "ptx_frontend/ir/module.h"

namespace racer {

// By instruction: whether it is a store, and another soon after it in its block writes the same place before anything is read.
// A register of `body` that is written in between counts as another place.
std::vector<bool> FindOverwrittenStores(const std::vector<ir::Instruction>& body, const ir::Cfg& cfg);

}  // namespace racer

#endif  // RACER_CHECKER_OVERWRITTEN_STORES_H_
