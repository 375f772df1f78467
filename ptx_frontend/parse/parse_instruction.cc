// Instructions: mnemonic, operands, the grammar line they match, and what ptxas would refuse about them.
#include <algorithm>
#include <utility>

#include "ptx_frontend/parse/operand_check.h"
#include "ptx_frontend/parse/parser.h"
#include "ptx_frontend/parse/special_registers.h"

namespace racer::parse {
namespace {

using Kind = ir::Operand::Kind;

// How many operands a value instruction might want, to tell a wrong number from a wrong modifier.
constexpr size_t kMaxOperandsTried = 6;

// Newest .version all of whose instructions have grammar lines ...
constexpr int kKnownVersion = 90;

// ... but for forms of these, perhaps: whoever runs one says UNDECIDED.
bool MayLackForms(std::string_view mnemonic) {
  static constexpr std::string_view kNames[] = {"atom", "ld", "ldu", "mma", "mov", "multimem", "prefetch", "st", "tex", "wmma"};
  return std::find(std::begin(kNames), std::end(kNames), mnemonic) != std::end(kNames);
}

std::string DescribeType(ScalarType type) { return "." + std::string(Spelling(type)); }

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
  } else if (form.outcome.known_mnemonic) {
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

bool Parser::CheckInstruction(const MatchedForm& form, ir::Instruction* instruction) {
  if (instruction->mnemonic == "call" && !CheckCall(*instruction)) return false;
  if (!form.outcome.form) {
    if (form.wrong_count) return Error(DiagnosticKind::kPtxSyntax, instruction->location, form.outcome.reason);
    // A later .version may know it.
    const bool known_version = 10 * module_->version_major + module_->version_minor <= kKnownVersion;
    if (known_version && !MayLackForms(instruction->mnemonic))
      return Error(DiagnosticKind::kPtxSyntax, instruction->location, form.outcome.reason);
    if (form.outcome.known_mnemonic) instruction->unmatched = form.outcome.reason;
    return true;
  }
  const InstructionForm& matched = *form.outcome.form;
  if ((matched.opcode == Opcode::kVote || matched.opcode == Opcode::kShfl) && target_.number >= 70 &&
      10 * module_->version_major + module_->version_minor >= 64) {
    return Error(DiagnosticKind::kPtxVersion, instruction->location,
                 "`" + instruction->mnemonic +
                     "` without .sync is gone from .version 6.4 on for .target sm_70 or later; the module has .target " + Spelling(target_),
                 "`" + instruction->mnemonic + ".sync`");
  }
  if (!form.unmet.empty()) return Error(DiagnosticKind::kPtxVersion, instruction->location, form.unmet);
  const bool modelled = matched.spec->effect != Effect::kUnmodelled;
  if (modelled && !unsupported_.empty()) {
    instruction->unmatched = unsupported_ + " is not modelled";
    instruction->operand_types.assign(instruction->operands.size(), ScalarType::kNone);
    return true;
  }
  instruction->opcode = matched.opcode;
  instruction->mods = matched.mods;
  if (matched.open_operands) return true;
  for (size_t i = 0; i < instruction->operands.size() && i < matched.operands.size(); ++i) {
    // An element of an array names the place itself: ld.global.u32 r, a[1].
    ir::Operand& operand = instruction->operands[i];
    if (matched.operands[i].role == OperandForm::Role::kAddress && operand.kind == Kind::kVariable) operand.kind = Kind::kAddress;
    if (!CheckOperand(matched, i, *instruction)) return false;
  }
  return true;
}

bool Parser::CheckOperand(const InstructionForm& form, size_t index, const ir::Instruction& instruction) {
  return CheckSlot(form, form.operands[index], instruction.operands[index], instruction);
}

bool Parser::CheckSlot(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                       const ir::Instruction& instruction) {
  switch (slot.role) {
    case OperandForm::Role::kLabel: return true;  // settled with the labels
    case OperandForm::Role::kAddress: return CheckAddress(form, slot, operand, instruction);
    case OperandForm::Role::kDestination:
      if (operand.kind == Kind::kImmediate || operand.kind == Kind::kFloat || operand.kind == Kind::kVariable ||
          operand.kind == Kind::kSpecial || operand.kind == Kind::kFunction || operand.kind == Kind::kAddress || operand.negated) {
        return Error(DiagnosticKind::kPtxType, operand.location, "the result of `" + instruction.mnemonic + "` cannot go here",
                     "a register");
      }
      break;
    case OperandForm::Role::kSource: break;
  }
  if (operand.kind == Kind::kAddress) {
    return Error(DiagnosticKind::kPtxType, operand.location, "an address in brackets where `" + instruction.mnemonic + "` takes a value");
  }
  if (slot.sink && operand.kind != Kind::kSink)
    return Error(DiagnosticKind::kPtxType, operand.location, "an operand where `" + instruction.FullName() + "` has no result", "`_`");
  if (slot.immediate && operand.kind != Kind::kImmediate)
    return Error(DiagnosticKind::kPtxType, operand.location, "no literal in `" + instruction.FullName() + "`", "an integer literal");
  if (!slot.immediates.empty() &&
      std::find(slot.immediates.begin(), slot.immediates.end(), static_cast<int64_t>(operand.bits)) == slot.immediates.end()) {
    std::string values;
    for (const int64_t value : slot.immediates) values += (values.empty() ? "" : " or ") + std::to_string(value);
    return Error(DiagnosticKind::kPtxType, operand.location, "another literal in `" + instruction.FullName() + "`", values);
  }
  if (operand.kind == Kind::kPair) {
    if (!slot.pair_allowed)
      return Error(DiagnosticKind::kPtxType, operand.location, "a pair where `" + instruction.mnemonic + "` takes one operand");
    const ir::Operand& first = operand.elements[0];
    return (first.kind == Kind::kVector ? CheckVector(form, slot, first, instruction) : CheckValue(form, slot.type, first, instruction)) &&
           CheckValue(form, slot.second_type, operand.elements[1], instruction);
  }
  if (operand.kind == Kind::kVector) return CheckVector(form, slot, operand, instruction);
  if (slot.braces && !(slot.bare_allowed && slot.vector == 1) && !IsVectorRegister(operand, slot.vector)) {
    return Error(DiagnosticKind::kPtxType, operand.location, "a single operand in `" + instruction.FullName() + "`",
                 "a vector of " + std::to_string(slot.vector) + " elements in braces");
  }
  return CheckValue(form, slot.type, operand, instruction);
}

bool Parser::IsVectorRegister(const ir::Operand& operand, unsigned elements) const {
  return elements > 1 && operand.kind == Kind::kRegister && operand.vector_component < 0 &&
         function_->registers[static_cast<size_t>(operand.reg)].vector == elements;
}

bool Parser::CheckValue(const InstructionForm& form, ScalarType type, const ir::Operand& operand, const ir::Instruction& instruction) {
  if (operand.kind == Kind::kRegister) {
    const ir::Register& reg = function_->registers[static_cast<size_t>(operand.reg)];
    // Narrow and packed formats have registers of their own width in conversions.
    const bool packed = PackedElement(form.mods.type) != ScalarType::kNone || PackedElement(form.mods.type2) != ScalarType::kNone;
    if (RegisterFits(reg.type, type, TakesWiderRegisters(instruction.mnemonic) && !(packed && instruction.mnemonic == "cvt"))) return true;
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "register `" + reg.name + "` of type " + DescribeType(reg.type) + " in `" + instruction.FullName() + "`",
                 "a register that holds " + DescribeType(type));
  }
  if (operand.kind == Kind::kSpecial && instruction.mnemonic == "mov" && type != ScalarType::kNone) {
    std::string name = operand.special.name;
    if (name == "%envreg" || name == "%pm") name += std::to_string(operand.special.component);
    const std::optional<SpecialName> special = FindSpecialRegister(name);
    if (!special || SpecialFits(*special, type)) return true;
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "special register `" + name + "` in `" + instruction.FullName() + "`, which is of another width");
  }
  if (operand.kind == Kind::kImmediate || operand.kind == Kind::kFloat) {
    if (LiteralFits(operand, type)) return true;
    return Error(
        DiagnosticKind::kPtxType, operand.location,
        std::string(operand.kind == Kind::kFloat ? "a floating-point" : "an integer") + " literal in `" + instruction.FullName() + "`",
        "a value of type " + DescribeType(type));
  }
  return true;
}

