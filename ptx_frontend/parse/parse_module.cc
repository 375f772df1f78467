// Directives of module scope.
#include <charconv>
#include <utility>

#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {

void Parser::ParseModule() {
  while (Peek().kind != TokenKind::kEnd && !TooManyErrors()) {
    const size_t before = at_;
    if (!ParseModuleItem()) {
      function_ = nullptr;
      scope_ = -1;
      SkipModuleItem();
    }
    if (at_ == before && Peek().kind != TokenKind::kEnd) Take();
  }
  if (errors_ == 0 && !seen_version_) Fail("`.version` at the beginning");
  if (errors_ == 0 && !seen_target_) Fail("`.target` after `.version`");
  if (errors_ == 0) BindExternals();
}

bool Parser::ParseModuleItem() {
  const Token& token = Peek();
  if (token.kind == TokenKind::kDwarfLine) {
    module_->directives.emplace_back(Take().text);
    return true;
  }
  if (token.Is(";")) {
    Take();
    return true;
  }
  if (token.Is(".version")) return ParseVersion();
  if (!seen_version_) return FailAt(token, DiagnosticKind::kPtxVersion, "a module begins with `.version`", "`.version`");
  if (token.Is(".target")) return ParseTarget();
  if (token.Is(".address_size")) return ParseAddressSize();
  if (!seen_target_) return FailAt(token, DiagnosticKind::kPtxVersion, "`.version` is followed by `.target`", "`.target`");
  if (!seen_address_size_) {
    seen_address_size_ = true;
    module_->address_size = 32;  // manual, ".address_size": the default
    Diagnostic warning = MakeError(DiagnosticKind::kPtxVersion, Here(), "without `.address_size` the module is 32-bit");
    warning.severity = Severity::kWarning;
    outcome_.diagnostics.push_back(std::move(warning));
  }
  if (token.Is(".file")) return ParseFile();
  if (token.Is(".section")) return ParseSection();
  if (token.Is(".alias")) return ParseAlias();
  if (token.Is(".pragma")) return ParsePragma(&module_->directives);
  if (token.Is(".loc")) return Fail("`.loc` inside a function only");
  return ParseLinked();
}

// Linking directive, then a function or variables.
bool Parser::ParseLinked() {
  ir::Linkage linkage = ir::Linkage::kNone;
  static constexpr std::pair<std::string_view, ir::Linkage> kLinkages[] = {{".extern", ir::Linkage::kExtern},
                                                                           {".visible", ir::Linkage::kVisible},
                                                                           {".weak", ir::Linkage::kWeak},
                                                                           {".common", ir::Linkage::kCommon}};
  for (const auto& [spelling, value] : kLinkages) {
    if (Accept(spelling)) {
      linkage = value;
      break;
    }
  }
  const Token& token = Peek();
  if (Accept(".entry")) return ParseFunction(true, linkage);
  if (Accept(".func")) return ParseFunction(false, linkage);
  const std::optional<StateSpace> space = VariableSpace(token.text);
  if (token.kind == TokenKind::kDotted && space && *space != StateSpace::kLocal && *space != StateSpace::kParam) {
    Take();
    return ParseVariables(*space, linkage);
  }
  return Fail("a directive of module scope such as `.entry`, `.func`, `.global`");
}

bool Parser::ParseVersion() {
  const Token& at = Take();
  if (seen_version_) return FailAt(at, DiagnosticKind::kPtxRedeclared, "a second `.version`");
  const Token& number = Peek();
  const std::string_view text = number.text;
  int major = 0, minor = 0;
  const char* end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, major);
  if (number.kind != TokenKind::kFloat || error != std::errc() || dot == end || *dot != '.') return Fail("a version such as `8.0`");
  const auto [last, minor_error] = std::from_chars(dot + 1, end, minor);
  if (minor_error != std::errc() || last != end) return Fail("a version such as `8.0`");
  Take();
  module_->version_major = major;
  module_->version_minor = minor;
  seen_version_ = true;
  return true;
}

