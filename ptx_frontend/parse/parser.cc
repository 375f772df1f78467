#include "ptx_frontend/parse/parser.h"

#include <utility>

#include "ptx_frontend/lex/literal.h"

namespace racer {
namespace parse_internal {
namespace {

std::string Quoted(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  constexpr size_t kShown = 40;
  std::string text(token.text.substr(0, kShown));
  if (token.text.size() > kShown) text += "...";
  return "`" + text + "`";
}

}  // namespace

ParseOutcome Parser::Run() {
  if (file_->text().size() > limits_.max_bytes) {
    SourceLocation location;
    location.file = file_;
    outcome_.diagnostics.push_back(MakeError(DiagnosticKind::kFileTooLarge, std::move(location),
                                             "the file is larger than the limit of " + std::to_string(limits_.max_bytes) + " bytes"));
    return std::move(outcome_);
  }
  LexOutcome lexed = Lex(file_, limits_.max_errors);
  tokens_ = std::move(lexed.tokens);
  outcome_.diagnostics = std::move(lexed.diagnostics);
  errors_ = static_cast<int>(outcome_.diagnostics.size());
  module_ = std::make_unique<ir::Module>();
  module_->file = file_;
  module_->contract_lines = std::move(lexed.contract_lines);
  module_->contract_line_numbers = std::move(lexed.contract_line_numbers);
  if (!TooManyErrors()) ParseModule();
  if (errors_ == 0) outcome_.module = std::move(module_);
  return std::move(outcome_);
}

const Token& Parser::Take() {
  const Token& token = Peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::Accept(std::string_view spelling) {
  if (!At(spelling)) return false;
  Take();
  return true;
}

bool Parser::Expect(std::string_view spelling, std::string_view where) {
  if (Accept(spelling)) return true;
  return Fail("`" + std::string(spelling) + "` " + std::string(where));
}

bool Parser::Fail(std::string expected) {
  return FailAt(Peek(), DiagnosticKind::kPtxSyntax, "found " + Quoted(Peek()), std::move(expected));
}

bool Parser::FailAt(const Token& token, DiagnosticKind kind, std::string message, std::string expected) {
  ++errors_;
  outcome_.diagnostics.push_back(MakeError(kind, LocationOf(file_, token), std::move(message), std::move(expected)));
  return false;
}

std::optional<std::string_view> Parser::TakeIdentifier(std::string_view what) {
  if (Peek().kind == TokenKind::kIdentifier) return Take().text;
  Fail(std::string(what));
  return std::nullopt;
}

std::optional<uint64_t> Parser::TakeInteger(std::string_view what) {
  if (Peek().kind == TokenKind::kInteger) return ParseIntegerLiteral(Take().text)->value;
  Fail(std::string(what));
  return std::nullopt;
}

std::string Parser::TextBetween(size_t first, size_t last) const {
  std::string text;
  for (size_t i = first; i < last; ++i) {
    if (i > first) {
      const char* end = tokens_[i - 1].text.data() + tokens_[i - 1].text.size();
      const std::string_view gap(end, static_cast<size_t>(tokens_[i].text.data() - end));
      if (!gap.empty()) text += gap.find('\n') == std::string_view::npos ? ' ' : '\n';
    }
    text += tokens_[i].text;
  }
  return text;
}

void Parser::SkipStatement() {
  while (Peek().kind != TokenKind::kEnd && !At("}")) {
    if (At("{")) {
      // A vector holds no `;`, a scope does.
      size_t ahead = 1;
      while (Peek(ahead).kind != TokenKind::kEnd && !Peek(ahead).Is("}") && !Peek(ahead).Is("{") && !Peek(ahead).Is(";")) ++ahead;
      if (!Peek(ahead).Is("}")) return;
      at_ += ahead;
    }
    if (Take().Is(";")) return;
  }
}

void Parser::SkipModuleItem() {
  int depth = 0;
  while (Peek().kind != TokenKind::kEnd) {
    const Token& token = Take();
    if (token.Is("{")) ++depth;
    if (token.Is("}") && --depth <= 0) {
      Accept(";");
      return;
    }
    if (depth > 0) continue;
    if (token.Is(";")) return;
    // What can only begin an item ends a broken one.
    for (const std::string_view item : {".entry", ".func", ".visible", ".extern", ".weak", ".global", ".const", ".version", ".target"}) {
      if (At(item)) return;
    }
  }
}

bool Parser::Nested::ok() const {
  if (parser_->nesting_ <= parser_->limits_.max_nesting) return true;
  return parser_->FailAt(parser_->Peek(), DiagnosticKind::kPtxNesting,
                         "nested more than " + std::to_string(parser_->limits_.max_nesting) + " deep");
}

}  // namespace parse_internal

ParseOutcome ParsePtx(std::shared_ptr<const SourceFile> file, const ParseLimits& limits) {
  return parse_internal::Parser(std::move(file), limits).Run();
}

}  // namespace racer