// An element of a vector of fixed length is a register, `_` for a result that is not wanted, or a literal source.
bool Parser::CheckElement(const OperandForm& slot, const ir::Operand& element, const ir::Instruction& instruction) {
  const bool destination = slot.role == OperandForm::Role::kDestination;
  if (element.kind == Kind::kRegister && !element.negated) return true;
  if (element.kind == Kind::kSink && destination) return true;
  if ((element.kind == Kind::kImmediate || element.kind == Kind::kFloat) && !destination) return true;
  return Error(DiagnosticKind::kPtxType, element.location,
               "an element of operand " + std::string(slot.name) + " of `" + instruction.FullName() + "`",
               destination ? "a register or `_`" : "a register or a literal");
}

bool Parser::CheckVector(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                         const ir::Instruction& instruction) {
  for (const ir::Operand& element : operand.elements) {
    const bool literal = element.kind == Kind::kImmediate || element.kind == Kind::kFloat;
    if (element.kind == Kind::kAddress || element.kind == Kind::kVector || element.kind == Kind::kPair ||
        (literal && slot.role == OperandForm::Role::kDestination)) {
      return Error(DiagnosticKind::kPtxType, element.location, "no element of a vector in `" + instruction.FullName() + "`", "a register");
    }
  }
  if (form.mods.vector > 1 || slot.braces) {
    if (slot.or_longer ? operand.elements.size() < slot.vector : operand.elements.size() != slot.vector) {
      return Error(DiagnosticKind::kPtxType, operand.location,
                   "a vector of " + std::to_string(operand.elements.size()) + " elements in `" + instruction.FullName() + "`",
                   std::to_string(slot.vector) + (slot.vector == 1 ? " element" : " elements"));
    }
    for (const ir::Operand& element : operand.elements) {
      if (slot.braces && !CheckElement(slot, element, instruction)) return false;
      if (!CheckValue(form, slot.type, element, instruction)) return false;
    }
    return true;
  }
  if (slot.type == ScalarType::kNone) return true;
  const bool is_load_or_store = instruction.mnemonic == "ld" || instruction.mnemonic == "ldu" || instruction.mnemonic == "st";
  if (is_load_or_store && operand.elements.size() == 1) return CheckValue(form, slot.type, operand.elements[0], instruction);
  if (instruction.mnemonic != "mov") {
    return Error(DiagnosticKind::kPtxType, operand.location, "a vector where `" + instruction.FullName() + "` takes one operand");
  }
  if (ClassOf(slot.type) != TypeClass::kBits) {
    return Error(DiagnosticKind::kPtxType, operand.location, "a vector in `" + instruction.FullName() + "`",
                 "a .b type, which mov packs and unpacks");
  }
  const unsigned width = BitWidth(slot.type) / static_cast<unsigned>(std::max<size_t>(operand.elements.size(), 1));
  for (const ir::Operand& element : operand.elements) {
    if (element.kind != Kind::kRegister) continue;
    const ir::Register& reg = function_->registers[static_cast<size_t>(element.reg)];
    if (BitWidth(reg.type) == width && reg.type != ScalarType::kPred) continue;
    return Error(DiagnosticKind::kPtxType, element.location,
                 "register `" + reg.name + "` of type " + DescribeType(reg.type) + " as one of " + std::to_string(operand.elements.size()) +
                     " parts of " + DescribeType(slot.type),
                 "a register of " + std::to_string(width) + " bits");
  }
  return true;
}

