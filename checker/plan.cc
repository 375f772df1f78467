// Which shapes to look at.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "checker/check.h"
#include "checker/costs.h"
#include "checker/launch_limits.h"
#include "checker/placement.h"
#include "checker/shapes.h"

namespace racer {
namespace {

// Shapes whose skeletons are run; one shape of every signature among them is proved, and the rest of the domain is named.
constexpr size_t kMaxCandidates = 48;
// Skeletons of larger launches are not run: proofs at such shapes are asked for with --dims.
constexpr uint64_t kSkeletonThreadInstructions = uint64_t{20} << 20;
// All skeletons past literals together, and the proofs past literals that no new signature asks for.
constexpr uint64_t kBehindThreadInstructions = uint64_t{160} << 20;
constexpr uint64_t kBeyondThreadInstructions = uint64_t{16} << 20;
// All skeletons of larger shapes together; what they cost bounds their proofs.
constexpr uint64_t kLargerThreadInstructions = uint64_t{8} << 20;
constexpr char kTooLargeText[] = "too large to run without --dims";

class Planner {
 public:
  Planner(const Options& options, const Subjects& subjects) : options_(options), subjects_(subjects), contract_(*subjects.contract) {}

  ShapePlan Run() {
    KernelLiterals literals;
    for (Side side : {Side::kCandidate, Side::kReference}) {
      if (const Kernel* kernel = subjects_.kernel(side)) literals = Merge(literals, LiteralsOf(*kernel->module, *kernel->entry));
    }
    Result<ShapeCandidates> candidates = CandidateShapes(contract_, options_.dims, kMaxCandidates, literals);
    if (!candidates.ok()) {
      plan_.error = candidates.error();
      return std::move(plan_);
    }
    if (candidates->fully_pinned) {
      plan_.shapes = candidates->shapes;
      return std::move(plan_);
    }
    for (const DimAssignment& dims : candidates->shapes) {
      switch (RunSkeletons(dims, kSkeletonThreadInstructions)) {
        case Outcome::kProblem:
          // Let the real run say what is wrong.
          plan_.shapes.push_back(dims);
          return std::move(plan_);
        case Outcome::kTooLarge: dropped_.push_back({dims, "", kTooLargeText}); break;
        case Outcome::kNew: plan_.shapes.push_back(dims); break;
        case Outcome::kKnown: break;
      }
    }
    LookBehind(candidates->behind);
    LookLarger(candidates->larger);
    SetEndlessApart();
    // One shape is run however large it is.
    if (!dropped_.empty() && dropped_.front().dims == candidates->shapes.front()) {
      plan_.shapes.insert(plan_.shapes.begin(), candidates->shapes.front());
    }
    NameUnreached();
    return std::move(plan_);
  }

 private:
  enum class Outcome : uint8_t { kProblem, kTooLarge, kNew, kKnown };

  // A shape that was dropped, and is named.
  struct Dropped {
    DimAssignment dims;
    std::string past;  // ", past the 600 in the kernels' text"
    std::string why;
  };

  // A skeleton that reached its limit.
  struct Unended {
    Side side;
    DimAssignment dims;
    uint64_t limit;
    std::optional<uint64_t> other;  // what the other side needed, where it ended
  };

  // Whether so much as setting a skeleton up would take long: one thread is at least one instruction, one cell one value.
  bool IsTooLarge(const DimAssignment& dims, uint64_t limit) const {
    uint64_t cells = 0;
    for (const TensorSpec& tensor : contract_.tensors) {
      uint64_t product = 1;
      for (const Expression& extent : tensor.shape) {
        Result<int64_t> size = extent.EvaluateInteger(dims);
        if (!size.ok() || *size < 0) return false;  // the real run says what is wrong
        if (*size > 0 && product > limit / static_cast<uint64_t>(*size)) return true;
        product *= static_cast<uint64_t>(*size);
      }
      cells += product;
    }
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const std::optional<CallSpec>& call = contract_.call(side);
      if (!call) continue;
      Result<ConcreteLaunch> launch = EvaluateLaunch(contract_, *call, dims);
      if (!launch.ok()) return false;
      uint64_t threads = 1;
      for (uint32_t extent : launch->grid) threads = extent > limit / threads ? limit + 1 : threads * extent;
      for (uint32_t extent : launch->block) threads = extent > limit / std::max<uint64_t>(threads, 1) ? limit + 1 : threads * extent;
      if (threads > limit) return true;
    }
    return cells > limit;
  }

