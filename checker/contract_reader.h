// Reads the tree of a contract file into a Contract. Private to the contract library.
#ifndef RACER_CHECKER_CONTRACT_READER_H_
#define RACER_CHECKER_CONTRACT_READER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/contract.h"
#include "checker/toml_tree.h"

namespace racer {

namespace contract_text {

std::string Join(const std::vector<std::string>& names);  // cut when long
std::string Trim(std::string_view text);
bool IsName(std::string_view text);
constexpr size_t kMaxNamed = 64;  // dims, tensors, scalars: of each
constexpr size_t kMaxValues = 4096;
constexpr size_t kMaxNameLength = 64;

}  // namespace contract_text

// Reads one contract; every member function returns false (or nullopt) once an error is known.
class ContractReader {
 public:
  explicit ContractReader(const TomlSource& source) : source_(source) {}

  Result<Contract> Read();

 private:
  bool Fail(DiagnosticKind kind, const SourceLocation& where, std::string message, std::string expected = "");
  bool Fail(const Diagnostic& diagnostic);
  bool Is(const TomlValue& value, TomlValue::Kind kind, std::string_view what);
  bool OnlyKeys(const TomlValue& table, std::initializer_list<std::string_view> keys, std::string_view what);
  const TomlValue* Need(const TomlValue& table, std::string_view key, const SourceLocation& where, std::string_view what);
  SourceLocation WhereOfKey(const TomlValue& table, std::string_view key) const;
  bool ReadRoot(const TomlValue& root);

  // The section, or nullptr if it is absent (or an error was found: ok is then false).
  const TomlValue* Section(const TomlValue& root, std::string_view name, bool required, bool* ok);
  bool NewName(const LocatedText& key, std::string_view what);

  // ---- dims and scope

  // `alias = [...]` behind the header of another section is read as a part of that.
  bool NoMisplacedAlias(const TomlEntry& entry, std::string_view section);
  bool ReadDims(const TomlValue& root);
  bool PositiveInteger(const TomlValue& value, std::string_view what, int64_t* out);
  bool ReadDim(const TomlEntry& entry);
  bool ReadDimValues(const TomlValue& values, const std::string& what, DimSpec& dim);
  bool ReadScope(const TomlValue& root);
  ExpressionScope DimNames() const;

  // An expression over dims, written as a string or an integer.
  std::optional<Expression> IntegerExpression(const TomlValue& value, std::string_view what);
  std::optional<Expression> ParseInteger(const LocatedText& text);
  bool IntegerExpressions(const TomlValue& value, std::string_view what, size_t min, size_t max, std::vector<Expression>& out);
  std::optional<ScalarType> Dtype(const TomlValue& table, const SourceLocation& where, std::string_view what);
  std::optional<ScalarType> ElementType(const LocatedText& text);

  // ---- tensors

  // Names first: scalars and tensors may then be read in either order.
  bool NameTensors(const TomlValue& root);
  bool ReadTensors(const TomlValue& root);
  bool ReadTensor(const TomlValue& table, TensorSpec& tensor);
  bool ReadRole(const TomlValue& value, TensorSpec& tensor);
  bool ReadInit(const TomlValue& init, const std::string& what, TensorSpec& tensor);

  // Decimal or fraction; TOML allows _ between digits.
  static std::optional<Rational> Number(std::string text);
  bool ReadIndexValues(const TomlValue& value, TensorSpec& tensor);
  bool ReadAlias(const TomlValue& root);
  std::optional<uint32_t> TensorName(const TomlValue& item, std::string_view what);

  // ---- scalars

  bool ReadScalars(const TomlValue& root);
  bool ReadScalar(const TomlValue& table, ScalarSpec& scalar);
  std::optional<RealRange> ReadRange(const LocatedText& text);

  // Kahn's algorithm in order of declaration; what remains is a cycle.
  bool OrderScalars();

  // ---- calls

  bool ReadCall(const TomlValue& root, Side side);
  std::optional<CallArgument> ReadArgument(const TomlValue& item);
  std::optional<CallArgument> ReadFields(const TomlValue& list);
  std::optional<CallArgument> ReadField(const TomlValue& item);
  std::optional<CallArgument> ReadValue(const TomlValue& item);

  // ---- post, tolerance, texts

  bool ReadPost(const TomlValue& root);
  bool ReadTensorList(const TomlValue* list, std::string_view what, bool (*accept)(const TensorSpec&), std::string_view expected,
                      std::vector<uint32_t>& out);
  bool ReadTolerance(const TomlValue& root);
  bool ReadText(const TomlValue& root, std::string_view name, std::vector<std::pair<std::string, std::string>>& out);

  const TomlSource& source_;
  Contract contract_;
  std::set<std::string> names_;
  std::optional<Diagnostic> error_;
};

}  // namespace racer

#endif  // RACER_CHECKER_CONTRACT_READER_H_
