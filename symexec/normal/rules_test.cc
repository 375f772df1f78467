// One proof and one near miss for every rule, and random terms against numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "symexec/field/prime_field.h"
#include "symexec/normal/algebra.h"
#include "symexec/normal/canonical.h"
#include "symexec/normal/fingerprint.h"
#include "symexec/normal/normal.h"
#include "symexec/normal/testing.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

enum class How : uint8_t { kStrict, kLifted, kSums };

struct World : Terms {
  PolyId Form(TermId t, How how = How::kStrict) {
    std::string why;
    PolyId form = (how == How::kLifted ? lifted : how == How::kSums ? sums : strict).Normalize(t, &why).poly;
    EXPECT_NE(form, kNoPoly) << store.ToString(t) << ": " << why;
    return form;
  }
  Algebra algebra{Limits{}};
  Shared shared{store, ranges, algebra};
  FewConstants table;
  Canonicalizer strict{shared, nullptr, false}, lifted{shared, &table, false}, sums{shared, nullptr, true};
};

struct RuleCase {
  Rule rule;
  std::function<TermId(World&)> left, right, near_miss;
  How how = How::kStrict;
};

#define T(expression)                                                                   \
  [](World& o) -> TermId {                                                              \
    [[maybe_unused]] TermId x = o.X(0), y = o.X(1), p = o.P(0), q = o.P(1), n = o.N(0); \
    [[maybe_unused]] TermId sum = o.Add(o.Mul(x, x), p);                                \
    return expression;                                                                  \
  }

