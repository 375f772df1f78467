#include "ptx_frontend/ir/compare.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace racer::ir {
namespace {

class Comparer {
 public:
  Comparer(const Module& a, const Module& b) : a_(a), b_(b) {}

  std::string Run() {
    Check("version", a_.version_major == b_.version_major && a_.version_minor == b_.version_minor);
    Check("target", a_.target == b_.target && a_.sm == b_.sm && a_.arch_specific == b_.arch_specific);
    Check("address size", a_.address_size == b_.address_size);
    Check("contract", a_.contract_lines == b_.contract_lines);
    Check("sections", a_.raw_sections == b_.raw_sections);
    Check("pragmas", a_.pragmas == b_.pragmas);
    Check("order", std::equal(a_.order.begin(), a_.order.end(), b_.order.begin(), b_.order.end(),
                              [](const ModuleItem& x, const ModuleItem& y) { return x.kind == y.kind && x.index == y.index; }));
    Check("aliases", std::equal(a_.aliases.begin(), a_.aliases.end(), b_.aliases.begin(), b_.aliases.end(),
                                [](const Alias& x, const Alias& y) { return x.name == y.name && x.aliasee == y.aliasee; }));
    Check("files",
          std::equal(a_.files.begin(), a_.files.end(), b_.files.begin(), b_.files.end(), [](const FileEntry& x, const FileEntry& y) {
            return x.number == y.number && x.name == y.name && x.timestamp == y.timestamp && x.size == y.size;
          }));
    Variables("module", a_.variables, b_.variables);
    if (Check("number of functions", a_.functions.size() == b_.functions.size())) {
      for (size_t i = 0; i < a_.functions.size(); ++i) Functions(*a_.functions[i], *b_.functions[i]);
    }
    return difference_;
  }

 private:
  bool Check(const std::string& what, bool same) {
    if (!same && difference_.empty()) difference_ = what;
    return same;
  }

  void Variables(const std::string& where, const std::vector<std::unique_ptr<Variable>>& a,
                 const std::vector<std::unique_ptr<Variable>>& b) {
    if (!Check(where + ": number of variables", a.size() == b.size())) return;
    // The printer groups those of one scope: their order across scopes may change.
    const auto sorted = [](const std::vector<std::unique_ptr<Variable>>& all) {
      std::vector<const Variable*> list;
      list.reserve(all.size());
      for (const auto& variable : all) list.push_back(variable.get());
      std::sort(list.begin(), list.end(), [](const Variable* x, const Variable* y) {
        return std::tuple(x->scope, x->declared_at, x->name) < std::tuple(y->scope, y->declared_at, y->name);
      });
      return list;
    };
    const auto list_a = sorted(a), list_b = sorted(b);
    for (size_t i = 0; i < a.size(); ++i) Check(where + ": variable " + list_a[i]->name, Same(*list_a[i], *list_b[i]));
  }

  static bool Same(const Variable& a, const Variable& b) {
    const bool head = a.name == b.name && a.space == b.space && a.type == b.type && a.vector == b.vector && a.dims == b.dims &&
                      a.align == b.align && a.linkage == b.linkage && a.attributes == b.attributes && a.is_pointer == b.is_pointer &&
                      a.pointer_space == b.pointer_space && a.pointer_align == b.pointer_align && a.scope == b.scope &&
                      a.declared_at == b.declared_at;
    if (!head || a.initializer.has_value() != b.initializer.has_value()) return false;
    if (!a.initializer) return true;
    const auto same = [](const Initializer::Relocation& x, const Initializer::Relocation& y) {
      return x.offset == y.offset && x.symbol == y.symbol && x.addend == y.addend && x.generic == y.generic && x.width == y.width &&
             x.mask == y.mask;
    };
    const Initializer &x = *a.initializer, &y = *b.initializer;
    return x.bytes == y.bytes && std::equal(x.relocations.begin(), x.relocations.end(), y.relocations.begin(), y.relocations.end(), same);
  }

