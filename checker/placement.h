// Where tensors lie in a run: a contract grants alignments, and kernels may do different things above them.
#ifndef RACER_CHECKER_PLACEMENT_H_
#define RACER_CHECKER_PLACEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "checker/contract.h"

namespace racer {

struct Placement {
  // By contract tensor: its base is congruent to this modulo a large power of two. Empty: each has exactly the alignment that the
  // contract grants.
  std::vector<uint64_t> phases;
  bool descending = false;  // the last tensor has the lowest address
  bool across = false;      // tensors of more than 512 bytes lie across a multiple of 2^32 (phases: alignments)
  std::string text;         // "every tensor aligned to 256 bytes"; empty for the usual placement
};

struct Placements {
  std::vector<Placement> always;   // to prove at every shape where addresses matter; the usual one is not among them
  std::vector<Placement> further;  // to prove where the control flow is none of those before
};
Placements OtherPlacements(const Contract& contract);

}  // namespace racer

#endif  // RACER_CHECKER_PLACEMENT_H_