std::vector<RuleCase> Cases() {
  using R = Rule;
  return {
      {R::kSumOfLeaves, T(o.Add(o.Add(x, y), p)), T(o.Add(x, o.Add(y, p))), T(x)},
      {R::kDistribute, T(o.Mul(o.Add(x, y), o.Add(x, p))), T(o.Fma(x, x, o.Fma(x, y, o.Fma(x, p, o.Mul(y, p))))), T(o.Mul(o.Add(x, y), p))},
      {R::kSqrtSquare, T(o.Mul(o.Sqrt(sum), o.Sqrt(sum))), T(sum), T(o.Mul(o.Sqrt(sum), o.Sqrt(p)))},
      {R::kAbsSquare, T(o.Mul(o.Abs(o.Sub(x, y)), o.Abs(o.Sub(x, y)))), T(o.Mul(o.Sub(x, y), o.Sub(x, y))), T(o.Mul(o.Abs(x), o.Abs(y)))},
      {R::kSqrtCancel, T(o.Mul(o.Rsqrt(sum), o.Rsqrt(sum))), T(o.Rcp(sum)), T(o.Mul(o.Rsqrt(sum), o.Rcp(sum)))},
      {R::kInverseCancel, T(o.Mul(sum, o.Rcp(o.Mul(o.C(2), sum)))), T(o.C(0.5f)), T(o.Mul(o.Add(sum, y), o.Rcp(sum)))},
      {R::kInverseExpand, T(o.Rcp(o.Add(o.C(1), o.Rcp(sum)))), T(o.Mul(sum, o.Rcp(o.Add(sum, o.C(1))))), T(o.Mul(o.Rcp(sum), o.Rcp(sum)))},
      {R::kInverseMono, T(o.Rcp(o.Mul(o.C(4), o.Mul(p, q)))), T(o.Mul(o.C(0.25f), o.Mul(o.Rcp(q), o.Rcp(p)))), T(o.Rcp(o.Add(p, q)))},
      {R::kInverseContent, T(o.Rcp(o.Mul(p, o.Add(p, q)))), T(o.Mul(o.Rcp(p), o.Rcp(o.Add(p, q)))), T(o.Rcp(o.Add(p, q)))},
      {R::kSqrtRational, T(o.Sqrt(o.C(12))), T(o.Mul(o.C(2), o.Sqrt(o.C(3)))), T(o.Sqrt(p))},
      {R::kSqrtContent, T(o.Sqrt(o.Mul(o.C(4), sum))), T(o.Mul(o.C(2), o.Sqrt(sum))), T(o.Sqrt(sum))},
      {R::kSqrtEven, T(o.Sqrt(o.Mul(x, x))), T(o.Abs(x)), T(o.Sqrt(o.Mul(x, y)))},
      {R::kSqrtKnownSign, T(o.Sqrt(o.Mul(p, x))), T(o.Mul(o.Sqrt(x), o.Sqrt(p))), T(o.Sqrt(o.Mul(x, y)))},
      {R::kSqrtImpliedSign, T(o.Sqrt(o.Mul(x, o.Mul(x, x)))), T(o.Mul(x, o.Sqrt(x))), T(o.Sqrt(o.Neg(o.Mul(x, o.Mul(x, x)))))},
      {R::kAbsKnownSign, T(o.Abs(sum)), T(sum), T(o.Abs(o.Sub(x, y)))},
      {R::kAbsProduct, T(o.Abs(o.Mul(o.C(-3), o.Mul(x, p)))), T(o.Mul(o.C(3), o.Mul(p, o.Abs(x)))), T(o.Abs(o.Add(x, y)))},
      {R::kMaxFlatten, T(o.Max(o.Max(x, y), o.Add(x, y))), T(o.Max(o.Max(o.Add(x, y), x), y)), T(o.Max(o.Min(x, y), o.Add(x, y)))},
      {R::kMaxDominated, T(o.Max(o.Add(x, p), x)), T(o.Add(p, x)), T(o.Max(o.Add(x, y), x))},
      {R::kMaxContent, T(o.Max(o.Mul(o.C(2), x), o.Mul(o.C(4), y))), T(o.Mul(o.C(2), o.Max(o.Mul(o.C(2), y), x))),
       T(o.Max(o.Mul(o.C(2), x), y))},
      {R::kMaxFactor, T(o.Max(o.Mul(p, x), o.Mul(y, p))), T(o.Mul(p, o.Max(y, x))), T(o.Max(o.Mul(x, y), o.Mul(x, p)))},
      {R::kSqrtOfSquare, T(o.Sqrt(o.Mul(o.Sub(x, y), o.Sub(x, y)))), T(o.Abs(o.Sub(y, x))), T(o.Sqrt(o.Mul(o.Sub(x, y), o.Add(x, y))))},
      {R::kSumOfSquares, T(o.Sqrt(o.Fma(o.Sub(x, y), o.Sub(x, y), p))), T(o.Sqrt(o.Add(o.Mul(o.Sub(y, x), o.Sub(y, x)), p))),
       T(o.Sqrt(o.Fma(o.Sub(x, y), o.Add(x, y), p)))},
      {R::kAbsContent, T(o.Abs(o.Mul(x, o.Sub(x, y)))), T(o.Mul(o.Abs(x), o.Abs(o.Sub(x, y)))), T(o.Abs(o.Fma(x, x, y)))},
      {R::kMaxAbs, T(o.Max(x, o.Neg(x))), T(o.Abs(x)), T(o.Max(x, o.Neg(y)))},
      {R::kMaxInfinity, T(o.Max(o.Bits(0xff800000), x)), T(x), T(o.Max(o.Bits(0xff7fffff), x))},  // -FLT_MAX is a number
      {R::kMinAsMax, T(o.Min(x, y)), T(o.Neg(o.Max(o.Neg(x), o.Neg(y)))), T(o.Max(x, y))},
      {R::kSatAsMax, T(o.store.Fp(FpKind::kMul, {.sat = true}, x, y)), T(o.Min(o.Max(o.Mul(x, y), o.C(0)), o.C(1))),
       T(o.Max(o.Mul(x, y), o.C(0)))},
      {R::kReluAsMax, T(o.store.Fp(FpKind::kMul, {.relu = true}, x, y)), T(o.Max(o.Mul(x, y), o.C(0))), T(o.Mul(x, y))},
      {R::kIteSelect, T(o.If(o.Less(x, y), y, x)), T(o.Max(x, y)), T(o.If(o.Less(x, y), y, p))},
      {R::kIteDecided, T(o.If(o.Less(p, o.C(0)), x, y)), T(y), T(o.If(o.Less(x, o.C(0)), x, y))},
      {R::kEx2Integer, T(o.Ex2(o.C(-2))), T(o.C(0.25f)), T(o.Ex2(o.C(0.5f)))},
      {R::kRoundConstant, T(o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRpi}, o.C(-1.5f))), T(o.C(-1)),
       T(o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRpi}, x))},
      {R::kRoundConstant, T(o.store.FpConvert({.format = FpFormat::kE4M3, .satfinite = true}, o.C(1.0625f))), T(o.C(1)), T(o.C(1.0625f))},
      {R::kLiftConstant, T(o.Mul(x, o.C(1.0f / 3))), T(o.Div(x, o.C(3))), T(o.Mul(x, o.Bits(0x3eaaaaac))), How::kLifted},
      {R::kSumAtom, T(o.Mul(o.Sum(64), o.Sum(64))), T(o.Mul(o.Sum(64), o.Mul(o.C(1), o.Sum(64)))), T(o.Mul(o.Sum(63), o.Sum(63))),
       How::kSums},
  };
}

