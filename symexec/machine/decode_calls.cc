#include "symexec/machine/decode_calls.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "symexec/machine/action.h"
#include "symexec/machine/decode.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

// The function that a direct call names, with a body or not; null if the module has none of that name.
const ir::Function* DirectCallee(const ir::Module& module, const ir::Instruction& instruction) {
  for (const ir::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::kFunction) return module.FindFunction(operand.name);
  }
  return nullptr;
}

bool IsCall(const ir::Instruction& instruction) { return ActionOf(instruction.opcode) == Action::kCall; }

bool IsIndirectCall(const ir::Instruction& instruction) {
  const auto is_function = [](const ir::Operand& operand) { return operand.kind == Kind::kFunction; };
  return IsCall(instruction) && std::none_of(instruction.operands.begin(), instruction.operands.end(), is_function);
}

// The functions whose addresses an initialiser or an instruction of the module takes, in the module's order.
std::vector<const ir::Function*> AddressTaken(const ir::Module& module) {
  std::unordered_set<std::string> names;
  for (const auto& variable : module.variables) {
    if (!variable->initializer) continue;
    for (const ir::Initializer::Relocation& relocation : variable->initializer->relocations) names.insert(relocation.symbol);
  }
  for (const auto& function : module.functions) {
    for (const ir::Instruction& instruction : function->body) {
      for (const ir::Operand& operand : instruction.operands) {
        if (operand.kind == Kind::kFunction && !IsCall(instruction)) names.insert(operand.name);
      }
    }
  }
  std::vector<const ir::Function*> taken;
  for (const auto& function : module.functions) {
    if (names.contains(function->name) && !function->is_declaration && !function->is_entry) taken.push_back(function.get());
  }
  return taken;
}

}  // namespace

CallGraph::CallGraph(const ir::Module& module, const std::vector<const ir::Function*>& functions) {
  for (uint32_t i = 0; i < functions.size(); ++i) index_of_.emplace(functions[i], i);
  const size_t n = functions.size();
  callees_.assign(n, {});
  for (size_t f = 0; f < n; ++f) {
    for (const ir::Instruction& instruction : functions[f]->body) {
      if (!IsCall(instruction)) continue;
      std::vector<const ir::Function*> may_be{DirectCallee(module, instruction)};
      if (IsIndirectCall(instruction)) may_be = AddressTaken(module);
      for (const ir::Function* function : may_be) {
        auto callee = index_of_.find(function);
        if (callee != index_of_.end()) callees_[f].push_back(callee->second);
      }
    }
    std::sort(callees_[f].begin(), callees_[f].end());
    callees_[f].erase(std::unique(callees_[f].begin(), callees_[f].end()), callees_[f].end());
  }
  reaches_.assign(n, std::vector<bool>(n, false));
  for (size_t f = 0; f < n; ++f) {
    std::vector<uint32_t> work{static_cast<uint32_t>(f)};
    reaches_[f][f] = true;
    while (!work.empty()) {
      const uint32_t g = work.back();
      work.pop_back();
      for (uint32_t h : callees_[g]) {
        if (!reaches_[f][h]) {
          reaches_[f][h] = true;
          work.push_back(h);
        }
      }
    }
  }
}

std::optional<uint32_t> CallGraph::IndexOf(const ir::Function* function) const {
  auto found = index_of_.find(function);
  return found == index_of_.end() ? std::nullopt : std::optional<uint32_t>(found->second);
}

std::vector<uint32_t> CallGraph::CalleesFirst() const {
  std::vector<uint32_t> order;
  std::vector<uint8_t> state(callees_.size(), 0);
  std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
  state[0] = 1;
  while (!stack.empty()) {
    const uint32_t f = stack.back().first;
    const size_t at = stack.back().second++;
    if (at == callees_[f].size()) {
      order.push_back(f);
      stack.pop_back();
    } else if (state[callees_[f][at]] == 0) {
      state[callees_[f][at]] = 1;
      stack.emplace_back(callees_[f][at], 0);
    }
  }
  return order;
}

