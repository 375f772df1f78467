// Makes a witness readable: as many inputs as possible back at 0 or 1, so that a plain difference needs every one that is left.
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

// Sets inputs of the witness to 0, else to 1, in chunks that halve, and some to 0 while others of their symbol double, until nothing
// changes. A step counts only if the cell is certified and replayed again, exactly as the witness itself was, and the difference stays as
// plain to see: a sixteenth of the larger side, or as small as it was. So no single input that is left could be 0, unless the steps ran
// out: a bounded number, the same ones every time; the options' `out_of_budget` ends it early. Inputs that the ranges keep away from a
// default stay as they are. Returns the witness itself where no step counts.
CellWitness ShrinkWitness(const TermStore& store, const SymbolRanges& ranges, const CellWitness& witness, const Replay& replay,
                          const CascadeOptions& options);

}  // namespace racer

#endif  // RACER_CHECKER_SHRINK_H_
