#include "symexec/normal/lattice.h"

#include <flint/fmpq.h>

#include <algorithm>
#include <optional>
#include <set>

#include "symexec/normal/algebra.h"

namespace racer::normal {
namespace {

constexpr size_t kMostLeaves = 24;  // which bounds the recursions below: a diagram is as deep as it has variables
constexpr size_t kMostForms = 1 << 12;
constexpr size_t kShort = 8;  // terms of a form that is compared with the other leaves

// One maximum that holds minima, taken apart and put together again.
class LatticeForm {
 public:
  explicit LatticeForm(Algebra& algebra) : algebra_(algebra) {}

  // kNoPoly: not taken apart.
  PolyId Of(const std::vector<PolyId>& elements) {
    for (PolyId e : elements) {
      if (!Collect(e)) return kNoPoly;
    }
    if (leaves_.size() > kMostLeaves) return kNoPoly;
    // The same function of the negated leaves, negated: of both, the one whose leaves were made first.
    const Rational content = Content();
    std::vector<PolyId> positive, negative;
    for (PolyId leaf : leaves_) {
      positive.push_back(algebra_.Scale(leaf, content.Inverse()));
      negative.push_back(algebra_.Scale(positive.back(), Rational(-1)));
    }
    order_ = positive;
    std::sort(order_.begin(), order_.end());
    std::vector<PolyId> other = negative;
    std::sort(other.begin(), other.end());
    const bool turned = other < order_;
    if (turned) order_ = std::move(other);
    size_t at = 0;
    for (PolyId leaf : leaves_) {
      const PolyId scaled = turned ? negative[at] : positive[at];
      ++at;
      variable_of_.emplace(leaf, static_cast<uint32_t>(std::lower_bound(order_.begin(), order_.end(), scaled) - order_.begin()));
    }
    // In the turned form maxima are minima.
    disjunction_ = !turned;
    FindBits();
    uint32_t root = turned ? Diagrams::kTrue : Diagrams::kFalse;
    for (PolyId e : elements) root = turned ? diagrams_.And(root, Diagram(e)) : diagrams_.Or(root, Diagram(e));
    if (diagrams_.overflow()) return kNoPoly;
    const Rational sign(turned ? -1 : 1);
    for (bool disjunction : {true, false}) {
      if (!diagrams_.IsPure(root, disjunction)) continue;
      // Nothing but a maximum or a minimum after all.
      std::vector<PolyId> all;
      for (uint32_t id = root; id > Diagrams::kTrue; id = disjunction ? diagrams_.node(id).low : diagrams_.node(id).high) {
        const PolyId leaf = order_[diagrams_.node(id).variable];
        all.push_back(disjunction ? leaf : algebra_.Scale(leaf, Rational(-1)));
      }
      const PolyId result = all.size() == 1 ? all[0] : algebra_.Max(std::move(all));
      return result == kNoPoly ? kNoPoly : algebra_.Scale(result, content * sign * Rational(disjunction ? 1 : -1));
    }
    if (const PolyId clamp = AsClamp(root); clamp != kNoPoly) return algebra_.Scale(clamp, content * sign);
    return algebra_.Scale(Build(root), content * sign);
  }

 private:
  // The parts of a form that is a multiple of a maximum: `e` is their maximum, or minimum.
  std::optional<std::vector<PolyId>> Parts(PolyId e, bool* maximum) {
    AtomId atom{};
    Rational coefficient;
    if (!algebra_.IsScaledAtom(e, &atom, &coefficient) || algebra_.atom(atom).kind != AtomKind::kMax) return std::nullopt;
    *maximum = coefficient.Sign() > 0;
    std::vector<PolyId> parts;
    const std::vector<uint32_t> args = algebra_.atom(atom).args;
    for (uint32_t arg : args) parts.push_back(algebra_.Scale(PolyId{arg}, coefficient));
    return parts;
  }

  bool Collect(PolyId root) {
    std::vector<PolyId> stack{root};
    while (!stack.empty()) {
      const PolyId e = stack.back();
      stack.pop_back();
      if (e == kNoPoly || !seen_.insert(e).second) {
        if (e == kNoPoly) return false;
        continue;
      }
      bool maximum = false;
      if (const auto parts = Parts(e, &maximum)) {
        stack.insert(stack.end(), parts->begin(), parts->end());
      } else {
        leaves_.insert(e);
      }
      if (seen_.size() > kMostForms || leaves_.size() > kMostLeaves) return false;
    }
    return true;
  }

  // Of leaves that are known to be in an order, the lower one is at least t only where the others are. Its bit is its variable and
  // theirs: every case that exists is still one, and those that do not exist make no difference.
  void FindBits() {
    for (size_t i = 0; i < order_.size(); ++i) {
      uint32_t bit = diagrams_.Variable(static_cast<uint32_t>(i));
      for (size_t k = 0; k < order_.size(); ++k) {
        if (i == k || algebra_.size(order_[i]) > kShort || algebra_.size(order_[k]) > kShort) continue;
        const PolyId above = algebra_.Add(order_[k], order_[i], Rational(-1));
        if (above == kNoPoly || !NeverNegative(algebra_.SignsOf(above))) continue;
        if (algebra_.SignsOf(above) == kZeroSign && k > i) continue;
        bit = diagrams_.And(bit, diagrams_.Variable(static_cast<uint32_t>(k)));
      }
      bits_.push_back(bit);
    }
  }

