#include "checker/address_use.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "ptx_frontend/isa/types.h"

namespace racer {
namespace {

// Which tensors' addresses a register may hold, one bit a parameter.
using Origins = uint64_t;
constexpr Origins kUnknown = Origins{1} << 63;  // fields of structures and parameters past the other bits
constexpr Origins kOther = Origins{1} << 62;    // beside addresses: something else, at another time
constexpr size_t kMaxNamed = 62;

bool IsAddress(Origins origins) { return (origins & ~kOther) != 0; }
bool Is64BitInteger(ScalarType type) { return type != ScalarType::kNone && BitWidth(type) == 64 && !IsFloat(type); }

// Device functions are not searched: an address reaches them through a store to .param, which is a use already.
class Search {
 public:
  Search(const ir::Function& entry, const CallSpec& call) : entry_(entry), call_(call), origins_(entry.registers.size()) {}

  const ir::Instruction* Run() {
    if (const ir::Instruction* use = Fixpoint()) return use;
    for (const ir::Instruction& instruction : entry_.body) NoteOther(instruction);
    return Fixpoint();
  }

 private:
  const ir::Instruction* Fixpoint() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (const ir::Instruction& instruction : entry_.body) {
        if (!Follow(instruction)) return &instruction;
      }
    }
    return nullptr;
  }

  // Registers that hold addresses and are written by an instruction that makes none.
  void NoteOther(const ir::Instruction& instruction) {
    if (instruction.operands.empty() || !HasTarget(instruction) || MakesAddress(instruction)) return;
    NoteOther(instruction.operands[0]);
  }
  void NoteOther(const ir::Operand& operand) {
    if (operand.kind == ir::Operand::Kind::kRegister && IsAddress(Of(operand))) origins_[static_cast<size_t>(operand.reg)] |= kOther;
    for (const ir::Operand& element : operand.elements) NoteOther(element);
  }
  bool MakesAddress(const ir::Instruction& instruction) const {
    size_t count = 0;
    for (size_t i = 1; i < instruction.operands.size(); ++i) {
      const ir::Operand& operand = instruction.operands[i];
      count += IsAddress(Of(operand)) ? 1 : 0;
      if (ParameterAt(operand.address.variable, operand.address.offset, AccessBytes(instruction)).value_or(0) != 0) return true;
    }
    return count == 1 || (count > 1 && instruction.mnemonic != "sub");
  }

  Origins Of(const ir::Operand& operand) const {
    Origins origins = operand.kind == ir::Operand::Kind::kRegister ? origins_[static_cast<size_t>(operand.reg)] : 0;
    for (const ir::Operand& element : operand.elements) origins |= Of(element);
    return origins;
  }
  static bool IsPlain(const ir::Operand& operand) {
    return operand.kind == ir::Operand::Kind::kRegister && operand.name.empty() && operand.vector_component < 0;
  }
  bool Hold(const ir::Operand& target, Origins origins) {
    if (!IsPlain(target)) return false;
    Origins& held = origins_[static_cast<size_t>(target.reg)];
    changed_ = changed_ || (origins & ~held) != 0;
    held |= origins;
    return true;
  }

  // The tensors among what [variable + offset] to `bytes` further holds.
  std::optional<Origins> ParameterAt(const ir::Variable* variable, int64_t offset, uint64_t bytes) const {
    auto found = std::find(entry_.params.begin(), entry_.params.end(), variable);
    const auto index = static_cast<size_t>(found - entry_.params.begin());
    if (found == entry_.params.end() || index >= call_.args.size()) return std::nullopt;
    const CallArgument& argument = call_.args[index];
    if (argument.kind == CallArgument::Kind::kTensor) return index < kMaxNamed ? Origins{1} << index : kUnknown;
    Origins origins = 0;
    for (const CallArgument& field : argument.fields) {
      const auto at = static_cast<int64_t>(field.offset);
      if (field.kind != CallArgument::Kind::kTensor || at >= offset + static_cast<int64_t>(bytes) || offset >= at + 8) continue;
      origins |= kUnknown;
    }
    return origins;
  }

