// Functions: heads, scopes, labels, directives of the body.
#include <utility>

#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {

// After .entry or .func.
bool Parser::ParseFunction(bool is_entry, ir::Linkage linkage) {
  auto owned = std::make_unique<ir::Function>();
  ir::Function* function = owned.get();
  function->is_entry = is_entry;
  function->linkage = linkage;
  function->is_declaration = true;
  function->scopes.push_back({.parent = -1, .begin = 0, .end = 0});
  // Kept even if it turns out wrong: symbols point to it until the parse ends.
  module_->functions.push_back(std::move(owned));
  function_ = function;
  scope_ = 0;
  scope_symbols_.assign(1, {});
  label_names_.clear();
  loc_.reset();
  inlined_at_.reset();
  debug_location_.reset();

  while (At(".attribute") || At(".noreturn")) {
    if (!ParseFunctionDirectives()) return false;
  }
  if (!is_entry && At("(") && !ParseParameters(function, &function->returns)) return false;
  const Token& name = Peek();
  if (!TakeIdentifier("the function's name")) return false;
  function->name = name.text;
  function->location = LocationOf(file_, name);
  if (At("(") && !ParseParameters(function, &function->params)) return false;
  if (!ParseFunctionDirectives()) return false;

  const bool has_body = At("{");
  scope_ = -1;
  const auto known = globals_.find(name.text);
  if (has_body && known != globals_.end() && known->second.kind == Symbol::Kind::kFunction && !known->second.function->is_declaration) {
    return FailAt(name, DiagnosticKind::kPtxRedeclared, "`" + function->name + "` is defined twice");
  }
  function->is_declaration = !has_body;
  const bool declared = Declare(name.text, {.kind = Symbol::Kind::kFunction, .function = function}, name);
  scope_ = 0;
  if (!declared) return false;
  if (has_body) {
    Take();
    ParseBody();
  } else if (!Expect(";", "or `{` after the function's head")) {
    return false;
  }
  function_ = nullptr;
  scope_ = -1;
  return true;
}

bool Parser::ParseDimensionsOf(std::array<uint32_t, 3>* dims) {
  *dims = {1, 1, 1};
  for (size_t i = 0; i < 3; ++i) {
    const Token& at = Peek();
    const std::optional<uint64_t> extent = TakeInteger("an extent");
    if (!extent) return false;
    if (*extent == 0 || *extent > 0xffffffff) return FailAt(at, DiagnosticKind::kPtxType, "an extent of " + std::to_string(*extent));
    (*dims)[i] = static_cast<uint32_t>(*extent);
    if (i < 2 && !Accept(",")) break;
  }
  return true;
}

