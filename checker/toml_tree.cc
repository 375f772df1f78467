#include "checker/toml_tree.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

#include "base/check.h"

namespace racer {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;
constexpr int kMaxBrackets = 16;
constexpr int kMaxKeyParts = 8;

size_t CodePointOffset(std::string_view line, uint64_t column) {
  size_t offset = 0;
  for (uint64_t i = 1; i < column && offset < line.size(); ++i) {
    ++offset;
    while (offset < line.size() && (static_cast<unsigned char>(line[offset]) & 0xc0) == 0x80) ++offset;
  }
  return offset;
}

// toml++ makes (and destroys) tables as deep as keys and brackets say, on the stack. This finds text that goes too deep,
// outside strings and comments; text that is no TOML may be misread here only after the point where toml++ stops.
std::optional<Diagnostic> CheckDepth(const TomlSource& source) {
  std::string_view text = source.text();
  int brackets = 0, parts = 0;
  auto error = [&](size_t at, const char* what, int limit) {
    return MakeError(DiagnosticKind::kContractSyntax, source.LocateOffset(at, 1), what, "at most " + std::to_string(limit));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"' || c == '\'') {
      std::string_view triple = c == '"' ? "\"\"\"" : "'''";
      bool multi_line = text.substr(i, 3) == triple;
      i += multi_line ? 3 : 1;
      while (i < text.size() && (multi_line ? text.substr(i, 3) != triple : text[i] != c && text[i] != '\n')) {
        i += c == '"' && text[i] == '\\' ? 2 : 1;
      }
      if (multi_line) i += 2;
    } else if (static_cast<unsigned char>(c) >= 0x80 && !(i < 3 && text.starts_with("\xef\xbb\xbf"))) {
      // TOML has no such characters there, and to classify some of them is undefined behaviour in toml++ 3.3.
      return MakeError(DiagnosticKind::kContractSyntax, source.LocateOffset(i, 1),
                       "a character outside ASCII, outside strings and comments", "a key of letters, digits, _ and -");
    } else if (c == '[' || c == '{') {
      parts = 0;
      if (++brackets > kMaxBrackets) return error(i, "brackets nested too deeply", kMaxBrackets);
    } else if (c == ']' || c == '}') {
      parts = 0;
      brackets = std::max(brackets - 1, 0);
    } else if (c == '.') {
      if (++parts >= kMaxKeyParts) return error(i, "key of too many parts", kMaxKeyParts);
    } else if (c == '=' || c == ',' || c == '\n') {
      parts = 0;
    }
  }
  return std::nullopt;
}

using Kind = TomlValue::Kind;

class Converter {
 public:
  explicit Converter(const TomlSource& source) : source_(source) {}

  // Recursion is bounded by CheckDepth.
  TomlValue Convert(const toml::node& node) const {
    TomlValue value;
    const toml::source_region& region = node.source();
    std::string_view raw = source_.RestOfLine(region.begin.line, region.begin.column);
    bool one_line = region.begin.line == region.end.line && region.end.column > region.begin.column;
    raw = one_line ? raw.substr(0, CodePointOffset(raw, region.end.column - region.begin.column + 1)) : raw.substr(0, 1);
    value.text.where = source_.Locate(region.begin.line, region.begin.column, std::max<size_t>(raw.size(), 1));
    value.text.text = std::string(raw);
    switch (node.type()) {
      case toml::node_type::table: ConvertTable(*node.as_table(), value); break;
      case toml::node_type::array:
        value.kind = Kind::kArray;
        value.text.text.clear();
        for (const toml::node& item : *node.as_array()) value.items.push_back(Convert(item));
        break;
      case toml::node_type::string: {
        value.kind = Kind::kString;
        const std::string& contents = node.as_string()->get();
        value.text.exact = raw.size() == contents.size() + 2 && raw.substr(1, contents.size()) == contents;
        value.text.text = contents;
        if (value.text.exact && value.text.where.line > 0) {
          value.text.where.column += 1;
          value.text.where.length = static_cast<int>(std::max<size_t>(contents.size(), 1));
        }
        break;
      }
      case toml::node_type::integer:
        value.kind = Kind::kInteger;
        value.integer = node.as_integer()->get();
        value.real = static_cast<double>(value.integer);
        break;
      case toml::node_type::floating_point:
        value.kind = Kind::kFloat;
        value.real = node.as_floating_point()->get();
        break;
      case toml::node_type::boolean:
        value.kind = Kind::kBoolean;
        value.boolean = node.as_boolean()->get();
        break;
      case toml::node_type::none:
      case toml::node_type::date:
      case toml::node_type::time:
      case toml::node_type::date_time: value.kind = Kind::kTime; break;
    }
    return value;
  }

