// TOML text as a plain tree in which everything knows where it stands. The only user of toml++.
#ifndef RACER_CHECKER_TOML_TREE_H_
#define RACER_CHECKER_TOML_TREE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "checker/expression.h"

namespace racer {

// Where the TOML text lies in a file: all of it, or the ends of some of its lines.
class TomlSource {
 public:
  explicit TomlSource(std::shared_ptr<const SourceFile> file);
  TomlSource(std::shared_ptr<const SourceFile> file, const std::vector<std::string>& lines, std::vector<int> line_numbers);

  std::string_view text() const { return text_; }
  const std::shared_ptr<const SourceFile>& file() const { return file_; }
  // Of a line and a column of the TOML text, both 1-based, the column in code points; `length` bytes to underline.
  SourceLocation Locate(uint64_t line, uint64_t column, size_t length) const;
  SourceLocation LocateOffset(size_t offset, size_t length) const;
  // The rest of a line from a code point on; empty outside the text.
  std::string_view RestOfLine(uint64_t line, uint64_t column) const;

 private:
  std::string_view LineText(uint64_t line) const;

  std::shared_ptr<const SourceFile> file_;
  std::string text_;
  std::vector<size_t> line_starts_;
  std::vector<int> line_numbers_;  // empty: the text is the file
};

struct TomlEntry;

struct TomlValue {
  enum class Kind : uint8_t { kTable, kArray, kString, kInteger, kFloat, kBoolean, kTime } kind = Kind::kTable;
  LocatedText text;  // kString: its contents; numbers: as written; where: the value
  int64_t integer = 0;
  double real = 0;  // kFloat, kInteger
  bool boolean = false;
  std::vector<TomlValue> items;    // kArray
  std::vector<TomlEntry> entries;  // kTable, in the order written

  const SourceLocation& where() const { return text.where; }
  const TomlValue* Find(std::string_view key) const;
  std::string Render() const;  // as TOML on one line
};

struct TomlEntry {
  LocatedText key;
  TomlValue value;
};

std::string_view TomlKindName(TomlValue::Kind kind);  // "a table", "an integer", ...
std::string QuoteToml(std::string_view text);         // as a basic string

// Errors are ContractSyntax with the place. Limits: 1 MiB, 16 levels of brackets, 8 parts a dotted key.
Result<TomlValue> ParseToml(const TomlSource& source);

}  // namespace racer

#endif  // RACER_CHECKER_TOML_TREE_H_