  // False: a use of an address that is not understood.
  bool Follow(const ir::Instruction& instruction) {
    const std::vector<ir::Operand>& operands = instruction.operands;
    const bool loads = instruction.mnemonic == "ld" && operands.size() >= 2;
    for (size_t i = 0; i < operands.size(); ++i) {
      const ir::Variable* variable = operands[i].address.variable;
      if (variable == nullptr) continue;
      std::optional<Origins> origins = ParameterAt(variable, operands[i].address.offset, AccessBytes(instruction));
      if (!origins.has_value()) continue;
      const bool whole = operands[i].kind == ir::Operand::Kind::kAddress && !operands[i].address.base.has_value();
      if (!loads || i != 1 || !whole) {
        // The parameter's own address: whatever is read through it is not followed.
        if (ParameterAt(variable, 0, variable->SizeBytes()) != Origins{0}) return false;
        continue;
      }
      if (*origins == 0) continue;
      if (BitWidth(instruction.mods.type) != 64) return false;
      if (operands[0].kind != ir::Operand::Kind::kVector) return Hold(operands[0], *origins);
      return std::all_of(operands[0].elements.begin(), operands[0].elements.end(),
                         [&](const ir::Operand& element) { return element.kind == ir::Operand::Kind::kSink || Hold(element, kUnknown); });
    }
    bool uses = false;
    for (size_t i = !operands.empty() && HasTarget(instruction) ? 1 : 0; i < operands.size(); ++i)
      uses = uses || IsAddress(Of(operands[i]));
    return !uses || FollowUse(instruction);
  }

  static bool HasTarget(const ir::Instruction& instruction) {
    return instruction.mnemonic != "st" && instruction.mnemonic != "red" && instruction.mnemonic != "call" &&
           instruction.operands[0].kind != ir::Operand::Kind::kAddress;
  }
  static uint64_t AccessBytes(const ir::Instruction& instruction) {
    return std::max<uint64_t>(BitWidth(instruction.mods.type) / 8 * std::max<unsigned>(instruction.mods.vector, 1), 1);
  }

  // Some operand that is read holds an address; base registers of accesses are not among them.
  bool FollowUse(const ir::Instruction& instruction) {
    const std::vector<ir::Operand>& operands = instruction.operands;
    const std::string& mnemonic = instruction.mnemonic;
    if (mnemonic == "isspacep") return true;  // a tensor is in .global
    if (operands.size() < 2 || instruction.opcode == Opcode::kUnknown) return false;
    const std::vector<std::string>& modifiers = instruction.modifiers;
    if (std::find(modifiers.begin(), modifiers.end(), "cc") != modifiers.end()) return false;
    std::vector<Origins> read;
    Origins addresses = 0;
    size_t count = 0;
    for (size_t i = 1; i < operands.size(); ++i) {
      const Origins origins = Of(operands[i]);
      read.push_back(origins);
      if (!IsAddress(origins)) continue;
      if (!IsPlain(operands[i])) return false;
      addresses |= origins;
      ++count;
    }
    const bool wide = !instruction.operand_types.empty() && Is64BitInteger(instruction.operand_types[0]);
    if (mnemonic == "mad") return wide && count == 1 && read.size() == 3 && IsAddress(read[2]) && Hold(operands[0], addresses);
    if (!Is64BitInteger(instruction.mods.type)) return false;
    // Not where a register may hold something else at another time.
    const bool same = count == 2 && read[0] == read[1] && std::has_single_bit(read[0]) && read[0] != kUnknown;
    if (mnemonic == "mov" || mnemonic == "cvta") return Hold(operands[0], addresses);
    if (mnemonic == "add") return count == 1 && Hold(operands[0], addresses);
    if (mnemonic == "sub") return same || (count == 1 && IsAddress(read[0]) && Hold(operands[0], addresses));
    if (mnemonic == "selp") return Hold(operands[0], addresses | (count == 1 ? kOther : 0));
    if (mnemonic == "setp") return same || (count == 1 && IsAddress(read[0]) && ComparesEqual(instruction) && IsZero(operands[2]));
    return false;
  }

  static bool IsZero(const ir::Operand& operand) { return operand.kind == ir::Operand::Kind::kImmediate && operand.bits == 0; }
  static bool ComparesEqual(const ir::Instruction& instruction) {
    return std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                       [](const std::string& modifier) { return modifier == "eq" || modifier == "ne"; });
  }

  const ir::Function& entry_;
  const CallSpec& call_;
  std::vector<Origins> origins_;  // by register
  bool changed_ = false;
};

}  // namespace

const ir::Instruction* FindAddressUse(const ir::Function& entry, const CallSpec& call) { return Search(entry, call).Run(); }

}  // namespace racer
