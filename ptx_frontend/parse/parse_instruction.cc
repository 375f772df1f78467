// Instructions: guard, mnemonic, operands, and what the table makes of them.
#include <utility>

#include "base/check.h"
#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {

using ir::Operand;

bool Parser::ParseInstruction() {
  ir::Instruction instruction;
  instruction.scope = scope_;
  if (Accept("@")) {
    instruction.guard_negated = Accept("!");
    const Token& token = Peek();
    if (!TakeIdentifier("a predicate")) return false;
    const Symbol* symbol = Find(token.text);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::kRegister) {
      return FailAt(token, DiagnosticKind::kPtxUndeclared, "no register `" + std::string(token.text) + "` is declared here", "a predicate");
    }
    if (function_->registers[static_cast<size_t>(symbol->reg)].type != ScalarType::kPred) {
      return FailAt(token, DiagnosticKind::kPtxType, "the guard `" + std::string(token.text) + "` is no predicate", "a register of type .pred");
    }
    instruction.guard = symbol->reg;
  }
  instruction.location = Here();
  const std::optional<std::string_view> mnemonic = TakeIdentifier("an instruction");
  if (!mnemonic) return false;
  instruction.mnemonic = *mnemonic;
  while (Peek().kind == TokenKind::kDotted) instruction.modifiers.emplace_back(Take().text.substr(1));
  instruction.location.length = static_cast<int>(instruction.FullName().size());

  if (instruction.mnemonic == "call") {
    if (!ParseCallOperands(&instruction)) return false;
  } else if (!At(";")) {
    const bool branches = instruction.mnemonic == "bra";
    const bool table = instruction.mnemonic == "brx";
    do {
      const bool is_label = branches || (table && !instruction.operands.empty());
      std::optional<Operand> operand = is_label ? ParseLabelOperand() : ParseOperand();
      if (!operand) return false;
      instruction.operands.push_back(*std::move(operand));
    } while (Accept(","));
  }
  if (!At(";")) return Fail("`;` or `,` after an operand");
  Take();
  Match(&instruction);
  instruction.debug_location = CurrentDebugLocation();
  function_->body.push_back(std::move(instruction));
  return true;
}

// [(results),] callee [, (arguments)] [, prototype or targets]
bool Parser::ParseCallOperands(ir::Instruction* instruction) {
  const auto list = [&]() -> bool {
    Operand operand;
    operand.kind = Operand::Kind::kList;
    operand.location = Here();
    Take();
    if (!ParseGroup(")", &operand)) return false;
    instruction->operands.push_back(std::move(operand));
    return true;
  };
  if (At("(") && (!list() || !Expect(",", "after the results"))) return false;
  const Token& token = Peek();
  std::optional<Operand> callee = ParseNamed();
  if (!callee) return false;
  if (callee->kind != Operand::Kind::kFunction && callee->kind != Operand::Kind::kRegister) {
    return FailAt(token, DiagnosticKind::kPtxSyntax, "`" + std::string(token.text) + "` cannot be called", "a function or a register");
  }
  instruction->operands.push_back(*std::move(callee));
  if (!Accept(",")) return true;
  if (At("(")) {
    if (!list()) return false;
    if (!Accept(",")) return true;
  }
  std::optional<Operand> prototype = ParseLabelOperand();
  if (!prototype) return false;
  instruction->operands.push_back(*std::move(prototype));
  return true;
}

namespace {

// What an operand is written as but its form does not allow; empty: nothing.
std::string Mismatch(const Operand& operand, const OperandForm& form) {
  if (form.name.empty()) return "";  // an operand beyond the grammar line's
  const std::string name = "operand `" + std::string(form.name) + "`";
  if (operand.negated && !form.negatable) return name + " cannot be negated";
  if (operand.kind == Operand::Kind::kPair && !form.pair_allowed) return name + " is no pair";
  const bool is_address = operand.kind == Operand::Kind::kAddress;
  const bool is_label = operand.kind == Operand::Kind::kLabel;
  switch (form.role) {
    case OperandForm::Role::kAddress: return is_address ? "" : name + " is an address";
    case OperandForm::Role::kLabel: return is_label ? "" : name + " is a label";
    case OperandForm::Role::kSource:
    case OperandForm::Role::kDestination: break;
  }
  if (is_address) return name + " is no address";
  if (is_label) return name + " is no label";
  if (form.role == OperandForm::Role::kSource) return operand.kind == Operand::Kind::kSink ? name + " is read: it cannot be `_`" : "";
  switch (operand.kind) {
    case Operand::Kind::kRegister:
    case Operand::Kind::kVector:
    case Operand::Kind::kSink:
    case Operand::Kind::kPair: return "";
    case Operand::Kind::kImmediate:
    case Operand::Kind::kFloat:
    case Operand::Kind::kVariable:
    case Operand::Kind::kSpecial:
    case Operand::Kind::kFunction:
    case Operand::Kind::kList: return name + " is written: it must be a register";
    case Operand::Kind::kAddress:
    case Operand::Kind::kLabel: break;  // handled above
  }
  RACER_UNREACHABLE(static_cast<int>(operand.kind));
}

}  // namespace

void Parser::Match(ir::Instruction* instruction) {
  std::string key = instruction->FullName() + '#' + std::to_string(instruction->operands.size());
  auto found = matches_.find(key);
  if (found == matches_.end()) {
    MatchOutcome outcome = MatchInstruction(instruction->mnemonic, instruction->modifiers, instruction->operands.size());
    found = matches_.emplace(std::move(key), std::move(outcome)).first;
  }
  const MatchOutcome& match = found->second;
  instruction->operand_types.assign(instruction->operands.size(), ScalarType::kNone);
  if (!match.form) {
    instruction->unmatched = match.reason;
    return;
  }
  for (size_t i = 0; i < instruction->operands.size(); ++i) {
    std::string mismatch = Mismatch(instruction->operands[i], match.form->operands[i]);
    if (!mismatch.empty()) {
      instruction->unmatched = std::move(mismatch);
      instruction->operand_types.assign(instruction->operands.size(), ScalarType::kNone);
      return;
    }
    instruction->operand_types[i] = match.form->operands[i].type;
  }
  instruction->opcode = match.form->opcode;
  instruction->mods = match.form->mods;
}

// The `.loc` in force, entered into the module when an instruction first uses it.
std::optional<uint32_t> Parser::CurrentDebugLocation() {
  if (!loc_ || debug_location_) return debug_location_;
  const auto enter = [&](ir::DebugLocation loc) {
    const int64_t outer = loc.inlined_at ? static_cast<int64_t>(*loc.inlined_at) : -1;
    const auto [place, fresh] = debug_index_.try_emplace({loc.file, loc.line, loc.column, loc.function_name, outer},
                                                         static_cast<uint32_t>(module_->debug_locations.size()));
    if (fresh) module_->debug_locations.push_back(std::move(loc));
    return place->second;
  };
  ir::DebugLocation loc = *loc_;
  if (inlined_at_) {
    // The call may be inlined itself: then it is the last location used at that place.
    const auto outer = last_debug_.find({inlined_at_->file, inlined_at_->line, inlined_at_->column});
    loc.inlined_at = outer != last_debug_.end()
                         ? outer->second
                         : enter({.file = inlined_at_->file, .line = inlined_at_->line, .column = inlined_at_->column, .function_name = {}, .inlined_at = {}});
  }
  const std::tuple<uint32_t, uint32_t, uint32_t> place{loc.file, loc.line, loc.column};
  debug_location_ = enter(std::move(loc));
  last_debug_[place] = *debug_location_;
  return debug_location_;
}

}  // namespace racer::parse_internal