TEST(NormalRules, EveryRuleHasAProofAndANearMiss) {
  std::set<Rule> covered;
  int line = 0;
  for (const RuleCase& c : Cases()) {
    SCOPED_TRACE("case " + std::to_string(line++));
    World o;
    PolyId left = o.Form(c.left(o), c.how);
    EXPECT_GT(o.algebra.rule_count(c.rule), 0u);
    EXPECT_EQ(left, o.Form(c.right(o), c.how)) << o.store.ToString(c.left(o));
    World miss;
    miss.Form(c.near_miss(miss), c.how);
    EXPECT_EQ(miss.algebra.rule_count(c.rule), 0u);
    covered.insert(c.rule);
  }
  EXPECT_EQ(covered.size(), kRuleCount) << "a rule of rules.def has no case here";
}

// --- numbers

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
      case AtomKind::kFunction: value = std::exp2(Of(PolyId{a.args[0]})); break;
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
    switch (random_.Below(8)) {
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
    switch (random_.Below(6)) {
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
      default: {
        auto [a, a2] = Any(depth - 1);
        auto [b, b2] = Positive(depth - 1);
        return {o_.Div(a, o_.Sqrt(b)), o_.Mul(o_.Rsqrt(b2), a2)};
      }
    }
  }

 private:
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
    probable += out.status == ProofOutcome::Status::kProbablyEqual;
    unknown += out.status == ProofOutcome::Status::kUnknown;
    refused += out.status == ProofOutcome::Status::kNotEqual;
    // A different term next to it: whenever numbers tell them apart, no proof may exist.
    for (TermId t : {c, o.Add(b, o.Mul(o.P(0), o.C(1e-3f))), o.Mul(b, o.C(1.0001f)), o.Abs(b), o.Max(b, o.X(0))}) {
      bool apart = false;
      for (uint64_t point = 1; point <= 4; ++point) {
        Numbers numbers(o, seed * 8 + point);
        Number u = numbers.Of(a), v = numbers.Of(t);
        apart = apart || std::abs(u - v) > 1e-6L * (std::abs(u) + std::abs(v));
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

TEST(Fingerprint, ErrorBoundIsSchwartzZippel) {
  World o;
  PolyId form = o.Form(o.Sub(o.Mul(o.X(0), o.X(1)), o.X(2)));
  Fingerprint print(o.algebra, 1);
  EXPECT_EQ(print.Test(form), Fingerprint::Answer::kNonZero);
  EXPECT_EQ(print.Test(kZero), Fingerprint::Answer::kZero);
  EXPECT_EQ(print.ErrorLog2(form), 2 * (1 - 60));  // degree 2
  PolyId fraction = o.Form(o.Div(o.X(0), o.Add(o.X(1), o.X(2))));
  EXPECT_EQ(print.Test(fraction), Fingerprint::Answer::kNonZero);
}

// What is interned may be part of what has been interned. Broken once: with std::vector::insert the constant is 0 where the pool grows,
// and max(max(a, b), c) lost a and b.
TEST(Interning, OfPartsOfOtherForms) {
  World o;
  for (int i = 1; i <= 3000; ++i) {
    const Rational expected(2 * i + 1);
    const PolyId scaled = o.algebra.Scale(o.Form(o.X(0)), expected);
    const PolyId constant = o.algebra.Constant(o.algebra.coefficients(scaled)[0]);
    ASSERT_EQ(o.algebra.coefficients(constant)[0], expected) << i;
    const PolyId power = o.algebra.OfAtom(o.algebra.mono(o.algebra.monos(scaled)[0])[0].atom, i + 1);
    ASSERT_EQ(o.algebra.mono(o.algebra.monos(power)[0])[0].exponent, i + 1);
  }
}

// A maximum in a maximum, with the pools in every state that forms before it leave them in.
TEST(Interning, MaximaInMaximaKeepTheirElements) {
  for (unsigned before = 0; before < 200; ++before) {
    World o;
    PolyId form = o.Form(o.X(50));
    for (unsigned i = 0; i < before; ++i) form = o.algebra.Scale(form, Rational(3));
    const TermId nested = o.Max(o.Max(o.Max(o.X(0), o.X(1)), o.X(2)), o.X(3));
    ASSERT_EQ(o.Form(nested), o.Form(o.Max(o.X(3), o.Max(o.X(2), o.Max(o.X(1), o.X(0)))))) << before;
    ASSERT_NE(o.Form(nested), o.Form(o.Max(o.C(0), o.Max(o.X(3), o.X(2))))) << before;
  }
}

}  // namespace
}  // namespace racer::normal
