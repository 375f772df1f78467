// `racer inspect`: one kernel alone.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/check.h"
#include "ptx_frontend/ir/cfg.h"

namespace racer {
namespace {

constexpr size_t kShownInstructions = 24;

std::string RegisterSummary(const ir::Function& entry) {
  std::map<std::string, uint64_t> by_type;
  for (const ir::Register& reg : entry.registers) ++by_type[std::string(Spelling(reg.type))];
  std::string text;
  for (const auto& [type, count] : by_type) text += (text.empty() ? "" : ", ") + std::to_string(count) + " ." + type;
  return text.empty() ? "none" : text;
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

std::string InstructionSummary(const ir::Function& entry) {
  std::map<std::string, uint64_t> uses;
  for (const ir::Instruction& instruction : entry.body) ++uses[instruction.FullName()];
  std::vector<std::pair<std::string, uint64_t>> sorted(uses.begin(), uses.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (size_t i = 0; i < sorted.size() && i < kShownInstructions; ++i) {
    text += (i > 0 ? ", " : "") + sorted[i].first + " " + std::to_string(sorted[i].second);
  }
  if (sorted.size() > kShownInstructions) text += ", ... (" + std::to_string(sorted.size()) + " in all)";
  return text;
}

}  // namespace

Report Inspect(const Options& options, const Inputs& inputs) {
  Report report = Check(options, inputs);
  const ir::Module& module = *inputs.candidate->module;
  const ir::Function& entry = *inputs.candidate->entry;
  report.idioms.push_back("registers: " + RegisterSummary(entry));
  report.idioms.push_back("static shared memory: " + std::to_string(StaticSharedBytes(module, entry)) + " bytes");
  report.idioms.push_back("loops: " + std::to_string(LoopCount(entry)));
  report.idioms.push_back("instructions: " + InstructionSummary(entry));
  return report;
}

}  // namespace racer
