#include "base/rational.h"

#include <flint/fmpz.h>
#include <gmp.h>
#include <mpfr.h>

#include <cctype>
#include <cmath>

#include "base/check.h"

namespace racer {

Rational::Rational(int64_t numerator, int64_t denominator) : Rational() {
  RACER_CHECK(denominator != 0);
  fmpz_set_si(fmpq_numref(value_), numerator);
  fmpz_set_si(fmpq_denref(value_), denominator);
  fmpq_canonicalise(value_);
}

Rational Rational::Dyadic(int64_t mantissa, int64_t exponent) {
  Rational result(mantissa);
  if (exponent >= 0) {
    fmpq_mul_2exp(result.value_, result.value_, static_cast<flint_bitcnt_t>(exponent));
  } else {
    fmpq_div_2exp(result.value_, result.value_, static_cast<flint_bitcnt_t>(-exponent));
  }
  return result;
}

std::optional<Rational> Rational::Parse(const std::string& text) {
  // sign? digits* ('.' digits*)? ([eE] sign? digits+)?  |  sign? digits+ '/' digits+
  constexpr size_t kMaxLength = 400;
  constexpr int64_t kMaxExponent = 4000;
  if (text.empty() || text.size() > kMaxLength) return std::nullopt;
  size_t i = 0;
  bool negative = false;
  if (text[i] == '+' || text[i] == '-') negative = text[i++] == '-';
  auto digits = [&](std::string& out) {
    size_t begin = i;
    while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0) out += text[i++];
    return i - begin;
  };
  std::string number;
  size_t whole = digits(number);
  Rational result;
  if (i < text.size() && text[i] == '/') {
    ++i;
    std::string denominator;
    if (whole == 0 || digits(denominator) == 0 || i != text.size()) return std::nullopt;
    fmpz_set_str(fmpq_numref(result.value_), number.c_str(), 10);
    fmpz_set_str(fmpq_denref(result.value_), denominator.c_str(), 10);
    if (fmpz_is_zero(fmpq_denref(result.value_)) != 0) {
      fmpz_one(fmpq_denref(result.value_));
      return std::nullopt;
    }
    fmpq_canonicalise(result.value_);
    return negative ? -result : result;
  }
  int64_t exponent = 0;
  if (i < text.size() && text[i] == '.') {
    ++i;
    size_t fraction = digits(number);
    whole += fraction;
    exponent -= static_cast<int64_t>(fraction);
  }
  if (whole == 0) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool negative_exponent = false;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) negative_exponent = text[i++] == '-';
    std::string shown;
    size_t count = digits(shown);
    if (count == 0 || count > 6) return std::nullopt;
    int64_t value = std::stoll(shown);
    exponent += negative_exponent ? -value : value;
  }
  if (i != text.size() || exponent > kMaxExponent || exponent < -kMaxExponent) return std::nullopt;
  fmpz_set_str(fmpq_numref(result.value_), number.c_str(), 10);
  result = result * Rational(10).Pow(exponent);
  return negative ? -result : result;
}

Rational Rational::FromDouble(double value) {
  RACER_CHECK(std::isfinite(value));
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  return Dyadic(static_cast<int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

Rational Rational::operator+(const Rational& o) const {
  Rational r;
  fmpq_add(r.value_, value_, o.value_);
  return r;
}
Rational Rational::operator-(const Rational& o) const {
  Rational r;
  fmpq_sub(r.value_, value_, o.value_);
  return r;
}
Rational Rational::operator*(const Rational& o) const {
  Rational r;
  fmpq_mul(r.value_, value_, o.value_);
  return r;
}
Rational Rational::operator/(const Rational& o) const {
  RACER_CHECK(!o.IsZero());
  Rational r;
  fmpq_div(r.value_, value_, o.value_);
  return r;
}
Rational Rational::operator-() const {
  Rational r;
  fmpq_neg(r.value_, value_);
  return r;
}
Rational& Rational::operator+=(const Rational& o) {
  fmpq_add(value_, value_, o.value_);
  return *this;
}
Rational& Rational::operator*=(const Rational& o) {
  fmpq_mul(value_, value_, o.value_);
  return *this;
}
Rational Rational::Inverse() const {
  RACER_CHECK(!IsZero());
  Rational r;
  fmpq_inv(r.value_, value_);
  return r;
}
Rational Rational::Pow(int64_t exponent) const {
  RACER_CHECK(exponent >= 0 || !IsZero());
  Rational r;
  fmpq_pow_si(r.value_, value_, exponent);
  return r;
}

std::strong_ordering Rational::operator<=>(const Rational& o) const {
  int c = fmpq_cmp(value_, o.value_);
  return c < 0 ? std::strong_ordering::less : c > 0 ? std::strong_ordering::greater : std::strong_ordering::equal;
}

bool Rational::IsInteger() const { return fmpz_is_one(fmpq_denref(value_)) != 0; }

std::optional<int64_t> Rational::ToInt64() const {
  if (!IsInteger() || fmpz_fits_si(fmpq_numref(value_)) == 0) return std::nullopt;
  return fmpz_get_si(fmpq_numref(value_));
}

double Rational::ToDouble() const {
  mpfr_t m;
  mpfr_init2(m, 53);
  fmpq_get_mpfr(m, value_, MPFR_RNDN);
  double d = mpfr_get_d(m, MPFR_RNDN);
  mpfr_clear(m);
  return d;
}

std::string Rational::ToString() const {
  char* text = fmpq_get_str(nullptr, 10, value_);
  std::string result(text);
  flint_free(text);
  return result;
}

size_t Rational::Hash() const {
  auto hash = [](const fmpz_t z) -> size_t { return static_cast<size_t>(fmpz_fdiv_ui(z, 0xffffffffffffffc5ULL)); };
  return hash(fmpq_numref(value_)) * 0x9e3779b97f4a7c15ULL + hash(fmpq_denref(value_));
}

}  // namespace racer
