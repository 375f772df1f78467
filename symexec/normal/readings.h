// Comparisons that the reading of a literal settles.
#ifndef RACER_SYMEXEC_NORMAL_READINGS_H_
#define RACER_SYMEXEC_NORMAL_READINGS_H_

#include <cstdint>
#include <vector>

#include "symexec/normal/canonical.h"
#include "symexec/normal/constant_table.h"
#include "symexec/term/term.h"

namespace racer::normal {

// A literal is its exact value in one canonical form and the real number that it rounds in another one; either may prove two sides equal.
// Both are good where the sides are continuous in it. In `x * 0f3EAAAAAB == x / 3` the first says never and the second always, and a
// device, which rounds both, says either: what follows from such a comparison is not proved.
class Readings {
 public:
  // All outlive it.
  Readings(const TermStore& store, Algebra& algebra, Canonicalizer& exact, Canonicalizer& lifted, const ConstantTable& constants)
      : store_(store), algebra_(algebra), exact_(exact), lifted_(lifted), constants_(constants) {}

  // Whether at or below the term a comparison, a conversion to an integer, or the sign of a divisor, of what is under a root or of what
  // copysign takes it from comes out otherwise, or for other inputs alone, by how literals are read.
  bool Differ(TermId term);

 private:
  struct State {
    bool known = false, literal = false, differs = false;
  };
  State& At(TermId id) { return states_[static_cast<size_t>(id)]; }
  State Look(TermId id);
  bool ComparisonDiffers(TermId comparison);
  bool QuantisationDiffers(TermId conversion);
  bool SignDiffers(TermId operand);
  bool RoundingDiffers(TermId operand, Rounding rounding);

  const TermStore& store_;
  Algebra& algebra_;
  Canonicalizer& exact_;
  Canonicalizer& lifted_;
  const ConstantTable& constants_;
  std::vector<State> states_;  // by TermId
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_READINGS_H_
