// Problems that are the same up to the names of their inputs.
#ifndef RACER_CHECKER_RENAMING_H_
#define RACER_CHECKER_RENAMING_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// Spells terms with their inputs numbered in order of first use. Two lists of terms have the same spelling exactly where a
// one-to-one renaming of input cells turns one into the other and every cell has the dtype and the range of the one that it
// stands for. What a solver is told about an input is that dtype and that range, so the same spelling is the same problem.
class Renaming {
 public:
  using Spelling = std::vector<uint32_t>;

  Renaming(const TermStore& store, const SymbolRanges& ranges);

  // Of all terms below the roots, in one numbering; nullopt beyond `max_nodes` distinct terms.
  std::optional<Spelling> Spell(std::initializer_list<TermId> roots, uint64_t max_nodes);

 private:
  uint32_t FactsOf(SymbolId symbol);

  const TermStore& store_;
  const SymbolRanges& ranges_;
  std::vector<uint32_t> facts_;  // by symbol, number + 1: symbols of one dtype and one range share it
  std::vector<SymbolId> facts_example_;
  std::map<Rational, uint32_t> reals_;
};

}  // namespace racer

#endif  // RACER_CHECKER_RENAMING_H_
