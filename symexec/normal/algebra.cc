#include "symexec/normal/algebra.h"

#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/check.h"
#include "symexec/normal/pool.h"
#include "symexec/normal/scratch.h"

namespace racer::normal {
namespace {

constexpr int kMaxDepth = 64;            // of relations inside relations while one product is reduced
constexpr size_t kMaxMonoLength = 4096;  // atoms of one monomial
constexpr int32_t kMaxExponent = 1 << 20;

size_t Index(MonoId id) { return static_cast<size_t>(id); }
size_t Index(PolyId id) { return static_cast<size_t>(id); }

uint32_t Mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ULL;
  return static_cast<uint32_t>(h >> 32);
}

uint64_t HashInteger(const fmpz_t z) {
  if (COEFF_IS_MPZ(*z) == 0) return static_cast<uint64_t>(*z);
  return fmpz_fdiv_ui(z, 0xffffffffffffffc5ULL);
}

}  // namespace

void Accumulator::Add(MonoId mono, const Rational& coefficient) {
  size_t i = static_cast<size_t>(mono);
  if (i >= slot_.size()) slot_.resize(i + 1 + i / 2, 0);
  uint32_t s = slot_[i];
  if (s < monos_.size() && monos_[s] == mono) {
    coefficients_[s] += coefficient;
    return;
  }
  slot_[i] = static_cast<uint32_t>(monos_.size());
  monos_.push_back(mono);
  coefficients_.push_back(coefficient);
}

void Accumulator::Clear() {
  monos_.clear();
  coefficients_.clear();
}

Algebra::Algebra(const Limits& limits) : limits_(limits), mono_table_(1024, 0), poly_table_(1024, 0), rule_counts_(kRuleCount, 0) {
  RACER_CHECK(InternMono({}) == kOne);
  RACER_CHECK(InternPoly({}, {}) == kZero);
}

// --- reading

std::span<const AtomPower> Algebra::mono(MonoId id) const {
  const Record& r = mono_records_[Index(id)];
  return {mono_pool_.data() + r.begin, r.size};
}
std::span<const MonoId> Algebra::monos(PolyId id) const {
  const Record& r = polys_[Index(id)];
  return {poly_monos_.data() + r.begin, r.size};
}
std::span<const Rational> Algebra::coefficients(PolyId id) const {
  const Record& r = polys_[Index(id)];
  return {poly_coefficients_.data() + r.begin, r.size};
}
Rational Algebra::ConstantValue(PolyId id) const { return size(id) == 0 ? Rational(0) : coefficients(id)[0]; }

bool Algebra::IsScaledAtom(PolyId id, AtomId* atom, Rational* coefficient) const {
  if (size(id) != 1) return false;
  std::span<const AtomPower> m = mono(monos(id)[0]);
  if (m.size() != 1 || m[0].exponent != 1) return false;
  *atom = m[0].atom;
  *coefficient = coefficients(id)[0];
  return true;
}

// --- interning

MonoId Algebra::InternMono(std::span<const AtomPower> powers) {
  uint64_t h = powers.size();
  for (const AtomPower& p : powers) {
    h = (h ^ ((static_cast<uint64_t>(p.exponent) << 32) + static_cast<uint32_t>(p.atom))) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
  }
  uint32_t hash = Mix(h);
  size_t mask = mono_table_.size() - 1;
  size_t i = hash & mask;
  for (; mono_table_[i] != 0; i = (i + 1) & mask) {
    const Record& r = mono_records_[mono_table_[i] - 1];
    if (r.hash == hash && r.size == powers.size() &&
        std::equal(powers.begin(), powers.end(), mono_pool_.begin() + static_cast<ptrdiff_t>(r.begin))) {
      return MonoId{mono_table_[i] - 1};
    }
  }
  uint32_t id = static_cast<uint32_t>(mono_records_.size());
  mono_records_.push_back({mono_pool_.size(), static_cast<uint32_t>(powers.size()), hash});
  AppendToPool(mono_pool_, powers);
  mono_table_[i] = id + 1;
  if (mono_records_.size() * 2 > mono_table_.size()) GrowMonos();
  return MonoId{id};
}

