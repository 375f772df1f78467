#include "symexec/field/prime_field.h"

#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/ulong_extras.h>

namespace racer {

uint64_t PrimeField::Pow(uint64_t a, uint64_t exponent) const {
  uint64_t result = 1 % p_;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = Mul(result, a);
    a = Mul(a, a);
  }
  return result;
}

std::optional<uint64_t> PrimeField::Inverse(uint64_t a) const {
  if (a == 0) return std::nullopt;
  return n_invmod(a, p_);
}

std::optional<uint64_t> PrimeField::FromRational(const Rational& value) const {
  uint64_t n = fmpz_fdiv_ui(fmpq_numref(value.raw()), p_);
  if (fmpz_is_one(fmpq_denref(value.raw())) != 0) return n;
  std::optional<uint64_t> d = Inverse(fmpz_fdiv_ui(fmpq_denref(value.raw()), p_));
  if (!d) return std::nullopt;
  return Mul(n, *d);
}

uint64_t RandomStream::Next() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

uint64_t RandomStream::Below(uint64_t bound) {
  uint64_t limit = ~uint64_t{0} - ~uint64_t{0} % bound;
  uint64_t x = Next();
  while (x >= limit) x = Next();
  return x % bound;
}

uint64_t RandomPrime(RandomStream& random) {
  while (true) {
    uint64_t candidate = ((uint64_t{1} << 60) | (random.Next() >> 4)) | 1;
    if (n_is_prime(candidate) != 0) return candidate;
  }
}

}  // namespace racer
