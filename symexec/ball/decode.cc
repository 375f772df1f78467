#include "symexec/ball/decode.h"

#include <flint/fmpz.h>

#include <algorithm>

#include "base/check.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

// Low bits of a tf32 register that carry no meaning.
unsigned UnusedBits(FpFormat format) { return format == FpFormat::kTF32 ? 13 : 0; }

unsigned FractionBits(FpFormat format) { return LayoutOf(format).fraction_bits - UnusedBits(format); }

// floor(log2 |q|) for q != 0.
slong FloorLog2(const fmpz_t numerator, const fmpz_t denominator) {
  slong e = static_cast<slong>(fmpz_bits(numerator)) - static_cast<slong>(fmpz_bits(denominator));
  // 2^(e-1) < |q| < 2^(e+1); decide whether |q| >= 2^e.
  fmpz_t scaled;
  fmpz_init(scaled);
  int order = 0;
  if (e >= 0) {
    fmpz_mul_2exp(scaled, denominator, static_cast<ulong>(e));
    order = fmpz_cmpabs(numerator, scaled);
  } else {
    fmpz_mul_2exp(scaled, numerator, static_cast<ulong>(-e));
    order = fmpz_cmpabs(scaled, denominator);
  }
  fmpz_clear(scaled);
  return order >= 0 ? e : e - 1;
}

// |q| * 2^-quantum rounded to an integer, ties to even.
uint64_t RoundedMultiple(const Rational& q, slong quantum) {
  fmpz_t n, d, quotient, remainder;
  fmpz_init(n);
  fmpz_init(d);
  fmpz_init(quotient);
  fmpz_init(remainder);
  fmpz_abs(n, fmpq_numref(q.raw()));
  fmpz_set(d, fmpq_denref(q.raw()));
  if (quantum >= 0)
    fmpz_mul_2exp(d, d, static_cast<ulong>(quantum));
  else
    fmpz_mul_2exp(n, n, static_cast<ulong>(-quantum));
  fmpz_fdiv_qr(quotient, remainder, n, d);
  fmpz_mul_2exp(remainder, remainder, 1);
  const int order = fmpz_cmp(remainder, d);
  uint64_t result = fmpz_get_ui(quotient);
  if (order > 0 || (order == 0 && (result & 1) != 0)) ++result;
  fmpz_clear(n);
  fmpz_clear(d);
  fmpz_clear(quotient);
  fmpz_clear(remainder);
  return result;
}

}  // namespace

DecodedFp DecodeFp(FpFormat format, uint64_t bits) {
  const FormatLayout layout = LayoutOf(format);
  bits &= ~uint64_t{0} >> (64 - FormatWidth(format));
  DecodedFp result;
  result.negative = (bits >> layout.sign_bit() & 1) != 0;
  const uint64_t padding = layout.sign_bit() < 63 && format != FpFormat::kUE8M0 ? bits >> (layout.sign_bit() + 1) : 0;
  if (padding != 0 || (bits & ((uint64_t{1} << UnusedBits(format)) - 1)) != 0) {
    result.kind = DecodedFp::Kind::kUnspecified;
  } else if (const std::optional<Dyadic> value = Decode(format, bits)) {
    result.kind = DecodedFp::Kind::kFinite;
    result.mantissa = value->mantissa;
    result.exponent = value->exponent;
  } else {
    const bool no_fraction = (bits & ((uint64_t{1} << layout.fraction_bits) - 1)) == 0;
    result.kind = no_fraction ? DecodedFp::Kind::kInfinite : DecodedFp::Kind::kNan;
  }
  return result;
}

std::optional<Rational> FiniteValue(FpFormat format, uint64_t bits) {
  const DecodedFp decoded = DecodeFp(format, bits);
  if (decoded.kind != DecodedFp::Kind::kFinite) return std::nullopt;
  const int64_t mantissa = static_cast<int64_t>(decoded.mantissa);  // at most 53 bits
  return Rational::Dyadic(decoded.negative ? -mantissa : mantissa, decoded.exponent);
}

std::optional<uint64_t> EncodeNearest(FpFormat format, const Rational& value) {
  if (format == FpFormat::kUE8M0) return std::nullopt;
  if (value.IsZero()) return 0;
  const int bias = LayoutOf(format).bias;
  const slong fraction_bits = FractionBits(format);
  const uint64_t sign = value.Sign() < 0 ? uint64_t{1} << LayoutOf(format).sign_bit() : 0;
  slong exponent = FloorLog2(fmpq_numref(value.raw()), fmpq_denref(value.raw()));
  if (exponent > bias + 1) return std::nullopt;
  // Below half of the smallest subnormal everything is zero; the cut keeps the shift below small.
  if (exponent < -bias - fraction_bits) return sign;
  exponent = std::max<slong>(exponent, 1 - bias);
  const uint64_t significand = RoundedMultiple(value, exponent - fraction_bits);
  // A carry out of the significand, or from subnormal to normal, moves into the exponent field by itself.
  const uint64_t magnitude = (static_cast<uint64_t>(exponent + bias - 1) << fraction_bits) + significand;
  const uint64_t pattern = magnitude << UnusedBits(format);
  if (pattern >> LayoutOf(format).sign_bit() != 0 || DecodeFp(format, pattern).kind != DecodedFp::Kind::kFinite) return std::nullopt;
  return sign | pattern;
}

std::optional<uint64_t> EncodeExact(FpFormat format, const Rational& value) {
  std::optional<uint64_t> bits = EncodeNearest(format, value);
  if (bits && *FiniteValue(format, *bits) != value) return std::nullopt;
  return bits;
}

std::string QuantiserName(FpFormat format, bool satfinite) {
  return "to_" + std::string(Spelling(format)) + (satfinite ? ".satfinite" : "");
}

std::optional<Rational> Quantise(FpFormat format, Rounding rounding, bool satfinite, const Rational& value) {
  RACER_CHECK(IsNarrow(format));
  if (format == FpFormat::kUE8M0) {
    // 2^-127 stands for zero and all below it; the sign is dropped.
    constexpr slong kLeast = -127, kLargest = 127;
    if (rounding != Rounding::kRz && rounding != Rounding::kRp) return std::nullopt;
    slong power = value.IsZero() ? kLeast : FloorLog2(fmpq_numref(value.raw()), fmpq_denref(value.raw()));
    if (power < kLeast) return Rational::Dyadic(1, kLeast);
    const bool exact = value.IsZero() || value == Rational::Dyadic(value.Sign(), power);
    if (rounding == Rounding::kRp && !exact) ++power;
    if (power > kLargest && !satfinite) return std::nullopt;
    return Rational::Dyadic(1, std::min(power, kLargest));
  }
  if (rounding != Rounding::kRn) return std::nullopt;
  if (const std::optional<uint64_t> bits = EncodeNearest(format, value)) return FiniteValue(format, *bits);
  if (!satfinite) return std::nullopt;
  // The largest finite value: below the infinity or the NaN, if there is one.
  const FormatLayout layout = LayoutOf(format);
  uint64_t largest = (uint64_t{1} << layout.sign_bit()) - 1;
  if (layout.has_infinity)
    largest = largest - (uint64_t{1} << layout.fraction_bits);
  else if (layout.has_nan)
    --largest;
  const Rational limit = *FiniteValue(format, largest);
  return value.Sign() < 0 ? -limit : limit;
}

unsigned PrecisionBits(FpFormat format) { return FractionBits(format) + 1; }

}  // namespace racer
