#include "checker/approximations.h"

#include <algorithm>
#include <set>

namespace racer {

std::string ApproximationsOf(const Subjects& subjects) {
  std::set<std::string> names;
  for (Side side : {Side::kCandidate, Side::kReference}) {
    const Kernel* kernel = subjects.kernel(side);
    if (kernel == nullptr) continue;
    for (const auto& function : kernel->module->functions) {
      if (function->is_entry && function.get() != kernel->entry) continue;
      for (const ir::Instruction& instruction : function->body) {
        const bool approximates = std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                                              [](const std::string& modifier) { return modifier == "approx" || modifier == "full"; });
        if (approximates) names.insert(instruction.FullName());
      }
    }
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace racer