bool CallDecoder::Decode(const ir::Instruction& instruction, uint32_t caller, Decoded* in) {
  caller_ = caller;
  const ir::Operand* callee_name = nullptr;
  const ir::Operand *results = nullptr, *arguments = nullptr;
  for (const ir::Operand& operand : instruction.operands) {
    if ((operand.kind == Kind::kFunction || operand.kind == Kind::kRegister) && callee_name == nullptr) {
      callee_name = &operand;
    } else if (operand.kind == Kind::kList) {
      (callee_name == nullptr ? results : arguments) = &operand;
    }
  }
  if (callee_name == nullptr || callee_name->kind == Kind::kRegister) {
    if (callee_name == nullptr || layout_.function_addresses.empty()) return operands_->Fail("indirect calls are not modelled");
    return DecodeIndirect(*callee_name, results, arguments, in);
  }
  std::optional<uint32_t> found = graph_.IndexOf(module_.FindFunction(callee_name->name));
  if (!found) return operands_->Fail("function `" + callee_name->name + "` has no body in this module");
  const uint32_t callee = *found;
  return DecodeSite(callee, results, arguments, &in->target);
}

bool CallDecoder::DecodeSite(uint32_t callee, const ir::Operand* results, const ir::Operand* arguments, uint32_t* index) {
  CallSite site{.callee = callee, .recursive = graph_.Reaches(callee, caller_), .arguments = {}, .results = {}};
  const ir::Function& function = *functions_[callee];
  // Each activation's variables have addresses of their own, which are not made here.
  if (site.recursive && !program_->functions[callee].locals.empty()) {
    return operands_->Fail("recursive calls of a function with local variables are not modelled (`" + function.name + "`)");
  }
  if (!DecodeTransfers(function, function.params, arguments, true, &site.arguments)) return false;
  if (!DecodeTransfers(function, function.returns, results, false, &site.results)) return false;
  *index = static_cast<uint32_t>(program_->calls.size());
  program_->calls.push_back(std::move(site));
  return true;
}

// The functions that take and give what the call does. A call of another one is refused when it comes.
bool CallDecoder::DecodeIndirect(const ir::Operand& pointer, const ir::Operand* results, const ir::Operand* arguments, Decoded* in) {
  const std::optional<Source> source = operands_->DecodeSource(pointer, ScalarType::kB64);
  if (!source) return false;
  IndirectCall call;
  for (const ir::Function* function : AddressTaken(module_)) {
    const std::optional<uint32_t> callee = graph_.IndexOf(function);
    uint32_t index = 0;
    if (callee && DecodeSite(*callee, results, arguments, &index)) call.calls.push_back(index);
  }
  in->source[0] = *source;
  in->source_count = 1;
  in->target = static_cast<uint32_t>(program_->indirect_calls.size());
  program_->indirect_calls.push_back(std::move(call));
  return true;
}

bool CallDecoder::DecodeTransfers(const ir::Function& callee, const std::vector<ir::Variable*>& formals, const ir::Operand* list, bool in,
                                  std::vector<Transfer>* transfers) {
  const size_t count = list == nullptr ? 0 : list->elements.size();
  if (count != formals.size()) {
    return operands_->Fail("`" + callee.name + "` takes " + std::to_string(formals.size()) + (in ? " arguments" : " results") +
                           ", the call has " + std::to_string(count));
  }
  for (size_t i = 0; i < count; ++i) {
    Transfer transfer;
    if (!DecodeTransfer(callee, *formals[i], list->elements[i], in, &transfer)) return false;
    transfers->push_back(transfer);
  }
  return true;
}

