#include "symexec/ball/dtype.h"

#include <flint/fmpz.h>

#include <algorithm>

#include "base/check.h"
#include "symexec/ball/decode.h"

namespace racer {

bool IsEmpty(const SymbolRange& range) {
  if (!range.low || !range.high) return false;
  return *range.low > *range.high || (*range.low == *range.high && (range.low_open || range.high_open));
}

bool InRange(const SymbolRange& range, const Rational& value) {
  if (range.low && (value < *range.low || (range.low_open && value == *range.low))) return false;
  if (range.high && (value > *range.high || (range.high_open && value == *range.high))) return false;
  return true;
}

Dtype::Dtype(ScalarType type) : type_(type), is_float_(IsFloat(type)), format_(is_float_ ? FormatOf(type) : FpFormat::kF32) {
  RACER_CHECK(BitWidth(type) >= 1 && BitWidth(type) <= 64);
}

unsigned Dtype::exact_bits() const { return is_float_ ? PrecisionBits(format_) : BitWidth(type_) - (IsSigned(type_) ? 1 : 0); }

Rational Dtype::Lowest() const { return IsSigned(type_) ? -Rational::Dyadic(1, BitWidth(type_) - 1) : Rational(0); }

Rational Dtype::Highest() const { return Rational::Dyadic(1, BitWidth(type_) - (IsSigned(type_) ? 1 : 0)) - Rational(1); }

std::optional<std::pair<uint64_t, uint64_t>> Dtype::IntegerEnds(const SymbolRange& range) const {
  RACER_CHECK(!is_float_);
  Rational low = Lowest(), high = Highest();
  if (range.low) {
    Rational least;
    fmpz_cdiv_q(fmpq_numref(least.raw()), fmpq_numref(range.low->raw()), fmpq_denref(range.low->raw()));
    if (range.low_open && least == *range.low) least += Rational(1);
    low = std::max(low, least);
  }
  if (range.high) {
    Rational greatest;
    fmpz_fdiv_q(fmpq_numref(greatest.raw()), fmpq_numref(range.high->raw()), fmpq_denref(range.high->raw()));
    if (range.high_open && greatest == *range.high) greatest += Rational(-1);
    high = std::min(high, greatest);
  }
  if (low > high) return std::nullopt;
  return std::make_pair(IntegerPattern(low), IntegerPattern(high));
}

std::optional<Rational> Dtype::ValueOf(uint64_t bits) const {
  if (is_float_) return FiniteValue(format_, bits);
  Rational value;
  fmpz_set_ui(fmpq_numref(value.raw()), bits);
  if (IsSigned(type_) && value > Highest()) value = value - Rational::Dyadic(1, BitWidth(type_));
  return value;
}

std::optional<uint64_t> Dtype::Exact(const Rational& value) const {
  if (is_float_) return EncodeExact(format_, value);
  if (!value.IsInteger() || value < Lowest() || value > Highest()) return std::nullopt;
  return IntegerPattern(value);
}

std::optional<uint64_t> Dtype::Near(const Rational& value) const {
  if (is_float_) return EncodeNearest(format_, value);
  Rational integer;
  fmpz_fdiv_q(fmpq_numref(integer.raw()), fmpq_numref(value.raw()), fmpq_denref(value.raw()));
  return IntegerPattern(std::clamp(integer, Lowest(), Highest()));
}

std::optional<uint64_t> Dtype::NearestInRange(const SymbolRange& range, const Rational& value) const {
  const std::optional<uint64_t> near = Near(value);
  if (!near) return std::nullopt;
  const uint64_t mask = ~uint64_t{0} >> (64 - (is_float_ ? FormatWidth(format_) : BitWidth(type_)));
  // tf32 keeps 13 unused bits.
  const uint64_t step = is_float_ && format_ == FpFormat::kTF32 ? uint64_t{1} << 13 : 1;
  for (uint64_t bits : {*near, (*near - step) & mask, (*near + step) & mask}) {
    const std::optional<Rational> candidate = ValueOf(bits);
    if (candidate && InRange(range, *candidate)) return bits;
  }
  return std::nullopt;
}

uint64_t Dtype::IntegerPattern(const Rational& value) const {
  fmpz_t n;
  fmpz_init(n);
  fmpz_fdiv_r_2exp(n, fmpq_numref(value.raw()), BitWidth(type_));
  const uint64_t bits = fmpz_get_ui(n);
  fmpz_clear(n);
  return bits;
}

}  // namespace racer
