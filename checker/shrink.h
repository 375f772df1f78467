// Makes a witness readable: as many inputs as possible back at 0 or 1, so that what is left is what the difference needs.
#ifndef RACER_CHECKER_SHRINK_H_
#define RACER_CHECKER_SHRINK_H_

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "checker/cascade.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// Input cells below a set of terms, in (symbol, cell) order.
std::set<std::pair<uint32_t, uint32_t>> InputsBelow(const TermStore& store, const std::vector<TermId>& roots);

// Sets inputs of the witness to 0, else to 1, in chunks that halve. A step counts only if the cell is certified and replayed
// again, exactly as the witness itself was, and the difference stays as plain to see. Inputs that the ranges keep away from a
// default stay as they are. A bounded number of steps, the same ones every time; the options' `out_of_budget` ends it early. Returns
// the witness itself where no step counts.
CellWitness ShrinkWitness(const TermStore& store, const SymbolRanges& ranges, const CellWitness& witness, const Replay& replay,
                          const CascadeOptions& options);

}  // namespace racer

#endif  // RACER_CHECKER_SHRINK_H_
