#include "checker/report.h"

#include "base/check.h"

namespace racer {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEquivalent: return "equivalent";
    case Verdict::kDifferent: return "different";
    case Verdict::kViolation: return "violation";
    case Verdict::kUndecided: return "undecided";
    case Verdict::kInputError: return "input_error";
    case Verdict::kInternalError: return "internal_error";
  }
  RACER_UNREACHABLE(verdict);
}

std::string_view GradeName(Grade grade) {
  switch (grade) {
    case Grade::kNone: return "none";
    case Grade::kProbabilistic: return "probabilistic";
    case Grade::kProved: return "proved";
  }
  RACER_UNREACHABLE(grade);
}

std::string_view GateName(Gate gate) {
  switch (gate) {
    case Gate::kParse: return "parse";
    case Gate::kLaunch: return "launch";
    case Gate::kBounds: return "bounds";
    case Gate::kInit: return "init";
    case Gate::kRace: return "race";
    case Gate::kSync: return "sync";
    case Gate::kPreserve: return "preserve";
    case Gate::kEquivalence: return "equivalence";
    case Gate::kIndexWidth: return "index_width";
    case Gate::kSpecialValues: return "special_values";
    case Gate::kRounding: return "rounding";
    case Gate::kDeterminism: return "determinism";
    case Gate::kIntegerExact: return "integer_exact";
  }
  RACER_UNREACHABLE(gate);
}

const std::vector<Gate>& AllGates() {
  static const auto* gates = new std::vector<Gate>{
      Gate::kParse,       Gate::kLaunch,     Gate::kBounds,        Gate::kInit,     Gate::kRace,        Gate::kSync,        Gate::kPreserve,
      Gate::kEquivalence, Gate::kIndexWidth, Gate::kSpecialValues, Gate::kRounding, Gate::kDeterminism, Gate::kIntegerExact};
  return *gates;
}

std::optional<Gate> GateFromName(std::string_view name) {
  for (Gate gate : AllGates()) {
    if (GateName(gate) == name) return gate;
  }
  return std::nullopt;
}

std::string_view FieldStatusName(FieldReport::Status status) {
  switch (status) {
    case FieldReport::Status::kTested: return "tested";
    case FieldReport::Status::kUnlike: return "unlike";
    case FieldReport::Status::kNotRun: return "not_run";
  }
  RACER_UNREACHABLE(status);
}
std::string_view GateStatusName(GateStatus status) {
  switch (status) {
    case GateStatus::kPass: return "pass";
    case GateStatus::kFail: return "fail";
    case GateStatus::kUndecided: return "undecided";
    case GateStatus::kNotApplicable: return "not_applicable";
  }
  RACER_UNREACHABLE(status);
}

int ExitStatus(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEquivalent: return 0;
    case Verdict::kDifferent:
    case Verdict::kViolation: return 1;
    case Verdict::kUndecided: return 2;
    case Verdict::kInputError: return 3;
    case Verdict::kInternalError: return 4;
  }
  RACER_UNREACHABLE(verdict);
}

}  // namespace racer
