// Which shapes of a contract's domain to look at.
#ifndef RACER_CHECKER_SHAPES_H_
#define RACER_CHECKER_SHAPES_H_

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "checker/contract.h"
#include "checker/kernel_literals.h"
#include "checker/options.h"

namespace racer {

// A shape that reaches past an integer of the kernels' text in one dim (or in the product of the dims).
struct ShapeBehind {
  DimAssignment dims;
  int64_t literal = 0;
  bool beyond = false;    // indices up to literal + 1 exist; else a size at the literal itself
  int64_t long_past = 0;  // the dims that reach past the literal are larger than this; 0: than the literal
};

struct ShapeCandidates {
  std::vector<DimAssignment> shapes;  // distinct, in the domain, most telling first
  std::vector<ShapeBehind> behind;    // further ones, smallest first; none if fully pinned
  std::vector<DimAssignment> larger;  // where the grid covers everything: one dim far past all of the above, smallest first
  bool fully_pinned = false;          // the user (or the contract) leaves no dim open: exactly these shapes, in the order given
};

// At most `max_shapes` shapes around the places where a kernel's control flow changes: few rows, sizes around the CTA's
// and the warp's extents and the literals of the launch, two tiles and a tail, vector widths that alignments allow.
// The first few already hold a small shape, two tiles and a tail with several rows, and the edges of one tile.
// `pins`: one partial assignment an occurrence of --dims; the other dims vary. Errors (CommandLine): an unknown dim, a value
// outside the domain; (ContractDims): no shape satisfies the dispatch predicate; those of CheckDomain.
// `literals`: of the kernels; at most kMaxBehind further shapes around them.
constexpr size_t kMaxBehind = 160;
Result<ShapeCandidates> CandidateShapes(const Contract& contract, const std::vector<DimPins>& pins, size_t max_shapes,
                                        const KernelLiterals& literals = {});

}  // namespace racer

#endif  // RACER_CHECKER_SHAPES_H_
