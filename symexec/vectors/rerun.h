// The recorded kernels and operands, ready to run in either machine.
#ifndef RACER_SYMEXEC_VECTORS_RERUN_H_
#define RACER_SYMEXEC_VECTORS_RERUN_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/run.h"
#include "symexec/vectors/goldens.h"
#include "symexec/vectors/kernel.h"

namespace racer {

constexpr size_t kVectorSlot = 8;  // bytes of an operand or a result

// One form of a file; `file` and what it came from outlive it.
struct VectorRun {
  const VectorForm* form = nullptr;     // null: the table no longer has it
  const ir::Function* entry = nullptr;  // null: its kernel is not understood
  const std::vector<std::vector<uint64_t>>* operands = nullptr;
  const FormVectors* golden = nullptr;

  std::vector<uint64_t> Operands(size_t vector) const;
  // Where result `k` of a vector lies in the second buffer of Config().
  uint64_t OffsetOf(size_t vector, size_t k) const { return (vector * form->shape.out.size() + k) * kVectorSlot; }
  // Whether the manual leaves the result of the vector open, or hardware varies in it.
  bool IsLeftOpen(size_t vector) const;
};

class VectorRuns {
 public:
  explicit VectorRuns(const VectorFile& file);
  const std::vector<VectorRun>& runs() const { return runs_; }
  // Why entries are missing, if some are.
  std::string problem() const { return outcome_.diagnostics.empty() ? "no kernel" : outcome_.diagnostics[0].message; }
  // Of a run with an entry: buffer 0 are its operands, buffer 1 the results.
  RunConfig Config(const VectorRun& run) const;

 private:
  ParseOutcome outcome_;
  std::vector<VectorRun> runs_;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_VECTORS_RERUN_H_