  // The skeletons of both sides at one shape; new: a pair of signatures that no shape before it had.
  Outcome RunSkeletons(const DimAssignment& dims, uint64_t limit) {
    RunLimits limits;
    limits.max_thread_instructions = limit;
    if (IsTooLarge(dims, limit)) return Outcome::kTooLarge;
    Session session(subjects_, dims, {}, limits);
    if (const std::optional<SessionProblem>& problem = session.problem()) {
      problem_ = problem->input_error ? problem->input_error->message : problem->undecided;
      return Outcome::kProblem;
    }
    RunResult candidate = session.RunSkeleton(Side::kCandidate);
    RunResult reference = session.RunSkeleton(Side::kReference);
    spent_ = candidate.stats.thread_instructions + reference.stats.thread_instructions;
    bool too_large = false;
    for (Side side : {Side::kCandidate, Side::kReference}) {
      if (subjects_.kernel(side) == nullptr) continue;
      const RunResult& run = side == Side::kCandidate ? candidate : reference;
      const RunResult& other = side == Side::kCandidate ? reference : candidate;
      if (run.status == RunResult::Status::kCompleted) costs_[static_cast<size_t>(side)].Ended(dims, run.stats.thread_instructions);
      if (run.status != RunResult::Status::kBudget) continue;
      too_large = true;
      unended_.push_back({side, dims, limit, std::nullopt});
      if (subjects_.reference != nullptr && other.status == RunResult::Status::kCompleted) {
        unended_.back().other = other.stats.thread_instructions;
      }
    }
    if (too_large) return Outcome::kTooLarge;
    Note(Side::kCandidate, candidate);
    Note(Side::kReference, reference);
    const bool new_signature = seen_.emplace(candidate.signature, reference.signature).second;
    const bool new_extent = NoteExtents(dims);
    return new_signature || new_extent ? Outcome::kNew : Outcome::kKnown;
  }

  // Axes of a side's grid whose extent depends on dims.
  static std::vector<size_t> OpenAxes(const CallSpec& call) {
    std::vector<size_t> axes;
    for (size_t axis = 0; axis < call.grid.size(); ++axis) {
      if (!call.grid[axis].AsLiteral()) axes.push_back(axis);
    }
    return axes;
  }

  // What control flow does not show: a block's index, a row's or a matrix's length matter only where there are several of them. New: an
  // axis of a grid has more than one CTA or more than two for the first time, or more than one beside another that has (and has not), a
  // dim has its second value, or one dim is larger than another.
  bool NoteExtents(const DimAssignment& dims) {
    bool is_new = false;
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const std::optional<CallSpec>& call = contract_.call(side);
      if (!call) continue;
      Result<ConcreteLaunch> launch = EvaluateLaunch(contract_, *call, dims);
      if (!launch.ok()) continue;
      const std::vector<size_t> axes = OpenAxes(*call);
      for (size_t a : axes) {
        if (launch->grid[a] < 2) continue;
        if (launch->grid[a] > 2) is_new |= third_.insert({side, a}).second;
        for (size_t b : axes) is_new |= extents_.insert({side, a, b, launch->grid[b] > 1}).second;
      }
    }
    for (size_t i = 0; i < dims.size(); ++i) {
      for (size_t j = 0; j < dims.size(); ++j) is_new |= dims[i] > dims[j] && larger_.insert({i, j}).second;
    }
    values_.resize(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) is_new |= values_[i].size() < 2 && values_[i].insert(dims[i]).second;
    return is_new;
  }

