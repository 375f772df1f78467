#include "symexec/normal/fingerprint.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace racer::normal {

Fingerprint::Fingerprint(const Algebra& algebra, uint64_t seed)
    : algebra_(algebra), fields_{PrimeField(kMersenne61), PrimeField(kMersenne61)}, random_(seed) {
  fields_[1] = PrimeField(RandomPrime(random_));
}

// Inverses come after the atoms of their forms, so one sweep in order of id settles all.
void Fingerprint::Extend() {
  for (size_t i = values_[0].size(); i < algebra_.atom_count(); ++i) {
    const Atom& atom = algebra_.atom(AtomId{static_cast<uint32_t>(i)});
    for (int f = 0; f < 2; ++f) {
      uint64_t random = random_.Below(fields_[f].prime());
      std::optional<uint64_t> value = random;
      if (atom.kind == AtomKind::kInverse) value = Evaluate(atom.poly, f);
      values_[f].push_back(value);
    }
  }
}

std::optional<uint64_t> Fingerprint::Evaluate(PolyId form, int field) {
  const PrimeField& p = fields_[field];
  uint64_t sum = 0;
  std::span<const MonoId> monos = algebra_.monos(form);
  std::span<const Rational> coefficients = algebra_.coefficients(form);
  for (size_t i = 0; i < monos.size(); ++i) {
    std::optional<uint64_t> product = p.FromRational(coefficients[i]);
    if (!product) return std::nullopt;
    for (const AtomPower& power : algebra_.mono(monos[i])) {
      std::optional<uint64_t> value = values_[field][static_cast<size_t>(power.atom)];
      if (value && power.exponent < 0) value = p.Inverse(*value);
      if (!value) return std::nullopt;
      product = p.Mul(*product, p.Pow(*value, static_cast<uint64_t>(std::abs(power.exponent))));
    }
    sum = p.Add(sum, *product);
  }
  return sum;
}

Fingerprint::Answer Fingerprint::Test(PolyId difference) {
  Extend();
  for (int f = 0; f < 2; ++f) {
    std::optional<uint64_t> value = Evaluate(difference, f);
    if (!value) return Answer::kUndefined;
    if (*value != 0) return Answer::kNonZero;
  }
  return Answer::kZero;
}

int Fingerprint::ErrorLog2(PolyId difference) const {
  // Schwartz and Zippel: at most degree / prime at each of the two points; both primes are above 2^60.
  double degree = std::max(1.0, algebra_.Degree(difference));
  return 2 * (static_cast<int>(std::ceil(std::log2(degree))) - 60);
}

Cleared ClearDenominators(Algebra& algebra, PolyId difference, uint64_t max_terms) {
  constexpr int kMaxRounds = 256;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (difference == kZero) return Cleared::kZero;
    // The youngest inverse: its form may hold older ones, never the other way round.
    AtomPower last{AtomId{0}, 0};
    for (MonoId m : algebra.monos(difference)) {
      for (const AtomPower& p : algebra.mono(m)) {
        if (algebra.atom(p.atom).kind != AtomKind::kInverse) continue;
        if (last.exponent == 0 || last.atom < p.atom)
          last = p;
        else if (last.atom == p.atom)
          last.exponent = std::min(last.exponent, p.exponent);
      }
    }
    if (last.exponent == 0) return Cleared::kNonZero;
    double terms = static_cast<double>(algebra.size(difference)) *
                   std::pow(static_cast<double>(algebra.size(algebra.atom(last.atom).poly)), -last.exponent);
    if (terms > static_cast<double>(max_terms)) return Cleared::kOverBudget;
    AtomPower factor{last.atom, -last.exponent};
    difference = algebra.MultiplyMono(difference, {&factor, 1});
    if (difference == kNoPoly) return Cleared::kOverBudget;
  }
  return Cleared::kOverBudget;
}

}  // namespace racer::normal
