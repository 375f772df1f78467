// Loading both sides and finding the contract.
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/source_file.h"
#include "checker/check.h"
#include "checker/infer.h"
#include "checker/skeleton.h"

namespace racer {
namespace {

constexpr size_t kMaxContractBytes = size_t{1} << 20;
constexpr std::string_view kModelPrefix = "model:";

bool IsRegularFile(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// "dir/name.ptx" -> "dir/", "dir/name".
std::pair<std::string, std::string> DirectoryAndStem(const std::string& path) {
  size_t slash = path.rfind('/');
  std::string directory = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  std::string stem = path;
  size_t dot = stem.rfind('.');
  if (dot != std::string::npos && (slash == std::string::npos || dot > slash + 1)) stem.resize(dot);
  return {directory, stem};
}

Result<Contract> LoadContract(const std::string& path) {
  Result<std::shared_ptr<const SourceFile>> file = LoadSourceFile(path, kMaxContractBytes);
  if (!file.ok()) return file.error();
  return ParseContract(*file);
}

// A model's tensors, scalars and dims by name, with the ranks that it declares.
std::optional<Diagnostic> CheckModel(const Contract& contract, const models::TensorProgram& model) {
  auto error = [&](const SourceLocation& where, const std::string& message) {
    return MakeError(DiagnosticKind::kContractModel, where, message, model.name + " computes " + model.formula);
  };
  for (const std::string& dim : model.dims) {
    if (!contract.FindDim(dim).has_value())
      return error(contract.where, "the contract has no dim " + dim + ", which model:" + model.name + " needs");
  }
  std::vector<models::TensorDecl> declared = model.inputs;
  declared.push_back(model.output);
  for (const models::TensorDecl& decl : declared) {
    if (decl.shape.empty()) {
      if (!contract.FindScalar(decl.name).has_value()) return error(contract.where, "the contract has no scalar " + decl.name);
      continue;
    }
    std::optional<uint32_t> index = contract.FindTensor(decl.name);
    if (!index.has_value()) return error(contract.where, "the contract has no tensor " + decl.name);
    const TensorSpec& tensor = contract.tensors[*index];
    bool same = tensor.shape.size() == decl.shape.size();
    for (size_t i = 0; same && i < decl.shape.size(); ++i) same = tensor.shape[i].text() == decl.shape[i];
    if (!same || !IsFloat(tensor.dtype)) return error(tensor.where, "tensor " + decl.name + " has another shape or dtype than the model's");
    bool is_output = decl.name == model.output.name;
    if (is_output ? !tensor.IsOutput() : tensor.role != Role::kIn && tensor.role != Role::kInout) {
      return error(tensor.where,
                   "tensor " + decl.name + " has role " + std::string(RoleName(tensor.role)) + ", which the model cannot use");
    }
  }
  if (contract.outputs.size() != 1 || contract.tensors[contract.outputs[0]].name != model.output.name) {
    return error(contract.where, "the contract's outputs are not exactly " + model.output.name);
  }
  return std::nullopt;
}

}  // namespace

InputsOutcome CompleteInputs(const Options& options, Inputs inputs) {
  InputsOutcome outcome;
  if (!inputs.contract.has_value()) {
    if (inputs.model != nullptr) {
      outcome.errors.push_back(MakeError(DiagnosticKind::kContractMissingKey, {},
                                         "no contract: a model says nothing about how the kernel is called",
                                         "--contract FILE.toml (docs/interface.md; racer inspect prints the one that it infers)"));
      return outcome;
    }
    Inference inference = InferContract(*inputs.candidate, inputs.reference.get(), options);
    if (!inference.contract.has_value()) {
      outcome.undecided = "no contract given and none inferred: " + inference.reason;
      outcome.candidate = NameOf(*inputs.candidate);
      if (inputs.reference != nullptr) outcome.reference = NameOf(*inputs.reference);
      for (const std::string& candidate : inference.candidates) outcome.undecided += "; possible: " + candidate;
      if (!inference.unmodelled) {
        const bool found = !inference.draft.empty();
        outcome.contract_skeleton = found ? std::move(inference.draft) : SkeletonContract(*inputs.candidate, inputs.reference.get());
      }
      return outcome;
    }
    inputs.contract = std::move(inference.contract);
    inputs.inferred_contract = ToToml(*inputs.contract);
  }
  const Contract& contract = *inputs.contract;
  std::vector<std::pair<Side, const Kernel*>> sides{{Side::kCandidate, inputs.candidate.get()}};
  if (inputs.reference != nullptr) sides.emplace_back(Side::kReference, inputs.reference.get());
  for (const auto& [side, kernel] : sides) {
    if (auto error = CheckArguments(contract, *kernel->module, *kernel->entry, side)) outcome.errors.push_back(*error);
  }
  if (inputs.model != nullptr) {
    if (auto error = CheckModel(contract, *inputs.model)) outcome.errors.push_back(*error);
  }
  if (outcome.errors.empty()) outcome.inputs = std::move(inputs);
  return outcome;
}

InputsOutcome LoadInputs(const Options& options) {
  InputsOutcome outcome;
  Inputs inputs;
  auto take = [&](LoadOutcome loaded, std::unique_ptr<Kernel>& kernel) {
    kernel = std::move(loaded.kernel);
    // Both kernels may be of one file: what is wrong with it is said once.
    for (Diagnostic& error : loaded.errors) {
      const auto same = [&](const Diagnostic& known) { return known.Render() == error.Render(); };
      if (std::none_of(outcome.errors.begin(), outcome.errors.end(), same)) outcome.errors.push_back(std::move(error));
    }
  };
  const bool one_file = options.reference == options.candidate && options.entry.empty() && options.reference_entry.empty();
  const std::string both = "--entry NAME and --ref-entry NAME";
  take(LoadKernel(options.candidate, options.entry, one_file ? both : "--entry NAME"), inputs.candidate);
  if (options.reference.starts_with(kModelPrefix)) {
    std::string name = options.reference.substr(kModelPrefix.size());
    inputs.model = models::FindModel(name);
    if (inputs.model == nullptr) {
      std::string known;
      for (const std::string& model : models::ModelNames()) known += (known.empty() ? "" : ", ") + model;
      outcome.errors.push_back(MakeError(DiagnosticKind::kCommandLine, {}, "no model named '" + name + "'", "one of: " + known));
    }
  } else if (!options.reference.empty()) {
    take(LoadKernel(options.reference, options.reference_entry, one_file ? both : "--ref-entry NAME"), inputs.reference);
  }
  if (!outcome.errors.empty()) return outcome;

  auto use = [&](Result<Contract> contract) {
    if (contract.ok()) {
      inputs.contract = std::move(contract).value();
    } else {
      outcome.errors.push_back(contract.error());
    }
  };
  auto [directory, stem] = DirectoryAndStem(options.candidate);
  const ir::Module& module = *inputs.candidate->module;
  if (!options.contract.empty()) {
    use(LoadContract(options.contract));
  } else if (!module.contract_lines.empty()) {
    use(ParseEmbeddedContract(inputs.candidate->file, module.contract_lines, module.contract_line_numbers));
  } else if (IsRegularFile(stem + ".toml")) {
    use(LoadContract(stem + ".toml"));
  } else if (IsRegularFile(directory + "contract.toml")) {
    use(LoadContract(directory + "contract.toml"));
  }
  if (!outcome.errors.empty()) return outcome;
  return CompleteInputs(options, std::move(inputs));
}

}  // namespace racer
