#include "symexec/term/few_values.h"

#include <algorithm>

#include "symexec/term/fold.h"

namespace racer {

const std::vector<uint64_t>& FewValues::Of(TermId term) {
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    bool ready = true;
    if (!known_.contains(id) && store_.IsBits(id) && store_.width(id) > 1) {
      for (unsigned i = 0; i < store_.arity(id); ++i) {
        const TermId operand = store_.operand(id, i);
        if (!store_.IsBits(operand) || known_.contains(operand)) continue;
        stack.push_back(operand);
        ready = false;
      }
    }
    if (!ready) continue;
    if (!known_.contains(id)) known_.emplace(id, Make(id));
    stack.pop_back();
  }
  return known_.at(term);
}

std::vector<uint64_t> FewValues::Make(TermId term) {
  const TermKind kind = store_.kind(term);
  const unsigned w = store_.width(term);
  if (kind == TermKind::kBvConst) return {store_.const_bits(term)};
  if (w == 1) return {0, 1};
  const auto of = [&](unsigned i) -> const std::vector<uint64_t>& { return known_.at(store_.operand(term, i)); };
  const auto width_of = [&](unsigned i) { return store_.width(store_.operand(term, i)); };
  std::vector<uint64_t> values, all;
  const auto each = [&](auto operation) {
    for (const uint64_t a : of(0)) values.push_back(operation(a) & fold::Mask(w));
  };
  const auto pairs = [&](auto operation) {
    for (const uint64_t a : of(0)) {
      for (const uint64_t b : of(1)) values.push_back(operation(a, b) & fold::Mask(w));
    }
  };
  switch (kind) {
    case TermKind::kBvIte:
      if (of(1).empty() || of(2).empty()) break;
      values = of(1);
      values.insert(values.end(), of(2).begin(), of(2).end());
      break;
    case TermKind::kBvAdd: pairs([](uint64_t a, uint64_t b) { return a + b; }); break;
    case TermKind::kBvSub: pairs([](uint64_t a, uint64_t b) { return a - b; }); break;
    case TermKind::kBvMul: pairs([](uint64_t a, uint64_t b) { return a * b; }); break;
    case TermKind::kBvAnd: pairs([](uint64_t a, uint64_t b) { return a & b; }); break;
    case TermKind::kBvOr: pairs([](uint64_t a, uint64_t b) { return a | b; }); break;
    case TermKind::kBvXor: pairs([](uint64_t a, uint64_t b) { return a ^ b; }); break;
    case TermKind::kBvConcat: pairs([&](uint64_t a, uint64_t b) { return a << width_of(1) | b; }); break;
    case TermKind::kBvNot: each([](uint64_t a) { return ~a; }); break;
    case TermKind::kBvZExt: each([](uint64_t a) { return a; }); break;
    case TermKind::kBvSExt: each([&](uint64_t a) { return fold::SExt(width_of(0), w, a); }); break;
    case TermKind::kBvExtract: each([&](uint64_t a) { return a >> store_.extract_lo(term); }); break;
    default: break;  // nothing is known of inputs, patterns of values, quotients and shifts
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() > kMost) values.clear();
  // Few bits are few patterns.
  for (uint64_t bits = 0; values.empty() && w <= 4 && bits < uint64_t{1} << w; ++bits) all.push_back(bits);
  return values.empty() ? all : values;
}

}  // namespace racer
