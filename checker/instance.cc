#include "checker/instance.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

// Sizes, strides and padding of one tensor.
class TensorBuilder {
 public:
  TensorBuilder(const Contract& contract, const DimAssignment& dims, uint32_t index, uint32_t table)
      : contract_(contract), dims_(dims), spec_(contract.tensors[index]), table_(table) {
    tensor_.tensor = index;
    tensor_.element_bytes = BitWidth(spec_.dtype) / 8;
  }

  Result<TensorInstance> Build() {
    if (!Shape() || !Strides() || !Extent() || !NoOverlap() || !Values()) return std::move(*error_);
    return std::move(tensor_);
  }

 private:
  bool Fail(const SourceLocation& where, std::string message, std::string expected = "") {
    error_ = MakeError(DiagnosticKind::kContractTensor, where, "tensor " + spec_.name + " " + message + " at " + contract_.Describe(dims_),
                       std::move(expected));
    return false;
  }
  bool Evaluate(const Expression& expression, int64_t* out) {
    Result<int64_t> value = expression.EvaluateInteger(dims_);
    if (value.ok()) {
      *out = *value;
      return true;
    }
    error_ = value.error();
    return false;
  }

  bool Shape() {
    tensor_.cells = 1;
    for (const Expression& expression : spec_.shape) {
      int64_t size = 0;
      if (!Evaluate(expression, &size)) return false;
      if (size < 1) return Fail(expression.where(), "has a size of " + std::to_string(size), "at least 1");
      if (static_cast<uint64_t>(size) > kMaxCells / tensor_.cells) {
        return Fail(expression.where(), "has too many cells", "at most " + std::to_string(kMaxCells));
      }
      tensor_.shape.push_back(static_cast<uint64_t>(size));
      tensor_.cells *= static_cast<uint64_t>(size);
    }
    return true;
  }

  bool Strides() {
    if (spec_.strides.empty()) {
      tensor_.strides.resize(tensor_.shape.size());
      uint64_t stride = 1;
      for (size_t i = tensor_.shape.size(); i-- > 0; stride *= tensor_.shape[i]) tensor_.strides[i] = stride;
      return true;
    }
    for (const Expression& expression : spec_.strides) {
      int64_t stride = 0;
      if (!Evaluate(expression, &stride)) return false;
      if (stride < 0) return Fail(expression.where(), "has a stride of " + std::to_string(stride), "at least 0");
      tensor_.strides.push_back(static_cast<uint64_t>(stride));
    }
    return true;
  }

  bool Extent() {
    __int128 last = 0;
    if (spec_.offset) {
      int64_t offset = 0;
      if (!Evaluate(*spec_.offset, &offset)) return false;
      if (offset < 0) return Fail(spec_.offset->where(), "has an offset of " + std::to_string(offset), "at least 0");
      tensor_.offset = static_cast<uint64_t>(offset);
      last = offset;
    }
    for (size_t i = 0; i < tensor_.shape.size(); ++i) last += static_cast<__int128>(tensor_.shape[i] - 1) * tensor_.strides[i];
    __int128 bytes = (last + 1) * tensor_.element_bytes;
    if (bytes > static_cast<__int128>(kMaxBytes))
      return Fail(spec_.where, "is too large", "at most " + std::to_string(kMaxBytes) + " bytes");
    tensor_.elements = static_cast<uint64_t>(last + 1);
    tensor_.bytes = static_cast<uint64_t>(bytes);
    tensor_.dense = tensor_.elements - tensor_.offset == tensor_.cells;
    uint64_t stride = 1;
    for (size_t i = tensor_.shape.size(); i-- > 0; stride *= tensor_.shape[i]) {
      if (tensor_.shape[i] > 1 && tensor_.strides[i] != stride) tensor_.dense = false;
    }
    return true;
  }

