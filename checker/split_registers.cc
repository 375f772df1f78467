#include "checker/split_registers.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>

#include "ptx_frontend/ir/cfg.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

// Instructions that write all of their first operand and do not read it. Others read it as far as this goes, which keeps the values
// before and after together.
bool WritesFirst(const ir::Instruction& instruction) {
  static constexpr std::string_view kWriters[] = {"mov",  "add",  "sub",      "mul",  "mad",    "and",      "or",  "xor", "not",
                                                  "shl",  "shr",  "cvt",      "cvta", "ld",     "selp",     "bfe", "bfi", "min",
                                                  "max",  "fma",  "ldmatrix", "neg",  "abs",    "popc",     "clz", "rem", "div",
                                                  "prmt", "lop3", "shf",      "mapa", "alloca", "stacksave"};
  return !instruction.guard.has_value() && !instruction.operands.empty() && instruction.opcode != Opcode::kUnknown &&
         std::find(std::begin(kWriters), std::end(kWriters), instruction.mnemonic) != std::end(kWriters);
}

bool IsWhole(const ir::Operand& operand) { return operand.kind == Kind::kRegister && operand.name.empty() && operand.vector_component < 0; }

struct Event {
  uint32_t block = 0;
  ir::RegId* number = nullptr;
  bool write = false;
};

class Splitter {
 public:
  explicit Splitter(const ir::Function& function)
      : function_(function), cfg_(ir::BuildCfg(function)), result_{function.body, function.registers.size()} {
    events_.resize(function.registers.size());
  }

  SplitBody Run() {
    for (size_t i = 0; i < result_.body.size(); ++i) Collect(&result_.body[i], cfg_.block_of[i]);
    for (size_t r = 0; r < events_.size(); ++r) {
      const auto writes = std::count_if(events_[r].begin(), events_[r].end(), [](const Event& event) { return event.write; });
      if (writes > 0 && events_[r].size() > 2 && !IsFormal(function_.registers[r].name))
        Split(events_[r], ir::RegId{static_cast<uint32_t>(r)});
    }
    return std::move(result_);
  }

 private:
  bool IsFormal(const std::string& name) const {
    auto same = [&](const ir::Variable* variable) { return variable->space == StateSpace::kReg && variable->name == name; };
    return std::any_of(function_.params.begin(), function_.params.end(), same) ||
           std::any_of(function_.returns.begin(), function_.returns.end(), same);
  }

  void Add(ir::RegId* number, uint32_t block, bool write) { events_[static_cast<size_t>(*number)].push_back({block, number, write}); }
  void Collect(ir::Instruction* instruction, uint32_t block) {
    const bool writes = WritesFirst(*instruction);
    for (size_t i = writes ? 1 : 0; i < instruction->operands.size(); ++i) CollectReads(&instruction->operands[i], block);
    if (!writes) return;
    ir::Operand& target = instruction->operands[0];
    if (target.kind != Kind::kVector) return IsWhole(target) ? Add(&target.reg, block, true) : CollectReads(&target, block);
    for (ir::Operand& element : target.elements) {
      IsWhole(element) ? Add(&element.reg, block, true) : CollectReads(&element, block);
    }
  }
  void CollectReads(ir::Operand* operand, uint32_t block) {
    if (operand->kind == Kind::kRegister) Add(&operand->reg, block, false);
    if (operand->address.base.has_value()) Add(&*operand->address.base, block, false);
    for (ir::Operand& element : operand->elements) CollectReads(&element, block);
  }

  // A node is what the register holds where a block begins, or after a write.
  void Split(const std::vector<Event>& events, ir::RegId number) {
    const size_t blocks = cfg_.blocks.size();
    std::vector<size_t> parent(blocks + events.size()), at_end(blocks), node(events.size());
    std::iota(parent.begin(), parent.end(), 0);
    std::iota(at_end.begin(), at_end.end(), 0);
    std::vector<bool> live(blocks);  // where a block begins
    for (size_t i = 0; i < events.size(); ++i) {
      size_t& now = at_end[events[i].block];
      if (events[i].write) {
        now = blocks + i;
      } else if (now < blocks) {
        live[now] = true;
      }
      node[i] = now;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = blocks; b-- > 0;) {
        if (live[b] || at_end[b] != b) continue;
        for (uint32_t successor : cfg_.blocks[b].successors) live[b] = live[b] || live[successor];
        changed = changed || live[b];
      }
    }
    auto root = [&](size_t n) {
      while (parent[n] != n) n = parent[n] = parent[parent[n]];
      return n;
    };
    for (size_t b = 0; b < blocks; ++b) {
      for (uint32_t successor : cfg_.blocks[b].successors) {
        if (live[successor]) parent[root(at_end[b])] = root(successor);
      }
    }
    std::map<size_t, ir::RegId> numbers;
    for (size_t i = 0; i < events.size(); ++i) {
      auto [found, added] = numbers.try_emplace(root(node[i]), number);
      if (added && numbers.size() > 1) found->second = ir::RegId{static_cast<uint32_t>(result_.registers++)};
      *events[i].number = found->second;
    }
  }

  const ir::Function& function_;
  const ir::Cfg cfg_;
  SplitBody result_;
  std::vector<std::vector<Event>> events_;  // by register, in the order of the text
};

}  // namespace

SplitBody SplitRegisters(const ir::Function& function) { return Splitter(function).Run(); }

}  // namespace racer
