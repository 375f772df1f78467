#include "ptx_frontend/ir/module.h"

#include <algorithm>

namespace racer::ir {

std::string Instruction::FullName() const {
  std::string name = mnemonic;
  for (const std::string& modifier : modifiers) name += "." + modifier;
  return name;
}

uint64_t Variable::SizeBytes() const {
  uint64_t size = (BitWidth(type) + 7) / 8 * vector;
  for (const uint64_t dim : dims) size *= dim;  // the parser has refused sizes that overflow
  return size;
}

const Function* Module::FindFunction(std::string_view name) const {
  const Function* declaration = nullptr;
  for (const auto& function : functions) {
    if (function->name != name) continue;
    if (!function->is_declaration) return function.get();
    if (declaration == nullptr) declaration = function.get();
  }
  return declaration;
}

std::vector<const Function*> Module::Entries() const {
  std::vector<const Function*> entries;
  for (const auto& function : functions) {
    if (function->is_entry && !function->is_declaration) entries.push_back(function.get());
  }
  return entries;
}

std::string Module::SourceLine(const Instruction& instruction) const {
  std::string text;
  std::optional<uint32_t> at = instruction.debug_location;
  // An inlined_at names an earlier entry, so this ends.
  while (at && *at < debug_locations.size()) {
    const DebugLocation& location = debug_locations[*at];
    const auto entry = std::find_if(files.begin(), files.end(), [&](const FileEntry& file) { return file.number == location.file; });
    std::string name = entry == files.end() ? "file " + std::to_string(location.file) : entry->name;
    if (const size_t slash = name.find_last_of('/'); slash != std::string::npos) name.erase(0, slash + 1);
    if (!text.empty()) text += " inlined at ";
    text += name + ":" + std::to_string(location.line);
    if (location.inlined_at && *location.inlined_at >= *at) break;
    at = location.inlined_at;
  }
  return text;
}

}  // namespace racer::ir
