#include "ptx_frontend/parse/parser.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace racer::parse {
namespace {

// Longer token texts are cut in messages.
constexpr size_t kMaxShownToken = 40;

DiagnosticKind KindOf(LexProblem) { return DiagnosticKind::kPtxLexical; }

std::string Explain(const Token& token) {
  switch (token.problem) {
    case LexProblem::kNone: break;
    case LexProblem::kCharacter:
      if (token.text.find('\0') != std::string_view::npos) return "a NUL byte: this is no text";
      return Describe(token) + " starts no PTX token";
    case LexProblem::kNumber: return Describe(token) + " is no number";
    case LexProblem::kUnterminatedString: return "a string without closing quote";
    case LexProblem::kUnterminatedComment: return "a comment without closing `*/`";
  }
  return "no token";
}

}  // namespace

std::string Describe(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  std::string text(token.text.substr(0, kMaxShownToken));
  if (token.text.size() > kMaxShownToken) text += "...";
  return "`" + text + "`";
}

std::optional<StateSpace> SpaceOfDirective(std::string_view word) {
  if (word == ".reg") return StateSpace::kReg;
  if (word == ".global") return StateSpace::kGlobal;
  if (word == ".const") return StateSpace::kConst;
  if (word == ".shared" || word == ".shared::cta") return StateSpace::kShared;
  if (word == ".local") return StateSpace::kLocal;
  if (word == ".param") return StateSpace::kParam;
  if (word == ".tex") return StateSpace::kTex;
  return std::nullopt;
}

Parser::Parser(std::shared_ptr<const SourceFile> file, const ParseLimits& limits)
    : file_(std::move(file)), limits_(limits), lexer_(file_->text()), module_(std::make_unique<ir::Module>()) {
  module_->file = file_;
}

