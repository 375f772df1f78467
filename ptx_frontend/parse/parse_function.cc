// Function headers (manual: "Kernel and Function Directives", "Performance-Tuning Directives").
#include <limits>
#include <utility>

#include "ptx_frontend/parse/parser.h"

namespace racer::parse {

bool Parser::ParseFunction(bool is_entry, ir::Linkage linkage) {
  auto owned = std::make_unique<ir::Function>();
  ir::Function* const function = owned.get();
  function->is_entry = is_entry;
  function->linkage = linkage;
  function_ = function;
  scopes_ = std::make_unique<FunctionScopes>(function);
  scopes_->Open(0);
  function->scopes.emplace_back();
  debug_location_.reset();
  module_->functions.push_back(std::move(owned));
  AddItem(ir::ModuleItem::Kind::kFunction, module_->functions.size() - 1);

  bool good = ParseFunctionHeader(function);
  if (good) {
    if (Accept(TokenKind::kSemicolon)) {
      function->is_declaration = true;
    } else if (!Is(TokenKind::kLeftBrace)) {
      good = Unexpected("`;` or `{`");
    }
  }
  if (good && !function->is_declaration) good = ParseBody();
  scopes_.reset();
  function_ = nullptr;
  return good;
}

bool Parser::ParseFunctionHeader(ir::Function* function) {
  while (IsWord(".attribute")) {
    if (!ParseAttribute(&function->directives.emplace_back())) return false;
  }
  if (!function->is_entry && Is(TokenKind::kLeftParen) && !ParseParameters(function, &function->returns)) return false;
  const Token name = token_;
  if (!Expect(TokenKind::kIdentifier, "the name of the function")) return false;
  function->name = name.text;
  function->location = At(name);
  if (Is(TokenKind::kLeftParen) && !ParseParameters(function, &function->params)) return false;
  while (Is(TokenKind::kDotWord)) {
    if (!ParseFunctionDirective(function)) return false;
  }
  if (!Is(TokenKind::kSemicolon) && !Is(TokenKind::kLeftBrace)) return Unexpected("`{`, `;` or a directive such as `.maxntid`");

  ModuleSymbol& symbol = module_symbols_[name.text];
  const bool declares = Is(TokenKind::kSemicolon);
  if (symbol.variable != nullptr || (!declares && symbol.definition != nullptr)) {
    Error(DiagnosticKind::kPtxRedeclared, name,
          Describe(name) + (symbol.variable != nullptr ? " is a variable already" : " has a body already"));
    return true;  // its own body is still worth a look
  }
  const ir::Function* const earlier = symbol.definition != nullptr ? symbol.definition : symbol.declaration;
  if (earlier != nullptr) CheckPrototype(*earlier, *function);
  (declares ? symbol.declaration : symbol.definition) = function;
  return true;
}

bool Parser::CheckPrototype(const ir::Function& earlier, const ir::Function& later) {
  const auto differs = [](const std::vector<ir::Variable*>& a, const std::vector<ir::Variable*>& b) {
    if (a.size() != b.size()) return true;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i]->space != b[i]->space || a[i]->type != b[i]->type || a[i]->dims != b[i]->dims || a[i]->vector != b[i]->vector) return true;
    }
    return false;
  };
  if (earlier.is_entry == later.is_entry && !differs(earlier.params, later.params) && !differs(earlier.returns, later.returns)) return true;
  Diagnostic note = MakeError(DiagnosticKind::kPtxType, earlier.location, "declared here before");
  note.severity = Severity::kNote;
  const size_t before = diagnostics_.size();
  Error(DiagnosticKind::kPtxType, later.location, "`" + later.name + "` is declared with other parameters than before");
  if (diagnostics_.size() > before) diagnostics_.back().notes.push_back(std::move(note));
  return false;
}

bool Parser::ParseParameters(ir::Function* function, std::vector<ir::Variable*>* list) {
  Advance();
  if (Accept(TokenKind::kRightParen)) return true;
  do {
    if (!ParseParameter(function, list)) return false;
  } while (Accept(TokenKind::kComma));
  return Expect(TokenKind::kRightParen, "`,` or `)`");
}