bool CallDecoder::DecodeTransfer(const ir::Function& callee, const ir::Variable& formal, const ir::Operand& actual, bool in,
                                 Transfer* transfer) {
  transfer->size = formal.SizeBytes();
  const bool formal_reg = formal.space == StateSpace::kReg;
  const bool actual_bytes = actual.kind == Kind::kVariable || actual.kind == Kind::kAddress;
  if (!formal.dims.empty() && (formal_reg || !actual_bytes)) return operands_->Fail("array `" + formal.name + "` is passed by registers");
  uint64_t formal_offset = 0, actual_offset = 0;
  if (!formal_reg) formal_offset = layout_.places.at(&formal).address;
  if (actual_bytes) {
    auto place = layout_.places.find(actual.address.variable);
    if (place == layout_.places.end() || place->second.space != Space::kCallParam || actual.address.base || actual.address.offset != 0) {
      return operands_->Fail("an argument of `" + callee.name + "` is not a .param variable of the caller");
    }
    if (actual.address.variable->SizeBytes() != transfer->size) {
      return operands_->Fail("argument `" + actual.address.variable->name + "` has another size than `" + formal.name + "`");
    }
    actual_offset = place->second.address;
  }
  transfer->from = in ? actual_offset : formal_offset;
  transfer->to = in ? formal_offset : actual_offset;
  const bool from_row = in ? !actual_bytes : formal_reg, to_row = in ? formal_reg : !actual_bytes;
  transfer->kind = from_row ? (to_row ? Transfer::Kind::kRowToRow : Transfer::Kind::kRowToBytes)
                            : (to_row ? Transfer::Kind::kBytesToRow : Transfer::Kind::kBytes);
  if (formal.type == ScalarType::kPred && !(from_row && to_row))
    return operands_->Fail("predicate `" + formal.name + "` is passed through memory");
  if (from_row) {
    std::optional<Source> source = in ? operands_->DecodeSource(actual, formal.type) : FormalSource(callee, formal);
    if (!source) return false;
    transfer->source = *source;
  }
  if (to_row) {
    std::optional<Dest> dest = in ? FormalDest(callee, formal) : operands_->DecodeDest(actual, formal.type);
    if (!dest) return false;
    transfer->dest = *dest;
  }
  return true;
}

std::optional<ir::Operand> CallDecoder::FormalRegister(const ir::Function& callee, const ir::Variable& formal) {
  for (size_t i = 0; i < callee.registers.size(); ++i) {
    if (callee.registers[i].name == formal.name && callee.registers[i].scope <= 0) {
      ir::Operand operand;
      operand.kind = Kind::kRegister;
      operand.reg = static_cast<ir::RegId>(i);
      return operand;
    }
  }
  operands_->Fail("register parameter `" + formal.name + "` is not found");
  return std::nullopt;
}

std::optional<Source> CallDecoder::FormalSource(const ir::Function& callee, const ir::Variable& formal) {
  std::optional<ir::Operand> operand = FormalRegister(callee, formal);
  if (!operand) return std::nullopt;
  operands_->SelectFunction(callee);
  std::optional<Source> source = operands_->DecodeSource(*operand, formal.type);
  operands_->SelectFunction(*functions_[caller_]);
  return source;
}

std::optional<Dest> CallDecoder::FormalDest(const ir::Function& callee, const ir::Variable& formal) {
  std::optional<ir::Operand> operand = FormalRegister(callee, formal);
  if (!operand) return std::nullopt;
  operands_->SelectFunction(callee);
  std::optional<Dest> dest = operands_->DecodeDest(*operand, formal.type);
  operands_->SelectFunction(*functions_[caller_]);
  return dest;
}

std::vector<const ir::Function*> ReachableFunctions(const ir::Module& module, const ir::Function& entry) {
  std::vector<const ir::Function*> functions{&entry};
  for (size_t i = 0; i < functions.size(); ++i) {
    for (const ir::Instruction& instruction : functions[i]->body) {
      if (!IsCall(instruction)) continue;
      std::vector<const ir::Function*> may_be{DirectCallee(module, instruction)};
      if (IsIndirectCall(instruction)) may_be = AddressTaken(module);
      for (const ir::Function* callee : may_be) {
        if (callee == nullptr || callee->is_declaration || callee->is_entry) continue;
        if (std::find(functions.begin(), functions.end(), callee) == functions.end()) functions.push_back(callee);
      }
    }
  }
  return functions;
}

}  // namespace racer
