// Clamps between two numbers: one form for min(max(x, a), b) and max(min(x, b), a), also inside one another.
#include <algorithm>
#include <utility>

#include "symexec/normal/algebra.h"

namespace racer::normal {
namespace {

constexpr int kMaxClampDepth = 8;  // clamps inside clamps

}  // namespace

PolyId Algebra::Min(std::vector<PolyId> elements) {
  for (PolyId& element : elements) {
    element = Scale(element, Rational(-1));
    if (element == kNoPoly) return kNoPoly;
  }
  const PolyId maximum = Max(std::move(elements));
  return maximum == kNoPoly ? kNoPoly : Scale(maximum, Rational(-1));
}

std::optional<Algebra::Extremum> Algebra::AsExtremum(PolyId a) {
  if (size(a) != 1) return std::nullopt;
  const std::vector<AtomPower> powers(mono(monos(a)[0]).begin(), mono(monos(a)[0]).end());
  for (size_t k = powers.size(); k-- > 0;) {
    if (atom(powers[k].atom).kind != AtomKind::kMax || powers[k].exponent != 1) continue;
    std::vector<AtomPower> others = powers;
    others.erase(others.begin() + static_cast<ptrdiff_t>(k));
    const Rational coefficient = coefficients(a)[0];
    const PolyId factor = MultiplyMono(Constant(coefficient), others);
    if (factor == kNoPoly) return std::nullopt;
    const Signs signs = SignsOf(factor);
    if (!NeverNegative(signs) && !NeverPositive(signs)) continue;
    Extremum result{.maximum = NeverNegative(signs), .elements = {}};
    const std::vector<uint32_t> args = atom(powers[k].atom).args;
    for (uint32_t arg : args) {
      result.elements.push_back(Multiply(PolyId{arg}, factor));
      if (result.elements.back() == kNoPoly) return std::nullopt;
    }
    return result;
  }
  return std::nullopt;
}

std::optional<Algebra::Clamped> Algebra::AsClamp(PolyId a, int depth) {
  const std::optional<Extremum> extremum = depth == 0 ? std::nullopt : AsExtremum(a);
  if (!extremum || extremum->elements.size() != 2) return Clamped{.x = a};
  const unsigned at = IsConstant(extremum->elements[0]) ? 0 : 1;
  if (!IsConstant(extremum->elements[at])) return Clamped{.x = a};
  const Rational end = ConstantValue(extremum->elements[at]);
  std::optional<Clamped> inner = AsClamp(extremum->elements[1 - at], depth - 1);
  if (!inner) return std::nullopt;
  // An end past the other one leaves a number, which no maximum keeps as an element.
  if (extremum->maximum) {
    if (inner->high && !(end < *inner->high)) return std::nullopt;
    if (!inner->low || *inner->low < end) inner->low = end;
  } else {
    if (inner->low && !(*inner->low < end)) return std::nullopt;
    if (!inner->high || end < *inner->high) inner->high = end;
  }
  return inner;
}

// Of x and -x the one with a positive first coefficient is clamped.
PolyId Algebra::ClampForm(const Clamped& clamp) {
  const Rational minus_one(-1);
  if (coefficients(clamp.x)[0].Sign() < 0) {
    Clamped opposite{.x = Scale(clamp.x, minus_one)};
    if (clamp.high) opposite.low = -*clamp.high;
    if (clamp.low) opposite.high = -*clamp.low;
    const PolyId form = opposite.x == kNoPoly ? kNoPoly : ClampForm(opposite);
    return form == kNoPoly ? kNoPoly : Scale(form, minus_one);
  }
  const auto maximum = [&](PolyId x, const Rational& end) {
    std::vector<PolyId> elements = {x, Constant(end)};
    std::sort(elements.begin(), elements.end());
    return MaxOf(std::move(elements));
  };
  PolyId form = clamp.x;
  if (clamp.low) form = maximum(form, *clamp.low);
  if (form == kNoPoly || !clamp.high) return form;
  form = Scale(form, minus_one);
  form = form == kNoPoly ? kNoPoly : maximum(form, -*clamp.high);
  return form == kNoPoly ? kNoPoly : Scale(form, minus_one);
}

// The maximum of a clamp and a number; kNoPoly: it is none.
PolyId Algebra::MaxOfClamp(std::span<const PolyId> elements) {
  if (elements.size() != 2) return kNoPoly;
  const unsigned at = IsConstant(elements[0]) ? 0 : 1;
  if (!IsConstant(elements[at]) || IsConstant(elements[1 - at])) return kNoPoly;
  const PolyId constant = elements[at];
  const Rational end = ConstantValue(constant);
  std::optional<Clamped> clamp = AsClamp(elements[1 - at], kMaxClampDepth);
  if (!clamp || (!clamp->low && !clamp->high)) return kNoPoly;
  if (clamp->high && !(end < *clamp->high)) return Fire(Rule::kClampOrder, constant);
  if (!clamp->low || *clamp->low < end) clamp->low = end;
  return Fire(Rule::kClampOrder, ClampForm(*clamp));
}

bool Algebra::IsIntegral(MonoId m) const {
  const std::span<const AtomPower> powers = mono(m);
  return std::all_of(powers.begin(), powers.end(), [&](const AtomPower& p) { return p.exponent > 0 && atom(p.atom).integer; });
}

bool Algebra::IsIntegral(PolyId a) const {
  for (size_t i = 0; i < size(a); ++i) {
    if (!coefficients(a)[i].IsInteger() || !IsIntegral(monos(a)[i])) return false;
  }
  return true;
}

}  // namespace racer::normal
