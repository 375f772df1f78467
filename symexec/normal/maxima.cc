// Maxima of forms.
#include <flint/fmpq.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/check.h"
#include "symexec/normal/algebra.h"

namespace racer::normal {
namespace {

constexpr int kMaxFactorDepth = 64;  // maxima of what is left once shared factors are out
constexpr size_t kShort = 8;         // terms of a form that is compared with constants

}  // namespace

PolyId Algebra::ScaleElement(ScaledMemo& memo, PolyId a, const Rational& scale) {
  const auto known = memo.find(static_cast<uint32_t>(a));
  if (known != memo.end() && known->second.scale == scale) return known->second.result;
  const PolyId result = Scale(a, scale);
  if (result != kNoPoly) memo.insert_or_assign(static_cast<uint32_t>(a), Scaled{scale, result});
  return result;
}

// c * m * max(a, b) with c * m >= 0 is max(c * m * a, c * m * b). Adds the elements of such a form, else the form itself.
bool Algebra::Flatten(PolyId e, std::vector<PolyId>* flat) {
  if (size(e) == 1) {
    const std::vector<AtomPower> powers(mono(monos(e)[0]).begin(), mono(monos(e)[0]).end());
    for (size_t k = powers.size(); k-- > 0;) {
      if (atom(powers[k].atom).kind != AtomKind::kMax || powers[k].exponent != 1) continue;
      std::vector<AtomPower> others = powers;
      others.erase(others.begin() + static_cast<ptrdiff_t>(k));
      const Rational coefficient = coefficients(e)[0];
      PolyId factor = MultiplyMono(Constant(coefficient), others);
      if (factor == kNoPoly) return false;
      if (!NeverNegative(SignsOf(factor))) continue;
      const std::vector<uint32_t> args = atom(powers[k].atom).args;
      for (uint32_t arg : args) {
        const PolyId product = others.empty() ? ScaleElement(out_of_maxima_, PolyId{arg}, coefficient) : Multiply(PolyId{arg}, factor);
        if (product == kNoPoly) return false;
        flat->push_back(product);
      }
      Fire(Rule::kMaxFlatten, e);
      return true;
    }
  }
  flat->push_back(e);
  return true;
}

bool Algebra::HasNegativeExponent(PolyId a) {
  const auto [memo, added] = negative_memo_.try_emplace(static_cast<uint32_t>(a), false);
  if (added) {
    memo->second = std::any_of(monos(a).begin(), monos(a).end(), [&](MonoId m) {
      return std::any_of(mono(m).begin(), mono(m).end(), [](const AtomPower& p) { return p.exponent < 0; });
    });
  }
  return memo->second;
}

// Whether SharedFactors surely finds none, at the price of a look at a few terms: no denominators, and no factor of the first term in all.
bool Algebra::SharesNothing(std::span<const PolyId> elements) {
  for (const PolyId e : elements) {
    if (HasNegativeExponent(e)) return false;
  }
  std::vector<AtomId> shared;
  bool first = true;
  for (const PolyId e : elements) {
    for (MonoId m : monos(e)) {
      const std::span<const AtomPower> powers = mono(m);
      if (first) {
        for (const AtomPower& p : powers) shared.push_back(p.atom);
        first = false;
      } else {
        std::erase_if(shared, [&](AtomId id) {
          return std::none_of(powers.begin(), powers.end(), [&](const AtomPower& p) { return p.atom == id; });
        });
      }
      if (shared.empty()) return true;
    }
  }
  return first;
}

// The factors that all elements of a maximum share and whose sign is known; a zero element has every factor. Of an atom whose
// sign is not known, an even power. Exponents may be negative: then the element without that denominator is multiplied by it.
std::vector<AtomPower> Algebra::SharedFactors(std::span<const PolyId> elements) const {
  std::map<AtomId, std::pair<int32_t, int32_t>> range;  // the smallest and the largest exponent
  std::map<AtomId, uint64_t> seen;
  uint64_t terms = 0;
  for (PolyId e : elements) {
    for (MonoId m : monos(e)) {
      ++terms;
      for (const AtomPower& p : mono(m)) {
        auto [it, added] = range.try_emplace(p.atom, p.exponent, p.exponent);
        it->second.first = std::min(it->second.first, p.exponent);
        it->second.second = std::max(it->second.second, p.exponent);
        ++seen[p.atom];
      }
    }
  }
  std::vector<AtomPower> shared;
  for (auto [id, exponents] : range) {
    auto [low, high] = exponents;
    if (seen[id] < terms) {
      low = std::min(low, 0);
      high = std::max(high, 0);
    }
    const Atom& a = atom(id);
    // Bringing in an inverse or a root multiplies everything by a sum; what is common to all elements costs nothing.
    int32_t exponent = a.related && low < 0 ? std::min(high, 0) : low;
    if (!NeverNegative(a.signs) && !NeverPositive(a.signs)) {
      if (a.related) continue;
      exponent = (exponent >> 1) * 2;  // rounds down, also below zero
    }
    if (exponent != 0) shared.push_back({id, exponent});
  }
  return shared;
}

// max(f*a, f*b) is f * max(a, b) for f >= 0 and f * min(a, b) for f <= 0. kNoPoly without a failure: there is no such f.
PolyId Algebra::MaxWithoutFactors(std::span<const PolyId> elements, bool* failed) {
  *failed = false;
  if (SharesNothing(elements)) return kNoPoly;
  std::vector<AtomPower> shared = SharedFactors(elements);
  if (shared.empty()) return kNoPoly;
  *failed = true;
  bool negative = false;
  std::vector<AtomPower> inverse = shared;
  for (AtomPower& p : inverse) {
    if (!NeverNegative(atom(p.atom).signs) && p.exponent % 2 != 0) negative = !negative;
    p.exponent = -p.exponent;
  }
  const Rational sign(negative ? -1 : 1);
  std::vector<PolyId> reduced;
  for (PolyId e : elements) {
    PolyId rest = MultiplyMono(e, inverse);
    rest = rest == kNoPoly ? kNoPoly : Scale(rest, sign);
    if (rest == kNoPoly) return kNoPoly;
    reduced.push_back(rest);
  }
  if (++depth_ > kMaxFactorDepth) {
    --depth_;
    return Fail("maxima nested deeper than " + std::to_string(kMaxFactorDepth));
  }
  PolyId maximum = Max(std::move(reduced));
  --depth_;
  PolyId result = maximum == kNoPoly ? kNoPoly : MultiplyMono(maximum, shared);
  result = result == kNoPoly ? kNoPoly : Scale(result, sign);
  *failed = result == kNoPoly;
  return result == kNoPoly ? kNoPoly : Fire(Rule::kMaxFactor, result);
}

PolyId Algebra::Max(std::vector<PolyId> elements) {
  if (elements.size() == 2 && Add(elements[0], elements[1]) == kZero) return Fire(Rule::kMaxAbs, Abs(elements[0]));
  std::vector<PolyId> flat;
  for (PolyId e : elements) {
    if (!Flatten(e, &flat)) return kNoPoly;
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  RACER_CHECK(!flat.empty());
  const PolyId clamp = MaxOfClamp(flat);
  return clamp != kNoPoly ? clamp : MaxOf(std::move(flat));
}

// Of elements that are no maxima, each once and in order.
PolyId Algebra::MaxOf(std::vector<PolyId> flat) {
  // Constants that something else is never below drop out, of any number of elements.
  for (const PolyId constant : std::vector<PolyId>(flat)) {
    if (!IsConstant(constant) || flat.size() == 1) continue;
    const bool below = std::any_of(flat.begin(), flat.end(), [&](PolyId e) {
      return e != constant && (IsConstant(e) || size(e) <= kShort) && NeverNegative(SignsOf(Add(e, constant, Rational(-1))));
    });
    if (!below) continue;
    std::erase(flat, constant);
    Fire(Rule::kMaxDominated, kZero);
  }
  if (flat.size() <= 16) {
    // Each round leaves one element less.
    for (size_t i = 0; i < flat.size(); ++i) {
      const PolyId element = flat[i];
      const auto opposite = std::find(flat.begin(), flat.end(), Scale(element, Rational(-1)));
      if (opposite == flat.end() || element == kZero) continue;
      const PolyId magnitude = Abs(element);
      if (magnitude == kNoPoly) return kNoPoly;
      flat.erase(opposite);
      std::erase(flat, element);
      flat.push_back(Fire(Rule::kMaxAbs, magnitude));
      std::sort(flat.begin(), flat.end());
      flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
      i = std::numeric_limits<size_t>::max();  // from the start
    }
    // An element never above another one drops out (of two that are never apart, the first stays).
    for (size_t i = 0; i < flat.size(); ++i) {
      for (size_t j = 0; j < flat.size();) {
        bool drop = false;
        if (i != j) {
          PolyId difference = Add(flat[i], flat[j], Rational(-1));
          if (difference == kNoPoly) return kNoPoly;
          drop = NeverNegative(SignsOf(difference));
        }
        if (drop) {
          flat.erase(flat.begin() + static_cast<ptrdiff_t>(j));
          if (j < i) --i;
          Fire(Rule::kMaxDominated, kZero);
        } else {
          ++j;
        }
      }
    }
  }
  if (flat.size() == 1) return flat[0];
  if (flat.size() == 2 && Add(flat[0], flat[1]) == kZero) return Fire(Rule::kMaxAbs, Abs(flat[0]));
  bool failed = false;
  if (PolyId result = MaxWithoutFactors(flat, &failed); result != kNoPoly || failed) return result;
  // One positive rational content over all elements.
  fmpq_t content;
  fmpq_init(content);
  for (PolyId e : flat) {
    const auto [known, added] = element_contents_.try_emplace(static_cast<uint32_t>(e));
    if (added) known->second = Content(e);
    const Rational& of = known->second;
    if (!of.IsZero()) fmpq_gcd(content, content, of.raw());
  }
  Rational scale;
  fmpq_set(scale.raw(), content);
  fmpq_clear(content);
  Atom maximum{.kind = AtomKind::kMax};
  std::vector<PolyId> scaled;
  const Rational shrink = scale.Inverse();
  for (PolyId e : flat) {
    const PolyId s = ScaleElement(into_maxima_, e, shrink);
    if (s == kNoPoly) return kNoPoly;
    scaled.push_back(s);
  }
  std::sort(scaled.begin(), scaled.end());
  Signs all = 0;
  bool above_zero = false, at_least_zero = false;
  maximum.integer = true;
  std::vector<uint32_t> key = {static_cast<uint32_t>(AtomKind::kMax)};
  for (PolyId e : scaled) {
    Signs s = SignsOf(e);
    all |= s;
    at_least_zero = at_least_zero || NeverNegative(s);
    above_zero = above_zero || s == kPositive;
    maximum.integer = maximum.integer && IsIntegral(e);
    key.push_back(static_cast<uint32_t>(e));
    maximum.args.push_back(static_cast<uint32_t>(e));
  }
  maximum.signs = above_zero ? kPositive : at_least_zero ? static_cast<Signs>(all & ~kNegative) : all;
  if (maximum.signs == 0) maximum.signs = kZeroSign;
  PolyId result = OfAtom(InternAtom(std::move(key), std::move(maximum)));
  if (!scale.IsOne()) Fire(Rule::kMaxContent, result);
  return result == kNoPoly ? kNoPoly : Scale(result, scale);
}

}  // namespace racer::normal
