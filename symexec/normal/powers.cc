// Powers and logarithms to the base 2, to which all exponentials come down: e^x is 2^(log2(e) * x), ln(x) is log2(x) / log2(e).
#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "symexec/normal/algebra.h"
#include "symexec/normal/scratch.h"

namespace racer::normal {
namespace {

constexpr int64_t kMaxInteger = 4096;  // 2^n is written out up to here
constexpr int64_t kMaxPower = 64;      // P^k of 2^(k * log2(P))
constexpr int kMaxDepth = 64;
constexpr uint64_t kTrialBound = uint64_t{1} << 16;

Rational FloorOf(const Rational& value) {
  Rational floor;
  fmpz_fdiv_q(fmpq_numref(floor.raw()), fmpq_numref(value.raw()), fmpq_denref(value.raw()));
  return floor;
}

}  // namespace

PolyId Algebra::Of(NamedConstant constant) {
  Atom atom{.kind = AtomKind::kConstant, .signs = kPositive, .function = static_cast<uint32_t>(constant)};
  const auto between = [&](int64_t low, int64_t high) {
    atom.range = Keep({.low = Rational(low, 1000), .high = Rational(high, 1000), .low_open = true, .high_open = true});
  };
  switch (constant) {
    case NamedConstant::kLog2E: between(1442, 1443); break;
    case NamedConstant::kPi: between(3141, 3142); break;
  }
  return OfAtom(InternAtom({static_cast<uint32_t>(AtomKind::kConstant), static_cast<uint32_t>(constant)}, std::move(atom)));
}

bool Algebra::IsPowerOf2(PolyId a) const {
  if (IsConstant(a)) return true;
  if (size(a) != 1) return false;
  const std::span<const AtomPower> powers = mono(monos(a)[0]);
  return powers.size() == 1 && relations_[static_cast<size_t>(powers[0].atom)] == kFused;
}

// --- powers

// The powers of 2 in a product as one; they leave the product. 1 if there are none, kNoPoly where it fails.
PolyId Algebra::FusePowers(std::vector<AtomPower>& powers) {
  std::vector<AtomPower> found;
  for (AtomPower& p : powers) {
    if (relations_[static_cast<size_t>(p.atom)] != kFused || p.exponent == 0) continue;
    found.push_back(p);
    p.exponent = 0;
  }
  if (found.empty()) return Constant(Rational(1));
  const bool pair = found.size() == 2 && found[0].exponent == 1 && found[1].exponent == 1;
  const uint64_t key = pair ? uint64_t{static_cast<uint32_t>(found[0].atom)} << 32 | static_cast<uint32_t>(found[1].atom) : 0;
  if (pair) {
    const auto known = fused_memo_.find(key);
    if (known != fused_memo_.end()) return known->second;
  }
  PolyId sum = kZero;
  for (const AtomPower& p : found) {
    sum = Add(sum, atom(p.atom).poly, Rational(p.exponent));
    if (sum == kNoPoly) return kNoPoly;
  }
  const PolyId result = Power2(sum);
  if (pair && result != kNoPoly) fused_memo_.emplace(key, result);
  return Fire(Rule::kPowerFuse, result);
}

// B - A of c * 2^A + d * 2^B (one of them may be 0); kNoPoly for any other sum.
PolyId Algebra::Logistic(PolyId sum) {
  if (size(sum) != 2) return kNoPoly;
  PolyId exponents[2] = {kZero, kZero};
  for (unsigned i = 0; i < 2; ++i) {
    const std::span<const AtomPower> powers = mono(monos(sum)[i]);
    if (powers.empty()) continue;
    if (powers.size() != 1 || relations_[static_cast<size_t>(powers[0].atom)] != kFused) return kNoPoly;
    exponents[i] = atom(powers[0].atom).poly;
  }
  return Add(exponents[1], exponents[0], Rational(-1));
}

// k such that 2^(P - k * step) has a coefficient of step's last monomial between 0 and (without) that of step. 0 also past what is divided
// out.
int64_t Algebra::TimesIn(AtomId power, PolyId step) const {
  const MonoId lead = monos(step).back();
  const PolyId exponent = atom(power).poly;
  const std::span<const MonoId> terms = monos(exponent);
  const auto at = std::lower_bound(terms.begin(), terms.end(), lead);
  if (at == terms.end() || *at != lead) return 0;
  const Rational& coefficient = coefficients(exponent)[static_cast<size_t>(at - terms.begin())];
  const std::optional<int64_t> k = FloorOf(coefficient / coefficients(step).back()).ToInt64();
  return k && *k >= -kMaxPower && *k <= kMaxPower ? *k : 0;
}

// 2^P / (c * 2^A + d * 2^B) with P past its range by k * (B - A): the pair leaves the product for one step of the division,
//   k > 0: 1/d * 2^(P - B) - c/d * 2^(P - B + A) / (...)      k < 0: 1/c * 2^(P - A) - d/c * 2^(P - A + B) / (...)
// Zero: there is no such pair.
PolyId Algebra::SplitLogistic(std::vector<AtomPower>& powers) {
  const auto power = std::find_if(powers.begin(), powers.end(),
                                  [&](const AtomPower& p) { return relations_[static_cast<size_t>(p.atom)] == kFused && p.exponent == 1; });
  if (power == powers.end()) return kZero;
  for (AtomPower& p : powers) {
    if (relations_[static_cast<size_t>(p.atom)] != kInverted || p.exponent >= 0) continue;
    const Atom inverse = atom(p.atom);
    const int64_t k = inverse.logistic == kNoPoly ? 0 : TimesIn(power->atom, inverse.logistic);
    if (k == 0) continue;
    const auto exponent_of = [&](unsigned i) {
      const std::span<const AtomPower> factors = mono(monos(inverse.poly)[i]);
      return factors.empty() ? kZero : atom(factors[0].atom).poly;
    };
    const unsigned out = k > 0 ? 1 : 0;
    const Rational own = coefficients(inverse.poly)[out], other = coefficients(inverse.poly)[1 - out];
    const PolyId left = Add(atom(power->atom).poly, exponent_of(out), Rational(-1));
    const PolyId right = left == kNoPoly ? kNoPoly : Add(left, exponent_of(1 - out));
    const PolyId whole = Power2(left), rest = right == kNoPoly ? kNoPoly : Power2(right);
    const AtomPower one{p.atom, -1};
    const PolyId divided = rest == kNoPoly ? kNoPoly : MultiplyMono(rest, {&one, 1});
    power->exponent = 0;
    ++p.exponent;
    if (whole == kNoPoly || divided == kNoPoly) return kNoPoly;
    return Fire(Rule::kLogistic, Scale(Add(whole, divided, -other), own.Inverse()));
  }
  return kZero;
}

// a = rest + sum of k * log2(P), 2k an integer: factor is the product of the P^k. False where that fails.
bool Algebra::TakeLogsOut(PolyId a, PolyId* rest, PolyId* factor) {
  *rest = a;
  *factor = Constant(Rational(1));
  const auto is_log = [&](MonoId m) {
    const std::span<const AtomPower> powers = mono(m);
    return powers.size() == 1 && powers[0].exponent == 1 && atom(powers[0].atom).kind == AtomKind::kLog;
  };
  if (std::none_of(monos(a).begin(), monos(a).end(), is_log)) return true;
  std::vector<std::pair<PolyId, Rational>> logs;
  Scratch kept(*this);
  const std::vector<MonoId> terms(monos(a).begin(), monos(a).end());
  for (size_t i = 0; i < terms.size(); ++i) {
    const std::span<const AtomPower> powers = mono(terms[i]);
    const Rational& k = coefficients(a)[i];
    const std::optional<int64_t> twice = is_log(terms[i]) ? (k * Rational(2)).ToInt64() : std::nullopt;
    if (twice && *twice >= -2 * kMaxPower && *twice <= 2 * kMaxPower) {
      logs.emplace_back(atom(powers[0].atom).poly, k);
    } else {
      (*kept).Add(terms[i], k);
    }
  }
  if (logs.empty()) return true;
  *rest = Finish(*kept);
  for (const auto& [p, k] : logs) {
    const Rational whole = FloorOf(k);
    const int64_t n = *whole.ToInt64();
    PolyId base = n < 0 ? Inverse(p) : p;
    PolyId power = base == kNoPoly ? kNoPoly : Power(base, static_cast<unsigned>(n < 0 ? -n : n));
    if (power != kNoPoly && !(k == whole)) {
      const PolyId root = Sqrt(p);
      power = root == kNoPoly ? kNoPoly : Multiply(power, root);
    }
    *factor = power == kNoPoly ? kNoPoly : Multiply(*factor, power);
    if (*factor == kNoPoly) return false;
    Fire(Rule::kPowerOfLog, *factor);
  }
  return true;
}

PolyId Algebra::Power2(PolyId a) {
  if (a == kNoPoly || a == kZero) return a == kZero ? Constant(Rational(1)) : kNoPoly;
  const auto memo = power_memo_.find(static_cast<uint32_t>(a));
  if (memo != power_memo_.end()) return memo->second;
  if (++depth_ > kMaxDepth) {
    --depth_;
    return Fail("powers nested deeper than " + std::to_string(kMaxDepth));
  }
  PolyId rest = kNoPoly, factor = kNoPoly;
  PolyId result = TakeLogsOut(a, &rest, &factor) ? factor : kNoPoly;
  // The constant monomial is the first.
  if (result != kNoPoly && size(rest) > 0 && monos(rest)[0] == kOne) {
    const Rational constant = coefficients(rest)[0];
    const Rational whole = FloorOf(constant);
    const std::optional<int64_t> n = whole.ToInt64();
    if (n && *n >= -kMaxInteger && *n <= kMaxInteger) {
      Rational left = constant - whole;
      result = Scale(result, Rational(2).Pow(*n));
      if (left == Rational(1, 2)) {
        result = Multiply(result, SqrtOfRational(Rational(2)));
        left = Rational(0);
      }
      if (!(left == constant)) Fire(Rule::kPowerInteger, result);
      rest = Add(rest, Constant(constant - left), Rational(-1));
    }
  }
  if (result != kNoPoly && rest != kNoPoly && rest != kZero) {
    Atom power{.kind = AtomKind::kPower, .signs = kPositive, .related = true, .poly = rest};
    const AtomPower one{InternAtom({static_cast<uint32_t>(AtomKind::kPower), static_cast<uint32_t>(rest)}, std::move(power)), 1};
    result = MultiplyMono(result, {&one, 1});
  }
  --depth_;
  if (rest == kNoPoly) result = kNoPoly;
  if (result != kNoPoly) power_memo_.emplace(static_cast<uint32_t>(a), result);
  return result;
}

// g such that 2^-g * a looks the same whatever power of 2 is multiplied into a: of each monomial in the exponents of a's terms the most
// common coefficient (where several are, the least), 0 in terms that do not have it. Zero for a single term's worth of nothing.
PolyId Algebra::PowerContent(PolyId a) {
  bool any = false;
  for (MonoId m : monos(a)) {
    for (const AtomPower& p : mono(m)) any = any || relations_[static_cast<size_t>(p.atom)] == kFused;
  }
  if (!any) return kZero;
  std::map<MonoId, std::map<Rational, size_t>> coefficients_of;
  for (MonoId m : monos(a)) {
    for (const AtomPower& p : mono(m)) {
      if (relations_[static_cast<size_t>(p.atom)] != kFused) continue;
      const PolyId exponent = atom(p.atom).poly;
      for (size_t i = 0; i < size(exponent); ++i) ++coefficients_of[monos(exponent)[i]][coefficients(exponent)[i]];
    }
  }
  Scratch content(*this);
  for (auto& [mono, counts] : coefficients_of) {
    if (mono == kOne) continue;  // a fraction; 2^n itself is in the coefficients
    size_t with = 0;
    for (const auto& [coefficient, count] : counts) with += count;
    if (with < size(a)) counts[Rational(0)] += size(a) - with;
    const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
    if (!most->first.IsZero()) (*content).Add(mono, most->first);
  }
  const PolyId result = Finish(*content);
  return result == kZero ? result : Fire(Rule::kPowerContent, result);
}

PolyId Algebra::WithoutPower(PolyId a) {
  const PolyId power = PowerContent(a);
  if (power == kZero || power == kNoPoly) return power == kZero ? a : kNoPoly;
  const PolyId factor = Power2(Scale(power, Rational(-1)));
  return factor == kNoPoly ? kNoPoly : Multiply(a, factor);
}

// --- logarithms

PolyId Algebra::LogAtom(PolyId primitive) {
  const PolyId above_one = Add(primitive, Constant(Rational(1)), Rational(-1));
  if (above_one == kNoPoly) return kNoPoly;
  Atom log{.kind = AtomKind::kLog, .signs = SignsOf(above_one), .poly = primitive};  // log2 has the sign of P - 1
  return OfAtom(InternAtom({static_cast<uint32_t>(AtomKind::kLog), static_cast<uint32_t>(primitive)}, std::move(log)));
}

// The sum over the primes of value; one cofactor without small primes may be composite.
PolyId Algebra::Log2OfRational(const Rational& value) {
  if (value.Sign() <= 0) return Fail("a logarithm of a constant that is not positive");
  PolyId result = kZero;
  fmpz_t rest;
  fmpz_init(rest);
  for (const bool denominator : {false, true}) {
    fmpz_set(rest, denominator ? fmpq_denref(value.raw()) : fmpq_numref(value.raw()));
    const auto add = [&](const Rational& factor, int64_t times) {
      const PolyId log = factor == Rational(2) ? Constant(Rational(1)) : LogAtom(Constant(factor));
      result = log == kNoPoly || result == kNoPoly ? kNoPoly : Add(result, log, Rational(denominator ? -times : times));
    };
    for (uint64_t p = 2; p <= kTrialBound && fmpz_cmp_ui(rest, p * p) >= 0; p += p == 2 ? 1 : 2) {
      int64_t times = 0;
      while (fmpz_fdiv_ui(rest, p) == 0) {
        fmpz_divexact_ui(rest, rest, p);
        ++times;
      }
      if (times > 0) add(Rational(static_cast<int64_t>(p)), times);
    }
    if (fmpz_is_one(rest) == 0) {
      Rational cofactor;
      fmpz_set(fmpq_numref(cofactor.raw()), rest);
      add(cofactor, 1);
    }
  }
  fmpz_clear(rest);
  return result;
}

// log2(product(powers)), taken to be > 0. log2(a*b) = log2(a) + log2(b) needs a > 0: where the product is positive, a factor that is
// never negative is, and so is the one of unknown sign that is left.
PolyId Algebra::Log2OfMono(std::span<const AtomPower> powers) {
  PolyId result = kZero;
  const auto add = [&](PolyId log, const Rational& times) {
    result = log == kNoPoly || result == kNoPoly ? kNoPoly : Add(result, log, times);
  };
  std::vector<AtomPower> open;
  for (const AtomPower& p : powers) {
    const Atom a = atom(p.atom);
    const Rational times(p.exponent);
    if (a.kind == AtomKind::kPower) {
      add(a.poly, times);
      Fire(Rule::kLogOfPower, result);
    } else if (!NeverNegative(a.signs)) {
      open.push_back(p);
    } else if (a.kind == AtomKind::kInverse) {
      add(Log2(a.poly), times);
    } else if (a.kind == AtomKind::kSqrt) {
      add(Log2(a.poly), times * Rational(1, 2));
    } else {
      add(LogAtom(OfAtom(p.atom)), times);
    }
  }
  if (open.size() == 1 && open[0].exponent % 2 != 0) {
    const Atom a = atom(open[0].atom);
    add(a.kind == AtomKind::kInverse ? Log2(a.poly) : LogAtom(OfAtom(open[0].atom)), Rational(open[0].exponent));
    open.clear();
  }
  if (!open.empty()) {
    const PolyId product = MultiplyMono(Constant(Rational(1)), open);
    add(product == kNoPoly ? kNoPoly : LogAtom(product), Rational(1));
  }
  return powers.size() > 1 ? Fire(Rule::kLogOfProduct, result) : result;
}

PolyId Algebra::Log2(PolyId a) {
  if (IsConstant(a)) return Log2OfRational(ConstantValue(a));
  const auto memo = log_memo_.find(static_cast<uint32_t>(a));
  if (memo != log_memo_.end()) return memo->second;
  if (++depth_ > kMaxDepth) {
    --depth_;
    return Fail("logarithms nested deeper than " + std::to_string(kMaxDepth));
  }
  Rational content;
  PolyId rest = Primitive(a, false, &content);
  PolyId result = Log2OfRational(content);
  const auto add = [&](PolyId log) { result = log == kNoPoly || result == kNoPoly ? kNoPoly : Add(result, log); };
  if (rest == kNoPoly) {
    result = kNoPoly;
  } else if (size(rest) == 1 && coefficients(rest)[0].Sign() > 0) {
    const std::vector<AtomPower> powers(mono(monos(rest)[0]).begin(), mono(monos(rest)[0]).end());
    add(Log2OfMono(powers));
  } else if (size(rest) == 1) {
    add(LogAtom(rest));
  } else if (const PolyId power = PowerContent(rest); power != kZero) {
    const PolyId factor = power == kNoPoly ? kNoPoly : Power2(Scale(power, Rational(-1)));
    const PolyId reduced = factor == kNoPoly ? kNoPoly : Multiply(rest, factor);
    add(power);
    add(reduced == kNoPoly ? kNoPoly : Log2(reduced));
    Fire(Rule::kLogOfPower, result);
  } else {
    std::vector<AtomPower> pulled, inverse;
    for (const AtomPower& p : MonoContent(rest)) {
      if (!NeverNegative(atom(p.atom).signs)) continue;
      pulled.push_back(p);
      inverse.push_back({p.atom, -p.exponent});
    }
    if (pulled.empty()) {
      add(LogAtom(rest));
    } else {
      const PolyId reduced = MultiplyMono(rest, inverse);
      add(Log2OfMono(pulled));
      add(reduced == kNoPoly ? kNoPoly : Log2(reduced));
      Fire(Rule::kLogOfProduct, result);
    }
  }
  --depth_;
  if (result != kNoPoly) log_memo_.emplace(static_cast<uint32_t>(a), result);
  return result;
}

}  // namespace racer::normal
