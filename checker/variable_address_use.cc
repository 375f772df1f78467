#include "checker/variable_address_use.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/overwritten_stores.h"
#include "checker/split_registers.h"
#include "checker/variable_memory.h"
#include "ptx_frontend/ir/cfg.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/machine/decode.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

using variable_address::Bits;
using variable_address::Cells;
using variable_address::kAnywhere;
using variable_address::kBare;
using variable_address::kGeneric;
using variable_address::kMaxNamed;
using variable_address::kMoved;
using variable_address::kNoBit;
using variable_address::kNumber;
using variable_address::kNumeric;
using variable_address::kObjects;
using variable_address::kOther;
using variable_address::kUnknown;
using variable_address::kWidened;
using variable_address::kZero;
using variable_address::Object;
using variable_address::Offsets;
using variable_address::Value;

// .shared, of whatever CTA of the cluster; .param of whatever function.
StateSpace Family(StateSpace space) {
  if (space == StateSpace::kSharedCluster) return StateSpace::kShared;
  return space == StateSpace::kParamFunc ? StateSpace::kParam : space;
}
bool HasWindow(StateSpace space) { return space != StateSpace::kGlobal && space != StateSpace::kGeneric; }
bool IsWord(ScalarType type) { return BitWidth(type) == 32 || BitWidth(type) == 64; }
bool IsInteger(ScalarType type) {
  return IsWord(type) &&
         (ClassOf(type) == TypeClass::kUnsigned || ClassOf(type) == TypeClass::kSigned || ClassOf(type) == TypeClass::kBits) &&
         PackedElement(type) == ScalarType::kNone;
}

class Search {
 public:
  Search(const ir::Module& module, const ir::Function& entry) : module_(module), functions_(ReachableFunctions(module, entry)) {
    for (const ir::Function* function : functions_) {
      SplitBody split = SplitRegisters(*function);
      registers_[function].resize(split.registers);
      overwritten_.push_back(FindOverwrittenStores(split.body, ir::BuildCfg(*function)));
      bodies_.push_back(std::move(split.body));
      for (const auto& variable : function->variables) owner_[variable.get()] = function;
    }
  }

  std::optional<VariableAddressUse> Run() {
    Fixpoint();
    // Registers that hold addresses and are written by an instruction that makes none.
    noting_other_ = true;
    Pass();
    noting_other_ = false;
    Fixpoint();
    return use_;
  }

