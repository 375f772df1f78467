// Literals that are roundings of what somebody meant, and differences that rest on nothing else.
#ifndef RACER_CHECKER_LITERALS_H_
#define RACER_CHECKER_LITERALS_H_

#include <functional>
#include <optional>
#include <vector>

#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// Floating-point literals below the roots that look rounded (symexec/bits/rounded_literal.h): most bits of their significand are used.
// 0.5, 0.125, 3 and 1000 are exact, as is every integer that the format tells from its neighbours; so are the neighbours of 0.5, 1 and
// the like (0.5000001), and all literals of less than 16 bits.
std::vector<TermId> RoundedLiterals(const TermStore& store, const std::vector<TermId>& roots);

// The sides certainly differ at the point. Whether they need not where each rounded literal may be one unit in its last place
// off: the difference is no larger than the sum of what each of them moves it by, or is gone once one of them has moved as far as all
// of them may. A literal has the same bits on both sides and moves on both. Empty where `out_of_budget` ended it.
std::optional<bool> RestsOnLiterals(const TermStore& store, TermId candidate, TermId reference, const InputPoint& point, int precision_bits,
                                    const std::function<bool()>& out_of_budget);

}  // namespace racer

#endif  // RACER_CHECKER_LITERALS_H_
