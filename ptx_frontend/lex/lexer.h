// Splits PTX text into tokens, on demand (manual: "Syntax").
#ifndef RACER_PTX_FRONTEND_LEX_LEXER_H_
#define RACER_PTX_FRONTEND_LEX_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx_frontend/lex/token.h"

namespace racer {

// `text` must outlive the lexer and its tokens. Never fails: what is no token comes out as kError and the next call
// goes on behind it. After the end it returns kEnd for ever.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token Next();
  // Makes every later call return kEnd.
  void Stop() { at_ = text_.size(); }

  // The `//! ` comments seen so far: text behind the mark (one blank removed), and its line.
  struct ContractLine {
    std::string_view text;
    uint32_t line = 0;
  };
  const std::vector<ContractLine>& contract_lines() const { return contract_lines_; }

 private:
  char At(size_t index) const { return index < text_.size() ? text_[index] : '\0'; }
  void NewLine(size_t newline);
  size_t LineEnd(size_t from) const;
  // Skips blanks, comments and `#` lines; false if a comment has no end (then `token` says so).
  bool SkipBlanks(Token* token);
  Token Make(TokenKind kind, size_t end);
  Token MakeError(LexProblem problem, size_t end);
  Token LexNumber();
  Token LexDotWord();
  Token LexPunctuation();

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
  std::vector<ContractLine> contract_lines_;
};

// True for [a-zA-Z0-9_$], which may follow the first character of an identifier.
bool IsFollowSymbol(char c);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_LEX_LEXER_H_
