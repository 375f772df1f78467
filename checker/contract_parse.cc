// The contract as a whole: sections, dims, scope, expressions.
#include <algorithm>
#include <array>
#include <limits>

#include "base/check.h"
#include "checker/contract_reader.h"

namespace racer {

namespace contract_text {

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

}  // namespace contract_text

namespace {

using contract_text::IsName;
using contract_text::Join;
using contract_text::kMaxNamed;
using contract_text::kMaxNameLength;
using contract_text::kMaxValues;
using Kind = TomlValue::Kind;

// A type that one element of a tensor or a scalar can have.
bool IsElementType(ScalarType type) {
  switch (ClassOf(type)) {
    case TypeClass::kPredicate:
    case TypeClass::kOpaque: return false;
    case TypeClass::kUnsigned:
    case TypeClass::kSigned:
    case TypeClass::kBits: return BitWidth(type) >= 8 && BitWidth(type) <= 64 && PackedElement(type) == ScalarType::kNone;
    // Of the narrow formats only those that fill a byte with a signed number are element types.
    case TypeClass::kFloat: return IsFloatScalar(type) && (BitWidth(type) >= 16 || type == ScalarType::kE4M3 || type == ScalarType::kE5M2);
  }
  RACER_UNREACHABLE(ClassOf(type));
}

// Where a key belongs that people put elsewhere; empty for other keys.
std::string_view SectionOfKey(std::string_view key) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kHomes = {
      {{"alias", "[tensors]"},
       {"targets", "[scope]"},
       {"dispatch", "[scope]"},
       {"outputs", "[post]"},
       {"preserve", "[post]"},
       {"args", "[candidate] and [reference]"},
       {"grid", "[candidate] and [reference]"},
       {"block", "[candidate] and [reference]"},
       {"dynamic_shared", "[candidate] and [reference]"}}};
  for (const auto& [name, home] : kHomes) {
    if (name == key) return home;
  }
  return "";
}

}  // namespace

Result<Contract> ContractReader::Read() {
  Result<TomlValue> root = ParseToml(source_);
  if (!root.ok()) return root.error();
  if (!ReadRoot(*root)) return std::move(*error_);
  return std::move(contract_);
}

bool ContractReader::Fail(DiagnosticKind kind, const SourceLocation& where, std::string message, std::string expected) {
  if (!error_) error_ = MakeError(kind, where, std::move(message), std::move(expected));
  return false;
}

bool ContractReader::Fail(const Diagnostic& diagnostic) {
  if (!error_) error_ = diagnostic;
  return false;
}

bool ContractReader::Is(const TomlValue& value, Kind kind, std::string_view what) {
  if (value.kind == kind) return true;
  return Fail(DiagnosticKind::kContractType, value.where(), std::string(what) + " is " + std::string(TomlKindName(value.kind)),
              std::string(TomlKindName(kind)));
}

bool ContractReader::OnlyKeys(const TomlValue& table, std::initializer_list<std::string_view> keys, std::string_view what) {
  for (const TomlEntry& entry : table.entries) {
    if (std::find(keys.begin(), keys.end(), entry.key.text) != keys.end()) continue;
    std::vector<std::string> known(keys.begin(), keys.end());
    const std::string_view home = SectionOfKey(entry.key.text);
    return Fail(DiagnosticKind::kContractUnknownKey, entry.key.where, "unknown key '" + entry.key.text + "' in " + std::string(what),
                home.empty() || home == what ? "one of: " + Join(known) : "it in " + std::string(home) + ", below the section's header");
  }
  return true;
}

const TomlValue* ContractReader::Need(const TomlValue& table, std::string_view key, const SourceLocation& where, std::string_view what) {
  const TomlValue* value = table.Find(key);
  if (value == nullptr) {
    Fail(DiagnosticKind::kContractMissingKey, where, std::string(what) + " has no '" + std::string(key) + "'");
  }
  return value;
}

SourceLocation ContractReader::WhereOfKey(const TomlValue& table, std::string_view key) const {
  for (const TomlEntry& entry : table.entries) {
    if (entry.key.text == key) return entry.key.where;
  }
  return table.where();
}

bool ContractReader::ReadRoot(const TomlValue& root) {
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
         ReadText(root, "measurement", contract_.measurement) && ReadText(root, "violation", contract_.violation);
}

const TomlValue* ContractReader::Section(const TomlValue& root, std::string_view name, bool required, bool* ok) {
  const TomlValue* section = required ? Need(root, name, contract_.where, "the contract") : root.Find(name);
  *ok = section == nullptr ? !required : Is(*section, Kind::kTable, "[" + std::string(name) + "]");
  return *ok ? section : nullptr;
}

bool ContractReader::NewName(const LocatedText& key, std::string_view what) {
  if (!IsName(key.text)) {
    return Fail(DiagnosticKind::kContractValue, key.where,
                "'" + key.text.substr(0, kMaxNameLength) + "' is no name of a " + std::string(what),
                "a letter or _, then letters, digits and _, at most " + std::to_string(kMaxNameLength));
  }
  if (key.text == "min" || key.text == "max" || key.text == "ceildiv") {
    return Fail(DiagnosticKind::kContractValue, key.where, "'" + key.text + "' is a function and cannot name a " + std::string(what));
  }
  if (!names_.insert(key.text).second) {
    return Fail(DiagnosticKind::kContractValue, key.where, "'" + key.text + "' names two things",
                "distinct names for dims, tensors and scalars");
  }
  if (names_.size() > 3 * kMaxNamed) return Fail(DiagnosticKind::kContractValue, key.where, "too many names");
  return true;
}

