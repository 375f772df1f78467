// A contract found by trying: what the parameters are, how large the tensors, how the kernels are launched.
#ifndef RACER_CHECKER_INFER_H_
#define RACER_CHECKER_INFER_H_

#include <optional>
#include <string>
#include <vector>

#include "checker/contract.h"
#include "checker/load.h"
#include "checker/options.h"

namespace racer {

struct Inference {
  std::optional<Contract> contract;
  std::vector<std::string> candidates;  // without a contract: the readings left, one line each; may be empty
  std::string reason;                   // without a contract: why
  std::string draft;                    // ... TOML of one that has what was found; may be empty
  bool unmodelled = false;              // ... a kernel reaches what racer does not model: a contract would not help
};

// Pointers are tensors (read: in, written: out, both: inout), integers are dims, floats are symbolic scalars. Launches and
// extents are tried bit for bit at small shapes: one survives if nothing leaves its tensor, no value is undefined, and the
// outputs are written exactly. `reference` may be null (inspect). Never throws.
Inference InferContract(const Kernel& candidate, const Kernel* reference, const Options& options);

}  // namespace racer

#endif  // RACER_CHECKER_INFER_H_
