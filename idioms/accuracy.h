// How far the code of a template is from its real function, as the Bits machine runs it.
#ifndef RACER_IDIOMS_ACCURACY_H_
#define RACER_IDIOMS_ACCURACY_H_

#include <cstdint>
#include <vector>

#include "idioms/idiom_template.h"
#include "symexec/ball/real_ops.h"
#include "symexec/term/term.h"

namespace racer {

// Measures one point after the other. The code is run step by step, with approximate instructions as their functions rounded; the judge of
// the true value is Arb.
class IdiomAccuracy {
 public:
  explicit IdiomAccuracy(const IdiomTemplate& idiom);

  struct Point {
    enum class Kind : uint8_t {
      kOutside,    // an input is no number (or flushed), or the function's value overflows or underflows: nothing is claimed
      kMeasured,   // ulps
      kUndefined,  // the function has no value there, and the code gives none either
      kWrong,      // a number where there is none, or none where there is one
    } kind = Kind::kOutside;
    double ulps = 0;  // an upper bound of the error, in units of the last place that the true value has in the output's format
    uint64_t bits = 0;
  };
  // Patterns of the inputs.
  Point At(const std::vector<uint64_t>& inputs);

 private:
  uint64_t Run(const std::vector<uint64_t>& inputs);
  const RealValue& True(const std::vector<uint64_t>& inputs);

  const IdiomTemplate& idiom_;
  std::vector<uint64_t> bits_;  // by the template's terms
  TermStore formula_;
  std::vector<TermId> arguments_;
  TermId result_;
  std::vector<RealValue> values_;  // by the formula's terms
};

}  // namespace racer

#endif  // RACER_IDIOMS_ACCURACY_H_