void Algebra::GrowMonos() {
  mono_table_.assign(mono_table_.size() * 2, 0);
  size_t mask = mono_table_.size() - 1;
  for (size_t id = 0; id < mono_records_.size(); ++id) {
    size_t i = mono_records_[id].hash & mask;
    while (mono_table_[i] != 0) i = (i + 1) & mask;
    mono_table_[i] = static_cast<uint32_t>(id + 1);
  }
}

PolyId Algebra::InternPoly(std::span<const MonoId> monos, std::span<const Rational> coefficients) {
  uint64_t h = monos.size();
  for (size_t k = 0; k < monos.size(); ++k) {
    h = (h ^ static_cast<uint32_t>(monos[k])) * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 31) ^ HashInteger(fmpq_numref(coefficients[k].raw()))) * 0xd6e8feb86659fd93ULL;
    h = (h ^ (h >> 31) ^ HashInteger(fmpq_denref(coefficients[k].raw()))) * 0x9e3779b97f4a7c15ULL;
  }
  uint32_t hash = Mix(h);
  size_t mask = poly_table_.size() - 1;
  size_t i = hash & mask;
  for (; poly_table_[i] != 0; i = (i + 1) & mask) {
    const Record& r = polys_[poly_table_[i] - 1];
    if (r.hash == hash && r.size == monos.size() &&
        std::equal(monos.begin(), monos.end(), poly_monos_.begin() + static_cast<ptrdiff_t>(r.begin)) &&
        std::equal(coefficients.begin(), coefficients.end(), poly_coefficients_.begin() + static_cast<ptrdiff_t>(r.begin))) {
      return PolyId{poly_table_[i] - 1};
    }
  }
  uint32_t id = static_cast<uint32_t>(polys_.size());
  polys_.push_back({poly_monos_.size(), static_cast<uint32_t>(monos.size()), hash});
  AppendToPool(poly_monos_, monos);
  AppendToPool(poly_coefficients_, coefficients);
  poly_table_[i] = id + 1;
  if (polys_.size() * 2 > poly_table_.size()) GrowPolys();
  return PolyId{id};
}

void Algebra::GrowPolys() {
  poly_table_.assign(poly_table_.size() * 2, 0);
  size_t mask = poly_table_.size() - 1;
  for (size_t id = 0; id < polys_.size(); ++id) {
    size_t i = polys_[id].hash & mask;
    while (poly_table_[i] != 0) i = (i + 1) & mask;
    poly_table_[i] = static_cast<uint32_t>(id + 1);
  }
}

AtomId Algebra::AddAtom(Atom atom) {
  relations_.push_back(!atom.related                     ? kFree
                       : atom.kind == AtomKind::kInverse ? kInverted
                       : atom.kind == AtomKind::kPower   ? kFused
                                                         : kRoot);
  atoms_.push_back(std::move(atom));
  return AtomId{static_cast<uint32_t>(atoms_.size() - 1)};
}

AtomId Algebra::InternAtom(std::vector<uint32_t> key, Atom atom) {
  auto [it, added] = atom_keys_.try_emplace(std::move(key), AtomId{0});
  if (added) it->second = AddAtom(std::move(atom));
  return it->second;
}

PolyId Algebra::Finish(Accumulator& sum) {
  std::vector<MonoId>& monos = sum.monos_;
  std::vector<Rational>& coefficients = sum.coefficients_;
  bool ready = true;
  for (size_t i = 0; ready && i < monos.size(); ++i) ready = !coefficients[i].IsZero() && (i == 0 || monos[i - 1] < monos[i]);
  PolyId result;
  if (ready) {
    result = InternPoly(monos, coefficients);
  } else {
    std::vector<uint32_t> order;
    order.reserve(monos.size());
    for (uint32_t i = 0; i < monos.size(); ++i) {
      if (!coefficients[i].IsZero()) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return monos[a] < monos[b]; });
    std::vector<MonoId> sorted_monos;
    std::vector<Rational> sorted_coefficients;
    sorted_monos.reserve(order.size());
    sorted_coefficients.reserve(order.size());
    for (uint32_t i : order) {
      sorted_monos.push_back(monos[i]);
      sorted_coefficients.push_back(std::move(coefficients[i]));
    }
    result = InternPoly(sorted_monos, sorted_coefficients);
  }
  sum.Clear();
  return result;
}

