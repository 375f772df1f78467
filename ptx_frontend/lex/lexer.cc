#include "ptx_frontend/lex/lexer.h"

#include <algorithm>
#include <array>

namespace racer {
namespace {

enum CharClass : uint8_t { kLetter = 1, kDigit = 2, kFollowMark = 4, kStartMark = 8, kHex = 16 };

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<size_t>(c)] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit | kHex;
  for (int c = 'a'; c <= 'f'; ++c) classes[static_cast<size_t>(c)] |= kHex;
  for (int c = 'A'; c <= 'F'; ++c) classes[static_cast<size_t>(c)] |= kHex;
  classes['_'] = kFollowMark | kStartMark;
  classes['$'] = kFollowMark | kStartMark;
  classes['%'] = kStartMark;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool Is(char c, int classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }
bool IsDigit(char c) { return Is(c, kDigit); }
bool IsHex(char c) { return Is(c, kHex); }

}  // namespace

bool IsFollowSymbol(char c) { return Is(c, kLetter | kDigit | kFollowMark); }

void Lexer::NewLine(size_t newline) {
  ++line_;
  line_start_ = newline + 1;
}

size_t Lexer::LineEnd(size_t from) const {
  size_t end = text_.find('\n', from);
  return end == std::string_view::npos ? text_.size() : end;
}

Token Lexer::Make(TokenKind kind, size_t end) {
  Token token;
  token.kind = kind;
  token.line = line_;
  token.column = static_cast<uint32_t>(at_ - line_start_ + 1);
  token.text = text_.substr(at_, end - at_);
  at_ = end;
  return token;
}

Token Lexer::MakeError(LexProblem problem, size_t end) {
  Token token = Make(TokenKind::kError, end);
  token.problem = problem;
  return token;
}

