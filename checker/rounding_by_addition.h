// (x + 12582912) - 12582912: rounding to an integer by adding a number and taking it away again.
#ifndef RACER_CHECKER_ROUNDING_BY_ADDITION_H_
#define RACER_CHECKER_ROUNDING_BY_ADDITION_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "symexec/term/term.h"

namespace racer {

// Over the reals such a sum is x, and a kernel that rounds in this way would pass for one that does not round at all. Where a literal so
// large that a unit in its last place is a quarter or more is added and one of the other sign right after, the first sum is what its
// instruction makes of it: the literal and a multiple of that unit. That holds for x of moderate size, which is an assumption by name.
class RoundingByAddition {
 public:
  explicit RoundingByAddition(TermStore& store) : store_(store) {}
  RoundingByAddition(const RoundingByAddition&) = delete;
  RoundingByAddition& operator=(const RoundingByAddition&) = delete;

  // The term with such sums as roundings; itself where it has none.
  TermId Spelled(TermId term);
  // What Spelled has taken for granted so far.
  const std::set<std::string>& assumptions() const { return assumptions_; }

 private:
  // sign * a + literal, or sign * a * b + literal.
  struct Sum {
    TermId a = kNoTerm, b = kNoTerm;
    bool negative = false;
    double literal = 0;
  };
  std::optional<Sum> SumOf(TermId id) const;
  // The operand of `id` that is the sum to spell out, if `id` takes a literal away from it.
  std::optional<TermId> RoundedSum(TermId id) const;
  TermId Rounding(TermId sum, TermId a, TermId b);
  void Extend();

  TermStore& store_;
  std::vector<bool> within_;  // by TermId
  std::unordered_map<TermId, TermId> spelled_;
  std::set<std::string> assumptions_;
};

}  // namespace racer

#endif  // RACER_CHECKER_ROUNDING_BY_ADDITION_H_
