#include "checker/overwritten_stores.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

constexpr size_t kLookAhead = 64;

bool IsSamePlace(const ir::Instruction& first, const ir::Instruction& second) {
  if (first.mods.space != second.mods.space || first.mods.type != second.mods.type) return false;
  const ir::Address &a = first.operands[0].address, &b = second.operands[0].address;
  return a.base == b.base && a.variable == b.variable && a.offset == b.offset &&
         first.operands[1].elements.size() == second.operands[1].elements.size();
}

bool Names(const ir::Operand& operand, const std::optional<ir::RegId>& base) {
  if (operand.kind == Kind::kRegister) return base == operand.reg;
  return std::any_of(operand.elements.begin(), operand.elements.end(), [&](const ir::Operand& element) { return Names(element, base); });
}

bool IsStore(const ir::Instruction& instruction) { return instruction.mnemonic == "st" && instruction.operands.size() >= 2; }

bool MayRead(const ir::Instruction& instruction) {
  const std::vector<ir::Operand>& operands = instruction.operands;
  return instruction.mnemonic == "call" ||
         std::any_of(operands.begin(), operands.end(), [](const ir::Operand& operand) { return operand.kind == Kind::kAddress; });
}

}  // namespace

std::vector<bool> FindOverwrittenStores(const std::vector<ir::Instruction>& body, const ir::Cfg& cfg) {
  std::vector<bool> overwritten(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (!IsStore(body[i])) continue;
    for (size_t j = i + 1; j < std::min(i + kLookAhead, body.size()) && cfg.block_of[j] == cfg.block_of[i]; ++j) {
      const ir::Instruction& next = body[j];
      if (IsStore(next)) {
        overwritten[i] = !next.guard.has_value() && IsSamePlace(body[i], next);
        if (overwritten[i]) break;
      } else if (MayRead(next) || (!next.operands.empty() && Names(next.operands[0], body[i].operands[0].address.base))) {
        break;
      }
    }
  }
  return overwritten;
}

}  // namespace racer
