#include "checker/undefined.h"

#include <utility>

#include "symexec/term/rebuild.h"

namespace racer {
namespace {

// Bounds on what a shape may spend here: what is left is UNDECIDED, as it would be without asking.
constexpr unsigned kMaxQueries = 8;
constexpr double kSecondsAQuery = 2;
constexpr uint64_t kMaxNodes = 2000;

}  // namespace

std::optional<TermId> UndefinedValues::Without(TermId term) {
  if (!store_.ContainsUndef(term)) return term;
  if (!Independent(term)) return std::nullopt;
  return Drop(term);
}

bool UndefinedValues::Independent(TermId term) {
  std::optional<Renaming::Spelling> spelling = renaming_.Spell({term}, kMaxNodes);
  if (!spelling.has_value()) return false;
  auto [answer, added] = answers_.try_emplace(std::move(*spelling), false);
  if (!added || queries_ >= kMaxQueries) return answer->second;
  ++queries_;
  SmtLimits limits;
  limits.seconds = kSecondsAQuery;
  limits.max_nodes = kMaxNodes;
  answer->second = SmtProveDefined(store_, ranges_, cell_counts_, term, "undefined", limits).status == SmtOutcome::Status::kProved;
  return answer->second;
}

// Only of a term that was proved to be the same for every choice of every use of an undefined value. In the arm of a selection
// the choice is the other arm, so that the selection goes; elsewhere it is zero.
TermId UndefinedValues::Drop(TermId term) {
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    if (dropped_.contains(id)) {
      stack.pop_back();
      continue;
    }
    if (!store_.ContainsUndef(id)) {
      dropped_.emplace(id, id);
      continue;
    }
    if (store_.kind(id) == TermKind::kUndef) {
      dropped_.emplace(id, store_.BvConst(store_.width(id), 0));
      continue;
    }
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    bool ready = true;
    for (unsigned i = 0; i < store_.arity(id); ++i) {
      const auto found = dropped_.find(store_.operand(id, i));
      if (found == dropped_.end()) {
        stack.push_back(store_.operand(id, i));
        ready = false;
      } else {
        operands[i] = found->second;
      }
    }
    if (!ready) continue;
    TermId result = kNoTerm;
    if (store_.kind(id) == TermKind::kBvIte && store_.kind(store_.operand(id, 1)) == TermKind::kUndef) {
      result = operands[2];
    } else if (store_.kind(id) == TermKind::kBvIte && store_.kind(store_.operand(id, 2)) == TermKind::kUndef) {
      result = operands[1];
    } else {
      result = Rebuild(store_, id, operands[0], operands[1], operands[2]);
    }
    dropped_.emplace(id, result);
  }
  return dropped_.at(term);
}

}  // namespace racer