  // An axis that the domain makes long and that had one CTA wherever a skeleton ran.
  void NameSingleExtents() {
    DimAssignment most;
    for (const DimSpec& dim : contract_.dims) most.push_back(dim.AtMost(dim.max).value_or(dim.max));
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const std::optional<CallSpec>& call = contract_.call(side);
      if (!call) continue;
      Result<ConcreteLaunch> launch = EvaluateLaunch(contract_, *call, most);
      for (size_t axis : OpenAxes(*call)) {
        if (extents_.contains({side, axis, axis, true}) || (launch.ok() && launch->grid[axis] < 2)) continue;
        plan_.unreached.push_back(std::string(SideName(side)) + ": more than one CTA along " + std::string(1, "xyz"[axis]) +
                                  " of the grid");
      }
    }
  }

  void Note(Side side, const RunResult& run) {
    std::vector<SelectionSeen>& all = selections_[static_cast<size_t>(side)];
    if (all.empty()) all = run.selections;
    for (size_t i = 0; i < std::min(all.size(), run.selections.size()); ++i) {
      all[i].held = all[i].held || run.selections[i].held;
      all[i].failed = all[i].failed || run.selections[i].failed;
    }
  }

  // Whether a shape that is proved already has an index past the literal in the dims that this one makes long.
  bool IsCovered(const ShapeBehind& shape) const {
    auto product = [](const DimAssignment& dims) {
      double cells = 1;
      for (int64_t dim : dims) cells *= static_cast<double>(dim);
      return cells;
    };
    for (const DimAssignment& dims : plan_.shapes) {
      bool covers = true, single = false;
      for (size_t i = 0; i < dims.size(); ++i) {
        if (shape.dims[i] <= std::max(shape.literal, shape.long_past)) continue;
        single = true;
        covers = covers && dims[i] >= shape.dims[i];
      }
      if (single ? covers : product(dims) >= product(shape.dims)) return true;
    }
    return false;
  }

  // What lies past a literal is proved even where it does not show in the signature (a shifted index, a remainder).
  void LookBehind(const std::vector<ShapeBehind>& behind) {
    uint64_t left = kBehindThreadInstructions, proofs_left = kBeyondThreadInstructions;
    size_t looked = 0;
    for (const ShapeBehind& shape : behind) {
      Outcome outcome = Outcome::kTooLarge;
      spent_ = 0;
      if (looked++ < kMaxBehind && left > 0) outcome = RunSkeletons(shape.dims, std::min(left, kSkeletonThreadInstructions));
      left -= std::min(left, spent_);
      if (outcome == Outcome::kNew) {
        plan_.shapes.push_back(shape.dims);
      } else if (outcome == Outcome::kKnown && shape.beyond && !IsCovered(shape)) {
        if (spent_ > proofs_left) {
          outcome = Outcome::kTooLarge;
        } else {
          proofs_left -= spent_;
          plan_.shapes.push_back(shape.dims);
        }
      }
      if (outcome == Outcome::kKnown || outcome == Outcome::kNew) continue;
      dropped_.push_back({shape.dims,
                          (shape.beyond ? ", past the " : ", around the ") + std::to_string(shape.literal) + " in the kernels' text",
                          outcome == Outcome::kProblem ? problem_
                          : spent_ == 0 && left == 0   ? "not run, what such shapes may cost together is spent (--dims runs it)"
                                                       : kTooLargeText});
    }
  }

  // Larger shapes only as long as a comparison with a literal came out one way: a loop that no shape has entered yet.
  void LookLarger(const std::vector<DimAssignment>& larger) {
    uint64_t left = kLargerThreadInstructions;
    for (const DimAssignment& dims : larger) {
      if (OneWay().empty()) return;
      spent_ = 0;
      const Outcome outcome = left == 0 ? Outcome::kTooLarge : RunSkeletons(dims, left);
      if (outcome == Outcome::kNew) plan_.shapes.push_back(dims);
      if (outcome == Outcome::kTooLarge) dropped_.push_back({dims, "", kTooLargeText});
      if (outcome == Outcome::kProblem) dropped_.push_back({dims, "", problem_});
      left -= std::min(left, spent_);
    }
  }

  // A shape at which a kernel does not end, though it ends at shapes like it, is not too large: that is no pass. Only now are all costs
  // known.
  void SetEndlessApart() {
    for (const Unended& run : unended_) {
      const std::optional<uint64_t> expected = costs_[static_cast<size_t>(run.side)].Unexpected(run.dims, run.limit, run.other);
      if (!expected) continue;
      const Side other = run.side == Side::kCandidate ? Side::kReference : Side::kCandidate;
      plan_.endless.push_back(
          {run.side, "did not end within " + std::to_string(run.limit) + " thread instructions" + At(run.dims) +
                         (run.other ? ", where the " + std::string(SideName(other)) + " takes " + std::to_string(*run.other)
                                    : ", where about " + std::to_string(*expected) + " were to be expected from other shapes")});
      std::erase_if(dropped_, [&](const Dropped& shape) { return shape.dims == run.dims; });
    }
  }

  std::string At(const DimAssignment& dims) const {
    const std::string text = contract_.Describe(dims);
    return text.empty() ? "" : " at " + text;
  }

  using Selection = std::pair<Side, const SelectionSeen*>;
  // Comparisons with a literal that every shape so far decides alike.
  std::vector<Selection> OneWay() const {
    std::vector<Selection> list;
    for (Side side : {Side::kCandidate, Side::kReference}) {
      for (const SelectionSeen& selection : selections_[static_cast<size_t>(side)]) {
        int64_t literal = 0;
        if ((selection.held && selection.failed) || !ComparesWithLiteral(*selection.instruction, &literal)) continue;
        if (literal == 0 && IsEquality(*selection.instruction)) continue;  // of flags, mostly
        list.emplace_back(side, &selection);
      }
    }
    return list;
  }

  void NameUnreached() {
    for (const EndlessRun& run : plan_.endless) plan_.unreached.push_back("the " + std::string(SideName(run.side)) + " " + run.what);
    for (const Dropped& shape : dropped_) plan_.unreached.push_back(contract_.Describe(shape.dims) + shape.past + ": " + shape.why);
    for (const auto& [side, selection] : OneWay()) plan_.unreached.push_back(DescribeSelection(side, *selection));
    NameSingleExtents();
    plan_.assumed = plan_.unreached;
    plan_.unreached.push_back("ways through the kernels that no shape looked at takes, if there are any");
  }

  static bool IsEquality(const ir::Instruction& instruction) {
    return instruction.mods.compare == CompareOp::kEq || instruction.mods.compare == CompareOp::kNe;
  }

  static std::string DescribeSelection(Side side, const SelectionSeen& selection) {
    const SourceLocation& where = selection.instruction->location;
    std::string text = where.file == nullptr ? "" : std::string(where.file->Line(where.line));
    text.erase(0, text.find_first_not_of(" \t"));
    const std::string& mnemonic = selection.instruction->mnemonic;
    bool order = mnemonic == "min" || mnemonic == "max";
    std::string how = !selection.held && !selection.failed ? "was never executed"
                      : order                              ? "always chose the same operand"
                      : selection.held                     ? "was never false"
                                                           : "was never true";
    return std::string(SideName(side)) + " " + where.ToString() + ": `" + text + "` " + how;
  }

  const Options& options_;
  const Subjects& subjects_;
  const Contract& contract_;
  ShapePlan plan_;
  std::set<std::pair<uint64_t, uint64_t>> seen_;
  // (side, a, b, whether there are more CTAs than one along b), where there are along a.
  std::set<std::tuple<Side, size_t, size_t, bool>> extents_;
  std::set<std::pair<Side, size_t>> third_;     // axes with more than two CTAs
  std::vector<std::set<int64_t>> values_;       // by dim
  std::set<std::pair<size_t, size_t>> larger_;  // (i, j): dim i has been larger than dim j
  std::vector<SelectionSeen> selections_[2];
  std::vector<Dropped> dropped_;
  std::string problem_;  // of the last RunSkeletons
  std::vector<Unended> unended_;
  Costs costs_[2];      // by side
  uint64_t spent_ = 0;  // by the last RunSkeletons
};

}  // namespace

