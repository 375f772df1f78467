// Tensors and aliasing.
#include <algorithm>

#include "checker/contract_reader.h"

namespace racer {
namespace {

using contract_text::Join;
using contract_text::kMaxNamed;
using contract_text::kMaxValues;
using contract_text::Trim;
using Kind = TomlValue::Kind;

constexpr size_t kMaxRank = 8;
constexpr uint64_t kMaxAlign = uint64_t{1} << 20;

}  // namespace

bool ContractReader::NameTensors(const TomlValue& root) {
  bool ok = true;
  const TomlValue* section = Section(root, "tensors", /*required=*/true, &ok);
  if (section == nullptr) return ok;
  for (const TomlEntry& entry : section->entries) {
    if (entry.key.text == "alias") continue;
    if (!NewName(entry.key, "tensor")) return false;
    TensorSpec tensor;
    tensor.name = entry.key.text;
    tensor.where = entry.key.where;
    contract_.tensors.push_back(std::move(tensor));
  }
  if (contract_.tensors.empty()) return Fail(DiagnosticKind::kContractTensor, section->where(), "no tensors");
  if (contract_.tensors.size() > kMaxNamed) return Fail(DiagnosticKind::kContractTensor, section->where(), "more than 64 tensors");
  return true;
}

bool ContractReader::ReadTensors(const TomlValue& root) {
  size_t next = 0;
  for (const TomlEntry& entry : root.Find("tensors")->entries) {
    if (entry.key.text != "alias" && !ReadTensor(entry.value, contract_.tensors[next++])) return false;
  }
  return true;
}

bool ContractReader::ReadTensor(const TomlValue& table, TensorSpec& tensor) {
  std::string what = "tensor " + tensor.name;
  if (!Is(table, Kind::kTable, what)) return false;
  if (!OnlyKeys(table, {"dtype", "shape", "role", "align", "strides", "offset", "init", "values", "range"}, what)) return false;
  std::optional<ScalarType> dtype = Dtype(table, tensor.where, what);
  if (!dtype) return false;
  tensor.dtype = *dtype;
  const TomlValue* shape = Need(table, "shape", tensor.where, what);
  if (shape == nullptr || !IntegerExpressions(*shape, "shape", 1, kMaxRank, tensor.shape)) return false;
  const TomlValue* role = Need(table, "role", tensor.where, what);
  if (role == nullptr || !ReadRole(*role, tensor)) return false;
  tensor.align = BitWidth(tensor.dtype) / 8;
  if (const TomlValue* align = table.Find("align")) {
    if (!Is(*align, Kind::kInteger, "align")) return false;
    auto bytes = static_cast<uint64_t>(align->integer);
    if (align->integer < 1 || bytes > kMaxAlign || (bytes & (bytes - 1)) != 0 || bytes < tensor.align) {
      return Fail(DiagnosticKind::kContractTensor, align->where(), what + " has align " + std::to_string(align->integer),
                  "a power of two from " + std::to_string(tensor.align) + " (its element size) to " + std::to_string(kMaxAlign));
    }
    tensor.align = bytes;
  }
  if (const TomlValue* strides = table.Find("strides")) {
    if (!IntegerExpressions(*strides, "strides", tensor.shape.size(), tensor.shape.size(), tensor.strides)) return false;
  }
  if (const TomlValue* offset = table.Find("offset")) {
    tensor.offset = IntegerExpression(*offset, "offset");
    if (!tensor.offset) return false;
  }
  if (const TomlValue* init = table.Find("init")) {
    if (!ReadInit(*init, what, tensor)) return false;
  }
  if (const TomlValue* range = table.Find("range")) {
    if (tensor.role != Role::kIn && tensor.role != Role::kInout) {
      return Fail(DiagnosticKind::kContractTensor, WhereOfKey(table, "range"),
                  what + " of role " + std::string(RoleName(tensor.role)) + " has a range", "role in or inout with it");
    }
    if (!Is(*range, Kind::kString, "range")) return false;
    tensor.range = ReadRange(range->text);
    if (!tensor.range) return false;
  }
  const TomlValue* values = table.Find("values");
  if (tensor.role == Role::kIndex) {
    if (IsFloat(tensor.dtype))
      return Fail(DiagnosticKind::kContractTensor, tensor.where, what + " is an index of a floating dtype", "an integer dtype");
    tensor.values.emplace();
    tensor.values->where = tensor.where;
    return values == nullptr || ReadIndexValues(*values, tensor);
  }
  if (values != nullptr) {
    return Fail(DiagnosticKind::kContractTensor, WhereOfKey(table, "values"), what + " has values but is no index", "role = \"index\"");
  }
  return true;
}

bool ContractReader::ReadRole(const TomlValue& value, TensorSpec& tensor) {
  if (!Is(value, Kind::kString, "role")) return false;
  for (Role role : {Role::kIn, Role::kOut, Role::kInout, Role::kScratch, Role::kIndex}) {
    if (value.text.text != RoleName(role)) continue;
    tensor.role = role;
    return true;
  }
  return Fail(DiagnosticKind::kContractValue, value.where(), "unknown role '" + value.text.text + "'", "in, out, inout, scratch or index");
}

bool ContractReader::ReadInit(const TomlValue& init, const std::string& what, TensorSpec& tensor) {
  if (tensor.role != Role::kScratch && tensor.role != Role::kOut) {
    return Fail(DiagnosticKind::kContractTensor, init.where(), what + " has init", "role scratch or out with it");
  }
  if (init.kind != Kind::kInteger && init.kind != Kind::kFloat && init.kind != Kind::kString) {
    return Fail(DiagnosticKind::kContractType, init.where(), "init is " + std::string(TomlKindName(init.kind)), "a number");
  }
  tensor.init = init.kind == Kind::kInteger ? std::optional<Rational>(init.integer) : Number(init.text.text);
  if (!tensor.init) return Fail(DiagnosticKind::kContractValue, init.where(), "init '" + init.text.text + "' is no finite number");
  if (!IsFloat(tensor.dtype) && !tensor.init->IsInteger()) {
    return Fail(DiagnosticKind::kContractValue, init.where(), "init " + init.text.text + " in a tensor of integers", "an integer");
  }
  return true;
}

std::optional<Rational> ContractReader::Number(std::string text) {
  constexpr size_t kMaxLength = 64;
  if (text.size() > kMaxLength) return std::nullopt;
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  return Rational::Parse(Trim(text));
}

bool ContractReader::ReadIndexValues(const TomlValue& value, TensorSpec& tensor) {
  IndexValues& values = *tensor.values;
  values.where = value.where();
  if (value.kind == Kind::kArray) {
    values.kind = IndexValues::Kind::kList;
    if (value.items.empty() || value.items.size() > kMaxValues) {
      return Fail(DiagnosticKind::kContractTensor, value.where(), "values has " + std::to_string(value.items.size()) + " entries",
                  "1 to " + std::to_string(kMaxValues));
    }
    for (const TomlValue& item : value.items) {
      if (!Is(item, Kind::kInteger, "an entry of values")) return false;
      values.list.push_back(item.integer);
    }
    return true;
  }
  const char* expected = "\"permutation\", \"range(low, high)\" or a list of integers";
  if (value.kind != Kind::kString) {
    return Fail(DiagnosticKind::kContractType, value.where(), "values is " + std::string(TomlKindName(value.kind)), expected);
  }
  const std::string& text = value.text.text;
  if (text == "permutation") {
    values.kind = IndexValues::Kind::kPermutation;
    return true;
  }
  constexpr std::string_view kRange = "range(";
  if (text.substr(0, kRange.size()) != kRange || text.back() != ')') {
    return Fail(DiagnosticKind::kContractValue, value.where(), "unknown values '" + text + "'", expected);
  }
  // The comma outside any parentheses.
  int depth = 0;
  size_t comma = std::string::npos;
  for (size_t i = kRange.size(); i + 1 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0 && comma == std::string::npos) comma = i;
  }
  if (comma == std::string::npos) return Fail(DiagnosticKind::kContractValue, value.where(), "range of one end", "range(low, high)");
  auto part = [&](size_t begin, size_t end) {
    while (begin < end && text[begin] == ' ') ++begin;
    LocatedText located{text.substr(begin, end - begin), value.text.At(begin, end - begin), value.text.exact};
    return ParseInteger(located);
  };
  std::optional<Expression> low = part(kRange.size(), comma);
  std::optional<Expression> high = low ? part(comma + 1, text.size() - 1) : std::nullopt;
  if (!high) return false;
  values.kind = IndexValues::Kind::kRange;
  values.low = std::move(*low);
  values.high = std::move(*high);
  return true;
}

