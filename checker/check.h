// The main job: shapes, runs, gates, cascade, verdict.
#ifndef RACER_CHECKER_CHECK_H_
#define RACER_CHECKER_CHECK_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "checker/contract.h"
#include "checker/load.h"
#include "checker/options.h"
#include "checker/report.h"
#include "checker/session.h"

namespace racer {

// Everything that a command works on, loaded and consistent.
struct Inputs {
  std::unique_ptr<Kernel> candidate, reference;
  const models::TensorProgram* model = nullptr;
  std::optional<Contract> contract;
  std::string inferred_contract;  // TOML, if racer found it by itself
  Subjects subjects() const { return {candidate.get(), reference.get(), model, &*contract}; }
};

struct InputsOutcome {
  std::optional<Inputs> inputs;
  std::vector<Diagnostic> errors;    // input errors
  std::string undecided;             // inference did not settle on one contract
  std::string candidate, reference;  // "file.ptx:entry", where that is so
  std::string contract_skeleton;     // TOML to start from, then; empty where no contract would help
};

// Loads both sides and finds the contract: --contract, the candidate's `//! ` block, STEM.toml, contract.toml, inference.
// `inspect` has no reference.
InputsOutcome LoadInputs(const Options& options);
// The same checks for kernels and a contract that are already in memory (tests). Takes everything over.
InputsOutcome CompleteInputs(const Options& options, Inputs inputs);

// A run that did not end where it was to be expected.
struct EndlessRun {
  Side side = Side::kCandidate;
  std::string what;  // "did not end within 20971520 thread instructions at n=77, where the reference takes 770"
};

// The shapes to look at: pinned by --dims, else candidates of the domain reduced to one per signature.
struct ShapePlan {
  std::vector<DimAssignment> shapes;   // cheapest first
  std::vector<std::string> unreached;  // what of the domain was not looked at, for the report
  std::vector<std::string> assumed;    // those of them that are assumptions of a proof: shapes and outcomes known by name
  std::vector<EndlessRun> endless;     // among `unreached`; none may be passed over
  std::optional<Diagnostic> error;
};
ShapePlan PlanShapes(const Options& options, const Subjects& subjects);

// Where the tensors lie while a shape is proved; the usual placement first.
struct PlacementPlan {
  std::vector<Placement> placements;
  bool too_large = false;  // to look for control flow that only further placements have
  std::optional<EndlessRun> endless;
};
// `addresses_matter`: FindAddressUse found something in one of the kernels.
PlacementPlan PlanPlacements(const Subjects& subjects, const DimAssignment& dims, bool addresses_matter);

// Told what holds so far before and after every shape, for whoever stops the work: a report whose verdict and reason are open.
using Progress = std::function<void(const Report& so_far)>;

// Decides. Never throws; the report is complete except for wall-clock seconds and peak memory.
Report Check(const Options& options, const Inputs& inputs, const Progress& progress = {});
// One kernel alone: every gate but equivalence, with its resources and the instructions it uses.
Report Inspect(const Options& options, const Inputs& inputs, const Progress& progress = {});
// The text of `racer explain`: the term of one cell on both sides and where they part.
struct Explanation {
  std::string text;
  Report report;  // of errors; its verdict says whether text is meaningful
};
Explanation Explain(const Options& options, const Inputs& inputs);

// A report for inputs that could not be loaded.
Report InputErrorReport(std::vector<Diagnostic> errors);
// Every gate that was asked for is undecided; parse passes if both files are known to be `parsed`.
Report UndecidedReport(const std::string& reason, const Options& options, bool parsed);
// A check that was stopped for `reason`: what it told last (if anything), and nothing that it did not come to passes.
Report StoppedReport(const std::string& reason, const Options& options, std::optional<Report> so_far);
// An outcome without inputs: errors, or no contract.
Report NoInputsReport(const Options& options, InputsOutcome outcome);

}  // namespace racer

#endif  // RACER_CHECKER_CHECK_H_
