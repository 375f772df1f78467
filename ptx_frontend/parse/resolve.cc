// Names: scopes, and labels once a function has been read.
#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {

const Symbol* Parser::Find(std::string_view name) const {
  for (int scope = scope_; scope >= 0; scope = function_->scopes[static_cast<size_t>(scope)].parent) {
    const SymbolTable& table = scope_symbols_[static_cast<size_t>(scope)];
    if (const auto found = table.find(name); found != table.end()) return &found->second;
  }
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : &found->second;
}

bool Parser::Declare(std::string_view name, const Symbol& symbol, const Token& at) {
  SymbolTable& table = scope_ >= 0 ? scope_symbols_[static_cast<size_t>(scope_)] : globals_;
  const auto [place, fresh] = table.try_emplace(std::string(name), symbol);
  if (fresh) return true;
  Symbol& known = place->second;
  // An .extern variable or a function without a body may be declared again and defined once.
  if (known.kind == symbol.kind) {
    if (symbol.kind == Symbol::Kind::kVariable && scope_ < 0) {
      if (symbol.variable->linkage == ir::Linkage::kExtern) return true;
      if (known.variable->linkage == ir::Linkage::kExtern) {
        defined_later_[known.variable] = symbol.variable;
        known = symbol;
        return true;
      }
    }
    if (symbol.kind == Symbol::Kind::kFunction) {
      if (known.function->is_declaration) known = symbol;
      return true;
    }
  }
  return FailAt(at, DiagnosticKind::kPtxRedeclared, "`" + std::string(name) + "` is declared twice in one scope");
}

void Parser::ResolveLabels() {
  const auto report = [&](const SourceLocation& location, const std::string& name) {
    ++errors_;
    SourceLocation place = location;
    place.length = static_cast<int>(name.size());
    outcome_.diagnostics.push_back(
        MakeError(DiagnosticKind::kPtxUndeclared, std::move(place), "no label `" + name + "` in this scope or around it"));
  };
  for (ir::Instruction& instruction : function_->body) {
    for (ir::Operand& operand : instruction.operands) {
      if (operand.kind != ir::Operand::Kind::kLabel) continue;
      if (TooManyErrors()) return;
      const ir::Label* label = function_->FindLabel(operand.name, instruction.scope);
      if (label == nullptr) {
        report(operand.location, operand.name);
      } else {
        operand.target = label->target;
      }
    }
  }
  for (ir::Label& label : function_->labels) {
    for (const std::string& name : label.branch_targets) {
      if (TooManyErrors()) return;
      const ir::Label* target = function_->FindLabel(name, label.scope);
      if (target == nullptr) {
        report(label.location, name);
      } else {
        label.branch_target_instructions.push_back(target->target);
      }
    }
  }
}

// Operands read before the definition of an .extern variable point to its declaration.
void Parser::BindExternals() {
  if (defined_later_.empty()) return;
  const auto bind = [&](const ir::Variable*& variable) {
    // Chains are as long as a name is redeclared.
    for (auto found = defined_later_.find(variable); found != defined_later_.end(); found = defined_later_.find(variable)) {
      variable = found->second;
    }
  };
  for (const std::unique_ptr<ir::Function>& function : module_->functions) {
    for (ir::Instruction& instruction : function->body) {
      std::vector<ir::Operand*> left;
      for (ir::Operand& operand : instruction.operands) left.push_back(&operand);
      while (!left.empty()) {
        ir::Operand* operand = left.back();
        left.pop_back();
        bind(operand->address.variable);
        for (ir::Operand& element : operand->elements) left.push_back(&element);
      }
    }
  }
}

}  // namespace racer::parse_internal
