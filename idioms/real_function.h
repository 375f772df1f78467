// The real function that a piece of code stands for, as a small formula.
#ifndef RACER_IDIOMS_REAL_FUNCTION_H_
#define RACER_IDIOMS_REAL_FUNCTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_frontend/isa/fp.h"
#include "symexec/term/term.h"

namespace racer {

// Numbers, x, y and z, + - * /, parentheses, and exp, log, erf, pow, ex2, lg2, sin, cos, tanh, sqrt, rsqrt, rcp of them: "log(1 + x)".
class RealFunction {
 public:
  // nullopt for any other text.
  static std::optional<RealFunction> Parse(std::string_view text);

  // The function of these values (x, y, z) as terms of the format. Functions of an argument are marked as approximations with the bounds of
  // library code (ptx_frontend/isa/fp.h); those of numbers alone, which no code computes, as exact.
  TermId Build(TermStore& store, FpFormat format, bool ftz, const std::vector<TermId>& values) const;
  unsigned argument_count() const { return argument_count_; }

 private:
  struct Step {
    enum class Kind : uint8_t { kNumber, kArgument, kOperation } kind = Kind::kNumber;
    int64_t number = 0;
    unsigned argument = 0;
    FpKind operation = FpKind::kAdd;
    bool of_numbers = false;  // no argument below it
  };
  struct Parser;

  std::vector<Step> steps_;  // operands before operations
  unsigned argument_count_ = 0;
};

}  // namespace racer

#endif  // RACER_IDIOMS_REAL_FUNCTION_H_
