#include "checker/check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "checker/address_use.h"
#include "checker/approximations.h"
#include "checker/check_once.h"
#include "checker/findings.h"
#include "checker/placement.h"
#include "checker/shrink.h"
#include "idioms/constants.h"
#include "idioms/matcher.h"

namespace racer {
namespace {

// The other gates are undecided by name when asked for.
bool Supported(Gate gate) { return std::find(DefaultGates().begin(), DefaultGates().end(), gate) != DefaultGates().end(); }

// Accumulates what the shapes say into one report.
class Checker {
 public:
  Checker(const Options& options, const Subjects& subjects, std::string inferred_contract, TimePoint start, Progress progress)
      : options_(options), subjects_(subjects), contract_(*subjects.contract), progress_(std::move(progress)), start_(start) {
    report_.inferred_contract = std::move(inferred_contract);
  }

  Report Run() {
    report_.candidate = NameOf(*subjects_.candidate);
    if (report_.inferred_contract.empty() && contract_.where.file != nullptr) report_.contract = contract_.where.file->name();
    report_.reference = subjects_.model != nullptr       ? "model:" + subjects_.model->name
                        : subjects_.reference != nullptr ? NameOf(*subjects_.reference)
                                                         : "";
    InitGates();
    TellProgress({}, 0);
    ShapePlan plan = PlanShapes(options_, subjects_);
    if (plan.error.has_value()) return InputErrorReport({*plan.error});
    report_.unreached = plan.unreached;
    for (const std::string& part : plan.assumed) not_reached_.push_back("not reached: " + part);
    for (const EndlessRun& run : plan.endless) MarkEndless(run);
    const bool addresses_matter = NoteAddressUses();
    for (size_t done = 0; done < plan.shapes.size(); ++done) {
      const DimAssignment& dims = plan.shapes[done];
      PlacementPlan places = PlanPlacements(subjects_, dims, addresses_matter);
      if (places.too_large) NotePlacementsUnreached(dims);
      if (places.endless) MarkEndless(*places.endless);
      for (const Placement& placement : places.placements) {
        TellProgress(plan.shapes, done);
        if (!RunVariants(dims, placement)) return input_error_.has_value() ? InputErrorReport({*input_error_}) : Finish();
      }
    }
    TellProgress(plan.shapes, plan.shapes.size());
    if (plan.shapes.empty()) MarkUndecided(Gate::kEquivalence, "no shape of the contract's domain is small enough to run", {});
    return Finish();
  }

 private:
  // What holds before the shape at `done`, with the shapes from there on named as not reached.
  void TellProgress(const std::vector<DimAssignment>& shapes, size_t done) {
    if (!progress_) return;
    const Report kept = report_;
    std::vector<std::string> left;
    for (size_t i = done; i < shapes.size(); ++i) {
      left.push_back(contract_.Describe(shapes[i]) + (i == done ? ": not finished" : ": not begun"));
      Assume("not reached: " + left.back());
    }
    report_.unreached.insert(report_.unreached.begin(), left.begin(), left.end());
    if (!report_.shapes.empty()) AddGeneralAssumptions();
    progress_(report_);
    report_ = kept;
  }

  bool Asked(Gate gate) const { return std::find(options_.gates.begin(), options_.gates.end(), gate) != options_.gates.end(); }

  bool HasReference() const { return subjects_.reference != nullptr || subjects_.model != nullptr; }
  bool Compares() const { return HasReference() && Asked(Gate::kEquivalence); }

  // The first thing that there is to do next.
  void Hint(const std::string& text) {
    if (report_.hint.empty()) report_.hint = text;
  }

