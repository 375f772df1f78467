// One shape of a check: both sides run symbolically over one term store, and bit for bit at chosen points.
#ifndef RACER_CHECKER_SESSION_H_
#define RACER_CHECKER_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "checker/cascade.h"
#include "checker/contract.h"
#include "checker/instance.h"
#include "checker/load.h"
#include "checker/placement.h"
#include "checker/rounding_by_addition.h"
#include "checker/undefined.h"
#include "checker/unsettled.h"
#include "idioms/matcher.h"
#include "reference_models/tensor_program.h"
#include "symexec/machine/machine.h"
#include "symexec/machine/run.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

class FieldStore;
struct FieldOutcome;

// What is compared. `reference` is null for `inspect` and when a model takes its place.
struct Subjects {
  const Kernel* candidate = nullptr;
  const Kernel* reference = nullptr;
  const models::TensorProgram* model = nullptr;
  const Contract* contract = nullptr;

  const Kernel* kernel(Side side) const { return side == Side::kCandidate ? candidate : reference; }
};

// Tensors that share one buffer in a run: groups of indices into Contract::tensors. Empty: none do.
using AliasGroups = std::vector<std::vector<uint32_t>>;

// Why a shape cannot be run: the contract or the launch is wrong (input error), or racer does not model it (undecided).
struct SessionProblem {
  std::optional<Diagnostic> input_error;
  std::string undecided;
};

// A finding together with the side that it is about.
struct SidedFinding {
  Side side = Side::kCandidate;
  Finding finding;
};

// How one side's symbolic run ended.
struct SideOutcome {
  RunResult run;
  bool ran = false;
};

