// Statements, scopes, labels (manual: "Statements", "Control Flow Directives", "Debugging Directives").
#include <limits>
#include <utility>

#include "ptx_frontend/parse/parser.h"

namespace racer::parse {
namespace {

uint64_t DebugKey(uint64_t file, uint64_t line, uint64_t column) { return (file * 0x1'0000'01b3 + line) * 0x1'0000'01b3 + column; }

}  // namespace

bool Parser::OpenScope() {
  if (static_cast<int>(open_scopes_.size()) >= limits_.max_nesting) {
    return Fatal(DiagnosticKind::kPtxNesting, token_, "scopes nested more than " + std::to_string(limits_.max_nesting) + " deep");
  }
  const bool is_body = open_scopes_.empty();
  int id = 0;  // scope 0 exists since the parameters
  if (!is_body) {
    id = static_cast<int>(function_->scopes.size());
    ir::Scope scope;
    scope.parent = open_scopes_.back().id;
    scope.begin = Here();
    function_->scopes.push_back(scope);
    scopes_->Open(id);
  }
  open_scopes_.emplace_back().id = id;
  Advance();
  return true;
}

void Parser::CloseScope() {
  function_->scopes[static_cast<size_t>(open_scopes_.back().id)].end = Here();
  ResolveLabels();
  open_scopes_.pop_back();
  scopes_->Close();
}

// Labels may be used before their place, and the innermost scope that has one wins: so uses are settled when their scope
// closes, and those that find nothing move outwards.
void Parser::ResolveLabels() {
  OpenScopeState& scope = open_scopes_.back();
  for (LabelUse& use : scope.uses) {
    const auto it = scope.labels.find(use.name);
    if (it == scope.labels.end()) {
      if (open_scopes_.size() > 1) {
        open_scopes_[open_scopes_.size() - 2].uses.push_back(std::move(use));
      } else {
        Error(DiagnosticKind::kPtxUndeclared, use.location, "label `" + std::string(use.name) + "` is not declared");
      }
      continue;
    }
    const ir::Label& label = function_->labels[it->second];
    const bool plain = !label.is_branch_targets && !label.is_call_prototype;
    bool fits = false;
    std::string_view expected;
    switch (use.kind) {
      case LabelUse::Kind::kTarget:
      case LabelUse::Kind::kListEntry:
        fits = plain;
        expected = "a label in front of an instruction";
        break;
      case LabelUse::Kind::kTargetList:
        fits = label.is_branch_targets;
        expected = "the label of a .branchtargets list";
        break;
      case LabelUse::Kind::kPrototype:
        fits = label.is_call_prototype;
        expected = "the label of a .callprototype or .calltargets declaration";
        break;
    }
    if (!fits) {
      Error(DiagnosticKind::kPtxType, use.location, "`" + std::string(use.name) + "` is another kind of label", std::string(expected));
      continue;
    }
    if (use.kind == LabelUse::Kind::kListEntry) {
      function_->labels[use.list_label].branch_target_labels[use.list_entry] = it->second;
    } else {
      ir::Operand& operand = function_->body[use.instruction].operands[use.operand];
      operand.label = it->second;
      operand.target = label.target;
    }
  }
}

bool Parser::ParseBody() {
  const Token open = token_;
  open_scopes_.clear();
  if (!OpenScope()) return true;
  while (!open_scopes_.empty()) {
    if (Is(TokenKind::kEnd)) {
      if (!stopped_)
        Error(DiagnosticKind::kPtxSyntax, token_,
              "the body of `" + function_->name + "`, opened in line " + std::to_string(open.line) + ", has no end", "`}`");
      return true;
    }
    if (Is(TokenKind::kRightBrace)) {
      CloseScope();
      Advance();
    } else if (Is(TokenKind::kLeftBrace)) {
      OpenScope();
    } else if (!ParseStatement()) {
      // The instruction is not there: neither are its labels.
      std::vector<LabelUse>& uses = open_scopes_.back().uses;
      while (!uses.empty() && uses.back().kind != LabelUse::Kind::kListEntry && uses.back().instruction == Here()) uses.pop_back();
      RecoverStatement();
    }
  }
  return true;
}

bool Parser::ParseStatement() {
  if (Is(TokenKind::kDwarfLine)) {
    module_->raw_sections.emplace_back(token_.text);
    AddItem(ir::ModuleItem::Kind::kSection, module_->raw_sections.size() - 1);
    Advance();
    return true;
  }
  if (Is(TokenKind::kDotWord)) return ParseBodyDirective();
  if (Is(TokenKind::kIdentifier) && next_.kind == TokenKind::kColon) return ParseLabel();
  if (Is(TokenKind::kIdentifier) || Is(TokenKind::kAt)) return ParseInstruction();
  return Unexpected("an instruction, a label, a directive or `}`");
}

bool Parser::ParseBodyDirective() {
  if (IsWord(".reg")) return ParseRegisters();
  if (IsWord(".loc")) return ParseLoc();
  if (IsWord(".pragma")) {
    ir::StatementDirective directive;
    directive.at = Here();
    directive.scope = open_scopes_.back().id;
    if (!ParsePragma(&directive.text)) return false;
    function_->statement_directives.push_back(std::move(directive));
    return true;
  }
  if (const std::optional<StateSpace> space = SpaceOfDirective(token_.text)) {
    Advance();
    return ParseVariables(*space, ir::Linkage::kNone);
  }
  if (IsWord(".branchtargets") || IsWord(".calltargets") || IsWord(".callprototype")) {
    return Error(DiagnosticKind::kPtxSyntax, token_, Describe(token_) + " without a label in front");
  }
  return Error(DiagnosticKind::kPtxSyntax, token_, "unknown directive " + Describe(token_) + " in a function");
}

bool Parser::ParseRegisters() {
  Advance();
  VariableSpec spec;
  if (!ParseVariableSpec(/*is_parameter=*/false, &spec)) return false;
  do {
    const Token name = token_;
    if (!Expect(TokenKind::kIdentifier, "the name of a register")) return false;
    if (name.text == "_") return Error(DiagnosticKind::kPtxSyntax, name, "found `_`", "the name of a register");
    bool added = false;
    if (Accept(TokenKind::kLess)) {
      const Token at = token_;
      uint64_t count = 0;
      // No expression here: `<10>` ends with what an expression would take for an operator.
      Constant constant;
      if (!Is(TokenKind::kInteger) && !(Is(TokenKind::kIdentifier) && token_.text == "WARP_SZ"))
        return Unexpected("the number of registers");
      if (!ParsePrimary(&constant)) return false;
      count = constant.bits;
      if (count > std::numeric_limits<uint32_t>::max())
        return Error(DiagnosticKind::kPtxSyntax, at, "found " + Describe(at), "the number of registers");
      if (!Expect(TokenKind::kGreater, "`>`")) return false;
      added = scopes_->DeclareRange(name.text, count, spec.type, spec.vector, Here());
    } else {
      added = scopes_->DeclareRegister(name.text, spec.type, spec.vector, Here());
    }
    if (!added) Error(DiagnosticKind::kPtxRedeclared, name, Describe(name) + " is declared twice in this scope");
  } while (Accept(TokenKind::kComma));
  return Expect(TokenKind::kSemicolon, "`,` or `;`");
}

bool Parser::ParseLoc() {
  Advance();
  constexpr uint64_t kMax = std::numeric_limits<uint32_t>::max();
  uint64_t file = 0, line = 0, column = 0;
  if (!ParseUnsigned("a file number", kMax, &file) || !ParseUnsigned("a line number", kMax, &line) ||
      !ParseUnsigned("a column", kMax, &column))
    return false;
  ir::DebugLocation location;
  location.file = static_cast<uint32_t>(file);
  location.line = static_cast<uint32_t>(line);
  location.column = static_cast<uint32_t>(column);
  std::vector<ir::DebugLocation>& all = module_->debug_locations;
  while (Accept(TokenKind::kComma)) {
    const Token attribute = token_;
    if (!Expect(TokenKind::kIdentifier, "`function_name` or `inlined_at`")) return false;
    if (attribute.text == "function_name") {
      const Token name = token_;
      if (!Expect(TokenKind::kIdentifier, "a label")) return false;
      location.function_name = name.text;
      if (Accept(TokenKind::kPlus)) {
        location.function_name += "+" + std::string(token_.text);
        if (!Expect(TokenKind::kInteger, "an offset")) return false;
      }
    } else if (attribute.text == "inlined_at") {
      uint64_t at_file = 0, at_line = 0, at_column = 0;
      if (!ParseUnsigned("a file number", kMax, &at_file) || !ParseUnsigned("a line number", kMax, &at_line) ||
          !ParseUnsigned("a column", kMax, &at_column)) {
        return false;
      }
      const uint64_t key = DebugKey(at_file, at_line, at_column);
      auto it = debug_location_index_.find(key);
      if (it == debug_location_index_.end()) {
        ir::DebugLocation site;  // a call site without a .loc of its own
        site.file = static_cast<uint32_t>(at_file);
        site.line = static_cast<uint32_t>(at_line);
        site.column = static_cast<uint32_t>(at_column);
        it = debug_location_index_.emplace(key, static_cast<uint32_t>(all.size())).first;
        all.push_back(std::move(site));
      }
      location.inlined_at = it->second;
    } else {
      return Error(DiagnosticKind::kPtxSyntax, attribute, "found " + Describe(attribute), "`function_name` or `inlined_at`");
    }
  }
  debug_location_ = static_cast<uint32_t>(all.size());
  debug_location_index_[DebugKey(file, line, column)] = *debug_location_;
  all.push_back(std::move(location));
  return true;
}

bool Parser::ParseLabel() {
  const Token name = token_;
  Advance();
  Advance();
  const uint32_t index = static_cast<uint32_t>(function_->labels.size());
  ir::Label label;
  label.name = name.text;
  label.target = Here();
  label.scope = open_scopes_.back().id;
  label.location = At(name);
  function_->labels.push_back(std::move(label));
  if (name.text == "_") return Error(DiagnosticKind::kPtxSyntax, name, "found `_`", "a label");
  if (!open_scopes_.back().labels.emplace(name.text, index).second) {
    Error(DiagnosticKind::kPtxRedeclared, name, "label " + Describe(name) + " is declared twice in this scope");
  }
  if (IsWord(".branchtargets")) {
    NeedDirective();
    return ParseBranchTargets(index);
  }
  if (IsWord(".calltargets") || IsWord(".callprototype")) return ParseRawDeclaration(index);
  return true;
}

bool Parser::ParseBranchTargets(uint32_t index) {
  function_->labels[index].is_branch_targets = true;
  Advance();
  do {
    const Token name = token_;
    if (!Expect(TokenKind::kIdentifier, "a label")) return false;
    uint64_t count = 1;
    const bool is_range = Accept(TokenKind::kLess);  // L<3> stands for L0, L1, L2
    if (is_range) {
      Constant constant;
      if (!Is(TokenKind::kInteger)) return Unexpected("the number of labels");
      const Token at = token_;
      if (!ParsePrimary(&constant) || !Expect(TokenKind::kGreater, "`>`")) return false;
      count = constant.bits;
      constexpr uint64_t kMaxTargets = 1 << 16;
      if (count == 0 || count > kMaxTargets)
        return Error(DiagnosticKind::kPtxSyntax, at, "found " + Describe(at), "a number of labels, at most 65536");
    }
    for (uint64_t i = 0; i < count; ++i) {
      ir::Label& label = function_->labels[index];
      std::string target(name.text);
      if (is_range) target += std::to_string(i);
      LabelUse use;
      use.kind = LabelUse::Kind::kListEntry;
      use.location = At(name);
      use.list_label = index;
      use.list_entry = static_cast<uint32_t>(label.branch_targets.size());
      use.name = is_range ? std::string_view(made_names_.emplace_back(target)) : name.text;
      label.branch_targets.push_back(std::move(target));
      label.branch_target_labels.push_back(0);
      open_scopes_.back().uses.push_back(std::move(use));
    }
  } while (Accept(TokenKind::kComma));
  return Expect(TokenKind::kSemicolon, "`,` or `;`");
}

// .callprototype and .calltargets are kept as text: a call through a register is refused when it runs.
bool Parser::ParseRawDeclaration(uint32_t index) {
  function_->labels[index].is_call_prototype = true;
  const bool is_list = IsWord(".calltargets");
  std::string text;
  record_ = &text;
  Advance();
  if (is_list) {
    do {
      const Token name = token_;
      if (!Expect(TokenKind::kIdentifier, "the name of a function")) return false;
      if (Lookup(name.text).kind != Symbol::Kind::kFunction) {
        Error(DiagnosticKind::kPtxUndeclared, name, "function " + Describe(name) + " is not declared");
      }
    } while (Accept(TokenKind::kComma));
  } else {
    int parens = 0;
    while (!Is(TokenKind::kEnd) && !Is(TokenKind::kSemicolon) && !Is(TokenKind::kLeftBrace) && !Is(TokenKind::kRightBrace)) {
      if (Is(TokenKind::kLeftParen)) ++parens;
      if (Is(TokenKind::kRightParen) && --parens < 0) return Unexpected("`;`");
      Advance();
    }
    if (parens != 0) return Unexpected("`)`");
  }
  record_ = nullptr;
  function_->labels[index].declaration_text = std::move(text);
  return Expect(TokenKind::kSemicolon, "`;`");
}

}  // namespace racer::parse
