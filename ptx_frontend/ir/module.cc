#include "ptx_frontend/ir/module.h"

#include <set>

namespace racer::ir {

std::string Instruction::FullName() const {
  std::string name = mnemonic;
  for (const std::string& modifier : modifiers) {
    name += '.';
    name += modifier;
  }
  return name;
}

uint64_t Variable::SizeBytes() const {
  uint64_t size = BitWidth(type) / 8 * vector;
  for (const uint64_t extent : dims) size *= extent;
  return size;
}

const Label* Function::FindLabel(std::string_view label_name, int scope) const {
  const Label* best = nullptr;
  for (; scope >= 0 && best == nullptr; scope = scopes[static_cast<size_t>(scope)].parent) {
    for (const Label& label : labels) {
      if (label.scope == scope && label.name == label_name) best = &label;
    }
  }
  return best;
}

const Function* Module::FindFunction(std::string_view name) const {
  std::set<std::string_view> followed;  // aliases may not go in circles
  while (followed.insert(name).second) {
    const Function* declaration = nullptr;
    for (const std::unique_ptr<Function>& function : functions) {
      if (function->name != name) continue;
      if (!function->is_declaration) return function.get();
      if (declaration == nullptr) declaration = function.get();
    }
    const std::pair<std::string, std::string>* alias = nullptr;
    for (const auto& candidate : aliases) {
      if (candidate.first == name) alias = &candidate;
    }
    if (alias == nullptr) return declaration;
    name = alias->second;
  }
  return nullptr;
}

std::vector<const Function*> Module::Entries() const {
  std::vector<const Function*> entries;
  for (const std::unique_ptr<Function>& function : functions) {
    if (function->is_entry && !function->is_declaration) entries.push_back(function.get());
  }
  return entries;
}

std::string Module::SourceLine(const Instruction& instruction) const {
  std::string text;
  std::optional<uint32_t> at = instruction.debug_location;
  // Each location is inlined at one entered before it, so the chain ends.
  while (at && *at < debug_locations.size()) {
    const DebugLocation& location = debug_locations[*at];
    std::string_view name = "?";
    for (const FileEntry& entry : files) {
      if (entry.number == location.file) name = entry.name;
    }
    if (const size_t slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
    if (!text.empty()) text += " inlined at ";
    text += std::string(name) + ":" + std::to_string(location.line);
    if (location.inlined_at && *location.inlined_at >= *at) break;
    at = location.inlined_at;
  }
  return text;
}

}  // namespace racer::ir
