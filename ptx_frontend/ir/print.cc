#include "ptx_frontend/ir/print.h"

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <unordered_map>

#include "base/check.h"

namespace racer::ir {
namespace {

std::string Hex(uint64_t value, int digits) {
  char buffer[20];
  std::snprintf(buffer, sizeof buffer, "%0*llX", digits, static_cast<unsigned long long>(value));
  return buffer;
}

std::string_view LinkageText(Linkage linkage) {
  switch (linkage) {
    case Linkage::kNone: return "";
    case Linkage::kExtern: return ".extern ";
    case Linkage::kVisible: return ".visible ";
    case Linkage::kWeak: return ".weak ";
    case Linkage::kCommon: return ".common ";
  }
  RACER_UNREACHABLE(static_cast<int>(linkage));
}

std::string OffsetText(int64_t offset) { return offset == 0 ? "" : "+" + std::to_string(offset); }

std::string IntegerText(uint64_t bits, bool is_unsigned) {
  const int64_t value = static_cast<int64_t>(bits);
  if (is_unsigned) return std::to_string(bits) + (value >= 0 ? "U" : "");
  if (value == INT64_MIN) return "(.s64)0x8000000000000000";  // its digits alone would make an unsigned literal
  return std::to_string(value);
}

std::string JoinedTypes(const Variable& variable) {
  const uint64_t natural = uint64_t{(BitWidth(variable.type) + 7) / 8} * variable.vector;
  std::string text;
  for (const std::string& attribute : variable.attributes) text += attribute + " ";
  if (variable.align != natural) text += ".align " + std::to_string(variable.align) + " ";
  if (variable.vector > 1) text += ".v" + std::to_string(variable.vector) + " ";
  return text + "." + std::string(Spelling(variable.type)) + " ";
}

std::string DimsText(const Variable& variable) {
  std::string text;
  for (const uint64_t dim : variable.dims) text += dim == 0 ? "[]" : "[" + std::to_string(dim) + "]";
  return text;
}

std::string VariableText(const Variable& variable) {
  std::string text(LinkageText(variable.linkage));
  text += "." + std::string(Spelling(variable.space)) + " " + JoinedTypes(variable) + variable.name + DimsText(variable);
  if (!variable.initializer_text.empty()) {
    text += " =";
    for (const std::string& part : variable.initializer_text) text += " " + part;
  }
  return text + ";";
}

std::string ParameterText(const Variable& variable) {
  std::string text = "." + std::string(Spelling(variable.space)) + " " + JoinedTypes(variable);
  if (variable.is_pointer) {
    text += ".ptr ";
    if (variable.pointer_space != StateSpace::kGeneric) text += "." + std::string(Spelling(variable.pointer_space)) + " ";
    if (variable.pointer_align != 0) text += ".align " + std::to_string(variable.pointer_align) + " ";
  }
  return text + variable.name + DimsText(variable);
}

std::string OperandText(const Function& function, const Operand& operand);

std::string ListText(const Function& function, const std::vector<Operand>& operands, std::string_view open, std::string_view close) {
  std::string text(open);
  for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + OperandText(function, operands[i]);
  return text.append(close);
}

std::string SpecialText(const SpecialRegister& special) {
  if (special.has_component) return special.name + "." + "xyzw"[special.component];
  if (special.name == "%envreg" || special.name == "%pm") return special.name + std::to_string(special.component);
  return special.name;
}

const Register& RegisterOf(const Function& function, RegId reg) { return function.registers[static_cast<size_t>(reg)]; }

// Depth: the parser's nesting limit.
std::string OperandText(const Function& function, const Operand& operand) {
  using Kind = Operand::Kind;
  switch (operand.kind) {
    case Kind::kRegister: {
      const Register& reg = RegisterOf(function, operand.reg);
      std::string text = !operand.negated ? "" : reg.type == ScalarType::kPred ? "!" : "-";
      text += reg.name;
      if (operand.vector_component >= 0) text += std::string(".") + "xyzwefgh"[operand.vector_component];
      if (!operand.name.empty()) text += "." + operand.name;
      return text;
    }
    case Kind::kImmediate: return IntegerText(operand.bits, operand.unsigned_literal);
    case Kind::kFloat: return operand.float_width == 32 ? "0f" + Hex(operand.bits, 8) : "0d" + Hex(operand.bits, 16);
    case Kind::kAddress:
    case Kind::kVariable: {
      const Address& address = operand.address;
      std::string inner;
      if (address.variable != nullptr) inner = address.variable->name;
      if (address.base) {
        const std::string& base = RegisterOf(function, *address.base).name;
        // A variable indexed by a register is written a[r].
        inner = inner.empty() ? base : inner + "[" + base + "]";
        if (address.variable != nullptr) return inner;
      }
      inner += inner.empty() ? std::to_string(address.offset) : OffsetText(address.offset);
      if (operand.kind == Kind::kVariable) return inner;
      return ListText(function, operand.elements, "[" + inner + (operand.elements.empty() ? "" : ", "), "]");
    }
    case Kind::kSpecial: return SpecialText(operand.special);
    case Kind::kVector: return ListText(function, operand.elements, "{", "}");
    case Kind::kSink: return "_";
    case Kind::kLabel:
    case Kind::kFunction: return operand.name;
    case Kind::kList: return ListText(function, operand.elements, "(", ")");
    case Kind::kPair: return OperandText(function, operand.elements[0]) + "|" + OperandText(function, operand.elements[1]);
  }
  RACER_UNREACHABLE(static_cast<int>(operand.kind));
}

std::string InstructionText(const Function& function, const Instruction& instruction) {
  std::string text;
  if (instruction.guard) text = std::string(instruction.guard_negated ? "@!" : "@") + RegisterOf(function, *instruction.guard).name + " ";
  text += instruction.FullName();
  if (!instruction.operands.empty()) text += ListText(function, instruction.operands, " ", "");
  return text + ";";
}

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string Run() {
    for (const std::string& line : module_.contract_lines) out_ += "//! " + line + "\n";
    out_ += ".version " + std::to_string(module_.version_major) + "." + std::to_string(module_.version_minor) + "\n.target ";
    for (size_t i = 0; i < module_.target.size(); ++i) out_ += (i == 0 ? "" : ", ") + module_.target[i];
    out_ += "\n.address_size " + std::to_string(module_.address_size) + "\n\n";
    if (!module_.order.empty()) {
      for (const ModuleItem& item : module_.order) PrintItem(item);
      return std::move(out_);
    }
    // A module that was not parsed has no order of its own.
    const auto all = [&](ModuleItem::Kind kind, size_t count) {
      for (size_t i = 0; i < count; ++i) PrintItem({kind, static_cast<uint32_t>(i)});
    };
    all(ModuleItem::Kind::kPragma, module_.pragmas.size());
    all(ModuleItem::Kind::kFile, module_.files.size());
    all(ModuleItem::Kind::kVariable, module_.variables.size());
    all(ModuleItem::Kind::kFunction, module_.functions.size());
    all(ModuleItem::Kind::kAlias, module_.aliases.size());
    all(ModuleItem::Kind::kSection, module_.raw_sections.size());
    return std::move(out_);
  }

