#include "checker/kernel_facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

constexpr size_t kMaxBody = 200000;
constexpr size_t kMaxParameters = 64;  // bits of a mask

// Sets of parameters, one bit each.
using Mask = uint64_t;

struct RegisterFacts {
  Mask copy = 0;      // holds the parameter itself
  Mask address = 0;   // computed from it
  Mask data = 0;      // loaded through it and only moved since
  Mask shifted = 0;   // loaded through it, then shifted, masked or widened with zeros
  Mask stored = 0;    // goes to a store through it, only moved on the way
  Mask narrowed = 0;  // goes to a store through it after a shift or a mask
};

template <size_t n>
bool OneOf(std::string_view text, const std::array<std::string_view, n>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
constexpr std::array<std::string_view, 14> kAddressArithmetic = {"mov", "cvta", "add", "sub", "mad", "selp", "cvt",
                                                                 "and", "or",   "shl", "min", "max", "addc", "shf"};
constexpr std::array<std::string_view, 3> kMoves = {"mov", "selp", "shfl"};
constexpr std::array<std::string_view, 10> kBitMoves = {"shl", "shr", "and", "or", "xor", "prmt", "bfe", "bfi", "shf", "lop3"};

bool IsFloatType(ScalarType type) { return IsFloat(type); }
ScalarType ElementOf(ScalarType type) {
  ScalarType element = PackedElement(type);
  return element == ScalarType::kNone ? type : element;
}

class Study {
 public:
  explicit Study(const ir::Function& function) : function_(function), registers_(function.registers.size()) {}

  KernelFacts Run() {
    if (!Declare()) return std::move(facts_);
    for (const ir::Instruction& instruction : function_.body) NoteUses(instruction);
    if (!facts_.refusal.empty()) return std::move(facts_);
    Fixpoint([this](const ir::Instruction& instruction) { return FollowAddresses(instruction); });
    FindPointers();
    for (const ir::Instruction& instruction : function_.body) NoteAccess(instruction);
    Fixpoint([this](const ir::Instruction& instruction) { return FollowData(instruction); });
    for (const ir::Instruction& instruction : function_.body) NoteTypes(instruction);
    SettleHalves();
    DropUnusedPointers();
    return std::move(facts_);
  }

 private:
  void SettleHalves() {
    for (ParameterFacts& facts : facts_.parameters) {
      if (facts.kind != ParameterFacts::Kind::kFloat || facts.type != ScalarType::kB16) continue;
      if (facts.element_types.size() == 1 && BitWidth(*facts.element_types.begin()) == 16) {
        facts.type = *facts.element_types.begin();
      } else {
        facts_.refusal = "parameter " + facts.name + " of 2 bytes may be an f16 or a bf16";
      }
    }
  }

  // Triton passes scratch pointers that most kernels never read. What 64 bits without .ptr are, does not show then.
  void DropUnusedPointers() {
    for (size_t i = 0; i < facts_.parameters.size(); ++i) {
      ParameterFacts& facts = facts_.parameters[i];
      const bool integer = facts.kind == ParameterFacts::Kind::kInteger && BitWidth(facts.type) == 64;
      if (facts.kind != ParameterFacts::Kind::kPointer && !integer) continue;
      bool used = false;
      for (const ir::Instruction& instruction : function_.body) {
        ForEachOperand(instruction, [&](const ir::Operand& operand) { used = used || operand.address.variable == function_.params[i]; });
      }
      if (used) continue;
      if (integer) facts.uncertain = facts.unread = true;
      if (!integer) facts.kind = ParameterFacts::Kind::kUnused;
    }
  }

  bool Declare() {
    if (function_.params.size() > kMaxParameters) facts_.refusal = "more than 64 parameters";
    if (function_.body.size() > kMaxBody) facts_.refusal = "more than 200000 instructions";
    for (const ir::Variable* parameter : function_.params) {
      ParameterFacts facts;
      facts.name = parameter->name;
      facts.type = parameter->type;
      facts.declared_align = parameter->pointer_align;
      // A __half or __nv_bfloat16 by value: which of them, its uses tell.
      if (parameter->vector == 1 && parameter->SizeBytes() == 2 && parameter->align >= 2 && !parameter->dims.empty()) {
        facts.kind = ParameterFacts::Kind::kFloat;
        facts.type = ScalarType::kB16;
        facts_.parameters.push_back(std::move(facts));
        continue;
      }
      if (!parameter->dims.empty() || parameter->vector != 1) {
        facts_.refusal = "parameter " + parameter->name + " is a structure or a vector";
        return false;
      }
      bool pointer_sized = BitWidth(parameter->type) == 64;
      switch (ClassOf(parameter->type)) {
        case TypeClass::kFloat: facts.kind = ParameterFacts::Kind::kFloat; break;
        case TypeClass::kUnsigned:
        case TypeClass::kSigned:
        case TypeClass::kBits:
          facts.kind = parameter->is_pointer && pointer_sized ? ParameterFacts::Kind::kPointer : ParameterFacts::Kind::kInteger;
          break;
        case TypeClass::kPredicate:
        case TypeClass::kOpaque: facts_.refusal = "parameter " + parameter->name + " is of an opaque type"; return false;
      }
      facts_.parameters.push_back(std::move(facts));
    }
    return facts_.refusal.empty();
  }

  void ForEachOperand(const ir::Instruction& instruction, const std::function<void(const ir::Operand&)>& visit) {
    for (const ir::Operand& operand : instruction.operands) {
      visit(operand);
      for (const ir::Operand& element : operand.elements) visit(element);
    }
  }

  void NoteUses(const ir::Instruction& instruction) {
    ForEachOperand(instruction, [&](const ir::Operand& operand) {
      if (operand.kind == ir::Operand::Kind::kSpecial) {
        const std::string& name = operand.special.name;
        uint8_t component = operand.special.has_component ? operand.special.component : 0;
        if (name == "%tid" && component == 1) facts_.block_y = true;
        if (name == "%tid" && component == 2) facts_.block_z = true;
        if (name == "%ctaid" && component == 1) facts_.grid_y = true;
        if (name == "%ctaid" && component == 2) facts_.grid_z = true;
        if (name == "%nctaid" && component == 0) facts_.grid_size = true;
        if (name == "%ctaid" || name == "%nctaid") facts_.grid_index = true;
      }
      const ir::Variable* variable = operand.address.variable;
      if (variable != nullptr && variable->space == StateSpace::kShared && variable->SizeBytes() == 0) {
        facts_.dynamic_shared = true;
      }
    });
  }

  // Calls `follow` for all instructions until nothing changes. Facts only grow: at most one round a bit and register.
  void Fixpoint(const std::function<bool(const ir::Instruction&)>& follow) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ir::Instruction& instruction : function_.body) changed = follow(instruction) || changed;
    }
  }

  static bool Grow(Mask& mask, Mask more) {
    bool grows = (more & ~mask) != 0;
    mask |= more;
    return grows;
  }

  RegisterFacts& Of(const ir::Operand& operand) { return registers_[static_cast<size_t>(operand.reg)]; }

  // Registers of an operand: itself or the elements of a vector or pair.
  std::vector<const ir::Operand*> RegistersOf(const ir::Operand& operand) const {
    std::vector<const ir::Operand*> list;
    if (operand.kind == ir::Operand::Kind::kRegister) list.push_back(&operand);
    for (const ir::Operand& element : operand.elements) {
      if (element.kind == ir::Operand::Kind::kRegister) list.push_back(&element);
    }
    return list;
  }

  std::optional<size_t> ParameterOf(const ir::Instruction& instruction) const {
    if (instruction.mnemonic != "ld" || instruction.operands.size() < 2) return std::nullopt;
    const ir::Variable* variable = instruction.operands[1].address.variable;
    for (size_t i = 0; i < function_.params.size(); ++i) {
      if (function_.params[i] == variable && variable != nullptr) return i;
    }
    return std::nullopt;
  }

  bool FollowAddresses(const ir::Instruction& instruction) {
    bool changed = false;
    if (std::optional<size_t> parameter = ParameterOf(instruction)) {
      for (const ir::Operand* target : RegistersOf(instruction.operands[0])) {
        changed = Grow(Of(*target).copy, Mask{1} << *parameter) || changed;
        changed = Grow(Of(*target).address, Mask{1} << *parameter) || changed;
      }
      return changed;
    }
    if (instruction.operands.size() < 2 || !OneOf(instruction.mnemonic, kAddressArithmetic)) return false;
    bool copies = instruction.mnemonic == "cvta" || instruction.mnemonic == "mov";
    Mask copy = 0, address = 0;
    for (size_t i = 1; i < instruction.operands.size(); ++i) {
      for (const ir::Operand* source : RegistersOf(instruction.operands[i])) {
        copy |= copies ? Of(*source).copy : 0;
        address |= Of(*source).address;
      }
    }
    for (const ir::Operand* target : RegistersOf(instruction.operands[0])) {
      changed = Grow(Of(*target).copy, copy) || changed;
      changed = Grow(Of(*target).address, address) || changed;
    }
    return changed;
  }

  // cp.async: bytes of global memory go to shared memory.
  static bool IsCopy(const ir::Instruction& instruction) {
    return instruction.opcode == Opcode::kCpAsync && instruction.operands.size() > 2 &&
           instruction.operands[1].kind == ir::Operand::Kind::kAddress;
  }

  // The address operand of a global or generic access; nullptr for other instructions.
  static const ir::Operand* AccessAddress(const ir::Instruction& instruction) {
    static constexpr std::array<std::string_view, 4> kAccesses = {"ld", "st", "atom", "red"};
    if (IsCopy(instruction)) return instruction.operands[1].address.base ? &instruction.operands[1] : nullptr;
    if (!OneOf(instruction.mnemonic, kAccesses)) return nullptr;
    if (instruction.mods.space != StateSpace::kGlobal && instruction.mods.space != StateSpace::kGeneric) return nullptr;
    for (const ir::Operand& operand : instruction.operands) {
      if (operand.kind == ir::Operand::Kind::kAddress && operand.address.base) return &operand;
    }
    return nullptr;
  }

  static bool OneOfParams(StateSpace space) { return space == StateSpace::kParam || space == StateSpace::kParamFunc; }

  void FindPointers() {
    // Only 64-bit integers can be pointers.
    Mask possible = 0;
    for (size_t i = 0; i < facts_.parameters.size(); ++i) {
      const ParameterFacts& facts = facts_.parameters[i];
      if (facts.kind == ParameterFacts::Kind::kInteger && BitWidth(facts.type) == 64) possible |= Mask{1} << i;
      if (facts.kind == ParameterFacts::Kind::kPointer) pointers_ |= Mask{1} << i;
    }
    for (const ir::Instruction& instruction : function_.body) {
      if (instruction.mnemonic == "cvta" && instruction.operands.size() == 2) {
        for (const ir::Operand* source : RegistersOf(instruction.operands[1])) pointers_ |= Of(*source).copy & possible;
      }
      if (const ir::Operand* address = AccessAddress(instruction)) {
        pointers_ |= registers_[static_cast<size_t>(*address->address.base)].copy & possible;
      }
    }
    // An address that comes from one 64-bit integer alone.
    for (const ir::Instruction& instruction : function_.body) {
      const ir::Operand* address = AccessAddress(instruction);
      if (address == nullptr) continue;
      Mask from = registers_[static_cast<size_t>(*address->address.base)].address & (possible | pointers_);
      if ((from & pointers_) == 0 && from != 0 && (from & (from - 1)) == 0) pointers_ |= from;
    }
    Mask in_addresses = 0;
    for (const ir::Instruction& instruction : function_.body) {
      in_addresses |= PointersOf(instruction, possible);
      // What a function is called with may be an address there.
      const bool passes = instruction.mnemonic == "st" && OneOfParams(instruction.mods.space) && instruction.operands.size() == 2;
      if (!passes) continue;
      for (const ir::Operand* value : RegistersOf(instruction.operands[1])) in_addresses |= Of(*value).address & possible;
    }
    for (size_t i = 0; i < facts_.parameters.size(); ++i) {
      if ((pointers_ >> i & 1) != 0) {
        facts_.parameters[i].kind = ParameterFacts::Kind::kPointer;
      } else if ((in_addresses >> i & 1) != 0) {
        facts_.parameters[i].uncertain = true;
        uncertain_ |= Mask{1} << i;
      }
    }
  }

  // Which of `parameters` the address of an access depends on.
  Mask PointersOf(const ir::Instruction& instruction, Mask parameters) const {
    const ir::Operand* address = AccessAddress(instruction);
    return address == nullptr ? 0 : registers_[static_cast<size_t>(*address->address.base)].address & parameters;
  }

  void NoteAccess(const ir::Instruction& instruction) {
    Mask through = PointersOf(instruction, pointers_ | uncertain_);
    if (through == 0) return;
    const bool copies = IsCopy(instruction);
    unsigned bits = copies ? 8 * static_cast<unsigned>(instruction.operands[2].bits) : BitWidth(instruction.mods.type);
    for (size_t i = 0; i < facts_.parameters.size(); ++i) {
      ParameterFacts& facts = facts_.parameters[i];
      if ((through >> i & 1) != 0) facts.widest_access = std::max(facts.widest_access, bits / 8 * instruction.mods.vector);
    }
    // Registers that are used again for another pointer: nothing more can be said.
    if ((through & (through - 1)) != 0 || (through & uncertain_) != 0) return;
    ParameterFacts& facts = facts_.parameters[static_cast<size_t>(std::countr_zero(through))];
    bool is_load = instruction.mnemonic == "ld";
    bool is_store = instruction.mnemonic == "st";
    facts.loaded = facts.loaded || !is_store;
    facts.atomic = facts.atomic || instruction.mnemonic == "atom" || instruction.mnemonic == "red";
    if (copies) return;  // of elements of any type
    facts.stored = facts.stored || !is_load;
    facts.narrowest_element = facts.narrowest_element == 0 ? bits : std::min(facts.narrowest_element, bits);
    if (IsFloatType(instruction.mods.type)) facts.element_types.insert(ElementOf(instruction.mods.type));
    for (const ir::Operand& operand : instruction.operands) {
      if (operand.kind == ir::Operand::Kind::kAddress) continue;
      for (const ir::Operand* value : RegistersOf(operand)) {
        (is_store ? Of(*value).stored : Of(*value).data) |= through;
      }
    }
  }

  // Typed moves are moves; conversions between integers widen or narrow.
  bool FollowData(const ir::Instruction& instruction) {
    if (instruction.operands.size() < 2) return false;
    bool integer_cvt = instruction.mnemonic == "cvt" && !IsFloatType(instruction.mods.type) && !IsFloatType(instruction.mods.type2);
    bool plain = OneOf(instruction.mnemonic, kMoves) || integer_cvt;
    bool bits = OneOf(instruction.mnemonic, kBitMoves);
    if (!plain && !bits) return false;
    std::vector<const ir::Operand*> sources;
    for (size_t i = 1; i < instruction.operands.size(); ++i) {
      for (const ir::Operand* source : RegistersOf(instruction.operands[i])) sources.push_back(source);
    }
    std::vector<const ir::Operand*> targets = RegistersOf(instruction.operands[0]);
    // Packing a loaded half with something that is not loaded widens a bf16.
    bool packs = instruction.mnemonic == "mov" && instruction.operands[1].kind == ir::Operand::Kind::kVector;
    Mask everywhere = ~Mask{0};
    for (const ir::Operand* source : sources) everywhere &= Of(*source).data;
    if (packs && sources.size() < instruction.operands[1].elements.size()) everywhere = 0;
    bool changed = false;
    for (const ir::Operand* target : targets) {
      for (const ir::Operand* source : sources) {
        Mask data = Of(*source).data;
        Mask kept = bits ? 0 : packs ? data & everywhere : data;
        changed = Grow(Of(*target).data, kept) || changed;
        changed = Grow(Of(*target).shifted, Of(*source).shifted | (data & ~kept)) || changed;
        changed = Grow(Of(*source).stored, bits ? 0 : Of(*target).stored) || changed;
        changed = Grow(Of(*source).narrowed, Of(*target).narrowed | (bits ? Of(*target).stored : 0)) || changed;
      }
    }
    return changed;
  }

  static ScalarType TypeOfOperand(const ir::Instruction& instruction, size_t i) {
    if (i < instruction.operand_types.size() && instruction.operand_types[i] != ScalarType::kNone) return instruction.operand_types[i];
    if (instruction.mnemonic == "cvt" && i > 0) return instruction.mods.type2;
    return instruction.mods.type;
  }

  void AddType(Mask pointers, ScalarType type) {
    for (size_t i = 0; i < facts_.parameters.size(); ++i) {
      if ((pointers >> i & 1) != 0) facts_.parameters[i].element_types.insert(type);
    }
  }

  // What arithmetic takes loaded values for, and makes stored values as.
  void NoteTypes(const ir::Instruction& instruction) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      facts_.floating |= IsFloatType(TypeOfOperand(instruction, i)) || instruction.operands[i].kind == ir::Operand::Kind::kFloat;
    }
    if (OneOf(instruction.mnemonic, kMoves) || PointersOf(instruction, pointers_ | uncertain_) != 0) return;
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      ScalarType type = TypeOfOperand(instruction, i);
      if (!IsFloatType(type)) {
        NoteInteger(instruction, i, type);
        continue;
      }
      ScalarType element = ElementOf(type);
      // A bf16 is an f32 once it is shifted up, and an f32 a bf16 once shifted down.
      ScalarType shifted = element == ScalarType::kF32 ? ScalarType::kBF16 : element;
      bool is_target = i == 0 && instruction.mnemonic != "st" && instruction.mnemonic != "setp";
      for (const ir::Operand* reg : RegistersOf(instruction.operands[i])) {
        const RegisterFacts& facts = Of(*reg);
        if (!is_target) AddType(facts.copy & ~(pointers_ | uncertain_), element);
        AddType(is_target ? facts.stored : facts.data, element);
        AddType(is_target ? facts.narrowed : facts.shifted, shifted);
      }
    }
  }

  // Bits are moved for floating-point values too, and conversions between integers only widen or narrow.
  void NoteInteger(const ir::Instruction& instruction, size_t i, ScalarType type) {
    const bool is_signed = ClassOf(type) == TypeClass::kSigned;
    if ((!is_signed && ClassOf(type) != TypeClass::kUnsigned) || OneOf(instruction.mnemonic, kBitMoves) || instruction.mnemonic == "st")
      return;
    if (instruction.mnemonic == "cvt" && !IsFloatType(instruction.mods.type) && !IsFloatType(instruction.mods.type2)) return;
    const bool is_target = i == 0 && instruction.mnemonic != "setp";
    for (const ir::Operand* reg : RegistersOf(instruction.operands[i])) {
      const Mask used = is_target ? Of(*reg).stored | Of(*reg).narrowed : Of(*reg).data | Of(*reg).shifted;
      for (size_t p = 0; p < facts_.parameters.size(); ++p) {
        if ((used >> p & 1) != 0) (is_signed ? facts_.parameters[p].signed_use : facts_.parameters[p].unsigned_use) = true;
      }
    }
  }

  const ir::Function& function_;
  KernelFacts facts_;
  std::vector<RegisterFacts> registers_;
  Mask pointers_ = 0;  // certainly
  Mask uncertain_ = 0;
};

}  // namespace

