// What is proved at reduced shapes, tested over the Field domain at a larger one.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "checker/check_once.h"
#include "checker/field_stage.h"
#include "checker/withdraw.h"

namespace racer {
namespace {

// In thread-instructions of both sides: a fraction of what the proofs took, of which each costs several times as much, and so little that
// nobody waits for it.
constexpr uint64_t kLeastBudget = uint64_t{1} << 18;
constexpr unsigned kCalibrations = 3;
// A suspicion at a shape of more than this is not looked into by a proof.
constexpr uint64_t kLookInto = uint64_t{8} << 20;
constexpr double kWeakestError = 1.0 / (1 << 20);

class FieldTester {
 public:
  FieldTester(const Options& options, const Inputs& inputs, TimePoint start, Report* report)
      : options_(options), inputs_(inputs), contract_(*inputs.contract), start_(start), report_(*report) {}

  void Run() {
    const bool asked = !options_.field.empty();
    // Shapes that are pinned are all that is wanted, unless one for the field is named.
    if (options_.no_field || (!options_.dims.empty() && !asked)) return;
    if (report_.verdict != Verdict::kEquivalent || report_.grade == Grade::kNone) return;
    report_.field.emplace();
    if (inputs_.reference == nullptr) return NotRun("the reference is a model");
    if (contract_.dims.empty()) return NotRun("the contract has no dims, and its one shape is proved");
    for (const std::string& assumption : report_.assumptions) {
      // Only where a sum rounds is it not the sum of its terms.
      if (assumption.starts_with("what is added to ")) return NotRun("a sum with a large literal rounds to a multiple of a power of two");
    }
    const uint64_t budget = std::max(kLeastBudget, report_.stats.thread_instructions);
    uint64_t left = budget;
    if (!Calibrate(asked ? budget * 4 : budget / 4, &left)) return;
    std::vector<DimAssignment> shapes;
    for (const DimPins& pins : options_.field) {
      std::optional<DimAssignment> dims = Named(pins);
      if (!dims) return NotRun("--field names no shape of the contract");
      shapes.push_back(*std::move(dims));
    }
    if (!asked) {
      std::optional<DimAssignment> dims = ShapeForField(contract_, proved_, measured_, measured_cost_, left);
      if (!dims) return NotRun("no shape beyond those proved is small enough for a part of the time that they took (--field tests one)");
      shapes.push_back(*std::move(dims));
    }
    double error = 0;
    for (const DimAssignment& dims : shapes) {
      if (!Test(dims, asked ? RunLimits().max_thread_instructions : left, &error)) return;
    }
    report_.field->error_log2 = static_cast<int>(std::ceil(std::log2(error)));
    report_.field->status = FieldReport::Status::kTested;
  }

 private:
  void NotRun(std::string reason) {
    report_.field->status = FieldReport::Status::kNotRun;
    report_.field->reason = std::move(reason);
  }

  RunLimits Limits(uint64_t thread_instructions) const {
    RunLimits limits;
    limits.max_thread_instructions = thread_instructions;
    limits.max_memory_bytes = options_.memory_bytes;
    if (options_.timeout_seconds > 0) {
      const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      limits.deadline_seconds = std::max(0.01, 0.8 * options_.timeout_seconds - elapsed);
    }
    return limits;
  }

  FieldComparison Compare(const DimAssignment& dims, uint64_t limit) {
    FieldComparison comparison = CompareInField(options_, inputs_.subjects(), dims, Limits(limit));
    report_.stats.thread_instructions += comparison.thread_instructions;
    return comparison;
  }

  // Whether the field sees that the sides are equal where that is proved: what it does not see is no suspicion elsewhere.
  bool Calibrate(uint64_t limit, uint64_t* left) {
    std::vector<const ShapeReport*> shapes;
    for (const ShapeReport& shape : report_.shapes) {
      DimAssignment dims;
      for (const auto& [name, value] : shape.dims) dims.push_back(value);
      proved_.push_back(std::move(dims));
      if (shape.variant.empty()) shapes.push_back(&shape);
    }
    std::stable_sort(shapes.begin(), shapes.end(), [](const ShapeReport* a, const ShapeReport* b) { return a->cells > b->cells; });
    for (size_t i = 0; i < shapes.size() && i < kCalibrations; ++i) {
      DimAssignment dims;
      for (const auto& [name, value] : shapes[i]->dims) dims.push_back(value);
      const FieldComparison comparison = Compare(dims, std::min(limit, *left));
      *left -= std::min(*left, comparison.thread_instructions);
      const std::string at = contract_.Describe(dims);
      switch (comparison.result) {
        case FieldComparison::Result::kEqual:
          measured_ = std::move(dims);
          measured_cost_ = comparison.thread_instructions;
          return true;
        case FieldComparison::Result::kUnlike:
          NotRun("the field does not see that the sides are equal at " + at + ", where it is proved (" + comparison.what +
                 " differ there)");
          return false;
        case FieldComparison::Result::kBroken:
        case FieldComparison::Result::kNotRun: NotRun(comparison.what + (at.empty() ? "" : ", at " + at)); break;
      }
      if (!comparison.what.starts_with("candidate: reached ") && !comparison.what.starts_with("reference: reached ")) return false;
    }
    return false;
  }

