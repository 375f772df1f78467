// Which literals may be taken for the real number that they are the rounding of.
#ifndef RACER_IDIOMS_CONSTANTS_H_
#define RACER_IDIOMS_CONSTANTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"

namespace racer {

// The real number factor * sqrt(radicand), radicand >= 1 (1: rational).
struct NamedReal {
  std::string name;  // "1/384", "sqrt(128)", "1/sqrt(128)"
  Rational factor;
  uint64_t radicand = 1;
  double ulp_distance = 0;  // |literal - real| in units of the literal's last place, at most 0.5
};

// The real that the literal `bits` stands for, if it is the nearest value of `format` to 1/n, sqrt(n) or 1/sqrt(n) and not
// that number itself. n is 2..kSmallDenominator, or one of `denominators` (products of the contract's dims).
// Neighbouring values never lift to the same real: the nearest value is unique unless the real is a midpoint, and then
// only the even one is taken.
constexpr uint64_t kSmallDenominator = 4096;
std::optional<NamedReal> RealOfLiteral(FpFormat format, uint64_t bits, std::span<const uint64_t> denominators);

// The exact value of a finite pattern; nullopt for infinities and NaNs. Formats f16, bf16, f32 and f64.
std::optional<Rational> ExactValue(FpFormat format, uint64_t bits);

}  // namespace racer

#endif  // RACER_IDIOMS_CONSTANTS_H_