// --- sums and products

bool Algebra::AddReduced(Accumulator& sum, const Rational& coefficient, std::span<const AtomPower> powers) {
  bool in_range = true;
  unsigned fused = 0;
  AtomId power{0};
  for (const AtomPower& p : powers) {
    if (p.exponent > kMaxExponent || p.exponent < -kMaxExponent) return Fail("an exponent beyond 2^20") != kNoPoly;
    switch (relations_[static_cast<size_t>(p.atom)]) {
      case kFree: break;
      case kRoot: in_range = in_range && (p.exponent & ~1) == 0; break;
      case kInverted: in_range = in_range && p.exponent <= 0; break;
      case kFused:
        in_range = in_range && p.exponent == 1 && fused++ == 0;
        power = p.atom;
        break;
    }
  }
  if (in_range && fused != 0) {
    for (const AtomPower& p : powers) {
      if (relations_[static_cast<size_t>(p.atom)] != kInverted || atom(p.atom).logistic == kNoPoly) continue;
      if (TimesIn(power, atom(p.atom).logistic) != 0) in_range = false;
    }
  }
  if (powers.size() > kMaxMonoLength) return Fail("a product of more than 4096 factors") != kNoPoly;
  if (in_range) {
    sum.Add(InternMono(powers), coefficient);
    if (sum.size() <= limits_.max_monomials) return true;
    return Fail("a canonical form of more than " + std::to_string(limits_.max_monomials) + " monomials") != kNoPoly;
  }

  std::vector<AtomPower> base(powers.begin(), powers.end());
  std::vector<std::pair<PolyId, unsigned>> factors;
  if (++depth_ > kMaxDepth) {
    --depth_;
    return Fail("roots nested deeper than " + std::to_string(kMaxDepth)) != kNoPoly;
  }
  bool ok = true;
  if (const PolyId split = fused == 1 ? SplitLogistic(base) : kZero; split != kZero) {
    ok = split != kNoPoly;
    factors.emplace_back(split, 1);
  } else if (const PolyId whole = FusePowers(base); whole != kNoPoly) {
    factors.emplace_back(whole, 1);
  } else {
    ok = false;
  }
  // Whole powers of P out of s^2 (or |P|^2): first against an inverse of P in the same product.
  for (AtomPower& p : base) {
    const Atom a = atom(p.atom);
    if (!a.related || a.kind == AtomKind::kInverse || a.kind == AtomKind::kPower || (p.exponent & ~1) == 0) continue;
    int32_t squares = p.exponent >> 1;  // rounds down
    p.exponent &= 1;
    int32_t times = a.kind == AtomKind::kAbs ? 2 * squares : squares;
    for (AtomPower& other : base) {
      const Atom& b = atom(other.atom);
      if (times <= 0 || b.kind != AtomKind::kInverse || b.poly != a.poly || other.exponent >= 0) continue;
      int32_t cancelled = std::min(times, -other.exponent);
      other.exponent += cancelled;
      times -= cancelled;
      Fire(Rule::kSqrtCancel, kZero);
    }
    if (times > 0) {
      factors.emplace_back(a.poly, static_cast<unsigned>(times));
      Fire(a.kind == AtomKind::kAbs ? Rule::kAbsSquare : Rule::kSqrtSquare, kZero);
    } else if (times < 0) {
      PolyId inverse = Inverse(a.poly);
      ok = ok && inverse != kNoPoly;
      factors.emplace_back(inverse, static_cast<unsigned>(-times));
    }
  }
  for (AtomPower& p : base) {
    const Atom& a = atom(p.atom);
    if (a.kind != AtomKind::kInverse || p.exponent <= 0) continue;
    factors.emplace_back(a.poly, static_cast<unsigned>(p.exponent));
    p.exponent = 0;
    Fire(Rule::kInverseExpand, kZero);
  }
  std::erase_if(base, [](const AtomPower& p) { return p.exponent == 0; });
  Rational one(1);
  MonoId mono = InternMono(base);
  PolyId product = ok ? InternPoly({&mono, 1}, {&one, 1}) : kNoPoly;
  for (const auto& [poly, power] : factors) {
    if (product == kNoPoly) break;
    PolyId raised = Power(poly, power);
    product = raised == kNoPoly ? kNoPoly : Multiply(product, raised);
  }
  --depth_;
  return product != kNoPoly && AddForm(sum, coefficient, product);
}

