#include "checker/field_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "checker/field_outcome.h"
#include "idioms/constants.h"

namespace racer {
namespace {

bool HasPowersOfTwo(const Kernel& kernel) {
  for (const auto& function : kernel.module->functions) {
    const auto is_power = [](const ir::Instruction& instruction) {
      return instruction.mnemonic == "ex2" || instruction.mnemonic == "tanh";
    };
    if (std::any_of(function->body.begin(), function->body.end(), is_power)) return true;
  }
  return false;
}

// Two different functions have one value modulo a prime with a probability of at most twice the degree of their difference over the
// number of points (Schwartz and Zippel; that number is at least 2^59 whatever the scrambling makes of 2^60), and modulo both with its
// square. The degree is doubled once more: of exponentials it may be negative.
double Collision(double degree) { return std::exp2(2 * (std::log2(std::max(degree, 1.0)) + 2 - 59)); }

struct SideCells {
  std::vector<FieldStore::Residues> cells;
  double keyed = 0, keyed_degree = 0;
};

}  // namespace

FieldComparison CompareInField(const Options& options, const Subjects& subjects, const DimAssignment& dims, const RunLimits& limits) {
  FieldComparison comparison;
  RACER_CHECK(subjects.candidate != nullptr && subjects.reference != nullptr);
  const RoundedConstants constants(SizesOf(dims));
  const bool exponents = HasPowersOfTwo(*subjects.candidate) || HasPowersOfTwo(*subjects.reference);
  std::string unlike;
  bool lifted = options.exact_constants;
  // Literals as the reals that they round, then for what they are: either may show that the sides are equal.
  for (const bool lifts : {true, false}) {
    if (lifts && options.exact_constants) continue;
    if (!lifts && !lifted) break;  // there is one reading
    SideCells sides[2];
    std::vector<std::string> names;
    for (const Side side : {Side::kCandidate, Side::kReference}) {
      Session session(subjects, dims, {}, limits);
      if (session.problem().has_value()) {
        comparison.what = session.problem()->input_error ? session.problem()->input_error->message : session.problem()->undecided;
        return comparison;
      }
      FieldStore store({.seed = options.seed, .exponents = exponents, .constants = lifts ? &constants : nullptr});
      FieldOutcome outcome = session.RunInField(side, store);
      comparison.thread_instructions += session.thread_instructions();
      if (!outcome.problem.empty()) {
        comparison.result = outcome.broke_rule ? FieldComparison::Result::kBroken : FieldComparison::Result::kNotRun;
        comparison.what = std::move(outcome.problem);
        return comparison;
      }
      SideCells& cells = sides[static_cast<size_t>(side)];
      cells.cells = std::move(outcome.cells);
      lifted = lifted || store.has_lifted();
      cells.keyed = static_cast<double>(store.keyed());
      cells.keyed_degree = static_cast<double>(store.keyed_degree());
      if (side == Side::kCandidate) continue;
      const std::vector<FieldStore::Residues>&a = sides[0].cells, &b = sides[1].cells;
      comparison.cells = a.size();
      comparison.unlike = 0;
      RACER_CHECK(a.size() == b.size());
      double degree = 0;
      std::optional<size_t> first;
      for (size_t i = 0; i < a.size(); ++i) {
        degree = std::max(degree, static_cast<double>(a[i].degree + b[i].degree));
        if (a[i].value == b[i].value) continue;
        ++comparison.unlike;
        if (!first) first = i;
      }
      if (!first) {
        const double keyed = sides[0].keyed + sides[1].keyed;
        comparison.error = static_cast<double>(a.size()) * Collision(degree) +
                           keyed * keyed / 2 * Collision(2 * std::max(sides[0].keyed_degree, sides[1].keyed_degree) + 1);
        comparison.result = FieldComparison::Result::kEqual;
        return comparison;
      }
      size_t at = *first;
      for (const uint32_t tensor : subjects.contract->outputs) {
        const uint64_t cells_of = session.instance(side).tensors[tensor].cells;
        if (at < cells_of) {
          unlike = session.CellName(static_cast<int>(tensor), at);
          break;
        }
        at -= cells_of;
      }
    }
  }
  comparison.result = FieldComparison::Result::kUnlike;
  comparison.what = std::to_string(comparison.unlike) + " of " + std::to_string(comparison.cells) + " cells, first " + unlike;
  return comparison;
}

std::optional<DimAssignment> ShapeForField(const Contract& contract, const std::vector<DimAssignment>& proved,
                                           const DimAssignment& measured, uint64_t thread_instructions, uint64_t budget) {
  const auto larger = [&](const DimAssignment& dims) {
    return std::all_of(proved.begin(), proved.end(), [&](const DimAssignment& known) {
      for (size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] > known[i]) return true;
      }
      return false;
    });
  };
  // Cost grows with the product of the dims, to the least: the limit of the run is there for what costs more.
  const auto affordable = [&](const DimAssignment& dims) {
    double cost = static_cast<double>(thread_instructions);
    for (size_t i = 0; i < dims.size(); ++i) cost *= static_cast<double>(dims[i]) / static_cast<double>(measured[i]);
    return cost <= static_cast<double>(budget);
  };
  for (int64_t bound = int64_t{1} << 40; bound >= 1; bound /= 2) {
    DimAssignment dims;
    for (const DimSpec& dim : contract.dims) {
      const int64_t most = dim.values.empty() ? std::min(dim.max, bound) : dim.max;
      dims.push_back(dim.AtMost(most).value_or(dim.min));
    }
    // Smaller by steps where the dispatch predicate leaves this one out.
    for (int tries = 0; tries < 64 && !contract.InDomain(dims); ++tries) {
      for (size_t i = 0; i < dims.size(); ++i) dims[i] = contract.dims[i].AtMost(dims[i] - 1).value_or(dims[i]);
    }
    if (!contract.InDomain(dims) || !affordable(dims)) continue;
    return larger(dims) ? std::optional(dims) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace racer
