// PTX text to tokens that point into it.
#ifndef RACER_PTX_FRONTEND_LEX_LEXER_H_
#define RACER_PTX_FRONTEND_LEX_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace racer {

enum class TokenKind : uint8_t {
  kIdentifier,   // name, %r1, $L, _
  kDotted,       // .reg, .shared::cta, .L2::128B, .2d: with its dot
  kInteger,      // 12, 0x1F, 017, 0b11, with or without U
  kFloat,        // 1.5, 1e9, 0f3F800000, 0d3FF0000000000000
  kString,       // with its quotes
  kPunctuation,  // one of { } [ ] ( ) , ; : @ ! ~ + - * / % & | ^ < > = ? or << >> <= >= == != && ||
  kDwarfLine,    // @@DWARF ... to the end of the line
  kEnd,          // one, at the end; empty
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;

  bool Is(std::string_view spelling) const { return kind != TokenKind::kString && text == spelling; }
};

struct LexOutcome {
  std::vector<Token> tokens;  // ends with kEnd
  std::vector<std::string> contract_lines;  // what follows `//! ` (or `//!`), one a line
  std::vector<int> contract_line_numbers;
  std::vector<Diagnostic> diagnostics;  // errors; the bytes they speak of are skipped
};
// Comments and white space separate tokens and are dropped. Stops after `max_errors`.
LexOutcome Lex(const std::shared_ptr<const SourceFile>& file, int max_errors);

// The place of `token` in the file that it points into.
SourceLocation LocationOf(const std::shared_ptr<const SourceFile>& file, const Token& token);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_LEX_LEXER_H_
