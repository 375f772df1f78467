// A contract to start from where none could be inferred: what the `.param` lists say, and guesses marked as such.
#ifndef RACER_CHECKER_SKELETON_H_
#define RACER_CHECKER_SKELETON_H_

#include <string>

#include "checker/load.h"

namespace racer {

// TOML in the contract's format. It parses and fits the `.param` lists unless a parameter is a structure; sizes, shapes,
// roles that do not show, and launches are guesses with a comment. `reference` may be null.
std::string SkeletonContract(const Kernel& candidate, const Kernel* reference);

}  // namespace racer

#endif  // RACER_CHECKER_SKELETON_H_