bool Lexer::SkipBlanks(Token* token) {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '\n') {
      NewLine(at_);
      ++at_;
    } else if (c == '/' && At(at_ + 1) == '/') {
      const size_t end = LineEnd(at_);
      if (At(at_ + 2) == '!') {
        std::string_view content = text_.substr(at_ + 3, end - at_ - 3);
        if (!content.empty() && content.front() == ' ') content.remove_prefix(1);
        if (!content.empty() && content.back() == '\r') content.remove_suffix(1);
        contract_lines_.push_back({content, line_});
      }
      at_ = end;
    } else if (c == '/' && At(at_ + 1) == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        *token = MakeError(LexProblem::kUnterminatedComment, at_ + 2);
        Stop();
        return false;
      }
      for (size_t newline = text_.find('\n', at_); newline < end; newline = text_.find('\n', newline + 1)) NewLine(newline);
      at_ = end + 2;
    } else if (c == '#' && text_.substr(line_start_, at_ - line_start_).find_first_not_of(" \t") == std::string_view::npos) {
      at_ = LineEnd(at_);  // line marks of a preprocessor; ptxas skips them too
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::Next() {
  Token problem;
  if (!SkipBlanks(&problem)) return problem;
  if (at_ >= text_.size()) return Make(TokenKind::kEnd, text_.size());
  const char c = text_[at_];
  if (Is(c, kLetter | kStartMark)) {
    size_t end = at_ + 1;
    while (end < text_.size() && IsFollowSymbol(text_[end])) ++end;
    if (end == at_ + 1 && c == '%') return Make(TokenKind::kPercent, end);
    if (end == at_ + 1 && c == '$') return MakeError(LexProblem::kCharacter, end);
    return Make(TokenKind::kIdentifier, end);
  }
  if (c == '.') return LexDotWord();
  if (IsDigit(c)) return LexNumber();
  if (c == '"') {
    const size_t end = std::min(text_.find_first_of("\"\n", at_ + 1), text_.size());
    if (At(end) != '"') return MakeError(LexProblem::kUnterminatedString, end);
    return Make(TokenKind::kString, end + 1);
  }
  return LexPunctuation();
}

Token Lexer::LexDotWord() {
  const bool glued = at_ > 0 && IsFollowSymbol(text_[at_ - 1]);  // tex.2d, and not `, .5`
  if (!glued && IsDigit(At(at_ + 1))) return LexNumber();
  size_t end = at_ + 1;
  while (true) {
    while (end < text_.size() && IsFollowSymbol(text_[end])) ++end;
    if (At(end) != ':' || At(end + 1) != ':' || !IsFollowSymbol(At(end + 2))) break;
    end += 2;
  }
  if (end == at_ + 1) return MakeError(LexProblem::kCharacter, end);
  return Make(TokenKind::kDotWord, end);
}

Token Lexer::LexNumber() {
  size_t end = at_;
  TokenKind kind = TokenKind::kInteger;
  bool good = true;
  const char second = At(at_ + 1);
  auto run = [&](auto accepts) {
    const size_t begin = end;
    while (end < text_.size() && accepts(text_[end])) ++end;
    return end - begin;
  };
  if (text_[at_] == '0' && (second == 'x' || second == 'X')) {
    end += 2;
    good = run(IsHex) > 0;
  } else if (text_[at_] == '0' && (second == 'b' || second == 'B')) {
    end += 2;
    good = run([](char c) { return c == '0' || c == '1'; }) > 0;
  } else if (text_[at_] == '0' && (second == 'f' || second == 'F')) {
    end += 2;
    kind = TokenKind::kFloat32;
    good = run(IsHex) == 8;
  } else if (text_[at_] == '0' && (second == 'd' || second == 'D')) {
    end += 2;
    kind = TokenKind::kFloat64;
    good = run(IsHex) == 16;
  } else {
    run(IsDigit);
    if (At(end) == '.') {
      kind = TokenKind::kDecimal;
      ++end;
      run(IsDigit);
    }
    if (At(end) == 'e' || At(end) == 'E') {
      kind = TokenKind::kDecimal;
      ++end;
      if (At(end) == '+' || At(end) == '-') ++end;
      good = run(IsDigit) > 0;
    }
    if (kind == TokenKind::kInteger && text_[at_] == '0') {
      for (size_t i = at_; i < end; ++i) good = good && text_[i] <= '7';
    }
  }
  if (kind == TokenKind::kInteger && At(end) == 'U') ++end;
  if (end < text_.size() && IsFollowSymbol(text_[end])) {
    run(IsFollowSymbol);
    good = false;
  }
  return good ? Make(kind, end) : MakeError(LexProblem::kNumber, end);
}

Token Lexer::LexPunctuation() {
  const char c = text_[at_];
  const char next = At(at_ + 1);
  auto one = [&](TokenKind kind) { return Make(kind, at_ + 1); };
  auto two = [&](TokenKind kind) { return Make(kind, at_ + 2); };
  switch (c) {
    case '{': return one(TokenKind::kLeftBrace);
    case '}': return one(TokenKind::kRightBrace);
    case '[': return one(TokenKind::kLeftBracket);
    case ']': return one(TokenKind::kRightBracket);
    case '(': return one(TokenKind::kLeftParen);
    case ')': return one(TokenKind::kRightParen);
    case ',': return one(TokenKind::kComma);
    case ';': return one(TokenKind::kSemicolon);
    case ':': return one(TokenKind::kColon);
    case '?': return one(TokenKind::kQuestion);
    case '~': return one(TokenKind::kTilde);
    case '+': return one(TokenKind::kPlus);
    case '-': return one(TokenKind::kMinus);
    case '*': return one(TokenKind::kStar);
    case '/': return one(TokenKind::kSlash);
    case '^': return one(TokenKind::kCaret);
    case '@':
      if (next == '@') return Make(TokenKind::kDwarfLine, LineEnd(at_));
      return one(TokenKind::kAt);
    case '!': return next == '=' ? two(TokenKind::kBangEqual) : one(TokenKind::kBang);
    case '&': return next == '&' ? two(TokenKind::kAmpersandAmpersand) : one(TokenKind::kAmpersand);
    case '|': return next == '|' ? two(TokenKind::kPipePipe) : one(TokenKind::kPipe);
    case '<': return next == '<' ? two(TokenKind::kLeftShift) : next == '=' ? two(TokenKind::kLessEqual) : one(TokenKind::kLess);
    case '>': return next == '>' ? two(TokenKind::kRightShift) : next == '=' ? two(TokenKind::kGreaterEqual) : one(TokenKind::kGreater);
    case '=': return next == '=' ? two(TokenKind::kEqualEqual) : one(TokenKind::kEqual);
    default: break;  // bytes, not a set of cases to exhaust
  }
  // One error for a run of foreign bytes, so that binary data does not fill the screen.
  size_t end = at_ + 1;
  while (end < text_.size() &&
         (static_cast<unsigned char>(text_[end]) >= 0x7f || (static_cast<unsigned char>(text_[end]) < 0x20 && text_[end] != '\n')))
    ++end;
  return MakeError(LexProblem::kCharacter, end);
}

}  // namespace racer
