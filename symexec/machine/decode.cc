#include "symexec/machine/decode.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "ptx_frontend/ir/cfg.h"
#include "symexec/machine/action.h"
#include "symexec/machine/decode_operands.h"

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

class Decoder {
 public:
  Decoder(const ir::Module& module, const std::vector<const ir::Function*>& functions, const Layout& layout)
      : module_(module), functions_(functions), layout_(layout), operands_(layout, &program_) {}

  Program Run() {
    uint32_t pc = 0;
    for (uint32_t i = 0; i < functions_.size(); ++i) {
      index_of_.emplace(functions_[i], i);
      ProgramFunction function;
      function.function = functions_[i];
      function.entry_pc = pc;
      pc += static_cast<uint32_t>(functions_[i]->body.size()) + 1;  // and the return at the end
      function.end_pc = pc;
      program_.functions.push_back(function);
      operands_.AddFunction(*functions_[i], i);
      AddStorage(i);
    }
    FindCalls();
    program_.code.resize(pc);
    for (uint32_t i = 0; i < functions_.size(); ++i) DecodeFunction(i);
    AddBlocks();
    AddTwins();
    operands_.Finish();
    return std::move(program_);
  }

 private:
  // What a call of the function starts anew.
  void AddStorage(uint32_t index) {
    for (const auto& variable : functions_[index]->variables) {
      auto place = layout_.places.find(variable.get());
      if (place == layout_.places.end()) continue;
      if (place->second.space == Space::kLocal) {
        const Segment* segment = layout_.local.Find(place->second.address, 0);
        RACER_CHECK(segment != nullptr);
        program_.functions[index].locals.emplace_back(segment->dense, segment->size);
      }
    }
    if (index == 0) return;
    for (const ir::Variable* variable : functions_[index]->returns) {
      auto place = layout_.places.find(variable);
      if (place != layout_.places.end()) program_.functions[index].results.emplace_back(place->second.address, variable->SizeBytes());
    }
  }

