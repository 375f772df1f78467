// Random terms against numbers: forms mean what their terms mean, equal pairs are proved and different ones never.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "symexec/field/prime_field.h"
#include "symexec/normal/normal.h"
#include "symexec/normal/testing_world.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

using Number = long double;

class Numbers {
 public:
  Numbers(World& world, uint64_t seed) : world_(world), random_(seed) {}

  Number Input(TermId t) {
    auto [it, added] = inputs_.try_emplace(t, 0);
    if (added) {
      Number value = 0.5L + static_cast<Number>(random_.Below(1 << 20)) / (1 << 20);
      if (world_.store.input_symbol(t) == world_.any && random_.Below(2) == 0) value = -value;
      it->second = value;
    }
    return it->second;
  }

  // The term itself, operation by operation.
  Number Of(TermId t) {
    const TermStore& s = world_.store;
    auto arg = [&](unsigned i) { return Of(s.operand(t, i)); };
    switch (s.kind(t)) {
      case TermKind::kFpInput: return Input(t);
      case TermKind::kFpReal: return static_cast<Number>(s.real_value(t).ToDouble());
      case TermKind::kFpConst: {
        Dyadic d = *Decode(s.format(t), s.const_bits(t));
        return (d.negative ? -1 : 1) * std::ldexp(static_cast<Number>(d.mantissa), d.exponent);
      }
      case TermKind::kFpIte:
        return s.kind(s.operand(t, 0)) == TermKind::kFpCompare && Of(s.operand(s.operand(t, 0), 0)) < Of(s.operand(s.operand(t, 0), 1))
                   ? arg(1)
                   : arg(2);
      default: break;
    }
    switch (s.fp_kind(t)) {
      case FpKind::kAdd: return arg(0) + arg(1);
      case FpKind::kSub: return arg(0) - arg(1);
      case FpKind::kMul: return arg(0) * arg(1);
      case FpKind::kFma: return arg(0) * arg(1) + arg(2);
      case FpKind::kDiv: return arg(0) / arg(1);
      case FpKind::kNeg: return -arg(0);
      case FpKind::kAbs: return std::abs(arg(0));
      case FpKind::kMin: return std::min(arg(0), arg(1));
      case FpKind::kMax: return std::max(arg(0), arg(1));
      case FpKind::kRcp: return 1 / arg(0);
      case FpKind::kSqrt: return std::sqrt(arg(0));
      case FpKind::kRsqrt: return 1 / std::sqrt(arg(0));
      case FpKind::kEx2: return std::exp2(arg(0));
      case FpKind::kLg2: return std::log2(arg(0));
      case FpKind::kExp: return std::exp(arg(0));
      case FpKind::kLog: return std::log(arg(0));
      case FpKind::kTanh: return std::tanh(arg(0));
      case FpKind::kErf: return std::erf(arg(0));
      case FpKind::kPow: return std::pow(arg(0), arg(1));
      default: ADD_FAILURE() << s.ToString(t); return 0;
    }
  }

  // Its form, by the meaning of the atoms.
  Number Of(PolyId form) {
    Number sum = 0;
    for (size_t i = 0; i < world_.algebra.size(form); ++i) {
      const Rational& c = world_.algebra.coefficients(form)[i];
      Number product = static_cast<Number>(c.ToDouble());
      for (const AtomPower& p : world_.algebra.mono(world_.algebra.monos(form)[i]))
        product *= std::pow(Of(p.atom), static_cast<Number>(p.exponent));
      sum += product;
    }
    return sum;
  }

  Number Of(AtomId id) {
    auto memo = atoms_.find(id);
    if (memo != atoms_.end()) return memo->second;
    const Atom& a = world_.algebra.atom(id);
    Number value = 0;
    switch (a.kind) {
      case AtomKind::kInput: value = Input(a.term); break;
      case AtomKind::kSqrt: value = std::sqrt(Of(a.poly)); break;
      case AtomKind::kAbs: value = std::abs(Of(a.poly)); break;
      case AtomKind::kInverse:
      case AtomKind::kSum: value = Of(a.poly); break;
      case AtomKind::kMax:
        value = Of(PolyId{a.args[0]});
        for (uint32_t arg : a.args) value = std::max(value, Of(PolyId{arg}));
        break;
      case AtomKind::kPower: value = std::exp2(Of(a.poly)); break;
      case AtomKind::kLog: value = std::log2(Of(a.poly)); break;
      case AtomKind::kConstant: value = a.function == 0 ? std::numbers::log2e_v<Number> : std::numbers::pi_v<Number>; break;
      case AtomKind::kFunction: value = std::erf(Of(PolyId{a.args[0]})); break;
      case AtomKind::kIte:
      case AtomKind::kOpaque: ADD_FAILURE() << "not generated"; break;
    }
    atoms_[id] = value;
    return value;
  }

