// What a proof over the reals takes for granted where the roundings of hardware are discontinuous.
#ifndef RACER_CHECKER_ROUNDINGS_H_
#define RACER_CHECKER_ROUNDINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "symexec/term/term.h"

namespace racer {

// Where roundings are small their effect usually is, too. It is not behind a comparison (or the sign of a value, or a conversion to
// an integer), and not where what is left of a value is its own rounding.
class Roundings {
 public:
  // Of a term and everything below it.
  struct Traits {
    bool compares_rounded = false;  // a comparison of computed values, whose outcome shows
    bool to_integer = false;        // a floating-point value is rounded to an integer
    bool decides_rounded = false;   // either of them, of a value that hardware may hold with another value than its real one
    bool residual = false;          // a value minus its own narrowing conversion
    bool floating_input = false;    // an input that is floating point, or taken for it
    uint32_t quantised = 0;         // conversions to narrow formats, a bit for each function

    Traits operator|(const Traits& o) const {
      return {compares_rounded || o.compares_rounded, to_integer || o.to_integer,
              decides_rounded || o.decides_rounded,   residual || o.residual,
              floating_input || o.floating_input,     quantised | o.quantised};
    }
  };

  // Names of the functions of Traits::quantised, as canonical forms name them.
  static std::vector<std::string> QuantiserNames(uint32_t quantised);

  explicit Roundings(const TermStore& store) : store_(store) {}
  Traits Of(TermId term);

 private:
  void Build();
  Traits OfNode(TermId id) const;
  const Traits& At(TermId id) const { return traits_[static_cast<size_t>(id)]; }
  bool DecidesOn(TermId id) const;
  bool IsContinuousSelection(TermId id) const;
  bool IsResidual(TermId id) const;

  const TermStore& store_;
  std::vector<bool> rounded_;
  std::vector<Traits> traits_;  // by term; built at the first question
};

}  // namespace racer

#endif  // RACER_CHECKER_ROUNDINGS_H_
