// Identity testing of forms at random points of prime fields, and the exact test by clearing denominators.
#ifndef RACER_SYMEXEC_NORMAL_FINGERPRINT_H_
#define RACER_SYMEXEC_NORMAL_FINGERPRINT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "symexec/field/prime_field.h"
#include "symexec/normal/algebra.h"

namespace racer::normal {

// One random point in each of two prime fields (2^61 - 1, and one drawn from the seed). Every atom but an inverse is a free
// variable: a form that vanishes there vanishes, up to the error bound, whatever its roots and functions stand for. The
// converse does not hold for a form that has roots, magnitudes or powers of 2 inside a denominator (HasRelatedInInverse).
class Fingerprint {
 public:
  Fingerprint(const Algebra& algebra, uint64_t seed);

  enum class Answer : uint8_t { kZero, kNonZero, kUndefined };
  Answer Test(PolyId difference);
  // log2 of the probability that a form other than 0 of this degree passes both points.
  int ErrorLog2(PolyId difference) const;
  std::optional<uint64_t> Evaluate(PolyId form, int field);

 private:
  void Extend();

  const Algebra& algebra_;
  PrimeField fields_[2];
  RandomStream random_;
  std::vector<std::optional<uint64_t>> values_[2];  // by atom; an inverse atom holds the value of its form
};

enum class Cleared : uint8_t { kZero, kNonZero, kOverBudget };
// Multiplies by the forms under all inverses, innermost last, and looks whether nothing is left.
Cleared ClearDenominators(Algebra& algebra, PolyId difference, uint64_t max_terms);

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_FINGERPRINT_H_