bool Algebra::AddMonoProduct(Accumulator& sum, const Rational& coefficient, MonoId a, MonoId b) {
  if (a == kOne || b == kOne) {
    sum.Add(a == kOne ? b : a, coefficient);
    if (sum.size() <= limits_.max_monomials) return true;
    return Fail("a canonical form of more than " + std::to_string(limits_.max_monomials) + " monomials") != kNoPoly;
  }
  merge_.clear();
  std::span<const AtomPower> x = mono(a), y = mono(b);
  size_t i = 0, j = 0;
  while (i < x.size() || j < y.size()) {
    if (j == y.size() || (i < x.size() && x[i].atom < y[j].atom)) {
      merge_.push_back(x[i++]);
    } else if (i == x.size() || y[j].atom < x[i].atom) {
      merge_.push_back(y[j++]);
    } else {
      int32_t e = x[i].exponent + y[j].exponent;
      if (e != 0) merge_.push_back({x[i].atom, e});
      ++i;
      ++j;
    }
  }
  return AddReduced(sum, coefficient, merge_);  // copies `merge_` before anything nested can use it
}

bool Algebra::AddForm(Accumulator& sum, const Rational& scale, PolyId a) {
  const Record r = polys_[Index(a)];
  const bool plain = scale.IsOne();
  for (uint32_t i = 0; i < r.size; ++i) {
    const Rational& c = poly_coefficients_[r.begin + i];
    if (plain)
      sum.Add(poly_monos_[r.begin + i], c);
    else
      sum.Add(poly_monos_[r.begin + i], c * scale);
  }
  if (sum.size() <= limits_.max_monomials) return true;
  return Fail("a canonical form of more than " + std::to_string(limits_.max_monomials) + " monomials") != kNoPoly;
}

// P * m * P^-k: one power of P goes before the product is spread over the terms of P.
bool Algebra::CancelInverse(PolyId sum, PolyId single, PolyId* reduced, Rational* scale) {
  const size_t terms = size(sum);
  for (const AtomPower& p : mono(monos(single)[0])) {
    const Atom& a = atom(p.atom);
    if (a.kind != AtomKind::kInverse || size(a.poly) != terms || monos(a.poly)[0] != monos(sum)[0]) continue;
    if (Primitive(sum, true, scale) != a.poly) continue;
    AtomPower one{p.atom, 1};
    *reduced = MultiplyMono(single, {&one, 1});
    return *reduced != kNoPoly;
  }
  return false;
}

