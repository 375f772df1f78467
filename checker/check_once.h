// One check under one contract, of which a command makes several where the contract is inferred.
#ifndef RACER_CHECKER_CHECK_ONCE_H_
#define RACER_CHECKER_CHECK_ONCE_H_

#include <chrono>
#include <string>

#include "checker/check.h"

namespace racer {

using TimePoint = std::chrono::steady_clock::time_point;

// `start`: of the whole command, whose time is shared.
Report CheckOnce(const Options& options, const Subjects& subjects, const std::string& inferred_contract, TimePoint start,
                 const Progress& progress = {});
// Tests what has been proved at a larger shape, in the field; `report->field` says how that went. A suspicion that nothing confirms takes
// the verdict back.
void TestInField(const Options& options, const Inputs& inputs, TimePoint start, Report* report);
// Whether this much of the command's time is used up.
bool IsOutOfTime(const Options& options, TimePoint start, double fraction);

}  // namespace racer

#endif  // RACER_CHECKER_CHECK_ONCE_H_