bool ContractReader::NoMisplacedAlias(const TomlEntry& entry, std::string_view section) {
  if (entry.key.text != "alias" || entry.value.kind != Kind::kArray) return true;
  return Fail(DiagnosticKind::kContractUnknownKey, entry.key.where, "unknown key 'alias' in " + std::string(section),
              "it in [tensors], below the section's header");
}

bool ContractReader::ReadDims(const TomlValue& root) {
  bool ok = true;
  const TomlValue* section = Section(root, "dims", /*required=*/true, &ok);
  if (section == nullptr) return ok;
  if (section->entries.size() > kMaxNamed) return Fail(DiagnosticKind::kContractDims, section->where(), "more than 64 dims");
  for (const TomlEntry& entry : section->entries) {
    if (!NoMisplacedAlias(entry, "[dims]") || !NewName(entry.key, "dim") || !ReadDim(entry)) return false;
  }
  return true;
}

bool ContractReader::PositiveInteger(const TomlValue& value, std::string_view what, int64_t* out) {
  if (!Is(value, Kind::kInteger, what)) return false;
  if (value.integer < 1) {
    return Fail(DiagnosticKind::kContractDims, value.where(), std::string(what) + " is " + std::to_string(value.integer), "at least 1");
  }
  *out = value.integer;
  return true;
}

bool ContractReader::ReadDim(const TomlEntry& entry) {
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

bool ContractReader::ReadDimValues(const TomlValue& values, const std::string& what, DimSpec& dim) {
  if (!Is(values, Kind::kArray, "values")) return false;
  if (values.items.empty() || values.items.size() > kMaxValues) {
    return Fail(DiagnosticKind::kContractDims, values.where(), what + " has " + std::to_string(values.items.size()) + " values",
                "1 to " + std::to_string(kMaxValues));
  }
  for (const TomlValue& item : values.items) {
    int64_t value = 0;
    if (!PositiveInteger(item, "a value of " + what, &value)) return false;
    if (!dim.Contains(value)) {
      return Fail(DiagnosticKind::kContractDims, item.where(),
                  what + " cannot be " + std::to_string(value) + " by its own min, max or multiple_of");
    }
  }
  for (const TomlValue& item : values.items) dim.values.push_back(item.integer);
  std::sort(dim.values.begin(), dim.values.end());
  dim.values.erase(std::unique(dim.values.begin(), dim.values.end()), dim.values.end());
  dim.min = dim.values.front();
  dim.max = dim.values.back();
  return true;
}

bool ContractReader::ReadScope(const TomlValue& root) {
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

ExpressionScope ContractReader::DimNames() const {
  ExpressionScope names = contract_.Names();
  names.scalars.clear();
  return names;
}

std::optional<Expression> ContractReader::IntegerExpression(const TomlValue& value, std::string_view what) {
  if (value.kind == Kind::kInteger) return Expression::Integer(value.integer, value.where());
  if (value.kind != Kind::kString) {
    Fail(DiagnosticKind::kContractType, value.where(), std::string(what) + " is " + std::string(TomlKindName(value.kind)),
         "an expression in quotes or an integer");
    return std::nullopt;
  }
  return ParseInteger(value.text);
}

std::optional<Expression> ContractReader::ParseInteger(const LocatedText& text) {
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

bool ContractReader::IntegerExpressions(const TomlValue& value, std::string_view what, size_t min, size_t max,
                                        std::vector<Expression>& out) {
  if (!Is(value, Kind::kArray, what)) return false;
  if (value.items.size() < min || value.items.size() > max) {
    std::string expected = min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max);
    return Fail(DiagnosticKind::kContractValue, value.where(),
                std::string(what) + " has " + std::to_string(value.items.size()) + " entries", expected);
  }
  for (const TomlValue& item : value.items) {
    std::optional<Expression> expression = IntegerExpression(item, "an entry of " + std::string(what));
    if (!expression) return false;
    out.push_back(std::move(*expression));
  }
  return true;
}

std::optional<ScalarType> ContractReader::Dtype(const TomlValue& table, const SourceLocation& where, std::string_view what) {
  const TomlValue* dtype = Need(table, "dtype", where, what);
  if (dtype == nullptr || !Is(*dtype, Kind::kString, "dtype")) return std::nullopt;
  std::optional<ScalarType> type = ElementType(dtype->text);
  return type;
}

std::optional<ScalarType> ContractReader::ElementType(const LocatedText& text) {
  std::optional<ScalarType> type = ScalarTypeFromSpelling(text.text);
  if (type && *type != ScalarType::kNone && IsElementType(*type)) return type;
  Fail(DiagnosticKind::kContractValue, text.where, "unknown dtype '" + text.text + "'",
       "one of: f64 f32 tf32 f16 bf16 e4m3 e5m2 s64 s32 s16 s8 u64 u32 u16 u8 b64 b32 b16 b8");
  return std::nullopt;
}

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