  // callees_[f]: functions that f calls; reaches_[f][g]: g can be running while f has not returned.
  void FindCalls() {
    const size_t n = functions_.size();
    callees_.assign(n, {});
    for (size_t f = 0; f < n; ++f) {
      for (const ir::Instruction& instruction : functions_[f]->body) {
        if (!IsCall(instruction)) continue;
        auto callee = index_of_.find(DirectCallee(module_, instruction));
        if (callee != index_of_.end()) callees_[f].push_back(callee->second);
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

  void Refuse(Decoded* in, std::string message) {
    in->action = Action::kUnsupported;
    in->target = static_cast<uint32_t>(program_.messages.size());
    program_.messages.push_back(std::move(message));
  }

  void DecodeFunction(uint32_t index) {
    const ir::Function& function = *functions_[index];
    operands_.SelectFunction(function);
    current_ = index;
    for (size_t i = 0; i < function.body.size(); ++i) {
      Decoded& in = program_.code[program_.functions[index].entry_pc + i];
      in.function = index;
      DecodeInstruction(function.body[i], &in);
    }
    Decoded& last = program_.code[program_.functions[index].end_pc - 1];
    last.function = index;
    last.action = Action::kReturn;
    last.implicit = true;
    last.instruction = function.body.empty() ? nullptr : &function.body.back();
  }

  void DecodeInstruction(const ir::Instruction& instruction, Decoded* in) {
    in->instruction = &instruction;
    in->opcode = instruction.opcode;
    in->mods = instruction.mods;
    if (instruction.guard) {
      in->guard_row = operands_.RowOf(*instruction.guard, -1);
      in->guard_negated = instruction.guard_negated;
      if (operands_.RegisterOf(*instruction.guard).type != ScalarType::kPred) {
        return Refuse(in, "the guard of `" + instruction.FullName() + "` is not a predicate");
      }
    }
    if (instruction.opcode == Opcode::kUnknown) {
      return Refuse(in, "instruction `" + instruction.FullName() + "` is not modelled" +
                            (instruction.unmatched.empty() ? "" : " (" + instruction.unmatched + ")"));
    }
    in->action = ActionOf(instruction.opcode);
    if (!DecodeBy(instruction, in)) Refuse(in, "`" + instruction.FullName() + "`: " + operands_.problem());
  }

  bool DecodeBy(const ir::Instruction& instruction, Decoded* in) {
    switch (in->action) {
      case Action::kValue: return DecodeValue(instruction, in, 1);
      case Action::kMove:
      case Action::kPack:
      case Action::kUnpack: return DecodeMove(instruction, in);
      case Action::kLoad: return DecodeLoad(instruction, in);
      case Action::kStore: return DecodeStore(instruction, in);
      case Action::kToGeneric:
      case Action::kFromGeneric:
      case Action::kIsSpace: return DecodeSpaceQuery(instruction, in);
      case Action::kNothing:
      case Action::kReturn:
      case Action::kExit:
      case Action::kTrap: return true;
      case Action::kFence: return IsPlainFence(instruction) || operands_.Fail("is not modelled");
      case Action::kBranch: return DecodeBranch(instruction, in);
      case Action::kBranchIndexed: return DecodeBranchIndexed(instruction, in);
      case Action::kCall: return DecodeCall(instruction, in);
      case Action::kBarrier: return DecodeBarrier(instruction, in);
      case Action::kWarpBarrier: return DecodeValue(instruction, in, 0) && SetKey(instruction, in);
      case Action::kShuffle:
      case Action::kVote:
      case Action::kMatch:
      case Action::kReduce:
      case Action::kElect:
      case Action::kActiveMask: return DecodeValue(instruction, in, 1) && SetKey(instruction, in);
      case Action::kUnsupported: return operands_.Fail("is not modelled");
    }
    RACER_UNREACHABLE(static_cast<int>(in->action));
  }

  ScalarType TypeOf(const ir::Instruction& instruction, size_t i) const {
    return i < instruction.operand_types.size() ? instruction.operand_types[i] : ScalarType::kNone;
  }

  // `dest_operands` destinations (a pair counts as one operand, two destinations), then sources.
  bool DecodeValue(const ir::Instruction& instruction, Decoded* in, size_t dest_operands) {
    if (instruction.operands.size() < dest_operands) return operands_.Fail("operands are missing");
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      const ir::Operand& operand = instruction.operands[i];
      const ScalarType type = TypeOf(instruction, i);
      if (i < dest_operands) {
        const bool pair = operand.kind == Kind::kPair;
        std::optional<Dest> first = operands_.DecodeDest(pair ? operand.elements[0] : operand, type);
        if (!first) return false;
        in->dest[in->dest_count++] = *first;
        if (pair) {
          // The second half of every pair in the manual is a predicate.
          std::optional<Dest> second = operands_.DecodeDest(operand.elements[1], ScalarType::kPred);
          if (!second) return false;
          in->dest[in->dest_count++] = *second;
        }
        continue;
      }
      if (in->source_count == kMaxSources) return operands_.Fail("has more operands than are modelled");
      std::optional<Source> source = operands_.DecodeSource(operand, type);
      if (!source) return false;
      in->source[in->source_count++] = *source;
    }
    return true;
  }

  bool DecodeMove(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.size() != 2) return operands_.Fail("operands are missing");
    const unsigned width = BitWidth(instruction.mods.type);
    const std::vector<ir::Operand> to = operands_.Elements(instruction.operands[0]);
    const std::vector<ir::Operand> from = operands_.Elements(instruction.operands[1]);
    if (to.size() == 1 && from.size() == 1) {
      in->action = Action::kMove;
      return DecodeUnary(to[0], instruction.mods.type, from[0], instruction.mods.type, in);
    }
    if (to.size() != 1 && from.size() != 1) return operands_.Fail("vectors are moved to vectors");
    const size_t count = std::max(to.size(), from.size());
    if (width > 64 || width % count != 0) return operands_.Fail("packing " + std::to_string(width) + " bits is not modelled");
    const unsigned slice = static_cast<unsigned>(width / count);
    in->action = to.size() == 1 ? Action::kPack : Action::kUnpack;
    in->element_count = static_cast<uint32_t>(count);
    if (in->action == Action::kPack) {
      std::optional<Dest> dest = operands_.DecodeDestSlice(to[0], width, false);
      if (!dest) return false;
      in->dest[in->dest_count++] = *dest;
      in->element_first = static_cast<uint32_t>(program_.sources.size());
      const ScalarType bits = slice == 8 ? ScalarType::kB8 : slice == 16 ? ScalarType::kB16 : ScalarType::kB32;
      for (const ir::Operand& element : from) {
        std::optional<Source> source = operands_.DecodeSlice(element, slice, bits);
        if (!source) return false;
        program_.sources.push_back(*source);
      }
      return true;
    }
    std::optional<Source> source = operands_.DecodeSlice(from[0], width, instruction.mods.type);
    if (!source) return false;
    in->source[in->source_count++] = *source;
    in->element_first = static_cast<uint32_t>(program_.dests.size());
    for (const ir::Operand& element : to) {
      std::optional<Dest> dest = operands_.DecodeDestSlice(element, slice, false);
      if (!dest) return false;
      program_.dests.push_back(*dest);
    }
    return true;
  }

  bool CheckOrder(const ir::Instruction& instruction) {
    switch (instruction.mods.order) {
      case MemoryOrder::kWeak:
      case MemoryOrder::kVolatile:
      case MemoryOrder::kRelaxed: return true;
      case MemoryOrder::kAcquire:
      case MemoryOrder::kRelease:
      case MemoryOrder::kAcqRel:
      case MemoryOrder::kSc:
      case MemoryOrder::kMmio: return operands_.Fail("synchronising memory accesses are not modelled");
    }
    RACER_UNREACHABLE(static_cast<int>(instruction.mods.order));
  }

  bool CheckElementType(const ir::Instruction& instruction, size_t elements) {
    const unsigned width = BitWidth(instruction.mods.type);
    if (width < 8 || width > 64) return operands_.Fail("accesses of " + std::to_string(width) + " bits are not modelled");
    if (elements != instruction.mods.vector) {
      return operands_.Fail("a vector of " + std::to_string(elements) + " stands where " + std::to_string(instruction.mods.vector) +
                            " are expected");
    }
    return true;
  }

  bool DecodeLoad(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.size() < 2) return operands_.Fail("operands are missing");
    if (!CheckOrder(instruction)) return false;
    const std::vector<ir::Operand> to = operands_.Elements(instruction.operands[0]);
    if (!CheckElementType(instruction, to.size())) return false;
    in->element_first = static_cast<uint32_t>(program_.dests.size());
    in->element_count = static_cast<uint32_t>(to.size());
    for (const ir::Operand& element : to) {
      std::optional<Dest> dest = operands_.DecodeDest(element, instruction.mods.type);
      if (!dest) return false;
      program_.dests.push_back(*dest);
    }
    std::optional<AddressRef> address = operands_.DecodeAddress(instruction.operands[1], instruction.mods.space);
    if (!address) return false;
    in->address = *address;
    return true;
  }