 private:
  void PrintItem(const ModuleItem& item) {
    switch (item.kind) {
      case ModuleItem::Kind::kVariable: out_ += VariableText(*module_.variables[item.index]) + "\n"; return;
      case ModuleItem::Kind::kFunction: PrintFunction(*module_.functions[item.index]); return;
      case ModuleItem::Kind::kFile: {
        const FileEntry& file = module_.files[item.index];
        out_ += ".file " + std::to_string(file.number) + " \"" + file.name + "\"";
        if (file.timestamp && file.size) out_ += ", " + std::to_string(*file.timestamp) + ", " + std::to_string(*file.size);
        out_ += "\n";
        return;
      }
      case ModuleItem::Kind::kSection: out_ += module_.raw_sections[item.index] + "\n"; return;
      case ModuleItem::Kind::kAlias:
        out_ += ".alias " + module_.aliases[item.index].name + ", " + module_.aliases[item.index].aliasee + ";\n";
        return;
      case ModuleItem::Kind::kPragma: out_ += module_.pragmas[item.index] + ";\n"; return;
    }
    RACER_UNREACHABLE(static_cast<int>(item.kind));
  }

  void PrintFunction(const Function& function) {
    out_ += std::string(LinkageText(function.linkage)) + (function.is_entry ? ".entry " : ".func ");
    const auto is_attribute = [](const std::string& directive) { return directive.rfind(".attribute", 0) == 0; };
    for (const std::string& directive : function.directives) {
      if (is_attribute(directive)) out_ += directive + " ";
    }
    if (!function.returns.empty()) {
      out_ += "(";
      for (size_t i = 0; i < function.returns.size(); ++i) out_ += (i == 0 ? "" : ", ") + ParameterText(*function.returns[i]);
      out_ += ") ";
    }
    out_ += function.name + " (";
    for (size_t i = 0; i < function.params.size(); ++i)
      out_ += std::string(i == 0 ? "" : ",") + "\n    " + ParameterText(*function.params[i]);
    out_ += function.params.empty() ? ")" : "\n)";
    PrintBounds(function);
    for (const std::string& directive : function.directives) {
      if (is_attribute(directive)) continue;
      out_ += "\n" + directive;
      if (directive.rfind(".pragma", 0) == 0) out_ += ";";
    }
    if (function.is_declaration) {
      out_ += ";\n";
      return;
    }
    out_ += "\n";
    PrintBody(function);
    out_ += "\n";
  }

