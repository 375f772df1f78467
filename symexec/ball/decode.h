// Floating-point bit patterns as exact numbers, and back.
#ifndef RACER_SYMEXEC_BALL_DECODE_H_
#define RACER_SYMEXEC_BALL_DECODE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

// A finite value is (-1)^negative * mantissa * 2^exponent, exactly.
struct DecodedFp {
  enum class Kind : uint8_t {
    kFinite,
    kInfinite,
    kNan,
    // A tf32 register whose low 13 bits, or an e2m3 or e3m2 byte whose upper 2 are not zero: the manual leaves its value open.
    kUnspecified,
  } kind = Kind::kNan;
  bool negative = false;
  uint64_t mantissa = 0;
  int exponent = 0;
};

// The value of a pattern (IEEE 754; e4m3 and e5m2 as in the OCP 8-bit specification, e2m1, e2m3, e3m2 and ue8m0 as in the
// OCP microscaling specification, tf32 as in the PTX ISA manual, "Alternate
// Floating-Point Data Formats"). Bits above the format's width are ignored.
DecodedFp DecodeFp(FpFormat format, uint64_t bits);

// The exact value of a finite pattern; nullopt for every other kind.
std::optional<Rational> FiniteValue(FpFormat format, uint64_t bits);

// The pattern nearest to `value`, ties to even; nullopt where that would overflow, and for ue8m0. Zero is +0.
std::optional<uint64_t> EncodeNearest(FpFormat format, const Rational& value);

// The pattern whose value is exactly `value`, or nullopt.
std::optional<uint64_t> EncodeExact(FpFormat format, const Rational& value);

// What cvt makes of a real number in a narrow format; nullopt where that is no number (overflow without .satfinite) and for
// roundings that the format does not have. Monotonic in `value`, for ue8m0 in its magnitude.
std::optional<Rational> Quantise(FpFormat format, Rounding rounding, bool satfinite, const Rational& value);

// That function in reports: "to_e4m3.satfinite".
std::string QuantiserName(FpFormat format, bool satfinite);

// Digits of precision p of the format: its significand holds every integer up to 2^p.
unsigned PrecisionBits(FpFormat format);

}  // namespace racer

#endif  // RACER_SYMEXEC_BALL_DECODE_H_