  // Dimensions by rising stride: each stride must step over everything that the smaller ones reach. Layouts that interleave
  // without overlap (none that a framework makes) are refused as well.
  bool NoOverlap() {
    std::vector<size_t> order(tensor_.shape.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return tensor_.strides[a] < tensor_.strides[b]; });
    uint64_t reach = 0;
    for (size_t i : order) {
      if (tensor_.shape[i] == 1) continue;
      if (tensor_.strides[i] <= reach) {
        return Fail(spec_.strides[i].where(),
                    "has a stride of " + std::to_string(tensor_.strides[i]) + " that lets cells overlap or interleave",
                    "at least " + std::to_string(reach + 1));
      }
      reach += (tensor_.shape[i] - 1) * tensor_.strides[i];
    }
    return true;
  }

  // The dtype's smallest and largest integers; b types count as unsigned.
  bool FitsDtype(int64_t value) const {
    unsigned width = BitWidth(spec_.dtype);
    if (IsSigned(spec_.dtype)) return width == 64 || (value >= -(int64_t{1} << (width - 1)) && value < int64_t{1} << (width - 1));
    return value >= 0 && (width == 64 || value < int64_t{1} << width);
  }

  // No permutation that is its own inverse: it would hide a scatter that should be a gather.
  void Permute() {
    const uint64_t n = tensor_.cells;
    uint64_t step = 1;  // a rotation, where nothing better exists
    for (uint64_t k = n * 3 / 8 + 1; k + 1 < n && step == 1; ++k) {
      if (k > 1 && std::gcd(k, n) == 1 && k * k % n != 1) step = k;
    }
    for (uint64_t i = 0; i < n; ++i) tensor_.values.push_back(static_cast<int64_t>((i * step + 1) % n));
  }

  // A kernel that computes the first table instead of reading it must not pass: here no formula i * a + b gives the entries.
  void Shuffle() {
    Permute();
    const std::vector<int64_t> first = tensor_.values;
    const uint64_t n = tensor_.cells;
    constexpr uint64_t kTries = 64;
    for (uint64_t seed = 1; seed <= kTries; ++seed) {
      std::vector<int64_t>& values = tensor_.values;
      std::iota(values.begin(), values.end(), int64_t{0});
      uint64_t state = seed;
      for (uint64_t i = n; i > 1; --i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::swap(values[i - 1], values[(state >> 33) % i]);
      }
      bool own_inverse = true, affine = true;
      for (uint64_t i = 0; i < n; ++i) {
        own_inverse = own_inverse && values[static_cast<uint64_t>(values[i])] == static_cast<int64_t>(i);
        affine = affine && (static_cast<uint64_t>(values[(i + 1) % n]) + n - static_cast<uint64_t>(values[i])) % n ==
                               (static_cast<uint64_t>(values[1 % n]) + n - static_cast<uint64_t>(values[0])) % n;
      }
      // Of two or three entries every permutation is affine, and of two each is its own inverse.
      if (values != first && (n < 3 || !own_inverse) && (n < 4 || !affine)) return;
    }
  }

  // SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
  static uint64_t Scattered(uint64_t i) {
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  // Deterministic, with the boundary values in front: a range starts with its ends.
  bool Values() {
    if (!spec_.values) return true;
    const IndexValues& values = *spec_.values;
    switch (values.kind) {
      case IndexValues::Kind::kUnspecified: return true;
      case IndexValues::Kind::kPermutation: table_ == 0 ? Permute() : Shuffle(); break;
      case IndexValues::Kind::kRange: {
        int64_t low = 0, high = 0;
        if (!Evaluate(values.low, &low) || !Evaluate(values.high, &high)) return false;
        if (low >= high) return Fail(values.where, "has the empty range(" + std::to_string(low) + ", " + std::to_string(high) + ")");
        if (!FitsDtype(low) || !FitsDtype(high - 1)) return Fail(values.where, "has values that its dtype cannot hold");
        auto count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
        for (uint64_t i = 0; i < tensor_.cells; ++i) {
          // Neither table repeats with a period, or a kernel that looks a period away would find what it should. No cell holds the
          // same in both: a value that hides a fault (an ignored label) hides it in one.
          uint64_t step = i == 0 ? 0 : i == 1 ? count - 1 : Scattered(i) % count;
          if (table_ != 0 && count > 1) step = i == 0 ? count - 1 : i == 1 ? 0 : (step + 1 + Scattered(~i) % (count - 1)) % count;
          tensor_.values.push_back(static_cast<int64_t>(static_cast<uint64_t>(low) + step));
        }
        break;
      }
      case IndexValues::Kind::kList:
        if (values.list.size() != tensor_.cells) {
          return Fail(values.where,
                      "has " + std::to_string(values.list.size()) + " values for " + std::to_string(tensor_.cells) + " cells");
        }
        tensor_.values = values.list;
        break;
    }
    for (int64_t value : tensor_.values) {
      if (!FitsDtype(value)) return Fail(values.where, "has the value " + std::to_string(value) + " that its dtype cannot hold");
    }
    return true;
  }

  const Contract& contract_;
  const DimAssignment& dims_;
  const TensorSpec& spec_;
  const uint32_t table_;
  TensorInstance tensor_;
  std::optional<Diagnostic> error_;
};

