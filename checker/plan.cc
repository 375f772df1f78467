// Which shapes to look at.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "checker/check.h"
#include "checker/shapes.h"

namespace racer {
namespace {

// Shapes whose skeletons are run; one shape of every signature among them is proved, and the rest of the domain is named.
constexpr size_t kMaxCandidates = 48;
// Skeletons of larger launches are not run: proofs at such shapes are asked for with --dims.
constexpr uint64_t kSkeletonThreadInstructions = uint64_t{20} << 20;

}  // namespace

ShapePlan PlanShapes(const Options& options, const Subjects& subjects) {
  ShapePlan plan;
  const Contract& contract = *subjects.contract;
  Result<ShapeCandidates> candidates = CandidateShapes(contract, options.dims, kMaxCandidates);
  if (!candidates.ok()) {
    plan.error = candidates.error();
    return plan;
  }
  if (candidates->fully_pinned) {
    plan.shapes = candidates->shapes;
    return plan;
  }
  // One shape, the first and most telling, for every pair of signatures.
  std::set<std::pair<uint64_t, uint64_t>> seen;
  uint64_t skipped = 0;
  for (const DimAssignment& dims : candidates->shapes) {
    RunLimits limits;
    limits.max_thread_instructions = kSkeletonThreadInstructions;
    Session session(subjects, dims, {}, limits);
    if (session.problem().has_value()) {
      // Let the real run say what is wrong.
      plan.shapes.push_back(dims);
      break;
    }
    RunResult candidate = session.RunSkeleton(Side::kCandidate);
    RunResult reference = session.RunSkeleton(Side::kReference);
    if (candidate.status == RunResult::Status::kBudget || reference.status == RunResult::Status::kBudget) {
      if (plan.shapes.empty() && dims == candidates->shapes.front()) plan.shapes.push_back(dims);
      ++skipped;
      continue;
    }
    if (seen.emplace(candidate.signature, reference.signature).second) plan.shapes.push_back(dims);
  }
  if (skipped > 0) {
    plan.unreached.push_back(std::to_string(skipped) + " of the shapes looked at are too large to run without --dims");
  }
  plan.unreached.push_back("signatures that only other shapes of the domain have");
  return plan;
}

}  // namespace racer