  std::optional<DimAssignment> Named(const DimPins& pins) const {
    DimAssignment dims(contract_.dims.size(), 0);
    for (const auto& [name, value] : pins) {
      const std::optional<uint32_t> dim = contract_.FindDim(name);
      if (!dim) return std::nullopt;
      dims[*dim] = value;
    }
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] == 0) dims[i] = contract_.dims[i].max;
    }
    return contract_.InDomain(dims) ? std::optional(dims) : std::nullopt;
  }

  // False: there is nothing more to do.
  bool Test(const DimAssignment& dims, uint64_t limit, double* error) {
    const FieldComparison comparison = Compare(dims, limit);
    const std::string at = contract_.Describe(dims);
    ShapeReport shape;
    for (size_t i = 0; i < dims.size(); ++i) shape.dims.emplace_back(contract_.dims[i].name, dims[i]);
    shape.domain = "field";
    shape.cells = comparison.cells;
    switch (comparison.result) {
      case FieldComparison::Result::kEqual:
        *error += comparison.error;
        if (*error > kWeakestError) {
          NotRun("the degrees at " + at + " are too large for the field to say anything");
          return false;
        }
        shape.decided_by.emplace_back("field", comparison.cells);
        report_.field->shapes.push_back(std::move(shape));
        return true;
      case FieldComparison::Result::kNotRun: NotRun(comparison.what + ", at " + at); return false;
      case FieldComparison::Result::kUnlike:
      case FieldComparison::Result::kBroken: break;
    }
    if (comparison.cells > comparison.unlike) shape.decided_by.emplace_back("field", comparison.cells - comparison.unlike);
    if (comparison.unlike > 0) shape.decided_by.emplace_back("field_unlike", comparison.unlike);
    report_.field->shapes.push_back(std::move(shape));
    LookInto(dims, at, comparison);
    return false;
  }

  // A suspicion counts where the usual machinery confirms it; where it proves the contrary, the field did not see something.
  void LookInto(const DimAssignment& dims, const std::string& at, const FieldComparison& comparison) {
    const std::string what =
        comparison.result == FieldComparison::Result::kUnlike ? comparison.what + ", have unlike values" : comparison.what;
    if (comparison.thread_instructions <= kLookInto) {
      Options pinned = options_;
      pinned.dims = {{}};
      for (size_t i = 0; i < dims.size(); ++i) pinned.dims[0].emplace_back(contract_.dims[i].name, dims[i]);
      Report other = CheckOnce(pinned, inputs_.subjects(), inputs_.inferred_contract, start_);
      other.stats.thread_instructions += report_.stats.thread_instructions;
      if (other.verdict == Verdict::kDifferent || other.verdict == Verdict::kViolation) {
        other.shapes.insert(other.shapes.begin(), report_.shapes.begin(), report_.shapes.end());
        other.field = std::move(report_.field);
        other.field->status = FieldReport::Status::kUnlike;
        other.field->reason = "at " + at + ": " + what;
        report_ = std::move(other);
        return;
      }
      if (other.verdict == Verdict::kEquivalent && other.grade == Grade::kProved) {
        report_.shapes.insert(report_.shapes.end(), other.shapes.begin(), other.shapes.end());
        report_.field->shapes.clear();
        return NotRun("the field does not see that the sides are equal at " + at + ", where it is proved");
      }
    }
    report_.field->status = FieldReport::Status::kUnlike;
    report_.field->reason = "at " + at + ": " + what;
    std::optional<FieldReport> field = std::move(report_.field);
    Withdraw(options_, "in the field, " + what + " at " + at + ", although the shapes listed are proved equal",
             comparison.thread_instructions <= kLookInto ? "look at that cell with racer explain" : "run that shape with --dims", &report_);
    report_.field = std::move(field);
  }

  const Options& options_;
  const Inputs& inputs_;
  const Contract& contract_;
  const TimePoint start_;
  Report& report_;
  std::vector<DimAssignment> proved_;
  DimAssignment measured_;
  uint64_t measured_cost_ = 0;
};

}  // namespace

void TestInField(const Options& options, const Inputs& inputs, TimePoint start, Report* report) {
  const TimePoint begin = std::chrono::steady_clock::now();
  FieldTester(options, inputs, start, report).Run();
  report->stats.field_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace racer