class Session {
 public:
  // Prepares a shape. `alias` applies to both sides, so that a check stays symmetric: each side has buffers of its own, and
  // within a side the tensors of a group are one buffer. `table`: see Instantiate.
  Session(const Subjects& subjects, DimAssignment dims, AliasGroups alias, const RunLimits& limits, uint32_t table = 0,
          Placement placement = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Set if nothing can be run.
  const std::optional<SessionProblem>& problem() const { return problem_; }
  const Contract& contract() const { return contract_; }
  const DimAssignment& dims() const { return dims_; }
  const AliasGroups& alias() const { return alias_; }

  // Runs both sides (or the candidate and the model) over terms.
  void RunTerms();
  const SideOutcome& outcome(Side side) const { return outcomes_[static_cast<size_t>(side)]; }
  // Broken rules of the runs themselves, then of what they left in the outputs: cells not written, undefined values,
  // stores between the cells of a strided output. Candidate first.
  struct Judgement {
    std::vector<SidedFinding> findings;
    std::vector<SidedFinding> doubts;  // rules that are broken only if a selection on symbolic data goes one way: UNDECIDED
  };
  // Undefined values that the solver shows no output to depend on are no doubt; the cells' terms lose them.
  Judgement Judge();

  // Every cell of every output, both sides; only after runs without findings.
  std::vector<CellPair> Cells();
  // Code of a library becomes the real function that it computes (idioms/). Sums that round to an integer become roundings; where nothing
  // says that they do, the cell is not to be proved. Then inputs stand for what constants decide otherwise on some device than over the
  // reals; such cells can be proved, not refuted.
  void SpellOut(std::vector<CellPair>* cells);
  // The library code that SpellOut replaced.
  std::set<IdiomMatcher::Use> idiom_uses() const { return idioms_ != nullptr ? idioms_->uses() : std::set<IdiomMatcher::Use>{}; }
  const std::set<std::string>& spelling_assumptions() const { return rounding_by_addition_.assumptions(); }
  // "y[0,3]"; output is an index into Contract::tensors.
  std::string CellName(int output, uint64_t cell) const;
  // The store that wrote a cell last; nullopt for a model or an initial value.
  std::optional<Where> WriterOf(Side side, int output, uint64_t cell) const;
  // The instruction during which a term was first made.
  std::optional<std::pair<Side, Where>> PlaceOfOrigin(uint32_t origin) const;

  // Bit-exact runs of both sides at a point. A run that does not complete cleanly gives nullopt for its cells.
  std::vector<ReplayedCell> ReplayAt(const InputPoint& point, const std::vector<const CellPair*>& cells);
  // One side over the Field domain, on an empty store that gets this session's symbols; not for models.
  FieldOutcome RunInField(Side side, FieldStore& store);
  // One side, bit for bit, without race checks: for signatures. Inputs are the first point of MakePoint.
  RunResult RunSkeleton(Side side);

  TermStore& store() { return store_; }
  const TermStore& store() const { return store_; }
  const SymbolRanges& ranges() const { return ranges_; }
  const std::vector<uint64_t>& cell_counts() const { return cell_counts_; }
  const Instance& instance(Side side) const { return *instances_[static_cast<size_t>(side)]; }
  // "x", "eps" of a symbol, as printed.
  const std::string& SymbolName(SymbolId symbol) const { return store_.symbol(symbol).name; }
  uint64_t thread_instructions() const { return thread_instructions_; }

 private:
  struct Buffers {
    RunConfig config;
    std::vector<int> buffer_of_tensor;  // by contract tensor
  };

  void Prepare();
  void DeclareSymbols();
  Buffers MakeConfig(Side side, const InputPoint* point) const;
  // Phases and order of the placement.
  void PlaceBuffers(Buffers& buffers) const;
  void FillContents(const InputPoint* point, uint32_t tensor, const TensorInstance& instance, BufferContents& contents) const;
  // An argument of `bytes` bytes.
  std::optional<Argument> MakeArgument(Side side, const ArgumentInstance& argument, uint64_t bytes, const Buffers& buffers,
                                       const InputPoint* point);
  Buffers MakeRun(Side side, const InputPoint* point);
  void NameInField(Argument& argument, FieldStore& store) const;
  CellValue ReadCell(Side side, uint32_t tensor, uint64_t cell) const;
  // An Undef below a term that contains one; `always`: it is used whatever selections on symbolic data choose.
  struct UndefinedUse {
    TermId source = kNoTerm;
    bool always = false;
  };
  UndefinedUse FindUndefined(TermId root) const;
  void CheckOutputs(Side side, std::vector<SidedFinding>& findings, std::vector<SidedFinding>& doubts);
  // The first output cell of a side that is more than a real function of its inputs: an integer, or one that looks at bits.
  std::optional<std::string> CellThatDependsOnBits(Side side) const;
  TermId CellTerm(Side side, uint32_t tensor, uint64_t cell);
  TermId ModelTerm(uint32_t tensor, uint64_t cell);
  void ReplaceIdioms(std::vector<CellPair>* cells);
  void Fail(Diagnostic diagnostic) { problem_ = SessionProblem{std::move(diagnostic), ""}; }
  void Undecided(std::string why) { problem_ = SessionProblem{std::nullopt, std::move(why)}; }

  const Subjects subjects_;
  const Contract& contract_;
  DimAssignment dims_;
  AliasGroups alias_;
  RunLimits limits_;
  const uint32_t table_;
  const Placement placement_;
  std::optional<SessionProblem> problem_;
  TermStore store_;
  SymbolRanges ranges_;
  std::vector<uint64_t> cell_counts_;
  UndefinedValues undefined_{store_, ranges_, cell_counts_};
  RoundingByAddition rounding_by_addition_{store_, ranges_};
  std::unique_ptr<IdiomMatcher> idioms_;  // made by SpellOut
  Unsettled unsettled_{store_, ranges_, cell_counts_};
  std::vector<std::optional<SymbolId>> tensor_symbols_, scalar_symbols_;  // by contract index
  std::unique_ptr<Instance> instances_[2];
  std::unique_ptr<TermMachine> machines_[2];
  std::vector<int> buffer_of_tensor_[2];
  SideOutcome outcomes_[2];
  uint64_t thread_instructions_ = 0;
  struct ModelState;
  std::unique_ptr<ModelState> model_;
};

}  // namespace racer

#endif  // RACER_CHECKER_SESSION_H_