 private:
  World& world_;
  RandomStream random_;
  std::map<TermId, Number> inputs_;
  std::map<AtomId, Number> atoms_;
};

// Pairs of terms for the same real function, spelled differently, and positive wherever that matters.
class Pairs {
 public:
  using Pair = std::pair<TermId, TermId>;
  Pairs(World& world, uint64_t seed) : o_(world), random_(seed) {}

  Pair Positive(int depth) {
    if (depth == 0 || random_.Below(6) == 0) {
      TermId leaf = random_.Below(4) == 0 ? o_.C(static_cast<float>(1 + random_.Below(5))) : o_.P(static_cast<uint32_t>(random_.Below(4)));
      return {leaf, leaf};
    }
    switch (random_.Below(12)) {
      case 0: {
        auto [a, a2] = Positive(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        auto [c, c2] = Positive(depth - 1);
        return {o_.Add(o_.Add(a, b), c), o_.Add(o_.Add(c2, b2), a2)};
      }
      case 1: {
        auto [a, a2] = Positive(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        return {o_.Div(a, b), o_.Mul(o_.Rcp(b2), a2)};
      }
      case 2: {
        auto [a, a2] = Positive(depth - 1);
        return {o_.Rsqrt(a), o_.Rcp(o_.Sqrt(a2))};
      }
      case 3: {
        auto [a, a2] = Positive(depth - 1);
        return {o_.Sqrt(a), o_.Mul(a2, o_.Rsqrt(a2))};
      }
      case 4: {
        auto [a, a2] = Any(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        return {o_.Fma(a, a, b), o_.Add(b2, o_.Mul(o_.Neg(a2), o_.Neg(a2)))};
      }
      case 5: {
        auto [a, a2] = Positive(depth - 1);
        auto [b, b2] = Any(depth - 1);
        return {o_.Max(a, b), o_.If(o_.Less(a2, b2), b2, a2)};
      }
      case 6: {
        auto [a, a2] = Any(1);
        return {o_.Ex2(a), o_.Ex2(o_.Neg(o_.Neg(a2)))};
      }
      case 7: {
        auto [a, a2] = Any(1);
        auto [b, b2] = Any(1);
        return {o_.Mul(o_.Ex2(a), o_.Op(FpKind::kExp, b)),
                o_.Div(o_.Op(FpKind::kExp, o_.Sub(b2, x())), o_.Ex2(o_.Neg(o_.Add(o_.Mul(x(), L()), a2))))};
      }
      case 8: {
        auto [a, a2] = Positive(1);
        auto [b, b2] = Any(1);
        return {o_.Op(FpKind::kPow, a, b), o_.Ex2(o_.Mul(b2, o_.Lg2(a2)))};
      }
      case 9: {  // a softmax of three
        auto [a, a2] = Any(1);
        auto [b, b2] = Any(1);
        const auto e = [&](TermId t) { return o_.Op(FpKind::kExp, t); };
        const TermId top = o_.Max(a2, b2);
        return {o_.Div(e(a), o_.Add(e(a), o_.Add(e(b), o_.C(1)))),
                o_.Div(e(o_.Sub(a2, top)), o_.Add(o_.Add(e(o_.Sub(b2, top)), e(o_.Neg(top))), e(o_.Sub(a2, top))))};
      }
      default: {
        auto [a, a2] = Positive(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        return {o_.Mul(a, b), o_.Mul(b2, a2)};
      }
    }
  }

  Pair Any(int depth) {
    if (depth == 0 || random_.Below(5) == 0) {
      TermId leaf = o_.X(static_cast<uint32_t>(random_.Below(4)));
      return {leaf, leaf};
    }
    switch (random_.Below(9)) {
      case 0: {
        auto [a, a2] = Any(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        return {o_.Sub(a, b), o_.Neg(o_.Sub(b2, a2))};
      }
      case 1: {
        auto [a, a2] = Any(depth - 1);
        auto [b, b2] = Any(depth - 1);
        auto [c, c2] = Any(depth - 1);
        return {o_.Mul(a, o_.Add(b, c)), o_.Fma(a2, b2, o_.Mul(c2, a2))};
      }
      case 2: {
        auto [a, a2] = Any(depth - 1);
        return {o_.Sqrt(o_.Mul(a, a)), o_.Max(a2, o_.Neg(a2))};
      }
      case 3: {
        auto [a, a2] = Any(depth - 1);
        auto [b, b2] = Any(depth - 1);
        return {o_.Min(a, b), o_.Neg(o_.Max(o_.Neg(b2), o_.Neg(a2)))};
      }
      case 4: {
        auto [a, a2] = Positive(1);
        auto [b, b2] = Positive(1);
        const auto log = [&](TermId t) { return o_.Op(FpKind::kLog, t); };
        return {log(o_.Div(a, o_.Sqrt(b))), o_.Sub(log(a2), o_.Mul(o_.C(0.5f), log(b2)))};
      }
      case 5: {
        auto [a, a2] = Any(0);
        const TermId e = o_.Op(FpKind::kExp, o_.Mul(o_.C(-2), a2));
        return {o_.Op(FpKind::kTanh, a), o_.Div(o_.Sub(o_.C(1), e), o_.Add(o_.C(1), e))};
      }
      case 6: {
        auto [a, a2] = Any(1);
        return {o_.Op(FpKind::kErf, o_.Neg(a)), o_.Neg(o_.Op(FpKind::kErf, a2))};
      }
      default: {
        auto [a, a2] = Any(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        return {o_.Div(a, o_.Sqrt(b)), o_.Mul(o_.Rsqrt(b2), a2)};
      }
    }
  }

 private:
  TermId x() { return o_.X(3); }
  // log2(e), written without its digits.
  TermId L() { return o_.Lg2(o_.Op(FpKind::kExp, o_.C(1))); }
  World& o_;
  RandomStream random_;
};

bool Close(Number a, Number b) { return std::abs(a - b) <= 1e-9L * (1 + std::abs(a) + std::abs(b)); }

TEST(NormalRandom, FormsMeanWhatTheirTermsMean) {
  int compared = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    World o;
    auto [a, b] = Pairs(o, seed).Any(3);
    for (TermId t : {a, b}) {
      PolyId form = o.strict.Normalize(t, nullptr).poly;
      if (form == kNoPoly || o.algebra.size(form) > 500) continue;
      ++compared;
      for (uint64_t point = 1; point <= 3; ++point) {
        Numbers numbers(o, seed * 8 + point);
        Number exact = numbers.Of(t), by_form = numbers.Of(form);
        EXPECT_TRUE(Close(exact, by_form)) << "seed " << seed << ": " << exact << " against " << by_form << " " << o.store.ToString(t);
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(NormalRandom, EqualPairsAreProvedAndDifferentOnesAreNot) {
  int proved = 0, probable = 0, unknown = 0, refused = 0, different = 0;
  std::vector<TermId> last;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    World o;
    NormalOptions options;
    options.max_product_terms = 1 << 14;
    Pairs pairs(o, seed);
    auto [a, b] = pairs.Any(3);
    auto [c, c2] = pairs.Any(2);
    Normalizer normalizer(o.store, o.ranges, options);
    ProofOutcome out = normalizer.ProveEqual(a, b);
    proved += out.status == ProofOutcome::Status::kProved;
    if (out.status != ProofOutcome::Status::kProved) {
      std::cout << o.store.ToString(a) << " against " << o.store.ToString(b) << out.reason << ": " << normalizer.Describe(a) << ", "
                << normalizer.Describe(b) << "\n";
    }
    probable += out.status == ProofOutcome::Status::kProbablyEqual;
    unknown += out.status == ProofOutcome::Status::kUnknown;
    refused += out.status == ProofOutcome::Status::kNotEqual;
    // A different term next to it: whenever numbers tell them apart, no proof may exist.
    for (TermId t : {c, o.Add(b, o.Mul(o.P(0), o.C(1e-3f))), o.Mul(b, o.C(1.0001f)), o.Abs(b), o.Max(b, o.X(0))}) {
      bool apart = false;
      for (uint64_t point = 1; point <= 4; ++point) {
        Numbers numbers(o, seed * 8 + point);
        Number u = numbers.Of(a), v = numbers.Of(t);
        apart = apart || std::abs(u - v) > 1e-6L * (std::abs(u) + std::abs(v)) + 1e-12L;
      }
      if (!apart) continue;
      ++different;
      ProofOutcome wrong = normalizer.ProveEqual(a, t);
      EXPECT_TRUE(wrong.status == ProofOutcome::Status::kNotEqual || wrong.status == ProofOutcome::Status::kUnknown)
          << "seed " << seed << ": " << o.store.ToString(a) << " was called equal to " << o.store.ToString(t);
    }
  }
  std::cout << proved << " proved, " << probable << " probable, " << unknown << " unknown, " << refused << " not equal\n";
  EXPECT_EQ(proved, 600) << proved << " proved, " << probable << " probable, " << unknown << " unknown, " << refused << " not equal";
  EXPECT_GT(different, 2000);
}

}  // namespace
}  // namespace racer::normal