bool Algebra::AddProduct(Accumulator& sum, const Rational& scale, PolyId a, PolyId b) {
  if ((size(a) == 1) != (size(b) == 1)) {
    PolyId reduced = kNoPoly;
    Rational factor;
    if (size(a) == 1 ? CancelInverse(b, a, &reduced, &factor) : CancelInverse(a, b, &reduced, &factor)) {
      Fire(Rule::kInverseCancel, reduced);
      return AddForm(sum, scale * factor, reduced);
    }
  }
  const Record ra = polys_[Index(a)], rb = polys_[Index(b)];
  if (uint64_t{ra.size} * rb.size > limits_.max_product_terms && ra.size > 1 && rb.size > 1) {
    return Fail("a product of " + std::to_string(ra.size) + " by " + std::to_string(rb.size) + " terms") != kNoPoly;
  }
  if (ra.size > 1 && rb.size > 1) Fire(Rule::kDistribute, kZero);
  // By index: nested reductions may move the pools.
  for (uint32_t i = 0; i < ra.size; ++i) {
    Rational left = poly_coefficients_[ra.begin + i];
    if (!scale.IsOne()) left *= scale;
    const bool plain = left.IsOne();
    for (uint32_t j = 0; j < rb.size; ++j) {
      Rational c = poly_coefficients_[rb.begin + j];
      if (!plain) c *= left;
      if (!AddMonoProduct(sum, c, poly_monos_[ra.begin + i], poly_monos_[rb.begin + j])) return false;
    }
  }
  return true;
}

PolyId Algebra::Constant(const Rational& value) {
  if (value.IsZero()) return kZero;
  MonoId one = kOne;
  return InternPoly({&one, 1}, {&value, 1});
}

PolyId Algebra::OfAtom(AtomId atom, int32_t exponent) {
  AtomPower power{atom, exponent};
  if (exponent == 0) return Constant(Rational(1));
  if (relations_[static_cast<size_t>(atom)] == kFree) {
    MonoId m = InternMono({&power, 1});
    Rational one(1);
    return InternPoly({&m, 1}, {&one, 1});
  }
  Scratch sum(*this);
  return AddReduced(*sum, Rational(1), {&power, 1}) ? Finish(*sum) : kNoPoly;
}

PolyId Algebra::Add(PolyId a, PolyId b, const Rational& scale_b) {
  Scratch sum(*this);
  return AddForm(*sum, Rational(1), a) && AddForm(*sum, scale_b, b) ? Finish(*sum) : kNoPoly;
}

PolyId Algebra::Scale(PolyId a, const Rational& scale) {
  if (scale.IsOne()) return a;
  if (scale.IsZero()) return kZero;
  Scratch sum(*this);
  return AddForm(*sum, scale, a) ? Finish(*sum) : kNoPoly;
}

PolyId Algebra::Multiply(PolyId a, PolyId b) {
  Scratch sum(*this);
  return AddProduct(*sum, Rational(1), a, b) ? Finish(*sum) : kNoPoly;
}

PolyId Algebra::MultiplyMono(PolyId a, std::span<const AtomPower> powers) {
  Scratch sum(*this);
  std::vector<AtomPower> factor(powers.begin(), powers.end());
  std::sort(factor.begin(), factor.end(), [](const AtomPower& x, const AtomPower& y) { return x.atom < y.atom; });
  const Record r = polys_[Index(a)];
  std::vector<AtomPower> merged;
  for (uint32_t k = 0; k < r.size; ++k) {
    merged.clear();
    std::span<const AtomPower> x = mono(poly_monos_[r.begin + k]);
    size_t i = 0, j = 0;
    while (i < x.size() || j < factor.size()) {
      if (j == factor.size() || (i < x.size() && x[i].atom < factor[j].atom)) {
        merged.push_back(x[i++]);
      } else if (i == x.size() || factor[j].atom < x[i].atom) {
        merged.push_back(factor[j++]);
      } else {
        int32_t e = x[i].exponent + factor[j].exponent;
        if (e != 0) merged.push_back({x[i].atom, e});
        ++i;
        ++j;
      }
    }
    Rational c = poly_coefficients_[r.begin + k];
    if (!AddReduced(*sum, c, merged)) return kNoPoly;
  }
  return Finish(*sum);
}

PolyId Algebra::Power(PolyId a, unsigned exponent) {
  PolyId result = Constant(Rational(1));
  for (unsigned i = 0; i < exponent; ++i) {
    result = i == 0 ? a : Multiply(result, a);
    if (result == kNoPoly) return kNoPoly;
  }
  return result;
}

