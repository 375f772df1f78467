#include "checker/contract.h"

#include <algorithm>

#include "base/check.h"
#include "checker/toml_tree.h"

namespace racer {
namespace {

template <class T>
std::optional<uint32_t> FindNamed(const std::vector<T>& list, std::string_view name) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return static_cast<uint32_t>(i);
  }
  return std::nullopt;
}

std::string QuotedList(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + QuoteToml(text);
  return out + "]";
}

// A literal as an integer, anything else as a string.
std::string Render(const Expression& expression) {
  std::optional<int64_t> literal = expression.AsLiteral();
  return literal ? std::to_string(*literal) : QuoteToml(expression.text());
}

std::string RenderAll(const std::vector<Expression>& expressions) {
  std::string out = "[";
  for (const Expression& expression : expressions) out += (out.size() > 1 ? ", " : "") + Render(expression);
  return out + "]";
}

std::string RenderInit(const Rational& value) { return value.IsInteger() ? value.ToString() : QuoteToml(value.ToString()); }

std::string RenderIntegers(const std::vector<int64_t>& values) {
  std::string out = "[";
  for (int64_t value : values) out += (out.size() > 1 ? ", " : "") + std::to_string(value);
  return out + "]";
}

std::string RenderDim(const DimSpec& dim) {
  if (dim.fixed) return std::to_string(dim.min);
  std::string out = "{ ";
  if (!dim.values.empty()) {
    out += "values = " + RenderIntegers(dim.values);
  } else {
    out += "min = " + std::to_string(dim.min) + ", max = " + std::to_string(dim.max);
  }
  if (dim.multiple_of != 1) out += ", multiple_of = " + std::to_string(dim.multiple_of);
  return out + " }";
}

std::string RenderTensor(const TensorSpec& tensor) {
  std::string out = "{ dtype = " + QuoteToml(Spelling(tensor.dtype)) + ", shape = " + RenderAll(tensor.shape);
  out += ", role = " + QuoteToml(RoleName(tensor.role));
  if (tensor.align != BitWidth(tensor.dtype) / 8) out += ", align = " + std::to_string(tensor.align);
  if (!tensor.strides.empty()) out += ", strides = " + RenderAll(tensor.strides);
  if (tensor.offset) out += ", offset = " + Render(*tensor.offset);
  if (tensor.init) out += ", init = " + RenderInit(*tensor.init);
  if (tensor.values) {
    switch (tensor.values->kind) {
      case IndexValues::Kind::kUnspecified: break;
      case IndexValues::Kind::kPermutation: out += ", values = \"permutation\""; break;
      case IndexValues::Kind::kRange:
        out += ", values = " + QuoteToml("range(" + tensor.values->low.text() + ", " + tensor.values->high.text() + ")");
        break;
      case IndexValues::Kind::kList: out += ", values = " + RenderIntegers(tensor.values->list); break;
    }
  }
  if (tensor.range) out += ", range = " + QuoteToml(tensor.range->text);
  return out + " }";
}

std::string RenderScalar(const ScalarSpec& scalar) {
  std::string out = "{ dtype = " + QuoteToml(Spelling(scalar.dtype));
  if (scalar.range) out += ", range = " + QuoteToml(scalar.range->text);
  if (scalar.value) out += ", value = " + Render(*scalar.value);
  return out + " }";
}

std::string RenderField(const CallArgument& field) {
  std::string value = QuoteToml(field.text.text);
  bool typed = field.kind == CallArgument::Kind::kInteger && field.type != ScalarType::kS32;
  if (!typed && !field.placed) return value;
  std::string out = "{ value = " + value;
  if (typed) out += ", dtype = " + QuoteToml(Spelling(field.type));
  if (field.placed) out += ", offset = " + std::to_string(field.offset);
  return out + " }";
}

std::string RenderArgument(const CallArgument& argument) {
  if (argument.kind != CallArgument::Kind::kFields) return QuoteToml(argument.text.text);
  std::string out = "[";
  for (const CallArgument& field : argument.fields) out += (out.size() > 1 ? ", " : "") + RenderField(field);
  return out + "]";
}

void RenderCall(const CallSpec& call, std::string_view name, std::string& out) {
  std::string args = "[";
  for (const CallArgument& argument : call.args) args += (args.size() > 1 ? ", " : "") + RenderArgument(argument);
  out +=
      "\n[" + std::string(name) + "]\nargs = " + args + "]\ngrid = " + RenderAll(call.grid) + "\nblock = " + RenderAll(call.block) + "\n";
  if (call.dynamic_shared) out += "dynamic_shared = " + Render(*call.dynamic_shared) + "\n";
}

}  // namespace

std::string_view SideName(Side side) {
  switch (side) {
    case Side::kCandidate: return "candidate";
    case Side::kReference: return "reference";
  }
  RACER_UNREACHABLE(side);
}

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kIn: return "in";
    case Role::kOut: return "out";
    case Role::kInout: return "inout";
    case Role::kScratch: return "scratch";
    case Role::kIndex: return "index";
  }
  RACER_UNREACHABLE(role);
}

