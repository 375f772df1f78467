// The prime fields that the Field domain computes in, in Montgomery form.
//
// Two pairs of primes, p = 2q + 1 below 2^61 with p = 7 mod 8, so that 2 is a square and has order q: exponents live in Z_q,
// and 2^a of an exponent a is 2 raised to it in Z_p. 2^(a + b) = 2^a * 2^b and 2^(a + 1) = 2 * 2^a hold.
#ifndef RACER_SYMEXEC_FIELD_MODULAR_H_
#define RACER_SYMEXEC_FIELD_MODULAR_H_

#include <array>
#include <cstdint>

namespace racer::field {

// The two largest such primes; (p - 1) / 2 is prime.
constexpr uint64_t kPrimes[2] = {0x1ffffffffffff3af, 0x1fffffffffffd9ff};

// Residues below an odd prime kPrime < 2^62, held as x * 2^64 mod kPrime.
template <uint64_t kPrime>
struct Mod {
  static constexpr uint64_t prime = kPrime;
  // 1 / kPrime mod 2^64, by Newton's iteration.
  static constexpr uint64_t kInverse = [] {
    uint64_t x = 1;
    for (int i = 0; i < 6; ++i) x *= 2 - kPrime * x;
    return x;
  }();
  static constexpr uint64_t kOne = static_cast<uint64_t>((static_cast<unsigned __int128>(1) << 64) % kPrime);
  static constexpr uint64_t kSquare = static_cast<uint64_t>(static_cast<unsigned __int128>(kOne) * kOne % kPrime);

  static constexpr uint64_t Add(uint64_t a, uint64_t b) {
    const uint64_t s = a + b - kPrime;
    return s + (static_cast<uint64_t>(static_cast<int64_t>(s) >> 63) & kPrime);
  }
  static constexpr uint64_t Sub(uint64_t a, uint64_t b) {
    const uint64_t s = a - b;
    return s + (static_cast<uint64_t>(static_cast<int64_t>(s) >> 63) & kPrime);
  }
  static constexpr uint64_t Neg(uint64_t a) { return Sub(0, a); }
  static constexpr uint64_t Mul(uint64_t a, uint64_t b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    const uint64_t m = static_cast<uint64_t>(product) * kInverse;
    const uint64_t high = static_cast<uint64_t>((static_cast<unsigned __int128>(m) * kPrime) >> 64);
    const uint64_t r = static_cast<uint64_t>(product >> 64) - high;
    return r + (static_cast<uint64_t>(static_cast<int64_t>(r) >> 63) & kPrime);
  }
  static constexpr uint64_t From(uint64_t x) { return Mul(x % kPrime, kSquare); }
  static constexpr uint64_t To(uint64_t a) { return Mul(a, 1); }
  static constexpr uint64_t Pow(uint64_t a, uint64_t exponent) {
    uint64_t result = kOne;
    for (; exponent != 0; exponent >>= 1, a = Mul(a, a)) {
      if ((exponent & 1) != 0) result = Mul(result, a);
    }
    return result;
  }
  // Of a residue that is not 0.
  static constexpr uint64_t Inverse(uint64_t a) { return Pow(a, kPrime - 2); }
};

// The words of an element: its residues modulo p and p' and, where exponentials are computed, q and q'.
using P0 = Mod<kPrimes[0]>;
using P1 = Mod<kPrimes[1]>;
using Q0 = Mod<(kPrimes[0] - 1) / 2>;
using Q1 = Mod<(kPrimes[1] - 1) / 2>;
constexpr unsigned kWords = 4;
using Words = std::array<uint64_t, kWords>;

// 2^exponent in Z_P for an exponent of Z_Q.
template <class P, class Q>
uint64_t PowerOfTwo(uint64_t exponent) {
  // By bytes of the exponent.
  static const auto table = [] {
    std::array<std::array<uint64_t, 256>, 8> powers;
    uint64_t base = P::From(2);
    for (auto& row : powers) {
      row[0] = P::kOne;
      for (size_t i = 1; i < row.size(); ++i) row[i] = P::Mul(row[i - 1], base);
      base = P::Mul(row.back(), base);
    }
    return powers;
  }();
  const uint64_t e = Q::To(exponent);
  uint64_t result = table[0][e & 0xff];
  for (unsigned i = 1; i < 8; ++i) result = P::Mul(result, table[i][e >> 8 * i & 0xff]);
  return result;
}

}  // namespace racer::field

#endif  // RACER_SYMEXEC_FIELD_MODULAR_H_
