// A check, and a second look where racer found the contract by itself: whether another reading of the kernels changes the verdict.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "checker/check.h"
#include "checker/check_once.h"
#include "checker/readings.h"
#include "checker/withdraw.h"

namespace racer {
namespace {

std::string ShapeName(const ShapeReport& shape) {
  std::string text;
  for (const auto& [name, value] : shape.dims) text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return text;
}

// An inferred launch is one reading of the kernels. If another one, under which both still run cleanly, gives the opposite
// verdict, only a contract can tell which was meant.
void ConsiderOtherLaunches(const Options& options, const Inputs& inputs, TimePoint start, Report* report) {
  const bool equal = report->verdict == Verdict::kEquivalent;
  if (!equal && report->verdict != Verdict::kDifferent && report->verdict != Verdict::kViolation) return;
  if (report->shapes.empty() || (inputs.reference == nullptr && inputs.model == nullptr)) return;
  // Of an equivalence the largest shape, which tells most; of a failure the shape that showed it.
  const ShapeReport* shape = &report->shapes.back();
  for (const ShapeReport& other : report->shapes) {
    if (equal && other.cells > shape->cells) shape = &other;
  }
  Options pinned = options;
  pinned.dims = {shape->dims};
  for (const OtherLaunch& launch : OtherLaunches(*inputs.contract)) {
    Subjects subjects = inputs.subjects();
    subjects.contract = &launch.contract;
    Report other = CheckOnce(pinned, subjects, inputs.inferred_contract, start);
    const bool broken = launch.must_hold && other.verdict == Verdict::kViolation;
    if (equal ? other.verdict != Verdict::kDifferent && !broken : other.verdict != Verdict::kEquivalent || launch.must_hold) continue;
    std::string reason = "the launch was inferred, and another reading changes the verdict: the " + launch.what +
                         (!equal   ? " is equivalent"
                          : broken ? " breaks a rule"
                                   : " differs") +
                         " at " + ShapeName(*shape) + "; say in a contract how the kernels are launched";
    Withdraw(options, reason, "write the launch into a contract (the one below is a start) and pass it with --contract FILE.toml", report);
    return;
  }
}

// How large the sizes may be is a guess of an inferred contract. A kernel that writes too little, leaves a tensor or its shared memory
// or ignores the end of a row only past every size at which all is well may be meant for those sizes alone (a Triton block that
// holds a whole row).
void ConsiderSmallerDomain(const Options& options, const Inputs& inputs, const Contract& contract, TimePoint start, Report* report,
                           unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 4;  // a failure at a handful of ever smaller sizes is one at small sizes
  if (!options.dims.empty() || report->shapes.size() < 2 || depth == kMaxDepth) return;
  const bool rule = report->failed_gate == GateName(Gate::kPreserve) || report->failed_gate == GateName(Gate::kBounds);
  if (report->verdict != Verdict::kDifferent && (report->verdict != Verdict::kViolation || !rule)) return;
  const ShapeReport& failed = report->shapes.back();
  for (size_t i = 0; i < failed.dims.size(); ++i) {
    int64_t well = 0;
    for (size_t j = 0; j + 1 < report->shapes.size(); ++j) well = std::max(well, report->shapes[j].dims[i].second);
    if (failed.dims[i].second <= well) continue;
    const std::string name = failed.dims[i].first;
    // Whether the smaller sizes are all well was not looked at yet: the first failure ends a check. First all that are smaller, then
    // those that have been looked at.
    Contract smaller = contract;
    for (DimSpec& dim : smaller.dims) {
      if (dim.name == name) dim.max = dim.AtMost(depth == 0 ? failed.dims[i].second - 1 : std::max(well, dim.min)).value_or(dim.max);
    }
    Subjects subjects = inputs.subjects();
    subjects.contract = &smaller;
    Report inside = CheckOnce(options, subjects, inputs.inferred_contract, start);
    if (inside.verdict == Verdict::kDifferent || inside.verdict == Verdict::kViolation) {
      *report = std::move(inside);
      return ConsiderSmallerDomain(options, inputs, smaller, start, report, depth + 1);
    }
    if (inside.verdict != Verdict::kEquivalent) continue;
    Withdraw(options,
             "the sizes were inferred, and whether they go so far changes the verdict: up to " + name + "=" + std::to_string(well) +
                 " all is well, then " + report->summary,
             "write the largest " + name + " into a contract (the one below is a start) and pass it with --contract FILE.toml", report);
    return;
  }
}

}  // namespace

Report Check(const Options& options, const Inputs& inputs, const Progress& progress) {
  const TimePoint start = std::chrono::steady_clock::now();
  Report report = CheckOnce(options, inputs.subjects(), inputs.inferred_contract, start, progress);
  const bool decided =
      report.verdict == Verdict::kEquivalent || report.verdict == Verdict::kDifferent || report.verdict == Verdict::kViolation;
  if (decided && !inputs.inferred_contract.empty()) {
    Report not_looked = report;
    Withdraw(options, "whether another reading of the kernels changes the verdict was not looked at to the end", "", &not_looked);
    not_looked.unreached = report.unreached;
    if (progress) progress(not_looked);
    ConsiderOtherLaunches(options, inputs, start, &report);
    ConsiderSmallerDomain(options, inputs, *inputs.contract, start, &report);
    if (IsOutOfTime(options, start, 0.8) && report.verdict != Verdict::kUndecided) report = std::move(not_looked);
  }
  WithdrawWhereVariablesLie(options, inputs, &report);
  TestInField(options, inputs, start, &report);
  return report;
}

}  // namespace racer
