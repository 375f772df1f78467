// Inverses, square roots and magnitudes of forms, and what is known of their signs.
#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/check.h"
#include "symexec/normal/algebra.h"

namespace racer::normal {
namespace {

constexpr uint64_t kTrialBound = uint64_t{1} << 20;
constexpr int kMaxContentRounds = 16;  // taking out a content may uncover another

Signs Negated(Signs s) {
  return static_cast<Signs>((s & kZeroSign) | ((s & kNegative) != 0 ? kPositive : 0) | ((s & kPositive) != 0 ? kNegative : 0));
}

// n = square^2 * product(parts); parts are distinct primes, but for one last cofactor without factors below the bound.
void SplitSquares(const fmpz_t n, fmpz_t square, std::vector<Rational>& parts) {
  fmpz_t rest, quotient;
  fmpz_init_set(rest, n);
  fmpz_init(quotient);
  fmpz_one(square);
  auto take = [&](uint64_t p) {
    unsigned count = 0;
    while (fmpz_fdiv_ui(rest, p) == 0) {
      fmpz_divexact_ui(rest, rest, p);
      ++count;
    }
    for (unsigned i = 0; i < count / 2; ++i) fmpz_mul_ui(square, square, p);
    if (count % 2 != 0) parts.emplace_back(static_cast<int64_t>(p));
  };
  take(2);
  for (uint64_t p = 3; p <= kTrialBound && fmpz_cmp_ui(rest, p * p) >= 0; p += 2) {
    if (fmpz_fdiv_ui(rest, p) == 0) take(p);
  }
  if (fmpz_is_one(rest) == 0) {
    if (fmpz_is_square(rest) != 0) {
      fmpz_sqrt(quotient, rest);
      fmpz_mul(square, square, quotient);
    } else {
      Rational r;
      fmpz_set(fmpq_numref(r.raw()), rest);
      parts.push_back(std::move(r));
    }
  }
  fmpz_clear(rest);
  fmpz_clear(quotient);
}

}  // namespace

Signs SignsOfProduct(Signs a, Signs b) {
  Signs r = 0;
  if (((a | b) & kZeroSign) != 0) r |= kZeroSign;
  if (((a & kPositive) != 0 && (b & kPositive) != 0) || ((a & kNegative) != 0 && (b & kNegative) != 0)) r |= kPositive;
  if (((a & kPositive) != 0 && (b & kNegative) != 0) || ((a & kNegative) != 0 && (b & kPositive) != 0)) r |= kNegative;
  return r;
}

PolyId Algebra::Inverse(PolyId a) {
  if (a == kZero) return Fail("a division by zero");
  if (IsConstant(a)) return Constant(ConstantValue(a).Inverse());
  auto memo = inverse_memo_.find(static_cast<uint32_t>(a));
  if (memo != inverse_memo_.end()) return memo->second;
  // 1 / (c * m * P) = 1/c * m^-1 * P^-1, with P free of content; taking m out may reduce P again.
  Rational scale(1);
  std::vector<std::vector<AtomPower>> contents;
  PolyId rest = a, outside = Constant(Rational(1));
  for (int round = 0; size(rest) > 1; ++round) {
    const PolyId power = PowerContent(rest);
    if (power == kNoPoly) return kNoPoly;
    if (power != kZero) {
      const PolyId factor = Power2(Scale(power, Rational(-1)));
      rest = factor == kNoPoly ? kNoPoly : Multiply(rest, factor);
      outside = rest == kNoPoly ? kNoPoly : Multiply(outside, factor);
      if (outside == kNoPoly) return kNoPoly;
      if (size(rest) <= 1) break;
    }
    std::vector<AtomPower> content = MonoContent(rest);
    if (content.empty() && power == kZero) break;
    if (round == kMaxContentRounds) return Fail("a divisor whose content does not settle");
    for (AtomPower& p : content) p.exponent = -p.exponent;
    rest = MultiplyMono(rest, content);
    if (rest == kNoPoly) return kNoPoly;
    contents.push_back(std::move(content));
  }
  if (rest == kZero) return Fail("a division by zero");
  PolyId result;
  if (size(rest) == 1) {
    std::vector<AtomPower> powers(mono(monos(rest)[0]).begin(), mono(monos(rest)[0]).end());
    for (AtomPower& p : powers) p.exponent = -p.exponent;
    Rational c = coefficients(rest)[0].Inverse();
    result = MultiplyMono(Constant(c), powers);
    Fire(Rule::kInverseMono, result);
  } else {
    PolyId primitive = Primitive(rest, true, &scale);
    if (primitive == kNoPoly) return kNoPoly;
    Atom atom{.kind = AtomKind::kInverse, .signs = static_cast<Signs>(SignsOf(primitive) & ~kZeroSign), .related = true};
    atom.deep_related = HasRelated(primitive);
    atom.logistic = Logistic(primitive);
    atom.poly = primitive;
    atom.degree = Degree(primitive);
    AtomId id = InternAtom({static_cast<uint32_t>(AtomKind::kInverse), static_cast<uint32_t>(primitive)}, std::move(atom));
    AtomPower power{id, -1};
    result = MultiplyMono(Constant(scale.Inverse()), {&power, 1});
    if (!contents.empty()) Fire(Rule::kInverseContent, result);
  }
  for (const std::vector<AtomPower>& content : contents) {
    if (result == kNoPoly) return kNoPoly;
    result = MultiplyMono(result, content);  // already negated above
  }
  if (result != kNoPoly && outside != Constant(Rational(1))) result = Multiply(result, outside);
  if (result != kNoPoly) inverse_memo_.emplace(static_cast<uint32_t>(a), result);
  return result;
}

PolyId Algebra::SqrtAtom(PolyId primitive) {
  Signs inside = SignsOf(primitive);
  Atom atom{.kind = AtomKind::kSqrt, .signs = static_cast<Signs>(NeverZero(inside) ? kPositive : kPositive | kZeroSign), .related = true};
  atom.poly = primitive;
  return OfAtom(InternAtom({static_cast<uint32_t>(AtomKind::kSqrt), static_cast<uint32_t>(primitive)}, std::move(atom)));
}

PolyId Algebra::SqrtOfRational(const Rational& value) {
  if (value.Sign() < 0) return Fail("a square root of a negative constant");
  if (value.IsZero()) return kZero;
  if (value.IsOne()) return Constant(value);
  // sqrt(n/d) = sqrt(n*d)/d
  fmpz_t product, square;
  fmpz_init(product);
  fmpz_init(square);
  fmpz_mul(product, fmpq_numref(value.raw()), fmpq_denref(value.raw()));
  std::vector<Rational> parts;
  SplitSquares(product, square, parts);
  Rational outside;
  fmpz_set(fmpq_numref(outside.raw()), square);
  fmpz_set(fmpq_denref(outside.raw()), fmpq_denref(value.raw()));
  fmpq_canonicalise(outside.raw());
  fmpz_clear(product);
  fmpz_clear(square);
  PolyId result = Constant(outside);
  for (const Rational& part : parts) {
    PolyId root = SqrtAtom(Constant(part));
    result = root == kNoPoly ? kNoPoly : Multiply(result, root);
    if (result == kNoPoly) return kNoPoly;
  }
  return Fire(Rule::kSqrtRational, result);
}

PolyId Algebra::AbsOfAtom(AtomId id, int32_t exponent) {
  const Atom a = atom(id);
  if (exponent % 2 == 0 || NeverNegative(a.signs)) return OfAtom(id, exponent);
  if (NeverPositive(a.signs)) return Scale(OfAtom(id, exponent), Rational(-1));
  PolyId inside = a.kind == AtomKind::kInverse ? a.poly : OfAtom(id);
  Atom magnitude{
      .kind = AtomKind::kAbs, .signs = static_cast<Signs>(NeverZero(a.signs) ? kPositive : kPositive | kZeroSign), .related = true};
  magnitude.poly = inside;
  AtomId abs = InternAtom({static_cast<uint32_t>(AtomKind::kAbs), static_cast<uint32_t>(inside)}, std::move(magnitude));
  PolyId even = OfAtom(id, exponent - 1);
  return even == kNoPoly ? kNoPoly : Multiply(OfAtom(abs), even);
}

// product |x|^(e/2) of the even parts.
PolyId Algebra::Halved(std::span<const AtomPower> powers) {
  PolyId result = Constant(Rational(1));
  for (const AtomPower& p : powers) {
    PolyId factor = AbsOfAtom(p.atom, p.exponent >> 1);
    result = factor == kNoPoly ? kNoPoly : Multiply(result, factor);
    if (result == kNoPoly) return kNoPoly;
  }
  return result;
}

// sqrt(+-product(powers)). sqrt(a*b) = sqrt(a)*sqrt(b) needs a >= 0: even powers are, and so are atoms of known sign.
PolyId Algebra::SqrtOfMono(std::span<const AtomPower> powers, bool negative) {
  std::vector<AtomPower> even, odd;
  PolyId result = Constant(Rational(1));
  auto times = [&](PolyId factor) { result = factor == kNoPoly || result == kNoPoly ? kNoPoly : Multiply(result, factor); };
  auto root_of = [&](AtomId id) {
    switch (atom(id).kind) {
      case AtomKind::kInverse: return Sqrt(atom(id).poly);
      case AtomKind::kPower: return Power2(Scale(atom(id).poly, Rational(1, 2)));
      default: return SqrtAtom(OfAtom(id));
    }
  };
  for (const AtomPower& p : powers) {
    int32_t half = p.exponent >> 1;
    if (p.exponent % 2 == 0) {
      even.push_back(p);
    } else if (NeverNegative(atom(p.atom).signs)) {
      times(root_of(p.atom));
      times(OfAtom(p.atom, half));
      Fire(Rule::kSqrtKnownSign, result);
    } else {
      odd.push_back(p);
    }
  }
  if (!even.empty()) {
    times(Halved(even));
    Fire(Rule::kSqrtEven, result);
  }
  if (odd.size() == 1 && !negative) {
    times(root_of(odd[0].atom));
    times(OfAtom(odd[0].atom, odd[0].exponent >> 1));
    return Fire(Rule::kSqrtImpliedSign, result);
  }
  if (odd.empty() && !negative) return result;
  std::vector<AtomPower> inside;
  for (const AtomPower& p : odd) {
    times(AbsOfAtom(p.atom, p.exponent >> 1));
    inside.push_back({p.atom, 1});
  }
  PolyId rest = MultiplyMono(Constant(Rational(negative ? -1 : 1)), inside);  // an inverse atom expands here
  if (rest == kNoPoly || result == kNoPoly) return kNoPoly;
  if (size(rest) == 1) {
    times(SqrtAtom(rest));
  } else {
    times(Sqrt(rest));
  }
  return result;
}

PolyId Algebra::Sqrt(PolyId a) {
  if (IsConstant(a)) return SqrtOfRational(ConstantValue(a));
  auto memo = sqrt_memo_.find(static_cast<uint32_t>(a));
  if (memo != sqrt_memo_.end()) return memo->second;
  if (++depth_ > 64) {
    --depth_;
    return Fail("roots nested deeper than 64");
  }
  Rational content;
  PolyId primitive = Primitive(a, false, &content);
  PolyId root = primitive == kNoPoly ? kNoPoly : SqrtOfRational(content);
  if (root != kNoPoly && !content.IsOne()) Fire(Rule::kSqrtContent, root);
  PolyId inner = kNoPoly;
  if (root != kNoPoly && size(primitive) == 1) {
    std::vector<AtomPower> powers(mono(monos(primitive)[0]).begin(), mono(monos(primitive)[0]).end());
    inner = SqrtOfMono(powers, coefficients(primitive)[0].Sign() < 0);
  } else if (const PolyId power = root == kNoPoly ? kZero : PowerContent(primitive); power != kZero) {
    const PolyId half = power == kNoPoly ? kNoPoly : Power2(Scale(power, Rational(1, 2)));
    const PolyId factor = half == kNoPoly ? kNoPoly : Power2(Scale(power, Rational(-1)));
    const PolyId rest = factor == kNoPoly ? kNoPoly : Multiply(primitive, factor);
    const PolyId inside = rest == kNoPoly ? kNoPoly : Sqrt(rest);
    inner = inside == kNoPoly ? kNoPoly : Multiply(half, inside);
  } else if (root != kNoPoly) {
    // A content that is a square or of known sign comes out; x^e of unknown sign leaves x^(e mod 2) behind.
    std::vector<AtomPower> pulled, inverse;
    for (const AtomPower& p : MonoContent(primitive)) {
      int32_t e = NeverNegative(atom(p.atom).signs) ? p.exponent : (p.exponent >> 1) * 2;
      if (e == 0) continue;
      pulled.push_back({p.atom, e});
      inverse.push_back({p.atom, -e});
    }
    if (pulled.empty()) {
      inner = SqrtAtom(primitive);
    } else {
      PolyId rest = MultiplyMono(primitive, inverse);
      if (rest != kNoPoly && SignsOf(primitive) == kPositive) LearnSigns(rest, kPositive);  // what came out is a square or positive
      PolyId outside = rest == kNoPoly ? kNoPoly : SqrtOfMono(pulled, false);
      PolyId inside = outside == kNoPoly ? kNoPoly : Sqrt(rest);
      inner = inside == kNoPoly ? kNoPoly : Multiply(outside, inside);
    }
  }
  --depth_;
  PolyId result = inner == kNoPoly || root == kNoPoly ? kNoPoly : Multiply(root, inner);
  if (result != kNoPoly) sqrt_memo_.emplace(static_cast<uint32_t>(a), result);
  return result;
}

PolyId Algebra::Abs(PolyId a) {
  if (IsConstant(a)) return Constant(ConstantValue(a).Sign() < 0 ? -ConstantValue(a) : ConstantValue(a));
  Signs signs = SignsOf(a);
  if (NeverNegative(signs)) return Fire(Rule::kAbsKnownSign, a);
  if (NeverPositive(signs)) return Fire(Rule::kAbsKnownSign, Scale(a, Rational(-1)));
  Rational scale;
  PolyId primitive = Primitive(a, true, &scale);
  if (primitive == kNoPoly) return kNoPoly;
  if (scale.Sign() < 0) scale = -scale;
  PolyId result;
  if (size(primitive) == 1) {
    std::vector<AtomPower> powers(mono(monos(primitive)[0]).begin(), mono(monos(primitive)[0]).end());
    result = Constant(Rational(1));
    for (const AtomPower& p : powers) {
      PolyId factor = AbsOfAtom(p.atom, p.exponent);
      result = factor == kNoPoly ? kNoPoly : Multiply(result, factor);
      if (result == kNoPoly) return kNoPoly;
    }
    Fire(Rule::kAbsProduct, result);
  } else if (std::vector<AtomPower> content = MonoContent(primitive); !content.empty() && depth_ < 64) {
    ++depth_;
    // |m * P| = |m| * |P|
    std::vector<AtomPower> inverse = content;
    for (AtomPower& p : inverse) p.exponent = -p.exponent;
    PolyId rest = MultiplyMono(primitive, inverse);
    PolyId factor = MultiplyMono(Constant(Rational(1)), content);
    PolyId left = factor == kNoPoly ? kNoPoly : Abs(factor), right = rest == kNoPoly ? kNoPoly : Abs(rest);
    --depth_;
    result = left == kNoPoly || right == kNoPoly ? kNoPoly : Fire(Rule::kAbsContent, Multiply(left, right));
  } else {
    Atom magnitude{
        .kind = AtomKind::kAbs, .signs = static_cast<Signs>(NeverZero(signs) ? kPositive : kPositive | kZeroSign), .related = true};
    magnitude.poly = primitive;
    result = OfAtom(InternAtom({static_cast<uint32_t>(AtomKind::kAbs), static_cast<uint32_t>(primitive)}, std::move(magnitude)));
  }
  return result == kNoPoly ? kNoPoly : Scale(result, scale);
}

PolyId Algebra::SumAtom(PolyId a) {
  Rational scale;
  PolyId primitive = Primitive(a, true, &scale);
  if (primitive == kNoPoly) return kNoPoly;
  Atom sum{.kind = AtomKind::kSum, .signs = SignsOf(primitive), .poly = primitive};
  PolyId atom = OfAtom(InternAtom({static_cast<uint32_t>(AtomKind::kSum), static_cast<uint32_t>(primitive)}, std::move(sum)));
  return Fire(Rule::kSumAtom, Scale(atom, scale));
}

// --- signs

Signs Algebra::SignsOfMono(MonoId m) const {
  Signs result = kPositive;
  for (const AtomPower& p : mono(m)) {
    Signs s = atom(p.atom).signs;
    if (p.exponent < 0) s &= static_cast<Signs>(~kZeroSign);
    if (p.exponent % 2 == 0) s = SignsOfSquare(s);
    result = SignsOfProduct(result, s);
  }
  return result;
}

Signs Algebra::SignsOf(PolyId a) {
  if (a == kZero) return kZeroSign;
  auto memo = sign_memo_.find(static_cast<uint32_t>(a));
  if (memo != sign_memo_.end()) return memo->second;
  Signs seen = 0;
  bool some_never_zero = false;
  std::span<const MonoId> m = monos(a);
  std::span<const Rational> c = coefficients(a);
  for (size_t i = 0; i < m.size(); ++i) {
    Signs s = SignsOfMono(m[i]);
    if (c[i].Sign() < 0) s = Negated(s);
    seen |= s;
    some_never_zero = some_never_zero || NeverZero(s);
    if (m.size() > 1 && (seen & kNegative) != 0 && (seen & kPositive) != 0) {
      seen = kAnySign;
      break;
    }
  }
  Signs result = seen;
  if (m.size() > 1 && seen != kAnySign && some_never_zero) result &= static_cast<Signs>(~kZeroSign);
  if (result == kAnySign) result = IntervalSigns(a);
  sign_memo_.emplace(static_cast<uint32_t>(a), result);
  return result;
}

void Algebra::LearnSigns(PolyId a, Signs signs) {
  // Conditions and roots are about the primitive form.
  Rational scale;
  const PolyId primitive = Primitive(a, true, &scale);
  for (const PolyId form : {a, primitive}) {
    if (form == kNoPoly) continue;
    const Signs known = form == primitive && scale.Sign() < 0 ? Negated(signs) : signs;
    const Signs before = SignsOf(form);
    // An empty intersection means that the form has no point at all in the ranges; nothing is concluded from that.
    if ((before & known) != 0 && (before & known) != before) sign_memo_[static_cast<uint32_t>(form)] = before & known;
  }
}

// Interval arithmetic over the ranges of the inputs, for short forms: enough for 1 - x with x in [0, 1].
SymbolRange Algebra::Bounds(PolyId a) const {
  constexpr size_t kMaxTerms = 64;
  if (size(a) > kMaxTerms) return {};
  bool has_low = true, has_high = true, low_open = false, high_open = false;
  Rational low, high;
  std::span<const MonoId> m = monos(a);
  std::span<const Rational> c = coefficients(a);
  for (size_t i = 0; i < m.size(); ++i) {
    std::optional<Rational> lo = Rational(1), hi = Rational(1);
    bool lo_open = false, hi_open = false;
    std::span<const AtomPower> powers = mono(m[i]);
    if (powers.size() == 1 && powers[0].exponent == 1) {
      const SymbolRange* r = atom(powers[0].atom).range;
      lo = r == nullptr ? std::nullopt : r->low;
      hi = r == nullptr ? std::nullopt : r->high;
      lo_open = r != nullptr && r->low_open;
      hi_open = r != nullptr && r->high_open;
    } else if (!powers.empty()) {
      // A product of bounded atoms with positive exponents; whether an end is attained is not tracked.
      for (const AtomPower& p : powers) {
        const SymbolRange* r = atom(p.atom).range;
        if (r == nullptr || !r->low || !r->high || p.exponent < 0 || p.exponent > 8) {
          lo.reset();
          hi.reset();
          break;
        }
        for (int32_t k = 0; k < p.exponent; ++k) {
          Rational corners[] = {*lo * *r->low, *lo * *r->high, *hi * *r->low, *hi * *r->high};
          lo = *std::min_element(std::begin(corners), std::end(corners));
          hi = *std::max_element(std::begin(corners), std::end(corners));
        }
      }
    }
    // Even powers and known signs bound a product by zero.
    Signs signs = SignsOfMono(m[i]);
    if (NeverNegative(signs) && (!lo || lo->Sign() < 0)) {
      lo = Rational(0);
      lo_open = NeverZero(signs);
    }
    if (NeverPositive(signs) && (!hi || hi->Sign() > 0)) {
      hi = Rational(0);
      hi_open = NeverZero(signs);
    }
    if (c[i].Sign() < 0) {
      std::swap(lo, hi);
      std::swap(lo_open, hi_open);
    }
    has_low = has_low && lo.has_value();
    has_high = has_high && hi.has_value();
    if (has_low) low += *lo * c[i];
    if (has_high) high += *hi * c[i];
    low_open = low_open || lo_open;
    high_open = high_open || hi_open;
  }
  SymbolRange bounds;
  bounds.low_open = low_open;
  bounds.high_open = high_open;
  if (has_low) bounds.low = std::move(low);
  if (has_high) bounds.high = std::move(high);
  return bounds;
}

Signs Algebra::IntervalSigns(PolyId a) const {
  const SymbolRange bounds = Bounds(a);
  Signs result = kAnySign;
  if (bounds.low && bounds.low->Sign() >= 0)
    result &= static_cast<Signs>(bounds.low->Sign() > 0 || bounds.low_open ? kPositive : kPositive | kZeroSign);
  if (bounds.high && bounds.high->Sign() <= 0)
    result &= static_cast<Signs>(bounds.high->Sign() < 0 || bounds.high_open ? kNegative : kNegative | kZeroSign);
  return result == 0 ? kAnySign : result;
}

}  // namespace racer::normal
