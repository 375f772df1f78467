// Which shapes of a contract's domain to look at.
#ifndef RACER_CHECKER_SHAPES_H_
#define RACER_CHECKER_SHAPES_H_

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "checker/contract.h"
#include "checker/options.h"

namespace racer {

struct ShapeCandidates {
  std::vector<DimAssignment> shapes;  // distinct, in the domain, most telling first
  bool fully_pinned = false;          // the user (or the contract) leaves no dim open: exactly these shapes, in the order given
};

// At most `max_shapes` shapes around the places where a kernel's control flow changes: few rows, sizes around the CTA's
// and the warp's extents and the literals of the launch, two tiles and a tail, vector widths that alignments allow.
// The first few already hold a small shape, two tiles and a tail with several rows, and the edges of one tile.
// `pins`: one partial assignment an occurrence of --dims; the other dims vary. Errors (CommandLine): an unknown dim, a value
// outside the domain; (ContractDims): no shape satisfies the dispatch predicate; those of CheckDomain.
Result<ShapeCandidates> CandidateShapes(const Contract& contract, const std::vector<DimPins>& pins, size_t max_shapes);

}  // namespace racer

#endif  // RACER_CHECKER_SHAPES_H_
