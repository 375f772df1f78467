#include "symexec/field/prime_field.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

TEST(PrimeField, SmallField) {
  PrimeField f(7);
  EXPECT_EQ(f.Add(5, 4), 2u);
  EXPECT_EQ(f.Sub(2, 5), 4u);
  EXPECT_EQ(f.Mul(3, 5), 1u);
  EXPECT_EQ(*f.Inverse(3), 5u);
  EXPECT_EQ(f.Pow(3, 6), 1u);
  EXPECT_FALSE(f.Inverse(0).has_value());
}

TEST(PrimeField, Rationals) {
  PrimeField f(7);
  EXPECT_EQ(*f.FromRational(Rational(1, 3)), 5u);
  EXPECT_EQ(*f.FromRational(Rational(-1)), 6u);
  EXPECT_FALSE(f.FromRational(Rational(3, 14)).has_value());  // 7 divides the denominator
}

TEST(PrimeField, MersenneAndRandomPrimes) {
  PrimeField f(kMersenne61);
  uint64_t a = kMersenne61 - 2;
  EXPECT_EQ(f.Mul(a, a), 4u);
  EXPECT_EQ(f.Mul(a, *f.Inverse(a)), 1u);
  RandomStream one(1), two(1), three(2);
  uint64_t p = RandomPrime(one);
  EXPECT_EQ(p, RandomPrime(two));
  EXPECT_NE(p, RandomPrime(three));
  EXPECT_GE(p, uint64_t{1} << 60);
  EXPECT_LT(p, uint64_t{1} << 61);
  EXPECT_EQ(PrimeField(p).Pow(3, p - 1), 1u);  // Fermat
}

TEST(RandomStream, StaysBelowItsBound) {
  RandomStream r(7);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(r.Below(10), 10u);
}

}  // namespace
}  // namespace racer
