// Exact rational numbers of any size (a value type over FLINT's fmpq).
#ifndef RACER_BASE_RATIONAL_H_
#define RACER_BASE_RATIONAL_H_

#include <flint/fmpq.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace racer {

class Rational {
 public:
  Rational() { fmpq_init(value_); }
  Rational(int64_t integer) : Rational() { fmpq_set_si(value_, integer, 1); }  // NOLINT(google-explicit-constructor)
  Rational(int64_t numerator, int64_t denominator);                            // denominator != 0
  Rational(const Rational& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    fmpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  // Exactly mantissa * 2^exponent.
  static Rational Dyadic(int64_t mantissa, int64_t exponent);
  // "3", "-3/4" or a decimal such as "1e-5" or "0.1" taken exactly; nullopt if it is none of these.
  static std::optional<Rational> Parse(const std::string& text);
  // The exact value of a finite double.
  static Rational FromDouble(double value);

  Rational operator+(const Rational& o) const;
  Rational operator-(const Rational& o) const;
  Rational operator*(const Rational& o) const;
  Rational operator/(const Rational& o) const;  // o != 0
  Rational operator-() const;
  Rational& operator+=(const Rational& o);
  Rational& operator*=(const Rational& o);
  Rational Inverse() const;  // *this != 0
  Rational Pow(int64_t exponent) const;

  bool operator==(const Rational& o) const { return fmpq_equal(value_, o.value_) != 0; }
  std::strong_ordering operator<=>(const Rational& o) const;
  bool IsZero() const { return fmpq_is_zero(value_) != 0; }
  bool IsOne() const { return fmpq_is_one(value_) != 0; }
  bool IsInteger() const;
  int Sign() const { return fmpq_sgn(value_); }
  std::optional<int64_t> ToInt64() const;  // nullopt unless an integer that fits
  double ToDouble() const;                 // nearest; for display and search only, never for proofs
  std::string ToString() const;
  size_t Hash() const;

  const fmpq_t& raw() const { return value_; }
  fmpq_t& raw() { return value_; }

 private:
  fmpq_t value_;
};

}  // namespace racer

#endif  // RACER_BASE_RATIONAL_H_
