// Tokens of PTX text: views into the source, no copies.
#ifndef RACER_PTX_FRONTEND_LEX_TOKEN_H_
#define RACER_PTX_FRONTEND_LEX_TOKEN_H_

#include <cstdint>
#include <string_view>

namespace racer {

enum class TokenKind : uint8_t {
  kEnd,
  kError,       // see LexProblem
  kIdentifier,  // name, %r1, $L, _ ; a mnemonic is one too
  kDotWord,     // .global, .v4, .shared::cta, .2d: directive, modifier or selector, with its dot
  kInteger,     // 12, 0x1F, 017, 0b1, 5U
  kFloat32,     // 0f3F800000
  kFloat64,     // 0d3FF0000000000000
  kDecimal,     // 1.5, 1., .5, 1e10 ; also the operand of .version
  kString,      // "..." with its quotes
  kDwarfLine,   // @@DWARF ... to the end of the line
  kLeftBrace,
  kRightBrace,
  kLeftBracket,
  kRightBracket,
  kLeftParen,
  kRightParen,
  kComma,
  kSemicolon,
  kColon,
  kQuestion,
  kAt,
  kBang,
  kTilde,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kAmpersand,
  kPipe,
  kCaret,
  kAmpersandAmpersand,
  kPipePipe,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqualEqual,
  kBangEqual,
  kLeftShift,
  kRightShift,
  kEqual,
};

enum class LexProblem : uint8_t {
  kNone,
  kCharacter,            // a byte that starts no token
  kNumber,               // digits that form no literal: 08, 0f12, 12L
  kUnterminatedString,   // no closing quote on the line
  kUnterminatedComment,  // /* without */
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  LexProblem problem = LexProblem::kNone;
  uint32_t line = 1;    // 1-based
  uint32_t column = 1;  // 1-based, in bytes
  std::string_view text;
};

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_LEX_TOKEN_H_
