// Undefined values that no output depends on.
#ifndef RACER_CHECKER_UNDEFINED_H_
#define RACER_CHECKER_UNDEFINED_H_

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checker/renaming.h"
#include "symexec/smt/smt.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// v / ((v & 3) + 1) is undefined where the divisor is zero, which it never is: the undefined value stands in the arm of a
// selection that is never taken. Asks the solver whether a term is the same whatever its undefined values are, and drops them.
class UndefinedValues {
 public:
  UndefinedValues(TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cell_counts)
      : store_(store), ranges_(ranges), cell_counts_(cell_counts), renaming_(store, ranges) {}

  // The term without undefined values; nullopt where it may depend on them, or the solver may not be asked any more.
  std::optional<TermId> Without(TermId term);

 private:
  bool Independent(TermId term);
  TermId Drop(TermId term);

  TermStore& store_;
  const SymbolRanges& ranges_;
  const std::vector<uint64_t>& cell_counts_;
  Renaming renaming_;
  std::map<Renaming::Spelling, bool> answers_;  // terms equal up to renaming are asked about once
  std::unordered_map<TermId, TermId> dropped_;
  unsigned queries_ = 0;
};

}  // namespace racer

#endif  // RACER_CHECKER_UNDEFINED_H_