  void InitGates() {
    std::vector<std::string> later;  // asked for, and not in this version
    for (Gate gate : AllGates()) {
      GateReport entry;
      entry.gate = gate;
      if (!Asked(gate)) {
        entry.status = GateStatus::kNotApplicable;
        entry.message = kNotAskedFor;
      } else if (gate == Gate::kEquivalence && !HasReference()) {
        entry.status = GateStatus::kNotApplicable;
        entry.message = "no reference";
      } else if (!Supported(gate)) {
        entry.status = GateStatus::kUndecided;
        entry.message = "not in this version";
        later.emplace_back(GateName(gate));
      } else {
        entry.status = GateStatus::kPass;
      }
      report_.gates.push_back(std::move(entry));
    }
    if (later.empty()) return;
    std::string names;
    for (const std::string& name : later) names += (names.empty() ? "" : ", ") + name;
    const bool one = later.size() == 1;
    undecided_reason_ = (one ? "gate " : "gates ") + names + (one ? " is" : " are") + " not in this version";
    Hint("leave " + names + " out of --gates");
  }

  GateReport& GateOf(Gate gate) {
    for (GateReport& entry : report_.gates) {
      if (entry.gate == gate) return entry;
    }
    RACER_UNREACHABLE(gate);
  }

  // False: nothing more is to be run.
  bool RunVariants(const DimAssignment& dims, const Placement& placement) {
    for (const AliasGroups& alias : AliasVariants()) {
      for (uint32_t table = 0; table < (HasIndexTables(contract_) ? kIndexTables : 1); ++table) {
        RunShape(dims, alias, table, placement);
        if (input_error_.has_value() || definite_) return false;
      }
    }
    return true;
  }

  // Whether a kernel may behave differently elsewhere in memory.
  bool NoteAddressUses() {
    bool matter = false;
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const Kernel* kernel = subjects_.kernel(side);
      if (kernel == nullptr || !contract_.call(side)) continue;
      const ir::Instruction* use = FindAddressUse(*kernel->entry, *contract_.call(side));
      if (use == nullptr) continue;
      matter = true;
      not_reached_.push_back("the " + std::string(SideName(side)) + " may depend on where its tensors lie (" + use->location.ToString() +
                             "): several alignments and orders of the tensors were run, others were not");
    }
    return matter;
  }
  void NotePlacementsUnreached(const DimAssignment& dims) {
    report_.unreached.push_back("further alignments of the tensors at " + contract_.Describe(dims) + ": too large to look for them");
    not_reached_.push_back("not reached: " + report_.unreached.back());
  }

  // As written, then each alias group as one buffer, then all groups at once.
  std::vector<AliasGroups> AliasVariants() const {
    std::vector<AliasGroups> variants{{}};
    const auto& groups = contract_.alias;
    for (const std::vector<uint32_t>& group : groups) variants.push_back({group});
    if (groups.size() > 1) variants.emplace_back(groups);
    return variants;
  }

  bool OutOfTime(double fraction) const { return IsOutOfTime(options_, start_, fraction); }

  RunLimits Limits() const {
    RunLimits limits;
    limits.max_memory_bytes = options_.memory_bytes;
    if (options_.timeout_seconds > 0) {
      double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      limits.deadline_seconds = std::max(0.01, 0.8 * options_.timeout_seconds - elapsed);
    }
    return limits;
  }

  void MarkUndecided(Gate gate, const std::string& reason, std::vector<Place> where) {
    GateReport& entry = GateOf(gate);
    if (entry.status == GateStatus::kPass) {
      entry.status = GateStatus::kUndecided;
      entry.message = reason;
      entry.where = std::move(where);
    }
    if (undecided_reason_.empty()) undecided_reason_ = reason;
  }

  // Nothing holds for a run that does not end.
  void MarkEndless(const EndlessRun& run) {
    const std::string reason = "the " + std::string(SideName(run.side)) + " " + run.what;
    for (Gate gate : {Gate::kBounds, Gate::kInit, Gate::kRace, Gate::kSync, Gate::kPreserve, Gate::kDeterminism}) {
      MarkUndecided(gate, reason, {});
    }
    if (HasReference()) MarkUndecided(Gate::kEquivalence, reason, {});
    Hint("if it does end there, check that shape alone with --dims, and the others under a contract without it");
  }