 private:
  void ConvertTable(const toml::table& table, TomlValue& value) const {
    value.kind = Kind::kTable;
    value.text.text.clear();
    std::vector<std::pair<toml::source_position, TomlEntry>> entries;
    for (const auto& [key, child] : table) {
      const toml::source_position& at = key.source().begin;
      TomlEntry entry;
      entry.key.text = std::string(key.str());
      entry.key.where = source_.Locate(at.line, at.column, std::max<size_t>(entry.key.text.size(), 1));
      entry.value = Convert(child);
      entries.emplace_back(at, std::move(entry));
    }
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [at, entry] : entries) value.entries.push_back(std::move(entry));
  }

  const TomlSource& source_;
};

// A word without quotes where a value stands, which is how a string is most often written wrong. toml++ takes it for the
// beginning of a number or a boolean and stops somewhere in it; `stop` is the code point, 1-based.
std::optional<Diagnostic> FindBareWord(const TomlSource& source, uint64_t line, uint64_t stop, bool wants_equals) {
  const std::string_view text = source.RestOfLine(line, 1);
  const size_t at = CodePointOffset(text, stop);
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  char before = 0;  // what stands before the word, spaces aside
  for (size_t i = 0; i < text.size() && i <= at;) {
    if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote; ++i) {
      }
      before = quote;
      ++i;
      continue;
    }
    const size_t end = std::min(text.find_first_of(" \t,[]{}#=\"'", i), text.size());
    if (end == i) {
      if (text[i] != ' ' && text[i] != '\t') before = text[i];
      ++i;
      continue;
    }
    const std::string word(text.substr(i, end - i));
    const size_t next = text.find_first_not_of(" \t", end);
    const bool key = next != std::string_view::npos && text[next] == '=';
    if ((before == '[' || (before == ',' && !wants_equals)) && key && at <= end) {
      Diagnostic error = MakeError(DiagnosticKind::kContractSyntax, source.Locate(line, 1, word.size()),
                                   "key '" + word + "' inside an array: its ']' is missing", "] before it");
      error.location.column += static_cast<int>(i);
      return error;
    }
    const bool value = before == '=' || before == '[' || (before == ',' && !wants_equals);
    if (value && letter(word[0]) && at <= end && word != "true" && word != "false" && word != "inf" && word != "nan") {
      Diagnostic error = MakeError(DiagnosticKind::kContractSyntax, source.Locate(line, 1, word.size()),
                                   "bare word '" + word + "': strings need quotes", QuoteToml(word));
      error.location.column += static_cast<int>(i);
      return error;
    }
    before = word.back();
    i = end;
  }
  return std::nullopt;
}

// A header of a table that its line does not close: what follows on the line is no value.
std::optional<Diagnostic> FindOpenHeader(const TomlSource& source, uint64_t line, std::string_view description) {
  if (description.find("table header") == std::string_view::npos) return std::nullopt;
  std::string_view text = source.RestOfLine(line, 1);
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos || text[begin] != '[') return std::nullopt;
  text = text.substr(0, std::min(text.find('#'), text.size()));
  if (text.find(']') != std::string_view::npos) return std::nullopt;
  const size_t end = text.find_last_not_of(" \t");
  const std::string written(text.substr(begin, end - begin + 1));
  Diagnostic error = MakeError(DiagnosticKind::kContractSyntax, source.Locate(line, 1, written.size()),
                               "section header without its closing bracket", written + (written.starts_with("[[") ? "]]" : "]"));
  error.location.column += static_cast<int>(begin);
  return error;
}

bool IsBareKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