  void PrintBounds(const Function& function) {
    const LaunchBounds& bounds = function.bounds;
    const auto dims = [&](std::string_view name, const std::optional<std::array<uint32_t, 3>>& value) {
      if (!value) return;
      out_ += "\n" + std::string(name) + " " + std::to_string((*value)[0]) + ", " + std::to_string((*value)[1]) + ", " +
              std::to_string((*value)[2]);
    };
    const auto count = [&](std::string_view name, const std::optional<uint32_t>& value) {
      if (value) out_ += "\n" + std::string(name) + " " + std::to_string(*value);
    };
    dims(".maxntid", bounds.maxntid);
    dims(".reqntid", bounds.reqntid);
    count(".minnctapersm", bounds.minnctapersm);
    count(".maxnreg", bounds.maxnreg);
    if (bounds.explicitcluster) out_ += "\n.explicitcluster";
    dims(".reqnctapercluster", bounds.reqnctapercluster);
    count(".maxclusterrank", bounds.maxclusterrank);
    if (bounds.blocksareclusters) out_ += "\n.blocksareclusters";
    if (function.noreturn) out_ += "\n.noreturn";
  }

  // What stands in scope `scope` in front of instruction `at`, in the order in which it is printed.
  enum class Rank : uint8_t { kRegister, kVariable, kDirective, kLabel, kScope };
  struct Entry {
    int scope = 0;
    InstructionIndex at = 0;
    Rank rank = Rank::kRegister;
    uint32_t index = 0;
    auto Key() const { return std::tuple(scope, at, rank, index); }
  };

