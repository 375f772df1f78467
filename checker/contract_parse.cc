#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

#include "base/check.h"
#include "checker/contract.h"
#include "checker/launch_limits.h"
#include "checker/toml_tree.h"

namespace racer {
namespace {

using Kind = TomlValue::Kind;
using Wanted = std::initializer_list<std::string_view>;

constexpr size_t kMaxNamed = 64;    // dims, tensors, scalars: of each
constexpr size_t kMaxRank = 8;
constexpr size_t kMaxArgs = 256;
constexpr size_t kMaxValues = 4096;
constexpr size_t kMaxNameLength = 64;
constexpr uint64_t kMaxAlign = uint64_t{1} << 20;
constexpr size_t kMaxCornerDims = 5;

std::string Join(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (out.size() > 120) return out + ", ...";
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

bool IsName(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && text.size() <= kMaxNameLength && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string Trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

// A type that one element of a tensor or a scalar can have.
bool IsElementType(ScalarType type) {
  switch (ClassOf(type)) {
    case TypeClass::kPredicate:
    case TypeClass::kOpaque: return false;
    case TypeClass::kUnsigned:
    case TypeClass::kSigned:
    case TypeClass::kBits:
    case TypeClass::kFloat: return BitWidth(type) >= 8 && BitWidth(type) <= 64 && PackedElement(type) == ScalarType::kNone;
  }
  RACER_UNREACHABLE(ClassOf(type));
}

// Reads one contract; every member function returns false (or nullopt) once an error is known.
class ContractReader {
 public:
  explicit ContractReader(const TomlSource& source) : source_(source) {}

  Result<Contract> Read() {
    Result<TomlValue> root = ParseToml(source_);
    if (!root.ok()) return root.error();
    if (!ReadRoot(*root)) return std::move(*error_);
    return std::move(contract_);
  }

 private:
  bool Fail(DiagnosticKind kind, const SourceLocation& where, std::string message, std::string expected = "") {
    if (!error_) error_ = MakeError(kind, where, std::move(message), std::move(expected));
    return false;
  }
  bool Fail(const Diagnostic& diagnostic) {
    if (!error_) error_ = diagnostic;
    return false;
  }

  bool Is(const TomlValue& value, Kind kind, std::string_view what) {
    if (value.kind == kind) return true;
    return Fail(DiagnosticKind::kContractType, value.where(),
                std::string(what) + " is " + std::string(TomlKindName(value.kind)), std::string(TomlKindName(kind)));
  }
  bool OnlyKeys(const TomlValue& table, Wanted keys, std::string_view what) {
    for (const TomlEntry& entry : table.entries) {
      if (std::find(keys.begin(), keys.end(), entry.key.text) != keys.end()) continue;
      std::vector<std::string> known(keys.begin(), keys.end());
      return Fail(DiagnosticKind::kContractUnknownKey, entry.key.where, "unknown key '" + entry.key.text + "' in " + std::string(what),
                  "one of: " + Join(known));
    }
    return true;
  }
  const TomlValue* Need(const TomlValue& table, std::string_view key, const SourceLocation& where, std::string_view what) {
    const TomlValue* value = table.Find(key);
    if (value == nullptr) {
      Fail(DiagnosticKind::kContractMissingKey, where, std::string(what) + " has no '" + std::string(key) + "'");
    }
    return value;
  }
  SourceLocation WhereOfKey(const TomlValue& table, std::string_view key) const {
    for (const TomlEntry& entry : table.entries) {
      if (entry.key.text == key) return entry.key.where;
    }
    return table.where();
  }

  bool ReadRoot(const TomlValue& root) {
    contract_.file = source_.file();
    contract_.where = SourceLocation{source_.file(), 0, 0, 1};
    if (!OnlyKeys(root,
                  {"id", "version", "scope", "dims", "tensors", "scalars", "candidate", "reference", "post", "tolerance", "measurement",
                   "violation"},
                  "the contract")) {
      return false;
    }
    const TomlValue* id = Need(root, "id", contract_.where, "the contract");
    const TomlValue* version = id == nullptr ? nullptr : Need(root, "version", contract_.where, "the contract");
    if (version == nullptr || !Is(*id, Kind::kString, "id") || !Is(*version, Kind::kInteger, "version")) return false;
    if (id->text.text.empty()) return Fail(DiagnosticKind::kContractValue, id->where(), "empty id");
    if (version->integer != 1) {
      return Fail(DiagnosticKind::kContractValue, version->where(), "contract version " + std::to_string(version->integer), "1");
    }
    contract_.id = id->text.text;
    contract_.where = id->where();
    return ReadDims(root) && ReadScope(root) && NameTensors(root) && ReadScalars(root) && ReadTensors(root) && ReadAlias(root) &&
           ReadCall(root, Side::kCandidate) && ReadCall(root, Side::kReference) && ReadPost(root) && ReadTolerance(root) &&
           ReadText(root, "measurement", contract_.measurement) && ReadText(root, "violation", contract_.violation) && CheckCorners();
  }

  // The section, or nullptr if it is absent (or an error was found: ok is then false).
  const TomlValue* Section(const TomlValue& root, std::string_view name, bool required, bool* ok) {
    const TomlValue* section = required ? Need(root, name, contract_.where, "the contract") : root.Find(name);
    *ok = section == nullptr ? !required : Is(*section, Kind::kTable, "[" + std::string(name) + "]");
    return *ok ? section : nullptr;
  }

  bool NewName(const LocatedText& key, std::string_view what) {
    if (!IsName(key.text)) {
      return Fail(DiagnosticKind::kContractValue, key.where, "'" + key.text.substr(0, kMaxNameLength) + "' is no name of a " + std::string(what),
                  "a letter or _, then letters, digits and _, at most " + std::to_string(kMaxNameLength));
    }
    if (key.text == "min" || key.text == "max" || key.text == "ceildiv") {
      return Fail(DiagnosticKind::kContractValue, key.where, "'" + key.text + "' is a function and cannot name a " + std::string(what));
    }
    if (!names_.insert(key.text).second) {
      return Fail(DiagnosticKind::kContractValue, key.where, "'" + key.text + "' names two things", "distinct names for dims, tensors and scalars");
    }
    if (names_.size() > 3 * kMaxNamed) return Fail(DiagnosticKind::kContractValue, key.where, "too many names");
    return true;
  }

  // ---- dims and scope

  bool ReadDims(const TomlValue& root) {
    bool ok = true;
    const TomlValue* section = Section(root, "dims", /*required=*/true, &ok);
    if (section == nullptr) return ok;
    if (section->entries.size() > kMaxNamed) return Fail(DiagnosticKind::kContractDims, section->where(), "more than 64 dims");
    for (const TomlEntry& entry : section->entries) {
      if (!NewName(entry.key, "dim") || !ReadDim(entry)) return false;
    }
    return true;
  }

  bool PositiveInteger(const TomlValue& value, std::string_view what, int64_t* out) {
    if (!Is(value, Kind::kInteger, what)) return false;
    if (value.integer < 1) {
      return Fail(DiagnosticKind::kContractDims, value.where(), std::string(what) + " is " + std::to_string(value.integer), "at least 1");
    }
    *out = value.integer;
    return true;
  }

  bool ReadDim(const TomlEntry& entry) {
    DimSpec dim;
    dim.name = entry.key.text;
    dim.where = entry.key.where;
    std::string what = "dim " + dim.name;
    if (entry.value.kind == Kind::kInteger) {
      dim.fixed = true;
      if (!PositiveInteger(entry.value, what, &dim.min)) return false;
      dim.max = dim.min;
      contract_.dims.push_back(std::move(dim));
      return true;
    }
    const TomlValue& table = entry.value;
    if (table.kind != Kind::kTable) {
      return Fail(DiagnosticKind::kContractType, table.where(), what + " is " + std::string(TomlKindName(table.kind)),
                  "an integer, { min, max, multiple_of } or { values }");
    }
    if (!OnlyKeys(table, {"min", "max", "multiple_of", "values"}, what)) return false;
    const TomlValue* min = table.Find("min");
    const TomlValue* max = table.Find("max");
    const TomlValue* multiple = table.Find("multiple_of");
    const TomlValue* values = table.Find("values");
    if (multiple != nullptr && !PositiveInteger(*multiple, "multiple_of", &dim.multiple_of)) return false;
    if (min != nullptr && !PositiveInteger(*min, "min", &dim.min)) return false;
    if (max != nullptr && !PositiveInteger(*max, "max", &dim.max)) return false;
    if (max == nullptr && values == nullptr) return Need(table, "max", dim.where, what) != nullptr;
    if (max == nullptr) dim.max = std::numeric_limits<int64_t>::max();
    if (dim.min > dim.max) {
      return Fail(DiagnosticKind::kContractDims, min != nullptr ? min->where() : max->where(),
                  what + " has min " + std::to_string(dim.min) + " above max " + std::to_string(dim.max));
    }
    if (values != nullptr && !ReadDimValues(*values, what, dim)) return false;
    if (!dim.AtLeast(dim.min)) {
      return Fail(DiagnosticKind::kContractDims, multiple != nullptr ? multiple->where() : dim.where,
                  what + " has no member: no multiple of " + std::to_string(dim.multiple_of) + " lies between " + std::to_string(dim.min) +
                      " and " + std::to_string(dim.max));
    }
    contract_.dims.push_back(std::move(dim));
    return true;
  }

  bool ReadDimValues(const TomlValue& values, const std::string& what, DimSpec& dim) {
    if (!Is(values, Kind::kArray, "values")) return false;
    if (values.items.empty() || values.items.size() > kMaxValues) {
      return Fail(DiagnosticKind::kContractDims, values.where(), what + " has " + std::to_string(values.items.size()) + " values",
                  "1 to " + std::to_string(kMaxValues));
    }
    for (const TomlValue& item : values.items) {
      int64_t value = 0;
      if (!PositiveInteger(item, "a value of " + what, &value)) return false;
      if (!dim.Contains(value)) {
        return Fail(DiagnosticKind::kContractDims, item.where(), what + " cannot be " + std::to_string(value) + " by its own min, max or multiple_of");
      }
    }
    for (const TomlValue& item : values.items) dim.values.push_back(item.integer);
    std::sort(dim.values.begin(), dim.values.end());
    dim.values.erase(std::unique(dim.values.begin(), dim.values.end()), dim.values.end());
    dim.min = dim.values.front();
    dim.max = dim.values.back();
    return true;
  }

  bool ReadScope(const TomlValue& root) {
    bool ok = true;
    const TomlValue* section = Section(root, "scope", /*required=*/false, &ok);
    if (section == nullptr) return ok;
    if (!OnlyKeys(*section, {"targets", "dispatch"}, "[scope]")) return false;
    if (const TomlValue* targets = section->Find("targets")) {
      if (!Is(*targets, Kind::kArray, "targets")) return false;
      for (const TomlValue& item : targets->items) {
        if (!Is(item, Kind::kString, "a target")) return false;
        const std::string& text = item.text.text;
        size_t digits = text.find_first_not_of("0123456789", 3);
        std::string suffix = digits == std::string::npos ? "" : text.substr(digits);
        bool good = text.substr(0, 3) == "sm_" && text.size() >= 5 && text.size() <= 7 && digits != 3 && digits != 4 &&
                    (suffix.empty() || suffix == "a" || suffix == "f");
        if (!good) return Fail(DiagnosticKind::kContractValue, item.where(), "unknown target '" + text + "'", "such as sm_80 or sm_90a");
        contract_.targets.push_back(text);
      }
    }
    if (const TomlValue* dispatch = section->Find("dispatch")) {
      if (!Is(*dispatch, Kind::kString, "dispatch")) return false;
      Result<Expression> condition = Expression::ParseCondition(dispatch->text, DimNames());
      if (!condition.ok()) return Fail(condition.error());
      contract_.dispatch = std::move(*condition);
    }
    return true;
  }

  ExpressionScope DimNames() const {
    ExpressionScope names = contract_.Names();
    names.scalars.clear();
    return names;
  }

  // An expression over dims, written as a string or an integer.
  std::optional<Expression> IntegerExpression(const TomlValue& value, std::string_view what) {
    if (value.kind == Kind::kInteger) return Expression::Integer(value.integer, value.where());
    if (value.kind != Kind::kString) {
      Fail(DiagnosticKind::kContractType, value.where(), std::string(what) + " is " + std::string(TomlKindName(value.kind)),
           "an expression in quotes or an integer");
      return std::nullopt;
    }
    return ParseInteger(value.text);
  }
  std::optional<Expression> ParseInteger(const LocatedText& text) {
    Result<Expression> expression = Expression::ParseNumber(text, DimNames());
    if (!expression.ok()) {
      Fail(expression.error());
      return std::nullopt;
    }
    for (const Expression::Node& node : expression->nodes()) {
      if (node.op != Expression::Op::kReal) continue;
      Fail(DiagnosticKind::kContractExpression, text.At(node.offset, node.length), "a fraction in an integer expression");
      return std::nullopt;
    }
    return std::move(*expression);
  }
  bool IntegerExpressions(const TomlValue& value, std::string_view what, size_t min, size_t max, std::vector<Expression>& out) {
    if (!Is(value, Kind::kArray, what)) return false;
    if (value.items.size() < min || value.items.size() > max) {
      std::string expected = min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max);
      return Fail(DiagnosticKind::kContractValue, value.where(), std::string(what) + " has " + std::to_string(value.items.size()) + " entries",
                  expected);
    }
    for (const TomlValue& item : value.items) {
      std::optional<Expression> expression = IntegerExpression(item, "an entry of " + std::string(what));
      if (!expression) return false;
      out.push_back(std::move(*expression));
    }
    return true;
  }

  std::optional<ScalarType> Dtype(const TomlValue& table, const SourceLocation& where, std::string_view what) {
    const TomlValue* dtype = Need(table, "dtype", where, what);
    if (dtype == nullptr || !Is(*dtype, Kind::kString, "dtype")) return std::nullopt;
    std::optional<ScalarType> type = ElementType(dtype->text);
    return type;
  }
  std::optional<ScalarType> ElementType(const LocatedText& text) {
    std::optional<ScalarType> type = ScalarTypeFromSpelling(text.text);
    if (type && *type != ScalarType::kNone && IsElementType(*type)) return type;
    Fail(DiagnosticKind::kContractValue, text.where, "unknown dtype '" + text.text + "'",
         "one of: f64 f32 tf32 f16 bf16 e4m3 e5m2 s64 s32 s16 s8 u64 u32 u16 u8 b64 b32 b16 b8");
    return std::nullopt;
  }

  // ---- tensors

  // Names first: scalars and tensors may then be read in either order.
  bool NameTensors(const TomlValue& root) {
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

  bool ReadTensors(const TomlValue& root) {
    size_t next = 0;
    for (const TomlEntry& entry : root.Find("tensors")->entries) {
      if (entry.key.text != "alias" && !ReadTensor(entry.value, contract_.tensors[next++])) return false;
    }
    return true;
  }

  bool ReadTensor(const TomlValue& table, TensorSpec& tensor) {
    std::string what = "tensor " + tensor.name;
    if (!Is(table, Kind::kTable, what)) return false;
    if (!OnlyKeys(table, {"dtype", "shape", "role", "align", "strides", "offset", "init", "values"}, what)) return false;
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
    const TomlValue* values = table.Find("values");
    if (tensor.role == Role::kIndex) {
      if (IsFloat(tensor.dtype)) return Fail(DiagnosticKind::kContractTensor, tensor.where, what + " is an index of a floating dtype", "an integer dtype");
      tensor.values.emplace();
      tensor.values->where = tensor.where;
      return values == nullptr || ReadIndexValues(*values, tensor);
    }
    if (values != nullptr) {
      return Fail(DiagnosticKind::kContractTensor, WhereOfKey(table, "values"), what + " has values but is no index", "role = \"index\"");
    }
    return true;
  }

  bool ReadRole(const TomlValue& value, TensorSpec& tensor) {
    if (!Is(value, Kind::kString, "role")) return false;
    for (Role role : {Role::kIn, Role::kOut, Role::kInout, Role::kScratch, Role::kIndex}) {
      if (value.text.text != RoleName(role)) continue;
      tensor.role = role;
      return true;
    }
    return Fail(DiagnosticKind::kContractValue, value.where(), "unknown role '" + value.text.text + "'", "in, out, inout, scratch or index");
  }

  bool ReadInit(const TomlValue& init, const std::string& what, TensorSpec& tensor) {
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

  // Decimal or fraction; TOML allows _ between digits.
  static std::optional<Rational> Number(std::string text) {
    constexpr size_t kMaxLength = 64;
    if (text.size() > kMaxLength) return std::nullopt;
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    return Rational::Parse(Trim(text));
  }

  bool ReadIndexValues(const TomlValue& value, TensorSpec& tensor) {
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

  bool ReadAlias(const TomlValue& root) {
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
        if (!used.insert(*tensor).second) return Fail(DiagnosticKind::kContractTensor, item.where(), "tensor '" + spec.name + "' twice in alias");
        if (spec.role == Role::kScratch || spec.role == Role::kIndex) {
          return Fail(DiagnosticKind::kContractTensor, item.where(), "tensor '" + spec.name + "' of role " + std::string(RoleName(spec.role)) + " in alias",
                      "in, out or inout");
        }
        outputs += spec.IsOutput() ? 1 : 0;
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

  std::optional<uint32_t> TensorName(const TomlValue& item, std::string_view what) {
    if (!Is(item, Kind::kString, "an entry of " + std::string(what))) return std::nullopt;
    std::optional<uint32_t> tensor = contract_.FindTensor(item.text.text);
    if (!tensor) {
      std::vector<std::string> known;
      for (const TensorSpec& spec : contract_.tensors) known.push_back(spec.name);
      Fail(DiagnosticKind::kContractTensor, item.where(), "'" + item.text.text + "' in " + std::string(what) + " is no tensor", "one of: " + Join(known));
    }
    return tensor;
  }

  // ---- scalars

  bool ReadScalars(const TomlValue& root) {
    bool ok = true;
    const TomlValue* section = Section(root, "scalars", /*required=*/false, &ok);
    if (section == nullptr) return ok;
    if (section->entries.size() > kMaxNamed) return Fail(DiagnosticKind::kContractValue, section->where(), "more than 64 scalars");
    for (const TomlEntry& entry : section->entries) {
      if (!NewName(entry.key, "scalar")) return false;
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

  bool ReadScalar(const TomlValue& table, ScalarSpec& scalar) {
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
    if (range != nullptr) return Is(*range, Kind::kString, "range") && ReadRange(range->text, scalar);
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

  bool ReadRange(const LocatedText& text, ScalarSpec& scalar) {
    const char* expected = "such as \"(0, 1]\" or \"[-1, inf)\"";
    auto bad = [&](std::string message) { return Fail(DiagnosticKind::kContractValue, text.where, std::move(message), expected); };
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
    scalar.range = std::move(range);
    return true;
  }

  // Kahn's algorithm in order of declaration; what remains is a cycle.
  bool OrderScalars() {
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

  // ---- calls

  bool ReadCall(const TomlValue& root, Side side) {
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

  std::optional<CallArgument> ReadArgument(const TomlValue& item) {
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

  // ---- post, tolerance, texts

  bool ReadPost(const TomlValue& root) {
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
      return Fail(DiagnosticKind::kContractTensor, outputs != nullptr ? outputs->where() : WhereOfKey(root, "tensors"), "no outputs: there is nothing to check",
                  "a tensor of role out or inout");
    }
    return true;
  }

  template <class Accept>
  bool ReadTensorList(const TomlValue* list, std::string_view what, Accept accept, std::string_view expected, std::vector<uint32_t>& out) {
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
        return Fail(DiagnosticKind::kContractTensor, item.where(), "tensor '" + spec.name + "' of role " + std::string(RoleName(spec.role)) + " in " + std::string(what),
                    std::string(expected));
      }
      if (std::find(out.begin(), out.end(), *tensor) != out.end()) {
        return Fail(DiagnosticKind::kContractTensor, item.where(), "tensor '" + spec.name + "' twice in " + std::string(what));
      }
      out.push_back(*tensor);
    }
    return true;
  }

  bool ReadTolerance(const TomlValue& root) {
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

  bool ReadText(const TomlValue& root, std::string_view name, std::vector<std::pair<std::string, std::string>>& out) {
    bool ok = true;
    const TomlValue* section = Section(root, name, /*required=*/false, &ok);
    if (section == nullptr) return ok;
    for (const TomlEntry& entry : section->entries) out.emplace_back(entry.key.text, entry.value.Render());
    return true;
  }

  // Every combination of smallest and largest members (of the first dims) that the dispatch predicate lets through.
  bool CheckCorners() {
    size_t varied = std::min(contract_.dims.size(), kMaxCornerDims);
    for (uint32_t corner = 0; corner < (1u << varied); ++corner) {
      DimAssignment dims;
      for (size_t i = 0; i < contract_.dims.size(); ++i) {
        const DimSpec& dim = contract_.dims[i];
        bool largest = i < varied ? (corner >> i & 1) != 0 : corner + 1 == (1u << varied);
        dims.push_back(largest ? dim.AtMost(dim.max).value() : dim.AtLeast(dim.min).value());
      }
      if (contract_.dispatch) {
        Result<bool> dispatched = contract_.dispatch->EvaluateCondition(dims);
        if (!dispatched.ok()) return Fail(dispatched.error());
        if (!*dispatched) continue;
      }
      for (const TensorSpec& tensor : contract_.tensors) {
        for (const Expression& size : tensor.shape) {
          Result<int64_t> value = size.EvaluateInteger(dims);
          if (!value.ok()) return Fail(value.error());
          if (*value < 1) {
            return Fail(DiagnosticKind::kContractTensor, size.where(),
                        "tensor " + tensor.name + " has a size of " + std::to_string(*value) + " at " + contract_.Describe(dims), "at least 1");
          }
        }
      }
      for (const std::optional<CallSpec>* call : {&contract_.candidate, &contract_.reference}) {
        if (!*call) continue;
        Result<ConcreteLaunch> launch = EvaluateLaunch(contract_, **call, dims);
        if (!launch.ok()) return Fail(launch.error());
      }
    }
    return true;
  }

  const TomlSource& source_;
  Contract contract_;
  std::set<std::string> names_;
  std::optional<Diagnostic> error_;
};

}  // namespace

Result<Contract> ParseContract(std::shared_ptr<const SourceFile> file) {
  TomlSource source(std::move(file));
  return ContractReader(source).Read();
}

Result<Contract> ParseEmbeddedContract(std::shared_ptr<const SourceFile> file, const std::vector<std::string>& lines,
                                       const std::vector<int>& line_numbers) {
  TomlSource source(std::move(file), lines, line_numbers);
  return ContractReader(source).Read();
}

}  // namespace racer
