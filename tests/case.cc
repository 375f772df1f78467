#include "tests/case.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

Report LoadErrors(std::vector<Diagnostic> errors) { return InputErrorReport(std::move(errors)); }

}  // namespace

Report RunCase(const Case& c, Arrangement arrangement) {
  std::vector<const char*> argv{"racer", "check", "candidate.ptx", "--ref", "reference.ptx"};
  for (const std::string& argument : c.arguments) argv.push_back(argument.c_str());
  ParsedCommandLine command_line = ParseCommandLine(static_cast<int>(argv.size()), argv.data());
  if (!command_line.options.has_value()) return LoadErrors({MakeError(DiagnosticKind::kCommandLine, {}, command_line.output)});
  const Options& options = *command_line.options;

  auto contract_file = std::make_shared<const SourceFile>(c.contract_name, c.contract_text);
  auto load = [](const CaseSide& side) { return LoadKernel(std::make_shared<const SourceFile>(side.name, side.text), side.entry); };
  bool first_is_reference = arrangement == Arrangement::kSwapped || arrangement == Arrangement::kReferenceItself;
  bool second_is_reference = arrangement == Arrangement::kAsWritten || arrangement == Arrangement::kReferenceItself;
  LoadOutcome first = load(first_is_reference ? c.reference : c.candidate);
  LoadOutcome second = load(second_is_reference ? c.reference : c.candidate);
  if (first.kernel == nullptr) return LoadErrors(first.errors);
  if (second.kernel == nullptr) return LoadErrors(second.errors);

  Inputs inputs;
  inputs.candidate = std::move(first.kernel);
  inputs.reference = std::move(second.kernel);
  if (c.contract_text.empty()) {
    const ir::Module& module = *inputs.candidate->module;
    Result<Contract> contract = ParseEmbeddedContract(inputs.candidate->file, module.contract_lines, module.contract_line_numbers);
    if (!contract.ok()) return LoadErrors({contract.error()});
    inputs.contract = std::move(contract).value();
  } else {
    Result<Contract> contract = ParseContract(contract_file);
    if (!contract.ok()) return LoadErrors({contract.error()});
    inputs.contract = std::move(contract).value();
  }
  std::optional<CallSpec> candidate_call = inputs.contract->candidate;
  std::optional<CallSpec> reference_call = inputs.contract->reference;
  inputs.contract->candidate = first_is_reference ? reference_call : candidate_call;
  inputs.contract->reference = second_is_reference ? reference_call : candidate_call;

  InputsOutcome complete = CompleteInputs(options, std::move(inputs));
  if (!complete.inputs.has_value()) return NoInputsReport(options, std::move(complete));
  return Check(options, *complete.inputs);
}

std::string Describe(const Report& report) {
  switch (report.verdict) {
    case Verdict::kEquivalent: return report.grade == Grade::kProved ? "equivalent" : "equivalent, not proved";
    case Verdict::kDifferent: return "different";
    case Verdict::kViolation: return "violation " + report.failed_gate;
    case Verdict::kUndecided: return "undecided: " + report.reason;
    case Verdict::kInputError: return "input error: " + report.summary;
    case Verdict::kInternalError: return "internal error: " + report.summary;
  }
  RACER_UNREACHABLE(report.verdict);
}

std::string ReadFileOrDie(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  RACER_CHECK(static_cast<bool>(in));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> ListFiles(const std::string& directory, const std::string& suffix) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(suffix)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace racer
