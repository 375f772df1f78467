// What is known about the inputs: ranges of symbols, and concrete points.
#ifndef RACER_SYMEXEC_TERM_INPUTS_H_
#define RACER_SYMEXEC_TERM_INPUTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "symexec/term/term.h"

namespace racer {

// Every cell of the symbol lies in the interval; a missing end is unbounded.
struct SymbolRange {
  std::optional<Rational> low, high;
  bool low_open = false, high_open = false;  // excluded ends
};
using SymbolRanges = std::vector<SymbolRange>;  // indexed by SymbolId; shorter: the rest is unbounded

// A bit pattern (of the symbol's dtype) for every input cell: indexed by SymbolId, then cell.
struct InputPoint {
  std::vector<std::vector<uint64_t>> bits;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_INPUTS_H_
