#include "checker/renaming.h"

#include <unordered_map>

namespace racer {
namespace {

bool SameRange(const SymbolRange& a, const SymbolRange& b) {
  return a.low == b.low && a.high == b.high && a.low_open == b.low_open && a.high_open == b.high_open;
}

}  // namespace

Renaming::Renaming(const TermStore& store, const SymbolRanges& ranges) : store_(store), ranges_(ranges) {}

uint32_t Renaming::FactsOf(SymbolId symbol) {
  const auto range_of = [&](SymbolId s) {
    return static_cast<size_t>(s) < ranges_.size() ? ranges_[static_cast<size_t>(s)] : SymbolRange{};
  };
  if (facts_.size() < store_.symbol_count()) facts_.resize(store_.symbol_count(), 0);
  uint32_t& facts = facts_[static_cast<size_t>(symbol)];
  if (facts != 0) return facts;
  for (size_t i = 0; i < facts_example_.size() && facts == 0; ++i) {
    const SymbolId other = facts_example_[i];
    if (store_.symbol(other).dtype == store_.symbol(symbol).dtype && SameRange(range_of(other), range_of(symbol)))
      facts = static_cast<uint32_t>(i + 1);
  }
  if (facts == 0) {
    facts_example_.push_back(symbol);
    facts = static_cast<uint32_t>(facts_example_.size());
  }
  return facts;
}

std::optional<Renaming::Spelling> Renaming::Spell(std::initializer_list<TermId> roots, uint64_t max_nodes) {
  Spelling spelling = {0};
  std::unordered_map<TermId, uint32_t> number;  // of terms and of input cells alike: both are equal exactly where their ids are
  std::vector<TermId> stack;
  for (TermId root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const TermId id = stack.back();
      if (number.contains(id)) {
        stack.pop_back();
        continue;
      }
      bool ready = true;
      for (unsigned i = store_.arity(id); i-- > 0;) {
        if (number.contains(store_.operand(id, i))) continue;
        stack.push_back(store_.operand(id, i));
        ready = false;
      }
      if (!ready) continue;
      stack.pop_back();
      if (number.size() >= max_nodes) return std::nullopt;
      const TermNode& node = store_.node(id);
      spelling.push_back(static_cast<uint32_t>(node.kind) | static_cast<uint32_t>(node.width) << 8 |
                         static_cast<uint32_t>(node.attr) << 16);
      switch (node.kind) {
        // The number of an input is its place in this list, so its facts are all there is to say.
        case TermKind::kBvInput:
        case TermKind::kFpInput: spelling.push_back(FactsOf(store_.input_symbol(id))); break;
        case TermKind::kUndef: break;  // like an input: a value of its own, of which only the width is known
        case TermKind::kBvConst:
        case TermKind::kFpConst:
          spelling.push_back(node.a);
          spelling.push_back(node.b);
          break;
        case TermKind::kFpReal:
          spelling.push_back(reals_.try_emplace(store_.real_value(id), static_cast<uint32_t>(reals_.size())).first->second);
          break;
        default:  // an operation: everything but the operands is in the first word
          for (unsigned i = 0; i < store_.arity(id); ++i) spelling.push_back(number.at(store_.operand(id, i)));
          break;
      }
      number.emplace(id, static_cast<uint32_t>(number.size()));
    }
  }
  // The number of terms in front and the roots at the end: no other list of terms reads the same.
  spelling.front() = static_cast<uint32_t>(number.size());
  for (TermId root : roots) spelling.push_back(number.at(root));
  return spelling;
}

}  // namespace racer
