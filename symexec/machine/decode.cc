#include "symexec/machine/decode.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "symexec/machine/action.h"
#include "symexec/machine/decode_calls.h"
#include "symexec/machine/decode_fragments.h"
#include "symexec/machine/decode_matrix.h"
#include "symexec/machine/decode_memory.h"
#include "symexec/machine/decode_operands.h"
#include "symexec/machine/decode_order.h"
#include "symexec/machine/decode_partings.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

class Decoder {
 public:
  Decoder(const ir::Module& module, const std::vector<const ir::Function*>& functions, const Layout& layout)
      : functions_(functions),
        layout_(layout),
        graph_(module, functions),
        operands_(layout, &program_),
        memory_(&operands_, &program_),
        calls_(module, functions, layout, graph_, &operands_, &program_) {}

  Program Run() {
    uint32_t pc = 0;
    for (uint32_t i = 0; i < functions_.size(); ++i) {
      ProgramFunction function;
      function.function = functions_[i];
      function.entry_pc = pc;
      pc += static_cast<uint32_t>(functions_[i]->body.size()) + 1;  // and the return at the end
      function.end_pc = pc;
      program_.functions.push_back(function);
      operands_.AddFunction(*functions_[i], i);
      AddStorage(i);
    }
    program_.code.resize(pc);
    for (uint32_t i = 0; i < functions_.size(); ++i) DecodeFunction(i);
    OrderBlocks(functions_, graph_.CalleesFirst(), &program_);
    AddTwins(&program_);
    operands_.Finish();
    FindPartings(functions_, &program_);
    CheckFragments(&program_);
    FindUnusedResults(&program_);
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
      } else if (place->second.space == Space::kCallParam) {
        program_.functions[index].params.emplace_back(place->second.address, variable->SizeBytes());
      }
    }
    if (index == 0) return;
    for (const ir::Variable* variable : functions_[index]->returns) {
      auto place = layout_.places.find(variable);
      if (place != layout_.places.end()) program_.functions[index].results.emplace_back(place->second.address, variable->SizeBytes());
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
      case Action::kFence:
      case Action::kCommitCopies:
      case Action::kWaitAllCopies: return true;
      case Action::kMoveWide: return memory_.MoveWide(instruction, in);
      case Action::kAtomic: return memory_.Atomic(instruction, in);
      case Action::kDiscard: return memory_.Discard(instruction, in);
      case Action::kCopyAsync: return memory_.CopyAsync(instruction, in);
      case Action::kWaitCopies: return memory_.WaitCopies(instruction, in);
      case Action::kOpaque: return memory_.Opaque(instruction, in);
      case Action::kAllocate:
      case Action::kStackSave:
      case Action::kStackRestore: return memory_.Stack(instruction, in);
      case Action::kBranch: return DecodeBranch(instruction, in);
      case Action::kBranchIndexed: return DecodeBranchIndexed(instruction, in);
      case Action::kCall: return calls_.Decode(instruction, current_, in);
      case Action::kBarrier: return DecodeBarrier(instruction, in);
      case Action::kWarpBarrier: return DecodeValue(instruction, in, 0) && SetKey(instruction, in);
      case Action::kShuffle:
      case Action::kVote:
      case Action::kMatch:
      case Action::kReduce:
      case Action::kElect:
      case Action::kActiveMask: return DecodeValue(instruction, in, 1) && SetKey(instruction, in);
      case Action::kMatrix:
        // .aligned: lanes meet at one instruction, not at two of the same spelling.
        in->target = kFirstMatrixKey + static_cast<uint32_t>(program_.matrices.size());
        return DecodeMatrix(instruction, &operands_, &program_, in);
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
    return AddCarry(in);
  }

  // The operand that is not written.
  bool AddCarry(Decoded* in) {
    const uint32_t row = program_.functions[current_].carry_row;
    if (SpecOf(in->opcode).reads_carry) {
      if (in->source_count == kMaxSources) return operands_.Fail("has more operands than are modelled");
      in->source[in->source_count++] = {.row = row, .width = 1, .reg_width = 1};
    }
    if (in->mods.cc) in->dest[in->dest_count++] = {.row = row, .width = 1, .reg_width = 1};
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

  bool DecodeLoad(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.size() < 2) return operands_.Fail("operands are missing");
    if (!memory_.AppendDests(instruction.operands[0], in)) return false;
    std::optional<AddressRef> address = operands_.DecodeAddress(instruction.operands[1], instruction.mods.space);
    if (!address) return false;
    in->address = *address;
    in->mods.nc |= in->opcode == Opcode::kLdu;  // both want memory that nobody writes
    return true;
  }

  bool DecodeStore(const ir::Instruction& instruction, Decoded* in) {
    if (instruction.operands.size() < 2) return operands_.Fail("operands are missing");
    if (!memory_.AppendSources(instruction.operands[1], in)) return false;
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

  // bar.red has a destination and ends with a predicate; the others have only sources.
  bool DecodeBarrier(const ir::Instruction& instruction, Decoded* in) {
    return DecodeValue(instruction, in, BarrierOf(instruction).reduces ? 1 : 0);
  }

  static constexpr uint32_t kFirstMatrixKey = uint32_t{1} << 31;

  // Lanes meet at instructions of the same spelling.
  bool SetKey(const ir::Instruction& instruction, Decoded* in) {
    auto [found, added] = keys_.emplace(instruction.FullName(), static_cast<uint32_t>(keys_.size()));
    in->target = found->second;
    return true;
  }

  const std::vector<const ir::Function*>& functions_;
  const Layout& layout_;
  const CallGraph graph_;
  Program program_;
  OperandDecoder operands_;
  MemoryDecoder memory_;
  CallDecoder calls_;
  uint32_t current_ = 0;
  std::unordered_map<std::string, uint32_t> keys_;
};

}  // namespace

Program Decode(const ir::Module& module, const std::vector<const ir::Function*>& functions, const Layout& layout) {
  return Decoder(module, functions, layout).Run();
}

}  // namespace racer
