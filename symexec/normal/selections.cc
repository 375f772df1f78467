// Predicates and selections.
#include <map>
#include <utility>

#include "base/check.h"
#include "symexec/normal/canonical.h"

namespace racer::normal {
namespace {

constexpr uint32_t kNoPredicate = 0xffffffffu;  // the algebra gave up

bool IsLogic(TermKind kind) {
  return kind == TermKind::kBvAnd || kind == TermKind::kBvOr || kind == TermKind::kBvXor || kind == TermKind::kBvNot;
}

size_t Index(TermId t) { return static_cast<size_t>(t); }

}  // namespace

uint32_t Canonicalizer::PredicateNumber(std::vector<uint32_t> key) {
  auto [it, added] = shared_.predicates.try_emplace(std::move(key), 0);
  if (added) it->second = static_cast<uint32_t>(shared_.predicates.size());  // from 1: number 0 is the constant
  return it->second;
}

uint32_t Canonicalizer::Predicate(TermId root, SetId* conditions, PolyId* difference) {
  std::map<TermId, uint32_t> done;
  std::vector<TermId> stack = {root};
  while (!stack.empty()) {
    TermId t = stack.back();
    if (done.contains(t)) {
      stack.pop_back();
      continue;
    }
    TermKind kind = store_.kind(t);
    if (kind == TermKind::kBvConst) {
      done[t] = static_cast<uint32_t>(store_.const_bits(t));
    } else if (kind == TermKind::kFpCompare) {
      Form a = forms_[Index(store_.operand(t, 0))], b = forms_[Index(store_.operand(t, 1))];
      if (a.poly == kNoPoly || b.poly == kNoPoly) {
        // With infinities, which FinishOperation let through.
        const int x = InfinityOf(store_.operand(t, 0)), y = InfinityOf(store_.operand(t, 1));
        algebra_.Fire(Rule::kInfinite, kZero);
        switch (store_.compare_op(t)) {
          case CompareOp::kLt:
          case CompareOp::kLtu: done[t] = x < y ? 1 : 0; break;
          case CompareOp::kLe:
          case CompareOp::kLeu: done[t] = x <= y ? 1 : 0; break;
          case CompareOp::kEq:
          case CompareOp::kEqu: done[t] = x == y ? 1 : 0; break;
          case CompareOp::kNe:
          case CompareOp::kNeu: done[t] = x != y ? 1 : 0; break;
          case CompareOp::kNum: done[t] = 1; break;
          case CompareOp::kNan: done[t] = 0; break;
          default: RACER_UNREACHABLE(store_.compare_op(t));
        }
        stack.pop_back();
        continue;
      }
      PolyId d = algebra_.Add(a.poly, b.poly, Rational(-1));
      Rational scale;
      const PolyId apart = d == kNoPoly ? kNoPoly : algebra_.WithoutPower(d);
      PolyId normal = apart == kNoPoly ? kNoPoly : algebra_.Primitive(apart, true, &scale);
      if (normal == kNoPoly) return kNoPredicate;
      Signs signs = algebra_.SignsOf(d);
      // Over the reals nothing is unordered. With d = scale * normal: d < 0 is normal < 0, or normal > 0 = not (normal <= 0).
      bool flipped = scale.Sign() < 0;
      auto less = [&](bool or_equal) -> uint32_t {
        Signs yes = or_equal ? kNegative | kZeroSign : kNegative;
        if ((signs & yes) == 0) return 0;
        if ((signs & ~yes) == 0) return 1;
        bool strict = or_equal == flipped;
        return PredicateNumber({strict ? 1u : 2u, static_cast<uint32_t>(normal)}) * 2 + (flipped ? 1 : 0);
      };
      auto equal = [&]() -> uint32_t {
        if (signs == kZeroSign) return 1;
        if (NeverZero(signs)) return 0;
        return PredicateNumber({3, static_cast<uint32_t>(normal)}) * 2;
      };
      switch (store_.compare_op(t)) {
        case CompareOp::kLt:
        case CompareOp::kLtu: done[t] = less(false); break;
        case CompareOp::kLe:
        case CompareOp::kLeu: done[t] = less(true); break;
        case CompareOp::kEq:
        case CompareOp::kEqu: done[t] = equal(); break;
        case CompareOp::kNe:
        case CompareOp::kNeu: done[t] = equal() ^ 1; break;
        case CompareOp::kNum: done[t] = 1; break;
        case CompareOp::kNan: done[t] = 0; break;
        case CompareOp::kNone:
        case CompareOp::kGt:
        case CompareOp::kGe:
        case CompareOp::kGtu:
        case CompareOp::kGeu:
        case CompareOp::kLo:
        case CompareOp::kLs:
        case CompareOp::kHi:
        case CompareOp::kHs: RACER_UNREACHABLE(store_.compare_op(t));
      }
      if (t == root && (done[t] >> 1) != 0) *difference = d;
    } else if (IsLogic(kind)) {
      bool ready = true;
      for (unsigned i = 0; i < store_.arity(t); ++i) {
        if (!done.contains(store_.operand(t, i))) {
          stack.push_back(store_.operand(t, i));
          ready = false;
        }
      }
      if (!ready) continue;
      uint32_t a = done[store_.operand(t, 0)];
      if (kind == TermKind::kBvNot) {
        done[t] = a ^ 1;
      } else {
        uint32_t b = done[store_.operand(t, 1)];
        if (b < a) std::swap(a, b);
        uint32_t result;
        if (kind == TermKind::kBvXor) {
          uint32_t negated = (a ^ b) & 1;
          if (a >> 1 == b >> 1)
            result = negated;
          else if (a < 2)
            result = b ^ a;
          else
            result = PredicateNumber({4, a & ~1u, b & ~1u}) * 2 + negated;
        } else {
          // a | b = ~(~a & ~b)
          uint32_t flip = kind == TermKind::kBvOr ? 1 : 0;
          uint32_t x = a ^ flip, y = b ^ flip;
          if (y < x) std::swap(x, y);
          uint32_t both;
          if (x == 0 || (x ^ 1) == y)
            both = 0;
          else if (x == 1 || x == y)
            both = y;
          else
            both = PredicateNumber({5, x, y}) * 2;
          result = both ^ flip;
        }
        done[t] = result;
      }
    } else {
      if (HoldsPartial(t)) *conditions = shared_.conditions.Union(*conditions, shared_.conditions.Opaque(static_cast<uint32_t>(t)));
      done[t] = PredicateNumber({6, static_cast<uint32_t>(t)}) * 2;
    }
    stack.pop_back();
  }
  return done[root];
}

PolyId Canonicalizer::Select(TermId t, PolyId a, PolyId b, SetId* conditions) {
  PolyId difference = kNoPoly;
  const uint32_t predicate = Predicate(store_.operand(t, 0), conditions, &difference);
  if (predicate == kNoPredicate) return kNoPoly;
  const auto conditions_of = [&](TermId arm) {
    const auto infinite = infinite_.find(static_cast<uint32_t>(arm));
    return infinite != infinite_.end() ? infinite->second.conditions : forms_[Index(arm)].conditions;
  };
  const SetId then = conditions_of(store_.operand(t, 1)), otherwise = conditions_of(store_.operand(t, 2));
  if ((a == kNoPoly || b == kNoPoly) && predicate >= 2) return algebra_.Fail("an infinite value on one arm of a selection");
  if (predicate < 2) {
    *conditions = shared_.conditions.Union(*conditions, predicate == 1 ? then : otherwise);
    chosen_infinity_ = InfinityOf(store_.operand(t, predicate == 1 ? 1 : 2));
    return algebra_.Fire(Rule::kIteDecided, predicate == 1 ? a : b);
  }
  *conditions = shared_.conditions.Union(*conditions, shared_.conditions.Guarded(predicate, then, otherwise));
  if (a == b) return algebra_.Fire(Rule::kIteDecided, a);
  if (difference != kNoPoly) {
    // x < y ? a : b with b - a = k * (x - y): max(a, b) for k > 0, min for k < 0. Equality of x and y makes the arms equal.
    CompareOp op = store_.compare_op(store_.operand(t, 0));
    bool order = op == CompareOp::kLt || op == CompareOp::kLe || op == CompareOp::kLtu || op == CompareOp::kLeu;
    PolyId apart = algebra_.Add(b, a, Rational(-1));
    if (order && apart != kNoPoly && algebra_.size(apart) == algebra_.size(difference)) {
      Rational k = algebra_.coefficients(apart)[0] / algebra_.coefficients(difference)[0];
      if (algebra_.Scale(difference, k) == apart) {
        if (k.Sign() > 0) return algebra_.Fire(Rule::kIteSelect, algebra_.Max({a, b}));
        PolyId maximum = algebra_.Max({algebra_.Scale(a, Rational(-1)), algebra_.Scale(b, Rational(-1))});
        return maximum == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kIteSelect, algebra_.Scale(maximum, Rational(-1)));
      }
    }
  }
  const bool negated = (predicate & 1) != 0;
  if (negated) std::swap(a, b);
  Atom atom{.kind = AtomKind::kIte, .signs = static_cast<Signs>(algebra_.SignsOf(a) | algebra_.SignsOf(b))};
  atom.args = {static_cast<uint32_t>(a), static_cast<uint32_t>(b)};
  return algebra_.OfAtom(algebra_.InternAtom(
      {static_cast<uint32_t>(AtomKind::kIte), predicate & ~1u, static_cast<uint32_t>(a), static_cast<uint32_t>(b)}, std::move(atom)));
}

}  // namespace racer::normal
