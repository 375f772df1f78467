// Arithmetic in a prime field of about 61 bits, and the random stream that picks points in it.
#ifndef RACER_SYMEXEC_FIELD_PRIME_FIELD_H_
#define RACER_SYMEXEC_FIELD_PRIME_FIELD_H_

#include <cstdint>
#include <optional>

#include "base/rational.h"

namespace racer {

constexpr uint64_t kMersenne61 = (uint64_t{1} << 61) - 1;

class PrimeField {
 public:
  explicit PrimeField(uint64_t prime) : p_(prime) {}  // a prime below 2^62

  uint64_t prime() const { return p_; }
  uint64_t Add(uint64_t a, uint64_t b) const {
    uint64_t s = a + b;
    return s >= p_ ? s - p_ : s;
  }
  uint64_t Sub(uint64_t a, uint64_t b) const { return a >= b ? a - b : a + p_ - b; }
  uint64_t Mul(uint64_t a, uint64_t b) const { return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % p_); }
  uint64_t Pow(uint64_t a, uint64_t exponent) const;
  std::optional<uint64_t> Inverse(uint64_t a) const;                  // nullopt for 0
  std::optional<uint64_t> FromRational(const Rational& value) const;  // nullopt if p divides the denominator

 private:
  uint64_t p_;
};

// splitmix64: a small generator whose stream is part of racer's output (same seed, same bytes).
class RandomStream {
 public:
  explicit RandomStream(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  uint64_t Below(uint64_t bound);  // uniform in [0, bound)

 private:
  uint64_t state_;
};

// A prime in [2^60, 2^61) chosen by `random`: fixed primes could be hit on purpose by the coefficients of an input file.
uint64_t RandomPrime(RandomStream& random);

}  // namespace racer

#endif  // RACER_SYMEXEC_FIELD_PRIME_FIELD_H_
