#include "checker/withdraw.h"

#include <optional>
#include <utility>

#include "checker/variable_address_use.h"

namespace racer {

void Withdraw(const Options& options, const std::string& reason, const std::string& hint, Report* report) {
  Report undecided = UndecidedReport(reason, options, /*parsed=*/true);
  undecided.hint = hint;
  undecided.candidate = report->candidate;
  undecided.reference = report->reference;
  undecided.inferred_contract = report->inferred_contract;
  undecided.shapes = report->shapes;
  undecided.assumptions = report->assumptions;
  undecided.stats = report->stats;
  *report = std::move(undecided);
}

void WithdrawWhereVariablesLie(const Options& options, const Inputs& inputs, Report* report) {
  const bool from_text = report->failed_gate == GateName(Gate::kParse) || report->failed_gate == GateName(Gate::kLaunch);
  const bool violation = report->verdict == Verdict::kViolation && !from_text;
  if (report->verdict != Verdict::kEquivalent && report->verdict != Verdict::kDifferent && !violation) return;
  for (Side side : {Side::kCandidate, Side::kReference}) {
    const Kernel* kernel = side == Side::kCandidate ? inputs.candidate.get() : inputs.reference.get();
    if (kernel == nullptr) continue;
    const std::optional<VariableAddressUse> use = FindVariableAddressUse(*kernel->module, *kernel->entry);
    if (!use.has_value()) continue;
    return Withdraw(options, std::string(SideName(side)) + ": " + use->ToString(),
                    "docs/known_limits.md lists what may be done with such an address", report);
  }
}

}  // namespace racer