ParseOutcome Parser::Run() {
  ParseOutcome outcome;
  // Token positions are 32 bits wide.
  const size_t max_bytes = std::min(limits_.max_bytes, size_t{0x7fff'ffff});
  if (file_->text().size() > max_bytes) {
    outcome.diagnostics.push_back(
        MakeError(DiagnosticKind::kFileTooLarge, {file_, 0, 0, 1},
                  std::to_string(file_->text().size()) + " bytes are more than the limit of " + std::to_string(max_bytes)));
    return outcome;
  }
  next_ = Lex();
  Advance();
  if (ParseHeader()) {
    while (!Is(TokenKind::kEnd)) {
      if (!ParseModuleItem()) RecoverModuleItem();
    }
  }
  for (const Lexer::ContractLine& line : lexer_.contract_lines()) {
    module_->contract_lines.emplace_back(line.text);
    module_->contract_line_numbers.push_back(static_cast<int>(line.line));
  }
  // In the order of the text: a lexical error is found one token ahead of its place, a missing label at the end of its scope.
  std::vector<size_t> order(diagnostics_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const SourceLocation &x = diagnostics_[a].location, &y = diagnostics_[b].location;
    return std::tuple(x.line, x.column, a) < std::tuple(y.line, y.column, b);
  });
  for (const size_t i : order) outcome.diagnostics.push_back(std::move(diagnostics_[i]));
  if (errors_ == 0) outcome.module = std::move(module_);
  return outcome;
}

Token Parser::Lex() {
  while (true) {
    Token token = lexer_.Next();
    if (token.kind != TokenKind::kError) return token;
    Error(KindOf(token.problem), token, Explain(token));
  }
}

void Parser::Advance() {
  if (record_ != nullptr && token_.kind != TokenKind::kEnd) {
    if (!record_->empty() && record_->back() != '\n') *record_ += ' ';
    *record_ += token_.text;
  }
  previous_ = token_;
  token_ = next_;
  if (next_.kind != TokenKind::kEnd) next_ = Lex();
  if (stopped_) {
    token_.kind = TokenKind::kEnd;
    next_.kind = TokenKind::kEnd;
  }
}

bool Parser::Accept(TokenKind kind) {
  if (!Is(kind)) return false;
  Advance();
  return true;
}

bool Parser::AcceptWord(std::string_view word) {
  if (!IsWord(word)) return false;
  Advance();
  return true;
}

bool Parser::Expect(TokenKind kind, std::string_view what) {
  if (Accept(kind)) return true;
  return Unexpected(what);
}

SourceLocation Parser::At(const Token& token) const {
  return {file_, static_cast<int>(token.line), static_cast<int>(token.column), static_cast<int>(std::max<size_t>(token.text.size(), 1))};
}

bool Parser::Error(DiagnosticKind kind, const SourceLocation& location, std::string message, std::string expected) {
  if (stopped_) return false;
  // One slip in a line often upsets all that follows it there.
  const bool of_text = kind == DiagnosticKind::kPtxLexical || kind == DiagnosticKind::kPtxSyntax;
  const uint32_t line = static_cast<uint32_t>(location.line);
  if (of_text && line == last_error_line_) return false;
  if (of_text) last_error_line_ = line;
  diagnostics_.push_back(MakeError(kind, location, std::move(message), std::move(expected)));
  if (++errors_ >= limits_.max_errors) {
    stopped_ = true;
    lexer_.Stop();
    token_.kind = next_.kind = TokenKind::kEnd;
  }
  return false;
}

bool Parser::Error(DiagnosticKind kind, const Token& token, std::string message, std::string expected) {
  return Error(kind, At(token), std::move(message), std::move(expected));
}

void Parser::Warn(DiagnosticKind kind, const Token& token, std::string message) {
  if (stopped_) return;
  Diagnostic warning = MakeError(kind, At(token), std::move(message));
  warning.severity = Severity::kWarning;
  diagnostics_.push_back(std::move(warning));
}

bool Parser::Unexpected(std::string_view expected) {
  return Error(DiagnosticKind::kPtxSyntax, token_, "found " + Describe(token_), std::string(expected));
}

bool Parser::Fatal(DiagnosticKind kind, const Token& token, std::string message, std::string expected) {
  last_error_line_ = 0;
  Error(kind, token, std::move(message), std::move(expected));
  stopped_ = true;
  lexer_.Stop();
  token_.kind = next_.kind = TokenKind::kEnd;
  return false;
}

void Parser::RecoverModuleItem() {
  record_ = nullptr;
  nesting_ = 0;
  int depth = 0;
  bool moved = false;
  while (!Is(TokenKind::kEnd)) {
    if (depth == 0 && moved && Is(TokenKind::kDotWord)) {
      static constexpr std::string_view kStarts[] = {".entry",  ".func",   ".visible", ".extern", ".weak",
                                                     ".common", ".global", ".const",   ".section"};
      if (std::find(std::begin(kStarts), std::end(kStarts), token_.text) != std::end(kStarts)) return;
    }
    if (Is(TokenKind::kLeftBrace)) ++depth;
    if (Is(TokenKind::kRightBrace)) --depth;
    const bool ends = depth <= 0 && (Is(TokenKind::kSemicolon) || Is(TokenKind::kRightBrace));
    Advance();
    moved = true;
    if (ends) {
      // `= {...};`
      if (previous_.kind == TokenKind::kRightBrace) Accept(TokenKind::kSemicolon);
      return;
    }
  }
}

void Parser::RecoverStatement() {
  record_ = nullptr;
  nesting_ = 0;
  int depth = 0;
  while (!Is(TokenKind::kEnd)) {
    if (Accept(TokenKind::kSemicolon)) return;
    if (Is(TokenKind::kLeftBrace)) {
      ++depth;
    } else if (Is(TokenKind::kRightBrace)) {
      // The brace of a vector goes on with its instruction; that of a scope does not.
      const bool of_vector =
          next_.kind == TokenKind::kSemicolon || next_.kind == TokenKind::kComma || next_.kind == TokenKind::kRightBracket;
      if (depth == 0 && !of_vector) return;
      if (depth > 0) --depth;
    }
    Advance();
  }
}

void Parser::RecoverSection() {
  while (!Is(TokenKind::kEnd) && !Accept(TokenKind::kRightBrace)) Advance();
}

}  // namespace racer::parse

namespace racer {

ParseOutcome ParsePtx(std::shared_ptr<const SourceFile> file, const ParseLimits& limits) {
  return parse::Parser(std::move(file), limits).Run();
}

}  // namespace racer
