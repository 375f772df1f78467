#include "base/diagnostic.h"

#include <algorithm>

#include "base/check.h"

namespace racer {
namespace {

constexpr size_t kMaxShownColumns = 160;

// The source line cut to a window around the caret, with the caret's column in it.
struct Excerpt {
  std::string text;
  size_t caret = 0;
};

Excerpt MakeExcerpt(std::string_view line, int column) {
  size_t at = std::min(line.size(), static_cast<size_t>(std::max(column, 1) - 1));
  size_t begin = at > kMaxShownColumns / 2 ? at - kMaxShownColumns / 2 : 0;
  size_t end = std::min(line.size(), begin + kMaxShownColumns);
  Excerpt excerpt;
  if (begin > 0) excerpt.text = "...";
  excerpt.text += EscapeForTerminal(line.substr(begin, at - begin));
  excerpt.caret = excerpt.text.size();
  excerpt.text += EscapeForTerminal(line.substr(at, end - at));
  if (end < line.size()) excerpt.text += "...";
  return excerpt;
}

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  RACER_UNREACHABLE(severity);
}

void RenderTo(const Diagnostic& diagnostic, std::string& out) {
  std::string place = diagnostic.location.ToString();
  if (!place.empty()) out += place + ": ";
  out += std::string(SeverityName(diagnostic.severity)) + ": " + EscapeForTerminal(diagnostic.message);
  if (!diagnostic.expected.empty()) out += "; expected " + EscapeForTerminal(diagnostic.expected);
  out += '\n';
  if (diagnostic.location.file != nullptr && diagnostic.location.line > 0) {
    std::string_view line = diagnostic.location.file->Line(diagnostic.location.line);
    if (!line.empty()) {
      Excerpt excerpt = MakeExcerpt(line, diagnostic.location.column);
      size_t room = excerpt.text.size() > excerpt.caret ? excerpt.text.size() - excerpt.caret : 1;
      size_t length = std::clamp<size_t>(static_cast<size_t>(std::max(diagnostic.location.length, 1)), 1, room);
      out += "  " + excerpt.text + "\n  " + std::string(excerpt.caret, ' ') + '^' + std::string(length - 1, '~') + '\n';
    }
  }
  for (const Diagnostic& note : diagnostic.notes) RenderTo(note, out);
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view SourceFile::Line(int line) const {
  if (line < 1 || line > line_count()) return {};
  size_t begin = line_starts_[static_cast<size_t>(line) - 1];
  size_t end = line < line_count() ? line_starts_[static_cast<size_t>(line)] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

int SourceFile::LineOf(size_t offset) const {
  auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(next - line_starts_.begin());
}

int SourceFile::ColumnOf(size_t offset) const {
  return static_cast<int>(offset - line_starts_[static_cast<size_t>(LineOf(offset)) - 1]) + 1;
}

std::string SourceLocation::ToString() const {
  if (file == nullptr) return "";
  std::string text = EscapeForTerminal(file->name());
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

std::string_view DiagnosticKindName(DiagnosticKind kind) {
  switch (kind) {
#define RACER_DIAGNOSTIC(name) \
  case DiagnosticKind::k##name: return #name;
#include "base/diagnostic_kinds.def"
  }
  RACER_UNREACHABLE(kind);
}

std::string Diagnostic::Render() const {
  std::string out;
  RenderTo(*this, out);
  return out;
}

Diagnostic MakeError(DiagnosticKind kind, SourceLocation location, std::string message, std::string expected) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.location = std::move(location);
  diagnostic.message = std::move(message);
  diagnostic.expected = std::move(expected);
  return diagnostic;
}

std::string EscapeForTerminal(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      out += ' ';
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace racer