  void PrintBody(const Function& function) {
    entries_.clear();
    for (uint32_t i = 0; i < function.registers.size(); ++i) {
      const Register& reg = function.registers[i];
      if (!IsParameter(function, reg)) entries_.push_back({reg.scope, reg.declared_at, Rank::kRegister, i});
    }
    for (uint32_t i = 0; i < function.variables.size(); ++i) {
      const Variable* variable = function.variables[i].get();
      const auto holds = [&](const std::vector<Variable*>& list) { return std::find(list.begin(), list.end(), variable) != list.end(); };
      // Parameters come first among the variables.
      const bool parameter = i < function.params.size() + function.returns.size() && (holds(function.params) || holds(function.returns));
      if (!parameter) entries_.push_back({variable->scope, variable->declared_at, Rank::kVariable, i});
    }
    for (uint32_t i = 0; i < function.statement_directives.size(); ++i) {
      entries_.push_back({function.statement_directives[i].scope, function.statement_directives[i].at, Rank::kDirective, i});
    }
    for (uint32_t i = 0; i < function.labels.size(); ++i)
      entries_.push_back({function.labels[i].scope, function.labels[i].target, Rank::kLabel, i});
    for (uint32_t i = 1; i < function.scopes.size(); ++i)
      entries_.push_back({function.scopes[i].parent, function.scopes[i].begin, Rank::kScope, i});
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.Key() < b.Key(); });
    last_location_.reset();
    PrintScope(function, 0, 0);
  }

  static bool IsParameter(const Function& function, const Register& reg) {
    if (reg.scope != 0) return false;
    const auto named = [&](const Variable* variable) { return variable->space == StateSpace::kReg && variable->name == reg.name; };
    return std::any_of(function.params.begin(), function.params.end(), named) ||
           std::any_of(function.returns.begin(), function.returns.end(), named);
  }

  // Depth: the parser's nesting limit.
  void PrintScope(const Function& function, int scope, int depth) {
    const std::string indent(static_cast<size_t>(depth) * 4, ' ');
    const std::string inner = indent + "    ";
    out_ += indent + "{\n";
    auto next =
        std::lower_bound(entries_.begin(), entries_.end(), scope, [](const Entry& entry, int value) { return entry.scope < value; });
    // A scope of the body that its function lacks (a module that was not parsed) covers all instructions.
    const bool known = static_cast<size_t>(scope) < function.scopes.size();
    InstructionIndex at = known ? function.scopes[static_cast<size_t>(scope)].begin : 0;
    const InstructionIndex end =
        scope != 0 && known ? function.scopes[static_cast<size_t>(scope)].end : static_cast<InstructionIndex>(function.body.size());
    while (true) {
      while (next != entries_.end() && next->scope == scope && next->at <= at) {
        const Entry entry = *next;
        switch (entry.rank) {
          case Rank::kRegister: next = PrintRegisters(function, next, inner); continue;
          case Rank::kVariable: out_ += inner + VariableText(*function.variables[entry.index]) + "\n"; break;
          case Rank::kDirective: out_ += inner + function.statement_directives[entry.index].text + ";\n"; break;
          case Rank::kLabel: PrintLabel(function.labels[entry.index], indent); break;
          case Rank::kScope:
            PrintScope(function, static_cast<int>(entry.index), depth + 1);
            at = std::max(at, function.scopes[entry.index].end);
            break;
        }
        ++next;
      }
      if (at >= end) break;
      PrintLocation(function.body[at], inner);
      out_ += inner + InstructionText(function, function.body[at]) + "\n";
      ++at;
    }
    out_ += indent + "}\n";
  }

  // One line for neighbours of one type.
  std::vector<Entry>::iterator PrintRegisters(const Function& function, std::vector<Entry>::iterator first, const std::string& indent) {
    constexpr int kPerLine = 8;
    const Register& head = function.registers[first->index];
    out_ += indent + ".reg ";
    if (head.vector > 1) out_ += ".v" + std::to_string(head.vector) + " ";
    out_ += "." + std::string(Spelling(head.type)) + " " + head.name;
    auto next = first + 1;
    for (int count = 1; count < kPerLine && next != entries_.end(); ++count, ++next) {
      if (next->rank != Rank::kRegister || next->scope != first->scope || next->at != first->at) break;
      const Register& reg = function.registers[next->index];
      if (reg.type != head.type || reg.vector != head.vector) break;
      out_ += ", " + reg.name;
    }
    out_ += ";\n";
    return next;
  }

  void PrintLabel(const Label& label, const std::string& indent) {
    out_ += indent + label.name + ":";
    if (label.is_branch_targets) {
      out_ += " .branchtargets ";
      for (size_t i = 0; i < label.branch_targets.size(); ++i) out_ += (i == 0 ? "" : ", ") + label.branch_targets[i];
      out_ += ";";
    } else if (label.is_call_prototype) {
      out_ += " " + label.declaration_text + ";";
    }
    out_ += "\n";
  }

  void PrintLocation(const Instruction& instruction, const std::string& indent) {
    if (!instruction.debug_location || instruction.debug_location == last_location_) return;
    last_location_ = instruction.debug_location;
    // The call sites first, unless the latest .loc of their place is the right one already.
    std::vector<uint32_t> chain{*instruction.debug_location};
    while (true) {
      const std::optional<uint32_t> site = module_.debug_locations[chain.back()].inlined_at;
      if (!site || *site >= chain.back()) break;
      const auto it = printed_.find(Place(*site));
      if (it != printed_.end() && it->second == *site) break;
      chain.push_back(*site);
    }
    while (!chain.empty()) {
      const DebugLocation& location = module_.debug_locations[chain.back()];
      out_ += indent + ".loc " + Place(chain.back());
      if (!location.function_name.empty()) out_ += ", function_name " + location.function_name;
      if (location.inlined_at) out_ += ", inlined_at " + Place(*location.inlined_at);
      out_ += "\n";
      printed_[Place(chain.back())] = chain.back();
      chain.pop_back();
    }
  }
  std::string Place(uint32_t index) const {
    const DebugLocation& location = module_.debug_locations[index];
    return std::to_string(location.file) + " " + std::to_string(location.line) + " " + std::to_string(location.column);
  }

  const Module& module_;
  std::string out_;
  std::vector<Entry> entries_;
  std::optional<uint32_t> last_location_;
  std::unordered_map<std::string, uint32_t> printed_;  // debug location last printed at a place
};

}  // namespace

std::string Print(const Module& module) { return Printer(module).Run(); }

std::string Print(const Module&, const Function& function, const Instruction& instruction) {
  return InstructionText(function, instruction);
}

}  // namespace racer::ir