KernelFacts StudyKernel(const ir::Function& function) { return Study(function).Run(); }

std::optional<ScalarType> ElementTypeOf(const ParameterFacts& pointer) {
  std::vector<ScalarType> left;
  for (ScalarType type : pointer.element_types) {
    if (pointer.narrowest_element == 0 || BitWidth(type) <= pointer.narrowest_element) left.push_back(type);
  }
  if (left.size() != 1) return std::nullopt;
  return left.front();
}

std::optional<ScalarType> IntegerTypeOf(const std::vector<const ParameterFacts*>& pointers, bool floating) {
  unsigned bits = 0;
  bool is_signed = false, is_unsigned = false;
  for (const ParameterFacts* pointer : pointers) {
    if (!pointer->element_types.empty()) return std::nullopt;
    const unsigned narrowest = pointer->narrowest_element;
    if (narrowest != 0) bits = bits == 0 ? narrowest : std::min(bits, narrowest);
    is_signed |= pointer->signed_use;
    is_unsigned |= pointer->unsigned_use;
  }
  if (floating && !is_signed && !is_unsigned) return std::nullopt;
  const char* const letter = is_signed ? "s" : is_unsigned ? "u" : "b";
  return bits >= 8 && bits <= 64 ? ScalarTypeFromSpelling(letter + std::to_string(bits)) : std::nullopt;
}

}  // namespace racer
