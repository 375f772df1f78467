// Reports of checks that did not come to run a kernel.
#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "checker/check.h"

namespace racer {

Report InputErrorReport(std::vector<Diagnostic> errors) {
  RACER_CHECK(!errors.empty());
  Report report;
  report.verdict = Verdict::kInputError;
  std::string place = errors.front().location.ToString();
  report.summary = (place.empty() ? "" : place + ": ") + errors.front().message;
  report.reason = report.summary;
  report.diagnostics = std::move(errors);
  return report;
}

Report NoInputsReport(const Options& options, InputsOutcome outcome) {
  if (!outcome.errors.empty()) return InputErrorReport(std::move(outcome.errors));
  Report report = UndecidedReport(outcome.undecided, options, /*parsed=*/true);
  report.candidate = outcome.candidate;
  report.reference = outcome.reference;
  report.hint = outcome.contract_skeleton.empty() ? "docs/isa.md and docs/known_limits.md list what is modelled"
                                                  : "write a contract (docs/interface.md) and pass it with --contract FILE.toml";
  report.contract_skeleton = std::move(outcome.contract_skeleton);
  return report;
}

Report StoppedReport(const std::string& reason, const Options& options, std::optional<Report> so_far) {
  if (!so_far.has_value()) return UndecidedReport(reason, options, /*parsed=*/false);
  Report report = std::move(*so_far);
  report.verdict = Verdict::kUndecided;
  report.grade = Grade::kNone;
  report.error_log2.reset();
  report.reason = reason;
  report.summary = "undecided: " + reason;
  report.hint.clear();
  for (GateReport& gate : report.gates) {
    if (gate.status != GateStatus::kPass || gate.gate == Gate::kParse) continue;
    gate.status = GateStatus::kUndecided;
    gate.message = reason;
  }
  return report;
}

Report UndecidedReport(const std::string& reason, const Options& options, bool parsed) {
  Report report;
  report.verdict = Verdict::kUndecided;
  report.reason = reason;
  report.summary = "undecided: " + reason;
  for (Gate gate : AllGates()) {
    GateReport entry;
    entry.gate = gate;
    entry.status = GateStatus::kUndecided;
    entry.message = reason;
    if (std::find(options.gates.begin(), options.gates.end(), gate) == options.gates.end()) {
      entry.status = GateStatus::kNotApplicable;
      entry.message = kNotAskedFor;
    } else if (gate == Gate::kEquivalence && options.reference.empty()) {
      entry.status = GateStatus::kNotApplicable;
      entry.message = "no reference";
    } else if (gate == Gate::kParse && parsed) {
      entry.status = GateStatus::kPass;
      entry.message.clear();
    }
    report.gates.push_back(std::move(entry));
  }
  return report;
}

}  // namespace racer