  // The way on where a shape took more than there is of what `option` limits (empty: no option does).
  std::string SmallerShapes(const DimAssignment& dims, const std::string& option) const {
    const std::string raise = option.empty() ? "" : "raise " + option;
    if (contract_.dims.empty()) return raise;
    return "pin dims smaller than " + contract_.Describe(dims) + " with --dims" + (raise.empty() ? "" : ", or " + raise);
  }

  std::string ShapeText(const DimAssignment& dims, const AliasGroups& alias, uint32_t table, const Placement& placement) const {
    std::string text = contract_.Describe(dims);
    const std::string variant = VariantText(alias, table, placement);
    return text + (text.empty() || variant.empty() ? "" : ", ") + variant;
  }

  // What sets a run apart from the first one at the same dims; empty for that one.
  std::string VariantText(const AliasGroups& alias, uint32_t table, const Placement& placement) const {
    std::string text;
    for (const std::vector<uint32_t>& group : alias) {
      text += text.empty() ? "" : ", ";
      for (size_t i = 0; i < group.size(); ++i) text += (i > 0 ? " = " : "") + contract_.tensors[group[i]].name;
    }
    if (table > 0) text += std::string(text.empty() ? "" : ", ") + "index table " + std::to_string(table + 1);
    if (!placement.text.empty()) text += std::string(text.empty() ? "" : ", ") + "with " + placement.text;
    return text;
  }

  void RunShape(const DimAssignment& dims, const AliasGroups& alias, uint32_t table, const Placement& placement) {
    std::string shape_text = ShapeText(dims, alias, table, placement);
    if (OutOfTime(0.8)) {
      MarkUndecided(Gate::kEquivalence, "time limit: " + shape_text + " was not reached", {});
      report_.unreached.push_back(shape_text + ": not reached within the time limit");
      Assume("not reached: " + report_.unreached.back());
      Hint("pin smaller dims with --dims, or raise --timeout");
      return;
    }
    Session session(subjects_, dims, alias, Limits(), table, placement);
    if (!session.problem().has_value()) session.RunTerms();
    if (session.problem().has_value()) {
      input_error_ = session.problem()->input_error;
      if (!input_error_.has_value()) MarkUndecided(Gate::kLaunch, session.problem()->undecided, {});
      return;
    }
    report_.stats.terms = std::max<uint64_t>(report_.stats.terms, session.store().size());
    for (Side side : {Side::kCandidate, Side::kReference}) {
      stopped_early_ = stopped_early_ || session.outcome(side).run.status != RunResult::Status::kCompleted;
      for (const std::string& assumption : session.outcome(side).run.assumptions) Assume(std::string(SideName(side)) + ": " + assumption);
    }
    ShapeReport shape;
    for (size_t i = 0; i < dims.size(); ++i) shape.dims.emplace_back(contract_.dims[i].name, dims[i]);
    shape.domain = "term";
    shape.variant = VariantText(alias, table, placement);

    Session::Judgement judgement = session.Judge();
    TakeFindings(judgement.findings, shape_text);
    bool complete = judgement.doubts.empty();
    for (const SidedFinding& doubt : judgement.doubts) {
      std::vector<Place> where;
      where.reserve(doubt.finding.where.size());
      for (const Where& place : doubt.finding.where) where.push_back({doubt.side, place});
      std::string reason = std::string(SideName(doubt.side)) + ": " + doubt.finding.message + " (" + shape_text + ")";
      MarkUndecided(doubt.finding.gate, reason, where);
      if (HasReference()) MarkUndecided(Gate::kEquivalence, reason, where);
    }
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const SideOutcome& outcome = session.outcome(side);
      if (!outcome.ran || outcome.run.status == RunResult::Status::kCompleted || outcome.run.status == RunResult::Status::kViolation)
        continue;
      complete = false;
      std::vector<Place> where;
      if (outcome.run.place.has_value()) where.push_back({side, *outcome.run.place});
      const bool limit = outcome.run.reason.starts_with("the limit of ") || outcome.run.reason.starts_with("the deadline of ");
      std::string reason = std::string(SideName(side)) + (limit ? " reached " : ": ") + outcome.run.reason;
      if (outcome.run.place.has_value()) reason += " (" + outcome.run.place->file + ":" + std::to_string(outcome.run.place->line) + ")";
      // What was not executed was not checked either.
      for (Gate gate : {Gate::kBounds, Gate::kInit, Gate::kRace, Gate::kSync, Gate::kPreserve, Gate::kDeterminism}) {
        MarkUndecided(gate, reason, where);
      }
      if (outcome.run.status == RunResult::Status::kUnsupported && reason.find("role = \"index\"") != std::string::npos)
        Hint("give the tensor of indices role = \"index\" and its `values` in the contract (docs/interface.md)");
      if (outcome.run.status == RunResult::Status::kUnsupported) Hint("docs/isa.md and docs/known_limits.md list what is modelled");
      if (outcome.run.status == RunResult::Status::kBudget) {
        const std::string& what = outcome.run.reason;
        Hint(SmallerShapes(dims, what.starts_with("the deadline of ")                 ? "--timeout"
                                 : what.find(" bytes of memory") != std::string::npos ? "--memory"
                                                                                      : ""));
      }
      if (HasReference()) MarkUndecided(Gate::kEquivalence, reason, where);
    }
    NoteOrder(session, shape_text);
    // Where a rule is broken, asked for or not, there are no cells to compare.
    if (definite_ || !complete || !judgement.findings.empty()) {
      report_.stats.thread_instructions += session.thread_instructions();
      if (complete) report_.shapes.push_back(std::move(shape));
      return;
    }
    NoteRun(session);
    if (Compares()) {
      DecideShape(session, shape_text, shape);
    }
    report_.stats.thread_instructions += session.thread_instructions();
    report_.stats.terms = std::max<uint64_t>(report_.stats.terms, session.store().size());
    report_.shapes.push_back(std::move(shape));
  }

