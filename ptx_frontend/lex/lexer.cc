#include "ptx_frontend/lex/lexer.h"

#include <algorithm>
#include <utility>

#include "ptx_frontend/lex/literal.h"

namespace racer {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsFollow(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '$'; }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

class Lexer {
 public:
  Lexer(const std::shared_ptr<const SourceFile>& file, int max_errors) : file_(file), text_(file->text()), max_errors_(max_errors) {}

  LexOutcome Run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
    while (SkipSpace() && static_cast<int>(out_.diagnostics.size()) < max_errors_) Next();
    out_.tokens.push_back({TokenKind::kEnd, text_.substr(text_.size())});
    return std::move(out_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void Error(size_t begin, size_t length, std::string message, std::string expected = "") {
    const Token token{TokenKind::kEnd, text_.substr(begin, length)};
    out_.diagnostics.push_back(MakeError(DiagnosticKind::kPtxLexical, LocationOf(file_, token), std::move(message), std::move(expected)));
  }

  void Emit(TokenKind kind, size_t end) {
    out_.tokens.push_back({kind, text_.substr(at_, end - at_)});
    at_ = end;
  }

  // False at the end of the text.
  bool SkipSpace() {
    while (at_ < text_.size()) {
      if (IsSpace(text_[at_])) {
        ++at_;
      } else if (Peek() == '/' && Peek(1) == '/') {
        LineComment();
      } else if (Peek() == '/' && Peek(1) == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          Error(at_, 2, "this comment has no end", "`*/`");
          at_ = text_.size();
        } else {
          at_ = end + 2;
        }
      } else {
        return true;
      }
    }
    return false;
  }

  size_t EndOfLine() const {
    const size_t end = text_.find('\n', at_);
    return end == std::string_view::npos ? text_.size() : end;
  }

  void LineComment() {
    const size_t end = EndOfLine();
    std::string_view line = text_.substr(at_, end - at_);
    if (line.starts_with("//!")) {
      line.remove_prefix(3);
      if (line.starts_with(' ')) line.remove_prefix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      out_.contract_lines.emplace_back(line);
      out_.contract_line_numbers.push_back(file_->LineOf(at_));
    }
    at_ = end;
  }

