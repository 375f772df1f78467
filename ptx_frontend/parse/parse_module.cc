// Module scope: version, target, files, sections, aliases (manual: "Directives").
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "ptx_frontend/lex/literal.h"
#include "ptx_frontend/parse/parser.h"

namespace racer::parse {
namespace {

// Newest .version whose text and targets this front end knows; a later one is read on trust, of another major version with a warning
// (Triton writes 9.4 beside a ptxas of 9.0).
constexpr unsigned kKnownVersion = 90;

// The last minor of every major version up to it: 1.5, 2.3 ...
constexpr int kLastMinor[] = {5, 3, 2, 3, 1, 5, 8, 8, 0};

bool IsTargetOption(std::string_view word) {
  return word == "debug" || word == "texmode_unified" || word == "texmode_independent" || word == "map_f64_to_f32";
}

}  // namespace

bool Parser::ParseHeader() {
  if (!IsWord(".version"))
    return Fatal(DiagnosticKind::kPtxVersion, token_, "found " + Describe(token_) + " at the start: this is no PTX", "`.version`");
  if (!ParseVersion()) return false;
  if (!IsWord(".target")) return Fatal(DiagnosticKind::kPtxVersion, token_, "found " + Describe(token_) + " after .version", "`.target`");
  return ParseTarget();
}

bool Parser::ParseVersion() {
  Advance();
  const size_t dot = token_.text.find('.');
  int major = 0, minor = 0;
  bool good = Is(TokenKind::kDecimal) && dot != std::string_view::npos && dot + 1 < token_.text.size();
  if (good) {
    const char* const end = token_.text.data() + token_.text.size();
    good = std::from_chars(token_.text.data(), end, major).ptr == token_.text.data() + dot &&
           std::from_chars(token_.text.data() + dot + 1, end, minor).ptr == end;
  }
  if (!good || major < 1 || major > 99 || minor > 99) {
    return Fatal(DiagnosticKind::kPtxVersion, token_, "found " + Describe(token_) + " as PTX version", "a version such as 8.3");
  }
  if (10 * major < static_cast<int>(kKnownVersion) && minor > kLastMinor[major - 1]) {
    return Fatal(DiagnosticKind::kPtxVersion, token_, "there is no PTX version " + std::string(token_.text),
                 std::to_string(major) + "." + std::to_string(kLastMinor[major - 1]) + " or one before it, or a later major version");
  }
  if (10 * major >= static_cast<int>(kKnownVersion) + 10)
    Warn(DiagnosticKind::kPtxVersion, token_, "PTX version " + std::string(token_.text) + " is newer than this tool");
  module_->version_major = major;
  module_->version_minor = minor;
  Advance();
  return true;
}

bool Parser::ParseTarget() {
  const Token directive = token_;
  Advance();
  do {
    const Token word = token_;
    if (!Expect(TokenKind::kIdentifier, "a target such as `sm_90`")) return false;
    if (const std::optional<Target> target = TargetFromSpelling(word.text)) {
      const unsigned version = static_cast<unsigned>(10 * module_->version_major + module_->version_minor);
      const std::optional<unsigned> first = FirstVersionOf(*target);
      if (!first && version <= kKnownVersion) {
        Error(DiagnosticKind::kPtxVersion, word, "no PTX version up to 9.0 has a target " + Describe(word), "a target such as `sm_90`");
      }
      if (first && version < *first)
        Error(DiagnosticKind::kPtxVersion, word, "target " + Describe(word) + " " + Unmet({.version = *first}));
      module_->sm = target->number;
      module_->arch_specific = target->suffix != 0;
      target_ = *target;
    } else if (!IsTargetOption(word.text)) {
      return Error(DiagnosticKind::kPtxVersion, word, "unknown target " + Describe(word), "a target such as `sm_90`");
    }
    if (std::find(module_->target.begin(), module_->target.end(), word.text) == module_->target.end())
      module_->target.emplace_back(word.text);
  } while (Accept(TokenKind::kComma));
  if (module_->sm == 0) return Error(DiagnosticKind::kPtxVersion, directive, ".target names no architecture", "a target such as `sm_90`");
  return true;
}

// Versions and targets of directives, as ptxas 13.0 has them.
void Parser::NeedDirective() {
  struct Row {
    std::string_view name;
    Requirement since;
  };
  static constexpr Row kRows[] = {
      {".reqntid", {21}},
      {".minnctapersm", {20}},
      {".noreturn", {64, {{{30}}}}},
      {".maxclusterrank", {78, {{{90}}}}},
      {".reqnctapercluster", {78, {{{90}}}}},
      {".explicitcluster", {78, {{{90}}}}},
      {".blocksareclusters", {90, {{{90}}}}},
      {".abi_preserve", {90, {{{80}}}}},
      {".abi_preserve_control", {90, {{{80}}}}},
      {".alias", {63, {{{30}}}}},
      {".attribute", {40}},
      {".managed", {40, {{{30}}}}},
      {".unified", {80, {{{90}}}}},
      {".pragma", {20}},
      {".weak", {31}},
      {".common", {50}},
      {".section", {20}},
      {".branchtargets", {60, {{{30}}}}},
      {".ptr", {22}},
  };
  for (const Row& row : kRows) {
    if (token_.text != row.name) continue;
    const std::string unmet = Unmet(row.since);
    if (!unmet.empty()) Error(DiagnosticKind::kPtxVersion, token_, Describe(token_) + " " + unmet);
  }
}

bool Parser::ParseAddressSize() {
  Advance();
  const Token size = token_;
  uint64_t value = 0;
  if (!ParseUnsigned("32 or 64", 64, &value)) return false;
  if (value != 32 && value != 64)
    return Error(DiagnosticKind::kPtxVersion, size, "found " + Describe(size) + " as address size", "32 or 64");
  module_->address_size = static_cast<int>(value);
  return true;
}

// Numbers of directives and the sizes of arrays are single literals or WARP_SZ: expressions are for operands and initialisers.
bool Parser::ParseUnsigned(std::string_view what, uint64_t max, uint64_t* value) {
  const Token at = token_;
  const bool is_warp_size = Is(TokenKind::kIdentifier) && token_.text == "WARP_SZ";
  Constant constant;
  if (!Is(TokenKind::kLeftParen)) {
    if (!Is(TokenKind::kInteger) && !is_warp_size) return Unexpected(what);
    if (!ParsePrimary(&constant)) return false;
  }
  if (Is(TokenKind::kQuestion) || Is(TokenKind::kLeftParen) || BinaryPrecedence(token_.kind) != 0)
    return Error(DiagnosticKind::kPtxSyntax, at, "an expression", std::string(what) + " as one literal");
  const bool negative = constant.kind == Constant::Kind::kSigned && constant.AsSigned() < 0;
  if (!constant.IsInteger() || negative || constant.bits > max) {
    return Error(DiagnosticKind::kPtxSyntax, at, "found " + Describe(at), std::string(what) + ", at most " + std::to_string(max));
  }
  *value = constant.bits;
  return true;
}

std::optional<ir::Linkage> Parser::ParseLinkage() {
  NeedDirective();
  if (AcceptWord(".extern")) return ir::Linkage::kExtern;
  if (AcceptWord(".visible")) return ir::Linkage::kVisible;
  if (AcceptWord(".weak")) return ir::Linkage::kWeak;
  if (AcceptWord(".common")) return ir::Linkage::kCommon;
  return std::nullopt;
}

void Parser::AddItem(ir::ModuleItem::Kind kind, size_t index) { module_->order.push_back({kind, static_cast<uint32_t>(index)}); }

bool Parser::ParseModuleItem() {
  if (Is(TokenKind::kDwarfLine)) {
    module_->raw_sections.emplace_back(token_.text);
    AddItem(ir::ModuleItem::Kind::kSection, module_->raw_sections.size() - 1);
    Advance();
    return true;
  }
  const std::optional<ir::Linkage> linkage = ParseLinkage();
  if (IsWord(".entry") || IsWord(".func")) {
    const bool is_entry = IsWord(".entry");
    Advance();
    return ParseFunction(is_entry, linkage.value_or(ir::Linkage::kNone));
  }
  const std::optional<StateSpace> space = Is(TokenKind::kDotWord) ? SpaceOfDirective(token_.text) : std::nullopt;
  if (space && *space != StateSpace::kReg && *space != StateSpace::kParam) {
    Advance();
    return ParseVariables(*space, linkage.value_or(ir::Linkage::kNone));
  }
  if (linkage) return Unexpected("`.entry`, `.func` or a state space such as `.global`");
  if (IsWord(".target")) return ParseTarget();
  if (IsWord(".address_size")) return ParseAddressSize();
  if (IsWord(".file")) return ParseFile();
  if (IsWord(".section")) return ParseSection();
  if (IsWord(".alias")) return ParseAlias();
  if (IsWord(".pragma")) {
    std::string text;
    if (!ParsePragma(&text)) return false;
    module_->pragmas.push_back(std::move(text));
    AddItem(ir::ModuleItem::Kind::kPragma, module_->pragmas.size() - 1);
    return true;
  }
  if (space) return Error(DiagnosticKind::kPtxSyntax, token_, Describe(token_) + " variables cannot stand at module scope");
  if (Is(TokenKind::kDotWord))
    return Error(DiagnosticKind::kPtxSyntax, token_, "unknown directive " + Describe(token_) + " at module scope");
  return Unexpected("a directive such as `.entry`");
}

bool Parser::ParseFile() {
  Advance();
  ir::FileEntry entry;
  uint64_t number = 0;
  if (!ParseUnsigned("a file number", std::numeric_limits<uint32_t>::max(), &number)) return false;
  entry.number = static_cast<uint32_t>(number);
  const Token name = token_;
  if (!Expect(TokenKind::kString, "a file name in quotes")) return false;
  entry.name = name.text.substr(1, name.text.size() - 2);
  if (Accept(TokenKind::kComma)) {
    uint64_t timestamp = 0, size = 0;
    if (!ParseUnsigned("a time stamp", std::numeric_limits<uint64_t>::max(), &timestamp) || !Expect(TokenKind::kComma, "`,`") ||
        !ParseUnsigned("a file size", std::numeric_limits<uint64_t>::max(), &size)) {
      return false;
    }
    entry.timestamp = timestamp;
    entry.size = size;
  }
  module_->files.push_back(std::move(entry));
  AddItem(ir::ModuleItem::Kind::kFile, module_->files.size() - 1);
  return true;
}

// Debug data: checked for form, kept as text, an item a line. Comments are left out: a contract may be among them.
bool Parser::ParseSection() {
  std::string text;
  record_ = &text;
  Advance();
  if (!Is(TokenKind::kDotWord) && !Is(TokenKind::kIdentifier)) return Unexpected("the name of a section");
  Advance();
  if (!Expect(TokenKind::kLeftBrace, "`{`")) return false;
  while (!Is(TokenKind::kRightBrace)) {
    text += '\n';
    if (!ParseSectionItem()) {
      record_ = nullptr;
      RecoverSection();
      return true;  // the error stands
    }
  }
  text += '\n';
  Advance();
  record_ = nullptr;
  module_->raw_sections.push_back(std::move(text));
  AddItem(ir::ModuleItem::Kind::kSection, module_->raw_sections.size() - 1);
  return true;
}

bool Parser::ParseSectionItem() {
  if (Is(TokenKind::kIdentifier) && next_.kind == TokenKind::kColon) {
    Advance();
    Advance();
    return true;
  }
  if (!IsWord(".b8") && !IsWord(".b16") && !IsWord(".b32") && !IsWord(".b64"))
    return Unexpected("debug data such as `.b8 1, 2`, a label or `}`");
  do {
    Advance();  // the type or a comma
    Accept(TokenKind::kMinus);
    const bool symbol = Is(TokenKind::kIdentifier) || Is(TokenKind::kDotWord);
    if (!symbol && !Is(TokenKind::kInteger)) return Unexpected("an integer, a label or a section");
    Advance();
    if (symbol && (Is(TokenKind::kPlus) || Is(TokenKind::kMinus))) {
      Advance();
      if (!Is(TokenKind::kIdentifier) && !Is(TokenKind::kDotWord) && !Is(TokenKind::kInteger)) return Unexpected("an integer or a label");
      Advance();
    }
  } while (Is(TokenKind::kComma));
  return true;
}

bool Parser::ParseAlias() {
  Advance();
  const Token name = token_;
  if (!Expect(TokenKind::kIdentifier, "the name of a function") || !Expect(TokenKind::kComma, "`,`")) return false;
  const Token aliasee = token_;
  if (!Expect(TokenKind::kIdentifier, "the name of a function") || !Expect(TokenKind::kSemicolon, "`;`")) return false;
  for (const Token& function : {name, aliasee}) {
    const auto it = module_symbols_.find(function.text);
    if (it == module_symbols_.end() || (it->second.declaration == nullptr && it->second.definition == nullptr)) {
      return Error(DiagnosticKind::kPtxUndeclared, function, "function " + Describe(function) + " is not declared");
    }
  }
  module_->aliases.push_back({std::string(name.text), std::string(aliasee.text)});
  AddItem(ir::ModuleItem::Kind::kAlias, module_->aliases.size() - 1);
  return true;
}

bool Parser::ParsePragma(std::string* text) {
  record_ = text;
  Advance();
  do {
    if (!Expect(TokenKind::kString, "a string")) return false;
  } while (Accept(TokenKind::kComma));
  record_ = nullptr;
  return Expect(TokenKind::kSemicolon, "`;`");
}

bool Parser::ParseAttribute(std::string* text) {
  record_ = text;
  Advance();
  if (!Expect(TokenKind::kLeftParen, "`(`")) return false;
  do {
    if (!Is(TokenKind::kDotWord)) return Unexpected("an attribute such as `.managed`");
    NeedDirective();
    Advance();
    if (Accept(TokenKind::kLeftParen)) {
      do {
        if (!Expect(TokenKind::kInteger, "an integer")) return false;
      } while (Accept(TokenKind::kComma));
      if (!Expect(TokenKind::kRightParen, "`)`")) return false;
    }
  } while (Accept(TokenKind::kComma));
  if (!Expect(TokenKind::kRightParen, "`)`")) return false;
  record_ = nullptr;
  return true;
}

}  // namespace racer::parse
