// Verdicts that are taken back.
#ifndef RACER_CHECKER_WITHDRAW_H_
#define RACER_CHECKER_WITHDRAW_H_

#include <string>

#include "checker/check.h"

namespace racer {

// A verdict that rests on what was guessed becomes undecided; what was found stays in the report.
void Withdraw(const Options& options, const std::string& reason, const std::string& hint, Report* report);

// Whatever runs said, where a kernel may do otherwise with its variables elsewhere: no run tells where a device puts them.
void WithdrawWhereVariablesLie(const Options& options, const Inputs& inputs, Report* report);

}  // namespace racer

#endif  // RACER_CHECKER_WITHDRAW_H_
