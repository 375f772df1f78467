// Larger shapes over the Field domain, once the reduced ones are proved.
#ifndef RACER_CHECKER_FIELD_STAGE_H_
#define RACER_CHECKER_FIELD_STAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/options.h"
#include "checker/report.h"
#include "checker/session.h"

namespace racer {

// Both sides at one shape.
struct FieldComparison {
  enum class Result : uint8_t {
    kEqual,
    kUnlike,  // some cells differ at the random point, with every reading of the literals: a suspicion, and no more
    kBroken,  // a run says that a rule is broken: a suspicion, too
    kNotRun,  // `what`: left the domain, over a limit
  } result = Result::kNotRun;
  std::string what;
  uint64_t cells = 0, unlike = 0;
  double error = 0;  // of kEqual: the probability that some cell is not
  uint64_t thread_instructions = 0;
};
FieldComparison CompareInField(const Options& options, const Subjects& subjects, const DimAssignment& dims, const RunLimits& limits);

// A shape that the domain of the contract has, of about what `thread_instructions` at `measured` lets expect of `budget`: listed values of
// dims at their largest, the others as large as it allows. Nullopt: none beyond the shapes that are proved.
std::optional<DimAssignment> ShapeForField(const Contract& contract, const std::vector<DimAssignment>& proved,
                                           const DimAssignment& measured, uint64_t thread_instructions, uint64_t budget);

}  // namespace racer

#endif  // RACER_CHECKER_FIELD_STAGE_H_
