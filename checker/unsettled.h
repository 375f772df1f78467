// What a kernel decides on constants alone, where devices may decide otherwise than real numbers.
#ifndef RACER_CHECKER_UNSETTLED_H_
#define RACER_CHECKER_UNSETTLED_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "symexec/machine/closed_terms.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// floor(div.approx(3 * 41, 41)) is 3 over the reals and 2 on some devices: whatever the inputs are, so no proof may count it as 3. It is
// the same number on both sides all the same. A decision is unsettled where it has no inputs, or its operand has none for some of them
// (a selection or an extremum), is not continuous (a comparison, a conversion to an integer or a narrow format, the sign under a root or of
// a divisor), and rounding or an approximation may turn it. So is a number made of constants that roundings make another one of.
class Unsettled {
 public:
  // `ranges` and `cell_counts` are by symbol, and get the symbols that are added.
  Unsettled(TermStore& store, SymbolRanges& ranges, std::vector<uint64_t>& cell_counts)
      : store_(store), ranges_(ranges), cell_counts_(cell_counts), closed_(store) {}
  Unsettled(const Unsettled&) = delete;
  Unsettled& operator=(const Unsettled&) = delete;

  // Whether there is such a decision at or below the term.
  bool Within(TermId term);
  // Whether one of them is more than a number. Of a term that Within was asked for.
  bool HasDecision(TermId term) const { return has_decision_[static_cast<size_t>(term)]; }
  // An outermost one, where there is one.
  TermId In(TermId term) const;
  // The term with an input of its own for every outermost one, or for the operand whose sign one depends on: what is equal for all values
  // of these inputs is equal on every device.
  TermId Replaced(TermId term);

 private:
  // Looks at what the store has got since.
  void Extend();
  bool IsDecision(TermId id) const;
  bool HasUnsettledArm(TermId decision);
  // Terms without inputs that the term may come to; more than kMostArms where there are more.
  const std::vector<TermId>& ArmsOf(TermId term);
  // Of a term whose operands' arms are known.
  std::vector<TermId> MakeArms(TermId term);
  std::vector<TermId> ArmsOfBits(TermId term) const;
  bool IsUnsettled(TermId id);
  // For the operand whose sign decides.
  TermId StandInFor(TermId operand);
  bool MayBeNoNumber(TermId decision);
  TermId InputFor(TermId decision);
  TermId FreshInput(ScalarType type);
  TermId One(FpFormat format);

  TermStore& store_;
  SymbolRanges& ranges_;
  std::vector<uint64_t>& cell_counts_;
  ClosedTerms closed_;
  std::vector<bool> has_input_, within_, has_decision_, unsettled_;  // by TermId
  std::map<ScalarType, SymbolId> symbols_;
  std::unordered_map<TermId, TermId> replaced_, stand_ins_;
  std::unordered_map<TermId, std::vector<TermId>> arms_;
};

}  // namespace racer

#endif  // RACER_CHECKER_UNSETTLED_H_
