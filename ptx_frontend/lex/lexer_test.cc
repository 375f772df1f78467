#include "ptx_frontend/lex/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace racer {
namespace {

std::vector<Token> All(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  for (Token token = lexer.Next(); token.kind != TokenKind::kEnd; token = lexer.Next()) tokens.push_back(token);
  return tokens;
}

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : All(text)) texts.emplace_back(token.text);
  return texts;
}

TokenKind KindOf(std::string_view text) {
  const std::vector<Token> tokens = All(text);
  return tokens.size() == 1 ? tokens[0].kind : TokenKind::kEnd;
}

LexProblem ProblemOf(std::string_view text) {
  for (const Token& token : All(text)) {
    if (token.kind == TokenKind::kError) return token.problem;
  }
  return LexProblem::kNone;
}

using Strings = std::vector<std::string>;

TEST(LexerTest, Identifiers) {
  EXPECT_EQ(Texts("abc a1_$ %r1 $L__BB0_1 _x _ %tid"), (Strings{"abc", "a1_$", "%r1", "$L__BB0_1", "_x", "_", "%tid"}));
  EXPECT_EQ(KindOf("_"), TokenKind::kIdentifier);
  EXPECT_EQ(KindOf("%"), TokenKind::kPercent);
  EXPECT_EQ(ProblemOf("$"), LexProblem::kCharacter);
}

// As in ptxas, `%3` is an identifier: the remainder wants a blank.
TEST(LexerTest, PercentSticksToWhatFollows) {
  EXPECT_EQ(Texts("7%3"), (Strings{"7", "%3"}));
  EXPECT_EQ(Texts("7 % 3"), (Strings{"7", "%", "3"}));
}

TEST(LexerTest, DotWords) {
  EXPECT_EQ(Texts("ld.shared::cta.v4.f32"), (Strings{"ld", ".shared::cta", ".v4", ".f32"}));
  EXPECT_EQ(Texts("tex.2d.v4"), (Strings{"tex", ".2d", ".v4"}));
  EXPECT_EQ(Texts("cp.async.L2::128B"), (Strings{"cp", ".async", ".L2::128B"}));
  EXPECT_EQ(Texts("%tid.x"), (Strings{"%tid", ".x"}));
  EXPECT_EQ(Texts("L:.reg"), (Strings{"L", ":", ".reg"}));
  EXPECT_EQ(ProblemOf(". x"), LexProblem::kCharacter);
}

TEST(LexerTest, Numbers) {
  for (const char* text : {"0", "12", "017", "0x1F", "0XaB", "0b101", "0B1", "5U", "0xFFU", "017U", "0b1U"})
    EXPECT_EQ(KindOf(text), TokenKind::kInteger) << text;
  for (const char* text : {"1.5", "1.", ".5", "1e10", "1.e-5", "1E+5", ".5e3", "9.0"}) EXPECT_EQ(KindOf(text), TokenKind::kDecimal) << text;
  EXPECT_EQ(KindOf("0f3F800000"), TokenKind::kFloat32);
  EXPECT_EQ(KindOf("0F3f800000"), TokenKind::kFloat32);
  EXPECT_EQ(KindOf("0d3FF0000000000000"), TokenKind::kFloat64);
  for (const char* text : {"08", "0x", "0b2", "0b102", "12L", "12u", "1abc", "0f3f8", "0f3F8000001", "0d12", "1e", "0xFFu"}) {
    EXPECT_EQ(ProblemOf(text), LexProblem::kNumber) << text;
  }
}

TEST(LexerTest, Operators) {
  EXPECT_EQ(Texts("a<<b>>c<=d>=e==f!=g&&h||i"),
            (Strings{"a", "<<", "b", ">>", "c", "<=", "d", ">=", "e", "==", "f", "!=", "g", "&&", "h", "||", "i"}));
  EXPECT_EQ(Texts("@!p{}[](),;:?~+-*/&|^<> ="), (Strings{"@", "!", "p", "{", "}", "[", "]", "(", ")", ",", ";", ":",
                                                         "?", "~", "+", "-", "*", "/", "&", "|", "^", "<", ">", "="}));
}

TEST(LexerTest, StringsCommentsAndLineMarks) {
  EXPECT_EQ(Texts("\"a // b\" x"), (Strings{"\"a // b\"", "x"}));
  EXPECT_EQ(Texts("a /* /* b */ c // d\n# 1 \"x\"\n e"), (Strings{"a", "c", "e"}));
  EXPECT_EQ(ProblemOf("\"abc\nd\""), LexProblem::kUnterminatedString);
  EXPECT_EQ(ProblemOf("a /* b"), LexProblem::kUnterminatedComment);
  EXPECT_EQ(ProblemOf("a # b"), LexProblem::kCharacter);  // only at the start of a line
}

TEST(LexerTest, PlacesCountLinesOfCommentsToo) {
  const std::vector<Token> tokens = All("a\n  b /*\n\n*/ c\r\nd");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[1].line, 2u);
  EXPECT_EQ(tokens[1].column, 3u);
  EXPECT_EQ(tokens[2].line, 4u);
  EXPECT_EQ(tokens[2].column, 4u);
  EXPECT_EQ(tokens[3].line, 5u);
  EXPECT_EQ(tokens[3].column, 1u);
}

TEST(LexerTest, ContractLines) {
  Lexer lexer("//! [dims]\n//!N = 4\n// no\n.version //! id = 1\n//!\n/* //! no */");
  while (lexer.Next().kind != TokenKind::kEnd) {
  }
  const auto& lines = lexer.contract_lines();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].text, "[dims]");
  EXPECT_EQ(lines[1].text, "N = 4");
  EXPECT_EQ(lines[2].text, "id = 1");
  EXPECT_EQ(lines[2].line, 4u);
  EXPECT_EQ(lines[3].text, "");
}

TEST(LexerTest, ForeignBytesAreOneError) {
  const std::string text("a \x00\x01\xff\xfe b", 8);
  const std::vector<Token> tokens = All(text);
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].kind, TokenKind::kError);
  EXPECT_EQ(tokens[1].text.size(), 4u);
}

TEST(LexerTest, DwarfLine) { EXPECT_EQ(KindOf("@@DWARF .section .debug_info, \"x"), TokenKind::kDwarfLine); }

TEST(LexerTest, StopEndsTheTokens) {
  Lexer lexer("a b c");
  lexer.Next();
  lexer.Stop();
  EXPECT_EQ(lexer.Next().kind, TokenKind::kEnd);
  EXPECT_EQ(lexer.Next().kind, TokenKind::kEnd);
}

}  // namespace
}  // namespace racer
