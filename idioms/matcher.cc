#include "idioms/matcher.h"

#include <algorithm>

#include "base/check.h"
#include "symexec/term/rebuild.h"

namespace racer {
namespace {

constexpr size_t kMostChoices = 8;  // of terms that may be one argument

size_t Index(TermId id) { return static_cast<size_t>(id); }

// What two terms with like operations have in common.
uint32_t Shape(const TermNode& node) {
  return static_cast<uint32_t>(node.kind) << 24 | static_cast<uint32_t>(node.width) << 16 | node.attr;
}

bool IsConstant(TermKind kind) { return kind == TermKind::kBvConst || kind == TermKind::kFpConst; }
bool IsInput(TermKind kind) { return kind == TermKind::kFpInput || kind == TermKind::kBvInput; }

bool IsFp(const TermStore& store, TermId id, FpKind kind) {
  const TermKind node = store.kind(id);
  const bool operation = node == TermKind::kFpUnary || node == TermKind::kFpBinary || node == TermKind::kFpTernary;
  return operation && store.fp_kind(id) == kind;
}

// Rounds to nearest and does no more than that.
bool IsPlain(FpAttr attr) { return attr == FpAttr{.format = attr.format, .ftz = attr.ftz}; }

// Whether the first two operands may stand in either order.
bool Commutes(const TermStore& store, TermId id) {
  switch (store.kind(id)) {
    case TermKind::kBvAdd:
    case TermKind::kBvMul:
    case TermKind::kBvAnd:
    case TermKind::kBvOr:
    case TermKind::kBvXor:
    case TermKind::kBvEq: return true;
    case TermKind::kFpCompare: {
      const CompareOp op = store.compare_op(id);
      return op == CompareOp::kEq || op == CompareOp::kNe || op == CompareOp::kEqu || op == CompareOp::kNeu || op == CompareOp::kNum ||
             op == CompareOp::kNan;
    }
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: {
      const FpKind kind = store.fp_kind(id);
      return kind == FpKind::kAdd || kind == FpKind::kMul || kind == FpKind::kFma || kind == FpKind::kMin || kind == FpKind::kMax;
    }
    default: return false;
  }
}

void AddChoice(std::vector<TermId>& choices, TermId term) {
  if (choices.size() < kMostChoices && std::find(choices.begin(), choices.end(), term) == choices.end()) choices.push_back(term);
}

}  // namespace

IdiomMatcher::IdiomMatcher(TermStore& store, std::vector<const IdiomTemplate*> templates) : store_(store) {
  for (const IdiomTemplate* idiom : templates) {
    Entry entry{idiom, {}};
    for (TermId input : idiom->inputs()) entry.paths.push_back(PathTo(*idiom, input));
    const TermId root = idiom->root();
    if (IsFp(idiom->store(), root, FpKind::kMul) && IsPlain(idiom->store().fp_attr(root))) products_.push_back(entry);
    by_root_[Shape(idiom->store().node(root))].push_back(std::move(entry));
  }
}

// The shortest one, through values alone where there is one: bits of an
// argument may be any pattern.
IdiomMatcher::Path IdiomMatcher::PathTo(const IdiomTemplate& idiom, TermId input) {
  const TermStore& graph = idiom.store();
  for (const bool through_bits : {false, true}) {
    std::unordered_map<TermId, Path> paths{{idiom.root(), {}}};
    std::vector<TermId> queue{idiom.root()};
    for (size_t next = 0; next < queue.size(); ++next) {
      const TermId id = queue[next];
      if (id == input) return paths.at(id);
      if (!through_bits && graph.kind(id) == TermKind::kFpToBits) continue;
      for (unsigned i = 0; i < graph.arity(id); ++i) {
        Path path = paths.at(id);
        path.push_back({id, i});
        if (paths.try_emplace(graph.operand(id, i), std::move(path)).second) queue.push_back(graph.operand(id, i));
      }
    }
  }
  RACER_UNREACHABLE(static_cast<uint32_t>(input));
}

bool IdiomMatcher::Alike(const IdiomTemplate& idiom, TermId node, TermId term) const {
  const TermStore& graph = idiom.store();
  const TermNode& a = graph.node(node);
  const TermNode& b = store_.node(term);
  if (IsInput(a.kind)) return graph.IsBits(node) == store_.IsBits(term) && a.width == b.width;
  if (Shape(a) != Shape(b)) return false;
  return !IsConstant(a.kind) || (a.a == b.a && a.b == b.b);
}

std::vector<TermId> IdiomMatcher::Follow(const Entry& entry, const Path& path, size_t start, std::vector<TermId> terms) {
  const TermStore& graph = entry.idiom->store();
  for (size_t k = start; k < path.size(); ++k) {
    const auto [node, operand] = path[k];
    std::vector<TermId> next;
    for (const TermId term : terms) {
      // The bits of a value that was made of bits are those bits.
      if (graph.kind(node) == TermKind::kFpToBits && store_.kind(term) != TermKind::kFpToBits && store_.IsBits(term) &&
          store_.width(term) == graph.width(node)) {
        AddChoice(next, store_.BitsToFp(graph.format(graph.operand(node, 0)), term));
        continue;
      }
      if (!Alike(*entry.idiom, node, term)) continue;
      const auto fits = [&](unsigned at) {
        for (unsigned i = 0; i < store_.arity(term); ++i) {
          const unsigned from = at != operand && i < 2 ? 1 - i : i;
          const TermId expected = graph.operand(node, from);
          if (IsConstant(graph.kind(expected)) && !Alike(*entry.idiom, expected, store_.operand(term, i))) return false;
        }
        return true;
      };
      if (fits(operand)) AddChoice(next, store_.operand(term, operand));
      if (operand < 2 && Commutes(graph, node) && fits(1 - operand)) AddChoice(next, store_.operand(term, 1 - operand));
    }
    terms = std::move(next);
  }
  std::vector<TermId> fitting;
  const TermId input = path.empty() ? entry.idiom->root() : graph.operand(path.back().node, path.back().operand);
  for (const TermId term : terms) {
    if (Alike(*entry.idiom, input, term)) fitting.push_back(term);
  }
  return fitting;
}

std::optional<std::vector<TermId>> IdiomMatcher::Arguments(const IdiomTemplate& idiom, const std::vector<std::vector<TermId>>& choices,
                                                           const Wanted& wanted) {
  for (const std::vector<TermId>& choice : choices) {
    if (choice.empty()) return std::nullopt;
  }
  std::vector<size_t> chosen(choices.size());
  while (true) {
    std::vector<TermId> arguments;
    for (size_t i = 0; i < choices.size(); ++i) arguments.push_back(choices[i][chosen[i]]);
    idiom.Instantiate(store_, arguments, wanted[0].first == idiom.root(), &values_);
    if (std::all_of(wanted.begin(), wanted.end(), [&](const auto& pair) { return values_[Index(pair.first)] == pair.second; })) {
      return arguments;
    }
    size_t at = 0;
    while (at < choices.size() && ++chosen[at] == choices[at].size()) chosen[at++] = 0;
    if (at == choices.size()) return std::nullopt;
  }
}

std::optional<IdiomMatcher::Instance> IdiomMatcher::Find(TermId term) {
  const auto entries = by_root_.find(Shape(store_.node(term)));
  if (entries != by_root_.end()) {
    for (const Entry& entry : entries->second) {
      if (!MayBe(entry, term)) continue;
      std::vector<std::vector<TermId>> choices;
      for (const Path& path : entry.paths) choices.push_back(Follow(entry, path, 0, {term}));
      if (auto arguments = Arguments(*entry.idiom, choices, {{entry.idiom->root(), term}})) {
        return Instance{.idiom = entry.idiom, .arguments = std::move(*arguments)};
      }
    }
  }
  return FindFused(term);
}

std::optional<IdiomMatcher::Instance> IdiomMatcher::FindFused(TermId term) {
  if (products_.empty() || !IsFp(store_, term, FpKind::kFma)) return std::nullopt;
  const FpAttr attr = store_.fp_attr(term);
  if (!IsPlain(attr)) return std::nullopt;
  // A factor as it stands, and without its sign.
  std::vector<std::pair<TermId, bool>> factors[2];
  for (unsigned i = 0; i < 2; ++i) {
    const TermId factor = store_.operand(term, i);
    factors[i].emplace_back(factor, false);
    if (IsFp(store_, factor, FpKind::kNeg) && IsPlain(store_.fp_attr(factor))) factors[i].emplace_back(store_.operand(factor, 0), true);
  }
  for (const Entry& entry : products_) {
    const TermStore& graph = entry.idiom->store();
    const TermId root = entry.idiom->root();
    if (graph.fp_attr(root) != attr || !MayBeFactors(entry, term)) continue;
    for (const unsigned first : {0U, 1U}) {
      for (const auto& [a, a_negative] : factors[first]) {
        for (const auto& [b, b_negative] : factors[1 - first]) {
          const TermId nodes[2] = {graph.operand(root, 0), graph.operand(root, 1)};
          if (!Alike(*entry.idiom, nodes[0], a) || !Alike(*entry.idiom, nodes[1], b)) continue;
          std::vector<std::vector<TermId>> choices;
          for (const Path& path : entry.paths) choices.push_back(Follow(entry, path, 1, {path[0].operand == 0 ? a : b}));
          if (auto arguments = Arguments(*entry.idiom, choices, {{nodes[0], a}, {nodes[1], b}})) {
            return Instance{.idiom = entry.idiom,
                            .arguments = std::move(*arguments),
                            .addend = store_.operand(term, 2),
                            .negative = a_negative != b_negative};
          }
        }
      }
    }
  }
  return std::nullopt;
}

TermId IdiomMatcher::Real(TermId id, const Instance& instance) {
  const IdiomHeader& header = instance.idiom->header();
  std::vector<TermId> values;
  for (const TermId argument : instance.arguments) values.push_back(Known(argument));
  uses_.insert({instance.idiom, store_.origin(id)});
  const TermId value = instance.idiom->function().Build(store_, FormatOf(header.output), header.ftz, values);
  if (instance.addend == kNoTerm) return value;
  const FpAttr attr = store_.fp_attr(id);
  const TermId addend = Known(instance.addend);
  return instance.negative ? store_.Fp(FpKind::kSub, attr, addend, value) : store_.Fp(FpKind::kAdd, attr, addend, value);
}

// Whether the root's operands are such as the template's.
bool IdiomMatcher::MayBe(const Entry& entry, TermId id) const {
  const TermStore& graph = entry.idiom->store();
  const TermId root = entry.idiom->root();
  const auto alike = [&](unsigned node, unsigned at) { return Alike(*entry.idiom, graph.operand(root, node), store_.operand(id, at)); };
  if (graph.arity(root) == 3 && !alike(2, 2)) return false;
  if (graph.arity(root) == 1) return alike(0, 0);
  return (alike(0, 0) && alike(1, 1)) || (Commutes(graph, root) && alike(0, 1) && alike(1, 0));
}

bool IdiomMatcher::MayBeFactors(const Entry& entry, TermId id) const {
  const TermStore& graph = entry.idiom->store();
  const TermId root = entry.idiom->root();
  const auto alike = [&](unsigned node, unsigned at) {
    const TermId factor = store_.operand(id, at);
    if (Alike(*entry.idiom, graph.operand(root, node), factor)) return true;
    return IsFp(store_, factor, FpKind::kNeg) && Alike(*entry.idiom, graph.operand(root, node), store_.operand(factor, 0));
  };
  return (alike(0, 0) && alike(1, 1)) || (alike(0, 1) && alike(1, 0));
}

bool IdiomMatcher::MayBeInstance(TermId id) const {
  const auto entries = by_root_.find(Shape(store_.node(id)));
  if (entries != by_root_.end() &&
      std::any_of(entries->second.begin(), entries->second.end(), [&](const Entry& e) { return MayBe(e, id); })) {
    return true;
  }
  return IsFp(store_, id, FpKind::kFma) &&
         std::any_of(products_.begin(), products_.end(), [&](const Entry& e) { return MayBeFactors(e, id); });
}

void IdiomMatcher::Extend() {
  // An operand is made before the term that uses it.
  for (size_t i = within_.size(); i < store_.size(); ++i) {
    const TermId id{static_cast<uint32_t>(i)};
    bool within = id != kNoTerm && store_.arity(id) > 0 && MayBeInstance(id);
    for (unsigned k = 0; id != kNoTerm && k < store_.arity(id) && !within; ++k) within = within_[Index(store_.operand(id, k))];
    within_.push_back(within);
  }
}

TermId IdiomMatcher::Known(TermId id) {
  if (Index(id) >= within_.size()) Extend();
  if (!within_[Index(id)]) return id;
  const auto done = done_.find(id);
  return done == done_.end() ? kNoTerm : done->second;
}

TermId IdiomMatcher::Replaced(TermId term) {
  if (by_root_.empty()) return term;
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    if (Known(id) != kNoTerm) {
      stack.pop_back();
      continue;
    }
    auto [found, added] = found_.try_emplace(id);
    if (added) found->second = Find(id);
    const std::optional<Instance> instance = found->second;
    bool ready = true;
    const auto need = [&](TermId operand) {
      if (Known(operand) != kNoTerm) return;
      stack.push_back(operand);
      ready = false;
    };
    if (instance) {
      for (const TermId argument : instance->arguments) need(argument);
      if (instance->addend != kNoTerm) need(instance->addend);
    } else {
      for (unsigned i = 0; i < store_.arity(id); ++i) need(store_.operand(id, i));
    }
    if (!ready) continue;
    // What is made here is reported where what it replaces stands.
    store_.SetOrigin(store_.origin(id));
    TermId replaced = id;
    if (instance) {
      replaced = Real(id, *instance);
    } else {
      TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
      bool changed = false;
      for (unsigned i = 0; i < store_.arity(id); ++i) {
        operands[i] = Known(store_.operand(id, i));
        changed = changed || operands[i] != store_.operand(id, i);
      }
      if (changed) replaced = Rebuild(store_, id, operands[0], operands[1], operands[2]);
    }
    done_.emplace(id, replaced);
    found_.erase(id);
  }
  store_.SetOrigin(0);
  return Known(term);
}

}  // namespace racer
