// (x + 12582912) - 12582912: rounding to an integer by adding a number and taking it away again.
#ifndef RACER_CHECKER_ROUNDING_BY_ADDITION_H_
#define RACER_CHECKER_ROUNDING_BY_ADDITION_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// Over the reals such a sum is x, and a kernel that rounds in this way would pass for one that does not round at all. Where a literal so
// large that a unit in its last place is a quarter or more is added and taken away further up, each rounding in between is what its
// instruction makes of it: a multiple of that unit. That holds for x of moderate size, which is an assumption by name; where that size is
// not moderate, or of one sign only, and nothing says so, nothing is to be proved.
class RoundingByAddition {
 public:
  RoundingByAddition(TermStore& store, const SymbolRanges& ranges) : store_(store), ranges_(ranges) {}
  RoundingByAddition(const RoundingByAddition&) = delete;
  RoundingByAddition& operator=(const RoundingByAddition&) = delete;

  // Whether the term has such a sum. Makes no terms.
  bool Within(TermId term);
  // The term with such sums as roundings; itself where it has none. Terms that a kernel makes later, and that stand in what has been
  // spelled by then, are not looked at: all of them have to be there before.
  TermId Spelled(TermId term);
  // Why nothing follows from two such terms that are equal; empty where it does. Of a term that Spelled was asked for.
  std::string Refusal(TermId term) const;
  // What Spelled has taken for granted so far.
  const std::set<std::string>& assumptions() const { return assumptions_; }

 private:
  // value, or a term that has this magnitude and a sign from elsewhere.
  struct Literal {
    TermId term = kNoTerm;  // the copysign
    double value = 0;
    bool rough = false;  // the value is about this
  };
  // A literal that a term is a sum with.
  struct Part {
    TermId term = kNoTerm;    // as in Literal
    TermId origin = kNoTerm;  // what has rounded it to a unit of a quarter or more
    double remaining = 0;     // of the literal
    double taken_at = 0;      // at no more than this, it has been taken away
    bool chosen = false;      // by a selection, or the other operand of min or max is something else
    bool crowded = false;     // there were more
    bool rough = false;       // the literal, or what it was multiplied by
  };
  using Parts = std::vector<Part>;
  // A rounded sum with a literal.
  struct Sum {
    Literal literal;
    bool unsure = false;  // of the literal, or of the rounding
  };
  struct Spelling {
    TermId rounded = kNoTerm;
    TermId as_written = kNoTerm;  // what is not to be rounded itself
    std::string refusal;
  };
  struct Interval {
    double low, high;
  };

  std::optional<Literal> LiteralOf(TermId id) const;  // of what has been visited
  std::optional<Literal> ReadLiteral(TermId id) const;
  std::optional<Literal> ReadOperation(TermId id) const;  // on literals
  std::optional<Literal> BaseOfPattern(TermId id) const;
  // LiteralOf, unless the literal is rough and too small to round anything: then it is a term like any other.
  std::optional<Literal> SummandOf(TermId id) const;
  static const Part& Largest(const Parts& parts);  // not empty
  // Adds the parts of another operand of a sum.
  static void AddUp(Parts& parts, Parts others);
  const Parts& PartsOf(TermId id) const;
  void Extend();
  void Visit(TermId id);
  void VisitOperation(TermId id);
  void VisitArithmetic(TermId id);
  // `id` rounds a sum; `exact`: what it adds to is a multiple of that unit already, and so is what it adds.
  void Round(TermId id, Parts& parts, const std::optional<Literal>& added, double sum, TermId operand, bool exact);
  void Keep(TermId id, Parts parts);
  Interval RangeOf(TermId id, unsigned depth) const;
  // Empty where the sum keeps to the numbers of one unit.
  std::string LeavesUnit(TermId id, const Sum& sum) const;
  void Spell(TermId id);

  TermStore& store_;
  const SymbolRanges& ranges_;
  size_t seen_ = 1;                       // 0 is kNoTerm
  std::vector<bool> within_, made_here_;  // by TermId
  std::unordered_map<TermId, Literal> literals_;
  std::unordered_map<TermId, Parts> parts_;  // of those that have any
  std::unordered_map<TermId, Sum> sums_;     // that may be roundings
  std::set<TermId> taken_;                   // of sums_: the literal is taken away again
  std::unordered_map<TermId, Spelling> spelled_;
  std::set<std::string> assumptions_;
};

}  // namespace racer

#endif  // RACER_CHECKER_ROUNDING_BY_ADDITION_H_
