// Contract inference with the machine as an argument, so that it can be tested without one.
#ifndef RACER_CHECKER_INFER_SEARCH_H_
#define RACER_CHECKER_INFER_SEARCH_H_

#include "checker/infer.h"
#include "checker/infer_trial.h"

namespace racer {

struct InferenceSubject {
  const ir::Module* module = nullptr;
  const ir::Function* entry = nullptr;
};

// `reference.entry` null: the candidate alone.
Inference InferWith(const InferenceSubject& candidate, const InferenceSubject& reference, const TrialRunner& runner);

}  // namespace racer

#endif  // RACER_CHECKER_INFER_SEARCH_H_
