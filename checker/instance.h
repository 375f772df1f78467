// A contract at one assignment of its dims: everything as numbers.
#ifndef RACER_CHECKER_INSTANCE_H_
#define RACER_CHECKER_INSTANCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/rational.h"
#include "base/result.h"
#include "checker/contract.h"
#include "checker/launch_limits.h"
#include "ptx_frontend/ir/module.h"
#include "symexec/machine/run.h"

namespace racer {

constexpr uint32_t kPaddingCell = ~uint32_t{0};

struct TensorInstance {
  uint32_t tensor = 0;  // index in Contract::tensors
  std::vector<uint64_t> shape;
  std::vector<uint64_t> strides;  // elements
  uint64_t offset = 0;            // elements before the first cell: its address is what the kernel gets
  uint64_t element_bytes = 0;
  uint64_t cells = 0;           // product of the shape
  uint64_t elements = 0;        // of the buffer: offset up to the last cell inclusive
  uint64_t bytes = 0;           // elements * element_bytes
  bool dense = true;            // cell i is element offset + i
  std::vector<int64_t> values;  // index tensors: cell -> integer, where the contract fixes them

  uint64_t ElementOf(uint64_t cell) const;  // cell: row-major index
  uint64_t ByteOffset(uint64_t cell) const { return ElementOf(cell) * element_bytes; }
  // Element -> cell, kPaddingCell for padding.
  std::vector<uint32_t> CellOfElement() const;
  // "y[1,3]"; "y[]" without dimensions is "y".
  std::string CellName(const std::string& name, uint64_t cell) const;
};

struct ScalarInstance {
  std::optional<Rational> value;  // nullopt: symbolic, or a value over symbolic scalars (ScalarSpec::value tells)
};

struct ArgumentInstance {
  CallArgument::Kind kind = CallArgument::Kind::kInteger;
  uint32_t index = 0;  // tensor or scalar
  int64_t integer = 0;
  std::vector<ArgumentInstance> fields;  // as CallArgument::fields
};

// Limits: at most kMaxCells cells a tensor and kMaxBytes bytes a buffer; larger ones are errors that name the limit.
constexpr uint64_t kMaxCells = uint64_t{1} << 31;
constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

struct Instance {
  DimAssignment dims;
  std::vector<TensorInstance> tensors;  // as Contract::tensors
  std::vector<ScalarInstance> scalars;  // as Contract::scalars
  std::vector<ArgumentInstance> args;   // in .param order
  LaunchConfig launch;
};

// The tensors and the launch of one side. Errors: a dim outside the domain, sizes that are not positive, overlapping cells,
// overflow, launches beyond the hardware's limits, a side that the contract does not describe.
// `table`: which integers index tensors hold where the contract leaves a choice (permutation, range); below kIndexTables.
constexpr uint32_t kIndexTables = 2;
Result<Instance> Instantiate(const Contract& contract, const DimAssignment& dims, Side side, uint32_t table = 0);
// Whether the tables differ.
bool HasIndexTables(const Contract& contract);

// Number and kinds of the call's arguments against the .param list, and targets against the module's.
std::optional<Diagnostic> CheckArguments(const Contract& contract, const ir::Module& module, const ir::Function& function, Side side);

// The launch of an instance against .reqntid, .maxntid, the width of integer parameters and the shared memory that the
// module declares in addition.
std::optional<Diagnostic> CheckLaunch(const Contract& contract, const Instance& instance, const ir::Module& module,
                                      const ir::Function& function, Side side);

}  // namespace racer

#endif  // RACER_CHECKER_INSTANCE_H_