// --- content

Rational Algebra::Content(PolyId a) const {
  fmpz_t numerator, denominator;
  fmpz_init(numerator);
  fmpz_init_set_ui(denominator, 1);
  for (const Rational& c : coefficients(a)) {
    if (fmpz_is_one(numerator) == 0) fmpz_gcd(numerator, numerator, fmpq_numref(c.raw()));
    if (fmpz_equal(denominator, fmpq_denref(c.raw())) == 0) fmpz_lcm(denominator, denominator, fmpq_denref(c.raw()));
  }
  Rational content;
  fmpz_set(fmpq_numref(content.raw()), numerator);
  fmpz_set(fmpq_denref(content.raw()), denominator);
  fmpq_canonicalise(content.raw());
  fmpz_clear(numerator);
  fmpz_clear(denominator);
  return content;
}

PolyId Algebra::Primitive(PolyId a, bool positive_lead, Rational* scale) {
  Rational c = Content(a);
  if (c.IsZero()) c = Rational(1);
  if (positive_lead && size(a) > 0 && coefficients(a)[0].Sign() < 0) c = -c;
  *scale = c;
  return Scale(a, c.Inverse());
}

// The largest monomial that every term is a multiple of, with negative exponents where any term has one; powers of 2 have
// PowerContent.
std::vector<AtomPower> Algebra::MonoContent(PolyId a) const {
  std::vector<AtomPower> content;
  bool first = true;
  for (MonoId m : monos(a)) {
    std::span<const AtomPower> x = mono(m);
    if (first) {
      content.assign(x.begin(), x.end());
      first = false;
      continue;
    }
    std::vector<AtomPower> next;
    size_t i = 0, j = 0;
    while (i < x.size() || j < content.size()) {
      if (j == content.size() || (i < x.size() && x[i].atom < content[j].atom)) {
        if (x[i].exponent < 0) next.push_back(x[i]);
        ++i;
      } else if (i == x.size() || content[j].atom < x[i].atom) {
        if (content[j].exponent < 0) next.push_back(content[j]);
        ++j;
      } else {
        next.push_back({x[i].atom, std::min(x[i].exponent, content[j].exponent)});
        ++i;
        ++j;
      }
    }
    content.swap(next);
  }
  std::erase_if(content, [this](const AtomPower& p) { return p.exponent == 0 || relations_[static_cast<size_t>(p.atom)] == kFused; });
  return content;
}

double Algebra::Degree(PolyId a) const {
  // Of numerator and denominator together: the largest positive part plus what clearing the negative exponents adds.
  double largest = 0;
  std::map<AtomId, int32_t> negative;
  for (MonoId m : monos(a)) {
    double degree = 0;
    for (const AtomPower& p : mono(m)) {
      if (p.exponent > 0)
        degree += p.exponent * atom(p.atom).degree;
      else
        negative[p.atom] = std::min(negative[p.atom], p.exponent);
    }
    largest = std::max(largest, degree);
  }
  for (const auto& [id, exponent] : negative) largest += -exponent * atom(id).degree;
  return largest;
}

bool Algebra::HasRelated(PolyId a) const {
  for (MonoId m : monos(a)) {
    for (const AtomPower& p : mono(m)) {
      const Atom& x = atom(p.atom);
      if (x.deep_related || (x.related && x.kind != AtomKind::kInverse)) return true;
    }
  }
  return false;
}

size_t Algebra::bytes() const {
  return mono_pool_.capacity() * sizeof(AtomPower) + (mono_records_.capacity() + polys_.capacity()) * sizeof(Record) +
         (mono_table_.capacity() + poly_table_.capacity() + poly_monos_.capacity()) * 4 + poly_coefficients_.capacity() * sizeof(Rational) +
         atoms_.capacity() * sizeof(Atom);
}

}  // namespace racer::normal
