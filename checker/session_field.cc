// Runs of a session over the Field domain.
#include <string>
#include <utility>

#include "base/check.h"
#include "checker/field_outcome.h"
#include "checker/session.h"
#include "ptx_frontend/isa/fp.h"

namespace racer {

// An argument's term is an input, a real number or a constant; the store has names of its own for them.
void Session::NameInField(Argument& argument, FieldStore& store) const {
  for (Argument& field : argument.fields) NameInField(field, store);
  if (argument.kind != Argument::Kind::kTerm) return;
  TermId term = argument.term;
  if (store_.kind(term) == TermKind::kFpToBits) term = store_.operand(term, 0);
  switch (store_.kind(term)) {
    case TermKind::kFpInput:
    case TermKind::kBvInput: argument.term = store.Input(store_.input_symbol(term), store_.input_index(term)); return;
    case TermKind::kFpReal: argument.term = store.Real(store_.format(term), store_.real_value(term)); return;
    default: break;  // MakeArgument makes no other
  }
  RACER_UNREACHABLE(static_cast<int>(store_.kind(term)));
}

FieldOutcome Session::RunInField(Side side, FieldStore& store) {
  FieldOutcome outcome;
  const auto fail = [&](std::string problem) {
    outcome.problem = std::string(SideName(side)) + ": " + std::move(problem);
    return std::move(outcome);
  };
  for (size_t i = 0; i < store_.symbol_count(); ++i) {
    if (!store.AddSymbol(store_.symbol(SymbolId{static_cast<uint16_t>(i)}).dtype, cell_counts_[i]))
      return fail("more than 2^31 input cells");
  }
  Buffers buffers = MakeRun(side, nullptr);
  if (problem_.has_value()) return fail(problem_->undecided.empty() ? "the shape cannot be run" : problem_->undecided);
  for (Argument& argument : buffers.config.arguments) NameInField(argument, store);
  FieldMachine machine(store);
  outcome.run = machine.Run(buffers.config);
  thread_instructions_ += outcome.run.stats.thread_instructions;
  if (outcome.run.status != RunResult::Status::kCompleted || !outcome.run.findings.empty()) {
    outcome.broke_rule = !outcome.run.findings.empty();
    std::optional<Where> place = outcome.run.place;
    if (outcome.broke_rule && !outcome.run.findings[0].where.empty()) place = outcome.run.findings[0].where[0];
    const std::string& reason = outcome.broke_rule ? outcome.run.findings[0].message : outcome.run.reason;
    const bool limit = outcome.run.status == RunResult::Status::kBudget;
    return fail((limit ? "reached " : "") + reason + (place ? " (" + place->file + ":" + std::to_string(place->line) + ")" : ""));
  }
  for (uint32_t tensor : contract_.outputs) {
    const TensorInstance& instance = this->instance(side).tensors[tensor];
    const ScalarType dtype = contract_.tensors[tensor].dtype;
    for (uint64_t cell = 0; cell < instance.cells; ++cell) {
      const CellValue value =
          machine.ReadCell(buffers.buffer_of_tensor[tensor], instance.ByteOffset(cell), static_cast<unsigned>(instance.element_bytes * 8));
      if (value.state != CellValue::State::kConcrete && value.state != CellValue::State::kSymbolic) {
        outcome.broke_rule = true;
        return fail(CellName(static_cast<int>(tensor), cell) + " is not written");
      }
      outcome.cells.push_back(store.ResiduesOf(value.term, dtype));
      if (store.has_left()) return fail(store.left() + ", in " + CellName(static_cast<int>(tensor), cell));
    }
  }
  return outcome;
}

}  // namespace racer