bool ContractReader::ReadAlias(const TomlValue& root) {
  const TomlValue* alias = root.Find("tensors")->Find("alias");
  if (alias == nullptr) return true;
  if (!Is(*alias, Kind::kArray, "alias")) return false;
  std::set<uint32_t> used;
  for (const TomlValue& group : alias->items) {
    if (!Is(group, Kind::kArray, "an entry of alias")) return false;
    std::vector<uint32_t> members;
    int outputs = 0;
    for (const TomlValue& item : group.items) {
      std::optional<uint32_t> tensor = TensorName(item, "alias");
      if (!tensor) return false;
      const TensorSpec& spec = contract_.tensors[*tensor];
      if (!used.insert(*tensor).second)
        return Fail(DiagnosticKind::kContractTensor, item.where(), "tensor '" + spec.name + "' twice in alias");
      if (spec.role == Role::kScratch || spec.role == Role::kIndex) {
        return Fail(DiagnosticKind::kContractTensor, item.where(),
                    "tensor '" + spec.name + "' of role " + std::string(RoleName(spec.role)) + " in alias", "in, out or inout");
      }
      outputs += spec.IsOutput() ? 1 : 0;
      auto range_of = [](const TensorSpec& t) { return t.range ? t.range->text : ""; };
      for (uint32_t other : members) {
        const TensorSpec& known = contract_.tensors[other];
        if (spec.role == Role::kOut || known.role == Role::kOut || range_of(spec) == range_of(known)) continue;
        return Fail(DiagnosticKind::kContractTensor, item.where(), "tensors of different ranges in one group of alias");
      }
      members.push_back(*tensor);
      if (spec.dtype != contract_.tensors[members.front()].dtype) {
        return Fail(DiagnosticKind::kContractTensor, item.where(), "tensors of different dtypes in one group of alias");
      }
    }
    if (members.size() < 2) return Fail(DiagnosticKind::kContractTensor, group.where(), "a group of alias with fewer than two tensors");
    if (outputs > 1) return Fail(DiagnosticKind::kContractTensor, group.where(), "two outputs in one group of alias", "at most one");
    contract_.alias.push_back(std::move(members));
    contract_.alias_where.push_back(group.where());
  }
  return true;
}

std::optional<uint32_t> ContractReader::TensorName(const TomlValue& item, std::string_view what) {
  if (!Is(item, Kind::kString, "an entry of " + std::string(what))) return std::nullopt;
  std::optional<uint32_t> tensor = contract_.FindTensor(item.text.text);
  if (!tensor) {
    std::vector<std::string> known;
    known.reserve(contract_.tensors.size());
    for (const TensorSpec& spec : contract_.tensors) known.push_back(spec.name);
    Fail(DiagnosticKind::kContractTensor, item.where(), "'" + item.text.text + "' in " + std::string(what) + " is no tensor",
         "one of: " + Join(known));
  }
  return tensor;
}

}  // namespace racer