PlacementPlan PlanPlacements(const Subjects& subjects, const DimAssignment& dims, bool addresses_matter) {
  PlacementPlan plan;
  plan.placements.emplace_back();
  if (!addresses_matter) return plan;
  Placements others = OtherPlacements(*subjects.contract);
  plan.placements.insert(plan.placements.end(), others.always.begin(), others.always.end());
  const size_t always = plan.placements.size();
  std::vector<Placement> all = plan.placements;
  all.insert(all.end(), others.further.begin(), others.further.end());
  using Run = std::pair<RunResult::Status, uint64_t>;
  std::set<std::pair<Run, Run>> seen;
  RunLimits limits;
  limits.max_thread_instructions = kSkeletonThreadInstructions;
  Costs costs[2];
  for (size_t i = 0; i < all.size(); ++i) {
    Session session(subjects, dims, {}, limits, 0, all[i]);
    if (session.problem().has_value()) return plan;  // the real run says what is wrong
    RunResult candidate = session.RunSkeleton(Side::kCandidate);
    RunResult reference = session.RunSkeleton(Side::kReference);
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const RunResult& run = side == Side::kCandidate ? candidate : reference;
      Costs& seen = costs[static_cast<size_t>(side)];
      if (run.status == RunResult::Status::kCompleted) seen.Ended(dims, run.stats.thread_instructions);
      if (run.status != RunResult::Status::kBudget) continue;
      if (std::optional<uint64_t> expected = seen.Unexpected(dims, limits.max_thread_instructions, std::nullopt)) {
        plan.endless = EndlessRun{side, "did not end within " + std::to_string(limits.max_thread_instructions) +
                                            " thread instructions at " + subjects.contract->Describe(dims) + " with " + all[i].text +
                                            ", where it takes " + std::to_string(*expected) + " with the tensors elsewhere"};
        if (i < always) plan.placements.resize(i);
      } else {
        plan.too_large = !others.further.empty();
      }
      return plan;
    }
    const bool is_new = seen.emplace(Run{candidate.status, candidate.signature}, Run{reference.status, reference.signature}).second;
    if (is_new && i >= always) plan.placements.push_back(all[i]);
  }
  return plan;
}

ShapePlan PlanShapes(const Options& options, const Subjects& subjects) { return Planner(options, subjects).Run(); }

}  // namespace racer