std::optional<Diagnostic> CheckAlias(const Contract& contract, const Instance& instance) {
  for (size_t g = 0; g < contract.alias.size(); ++g) {
    const TensorInstance& first = instance.tensors[contract.alias[g].front()];
    for (uint32_t member : contract.alias[g]) {
      const TensorInstance& tensor = instance.tensors[member];
      if (tensor.shape == first.shape && tensor.strides == first.strides && tensor.offset == first.offset) continue;
      return MakeError(DiagnosticKind::kContractTensor, contract.alias_where[g],
                       "tensors of different shape, strides or offset in one group of alias at " + contract.Describe(instance.dims));
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> EvaluateScalars(const Contract& contract, Instance& instance) {
  std::vector<std::optional<Rational>> values(contract.scalars.size());
  for (uint32_t i : contract.scalar_order) {
    const ScalarSpec& scalar = contract.scalars[i];
    if (!scalar.value) continue;
    Result<std::optional<Rational>> value = scalar.value->EvaluateReal(instance.dims, values);
    if (!value.ok()) return value.error();
    if (*value && !IsFloat(scalar.dtype) && !(*value)->IsInteger()) {
      return MakeError(
          DiagnosticKind::kContractValue, scalar.value->where(),
          "scalar " + scalar.name + " of an integer dtype is " + (*value)->ToString() + " at " + contract.Describe(instance.dims));
    }
    values[i] = std::move(*value);
  }
  for (std::optional<Rational>& value : values) instance.scalars.push_back({std::move(value)});
  return std::nullopt;
}

Result<ArgumentInstance> EvaluateArgument(const CallArgument& argument, const DimAssignment& dims) {
  ArgumentInstance value;
  value.kind = argument.kind;
  value.index = argument.index;
  if (argument.kind == CallArgument::Kind::kInteger) {
    Result<int64_t> integer = argument.integer.EvaluateInteger(dims);
    if (!integer.ok()) return integer.error();
    value.integer = *integer;
  }
  for (const CallArgument& field : argument.fields) {
    Result<ArgumentInstance> inner = EvaluateArgument(field, dims);
    if (!inner.ok()) return inner.error();
    value.fields.push_back(std::move(*inner));
  }
  return value;
}

}  // namespace

uint64_t TensorInstance::ElementOf(uint64_t cell) const {
  RACER_CHECK(cell < cells);
  if (dense) return offset + cell;
  uint64_t element = offset;
  for (size_t i = shape.size(); i-- > 0; cell /= shape[i]) element += cell % shape[i] * strides[i];
  return element;
}

std::vector<uint32_t> TensorInstance::CellOfElement() const {
  std::vector<uint32_t> cell_of(elements, kPaddingCell);
  for (uint64_t cell = 0; cell < cells; ++cell) cell_of[ElementOf(cell)] = static_cast<uint32_t>(cell);
  return cell_of;
}

std::string TensorInstance::CellName(const std::string& name, uint64_t cell) const {
  std::string indices;
  for (size_t i = shape.size(); i-- > 0; cell /= shape[i]) {
    indices = std::to_string(cell % shape[i]) + (indices.empty() ? "" : "," + indices);
  }
  return name + "[" + indices + "]";
}

bool HasIndexTables(const Contract& contract) {
  return std::any_of(contract.tensors.begin(), contract.tensors.end(), [](const TensorSpec& tensor) {
    return tensor.values.has_value() &&
           (tensor.values->kind == IndexValues::Kind::kPermutation || tensor.values->kind == IndexValues::Kind::kRange);
  });
}

Result<Instance> Instantiate(const Contract& contract, const DimAssignment& dims, Side side, uint32_t table) {
  RACER_CHECK(dims.size() == contract.dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!contract.dims[i].Contains(dims[i])) {
      return MakeError(DiagnosticKind::kContractDims, contract.dims[i].where,
                       contract.dims[i].name + "=" + std::to_string(dims[i]) + " is outside the contract");
    }
  }
  if (contract.dispatch) {
    Result<bool> dispatched = contract.dispatch->EvaluateCondition(dims);
    if (!dispatched.ok()) return dispatched.error();
    if (!*dispatched) {
      return MakeError(DiagnosticKind::kContractDims, contract.dispatch->where(),
                       contract.Describe(dims) + " is outside the dispatch predicate");
    }
  }
  const std::optional<CallSpec>& call = contract.call(side);
  if (!call) {
    return MakeError(DiagnosticKind::kContractMissingKey, contract.where, "the contract has no [" + std::string(SideName(side)) + "]",
                     "how the " + std::string(SideName(side)) + " kernel is called");
  }
  Instance instance;
  instance.dims = dims;
  for (uint32_t i = 0; i < contract.tensors.size(); ++i) {
    Result<TensorInstance> tensor = TensorBuilder(contract, dims, i, table).Build();
    if (!tensor.ok()) return tensor.error();
    instance.tensors.push_back(std::move(*tensor));
  }
  if (std::optional<Diagnostic> error = CheckAlias(contract, instance)) return std::move(*error);
  if (std::optional<Diagnostic> error = EvaluateScalars(contract, instance)) return std::move(*error);
  for (const CallArgument& argument : call->args) {
    Result<ArgumentInstance> value = EvaluateArgument(argument, dims);
    if (!value.ok()) return value.error();
    instance.args.push_back(std::move(*value));
  }
  Result<ConcreteLaunch> launch = EvaluateLaunch(contract, *call, dims);
  if (!launch.ok()) return launch.error();
  instance.launch.grid = launch->grid;
  instance.launch.block = launch->block;
  instance.launch.dynamic_shared = launch->dynamic_shared;
  return instance;
}

}  // namespace racer
