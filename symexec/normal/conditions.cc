#include "symexec/normal/conditions.h"

#include <algorithm>

#include "base/check.h"

namespace racer::normal {

uint32_t Conditions::Intern(ConditionKind kind, uint32_t a, uint32_t b, uint32_t c) {
  Key key{kind, a, b, c};
  auto [it, added] = ids_.try_emplace(key, static_cast<uint32_t>(conditions_.size()));
  if (added) conditions_.push_back(key);
  return it->second;
}

bool Conditions::NonZero(PolyId a, SetId* set) {
  std::vector<PolyId> todo = {a};
  for (int steps = 0; !todo.empty(); ++steps) {
    if (steps > 1000) return algebra_.Fail("a divisor with too many factors") != kNoPoly;
    PolyId p = todo.back();
    todo.pop_back();
    if (p == kZero) return algebra_.Fail("a division by zero") != kNoPoly;
    if (NeverZero(algebra_.SignsOf(p))) continue;
    if (algebra_.size(p) == 1) {
      // A product is nonzero where its factors are; a root where its radicand is.
      for (const AtomPower& power :
           std::vector<AtomPower>(algebra_.mono(algebra_.monos(p)[0]).begin(), algebra_.mono(algebra_.monos(p)[0]).end())) {
        const Atom& atom = algebra_.atom(power.atom);
        if (power.exponent < 0 || NeverZero(atom.signs)) continue;  // a negative power brought its own condition
        if (atom.kind == AtomKind::kSqrt || atom.kind == AtomKind::kAbs) {
          todo.push_back(atom.poly);
        } else {
          AddTo(set, Intern(ConditionKind::kNonZero, static_cast<uint32_t>(algebra_.OfAtom(power.atom)), 0, 0));
        }
      }
      continue;
    }
    // Negative powers are common denominators, nonzero by their own conditions: p != 0 where the numerator is not.
    std::vector<AtomPower> denominators;
    for (MonoId m : algebra_.monos(p)) {
      for (const AtomPower& power : algebra_.mono(m)) {
        if (power.exponent >= 0) continue;
        auto it = std::find_if(denominators.begin(), denominators.end(), [&](const AtomPower& d) { return d.atom == power.atom; });
        if (it == denominators.end())
          denominators.push_back({power.atom, -power.exponent});
        else
          it->exponent = std::max(it->exponent, -power.exponent);
      }
    }
    if (!denominators.empty()) {
      PolyId numerator = algebra_.MultiplyMono(p, denominators);
      if (numerator == kNoPoly) return false;
      todo.push_back(numerator);
      continue;
    }
    p = algebra_.WithoutPower(p);
    Rational scale;
    PolyId primitive = p == kNoPoly ? kNoPoly : algebra_.Primitive(p, true, &scale);
    if (primitive == kNoPoly) return false;
    AddTo(set, Intern(ConditionKind::kNonZero, static_cast<uint32_t>(primitive), 0, 0));
  }
  return true;
}

bool Conditions::Ordered(PolyId a, ConditionKind kind, SetId* set) {
  const bool strict = kind == ConditionKind::kPositive;
  Signs signs = algebra_.SignsOf(a);
  if (NeverNegative(signs) && (!strict || NeverZero(signs))) return true;
  if (strict && NeverNegative(signs)) return NonZero(a, set);
  if (algebra_.IsConstant(a)) return algebra_.Fail("a root or logarithm outside its domain") != kNoPoly;
  if (algebra_.size(a) == 1) {
    // Factors that are positive wherever they are defined drop out.
    std::vector<AtomPower> powers(algebra_.mono(algebra_.monos(a)[0]).begin(), algebra_.mono(algebra_.monos(a)[0]).end()), kept;
    for (const AtomPower& p : powers) {
      const Atom& atom = algebra_.atom(p.atom);
      bool square = p.exponent % 2 == 0;
      bool never_negative = square || NeverNegative(atom.signs);
      if (never_negative && (p.exponent < 0 || NeverZero(atom.signs))) continue;
      if (never_negative && strict) {
        if (!NonZero(algebra_.OfAtom(p.atom), set)) return false;
        continue;
      }
      kept.push_back({p.atom, square ? 2 : 1});  // odd powers have the sign of the first
    }
    PolyId rest = algebra_.MultiplyMono(algebra_.Constant(Rational(algebra_.coefficients(a)[0].Sign())), kept);
    if (rest == kNoPoly) return false;
    if (rest != a) return Ordered(rest, kind, set);
  }
  a = algebra_.WithoutPower(a);
  Rational scale;
  PolyId primitive = a == kNoPoly ? kNoPoly : algebra_.Primitive(a, false, &scale);
  if (primitive == kNoPoly) return false;
  AddTo(set, Intern(kind, static_cast<uint32_t>(primitive), 0, 0));
  return true;
}

SetId Conditions::Guarded(uint32_t predicate, SetId then, SetId otherwise) {
  if (then == otherwise) return then;
  return sets_.Intern({Intern(ConditionKind::kGuarded, predicate, then, otherwise)});
}

bool Conditions::Holds(ConditionKind kind, uint32_t poly) {
  switch (kind) {
    case ConditionKind::kNonZero: return NeverZero(algebra_.SignsOf(PolyId{poly}));
    case ConditionKind::kNonNegative: return NeverNegative(algebra_.SignsOf(PolyId{poly}));
    case ConditionKind::kPositive: return algebra_.SignsOf(PolyId{poly}) == kPositive;
    case ConditionKind::kOpaque:
    case ConditionKind::kGuarded: return false;
  }
  RACER_UNREACHABLE(kind);
}

SetId Conditions::Simplify(SetId set) {
  if (set == kEmptySet) return set;
  std::vector<uint32_t> members = sets_.members(set);
  auto lead_positive = [&](uint32_t poly) {
    Rational scale;
    PolyId p = algebra_.Primitive(PolyId{poly}, true, &scale);
    return static_cast<uint32_t>(p);
  };
  std::vector<uint32_t> kept;
  for (uint32_t id : members) {
    auto [kind, a, b, c] = conditions_[id];
    if (Holds(kind, a)) continue;  // a sign that was learned since
    auto has = [&](ConditionKind k, uint32_t poly) {
      auto it = ids_.find(Key{k, poly, 0, 0});
      return it != ids_.end() && std::find(members.begin(), members.end(), it->second) != members.end();
    };
    if (kind == ConditionKind::kNonNegative) {
      if (has(ConditionKind::kPositive, a)) continue;
      if (has(ConditionKind::kNonZero, lead_positive(a))) {
        kept.push_back(Intern(ConditionKind::kPositive, a, 0, 0));
        continue;
      }
    }
    if (kind == ConditionKind::kNonZero) {
      uint32_t negated = static_cast<uint32_t>(algebra_.Scale(PolyId{a}, Rational(-1)));
      bool implied = false;
      for (uint32_t poly : {a, negated}) implied = implied || has(ConditionKind::kPositive, poly) || has(ConditionKind::kNonNegative, poly);
      if (implied) continue;  // with >= 0 it became > 0
    }
    kept.push_back(id);
  }
  return sets_.Intern(std::move(kept));
}

std::string Conditions::Describe(SetId set, const std::function<std::string(PolyId)>& print) const {
  if (set == kEmptySet) return "nothing";
  std::string text;
  size_t shown = 0;
  for (uint32_t id : sets_.members(set)) {
    if (++shown > 4) return text + ", ...";
    if (shown > 1) text += ", ";
    auto [kind, a, b, c] = conditions_[id];
    switch (kind) {
      case ConditionKind::kNonZero: text += print(PolyId{a}) + " != 0"; break;
      case ConditionKind::kNonNegative: text += print(PolyId{a}) + " >= 0"; break;
      case ConditionKind::kPositive: text += print(PolyId{a}) + " > 0"; break;
      case ConditionKind::kOpaque: text += "an integer value computed from floating point is defined"; break;
      case ConditionKind::kGuarded: text += "a condition inside one arm of a selection"; break;
    }
  }
  return text;
}

}  // namespace racer::normal
