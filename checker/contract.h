// What a kernel may be called with and what it must return (docs/interface.md, "Contract").
#ifndef RACER_CHECKER_CONTRACT_H_
#define RACER_CHECKER_CONTRACT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/rational.h"
#include "base/result.h"
#include "checker/expression.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

enum class Side : uint8_t { kCandidate, kReference };
std::string_view SideName(Side side);  // "candidate", "reference"

// A value for every dim, in the order of Contract::dims.
using DimAssignment = std::vector<int64_t>;

// A size: min <= value <= max, a multiple of multiple_of, and one of `values` unless that is empty.
struct DimSpec {
  std::string name;
  SourceLocation where;
  int64_t min = 1, max = 1;
  int64_t multiple_of = 1;
  std::vector<int64_t> values;  // ascending; min and max are then its ends
  bool fixed = false;           // written as a plain integer

  bool Contains(int64_t value) const;
  // The smallest member that is at least `value`.
  std::optional<int64_t> AtLeast(int64_t value) const;
  // The largest member that is at most `value`.
  std::optional<int64_t> AtMost(int64_t value) const;
};

enum class Role : uint8_t { kIn, kOut, kInout, kScratch, kIndex };
std::string_view RoleName(Role role);

// What the integers of an `index` tensor are. kUnspecified: any integers in the range of the dtype.
struct IndexValues {
  enum class Kind : uint8_t { kUnspecified, kPermutation, kRange, kList } kind = Kind::kUnspecified;
  Expression low, high;       // kRange: low <= value < high
  std::vector<int64_t> list;  // kList, row-major
  SourceLocation where;
};

// An interval of reals; a missing end is unbounded.
struct RealRange {
  std::optional<Rational> low, high;
  bool low_open = false, high_open = false;
  std::string text;  // as written
};

struct TensorSpec {
  std::string name;
  SourceLocation where;
  ScalarType dtype = ScalarType::kNone;
  std::vector<Expression> shape;
  Role role = Role::kIn;
  uint64_t align = 1;                 // bytes that the buffer's first byte is aligned to, a power of two
  std::vector<Expression> strides;    // elements; empty: row-major without padding
  std::optional<Expression> offset;   // elements from the start of the buffer to the first cell, whose address is what the kernel gets
  std::optional<Rational> init;       // scratch and out: every element at the start
  std::optional<IndexValues> values;  // index only
  std::optional<RealRange> range;     // in and inout: where every element lies at the start

  bool IsOutput() const { return role == Role::kOut || role == Role::kInout; }
};

// Symbolic over `range` (any finite value without one), or the given value.
struct ScalarSpec {
  std::string name;
  SourceLocation where;
  ScalarType dtype = ScalarType::kNone;
  std::optional<RealRange> range;
  std::optional<Expression> value;  // over dims and scalars; never in a cycle
};

struct CallArgument {
  enum class Kind : uint8_t { kTensor, kScalar, kInteger, kFields } kind = Kind::kInteger;
  uint32_t index = 0;  // kTensor, kScalar: index in the contract
  Expression integer;  // kInteger
  LocatedText text;    // as written
  // kFields: what a structure passed by value holds, by rising offset; no field has fields.
  std::vector<CallArgument> fields;
  // Of a field: where it lies in the structure, and as what.
  uint64_t offset = 0;
  ScalarType type = ScalarType::kNone;
  bool placed = false;  // the offset is written in the contract, not the next aligned one
};

// How one kernel is called.
struct CallSpec {
  SourceLocation where;
  SourceLocation args_where;
  std::vector<CallArgument> args;  // in .param order
  std::vector<Expression> grid;    // one to three, x first
  std::vector<Expression> block;
  std::optional<Expression> dynamic_shared;  // bytes
};

struct ToleranceSpec {
  ScalarType dtype = ScalarType::kNone;
  double rtol = 0, atol = 0;
  std::string rtol_text, atol_text;
};

struct Contract {
  std::shared_ptr<const SourceFile> file;
  SourceLocation where;  // of the contract as a whole
  std::string id;
  int64_t version = 1;
  std::vector<std::string> targets;  // empty: any
  std::optional<Expression> dispatch;
  std::vector<DimSpec> dims;  // in the order written
  std::vector<TensorSpec> tensors;
  std::vector<std::vector<uint32_t>> alias;  // groups of tensor indices that may be one buffer
  std::vector<SourceLocation> alias_where;
  std::vector<ScalarSpec> scalars;
  std::vector<uint32_t> scalar_order;  // every scalar after those that its value uses
  std::optional<CallSpec> candidate, reference;
  std::vector<uint32_t> outputs;                           // tensor indices: [post] or every out and inout tensor
  std::vector<uint32_t> preserve;                          // tensor indices: [post] or every in and index tensor
  bool outputs_written = false, preserve_written = false;  // present in the file
  std::vector<ToleranceSpec> tolerance;
  std::vector<std::pair<std::string, std::string>> measurement, violation;  // key and TOML value, kept as text

  std::optional<uint32_t> FindDim(std::string_view name) const;
  std::optional<uint32_t> FindTensor(std::string_view name) const;
  std::optional<uint32_t> FindScalar(std::string_view name) const;
  const std::optional<CallSpec>& call(Side side) const { return side == Side::kCandidate ? candidate : reference; }
  ExpressionScope Names() const;  // dims and scalars

  // Whether the shape is in the domain: every dim's own rules and the dispatch predicate. An error of evaluating the latter is "no".
  bool InDomain(const DimAssignment& dims) const;
  // "N=2,H=384"
  std::string Describe(const DimAssignment& dims) const;
};

// Reads the whole format; what it returns is consistent: names resolve, dims have members. Never throws.
Result<Contract> ParseContract(std::shared_ptr<const SourceFile> file);

// Whether the shapes and launches that the domain allows are sane and legal at its corners (smallest and largest members),
// with some dims pinned (0: open). The error names the smallest illegal shape found below an illegal corner.
std::optional<Diagnostic> CheckDomain(const Contract& contract, const DimAssignment& pinned);

// A contract in comment lines of another file (the `//! ` block of a PTX module): line i of the TOML text is `lines[i]`,
// which ends line `line_numbers[i]` of `file`. Errors point there.
Result<Contract> ParseEmbeddedContract(std::shared_ptr<const SourceFile> file, const std::vector<std::string>& lines,
                                       const std::vector<int>& line_numbers);

// The contract in its format, ready to be saved; ParseContract of it gives the same contract up to places.
std::string ToToml(const Contract& contract);

}  // namespace racer

#endif  // RACER_CHECKER_CONTRACT_H_