TomlSource::TomlSource(std::shared_ptr<const SourceFile> file) : file_(std::move(file)), text_(file_->text()) {
  line_starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

TomlSource::TomlSource(std::shared_ptr<const SourceFile> file, const std::vector<std::string>& lines, std::vector<int> line_numbers)
    : file_(std::move(file)), line_numbers_(std::move(line_numbers)) {
  RACER_CHECK(lines.size() == line_numbers_.size());
  for (const std::string& line : lines) {
    line_starts_.push_back(text_.size());
    text_ += line + '\n';
  }
}

std::string_view TomlSource::LineText(uint64_t line) const {
  if (line < 1 || line > line_starts_.size()) return {};
  size_t begin = line_starts_[line - 1];
  size_t end = line < line_starts_.size() ? line_starts_[line] : text_.size();
  std::string_view text = std::string_view(text_).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view TomlSource::RestOfLine(uint64_t line, uint64_t column) const {
  std::string_view text = LineText(line);
  return text.substr(CodePointOffset(text, column));
}

SourceLocation TomlSource::Locate(uint64_t line, uint64_t column, size_t length) const {
  SourceLocation location{file_, 0, 0, static_cast<int>(length)};
  if (line < 1) return location;
  std::string_view text = LineText(line);
  size_t offset = CodePointOffset(text, column);
  if (line_numbers_.empty()) {
    location.line = static_cast<int>(line);
  } else {
    // An error at the end of the text lies past its last line.
    location.line = line_numbers_[std::min<size_t>(line, line_numbers_.size()) - 1];
    std::string_view whole = file_->Line(location.line);
    if (whole.size() >= text.size()) offset += whole.size() - text.size();
  }
  location.column = static_cast<int>(offset) + 1;
  return location;
}

SourceLocation TomlSource::LocateOffset(size_t offset, size_t length) const {
  auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  auto line = static_cast<size_t>(next - line_starts_.begin());
  SourceLocation location = Locate(line, 1, length);
  if (line > 0) location.column += static_cast<int>(offset - line_starts_[line - 1]);
  return location;
}

const TomlValue* TomlValue::Find(std::string_view key) const {
  for (const TomlEntry& entry : entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

std::string TomlValue::Render() const {
  switch (kind) {
    case Kind::kTable: {
      std::string out = "{";
      for (const TomlEntry& entry : entries) {
        out += out.size() > 1 ? ", " : " ";
        out += (IsBareKey(entry.key.text) ? entry.key.text : QuoteToml(entry.key.text)) + " = " + entry.value.Render();
      }
      return out + (entries.empty() ? "}" : " }");
    }
    case Kind::kArray: {
      std::string out = "[";
      for (const TomlValue& item : items) out += (out.size() > 1 ? ", " : "") + item.Render();
      return out + "]";
    }
    case Kind::kString: return QuoteToml(text.text);
    case Kind::kInteger: return std::to_string(integer);
    case Kind::kBoolean: return boolean ? "true" : "false";
    case Kind::kFloat:
    case Kind::kTime: return text.text;
  }
  RACER_UNREACHABLE(kind);
}

std::string_view TomlKindName(TomlValue::Kind kind) {
  switch (kind) {
    case Kind::kTable: return "a table";
    case Kind::kArray: return "an array";
    case Kind::kString: return "a string";
    case Kind::kInteger: return "an integer";
    case Kind::kFloat: return "a float";
    case Kind::kBoolean: return "a boolean";
    case Kind::kTime: return "a date or time";
  }
  RACER_UNREACHABLE(kind);
}

std::string QuoteToml(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

Result<TomlValue> ParseToml(const TomlSource& source) {
  if (source.text().size() > kMaxBytes) {
    return MakeError(DiagnosticKind::kContractSyntax, SourceLocation{source.file(), 0, 0, 1},
                     "contract of " + std::to_string(source.text().size()) + " bytes", "at most " + std::to_string(kMaxBytes));
  }
  if (std::optional<Diagnostic> error = CheckDepth(source)) return std::move(*error);
  try {
    toml::table table = toml::parse(source.text());
    return Converter(source).Convert(table);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    if (std::optional<Diagnostic> open = FindOpenHeader(source, at.line, error.description())) return std::move(*open);
    const bool wants_equals = error.description().find("expected '='") != std::string_view::npos;
    if (std::optional<Diagnostic> bare = FindBareWord(source, at.line, at.column, wants_equals)) return std::move(*bare);
    return MakeError(DiagnosticKind::kContractSyntax, source.Locate(at.line, at.column, 1), std::string(error.description()));
  } catch (const std::exception& error) {
    return MakeError(DiagnosticKind::kContractSyntax, SourceLocation{source.file(), 0, 0, 1},
                     std::string("the TOML reader gave up: ") + error.what());
  }
}

}  // namespace racer
