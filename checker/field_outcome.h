// How one side's run over the Field domain ended.
#ifndef RACER_CHECKER_FIELD_OUTCOME_H_
#define RACER_CHECKER_FIELD_OUTCOME_H_

#include <string>
#include <vector>

#include "symexec/field/field_store.h"
#include "symexec/machine/run.h"

namespace racer {

// `cells`: every cell of every output, in order, where the run completed and wrote them all; else `problem` says what happened, and at
// which line.
struct FieldOutcome {
  RunResult run;
  std::vector<FieldStore::Residues> cells;
  std::string problem;
  bool broke_rule = false;  // a rule of a gate, by the run's own account
};

}  // namespace racer

#endif  // RACER_CHECKER_FIELD_OUTCOME_H_