  void TakeFindings(const std::vector<SidedFinding>& findings, const std::string& shape_text) {
    for (const SidedFinding& sided : findings) {
      GateReport& entry = GateOf(sided.finding.gate);
      if (!Asked(sided.finding.gate)) {
        // A broken rule makes the run meaningless even if its gate was not asked for.
        MarkUndecided(Gate::kEquivalence,
                      "gate " + std::string(GateName(sided.finding.gate)) + " was not asked for and fails: " + sided.finding.message, {});
        if (undecided_reason_.empty()) undecided_reason_ = sided.finding.message;
        continue;
      }
      if (entry.status == GateStatus::kFail) continue;
      entry.status = GateStatus::kFail;
      entry.message = sided.finding.message + (shape_text.empty() ? "" : " (" + shape_text + ")");
      entry.where.clear();
      for (const Where& where : sided.finding.where) entry.where.push_back({sided.side, where});
      if (!definite_) {
        definite_ = true;
        report_.verdict = Verdict::kViolation;
        report_.failed_gate = GateName(sided.finding.gate);
        report_.summary = std::string(SideName(sided.side)) + ": " + entry.message;
        report_.hint = InitHint(contract_, sided.finding);
      }
    }
  }

  void NoteRun(Session& session) {
    if (!Compares()) return;
    for (const std::string& note : RoundingNotes(session)) Assume(note);
  }