bool Parser::CheckAddress(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                          const ir::Instruction& instruction) {
  if (operand.kind != Kind::kAddress) return Error(DiagnosticKind::kPtxType, operand.location, "no address", "an address in brackets");
  const size_t optional =
      static_cast<size_t>(std::count_if(slot.inner.begin(), slot.inner.end(), [](const OperandForm& o) { return o.optional; }));
  const size_t found = operand.elements.size(), most = slot.inner.size();
  if (found > most || found + optional < most) {
    if (most == 0) return Error(DiagnosticKind::kPtxType, operand.location, "an address with more than one part");
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "an address of " + std::to_string(found + 1) + " parts in `" + instruction.FullName() + "`",
                 (optional > 0 ? std::to_string(most - optional + 1) + " to " : "") + std::to_string(most + 1));
  }
  if (operand.address.base && slot.type != ScalarType::kNone) {
    const ir::Register& reg = function_->registers[static_cast<size_t>(*operand.address.base)];
    if (!RegisterFits(reg.type, slot.type, /*wider_allowed=*/false)) {
      return Error(DiagnosticKind::kPtxType, operand.location,
                   "register `" + reg.name + "` of type " + DescribeType(reg.type) + " as an address in `" + instruction.FullName() + "`",
                   "a register that holds " + DescribeType(slot.type));
    }
  }
  size_t left_out = most - found;
  size_t element = 0;
  for (const OperandForm& inner : slot.inner) {
    if (inner.optional && left_out > 0) {
      --left_out;
      continue;
    }
    if (!CheckSlot(form, inner, operand.elements[element++], instruction)) return false;
  }
  const ir::Variable* const variable = operand.address.variable;
  const std::string_view mnemonic = form.spec->mnemonic;
  if (variable == nullptr || (mnemonic != "ld" && mnemonic != "st" && mnemonic != "ldu")) return true;
  StateSpace space = form.mods.space;
  if (space == StateSpace::kGeneric) return true;
  if (space == StateSpace::kParamFunc) space = StateSpace::kParam;
  if (space == StateSpace::kSharedCluster) space = StateSpace::kShared;
  if (space == variable->space) return true;
  return Error(DiagnosticKind::kPtxType, operand.location,
               "`" + variable->name + "` lies in ." + std::string(Spelling(variable->space)) + ", the instruction accesses ." +
                   std::string(Spelling(space)));
}