  void Next() {
    const char c = Peek();
    if (IsLetter(c) || ((c == '_' || c == '$' || c == '%') && IsFollow(Peek(1)))) return Word();
    if (c == '_') return Emit(TokenKind::kIdentifier, at_ + 1);
    if (IsDigit(c)) return Number();
    if (c == '.') return Dot();
    if (c == '"') return String();
    if (c == '@' && text_.substr(at_).starts_with("@@DWARF")) return Emit(TokenKind::kDwarfLine, EndOfLine());
    for (const std::string_view two : {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"}) {
      if (text_.substr(at_).starts_with(two)) return Emit(TokenKind::kPunctuation, at_ + 2);
    }
    if (std::string_view("{}[](),;:@!~+-*/%&|^<>=?").find(c) != std::string_view::npos) return Emit(TokenKind::kPunctuation, at_ + 1);
    if (c == '#') {
      Error(at_, EndOfLine() - at_, "preprocessor lines are not read", "preprocessed PTX");
      at_ = EndOfLine();
      return;
    }
    Unexpected();
  }

  // A run of bytes that start no token is one error.
  void Unexpected() {
    size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) >= 0x80 || text_[end] == text_[at_])) ++end;
    Error(at_, end - at_, "`" + EscapeForTerminal(text_.substr(at_, std::min<size_t>(end - at_, 16))) + "` is no part of PTX");
    at_ = end;
  }

  size_t FollowEnd(size_t end) const {
    while (end < text_.size() && IsFollow(text_[end])) ++end;
    return end;
  }

  void Word() { Emit(TokenKind::kIdentifier, FollowEnd(at_ + 1)); }

  void Dot() {
    // `.5` after a blank is a number, after a word (`tex.2`) a modifier.
    const bool attached = at_ > 0 && (IsFollow(text_[at_ - 1]) || text_[at_ - 1] == ')');
    size_t end = at_ + 1;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    if (!attached && end > at_ + 1) {
      end = ExponentEnd(end);
      if (end >= text_.size() || !IsFollow(text_[end])) return FloatToken(end);
    }
    end = FollowEnd(at_ + 1);
    if (end == at_ + 1) {
      Error(at_, 1, "a word is missing after `.`", "a directive, type or modifier");
      ++at_;
      return;
    }
    while (end + 2 < text_.size() && text_[end] == ':' && text_[end + 1] == ':' && IsFollow(text_[end + 2])) end = FollowEnd(end + 2);
    Emit(TokenKind::kDotted, end);
  }

  // The end of an exponent at `end`, or `end` if there is none.
  size_t ExponentEnd(size_t end) const {
    if (end >= text_.size() || (text_[end] | 0x20) != 'e') return end;
    size_t digits = end + 1;
    if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
    if (digits >= text_.size() || !IsDigit(text_[digits])) return end;
    while (digits < text_.size() && IsDigit(text_[digits])) ++digits;
    return digits;
  }

  void FloatToken(size_t end) {
    const std::string_view literal = text_.substr(at_, end - at_);
    if (!ParseFloatLiteral(literal)) {
      Error(at_, literal.size(), "`" + std::string(literal.substr(0, 40)) + "` is no floating-point literal",
            "0f and 8 hexadecimal digits, 0d and 16, or a decimal in the range of f64");
      at_ = end;
      return;
    }
    Emit(TokenKind::kFloat, end);
  }

  void Number() {
    const char second = static_cast<char>(Peek(1) | 0x20);
    if (Peek() == '0' && (second == 'f' || second == 'd')) return FloatToken(FollowEnd(at_));
    const bool radix = Peek() == '0' && (second == 'x' || second == 'b');
    size_t end = at_;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    bool is_float = false;
    if (!radix && end < text_.size() && text_[end] == '.') {
      is_float = true;
      ++end;
      while (end < text_.size() && IsDigit(text_[end])) ++end;
    }
    if (!radix) {
      const size_t exponent = ExponentEnd(end);
      is_float |= exponent != end;
      end = exponent;
    }
    end = FollowEnd(end);
    if (is_float) return FloatToken(end);
    const std::string_view literal = text_.substr(at_, end - at_);
    if (!ParseIntegerLiteral(literal)) {
      Error(at_, literal.size(), "`" + std::string(literal.substr(0, 40)) + "` is no integer literal of at most 64 bits",
            "decimal, 0x, 0b or octal digits with an optional U");
      at_ = end;
      return;
    }
    Emit(TokenKind::kInteger, end);
  }

  void String() {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n' ? 2 : 1;
    if (end >= text_.size() || text_[end] != '"') {
      Error(at_, std::min(end, text_.size()) - at_, "this string has no end on its line", "`\"`");
      at_ = std::min(end, text_.size());
      return;
    }
    Emit(TokenKind::kString, end + 1);
  }

  const std::shared_ptr<const SourceFile>& file_;
  std::string_view text_;
  int max_errors_;
  size_t at_ = 0;
  LexOutcome out_;
};

}  // namespace

LexOutcome Lex(const std::shared_ptr<const SourceFile>& file, int max_errors) { return Lexer(file, max_errors).Run(); }

SourceLocation LocationOf(const std::shared_ptr<const SourceFile>& file, const Token& token) {
  const size_t offset = static_cast<size_t>(token.text.data() - file->text().data());
  SourceLocation location;
  location.file = file;
  location.line = file->LineOf(offset);
  location.column = file->ColumnOf(offset);
  location.length = static_cast<int>(token.text.size());
  return location;
}

}  // namespace racer
