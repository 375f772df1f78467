// Equality over the reals by canonical form: steps 1, 2, 3 and 5 of the cascade.
#ifndef RACER_SYMEXEC_NORMAL_NORMAL_H_
#define RACER_SYMEXEC_NORMAL_NORMAL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "symexec/normal/constant_table.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// One entry of the constant ledger: a literal taken for the real number that it is the rounding of.
struct LiftedConstant {
  FpFormat format = FpFormat::kF32;
  uint64_t bits = 0;        // of the literal
  std::string real;         // "1/384", "1/sqrt(128)"
  double ulp_distance = 0;  // |literal - real| in units of the literal's last place
  uint32_t origin = 0;      // TermStore origin of the literal's term
};

struct NormalOptions {
  const ConstantTable* constants = nullptr;        // literals that may be lifted; outlives the normalizer. Null: none
  uint64_t max_monomials = uint64_t{1} << 22;      // of one canonical form
  uint64_t max_product_terms = uint64_t{1} << 20;  // of one cross-multiplication
  uint64_t seed = 1;
};

struct ProofOutcome {
  enum class Status : uint8_t {
    kProved,         // equal for every input at which both sides are defined, and defined at the same inputs
    kNotEqual,       // the forms differ at random field points: look for a witness (this is no proof of difference)
    kProbablyEqual,  // equal at `field_points` random points of the prime field; error <= 2^error_log2
    kUnknown,        // reason
  } status = Status::kUnknown;
  std::string step{};    // "same_term", "canonical", "lifted_constants", "cross_multiplication"
  std::string reason{};  // kUnknown: what was tried and which limit ended it; a definedness mismatch is named here
  int error_log2 = 0;
  bool sums_kept = false;  // not proved with sums as atoms, and they were not multiplied out (Effort::kQuick)
};

// kQuick leaves out what may take minutes: multiplying out products of long sums.
enum class Effort : uint8_t { kQuick, kFull };

// Decides pairs of R terms (or B terms that are bits of R terms) of one store. Keeps canonical forms of shared
// subterms, so deciding all cells of a launch costs time linear in the number of distinct terms.
class Normalizer {
 public:
  Normalizer(const TermStore& store, const SymbolRanges& ranges, const NormalOptions& options);
  ~Normalizer();

  ProofOutcome ProveEqual(TermId a, TermId b, Effort effort = Effort::kFull);
  // The same of B terms as numbers. Their floating-point values have their roundings ignored, which a conversion to an integer below may
  // show: what that proves is up to the caller.
  ProofOutcome ProveIntegersEqual(TermId a, TermId b);
  // Whether a comparison or a rounding to an integer at or below the term comes out by how literals are read, as their exact values or as
  // what they round: no proof may rest on one. Never without a table of constants.
  bool DependsOnReading(TermId term);
  // Constants lifted by proofs so far, each literal once. Empty without a table.
  const std::vector<LiftedConstant>& ledger() const;
  // The canonical form in readable mathematics, cut to about `max_terms` monomials.
  std::string Describe(TermId a, size_t max_terms = 12);
  // Ops over the reals that stand for an approximation or an uninterpreted function in what was proved, for the report.
  std::vector<std::string> UninterpretedFunctions() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_NORMAL_NORMAL_H_
