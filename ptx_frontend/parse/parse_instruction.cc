// Instructions: mnemonic, operands, and the grammar line they match.
#include <utility>

#include "ptx_frontend/parse/parser.h"

namespace racer::parse {
namespace {

using Kind = ir::Operand::Kind;

// How many operands a value instruction might want, to tell a wrong number from a wrong modifier.
constexpr size_t kMaxOperandsTried = 6;

}  // namespace

bool Parser::ParseGuard(ir::Instruction* instruction) {
  Advance();
  instruction->guard_negated = Accept(TokenKind::kBang);
  const Token name = token_;
  if (!Expect(TokenKind::kIdentifier, "a predicate register")) return false;
  const Symbol symbol = Lookup(name.text);
  if (symbol.kind == Symbol::Kind::kNone) {
    Error(DiagnosticKind::kPtxUndeclared, name, Describe(name) + " is not declared");
    return true;
  }
  const bool is_predicate =
      symbol.kind == Symbol::Kind::kRegister && function_->registers[static_cast<size_t>(symbol.reg)].type == ScalarType::kPred;
  if (!is_predicate) {
    Error(DiagnosticKind::kPtxType, name, "the guard " + Describe(name) + " is no predicate register", "a register of type .pred");
    return true;
  }
  instruction->guard = symbol.reg;
  return true;
}

bool Parser::ParseInstruction() {
  ir::Instruction instruction;
  instruction.scope = open_scopes_.back().id;
  instruction.debug_location = debug_location_;
  if (Is(TokenKind::kAt) && !ParseGuard(&instruction)) return false;
  const Token mnemonic = token_;
  if (!Expect(TokenKind::kIdentifier, "an instruction")) return false;
  while (Is(TokenKind::kDotWord)) Advance();
  const char* const end = previous_.text.data() + previous_.text.size();
  const std::string_view spelling(mnemonic.text.data(), static_cast<size_t>(end - mnemonic.text.data()));
  instruction.location = At(mnemonic);
  instruction.location.length = static_cast<int>(spelling.size());
  unsupported_.clear();

  const bool is_branch = mnemonic.text == "bra";
  const bool is_indexed = mnemonic.text == "brx";
  if (mnemonic.text == "call") {
    if (!ParseCallOperands(&instruction)) return false;
  } else if (!Is(TokenKind::kSemicolon) && !Is(TokenKind::kRightBrace) && !Is(TokenKind::kEnd)) {
    instruction.operands.reserve(4);
    do {
      const size_t index = instruction.operands.size();
      ir::Operand& operand = instruction.operands.emplace_back();
      if (is_branch || (is_indexed && index == 1)) {
        if (!ParseLabelOperand(&operand)) return false;
        WantLabel(index, is_indexed ? LabelUse::Kind::kTargetList : LabelUse::Kind::kTarget, operand);
      } else if (!ParseOperand(&operand)) {
        return false;
      }
    } while (Accept(TokenKind::kComma));
  }
  if (!Is(TokenKind::kSemicolon)) {
    const std::string_view wanted = instruction.operands.empty() ? "`;`" : "`;` or `,`";
    // The mark belongs behind what was read, not at the start of the next line.
    if (token_.line != previous_.line) {
      SourceLocation place = At(previous_);
      place.column += place.length;
      place.length = 1;
      return Error(DiagnosticKind::kPtxSyntax, place, "the instruction does not end here", std::string(wanted));
    }
    return Unexpected(wanted);
  }
  Advance();

  const MatchedForm& form = Match(spelling, instruction.operands);
  instruction.mnemonic = form.mnemonic;
  instruction.modifiers = form.modifiers;
  instruction.operand_types = form.types;
  CheckInstruction(form, &instruction);
  function_->body.push_back(std::move(instruction));
  return true;
}

void Parser::WantLabel(size_t operand_index, LabelUse::Kind kind, const ir::Operand& operand) {
  LabelUse use;
  use.kind = kind;
  use.name = previous_.text;
  use.location = operand.location;
  use.instruction = Here();
  use.operand = static_cast<uint32_t>(operand_index);
  open_scopes_.back().uses.push_back(std::move(use));
}

// call (results), callee, (arguments), prototype: everything but the callee may be missing.
bool Parser::ParseCallOperands(ir::Instruction* instruction) {
  std::vector<ir::Operand>& operands = instruction->operands;
  operands.reserve(4);
  const auto parse_list = [&] {
    ir::Operand& list = operands.emplace_back();
    list.kind = Kind::kList;
    list.location = At(token_);
    return ParseOperandList(TokenKind::kRightParen, "`,` or `)`", &list.elements);
  };
  if (Is(TokenKind::kLeftParen) && (!parse_list() || !Expect(TokenKind::kComma, "`,`"))) return false;
  const Token callee = token_;
  if (!Is(TokenKind::kIdentifier)) return Unexpected("a function");
  ir::Operand& target = operands.emplace_back();
  target.location = At(callee);
  if (!ParseNamedOperand(&target)) return false;
  const bool unresolved = target.kind == Kind::kSink;
  if (!unresolved && target.kind != Kind::kFunction && target.kind != Kind::kRegister) {
    Error(DiagnosticKind::kPtxType, callee, Describe(callee) + " is called", "a function or a register");
  }
  if (!Accept(TokenKind::kComma)) return true;
  if (Is(TokenKind::kLeftParen)) {
    if (!parse_list()) return false;
    if (!Accept(TokenKind::kComma)) return true;
  }
  const size_t index = operands.size();
  ir::Operand& prototype = operands.emplace_back();
  if (!ParseLabelOperand(&prototype)) return false;
  WantLabel(index, LabelUse::Kind::kPrototype, prototype);
  return true;
}

const Parser::MatchedForm& Parser::Match(std::string_view spelling, const std::vector<ir::Operand>& operands) {
  const size_t operand_count = operands.size();
  std::string shapes;
  for (const ir::Operand& operand : operands) {
    // `a[1]` names the place, where an address is wanted; that is settled by the line.
    shapes += operand.kind == Kind::kAddress ? 'a' : operand.kind == Kind::kVector ? 'v' : 'x';
  }
  const auto [it, added] = forms_.try_emplace(FormKey{spelling, shapes});
  MatchedForm& form = it->second;
  if (!added) return form;
  Lexer words(spelling);
  form.mnemonic = words.Next().text;
  for (Token word = words.Next(); word.kind == TokenKind::kDotWord; word = words.Next()) form.modifiers.emplace_back(word.text.substr(1));
  form.outcome = MatchInstruction(form.mnemonic, form.modifiers, operand_count, shapes);
  form.types.assign(operand_count, ScalarType::kNone);
  if (form.outcome.form) {
    const std::vector<OperandForm>& slots = form.outcome.form->operands;
    for (size_t i = 0; i < slots.size() && i < operand_count; ++i) form.types[i] = slots[i].type;
    for (const InstructionForm::Need& need : form.outcome.form->needs) {
      const std::string unmet = Unmet(need.requirement);
      if (unmet.empty()) continue;
      form.unmet = (need.what.empty() ? "" : need.what + " in ") + "`" + std::string(spelling) + "` " + unmet;
      break;
    }
  } else if (form.outcome.known_mnemonic && !form.outcome.against_rule) {
    for (size_t count = 0; count <= kMaxOperandsTried && !form.wrong_count; ++count) {
      const MatchOutcome other = MatchInstruction(form.mnemonic, form.modifiers, count);
      form.wrong_count = other.form && other.form->spec->effect == Effect::kValue;
    }
  }
  return form;
}

std::string Parser::Unmet(const Requirement& requirement) const {
  const unsigned version = static_cast<unsigned>(10 * module_->version_major + module_->version_minor);
  Requirement missing = requirement;
  std::string found;
  if (version >= requirement.version || module_->version_minor > 9) {
    missing.version = 0;
  } else {
    found = ".version " + std::to_string(module_->version_major) + "." + std::to_string(module_->version_minor);
  }
  if (requirement.MeetsTarget(target_)) {
    missing.targets = {};
  } else {
    found += (found.empty() ? ".target " : " and .target ") + Spelling(target_);
  }
  return missing.trivial() ? "" : "needs " + Describe(missing) + "; the module has " + found;
}

}  // namespace racer::parse