bool Parser::CheckCall(const ir::Instruction& instruction) {
  const ir::Operand* callee = nullptr;
  size_t results = 0, arguments = 0;
  for (const ir::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::kFunction && callee == nullptr) callee = &operand;
    if (operand.kind == Kind::kRegister) return true;  // its prototype is not looked into
    if (operand.kind == Kind::kList) (callee == nullptr ? results : arguments) = operand.elements.size();
  }
  if (callee == nullptr) return true;  // reported already
  const Symbol symbol = Lookup(callee->name);
  if (symbol.kind != Symbol::Kind::kFunction) return true;
  const ir::Function& function = *symbol.function;
  if (function.is_entry)
    return Error(DiagnosticKind::kPtxType, callee->location, "the entry `" + callee->name + "` is called", "a function");
  const bool open_ended = !function.params.empty() && !function.params.back()->dims.empty() && function.params.back()->dims[0] == 0;
  if (!open_ended && arguments != function.params.size()) {
    return Error(
        DiagnosticKind::kPtxType, callee->location,
        "`" + callee->name + "` takes " + std::to_string(function.params.size()) + " arguments, found " + std::to_string(arguments));
  }
  if (results != function.returns.size()) {
    return Error(DiagnosticKind::kPtxType, callee->location,
                 "`" + callee->name + "` returns " + std::to_string(function.returns.size()) + " values, found " + std::to_string(results));
  }
  return true;
}

}  // namespace racer::parse