  // What is one value over the reals may be rounded in another way each time. Whether it is was not looked into (two additions to zero
  // commute), so this is no failure.
  void NoteOrder(const Session& session, const std::string& shape_text) {
    if (!Asked(Gate::kDeterminism)) return;
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const std::optional<Where>& where = session.outcome(side).run.rounded_choice;
      if (!where) continue;
      const std::string reason = std::string(SideName(side)) + ": how a value is rounded is up to the order of lanes or atomics" +
                                 (shape_text.empty() ? "" : " (" + shape_text + ")");
      if (options_.demand_determinism) {
        Hint("leave determinism out of --gates if any order of these operations will do, else fix their order in the kernel");
        MarkUndecided(Gate::kDeterminism, reason, {{side, *where}});
        continue;
      }
      GateReport& entry = GateOf(Gate::kDeterminism);
      if (entry.status != GateStatus::kPass) continue;
      entry.status = GateStatus::kNotApplicable;
      entry.message = "does not pass, and counts only where --gates names it: " + reason;
      entry.where = {{side, *where}};
    }
  }

  void Assume(const std::string& text) {
    if (std::find(report_.assumptions.begin(), report_.assumptions.end(), text) == report_.assumptions.end()) {
      report_.assumptions.push_back(text);
    }
  }

  void DecideShape(Session& session, const std::string& shape_text, ShapeReport& shape) {
    std::vector<CellPair> cells = session.Cells();
    shape.cells = cells.size();
    session.SpellOut(&cells);
    for (const std::string& assumption : session.spelling_assumptions()) Assume(assumption);
    CascadeOptions cascade;
    cascade.seed = options_.seed;
    cascade.normal.seed = options_.seed;
    const RoundedConstants constants(SizesOf(session.dims()));
    if (!options_.exact_constants) cascade.normal.constants = &constants;
    cascade.literals_rounded = !options_.exact_constants;
    cascade.smt.memory_bytes = options_.memory_bytes / 2;
    cascade.out_of_budget = [this] { return OutOfTime(0.8); };
    auto replay = [&session](const InputPoint& point, const std::vector<const CellPair*>& asked) { return session.ReplayAt(point, asked); };
    CascadeResult result = DecideCells(session.store(), session.ranges(), session.cell_counts(), cells, replay, cascade);
    for (const auto& [step, count] : result.decided_by) shape.decided_by.emplace_back(step, count);
    for (const LiftedConstant& constant : result.constants) AddConstant(session, constant);
    for (const IdiomMatcher::Use& use : session.idiom_uses()) AddIdiom(session, use);
    for (const std::string& function : result.uninterpreted) Assume(function + " is taken as one function of its real argument");
    for (const std::string& assumption : result.assumptions) Assume(assumption);

    uint64_t decided = 0;
    for (const auto& [step, count] : result.decided_by) decided += count;
    const uint64_t open = cells.size() - std::min<uint64_t>(decided, cells.size());

    GateReport& entry = GateOf(Gate::kEquivalence);
    switch (result.verdict) {
      case CascadeResult::Verdict::kEqual: break;
      case CascadeResult::Verdict::kProbablyEqual:
        probabilistic_ = true;
        // Union bound over the shapes.
        error_sum_ += std::exp2(static_cast<double>(result.error_log2));
        break;
      case CascadeResult::Verdict::kDifferent: {
        CascadeOptions shrinking = cascade;
        shrinking.out_of_budget = [this] { return OutOfTime(0.5); };
        const CellWitness witness = ShrinkWitness(session.store(), session.ranges(), *result.witness, replay, shrinking);
        if (open > 0) shape.decided_by.emplace_back(kNotLookedAt, open);
        definite_ = true;
        report_.verdict = Verdict::kDifferent;
        report_.witness = DescribeWitness(session, witness);
        entry.status = GateStatus::kFail;
        entry.message = report_.witness->cell + " differs" + (shape_text.empty() ? "" : " (" + shape_text + ")");
        entry.where.clear();
        if (report_.witness->candidate_where.has_value()) entry.where.push_back(*report_.witness->candidate_where);
        if (report_.witness->reference_where.has_value()) entry.where.push_back(*report_.witness->reference_where);
        // Whatever was undecided before.
        report_.hint = ExplainCommand(options_, report_.witness->dims, report_.witness->cell);
        report_.summary = entry.message + ": candidate " + report_.witness->candidate + ", reference " + report_.witness->reference;
        break;
      }
      case CascadeResult::Verdict::kUndecided: {
        std::string cell = session.CellName(result.undecided_cell->output, result.undecided_cell->cell);
        std::string reason = std::to_string(result.undecided_cells) + " of " + std::to_string(cells.size()) + " cells undecided, first " +
                             cell + " (" + shape_text + "): " + result.reason;
        if (open > 0) shape.decided_by.emplace_back("undecided", open);
        if (result.out_of_time) Hint(SmallerShapes(session.dims(), "--timeout"));
        Hint(ExplainCommand(options_, shape.dims, cell));
        std::vector<Place> where;
        if (auto place = session.PlaceOfOrigin(result.undecided_cell->decided_at)) where.push_back({place->first, place->second});
        for (Side side : {Side::kCandidate, Side::kReference}) {
          if (auto place = session.WriterOf(side, result.undecided_cell->output, result.undecided_cell->cell))
            where.push_back({side, *place});
        }
        MarkUndecided(Gate::kEquivalence, reason, std::move(where));
        break;
      }
    }
  }

  void AddConstant(const Session& session, const LiftedConstant& constant) {
    ConstantReport entry;
    entry.bits = HexPattern(constant.format, constant.bits);
    entry.format = FormatName(constant.format);
    entry.real = constant.real;
    entry.ulp_distance = constant.ulp_distance;
    entry.where = PlaceOfTermOrigin(session, constant.origin);
    for (const ConstantReport& known : report_.constants) {
      if (known.bits == entry.bits && known.format == entry.format && known.real == entry.real) return;
    }
    report_.constants.push_back(std::move(entry));
  }

  void AddIdiom(const Session& session, const IdiomMatcher::Use& use) {
    const IdiomHeader& header = use.idiom->header();
    IdiomReport entry{header.idiom, header.function, header.error, header.domain, header.options, PlaceOfTermOrigin(session, use.origin)};
    const auto line = [](const IdiomReport& idiom) {
      return idiom.where ? std::pair(static_cast<int>(idiom.where->side), idiom.where->where.line) : std::pair(-1, 0);
    };
    for (const IdiomReport& known : report_.idioms) {
      if (known.idiom == entry.idiom && known.function == entry.function && line(known) == line(entry)) return;
    }
    report_.idioms.push_back(std::move(entry));
  }
  std::string IdiomNames() const {
    std::set<std::string> names;
    for (const IdiomReport& idiom : report_.idioms) names.insert(idiom.idiom);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
  }

  // Each with all its variants.
  size_t ShapeCount() const {
    return static_cast<size_t>(
        std::count_if(report_.shapes.begin(), report_.shapes.end(), [](const ShapeReport& shape) { return shape.variant.empty(); }));
  }

  void AddGeneralAssumptions() {
    if (Compares()) {
      Assume(
          "equality is over the reals: roundings are ignored; inputs are finite; nothing overflows or underflows; where both sides "
          "divide by zero or take a root of a negative, they are not compared");
      if (const std::string names = ApproximationsOf(subjects_); !names.empty())
        Assume("approximate instructions stand for the functions that they approximate: " + names);
      if (const std::string names = IdiomNames(); !names.empty())
        Assume("code of a library stands for the function that it computes, within its error (listed above): " + names);
      Assume(ShapeCount() == 1 ? "proved for the shape listed; other shapes of the contract were not run"
                               : "proved for the shapes listed; other shapes of the contract were not run");
    } else {
      Assume(ShapeCount() == 1 ? "checked at the shape listed; other shapes of the contract were not run"
                               : "checked at the shapes listed; other shapes of the contract were not run");
    }
    for (const std::string& part : not_reached_) Assume(part);
    if (HasIndexTables(contract_)) {
      Assume("index tensors were tried with " + std::to_string(kIndexTables) + " tables of integers; other tables were not run");
    }
    for (const std::string& line : ContractAssumptions(contract_)) Assume(line);
    if (!report_.inferred_contract.empty())
      Assume("the contract was inferred from the kernels (printed below); their parameters are matched by their order");
  }

  Report Finish() {
    for (GateReport& entry : report_.gates) {
      if (!definite_ || report_.verdict != Verdict::kViolation || entry.status != GateStatus::kPass) continue;
      if (entry.gate == Gate::kParse || entry.gate == Gate::kLaunch) continue;
      // What a stopped run did not reach was not checked.
      if (entry.gate != Gate::kEquivalence && !stopped_early_) continue;
      entry.status = GateStatus::kUndecided;
      entry.message = std::string(kNotDecided) + report_.failed_gate + " failed first";
    }
    if (definite_) {
      if (const std::string names = ApproximationsOf(subjects_); report_.verdict == Verdict::kDifferent && !names.empty())
        Assume("the replay rounds what approximate instructions approximate, where a device may give another value: " + names);
      for (const std::string& line : ContractAssumptions(contract_)) Assume(line);
      return std::move(report_);
    }
    AddGeneralAssumptions();
    if (undecided_reason_.empty() && probabilistic_) {
      int error = static_cast<int>(std::ceil(std::log2(error_sum_)));
      if (options_.require_proof) {
        undecided_reason_ = "some cells rest on finite-field testing (error <= 2^" + std::to_string(error) + ") and --require=proof is set";
        GateOf(Gate::kEquivalence).status = GateStatus::kUndecided;
        GateOf(Gate::kEquivalence).message = undecided_reason_;
      } else {
        report_.grade = Grade::kProbabilistic;
        report_.error_log2 = error;
      }
    }
    if (!undecided_reason_.empty()) {
      report_.verdict = Verdict::kUndecided;
      report_.reason = undecided_reason_;
      report_.summary = "undecided: " + undecided_reason_;
      return std::move(report_);
    }
    report_.verdict = Verdict::kEquivalent;
    if (!probabilistic_) report_.grade = Compares() ? Grade::kProved : Grade::kNone;
    uint64_t cells = 0;
    for (const ShapeReport& shape : report_.shapes) cells += shape.variant.empty() ? shape.cells : 0;
    const size_t shapes = ShapeCount();
    const std::string where = std::to_string(shapes) + (shapes == 1 ? " shape" : " shapes");
    report_.summary = HasReference() ? std::to_string(cells) + " output cells at " + where + " are the same real functions of the inputs"
                                     : "every gate asked for holds at " + where;
    if (HasReference() && !Compares()) report_.summary = "every gate asked for holds; equivalence was not asked for and not decided";
    return std::move(report_);
  }

  const Options& options_;
  const Subjects subjects_;
  const Contract& contract_;
  const Progress progress_;
  TimePoint start_;
  Report report_;
  std::optional<Diagnostic> input_error_;
  bool definite_ = false;  // a violation or a witnessed difference was found
  bool probabilistic_ = false;
  bool stopped_early_ = false;  // some run did not reach the end of its kernel
  double error_sum_ = 0;
  std::string undecided_reason_;
  std::vector<std::string> not_reached_;  // assumptions of the plan
};

}  // namespace

bool IsOutOfTime(const Options& options, TimePoint start, double fraction) {
  if (options.timeout_seconds <= 0) return false;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return elapsed > fraction * options.timeout_seconds;
}

Report CheckOnce(const Options& options, const Subjects& subjects, const std::string& inferred_contract, TimePoint start,
                 const Progress& progress) {
  return Checker(options, subjects, inferred_contract, start, progress).Run();
}

}  // namespace racer
