// User-facing errors: what was found, where, and what was expected.
#ifndef RACER_BASE_DIAGNOSTIC_H_
#define RACER_BASE_DIAGNOSTIC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace racer {

// The text of one input file, shared by everything that points into it.
class SourceFile {
 public:
  SourceFile(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  // Line `line` (1-based) without its newline; empty past the end.
  std::string_view Line(int line) const;
  int line_count() const { return static_cast<int>(line_starts_.size()); }
  // The 1-based line and column (in bytes) of a byte offset.
  int LineOf(size_t offset) const;
  int ColumnOf(size_t offset) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<size_t> line_starts_;
};

// A place in a SourceFile. Line and column are 1-based; line 0 means "the whole file".
struct SourceLocation {
  std::shared_ptr<const SourceFile> file;
  int line = 0;
  int column = 0;
  int length = 1;  // bytes to underline

  std::string ToString() const;  // "file.ptx:12:5"
};

enum class Severity : uint8_t { kError, kWarning, kNote };

// Every kind of diagnostic that racer can print: kind name, from diagnostic_kinds.def.
enum class DiagnosticKind : uint16_t {
#define RACER_DIAGNOSTIC(name) k##name,
#include "base/diagnostic_kinds.def"
};
std::string_view DiagnosticKindName(DiagnosticKind kind);

struct Diagnostic {
  DiagnosticKind kind = DiagnosticKind::kNone;
  Severity severity = Severity::kError;
  SourceLocation location;
  std::string message;   // what was found, one line
  std::string expected;  // what was expected instead; may be empty
  std::vector<Diagnostic> notes;

  // "file:line:column: error: message", the source line, a caret line, and
  // "expected ..." where known. Control and non-ASCII bytes of the source line
  // are escaped and long lines are cut around the caret.
  std::string Render() const;
};

Diagnostic MakeError(DiagnosticKind kind, SourceLocation location, std::string message, std::string expected = "");

// Escapes bytes outside printable ASCII as \xNN so that hostile input cannot drive a terminal.
std::string EscapeForTerminal(std::string_view text);

}  // namespace racer

#endif  // RACER_BASE_DIAGNOSTIC_H_