bool Parser::ParseParameter(ir::Function* function, std::vector<ir::Variable*>* list) {
  const bool is_register = IsWord(".reg") && !function->is_entry;
  if (!is_register && !IsWord(".param")) return Unexpected(function->is_entry ? "`.param`" : "`.param` or `.reg`");
  Advance();
  VariableSpec spec;
  if (!ParseVariableSpec(/*is_parameter=*/true, &spec)) return false;
  const Token name = token_;
  if (!Expect(TokenKind::kIdentifier, "the name of the parameter")) return false;
  std::unique_ptr<ir::Variable> variable = MakeVariable(spec, is_register ? StateSpace::kReg : StateSpace::kParam);
  variable->scope = 0;
  if (Is(TokenKind::kLeftBracket) && !ParseArrayDims(variable.get())) return false;
  if (!FinishVariable(variable.get(), name)) return false;
  if (is_register && !variable->dims.empty())
    return Error(DiagnosticKind::kPtxType, name, "register parameter " + Describe(name) + " is an array");
  const bool added = name.text == "_" || (is_register ? scopes_->DeclareRegister(name.text, spec.type, spec.vector, 0)
                                                      : scopes_->DeclareVariable(name.text, variable.get()));
  if (!added) Error(DiagnosticKind::kPtxRedeclared, name, "parameter " + Describe(name) + " is declared twice");
  list->push_back(variable.get());
  function->variables.push_back(std::move(variable));
  return true;
}

bool Parser::ParseCount(std::optional<uint32_t>* count) {
  Advance();
  uint64_t value = 0;
  if (!ParseUnsigned("a number", std::numeric_limits<uint32_t>::max(), &value)) return false;
  *count = static_cast<uint32_t>(value);
  return true;
}

bool Parser::ParseDimensions(std::optional<std::array<uint32_t, 3>>* dims) {
  const Token directive = token_;
  Advance();
  std::array<uint32_t, 3> values = {1, 1, 1};
  size_t count = 0;
  do {
    if (count == values.size()) return Error(DiagnosticKind::kPtxSyntax, token_, Describe(directive) + " has more than three numbers");
    const Token at = token_;
    uint64_t value = 0;
    if (!ParseUnsigned("a number", std::numeric_limits<uint32_t>::max(), &value)) return false;
    if (value == 0) return Error(DiagnosticKind::kPtxSyntax, at, "found 0 in " + Describe(directive), "a positive number");
    values[count++] = static_cast<uint32_t>(value);
  } while (Accept(TokenKind::kComma));
  *dims = values;
  return true;
}

bool Parser::ParseFunctionDirective(ir::Function* function) {
  NeedDirective();
  ir::LaunchBounds& bounds = function->bounds;
  if (IsWord(".maxntid")) return ParseDimensions(&bounds.maxntid);
  if (IsWord(".reqntid")) return ParseDimensions(&bounds.reqntid);
  if (IsWord(".reqnctapercluster")) return ParseDimensions(&bounds.reqnctapercluster);
  if (IsWord(".minnctapersm")) return ParseCount(&bounds.minnctapersm);
  if (IsWord(".maxnreg")) return ParseCount(&bounds.maxnreg);
  if (IsWord(".maxclusterrank")) return ParseCount(&bounds.maxclusterrank);
  if (AcceptWord(".explicitcluster")) return bounds.explicitcluster = true;
  if (AcceptWord(".blocksareclusters")) return bounds.blocksareclusters = true;
  if (AcceptWord(".noreturn")) return function->noreturn = true;
  if (IsWord(".pragma")) return ParsePragma(&function->directives.emplace_back());
  if (IsWord(".maxnctapersm") || IsWord(".abi_preserve") || IsWord(".abi_preserve_control")) {
    record_ = &function->directives.emplace_back();
    Advance();
    const bool good = Expect(TokenKind::kInteger, "a number");
    record_ = nullptr;
    return good;
  }
  return Error(DiagnosticKind::kPtxSyntax, token_, "unknown directive " + Describe(token_) + " of a function");
}

}  // namespace racer::parse
