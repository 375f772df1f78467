// `racer inspect`: one kernel alone.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/check.h"
#include "ptx_frontend/ir/cfg.h"

namespace racer {
namespace {

using Counts = std::vector<std::pair<std::string, uint64_t>>;

Counts RegisterCounts(const ir::Function& entry) {
  std::map<std::string, uint64_t> by_type;
  for (const ir::Register& reg : entry.registers) ++by_type[std::string(Spelling(reg.type))];
  return {by_type.begin(), by_type.end()};
}

uint64_t StaticSharedBytes(const ir::Module& module, const ir::Function& entry) {
  uint64_t bytes = 0;
  for (const auto& variable : entry.variables) {
    if (variable->space == StateSpace::kShared) bytes += variable->SizeBytes();
  }
  for (const auto& variable : module.variables) {
    if (variable->space == StateSpace::kShared && variable->linkage != ir::Linkage::kExtern) bytes += variable->SizeBytes();
  }
  return bytes;
}

size_t LoopCount(const ir::Function& entry) {
  ir::Cfg cfg = ir::BuildCfg(entry);
  std::set<uint32_t> heads;
  for (const ir::Cfg::Block& block : cfg.blocks) {
    if (block.loop_head != ir::Cfg::kNoBlock) heads.insert(block.loop_head);
  }
  return heads.size();
}

Counts InstructionCounts(const ir::Function& entry) {
  std::map<std::string, uint64_t> uses;
  for (const ir::Instruction& instruction : entry.body) ++uses[instruction.FullName()];
  Counts sorted(uses.begin(), uses.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

}  // namespace

Report Inspect(const Options& options, const Inputs& inputs, const Progress& progress) {
  Report report = Check(options, inputs, progress);
  const ir::Module& module = *inputs.candidate->module;
  const ir::Function& entry = *inputs.candidate->entry;
  report.resources = ResourcesReport{RegisterCounts(entry), StaticSharedBytes(module, entry), LoopCount(entry), InstructionCounts(entry)};
  return report;
}

}  // namespace racer