  uint32_t Diagram(PolyId e) {
    if (diagrams_.overflow()) return Diagrams::kFalse;
    const auto known = diagram_of_.find(e);
    if (known != diagram_of_.end()) return known->second;
    bool maximum = false;
    uint32_t result = 0;
    if (const auto parts = Parts(e, &maximum)) {
      const bool any = maximum == disjunction_;
      result = any ? Diagrams::kFalse : Diagrams::kTrue;
      for (PolyId part : *parts) result = any ? diagrams_.Or(result, Diagram(part)) : diagrams_.And(result, Diagram(part));
    } else {
      result = bits_[variable_of_.at(e)];
    }
    diagram_of_.emplace(e, result);
    return result;
  }

  Rational Content() {
    fmpq_t content;
    fmpq_init(content);
    for (PolyId leaf : leaves_) {
      const Rational of = algebra_.Content(leaf);
      if (!of.IsZero()) fmpq_gcd(content, content, of.raw());
    }
    Rational result;
    fmpq_set(result.raw(), content);
    fmpq_clear(content);
    return result;
  }

  // What depends on one leaf and two numbers lies between them: clamps have a form of their own.
  PolyId AsClamp(uint32_t root) {
    std::set<uint32_t> seen, variables;
    std::vector<uint32_t> stack{root};
    while (!stack.empty()) {
      const uint32_t id = stack.back();
      stack.pop_back();
      if (id <= Diagrams::kTrue || !seen.insert(id).second) continue;
      variables.insert(diagrams_.node(id).variable);
      stack.push_back(diagrams_.node(id).low);
      stack.push_back(diagrams_.node(id).high);
    }
    std::vector<Rational> ends;
    PolyId x = kNoPoly;
    for (uint32_t variable : variables) {
      const PolyId leaf = order_[variable];
      if (algebra_.IsConstant(leaf)) {
        ends.push_back(algebra_.ConstantValue(leaf));
      } else if (x == kNoPoly) {
        x = leaf;
      } else {
        return kNoPoly;
      }
    }
    if (x == kNoPoly || ends.size() != 2) return kNoPoly;
    if (ends[1] < ends[0]) std::swap(ends[0], ends[1]);
    return algebra_.ClampBetween(x, ends[0], ends[1]);
  }

  // max(low, min(leaf, high)), which is what the diagram says.
  PolyId Build(uint32_t id) {
    const auto known = built_.find(id);
    if (known != built_.end()) return known->second;
    const Diagrams::Node node = diagrams_.node(id);
    PolyId result = order_[node.variable];
    if (node.high != Diagrams::kTrue) {
      const PolyId high = Build(node.high);
      const PolyId negated = algebra_.MakeMax({algebra_.Scale(result, Rational(-1)), algebra_.Scale(high, Rational(-1))});
      result = algebra_.Scale(negated, Rational(-1));
    }
    if (node.low != Diagrams::kFalse) result = algebra_.MakeMax({Build(node.low), result});
    built_.emplace(id, result);
    return result;
  }

  Algebra& algebra_;
  Diagrams diagrams_;
  std::set<PolyId> seen_, leaves_;
  std::vector<PolyId> order_;  // leaf by variable
  std::map<PolyId, uint32_t> variable_of_, diagram_of_;
  std::vector<uint32_t> bits_;  // by variable
  std::map<uint32_t, PolyId> built_;
  bool disjunction_ = true;
};

}  // namespace

uint32_t Diagrams::Make(uint32_t variable, uint32_t low, uint32_t high) {
  if (low == high) return low;
  const auto [at, added] = ids_.try_emplace({variable, low, high}, static_cast<uint32_t>(nodes_.size()));
  if (added) nodes_.push_back({variable, low, high});
  return at->second;
}

uint32_t Diagrams::Apply(bool conjunction, uint32_t a, uint32_t b) {
  const uint32_t absorbing = conjunction ? kFalse : kTrue, neutral = conjunction ? kTrue : kFalse;
  if (a == absorbing || b == absorbing) return absorbing;
  if (a == neutral || a == b) return b;
  if (b == neutral) return a;
  if (overflow()) return kFalse;
  if (b < a) std::swap(a, b);
  const auto known = applied_.find({conjunction, a, b});
  if (known != applied_.end()) return known->second;
  const Node x = nodes_[a], y = nodes_[b];
  const uint32_t variable = std::min(x.variable, y.variable);
  const uint32_t low = Apply(conjunction, x.variable == variable ? x.low : a, y.variable == variable ? y.low : b);
  const uint32_t high = Apply(conjunction, x.variable == variable ? x.high : a, y.variable == variable ? y.high : b);
  const uint32_t result = Make(variable, low, high);
  applied_.emplace(std::tuple(conjunction, a, b), result);
  return result;
}

bool Diagrams::IsPure(uint32_t id, bool disjunction) const {
  while (id > kTrue) {
    const Node& n = nodes_[id];
    if ((disjunction ? n.high : n.low) != (disjunction ? kTrue : kFalse)) return false;
    id = disjunction ? n.low : n.high;
  }
  return true;
}

PolyId Algebra::MaxOfMinima(const std::vector<PolyId>& elements) {
  // The form of a clamp.
  if (elements.size() == 2) {
    const unsigned at = IsConstant(elements[0]) ? 0 : 1;
    const std::optional<Extremum> inner = IsConstant(elements[at]) ? AsExtremum(elements[1 - at]) : std::nullopt;
    if (inner && inner->elements.size() == 2 && (IsConstant(inner->elements[0]) || IsConstant(inner->elements[1]))) return kNoPoly;
  }
  bool minima = false;
  for (PolyId e : elements) {
    AtomId id{};
    Rational coefficient;
    minima = minima || (IsScaledAtom(e, &id, &coefficient) && atom(id).kind == AtomKind::kMax && coefficient.Sign() < 0);
  }
  if (!minima) return kNoPoly;
  const PolyId result = LatticeForm(*this).Of(elements);
  return result == kNoPoly ? kNoPoly : Fire(Rule::kLattice, result);
}

}  // namespace racer::normal
