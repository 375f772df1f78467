// Where what hardware computes may part from the real value: operations that round.
#ifndef RACER_SYMEXEC_TERM_ROUNDED_H_
#define RACER_SYMEXEC_TERM_ROUNDED_H_

#include <vector>

#include "symexec/term/term.h"

namespace racer {

// For each term of the store: an R term that hardware may hold with another value than its real one, as an operation at or below
// it rounds or flushes. Exact are inputs, literals, patterns, widenings, short integers, signs, selections, extrema and clamps,
// and an exact value rounded to an integer. How a selection was decided or a pattern was made is another matter.
std::vector<bool> RoundedTerms(const TermStore& store);

// A conversion between floating-point formats that may lose digits.
bool IsNarrowing(const TermStore& store, TermId id);

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_ROUNDED_H_
