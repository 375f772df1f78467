#include "ptx_frontend/parse/symbols.h"

#include <utility>

namespace racer::parse {
namespace {

// A range clashes with names declared before it. Scopes with more names than this skip the check, which is linear.
constexpr size_t kMaxNamesForRangeCheck = 256;

struct Split {
  std::string_view prefix;
  uint64_t number = 0;
};

// Ways to read a name as prefix and number, longest number last. Calls `visit` for each.
template <class F>
void ForEachSplit(std::string_view name, const F& visit) {
  uint64_t number = 0, weight = 1;
  for (size_t at = name.size(); at > 1; --at) {
    const char c = name[at - 1];
    if (c < '0' || c > '9') break;
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    if (digit != 0 && weight > uint64_t{1'000'000'000'000}) break;  // beyond every range
    number += digit * weight;
    if (weight <= uint64_t{1'000'000'000'000}) weight *= 10;
    visit(Split{name.substr(0, at - 1), number});
  }
}

}  // namespace

ir::RegId FunctionScopes::AddRegister(std::string name, ScalarType type, uint8_t vector, int scope, ir::InstructionIndex at) {
  ir::Register reg;
  reg.name = std::move(name);
  reg.type = type;
  reg.vector = vector;
  reg.scope = scope;
  reg.declared_at = at;
  function_->registers.push_back(std::move(reg));
  return static_cast<ir::RegId>(function_->registers.size() - 1);
}

bool FunctionScopes::DeclareRegister(std::string_view name, ScalarType type, uint8_t vector, ir::InstructionIndex at) {
  Scope& scope = scopes_.back();
  if (scope.names.count(name) != 0 || LookupInRanges(scope, name).kind != Symbol::Kind::kNone) return false;
  Symbol symbol;
  symbol.kind = Symbol::Kind::kRegister;
  symbol.reg = AddRegister(std::string(name), type, vector, scope.id, at);
  scope.names.emplace(name, symbol);
  return true;
}

bool FunctionScopes::DeclareRange(std::string_view prefix, uint64_t count, ScalarType type, uint8_t vector, ir::InstructionIndex at) {
  Scope& scope = scopes_.back();
  if (scope.names.size() <= kMaxNamesForRangeCheck) {
    for (const auto& [name, symbol] : scope.names) {
      bool clash = false;
      ForEachSplit(name, [&](const Split& split) { clash |= split.prefix == prefix && split.number < count; });
      if (clash) return false;
    }
  }
  return scope.ranges.emplace(prefix, Range{count, type, vector, at}).second;
}

bool FunctionScopes::DeclareVariable(std::string_view name, const ir::Variable* variable) {
  Scope& scope = scopes_.back();
  if (LookupInRanges(scope, name).kind != Symbol::Kind::kNone) return false;
  Symbol symbol;
  symbol.kind = Symbol::Kind::kVariable;
  symbol.variable = variable;
  return scope.names.emplace(name, symbol).second;
}

Symbol FunctionScopes::LookupInRanges(Scope& scope, std::string_view name) {
  Symbol found;
  if (scope.ranges.empty()) return found;
  const Range* range = nullptr;
  Split member;
  ForEachSplit(name, [&](const Split& split) {
    const auto it = scope.ranges.find(split.prefix);
    if (it == scope.ranges.end() || split.number >= it->second.count) return;
    if (range != nullptr) found.kind = Symbol::Kind::kAmbiguous;
    range = &it->second;
    member = split;
  });
  if (range == nullptr || found.kind == Symbol::Kind::kAmbiguous) return found;
  std::string canonical = std::string(member.prefix) + std::to_string(member.number);
  if (canonical != name) {
    if (const auto it = scope.names.find(canonical); it != scope.names.end()) return it->second;
    name = canonical_names_.emplace_back(canonical);
  }
  found.kind = Symbol::Kind::kRegister;
  found.reg = AddRegister(std::move(canonical), range->type, range->vector, scope.id, range->at);
  scope.names.emplace(name, found);
  return found;
}

Symbol FunctionScopes::Lookup(std::string_view name) {
  for (size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    if (const auto it = scope.names.find(name); it != scope.names.end()) return it->second;
    const Symbol member = LookupInRanges(scope, name);
    if (member.kind != Symbol::Kind::kNone) return member;
  }
  return {};
}

}  // namespace racer::parse