  static bool SameNames(const std::vector<Variable*>& a, const std::vector<Variable*>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable* x, const Variable* y) { return Same(*x, *y); });
  }

  static auto BoundsKey(const LaunchBounds& b) {
    return std::tuple(b.maxntid, b.reqntid, b.reqnctapercluster, b.minnctapersm, b.maxnreg, b.maxclusterrank, b.explicitcluster,
                      b.blocksareclusters);
  }

  void Functions(const Function& a, const Function& b) {
    const std::string where = a.name;
    Check(where + ": header", a.name == b.name && a.is_entry == b.is_entry && a.is_declaration == b.is_declaration &&
                                  a.noreturn == b.noreturn && a.linkage == b.linkage && a.directives == b.directives &&
                                  BoundsKey(a.bounds) == BoundsKey(b.bounds));
    Check(where + ": parameters", SameNames(a.params, b.params) && SameNames(a.returns, b.returns));
    Variables(where, a.variables, b.variables);
    Check(where + ": scopes",
          std::equal(a.scopes.begin(), a.scopes.end(), b.scopes.begin(), b.scopes.end(),
                     [](const Scope& x, const Scope& y) { return x.parent == y.parent && x.begin == y.begin && x.end == y.end; }));
    Check(where + ": directives", std::equal(a.statement_directives.begin(), a.statement_directives.end(), b.statement_directives.begin(),
                                             b.statement_directives.end(), [](const StatementDirective& x, const StatementDirective& y) {
                                               return x.at == y.at && x.scope == y.scope && x.text == y.text;
                                             }));
    Check(where + ": number of registers", a.registers.size() == b.registers.size());
    Check(where + ": number of labels", a.labels.size() == b.labels.size());
    if (!Check(where + ": number of instructions", a.body.size() == b.body.size()) || !difference_.empty()) return;
    fa_ = &a;
    fb_ = &b;
    for (size_t i = 0; i < a.labels.size(); ++i) LabelNamed(a.labels[i]);
    for (size_t i = 0; i < a.body.size() && difference_.empty(); ++i) {
      Check(where + ": instruction " + std::to_string(i) + ", " + a.body[i].FullName(), Same(a.body[i], b.body[i]));
    }
  }

  // A label of b with the same name, scope, place and kind.
  void LabelNamed(const Label& label) {
    const auto same = [&](const Label& other) {
      return label.name == other.name && label.scope == other.scope && label.target == other.target &&
             label.is_branch_targets == other.is_branch_targets && label.is_call_prototype == other.is_call_prototype &&
             label.branch_targets == other.branch_targets && label.declaration_text == other.declaration_text;
    };
    Check(fa_->name + ": label " + label.name, std::any_of(fb_->labels.begin(), fb_->labels.end(), same));
  }

  bool SameRegister(std::optional<RegId> a, std::optional<RegId> b) const {
    if (a.has_value() != b.has_value()) return false;
    if (!a) return true;
    const Register &x = fa_->registers[static_cast<size_t>(*a)], &y = fb_->registers[static_cast<size_t>(*b)];
    return x.name == y.name && x.type == y.type && x.vector == y.vector && x.scope == y.scope && x.declared_at == y.declared_at;
  }

  bool Same(const Operand& a, const Operand& b) const {
    if (a.kind != b.kind || a.negated != b.negated || a.vector_component != b.vector_component || a.bits != b.bits || a.name != b.name ||
        a.unsigned_literal != b.unsigned_literal || a.elements.size() != b.elements.size()) {
      return false;
    }
    if (a.kind == Operand::Kind::kRegister && !SameRegister(a.reg, b.reg)) return false;
    if (a.kind == Operand::Kind::kFloat && a.float_width != b.float_width) return false;
    if (a.kind == Operand::Kind::kLabel && a.target != b.target) return false;
    if (!SameRegister(a.address.base, b.address.base) || a.address.offset != b.address.offset) return false;
    if ((a.address.variable == nullptr) != (b.address.variable == nullptr)) return false;
    if (a.address.variable != nullptr && !Same(*a.address.variable, *b.address.variable)) return false;
    if (a.special.name != b.special.name || a.special.component != b.special.component ||
        a.special.has_component != b.special.has_component)
      return false;
    for (size_t i = 0; i < a.elements.size(); ++i) {
      if (!Same(a.elements[i], b.elements[i])) return false;
    }
    return true;
  }

  bool SameDebug(std::optional<uint32_t> a, std::optional<uint32_t> b) const {
    while (a && b) {
      const DebugLocation &x = a_.debug_locations[*a], &y = b_.debug_locations[*b];
      if (x.file != y.file || x.line != y.line || x.column != y.column || x.function_name != y.function_name) return false;
      a = x.inlined_at;
      b = y.inlined_at;
    }
    return a.has_value() == b.has_value();
  }

  bool Same(const Instruction& a, const Instruction& b) const {
    if (a.opcode != b.opcode || !(a.mods == b.mods) || a.mnemonic != b.mnemonic || a.modifiers != b.modifiers ||
        a.unmatched != b.unmatched || a.guard_negated != b.guard_negated || a.operand_types != b.operand_types || a.scope != b.scope ||
        a.operands.size() != b.operands.size()) {
      return false;
    }
    if (!SameRegister(a.guard, b.guard) || !SameDebug(a.debug_location, b.debug_location)) return false;
    for (size_t i = 0; i < a.operands.size(); ++i) {
      if (!Same(a.operands[i], b.operands[i])) return false;
    }
    return true;
  }

  const Module& a_;
  const Module& b_;
  const Function* fa_ = nullptr;
  const Function* fb_ = nullptr;
  std::string difference_;
};

}  // namespace

std::string FirstDifference(const Module& a, const Module& b) { return Comparer(a, b).Run(); }

}  // namespace racer::ir
