// Inputs near the ends of clamps, saturations and comparisons, where sides that agree everywhere else may differ.
#ifndef RACER_CHECKER_EDGE_POINTS_H_
#define RACER_CHECKER_EDGE_POINTS_H_

#include <cstdint>
#include <vector>

#include "base/rational.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// The literals that extrema and comparisons below the roots have, the ends of what they are converted to, and their neighbours, halfway and
// doubled; halves where something is rounded to an integer. Empty where there is nothing of the kind.
std::vector<Rational> EdgeValues(const TermStore& store, const std::vector<TermId>& roots);

// A point at which floating-point tensors hold these values, another one in every cell and, for another `index` below their number, each of
// them somewhere else; floating-point scalars are 1, integers small. No symbols at all if some range holds no value of its dtype.
InputPoint EdgePoint(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells,
                     const std::vector<Rational>& values, unsigned index);

}  // namespace racer

#endif  // RACER_CHECKER_EDGE_POINTS_H_
