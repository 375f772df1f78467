// One query as it reaches the solver process.
#ifndef RACER_SYMEXEC_SMT_QUERY_H_
#define RACER_SYMEXEC_SMT_QUERY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

struct SmtQuery {
  const TermStore& store;
  const SymbolRanges& ranges;
  std::vector<TermId> terms;  // everything reachable from a and b, operands first; nothing that EncodableReason refuses
  TermId a, b;
  bool about_undefined;  // asks whether `a` depends on undefined values; b is a. Otherwise there are none
  bool rounded_unknown;  // comparisons and roundings to integers see rounded values as unknowns, and not their real values
  bool gates_only;       // no value, no product, no quotient: one strategy of the solver fits such queries
  unsigned rlimit;       // Z3's resource count
  unsigned timeout_ms;   // honoured loosely; the parent's kill is what holds
  unsigned memory_megabytes;
};

// Runs Z3 in this process (to be called in the child) and returns the answer as text:
//   "proved" | "unknown REASON" | "counterexample" and then a line "SYMBOL CELL VALUE" for each input cell of the query, where
//   VALUE is a rational number (floating-point cells) or a pattern in decimal (integer cells).
std::string SolveHere(const SmtQuery& query);

}  // namespace racer

#endif  // RACER_SYMEXEC_SMT_QUERY_H_
