// Scalars, calls, postconditions and what is kept as text.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "checker/contract_reader.h"

namespace racer {
namespace {

using contract_text::IsName;
using contract_text::Join;
using contract_text::kMaxNamed;
using contract_text::Trim;
using Kind = TomlValue::Kind;

constexpr size_t kMaxArgs = 256;
constexpr size_t kMaxFields = 256;           // of one structure
constexpr uint64_t kMaxStructBytes = 32764;  // PTX ISA, "Kernel Function Parameters": the largest parameter space

}  // namespace

bool ContractReader::ReadScalars(const TomlValue& root) {
  bool ok = true;
  const TomlValue* section = Section(root, "scalars", /*required=*/false, &ok);
  if (section == nullptr) return ok;
  if (section->entries.size() > kMaxNamed) return Fail(DiagnosticKind::kContractValue, section->where(), "more than 64 scalars");
  for (const TomlEntry& entry : section->entries) {
    if (!NoMisplacedAlias(entry, "[scalars]") || !NewName(entry.key, "scalar")) return false;
    ScalarSpec scalar;
    scalar.name = entry.key.text;
    scalar.where = entry.key.where;
    contract_.scalars.push_back(std::move(scalar));
  }
  for (size_t i = 0; i < section->entries.size(); ++i) {
    if (!ReadScalar(section->entries[i].value, contract_.scalars[i])) return false;
  }
  return OrderScalars();
}

bool ContractReader::ReadScalar(const TomlValue& table, ScalarSpec& scalar) {
  std::string what = "scalar " + scalar.name;
  if (!Is(table, Kind::kTable, what) || !OnlyKeys(table, {"dtype", "range", "value"}, what)) return false;
  std::optional<ScalarType> dtype = Dtype(table, scalar.where, what);
  if (!dtype) return false;
  scalar.dtype = *dtype;
  const TomlValue* range = table.Find("range");
  const TomlValue* value = table.Find("value");
  if (range != nullptr && value != nullptr) {
    return Fail(DiagnosticKind::kContractValue, WhereOfKey(table, "range"), what + " has a range and a value", "one of them");
  }
  if (range != nullptr) {
    if (!Is(*range, Kind::kString, "range")) return false;
    scalar.range = ReadRange(range->text);
    return scalar.range.has_value();
  }
  if (value == nullptr) return true;
  LocatedText text = value->text;
  if (value->kind == Kind::kInteger || value->kind == Kind::kFloat) {
    text.text.erase(std::remove(text.text.begin(), text.text.end(), '_'), text.text.end());
    if (text.text.substr(0, 1) == "+") text.text.erase(0, 1);
    if (value->kind == Kind::kInteger) text.text = std::to_string(value->integer);
    text.exact = false;
  } else if (!Is(*value, Kind::kString, "value")) {
    return false;
  }
  Result<Expression> expression = Expression::ParseNumber(text, contract_.Names());
  if (!expression.ok()) return Fail(expression.error());
  scalar.value = std::move(*expression);
  return true;
}

std::optional<RealRange> ContractReader::ReadRange(const LocatedText& text) {
  const char* expected = "such as \"(0, 1]\" or \"[-1, inf)\"";
  auto bad = [&](std::string message) -> std::optional<RealRange> {
    Fail(DiagnosticKind::kContractValue, text.where, std::move(message), expected);
    return std::nullopt;
  };
  const std::string& whole = text.text;
  size_t comma = whole.find(',');
  bool brackets = whole.size() >= 5 && (whole.front() == '(' || whole.front() == '[') && (whole.back() == ')' || whole.back() == ']');
  if (!brackets || comma == std::string::npos) return bad("malformed range '" + whole + "'");
  RealRange range;
  range.text = whole;
  range.low_open = whole.front() == '(';
  range.high_open = whole.back() == ')';
  std::string low = Trim(std::string_view(whole).substr(1, comma - 1));
  std::string high = Trim(std::string_view(whole).substr(comma + 1, whole.size() - comma - 2));
  if (low != "-inf") {
    range.low = Number(low);
    if (!range.low) return bad("malformed end '" + low + "' of range");
  }
  if (high != "inf" && high != "+inf") {
    range.high = Number(high);
    if (!range.high) return bad("malformed end '" + high + "' of range");
  }
  if (range.low && range.high) {
    bool point = *range.low == *range.high;
    if (*range.high < *range.low || (point && (range.low_open || range.high_open))) return bad("empty range '" + whole + "'");
  }
  return range;
}

bool ContractReader::OrderScalars() {
  std::vector<bool> done(contract_.scalars.size());
  bool progress = true;
  while (progress) {
    progress = false;
    for (uint32_t i = 0; i < contract_.scalars.size(); ++i) {
      if (done[i]) continue;
      bool ready = true;
      for (uint32_t j = 0; contract_.scalars[i].value && j < contract_.scalars.size(); ++j) {
        if (!done[j] && contract_.scalars[i].value->UsesScalar(j)) ready = false;
      }
      if (!ready) continue;
      done[i] = progress = true;
      contract_.scalar_order.push_back(i);
    }
  }
  for (uint32_t i = 0; i < contract_.scalars.size(); ++i) {
    if (!done[i]) {
      return Fail(DiagnosticKind::kContractValue, contract_.scalars[i].value->where(),
                  "the value of scalar " + contract_.scalars[i].name + " depends on itself");
    }
  }
  return true;
}

bool ContractReader::ReadCall(const TomlValue& root, Side side) {
  std::string name(SideName(side));
  bool ok = true;
  const TomlValue* section = Section(root, name, /*required=*/side == Side::kCandidate, &ok);
  if (section == nullptr) return ok;
  std::string what = "[" + name + "]";
  if (!OnlyKeys(*section, {"args", "grid", "block", "dynamic_shared"}, what)) return false;
  CallSpec call;
  call.where = WhereOfKey(root, name);
  const TomlValue* args = Need(*section, "args", call.where, what);
  if (args == nullptr || !Is(*args, Kind::kArray, "args")) return false;
  call.args_where = WhereOfKey(*section, "args");
  if (args->items.size() > kMaxArgs) return Fail(DiagnosticKind::kContractArguments, call.args_where, "more than 256 args");
  for (const TomlValue& item : args->items) {
    std::optional<CallArgument> argument = ReadArgument(item);
    if (!argument) return false;
    call.args.push_back(std::move(*argument));
  }
  const TomlValue* grid = Need(*section, "grid", call.where, what);
  if (grid == nullptr || !IntegerExpressions(*grid, "grid", 1, 3, call.grid)) return false;
  const TomlValue* block = Need(*section, "block", call.where, what);
  if (block == nullptr || !IntegerExpressions(*block, "block", 1, 3, call.block)) return false;
  if (const TomlValue* shared = section->Find("dynamic_shared")) {
    call.dynamic_shared = IntegerExpression(*shared, "dynamic_shared");
    if (!call.dynamic_shared) return false;
  }
  (side == Side::kCandidate ? contract_.candidate : contract_.reference) = std::move(call);
  return true;
}

std::optional<CallArgument> ContractReader::ReadArgument(const TomlValue& item) {
  return item.kind == Kind::kArray ? ReadFields(item) : ReadValue(item);
}

// Fields lie one after another, each aligned to its own size as in C, unless an offset says otherwise.
std::optional<CallArgument> ContractReader::ReadFields(const TomlValue& list) {
  CallArgument argument;
  argument.kind = CallArgument::Kind::kFields;
  argument.text = list.text;
  uint64_t end = 0;
  if (list.items.empty() || list.items.size() > kMaxFields) {
    Fail(DiagnosticKind::kContractArguments, list.where(), "a structure of " + std::to_string(list.items.size()) + " fields",
         "1 to " + std::to_string(kMaxFields));
    return std::nullopt;
  }
  for (const TomlValue& item : list.items) {
    std::optional<CallArgument> field = ReadField(item);
    if (!field) return std::nullopt;
    uint64_t bytes = BitWidth(field->type) / 8;
    uint64_t next = (end + bytes - 1) / bytes * bytes;
    if (!field->placed) field->offset = next;
    if (field->offset < next || field->offset % bytes != 0) {
      Fail(DiagnosticKind::kContractArguments, item.where(),
           "a field of " + std::to_string(bytes) + " bytes at offset " + std::to_string(field->offset),
           "a multiple of " + std::to_string(bytes) + ", at least " + std::to_string(next));
      return std::nullopt;
    }
    end = field->offset + bytes;
    argument.fields.push_back(std::move(*field));
  }
  return argument;
}

// A value as it stands, or { value, dtype, offset }. Integers are 32 bits wide unless a dtype says otherwise.
std::optional<CallArgument> ContractReader::ReadField(const TomlValue& item) {
  bool table = item.kind == Kind::kTable;
  if (table && !OnlyKeys(item, {"value", "dtype", "offset"}, "a field")) return std::nullopt;
  const TomlValue* value = table ? Need(item, "value", item.where(), "a field") : &item;
  std::optional<CallArgument> field = value == nullptr ? std::nullopt : ReadValue(*value);
  if (!field) return std::nullopt;
  switch (field->kind) {
    case CallArgument::Kind::kTensor: field->type = ScalarType::kU64; break;
    case CallArgument::Kind::kScalar: field->type = contract_.scalars[field->index].dtype; break;
    case CallArgument::Kind::kInteger: field->type = ScalarType::kS32; break;
    case CallArgument::Kind::kFields: RACER_UNREACHABLE(field->kind);
  }
  if (const TomlValue* dtype = table ? item.Find("dtype") : nullptr) {
    if (!Is(*dtype, Kind::kString, "dtype")) return std::nullopt;
    std::optional<ScalarType> type = ElementType(dtype->text);
    if (!type) return std::nullopt;
    bool integer = field->kind == CallArgument::Kind::kInteger && !IsFloat(*type);
    if (!integer && *type != field->type) {
      Fail(DiagnosticKind::kContractArguments, dtype->where(),
           "dtype " + dtype->text.text + " of a field that is " + (IsFloat(*type) ? "no scalar of that dtype" : "no integer expression"),
           "dtype only with integer expressions: tensors are pointers, and scalars have their own");
      return std::nullopt;
    }
    field->type = *type;
  }
  if (const TomlValue* offset = table ? item.Find("offset") : nullptr) {
    if (!Is(*offset, Kind::kInteger, "offset")) return std::nullopt;
    if (offset->integer < 0 || offset->integer > static_cast<int64_t>(kMaxStructBytes)) {
      Fail(DiagnosticKind::kContractArguments, offset->where(), "offset " + std::to_string(offset->integer) + " of a field",
           "0 to " + std::to_string(kMaxStructBytes));
      return std::nullopt;
    }
    field->offset = static_cast<uint64_t>(offset->integer);
    field->placed = true;
  }
  return field;
}

std::optional<CallArgument> ContractReader::ReadValue(const TomlValue& item) {
  CallArgument argument;
  argument.text = item.text;
  if (item.kind == Kind::kInteger) argument.text.text = std::to_string(item.integer);
  if (item.kind == Kind::kString) {
    std::string name = Trim(item.text.text);
    if (std::optional<uint32_t> tensor = contract_.FindTensor(name)) {
      argument.kind = CallArgument::Kind::kTensor;
      argument.index = *tensor;
      return argument;
    }
    if (std::optional<uint32_t> scalar = contract_.FindScalar(name)) {
      argument.kind = CallArgument::Kind::kScalar;
      argument.index = *scalar;
      return argument;
    }
    if (IsName(name) && !contract_.FindDim(name)) {
      std::vector<std::string> known;
      known.reserve(contract_.tensors.size() + contract_.scalars.size());
      for (const TensorSpec& tensor : contract_.tensors) known.push_back(tensor.name);
      for (const ScalarSpec& scalar : contract_.scalars) known.push_back(scalar.name);
      for (const DimSpec& dim : contract_.dims) known.push_back(dim.name);
      Fail(DiagnosticKind::kContractArguments, item.where(), "'" + name + "' is no tensor, scalar or dim", "one of: " + Join(known));
      return std::nullopt;
    }
  }
  std::optional<Expression> expression = IntegerExpression(item, "an argument");
  if (!expression) return std::nullopt;
  argument.integer = std::move(*expression);
  return argument;
}

bool ContractReader::ReadPost(const TomlValue& root) {
  bool ok = true;
  const TomlValue* section = Section(root, "post", /*required=*/false, &ok);
  if (!ok) return false;
  if (section != nullptr && !OnlyKeys(*section, {"outputs", "preserve"}, "[post]")) return false;
  const TomlValue* outputs = section == nullptr ? nullptr : section->Find("outputs");
  const TomlValue* preserve = section == nullptr ? nullptr : section->Find("preserve");
  contract_.outputs_written = outputs != nullptr;
  contract_.preserve_written = preserve != nullptr;
  auto is_output = [](const TensorSpec& tensor) { return tensor.IsOutput(); };
  auto is_kept = [](const TensorSpec& tensor) { return tensor.role == Role::kIn || tensor.role == Role::kIndex; };
  if (!ReadTensorList(outputs, "outputs", is_output, "role out or inout", contract_.outputs)) return false;
  if (!ReadTensorList(preserve, "preserve", is_kept, "role in or index", contract_.preserve)) return false;
  if (contract_.outputs.empty()) {
    return Fail(DiagnosticKind::kContractTensor, outputs != nullptr ? outputs->where() : WhereOfKey(root, "tensors"),
                "no outputs: there is nothing to check", "a tensor of role out or inout");
  }
  return true;
}

bool ContractReader::ReadTensorList(const TomlValue* list, std::string_view what, bool (*accept)(const TensorSpec&),
                                    std::string_view expected, std::vector<uint32_t>& out) {
  if (list == nullptr) {
    for (uint32_t i = 0; i < contract_.tensors.size(); ++i) {
      if (accept(contract_.tensors[i])) out.push_back(i);
    }
    return true;
  }
  if (!Is(*list, Kind::kArray, what)) return false;
  for (const TomlValue& item : list->items) {
    std::optional<uint32_t> tensor = TensorName(item, what);
    if (!tensor) return false;
    const TensorSpec& spec = contract_.tensors[*tensor];
    if (!accept(spec)) {
      return Fail(DiagnosticKind::kContractTensor, item.where(),
                  "tensor '" + spec.name + "' of role " + std::string(RoleName(spec.role)) + " in " + std::string(what),
                  std::string(expected));
    }
    if (std::find(out.begin(), out.end(), *tensor) != out.end()) {
      return Fail(DiagnosticKind::kContractTensor, item.where(), "tensor '" + spec.name + "' twice in " + std::string(what));
    }
    out.push_back(*tensor);
  }
  return true;
}

bool ContractReader::ReadTolerance(const TomlValue& root) {
  bool ok = true;
  const TomlValue* section = Section(root, "tolerance", /*required=*/false, &ok);
  if (section == nullptr) return ok;
  for (const TomlEntry& entry : section->entries) {
    std::optional<ScalarType> dtype = ElementType(entry.key);
    if (!dtype || !Is(entry.value, Kind::kTable, "a tolerance") || !OnlyKeys(entry.value, {"rtol", "atol"}, "a tolerance")) return false;
    ToleranceSpec tolerance;
    tolerance.dtype = *dtype;
    tolerance.rtol_text = tolerance.atol_text = "0";
    for (const TomlEntry& bound : entry.value.entries) {
      const TomlValue& value = bound.value;
      if (value.kind != Kind::kFloat && value.kind != Kind::kInteger) return Is(value, Kind::kFloat, bound.key.text);
      if (!(value.real >= 0) || std::isinf(value.real)) {
        return Fail(DiagnosticKind::kContractValue, value.where(), bound.key.text + " is " + value.Render(), "a finite number, at least 0");
      }
      (bound.key.text == "rtol" ? tolerance.rtol : tolerance.atol) = value.real;
      (bound.key.text == "rtol" ? tolerance.rtol_text : tolerance.atol_text) = value.Render();
    }
    contract_.tolerance.push_back(std::move(tolerance));
  }
  return true;
}

bool ContractReader::ReadText(const TomlValue& root, std::string_view name, std::vector<std::pair<std::string, std::string>>& out) {
  bool ok = true;
  const TomlValue* section = Section(root, name, /*required=*/false, &ok);
  if (section == nullptr) return ok;
  for (const TomlEntry& entry : section->entries) out.emplace_back(entry.key.text, entry.value.Render());
  return true;
}

}  // namespace racer