  bool DecodeStore(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.size() < 2) return operands_.Fail("operands are missing");
    if (!CheckOrder(instruction)) return false;
    const std::vector<ir::Operand> from = operands_.Elements(instruction.operands[1]);
    if (!CheckElementType(instruction, from.size())) return false;
    in->element_first = static_cast<uint32_t>(program_.sources.size());
    in->element_count = static_cast<uint32_t>(from.size());
    for (const ir::Operand& element : from) {
      std::optional<Source> source = operands_.DecodeSource(element, instruction.mods.type);
      if (!source) return false;
      program_.sources.push_back(*source);
    }
    std::optional<AddressRef> address = operands_.DecodeAddress(instruction.operands[0], instruction.mods.space);
    if (!address) return false;
    in->address = *address;
    return true;
  }

  // cvta and isspacep: the space goes into `address`.
  bool DecodeSpaceQuery(const ir::Instruction& instruction, Decoded* in) {
    if (in->action == Action::kToGeneric && instruction.mods.to) in->action = Action::kFromGeneric;
    switch (instruction.mods.space) {
      case StateSpace::kGlobal: in->address.space = Space::kGlobal; break;
      case StateSpace::kShared:
      case StateSpace::kSharedCluster: in->address.space = Space::kShared; break;
      case StateSpace::kLocal: in->address.space = Space::kLocal; break;
      case StateSpace::kConst: in->address.space = Space::kConst; break;
      case StateSpace::kParam: in->address.space = Space::kParam; break;
      case StateSpace::kParamFunc:
      case StateSpace::kGeneric:
      case StateSpace::kReg:
      case StateSpace::kSreg:
      case StateSpace::kTex:
        return operands_.Fail("state space ." + std::string(Spelling(instruction.mods.space)) + " is not modelled here");
    }
    if (in->action != Action::kIsSpace) {
      if (BitWidth(instruction.mods.type) != 64) return operands_.Fail("32-bit generic addresses are not modelled");
      if (instruction.operands.size() != 2) return operands_.Fail("operands are missing");
      return DecodeUnary(instruction.operands[0], instruction.mods.type, instruction.operands[1], instruction.mods.type, in);
    }
    if (instruction.operands.size() != 2) return operands_.Fail("operands are missing");
    return DecodeUnary(instruction.operands[0], ScalarType::kPred, instruction.operands[1], ScalarType::kU64, in);
  }
  bool DecodeUnary(const ir::Operand& to, ScalarType to_type, const ir::Operand& from, ScalarType from_type, Decoded* in) {
    std::optional<Dest> dest = operands_.DecodeDest(to, to_type);
    if (!dest) return false;
    std::optional<Source> source = operands_.DecodeSource(from, from_type);
    if (!source) return false;
    in->dest[in->dest_count++] = *dest;
    in->source[in->source_count++] = *source;
    return true;
  }

  bool DecodeBranch(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.empty() || instruction.operands[0].kind != Kind::kLabel) return operands_.Fail("the target is not a label");
    in->target = program_.functions[current_].entry_pc + instruction.operands[0].target;
    return true;
  }

  bool DecodeBranchIndexed(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.size() != 2 || instruction.operands[1].kind != Kind::kLabel)
      return operands_.Fail("the targets are not a label list");
    std::optional<Source> index = operands_.DecodeSource(instruction.operands[0], ScalarType::kU32);
    if (!index) return false;
    in->source[in->source_count++] = *index;
    const ir::Function& function = *functions_[current_];
    const ir::Operand& targets = instruction.operands[1];
    if (targets.label >= function.labels.size() || !function.labels[targets.label].is_branch_targets) {
      return operands_.Fail("`" + targets.name + "` is not a list of branch targets");
    }
    std::vector<uint32_t> table;
    for (uint32_t label : function.labels[targets.label].branch_target_labels) {
      table.push_back(program_.functions[current_].entry_pc + function.labels[label].target);
    }
    in->target = static_cast<uint32_t>(program_.branch_tables.size());
    program_.branch_tables.push_back(std::move(table));
    return true;
  }

  bool DecodeCall(const ir::Instruction& instruction, Decoded* in) {
    const ir::Operand* callee_name = nullptr;
    const ir::Operand *results = nullptr, *arguments = nullptr;
    for (const ir::Operand& operand : instruction.operands) {
      if (operand.kind == Kind::kFunction && callee_name == nullptr) {
        callee_name = &operand;
      } else if (operand.kind == Kind::kList) {
        (callee_name == nullptr ? results : arguments) = &operand;
      }
    }
    if (callee_name == nullptr) return operands_.Fail("indirect calls are not modelled");
    auto found = index_of_.find(module_.FindFunction(callee_name->name));
    if (found == index_of_.end()) return operands_.Fail("function `" + callee_name->name + "` has no body in this module");
    const uint32_t callee = found->second;
    if (reaches_[callee][current_]) return operands_.Fail("recursive calls are not modelled (`" + callee_name->name + "`)");
    CallSite site{.callee = callee, .arguments = {}, .results = {}};
    const ir::Function& function = *functions_[callee];
    if (!DecodeTransfers(function, function.params, arguments, true, &site.arguments)) return false;
    if (!DecodeTransfers(function, function.returns, results, false, &site.results)) return false;
    in->target = static_cast<uint32_t>(program_.calls.size());
    program_.calls.push_back(std::move(site));
    return true;
  }

  bool DecodeTransfers(const ir::Function& callee, const std::vector<ir::Variable*>& formals, const ir::Operand* list, bool in,
                       std::vector<Transfer>* transfers) {
    const size_t count = list == nullptr ? 0 : list->elements.size();
    if (count != formals.size()) {
      return operands_.Fail("`" + callee.name + "` takes " + std::to_string(formals.size()) + (in ? " arguments" : " results") +
                            ", the call has " + std::to_string(count));
    }
    for (size_t i = 0; i < count; ++i) {
      Transfer transfer;
      if (!DecodeTransfer(callee, *formals[i], list->elements[i], in, &transfer)) return false;
      transfers->push_back(transfer);
    }
    return true;
  }

  bool DecodeTransfer(const ir::Function& callee, const ir::Variable& formal, const ir::Operand& actual, bool in, Transfer* transfer) {
    transfer->size = formal.SizeBytes();
    const bool formal_reg = formal.space == StateSpace::kReg;
    const bool actual_bytes = actual.kind == Kind::kVariable || actual.kind == Kind::kAddress;
    if (!formal.dims.empty() && (formal_reg || !actual_bytes)) return operands_.Fail("array `" + formal.name + "` is passed by registers");
    uint64_t formal_offset = 0, actual_offset = 0;
    if (!formal_reg) formal_offset = layout_.places.at(&formal).address;
    if (actual_bytes) {
      auto place = layout_.places.find(actual.address.variable);
      if (place == layout_.places.end() || place->second.space != Space::kCallParam || actual.address.base || actual.address.offset != 0) {
        return operands_.Fail("an argument of `" + callee.name + "` is not a .param variable of the caller");
      }
      if (actual.address.variable->SizeBytes() != transfer->size) {
        return operands_.Fail("argument `" + actual.address.variable->name + "` has another size than `" + formal.name + "`");
      }
      actual_offset = place->second.address;
    }
    transfer->from = in ? actual_offset : formal_offset;
    transfer->to = in ? formal_offset : actual_offset;
    const bool from_row = in ? !actual_bytes : formal_reg, to_row = in ? formal_reg : !actual_bytes;
    transfer->kind = from_row ? (to_row ? Transfer::Kind::kRowToRow : Transfer::Kind::kRowToBytes)
                              : (to_row ? Transfer::Kind::kBytesToRow : Transfer::Kind::kBytes);
    if (formal.type == ScalarType::kPred && !(from_row && to_row))
      return operands_.Fail("predicate `" + formal.name + "` is passed through memory");
    if (from_row) {
      std::optional<Source> source = in ? operands_.DecodeSource(actual, formal.type) : FormalSource(callee, formal);
      if (!source) return false;
      transfer->source = *source;
    }
    if (to_row) {
      std::optional<Dest> dest = in ? FormalDest(callee, formal) : operands_.DecodeDest(actual, formal.type);
      if (!dest) return false;
      transfer->dest = *dest;
    }
    return true;
  }

  std::optional<ir::Operand> FormalRegister(const ir::Function& callee, const ir::Variable& formal) {
    for (size_t i = 0; i < callee.registers.size(); ++i) {
      if (callee.registers[i].name == formal.name && callee.registers[i].scope <= 0) {
        ir::Operand operand;
        operand.kind = Kind::kRegister;
        operand.reg = static_cast<ir::RegId>(i);
        return operand;
      }
    }
    operands_.Fail("register parameter `" + formal.name + "` is not found");
    return std::nullopt;
  }
  std::optional<Source> FormalSource(const ir::Function& callee, const ir::Variable& formal) {
    std::optional<ir::Operand> operand = FormalRegister(callee, formal);
    if (!operand) return std::nullopt;
    operands_.SelectFunction(callee);
    std::optional<Source> source = operands_.DecodeSource(*operand, formal.type);
    operands_.SelectFunction(*functions_[current_]);
    return source;
  }
  std::optional<Dest> FormalDest(const ir::Function& callee, const ir::Variable& formal) {
    std::optional<ir::Operand> operand = FormalRegister(callee, formal);
    if (!operand) return std::nullopt;
    operands_.SelectFunction(callee);
    std::optional<Dest> dest = operands_.DecodeDest(*operand, formal.type);
    operands_.SelectFunction(*functions_[current_]);
    return dest;
  }

  // bar.red has a destination and ends with a predicate; the others have only sources.
  bool DecodeBarrier(const ir::Instruction& instruction, Decoded* in) {
    return DecodeValue(instruction, in, BarrierOf(instruction).reduces ? 1 : 0);
  }

  // Lanes meet at instructions of the same spelling.
  bool SetKey(const ir::Instruction& instruction, Decoded* in) {
    auto [found, added] = keys_.emplace(instruction.FullName(), static_cast<uint32_t>(keys_.size()));
    in->target = found->second;
    return true;
  }

  // Ranks: callees before callers; inside a function by the block's rank, then by place, where a block is also split
  // after every call and rendezvous, so that lanes that are behind catch up first.
  void AddBlocks() {
    const size_t n = program_.code.size();
    program_.rank_of_pc.assign(n, 0);
    program_.block_of_pc.assign(n, 0);
    program_.loop_head_of_pc.assign(n, kNoRow);
    uint32_t next_rank = 0, next_block = 0;
    for (uint32_t index : CalleesFirst()) {
      const ProgramFunction& decoded = program_.functions[index];
      const ir::Function& function = *functions_[index];
      struct Piece {
        uint32_t rank, begin, end;  // pcs
      };
      std::vector<Piece> pieces;
      if (!function.body.empty()) {
        const ir::Cfg cfg = ir::BuildCfg(function);
        for (const ir::Cfg::Block& block : cfg.blocks) {
          uint32_t begin = decoded.entry_pc + block.begin;
          const uint32_t end = decoded.entry_pc + block.end;
          for (uint32_t pc = begin; pc < end; ++pc) {
            if (block.loop_head != ir::Cfg::kNoBlock) program_.loop_head_of_pc[pc] = decoded.entry_pc + cfg.blocks[block.loop_head].begin;
            if (pc + 1 == end || EndsSubBlock(program_.code[pc].action)) {
              pieces.push_back({block.rank, begin, pc + 1});
              begin = pc + 1;
            }
          }
        }
      }
      pieces.push_back({~uint32_t{0}, decoded.end_pc - 1, decoded.end_pc});
      std::stable_sort(pieces.begin(), pieces.end(),
                       [](const Piece& a, const Piece& b) { return a.rank != b.rank ? a.rank < b.rank : a.begin < b.begin; });
      for (const Piece& piece : pieces) {
        for (uint32_t pc = piece.begin; pc < piece.end; ++pc) {
          program_.rank_of_pc[pc] = next_rank;
          program_.block_of_pc[pc] = next_block;
        }
        program_.code[piece.end - 1].block_end = true;
        ++next_rank;
        ++next_block;
      }
    }
  }

  void AddTwins() {
    const uint32_t end = static_cast<uint32_t>(program_.code.size());
    for (uint32_t pc = 0; pc < end; ++pc) {
      const Decoded& original = program_.code[pc];
      if (!IsWarpCollective(original.action) || !IsSynchronising(original) || original.source[original.source_count - 1].constant) continue;
      Decoded twin = original;
      twin.guard_row = kNoRow;
      twin.twin = pc;
      twin.is_twin = true;
      Decoded jump;
      jump.action = Action::kBranch;
      jump.target = pc + 1;
      jump.instruction = twin.instruction;
      jump.function = twin.function;
      program_.code[pc].twin = static_cast<uint32_t>(program_.code.size());
      for (const Decoded& added : {twin, jump}) {
        program_.code.push_back(added);
        program_.rank_of_pc.push_back(program_.rank_of_pc[pc]);
        program_.block_of_pc.push_back(program_.block_of_pc[pc]);
        program_.loop_head_of_pc.push_back(program_.loop_head_of_pc[pc]);
      }
    }
  }

  std::vector<uint32_t> CalleesFirst() const {
    std::vector<uint32_t> order;
    std::vector<uint8_t> state(functions_.size(), 0);
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

  const ir::Module& module_;
  const std::vector<const ir::Function*>& functions_;
  const Layout& layout_;
  Program program_;
  OperandDecoder operands_;
  uint32_t current_ = 0;
  std::unordered_map<const ir::Function*, uint32_t> index_of_;
  std::vector<std::vector<uint32_t>> callees_;
  std::vector<std::vector<bool>> reaches_;
  std::unordered_map<std::string, uint32_t> keys_;
};

}  // namespace

std::vector<const ir::Function*> ReachableFunctions(const ir::Module& module, const ir::Function& entry) {
  std::vector<const ir::Function*> functions{&entry};
  for (size_t i = 0; i < functions.size(); ++i) {
    for (const ir::Instruction& instruction : functions[i]->body) {
      if (!IsCall(instruction)) continue;
      const ir::Function* callee = DirectCallee(module, instruction);
      if (callee == nullptr || callee->is_declaration || callee->is_entry) continue;
      if (std::find(functions.begin(), functions.end(), callee) == functions.end()) functions.push_back(callee);
    }
  }
  return functions;
}

Program Decode(const ir::Module& module, const std::vector<const ir::Function*>& functions, const Layout& layout) {
  return Decoder(module, functions, layout).Run();
}

}  // namespace racer