bool Parser::ParseTarget() {
  const Token& at = Take();
  if (seen_target_) return FailAt(at, DiagnosticKind::kPtxRedeclared, "a second `.target`");
  seen_target_ = true;
  do {
    const Token& token = Peek();
    if (!TakeIdentifier("a target such as `sm_90`")) return false;
    module_->target.emplace_back(token.text);
    if (!token.text.starts_with("sm_")) continue;
    const std::string_view digits = token.text.substr(3);
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, module_->sm);
    const std::string_view suffix(rest, static_cast<size_t>(end - rest));
    if (error != std::errc() || !(suffix.empty() || suffix == "a" || suffix == "f")) {
      return FailAt(token, DiagnosticKind::kPtxVersion, "`" + std::string(token.text) + "` is no target", "sm_ and a number");
    }
    module_->arch_specific = !suffix.empty();
  } while (Accept(","));
  if (module_->sm == 0) return FailAt(at, DiagnosticKind::kPtxVersion, "no architecture is given", "`sm_90` or another");
  return true;
}

bool Parser::ParseAddressSize() {
  const Token& at = Take();
  if (seen_address_size_) return FailAt(at, DiagnosticKind::kPtxRedeclared, "a second or late `.address_size`");
  const Token& size = Peek();
  if (!size.Is("32") && !size.Is("64")) return Fail("32 or 64");
  Take();
  module_->address_size = size.text == "64" ? 64 : 32;
  seen_address_size_ = true;
  return true;
}

// .file number "name" [, timestamp, size]; the latter two say nothing about the program.
bool Parser::ParseFile() {
  Take();
  const Token& at = Peek();
  const std::optional<uint64_t> number = TakeInteger("a file number");
  if (!number) return false;
  if (*number > 0xffffffff) return FailAt(at, DiagnosticKind::kPtxSyntax, "a file number beyond 32 bits");
  if (Peek().kind != TokenKind::kString) return Fail("a file name in quotes");
  const std::string_view name = Take().text;
  module_->files.push_back({static_cast<uint32_t>(*number), std::string(name.substr(1, name.size() - 2))});
  for (int i = 0; i < 2 && Accept(","); ++i) {
    if (!TakeInteger("a number")) return false;
  }
  return true;
}

bool Parser::ParseSection() {
  const size_t first = at_;
  Take();
  if (Peek().kind != TokenKind::kDotted && Peek().kind != TokenKind::kIdentifier) return Fail("the section's name");
  Take();
  if (!Expect("{", "before the section's contents")) return false;
  while (!Accept("}")) {
    if (Peek().kind == TokenKind::kEnd) return Fail("`}` after the section's contents");
    Take();
  }
  module_->raw_sections.push_back(TextBetween(first, at_));
  return true;
}

bool Parser::ParseAlias() {
  Take();
  const std::optional<std::string_view> alias = TakeIdentifier("the alias");
  if (!alias || !Expect(",", "after the alias")) return false;
  const Token& at = Peek();
  const std::optional<std::string_view> target = TakeIdentifier("the function that it stands for");
  if (!target) return false;
  for (const std::string_view name : {*alias, *target}) {
    const Symbol* symbol = Find(name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::kFunction) {
      return FailAt(at, DiagnosticKind::kPtxUndeclared, "function `" + std::string(name) + "` is not declared before its alias");
    }
  }
  module_->aliases.emplace_back(*alias, *target);
  return Expect(";", "after the alias");
}

bool Parser::ParsePragma(std::vector<std::string>* into) {
  const size_t first = at_;
  Take();
  do {
    if (Peek().kind != TokenKind::kString) return Fail("a pragma in quotes");
    Take();
  } while (Accept(","));
  into->push_back(TextBetween(first, at_));
  return Expect(";", "after the pragma");
}

}  // namespace racer::parse_internal