// Between the parameters and the body.
bool Parser::ParseFunctionDirectives() {
  ir::LaunchBounds& bounds = function_->bounds;
  const auto number = [&](std::optional<uint32_t>* into) {
    const Token& at = Peek();
    const std::optional<uint64_t> value = TakeInteger("a number");
    if (!value) return false;
    if (*value > 0xffffffff) return FailAt(at, DiagnosticKind::kPtxType, "`" + std::string(at.text) + "` is beyond 32 bits");
    *into = static_cast<uint32_t>(*value);
    return true;
  };
  while (Peek().kind == TokenKind::kDotted) {
    const size_t first = at_;
    const Token& token = Peek();
    if (token.Is(".pragma")) {
      if (!ParsePragma(&function_->directives)) return false;
      continue;
    }
    Take();
    if (token.text == ".maxntid") {
      if (!ParseDimensionsOf(&bounds.maxntid.emplace())) return false;
    } else if (token.text == ".reqntid") {
      if (!ParseDimensionsOf(&bounds.reqntid.emplace())) return false;
    } else if (token.text == ".reqnctapercluster") {
      if (!ParseDimensionsOf(&bounds.reqnctapercluster.emplace())) return false;
    } else if (token.text == ".minnctapersm") {
      if (!number(&bounds.minnctapersm)) return false;
    } else if (token.text == ".maxnreg") {
      if (!number(&bounds.maxnreg)) return false;
    } else if (token.text == ".maxclusterrank") {
      if (!number(&bounds.maxclusterrank)) return false;
    } else if (token.text == ".explicitcluster") {
      bounds.explicitcluster = true;
    } else if (token.text == ".blocksareclusters") {
      bounds.blocksareclusters = true;
    } else if (token.text == ".noreturn") {
      function_->noreturn = true;
    } else if (token.text == ".attribute") {
      if (!Expect("(", "after `.attribute`")) return false;
      for (int depth = 1; depth > 0;) {
        if (Peek().kind == TokenKind::kEnd || At(";") || At("{")) return Fail("`)` after the attributes");
        const Token& inner = Take();
        depth += inner.Is("(") ? 1 : inner.Is(")") ? -1 : 0;
      }
      function_->directives.push_back(TextBetween(first, at_));
    } else if (token.text == ".maxnctapersm" || token.text == ".abi_preserve" || token.text == ".abi_preserve_control") {
      if (!TakeInteger("a number")) return false;
      function_->directives.push_back(TextBetween(first, at_));
    } else {
      return FailAt(token, DiagnosticKind::kPtxSyntax, "found `" + std::string(token.text) + "`", "a performance directive, `{` or `;`");
    }
  }
  return true;
}

// Up to the brace that closes the body; the opening one has been taken.
void Parser::ParseBody() {
  const size_t opened = at_ > 0 ? at_ - 1 : 0;
  while (!TooManyErrors()) {
    if (Peek().kind == TokenKind::kEnd) {
      FailAt(tokens_[opened], DiagnosticKind::kPtxSyntax, "the body of `" + function_->name + "` has no end", "`}`");
      return;
    }
    if (Accept("}")) {
      ir::Scope& closed = function_->scopes[static_cast<size_t>(scope_)];
      closed.end = static_cast<ir::InstructionIndex>(function_->body.size());
      scope_ = closed.parent;
      if (scope_ < 0) break;
      --nesting_;
    } else if (At("{")) {
      if (!OpenScope()) break;
    } else if (!ParseStatement()) {
      SkipStatement();
    }
  }
  while (scope_ > 0) {  // only after an error
    scope_ = function_->scopes[static_cast<size_t>(scope_)].parent;
    --nesting_;
  }
  scope_ = 0;
  if (!TooManyErrors()) ResolveLabels();
}

bool Parser::OpenScope() {
  ++nesting_;
  if (nesting_ > limits_.max_nesting) {
    FailAt(Peek(), DiagnosticKind::kPtxNesting, "scopes nested more than " + std::to_string(limits_.max_nesting) + " deep");
    errors_ = std::max(errors_, limits_.max_errors);  // what follows would only repeat this
    --nesting_;
    return false;
  }
  Take();
  function_->scopes.push_back({.parent = scope_, .begin = static_cast<ir::InstructionIndex>(function_->body.size()), .end = 0});
  scope_ = static_cast<int>(function_->scopes.size()) - 1;
  scope_symbols_.emplace_back();
  return true;
}

bool Parser::ParseStatement() {
  const Token& token = Peek();
  if (Accept(";")) return true;
  if (token.kind == TokenKind::kDwarfLine) {
    module_->directives.emplace_back(Take().text);
    return true;
  }
  if (token.kind == TokenKind::kDotted) return ParseBodyDirective();
  if (token.kind == TokenKind::kIdentifier && Peek(1).Is(":")) return ParseLabel();
  if (token.kind == TokenKind::kIdentifier || token.Is("@")) return ParseInstruction();
  return Fail("an instruction, a label, a declaration or `}`");
}