 private:
  void Fixpoint() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      Pass();
    }
  }
  // Leaves the first use that the values known so far show.
  void Pass() {
    use_.reset();
    for (size_t f = 0; f < functions_.size(); ++f) {
      function_ = functions_[f];
      for (size_t i = 0; i < bodies_[f].size(); ++i) {
        read_ = {};
        made_ = 0;
        is_overwritten_ = overwritten_[f][i];
        if (!Follow(bodies_[f][i]) && !use_.has_value()) use_ = {&function_->body[i], NameOf(read_)};
      }
    }
  }

  std::string NameOf(const Value& value) const {
    if (!value.Has(kObjects)) return value.IsAddress() ? "a variable" : "";
    return FirstOf(value.bits).name;
  }

  // Objects.
  const Object& FirstOf(Bits bits) const { return objects_[taken_[static_cast<size_t>(std::countr_zero(bits & kObjects))]]; }
  size_t ObjectOf(const void* key, const std::string& name, StateSpace space, uint64_t align) {
    auto [found, added] = ids_.try_emplace(key, objects_.size());
    if (added) objects_.push_back({.name = name, .space = space, .align = align, .cells = {}, .extents = {}});
    return found->second;
  }
  size_t ObjectOf(const ir::Variable* variable) {
    const size_t id = ObjectOf(variable, "`" + variable->name + "`", Family(variable->space), std::max<uint64_t>(variable->align, 1));
    Object& object = objects_[id];
    if (object.variable != nullptr) return id;
    object.variable = variable;
    auto owner = owner_.find(variable);
    const bool own = owner != owner_.end();
    const bool entry_parameter = own && owner->second->is_entry && IsParameter(*owner->second, variable);
    object.local = variable->space == StateSpace::kLocal;
    object.holds_addresses = object.local || (IsParamSpace(variable->space) && !entry_parameter);
    if (variable->initializer.has_value()) {
      for (const ir::Initializer::Relocation& relocation : variable->initializer->relocations) {
        for (const auto& other : module_.variables) {
          if (other->name != relocation.symbol) continue;
          const Value value = AddressOf(other.get(), 1);
          object.cells[kAnywhere].Unite(relocation.generic ? value.Without(kBare).With(kGeneric) : value);
        }
      }
      const std::vector<uint8_t>& bytes = variable->initializer->bytes;
      const bool number = std::any_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; });
      if (number && variable->initializer->relocations.empty()) object.StoreNumber(kAnywhere, 8, kNumber);
    }
    return id;
  }
  static bool IsParamSpace(StateSpace space) { return space == StateSpace::kParam || space == StateSpace::kParamFunc; }
  static bool IsParameter(const ir::Function& function, const ir::Variable* variable) {
    return std::find(function.params.begin(), function.params.end(), variable) != function.params.end();
  }
  Bits BitOf(size_t id) {
    if (objects_[id].bit == kNoBit) {
      objects_[id].bit = taken_.size();
      taken_.push_back(id);
    }
    return objects_[id].bit < kMaxNamed ? Bits{1} << objects_[id].bit : kUnknown;
  }
  Value AddressOf(const ir::Variable* variable, int64_t offset) {
    if (variable->space == StateSpace::kReg || variable->space == StateSpace::kTex) return {};
    const Bits form = variable->space == StateSpace::kGlobal ? kGeneric : kBare;
    return {BitOf(ObjectOf(variable)) | form | (offset == 0 ? 0 : kMoved), Offsets(offset)};
  }
  template <typename F>
  void ForObjects(Bits bits, F&& f) {
    for (size_t id : taken_) {
      if ((BitOf(id) & bits) != 0) f(&objects_[id]);
    }
  }
  // What every address in `bits` is a multiple of, give or take what was added to it.
  uint64_t AlignOf(Bits bits) {
    uint64_t align = (bits & kUnknown) != 0 ? 1 : uint64_t{1} << 20;
    ForObjects(bits & ~kUnknown, [&](const Object* object) { align = std::min(align, object->align); });
    return align;
  }

  // Registers.
  void Unite(Value* held, const Value& value) { changed_ = held->Unite(value) || changed_; }
  Value* RegisterOf(const ir::Function& function, ir::RegId id) { return &registers_.at(&function)[static_cast<size_t>(id)]; }
  Value Of(const ir::Operand& operand) {
    if (operand.kind == Kind::kRegister) return *RegisterOf(*function_, operand.reg);
    if (operand.kind == Kind::kVariable) return AddressOf(operand.address.variable, operand.address.offset);
    if (operand.kind == Kind::kSpecial && operand.special.name == "%reserved_smem_offset_1")
      return {BitOf(ObjectOf(&kReserved, "the reserved shared memory", StateSpace::kShared, 1)) | kBare, Offsets(0)};
    if (operand.kind == Kind::kSpecial) return {kNumber, {}};
    if (operand.kind == Kind::kImmediate || operand.kind == Kind::kFloat) return {operand.bits == 0 ? kZero : kNumber, {}};
    // Several registers make a number where each is one.
    Value value;
    bool numeric = true;
    for (const ir::Operand& element : operand.elements) {
      const Value held = Of(element);
      numeric = numeric && held.Has(kNumeric);
      value.Unite(held);
    }
    return numeric ? value : value.Without(kNumeric);
  }
  // What the result of an instruction without memory may be of numbers.
  Bits MadeOfNumbers(const ir::Instruction& instruction, size_t first) {
    static constexpr std::string_view kPicks[] = {"mov", "cvt", "cvta", "selp", "slct", "min", "max"};
    static constexpr std::string_view kNever[] = {"mul", "mul24", "div", "rem", "popc", "clz", "bfind", "fns", "sad"};  // an address
    auto among = [&](const auto& names) { return std::find(std::begin(names), std::end(names), instruction.mnemonic) != std::end(names); };
    const std::vector<ir::Operand>& operands = instruction.operands;
    if (among(kNever)) return kNumber;
    if (instruction.mnemonic == "shfl") return operands.size() > 1 ? Of(operands[1]).Numeric() : 0;
    if (instruction.mnemonic == "mad" || instruction.mnemonic == "mad24") first = 3;
    Bits some = 0;
    bool all = true;
    for (size_t i = first; i < operands.size(); ++i) {
      if (i < instruction.operand_types.size() && instruction.operand_types[i] == ScalarType::kPred) continue;
      const Bits numeric = Of(operands[i]).Numeric();
      some |= numeric;
      all = all && numeric != 0;
      // No address is as small as a mask of few bits.
      if (instruction.mnemonic == "and" && operands[i].kind == Kind::kImmediate && operands[i].bits < 4096) return kNumber;
    }
    return among(kPicks) ? some : all ? kNumber : 0;
  }
  // Also where `value` is no address. What is made of numbers is added.
  bool Hold(const ir::Operand& target, const Value& value) {
    if (target.kind != Kind::kRegister) {
      for (const ir::Operand& element : target.elements) Hold(element, value);
      return true;
    }
    Value* held = RegisterOf(*function_, target.reg);
    Unite(held, value.IsAddress() ? value.With(made_) : Value{(value.bits & (kNumeric | kOther)) | made_, {}});
    if (noting_other_ && !value.IsAddress() && held->IsAddress()) Unite(held, {kOther, {}});
    return true;
  }

  // False: a use of an address that is not understood.
  bool Follow(const ir::Instruction& instruction) {
    if (instruction.mnemonic == "call") return FollowCall(instruction);
    const Value* stray = nullptr;
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      const ir::Operand& operand = instruction.operands[i];
      if (operand.kind == Kind::kAddress && !IsOwn(operand.address, SpaceOf(instruction, i))) stray = BaseOf(operand.address);
    }
    const bool followed = FollowOwn(instruction);
    if (stray != nullptr) read_ = *stray;
    return followed && stray == nullptr;
  }
  bool FollowOwn(const ir::Instruction& instruction) {
    const std::string& mnemonic = instruction.mnemonic;
    const std::vector<ir::Operand>& operands = instruction.operands;
    if ((mnemonic == "ld" || mnemonic == "ldu") && operands.size() >= 2) return FollowLoad(instruction);
    if (mnemonic == "st" && operands.size() >= 2) return FollowStore(instruction);
    if (mnemonic == "alloca" || mnemonic == "stacksave") {
      const bool allocates = mnemonic == "alloca";
      const size_t id = ObjectOf(&instruction, allocates ? "what alloca gives" : "the stack", StateSpace::kLocal, 1);
      objects_[id].holds_addresses = allocates;
      objects_[id].one = false;
      return Hold(operands[0], {BitOf(id) | kBare, Offsets(0)});
    }
    if (mnemonic == "stackrestore") return true;
    // Other ways to read memory that holds addresses.
    bool memory = false;
    for (const ir::Operand& operand : operands) {
      if (operand.kind != Kind::kAddress) continue;
      memory = true;
      ForPlaces(operand.address, kAnywhere, [&](Object* object, int64_t) { read_.Unite(object->Load(kAnywhere, 0)); });
    }
    if (read_.IsAddress()) return false;
    const bool target = HasTarget(instruction);
    for (size_t i = target ? 1 : 0; i < operands.size(); ++i) read_.Unite(Of(operands[i]));
    read_ = read_.Without(kNumeric);
    if (!memory) made_ = MadeOfNumbers(instruction, target ? 1 : 0);
    if (read_.IsAddress()) return FollowUse(instruction);
    // A window's own place is made up, too, and shows where what is moved into it or out of it is no address of a variable.
    if (mnemonic == "cvta" && HasWindow(Family(instruction.mods.space))) return false;
    if (mnemonic == "mapa" || mnemonic == "getctarank") return false;
    if (mnemonic == "isspacep" && operands.size() == 2 && Of(operands[1]).Has(kNumber)) return false;
    if (target) Hold(operands[0], {});
    return true;
  }

  static StateSpace SpaceOf(const ir::Instruction& instruction, size_t operand) {
    const bool copy = instruction.mnemonic == "cp" && instruction.operands.size() > 2 && instruction.operands[2].kind == Kind::kImmediate;
    if (copy) return operand == 0 ? StateSpace::kShared : StateSpace::kGlobal;
    return Family(instruction.mods.space);
  }
  // Whether an access reaches, if a variable, then one of its own space by an address in that space's form. An address in the other
  // form leads nowhere as long as nothing was added to it, which a run finds.
  bool IsOwn(const ir::Address& address, StateSpace space) {
    if (address.variable != nullptr) return true;
    const bool window = HasWindow(space);
    if (!address.base.has_value()) return space != StateSpace::kLocal;
    const Value& base = *BaseOf(address);
    const Bits form = window ? kBare : kGeneric;
    if (base.Has(kNumber) || (base.Has(kZero) && window && address.offset != 0)) return false;
    // What memory gave is a finding where it is undefined, and otherwise what a caller put there.
    if (!base.IsAddress()) return !window || base.Has(kOther);
    if (base.Has(form) && !AllIn(base, space)) return false;
    return !base.Has((kBare | kGeneric) ^ form) || !base.Has(kMoved);
  }
  const Value* BaseOf(const ir::Address& address) {
    static const Value literal;
    return address.base.has_value() ? RegisterOf(*function_, *address.base) : &literal;
  }
  bool AllIn(const Value& value, StateSpace space) {
    bool all = true;
    ForObjects(value.bits, [&](Object* object) { all = all && (space == StateSpace::kGeneric || object->space == space); });
    return all;
  }

  static bool HasTarget(const ir::Instruction& instruction) {
    static constexpr std::string_view kNone[] = {"red", "bar", "barrier", "nanosleep", "brx", "bra", "pmevent", "wgmma", "tcgen05"};
    return !instruction.operands.empty() && instruction.operands[0].kind != Kind::kAddress &&
           std::find(std::begin(kNone), std::end(kNone), instruction.mnemonic) == std::end(kNone);
  }

  // Some operand that is read holds an address; base registers of accesses are not among them.
  bool FollowUse(const ir::Instruction& instruction) {
    const std::vector<ir::Operand>& operands = instruction.operands;
    const std::string& mnemonic = instruction.mnemonic;
    const ScalarType type = instruction.mods.type;
    if (operands.size() < 2 || instruction.opcode == Opcode::kUnknown || instruction.mods.cc || instruction.mods.sat) return false;
    std::vector<Value> read;
    size_t count = 0;
    for (size_t i = 1; i < operands.size(); ++i) {
      read.push_back(Of(operands[i]));
      if (!read.back().IsAddress()) continue;
      if (operands[i].kind == Kind::kVector || operands[i].kind == Kind::kPair || !operands[i].name.empty()) return false;
      ++count;
    }
    const bool still = operands.size() == 3 && IsZero(operands[2]);  // `add.u64 %rd1, %SP, 0`
    const Value moved = still ? read_ : read_.Moved(kAnywhere);
    if (mnemonic == "isspacep") return !read_.Has(kBare | kMoved) && !read[0].Has(kNumber);
    if (mnemonic == "getctarank" || mnemonic == "mapa") {
      const std::vector<std::string>& modifiers = instruction.modifiers;
      const Bits other = std::find(modifiers.begin(), modifiers.end(), "shared::cluster") == modifiers.end() ? kBare : kGeneric;
      if (count != 1 || read[0].Has(kNumeric | other) || !AllIn(read[0], StateSpace::kShared)) return false;
      return Hold(operands[0], mnemonic == "mapa" ? read_.With(kOther) : Value{});
    }
    if (mnemonic == "cvt") return FollowConversion(instruction);
    if (mnemonic == "mad") {
      const bool wide = !instruction.operand_types.empty() && IsInteger(instruction.operand_types[0]);
      return wide && !read_.Has(kWidened) && count == 1 && read.size() == 3 && read[2].IsAddress() && Hold(operands[0], moved);
    }
    if (!IsWord(type)) return false;
    // Half of an address that needs 64 bits.
    if (BitWidth(type) == 32 && read_.Has(kGeneric)) return false;
    if (mnemonic == "mov" && operands[0].kind == Kind::kRegister) return Hold(operands[0], read_);
    if (mnemonic == "selp") return Hold(operands[0], count == 1 ? read_.With(kOther) : read_);
    if (!IsInteger(type)) return false;
    if (mnemonic == "cvta") {
      const StateSpace space = Family(instruction.mods.space);
      const Bits to = HasWindow(space) && instruction.mods.to ? kBare : kGeneric;
      const Bits from = HasWindow(space) ? to ^ (kBare | kGeneric) : kGeneric;
      // The window's own place shows where a number is moved as well.
      const bool number = HasWindow(space) && made_ != 0;
      if (number || read_.Has(from ^ (kBare | kGeneric)) || !AllIn(read_, space)) return false;
      return Hold(operands[0], read_.Without(from).With(to));
    }
    if (mnemonic == "add" || mnemonic == "sub") {
      if (mnemonic == "sub" && count == 2) return Within(read) && Hold(operands[0], {kNumber, {}});
      if (count != 1 || (!still && read_.Has(kWidened)) || (mnemonic == "sub" && !read[0].IsAddress())) return false;
      const std::optional<int64_t> constant = ConstantOf(instruction);
      return Hold(operands[0], still || !constant.has_value() ? moved : read_.Moved(*constant));
    }
    if (mnemonic == "setp") {
      if (instruction.mods.compare != CompareOp::kEq && instruction.mods.compare != CompareOp::kNe) return false;
      if (count == 2) return Within(read);
      // No object lies at the generic address 0.
      return read[0].IsAddress() && IsZero(operands[2]) && !read_.Has(kBare | kMoved);
    }
    if (mnemonic == "and" || mnemonic == "or" || mnemonic == "xor") return FollowLowBits(instruction);
    return false;
  }
  // What an addition or a subtraction adds.
  static std::optional<int64_t> ConstantOf(const ir::Instruction& instruction) {
    const std::vector<ir::Operand>& operands = instruction.operands;
    if (operands.size() != 3) return std::nullopt;
    const size_t literal = operands[2].kind == Kind::kImmediate ? 2 : 1;
    if (operands[literal].kind != Kind::kImmediate) return std::nullopt;
    const uint64_t bits = instruction.mnemonic == "sub" ? ~operands[literal].bits + 1 : operands[literal].bits;
    return BitWidth(instruction.mods.type) == 32 ? static_cast<int32_t>(static_cast<uint32_t>(bits)) : static_cast<int64_t>(bits);
  }

  // Two addresses that may only be of the same object, in the same form.
  bool Within(const std::vector<Value>& read) {
    const Bits both = read[0].bits | read[1].bits, objects = both & (kObjects | kUnknown);
    if (!read[0].IsAddress() || !read[1].IsAddress() || !std::has_single_bit(objects) || objects == kUnknown) return false;
    if ((both & (kOther | kWidened)) != 0 || ((both & kBare) != 0 && (both & kGeneric) != 0)) return false;
    return FirstOf(objects).one;
  }

  bool FollowConversion(const ir::Instruction& instruction) {
    const ScalarType to = instruction.mods.type, from = instruction.mods.type2;
    if (!IsInteger(to) || !IsInteger(from)) return false;
    if (BitWidth(to) == BitWidth(from)) return Hold(instruction.operands[0], read_);
    // Addresses in the windows fit 32 bits, generic ones do not.
    if (read_.Has(kGeneric)) return false;
    const bool widens = BitWidth(to) == 64 && read_.Has(kMoved);
    return Hold(instruction.operands[0], widens ? read_.With(kWidened) : read_);
  }

  // Bits below the alignment of all that the address may be of are those of the offset in it.
  bool FollowLowBits(const ir::Instruction& instruction) {
    const std::vector<ir::Operand>& operands = instruction.operands;
    if (operands.size() != 3) return false;
    const size_t literal = operands[1].kind == Kind::kImmediate ? 1 : 2;
    if (operands[literal].kind != Kind::kImmediate) return false;
    const uint64_t ones = BitWidth(instruction.mods.type) == 32 ? 0xffffffff : ~uint64_t{0};
    const uint64_t bits = operands[literal].bits & ones, low = AlignOf(read_.bits) - 1;
    if (instruction.mnemonic != "and") return (bits & ~low) == 0 && Hold(operands[0], read_.Moved(kAnywhere));
    if ((bits & ~low) == 0) return Hold(operands[0], {kNumber, {}});
    return (bits | low) == ones && Hold(operands[0], read_.Moved(kAnywhere));
  }

  static bool IsZero(const ir::Operand& operand) { return operand.kind == Kind::kImmediate && operand.bits == 0; }

  bool FollowLoad(const ir::Instruction& instruction) {
    const ir::Operand& from = instruction.operands[1];
    for (const ir::Operand& element : from.elements) read_.Unite(Of(element));
    if (read_.IsAddress()) return false;
    const auto element = static_cast<int64_t>(BitWidth(instruction.mods.type) / 8);
    const bool vector = instruction.operands[0].kind == Kind::kVector;
    const size_t count = vector ? instruction.operands[0].elements.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const int64_t offset = from.address.offset + static_cast<int64_t>(i) * element;
      Value value;
      bool whole = true;
      ForPlaces(from.address, offset, [&](Object* object, int64_t at) {
        const Value held = object->Load(at, element);
        whole = whole && (!object->local || !held.IsAddress() || object->IsWhole(at, element));
        // What a call or an initialiser puts there beside is not followed.
        value.Unite(held.IsAddress() && !object->local ? held.With(kOther) : held);
      });
      if (value.IsAddress() && (!whole || element < 4 || (element == 4 && value.Has(kGeneric)))) {
        read_ = value;
        return false;
      }
      if (noting_other_ && !value.IsAddress() && Family(instruction.mods.space) != StateSpace::kParam) value = value.With(kOther);
      Hold(vector ? instruction.operands[0].elements[i] : instruction.operands[0], value);
    }
    return true;
  }

  // The objects that an access may reach, and where in them.
  template <typename F>
  void ForPlaces(const ir::Address& address, int64_t offset, F&& f) {
    if (address.variable != nullptr) {
      if (address.variable->space == StateSpace::kReg) return;
      Object* object = &objects_[ObjectOf(address.variable)];
      return f(object, address.base.has_value() ? kAnywhere : offset);
    }
    if (!address.base.has_value()) return;
    const Value base = *BaseOf(address);
    const Offsets offsets = base.at.Plus(offset);
    ForObjects(base.bits, [&](Object* object) {
      for (int64_t at : offsets) f(object, at);
    });
  }

  // `f` of each value that a store writes, how many bytes it has, and where from the address on.
  template <typename F>
  void ForStored(const ir::Instruction& instruction, F&& f) {
    const ir::Operand& value = instruction.operands[1];
    const auto bytes = static_cast<int64_t>(BitWidth(instruction.mods.type) / 8);
    for (size_t i = 0; i < std::max<size_t>(value.elements.size(), 1); ++i) {
      const int64_t offset = instruction.operands[0].address.offset + static_cast<int64_t>(i) * bytes;
      f(Of(value.elements.empty() ? value : value.elements[i]), bytes, offset);
    }
  }

  bool FollowStore(const ir::Instruction& instruction) {
    const ir::Address& to = instruction.operands[0].address;
    for (const ir::Operand& element : instruction.operands[0].elements) read_.Unite(Of(element));
    if (read_.IsAddress()) return false;
    ForStored(instruction, [&](const Value& value, int64_t bytes, int64_t offset) {
      read_.Unite(value);
      ForPlaces(to, offset, [&](Object* object, int64_t at) {
        // Addresses in memory that something else may be written over.
        if (noting_other_ && !value.IsAddress()) changed_ = object->StoreOther(at, bytes) || changed_;
        if (value.Has(kNumeric) && !is_overwritten_) changed_ = object->StoreNumber(at, bytes, value.Numeric()) || changed_;
      });
    });
    if (!read_.IsAddress()) return true;
    // Into what is followed, and nothing else.
    const Value base = *BaseOf(to);
    bool followed = IsWord(instruction.mods.type) && !base.Has(kOther | kUnknown) && (to.variable != nullptr || base.IsAddress());
    ForPlaces(to, 0, [&](Object* object, int64_t) { followed = followed && object->holds_addresses; });
    if (!followed) return false;
    ForStored(instruction, [&](const Value& value, int64_t bytes, int64_t offset) {
      followed = followed && !(bytes == 4 && value.Has(kGeneric));
      if (!followed || !value.IsAddress()) return;
      ForPlaces(to, offset, [&](Object* object, int64_t at) { changed_ = object->Store(at, bytes, value) || changed_; });
    });
    return followed;
  }

  // A function without a body ends the run where it is reached, or does nothing with what it prints.
  bool FollowCall(const ir::Instruction& instruction) {
    const ir::Operand *results = nullptr, *arguments = nullptr, *callee = nullptr;
    for (const ir::Operand& operand : instruction.operands) {
      if (operand.kind == Kind::kList) (callee == nullptr ? results : arguments) = &operand;
      if ((operand.kind == Kind::kFunction || operand.kind == Kind::kRegister) && callee == nullptr) callee = &operand;
    }
    if (callee == nullptr) return true;
    for (const ir::Function* function : functions_) {
      if (function->is_entry || (callee->kind == Kind::kFunction && callee->name != function->name)) continue;
      // A function of other sizes than the call's is none that it may call.
      if (!Fits(arguments, function->params) || !Fits(results, function->returns)) continue;
      for (size_t i = 0; i < function->params.size(); ++i) PassIn(arguments->elements[i], *function, *function->params[i]);
      for (size_t i = 0; i < function->returns.size(); ++i) PassOut(results->elements[i], *function, *function->returns[i]);
    }
    return true;
  }
  static bool Fits(const ir::Operand* list, const std::vector<ir::Variable*>& formals) {
    if ((list == nullptr ? 0 : list->elements.size()) != formals.size()) return false;
    for (size_t i = 0; i < formals.size(); ++i) {
      const ir::Variable* actual = list->elements[i].address.variable;
      if (actual != nullptr && actual->SizeBytes() != formals[i]->SizeBytes()) return false;
    }
    return true;
  }
  void PassIn(const ir::Operand& actual, const ir::Function& callee, const ir::Variable& formal) {
    Put(formal.space == StateSpace::kReg ? FormalRegister(callee, formal) : nullptr, &formal, ContentsOf(actual));
  }
  void PassOut(const ir::Operand& actual, const ir::Function& callee, const ir::Variable& formal) {
    Cells cells;
    if (formal.space != StateSpace::kReg) {
      cells = objects_[ObjectOf(&formal)].cells;
    } else if (const Value* held = FormalRegister(callee, formal); held != nullptr) {
      cells = CellsOf(*held);
    }
    Value* to = actual.kind == Kind::kRegister ? RegisterOf(*function_, actual.reg) : nullptr;
    Put(to, actual.address.variable, cells);
    const bool address = std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.second.IsAddress(); });
    if (noting_other_ && to != nullptr && !address && to->IsAddress()) Unite(to, {kOther, {}});
  }
  Cells ContentsOf(const ir::Operand& actual) {
    if (actual.kind == Kind::kVariable || actual.kind == Kind::kAddress)
      return actual.address.variable == nullptr ? Cells{} : objects_[ObjectOf(actual.address.variable)].cells;
    return CellsOf(Of(actual));
  }
  static Cells CellsOf(const Value& value) { return value.bits == 0 ? Cells{} : Cells{{0, value}, {4, value}}; }
  // Into a register, or else a variable.
  void Put(Value* held, const ir::Variable* variable, const Cells& cells) {
    for (const auto& [at, value] : cells) {
      if (held != nullptr) {
        Unite(held, value.IsAddress() ? value.With(kOther) : value);
      } else if (variable != nullptr && variable->space != StateSpace::kReg) {
        Unite(&objects_[ObjectOf(variable)].cells[at], value);
      }
    }
  }
  Value* FormalRegister(const ir::Function& function, const ir::Variable& formal) {
    for (size_t i = 0; i < function.registers.size(); ++i) {
      const ir::Register& found = function.registers[i];
      if (found.name == formal.name && found.scope <= 0) return RegisterOf(function, ir::RegId{static_cast<uint32_t>(i)});
    }
    return nullptr;
  }

  static constexpr char kReserved = 0;  // the key of reserved shared memory

  const ir::Module& module_;
  const std::vector<const ir::Function*> functions_;
  std::vector<std::vector<ir::Instruction>> bodies_;  // of functions_, registers split
  std::vector<std::vector<bool>> overwritten_;        // by function and instruction
  std::unordered_map<const ir::Function*, std::vector<Value>> registers_;
  std::unordered_map<const ir::Variable*, const ir::Function*> owner_;
  std::unordered_map<const void*, size_t> ids_;
  std::vector<size_t> taken_;   // ids of those whose address is taken
  std::deque<Object> objects_;  // references to them stay
  const ir::Function* function_ = nullptr;
  bool is_overwritten_ = false;
  Value read_;     // what the instruction at hand reads
  Bits made_ = 0;  // kNumeric of its result
  bool changed_ = false;
  bool noting_other_ = false;
  std::optional<VariableAddressUse> use_;
};

}  // namespace

std::string VariableAddressUse::ToString() const {
  const std::string from = variable.empty() ? "what is no variable's address depends on where variables lie"
                                            : "the address of " + variable + " depends on where it lies";
  return "what `" + instruction->FullName() + "` at " + instruction->location.ToString() + " makes of " + from + ", which is made up here";
}

std::optional<VariableAddressUse> FindVariableAddressUse(const ir::Module& module, const ir::Function& entry) {
  return Search(module, entry).Run();
}

}  // namespace racer