bool DimSpec::Contains(int64_t value) const {
  if (value < min || value > max || value % multiple_of != 0) return false;
  return values.empty() || std::binary_search(values.begin(), values.end(), value);
}

std::optional<int64_t> DimSpec::AtLeast(int64_t value) const {
  if (!values.empty()) {
    auto found = std::lower_bound(values.begin(), values.end(), value);
    return found == values.end() ? std::nullopt : std::optional<int64_t>(*found);
  }
  value = std::max(value, min);
  if (value > max) return std::nullopt;
  int64_t rest = value % multiple_of;
  if (rest == 0) return value;
  return max - value >= multiple_of - rest ? std::optional<int64_t>(value + (multiple_of - rest)) : std::nullopt;
}

std::optional<int64_t> DimSpec::AtMost(int64_t value) const {
  if (!values.empty()) {
    auto found = std::upper_bound(values.begin(), values.end(), value);
    return found == values.begin() ? std::nullopt : std::optional<int64_t>(*(found - 1));
  }
  value = std::min(value, max);
  if (value < min) return std::nullopt;
  value -= value % multiple_of;
  return value >= min ? std::optional<int64_t>(value) : std::nullopt;
}

std::optional<uint32_t> Contract::FindDim(std::string_view name) const { return FindNamed(dims, name); }
std::optional<uint32_t> Contract::FindTensor(std::string_view name) const { return FindNamed(tensors, name); }
std::optional<uint32_t> Contract::FindScalar(std::string_view name) const { return FindNamed(scalars, name); }

ExpressionScope Contract::Names() const {
  ExpressionScope names;
  for (const DimSpec& dim : dims) names.dims.push_back(dim.name);
  for (const ScalarSpec& scalar : scalars) names.scalars.push_back(scalar.name);
  return names;
}

bool Contract::InDomain(const DimAssignment& assignment) const {
  RACER_CHECK(assignment.size() == dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!dims[i].Contains(assignment[i])) return false;
  }
  if (!dispatch) return true;
  Result<bool> dispatched = dispatch->EvaluateCondition(assignment);
  return dispatched.ok() && *dispatched;
}

std::string Contract::Describe(const DimAssignment& assignment) const {
  RACER_CHECK(assignment.size() == dims.size());
  std::string out;
  for (size_t i = 0; i < dims.size(); ++i) out += (i > 0 ? "," : "") + dims[i].name + "=" + std::to_string(assignment[i]);
  return out;
}

std::string ToToml(const Contract& contract) {
  std::string out = "id = " + QuoteToml(contract.id) + "\nversion = " + std::to_string(contract.version) + "\n";
  if (!contract.targets.empty() || contract.dispatch) {
    out += "\n[scope]\n";
    if (!contract.targets.empty()) out += "targets = " + QuotedList(contract.targets) + "\n";
    if (contract.dispatch) out += "dispatch = " + QuoteToml(contract.dispatch->text()) + "\n";
  }
  out += "\n[dims]\n";
  for (const DimSpec& dim : contract.dims) out += dim.name + " = " + RenderDim(dim) + "\n";
  out += "\n[tensors]\n";
  for (const TensorSpec& tensor : contract.tensors) out += tensor.name + " = " + RenderTensor(tensor) + "\n";
  if (!contract.alias.empty()) {
    out += "alias = [";
    for (size_t i = 0; i < contract.alias.size(); ++i) {
      std::vector<std::string> names;
      for (uint32_t tensor : contract.alias[i]) names.push_back(contract.tensors[tensor].name);
      out += (i > 0 ? ", " : "") + QuotedList(names);
    }
    out += "]\n";
  }
  if (!contract.scalars.empty()) {
    out += "\n[scalars]\n";
    for (const ScalarSpec& scalar : contract.scalars) out += scalar.name + " = " + RenderScalar(scalar) + "\n";
  }
  if (contract.candidate) RenderCall(*contract.candidate, "candidate", out);
  if (contract.reference) RenderCall(*contract.reference, "reference", out);
  if (contract.outputs_written || contract.preserve_written) {
    out += "\n[post]\n";
    auto names = [&](const std::vector<uint32_t>& tensors) {
      std::vector<std::string> list;
      list.reserve(tensors.size());
      for (uint32_t tensor : tensors) list.push_back(contract.tensors[tensor].name);
      return QuotedList(list);
    };
    if (contract.outputs_written) out += "outputs = " + names(contract.outputs) + "\n";
    if (contract.preserve_written) out += "preserve = " + names(contract.preserve) + "\n";
  }
  if (!contract.tolerance.empty()) {
    out += "\n[tolerance]\n";
    for (const ToleranceSpec& tolerance : contract.tolerance) {
      out += std::string(Spelling(tolerance.dtype)) + " = { rtol = " + tolerance.rtol_text + ", atol = " + tolerance.atol_text + " }\n";
    }
  }
  for (const auto& [name, entries] : {std::pair("measurement", &contract.measurement), std::pair("violation", &contract.violation)}) {
    if (entries->empty()) continue;
    out += "\n[" + std::string(name) + "]\n";
    for (const auto& [key, value] : *entries) out += QuoteToml(key) + " = " + value + "\n";
  }
  return out;
}

}  // namespace racer