bool Parser::ParseBodyDirective() {
  const Token& token = Peek();
  if (token.Is(".loc")) return ParseLoc();
  if (token.Is(".pragma")) return ParsePragma(&function_->directives);
  if (token.Is(".file")) return ParseFile();
  if (Accept(".reg")) return ParseRegisters();
  ir::Linkage linkage = ir::Linkage::kNone;
  if (token.Is(".extern")) {
    linkage = ir::Linkage::kExtern;
    Take();
  }
  const std::optional<StateSpace> space = VariableSpace(Peek().text);
  if (Peek().kind == TokenKind::kDotted && space) {
    Take();
    return ParseVariables(*space, linkage);
  }
  return Fail("a directive of function scope such as `.reg`, `.shared`, `.loc`");
}

// .loc file line column [, function_name label [+ offset]] [, inlined_at file line column]
bool Parser::ParseLoc() {
  Take();
  uint32_t place[2][3] = {};
  const auto three = [&](uint32_t* numbers) {
    for (int i = 0; i < 3; ++i) {
      const Token& at = Peek();
      const std::optional<uint64_t> value = TakeInteger("file, line and column");
      if (!value) return false;
      if (*value > 0xffffffff) return FailAt(at, DiagnosticKind::kPtxSyntax, "`" + std::string(at.text) + "` is beyond 32 bits");
      numbers[i] = static_cast<uint32_t>(*value);
    }
    return true;
  };
  if (!three(place[0])) return false;
  ir::DebugLocation loc{.file = place[0][0], .line = place[0][1], .column = place[0][2], .function_name = {}, .inlined_at = {}};
  std::optional<InlinedAt> inlined_at;
  while (Accept(",")) {
    if (Accept("function_name")) {
      const size_t first = at_;
      if (Peek().kind != TokenKind::kIdentifier && Peek().kind != TokenKind::kDotted) return Fail("the label of a name");
      Take();
      if (Accept("+") && !TakeInteger("an offset")) return false;
      loc.function_name = TextBetween(first, at_);
    } else if (Accept("inlined_at")) {
      if (!three(place[1])) return false;
      inlined_at = InlinedAt{place[1][0], place[1][1], place[1][2]};
    } else {
      return Fail("`function_name` or `inlined_at`");
    }
  }
  loc_ = std::move(loc);
  inlined_at_ = inlined_at;
  debug_location_.reset();
  return true;
}

bool Parser::ParseLabel() {
  const Token& name = Take();
  Take();
  ir::Label label;
  label.name = name.text;
  label.target = static_cast<ir::InstructionIndex>(function_->body.size());
  label.scope = scope_;
  label.location = LocationOf(file_, name);
  if (!label_names_.emplace(label.name, scope_).second) {
    return FailAt(name, DiagnosticKind::kPtxRedeclared, "label `" + label.name + "` stands twice in one scope");
  }
  const bool declares = At(".branchtargets") || At(".calltargets") || At(".callprototype");
  if (declares && !ParseLabelDeclaration(&label)) return false;
  function_->labels.push_back(std::move(label));
  return true;
}

bool Parser::ParseLabelDeclaration(ir::Label* label) {
  const size_t first = at_;
  const Token& directive = Take();
  if (directive.text == ".callprototype") {
    label->is_call_prototype = true;
    while (!At(";")) {
      if (Peek().kind == TokenKind::kEnd || At("{") || At("}")) return Fail("`;` after the prototype");
      Take();
    }
  } else {
    label->is_branch_targets = directive.text == ".branchtargets";
    do {
      const Token& at = Peek();
      const std::optional<std::string_view> target = TakeIdentifier(label->is_branch_targets ? "a label" : "a function");
      if (!target) return false;
      if (label->is_branch_targets) {
        label->branch_targets.emplace_back(*target);
      } else if (const Symbol* symbol = Find(*target); symbol == nullptr || symbol->kind != Symbol::Kind::kFunction) {
        return FailAt(at, DiagnosticKind::kPtxUndeclared, "no function `" + std::string(*target) + "` is declared");
      }
    } while (Accept(","));
  }
  label->declaration_text = TextBetween(first, at_);
  return Expect(";", "after the declaration");
}

}  // namespace racer::parse_internal
