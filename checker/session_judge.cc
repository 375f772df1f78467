// What the runs left in the outputs: cells not written, undefined values, stores between cells, cells that depend on a race of roundings.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "checker/session.h"

namespace racer {

Session::UndefinedUse Session::FindUndefined(TermId root) const {
  // First without the arms of selections, which may never be chosen; then with them.
  for (bool arms : {false, true}) {
    std::vector<TermId> stack{root};
    std::unordered_set<TermId> seen;  // a cell has few of the store's terms
    while (!stack.empty()) {
      TermId id = stack.back();
      stack.pop_back();
      if (id == kNoTerm || !store_.ContainsUndef(id) || !seen.insert(id).second) continue;
      TermKind kind = store_.kind(id);
      if (kind == TermKind::kUndef) return {id, !arms};
      bool selection = kind == TermKind::kBvIte || kind == TermKind::kFpIte;
      for (unsigned i = 0; i < (selection && !arms ? 1 : store_.arity(id)); ++i) stack.push_back(store_.operand(id, i));
    }
  }
  RACER_UNREACHABLE(static_cast<uint32_t>(root));  // the caller knows that there is one
}

void Session::CheckOutputs(Side side, std::vector<SidedFinding>& findings, std::vector<SidedFinding>& doubts) {
  size_t index = static_cast<size_t>(side);
  const TermMachine& machine = *machines_[index];
  const Kernel& kernel = *subjects_.kernel(side);
  Where whole;
  whole.file = kernel.file->name();
  whole.line = kernel.entry->location.line;
  whole.text = ".entry " + kernel.entry->name;
  for (uint32_t tensor : contract_.outputs) {
    const TensorSpec& spec = contract_.tensors[tensor];
    const TensorInstance& instance = this->instance(side).tensors[tensor];
    int buffer = buffer_of_tensor_[index][tensor];
    unsigned width = static_cast<unsigned>(instance.element_bytes * 8);
    bool must_write = spec.role == Role::kOut && !spec.init.has_value();
    uint64_t unwritten = 0;
    uint64_t first_unwritten = 0;
    bool undefined_found = false;
    for (uint64_t cell = 0; cell < instance.cells; ++cell) {
      if (must_write && !machine.WasWritten(buffer, instance.ByteOffset(cell), width)) {
        if (unwritten++ == 0) first_unwritten = cell;
        continue;
      }
      CellValue value = ReadCell(side, tensor, cell);
      if (undefined_found || value.state != CellValue::State::kUndefined) continue;
      UndefinedUse use = FindUndefined(value.term);
      if (undefined_.Without(value.term).has_value()) continue;  // mul.hi of it and 0, bits of it behind a computed mask
      undefined_found = true;
      Finding finding;
      finding.gate = Gate::kInit;
      finding.message = std::string("an undefined value ") + (use.always ? "reaches " : "may reach ") + instance.CellName(spec.name, cell);
      Finding cause = machine.DescribeUndef(store_.undef_cause(use.source));
      finding.message += ": " + cause.message;
      finding.where = cause.where;
      if (std::optional<Where> writer = WriterOf(side, static_cast<int>(tensor), cell)) finding.where.push_back(*writer);
      (use.always ? findings : doubts).push_back({side, std::move(finding)});
    }
    if (unwritten > 0) {
      Finding finding;
      finding.gate = Gate::kPreserve;
      finding.message = "output " + spec.name + " is not fully written: " + std::to_string(unwritten) + " of " +
                        std::to_string(instance.cells) + " cells, first " + instance.CellName(spec.name, first_unwritten);
      finding.where.push_back(whole);
      findings.push_back({side, std::move(finding)});
    }
    if (instance.dense && instance.offset == 0) continue;
    std::vector<uint32_t> cells = instance.CellOfElement();
    for (uint64_t element = 0; element < cells.size(); ++element) {
      if (cells[element] != kPaddingCell) continue;
      bool touched = false;
      for (uint64_t byte = 0; byte < instance.element_bytes; ++byte) {
        touched = touched || machine.WasWritten(buffer, element * instance.element_bytes + byte, 8);
      }
      if (!touched) continue;
      Finding finding;
      finding.gate = Gate::kBounds;
      finding.message =
          "store between the rows of " + spec.name + ", at element " + std::to_string(element) + " of its buffer, which is no cell";
      finding.where.push_back(machine.DescribeOrigin(machine.ReadCell(buffer, element * instance.element_bytes, width).writer));
      findings.push_back({side, std::move(finding)});
      break;
    }
  }
}

Session::Judgement Session::Judge() {
  Judgement judgement;
  std::vector<SidedFinding>& findings = judgement.findings;
  for (Side side : {Side::kCandidate, Side::kReference}) {
    const SideOutcome& outcome = this->outcome(side);
    if (!outcome.ran) continue;
    for (const Finding& finding : outcome.run.findings) findings.push_back({side, finding});
    if (outcome.run.status != RunResult::Status::kCompleted) continue;
    CheckOutputs(side, findings, judgement.doubts);
    if (!outcome.run.rounded_choice) continue;
    if (std::optional<std::string> cell = CellThatDependsOnBits(side)) {
      Finding doubt;
      doubt.gate = Gate::kRace;
      doubt.message = "a value is one over the reals but rounded as the hardware happens to order lanes or atomics, and " + *cell +
                      " may depend on its bits";
      doubt.where.push_back(*outcome.run.rounded_choice);
      judgement.doubts.push_back({side, std::move(doubt)});
    }
  }
  return judgement;
}

std::optional<std::string> Session::CellThatDependsOnBits(Side side) const {
  std::unordered_set<TermId> seen;
  for (uint32_t tensor : contract_.outputs) {
    const TensorSpec& spec = contract_.tensors[tensor];
    const TensorInstance& instance = this->instance(side).tensors[tensor];
    for (uint64_t cell = 0; cell < instance.cells; ++cell) {
      const CellValue value = ReadCell(side, tensor, cell);
      if (value.term == kNoTerm) continue;
      if (!IsFloatScalar(spec.dtype)) return instance.CellName(spec.name, cell);
      // The pattern of the cell's own value is what the cell is; the same pattern below another cell is not.
      std::vector<TermId> stack{store_.kind(value.term) == TermKind::kFpToBits ? store_.operand(value.term, 0) : value.term};
      while (!stack.empty()) {
        const TermId id = stack.back();
        stack.pop_back();
        if (!seen.insert(id).second) continue;
        const TermKind kind = store_.kind(id);
        // Other patterns have no value below them, or one of these.
        if (kind == TermKind::kFpToBits || kind == TermKind::kFpCompare || kind == TermKind::kFpToInt)
          return instance.CellName(spec.name, cell);
        for (unsigned i = 0; i < store_.arity(id); ++i) stack.push_back(store_.operand(id, i));
      }
    }
  }
  return std::nullopt;
}

}  // namespace racer
