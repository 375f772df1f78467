#include "checker/variable_address_use.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/split_registers.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/machine/decode.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

// What a register may hold: one bit an object whose address it may be, and what is known of all of them together.
using Value = uint64_t;
constexpr size_t kMaxNamed = 58;
constexpr size_t kNoBit = ~size_t{0};
constexpr Value kUnknown = Value{1} << 63;  // objects past the other bits
constexpr Value kOther = Value{1} << 62;    // also something else, at another time
constexpr Value kBare = Value{1} << 61;     // may be an address within a space that has a window of its own
constexpr Value kGeneric = Value{1} << 60;  // may be a generic address
constexpr Value kMoved = Value{1} << 59;    // may have been added to
constexpr Value kWidened = Value{1} << 58;  // may have been extended to 64 bits after that, with all that a wrapped sum loses
constexpr Value kObjects = (Value{1} << kMaxNamed) - 1;

bool IsAddress(Value value) { return (value & (kObjects | kUnknown)) != 0; }
bool IsWord(ScalarType type) { return BitWidth(type) == 32 || BitWidth(type) == 64; }
bool IsInteger(ScalarType type) {
  return IsWord(type) &&
         (ClassOf(type) == TypeClass::kUnsigned || ClassOf(type) == TypeClass::kSigned || ClassOf(type) == TypeClass::kBits) &&
         PackedElement(type) == ScalarType::kNone;
}

using Cells = std::map<int64_t, Value>;  // addresses stored, by offset of four bytes
constexpr int64_t kAnywhere = std::numeric_limits<int64_t>::min();

// Something that lies at one place, which nobody chose.
struct Object {
  std::string name;
  const ir::Variable* variable = nullptr;
  uint64_t align = 1;
  bool holds_addresses = false;  // .local and .param: what is stored there is followed
  bool local = false;            // written by stores alone
  bool one = true;               // two addresses in it have a known distance
  size_t bit = kNoBit;           // of those whose address is taken
  Cells cells;
  std::set<std::pair<int64_t, int64_t>> extents;  // (offset, bytes) of stores of addresses and over them
};

class Search {
 public:
  Search(const ir::Module& module, const ir::Function& entry) : module_(module), functions_(ReachableFunctions(module, entry)) {
    for (const ir::Function* function : functions_) {
      SplitBody split = SplitRegisters(*function);
      registers_[function].resize(split.registers);
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
    last_ = true;
    Pass();
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
        read_ = 0;
        if (!Follow(bodies_[f][i]) && !use_.has_value()) use_ = {&function_->body[i], NameOf(read_)};
      }
    }
  }

  std::string NameOf(Value value) const {
    if ((value & kObjects) == 0) return "a variable";
    return FirstOf(value).name;
  }

  // Objects.
  const Object& FirstOf(Value value) const { return objects_[taken_[static_cast<size_t>(std::countr_zero(value & kObjects))]]; }
  size_t ObjectOf(const void* key, const std::string& name, uint64_t align) {
    auto [found, added] = ids_.try_emplace(key, objects_.size());
    if (added) objects_.push_back({name, nullptr, align, false, false, true, kNoBit, {}, {}});
    return found->second;
  }
  size_t ObjectOf(const ir::Variable* variable) {
    const size_t id = ObjectOf(variable, "`" + variable->name + "`", std::max<uint64_t>(variable->align, 1));
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
          object.cells[kAnywhere] |= relocation.generic ? (value & ~kBare) | kGeneric : value;
        }
      }
    }
    return id;
  }
  static bool IsParamSpace(StateSpace space) { return space == StateSpace::kParam || space == StateSpace::kParamFunc; }
  static bool IsParameter(const ir::Function& function, const ir::Variable* variable) {
    return std::find(function.params.begin(), function.params.end(), variable) != function.params.end();
  }
  Value BitOf(size_t id) {
    if (objects_[id].bit == kNoBit) {
      objects_[id].bit = taken_.size();
      taken_.push_back(id);
    }
    return objects_[id].bit < kMaxNamed ? Value{1} << objects_[id].bit : kUnknown;
  }
  Value AddressOf(const ir::Variable* variable, int64_t offset) {
    if (variable->space == StateSpace::kReg || variable->space == StateSpace::kTex) return 0;
    return BitOf(ObjectOf(variable)) | (variable->space == StateSpace::kGlobal ? kGeneric : kBare) | (offset == 0 ? 0 : kMoved);
  }
  template <typename F>
  void ForObjects(Value value, F&& f) {
    for (size_t i = 0; i < taken_.size(); ++i) {
      if ((BitOf(taken_[i]) & value) != 0) f(&objects_[taken_[i]]);
    }
  }
  // What every address in `value` is a multiple of, give or take what was added to it.
  uint64_t AlignOf(Value value) {
    uint64_t align = (value & kUnknown) != 0 ? 1 : uint64_t{1} << 20;
    ForObjects(value & ~kUnknown, [&](const Object* object) { align = std::min(align, object->align); });
    return align;
  }
  static Value LoadFrom(const Object& object, int64_t offset, int64_t bytes) {
    Value value = 0;
    for (const auto& [at, held] : object.cells) {
      if (at == kAnywhere || offset == kAnywhere || (at < offset + bytes && offset < at + 4)) value |= held;
    }
    return value;
  }
  void StoreTo(Object* object, int64_t offset, int64_t bytes, Value value) {
    for (int64_t at = offset; at < (offset == kAnywhere ? kAnywhere + 1 : offset + bytes); at += 4) Unite(&object->cells[at], value);
    NoteExtent(object, offset, bytes);
  }
  void NoteExtent(Object* object, int64_t offset, int64_t bytes) { changed_ |= object->extents.insert({offset, bytes}).second; }
  // Whether a load takes up whole addresses as they were stored, not a part of one or parts of two.
  static bool IsWhole(const Object& object, int64_t offset, int64_t bytes) {
    return std::all_of(object.extents.begin(), object.extents.end(), [&](const auto& extent) {
      const auto& [at, size] = extent;
      if (at == kAnywhere || offset == kAnywhere) return size == bytes;
      return at + size <= offset || offset + bytes <= at || (at == offset && size == bytes);
    });
  }

  // Registers.
  void Unite(Value* held, Value value) {
    changed_ = changed_ || (value & ~*held) != 0;
    *held |= value;
  }
  Value* RegisterOf(const ir::Function& function, ir::RegId id) { return &registers_.at(&function)[static_cast<size_t>(id)]; }
  Value Of(const ir::Operand& operand) {
    if (operand.kind == Kind::kRegister) return *RegisterOf(*function_, operand.reg);
    if (operand.kind == Kind::kVariable) return AddressOf(operand.address.variable, operand.address.offset);
    if (operand.kind == Kind::kSpecial && operand.special.name == "%reserved_smem_offset_1")
      return BitOf(ObjectOf(&kReserved, "the reserved shared memory", 1)) | kBare;
    Value value = 0;
    for (const ir::Operand& element : operand.elements) value |= Of(element);
    return value;
  }
  // Also where `value` is no address.
  bool Hold(const ir::Operand& target, Value value) {
    if (target.kind != Kind::kRegister) {
      for (const ir::Operand& element : target.elements) Hold(element, value);
      return true;
    }
    Value* held = RegisterOf(*function_, target.reg);
    if (IsAddress(value)) Unite(held, value);
    if (noting_other_ && !IsAddress(value) && IsAddress(*held)) Unite(held, kOther);
    return true;
  }

  // False: a use of an address that is not understood.
  bool Follow(const ir::Instruction& instruction) {
    const std::string& mnemonic = instruction.mnemonic;
    const std::vector<ir::Operand>& operands = instruction.operands;
    if (mnemonic == "call") return FollowCall(instruction);
    if ((mnemonic == "ld" || mnemonic == "ldu") && operands.size() >= 2) return FollowLoad(instruction);
    if (mnemonic == "st" && operands.size() >= 2) return FollowStore(instruction);
    if (mnemonic == "alloca" || mnemonic == "stacksave") {
      const Value value = BitOf(ObjectOf(&instruction, mnemonic == "alloca" ? "what alloca gives" : "the stack", 1)) | kBare;
      Object& object = objects_[ids_.at(&instruction)];
      object.holds_addresses = mnemonic == "alloca";
      object.one = false;
      return Hold(operands[0], value);
    }
    if (mnemonic == "stackrestore") return true;
    // Other ways to read memory that holds addresses.
    for (const ir::Operand& operand : operands) {
      if (operand.kind != Kind::kAddress) continue;
      ForPlaces(operand.address, kAnywhere, [&](Object* object, int64_t) { read_ |= LoadFrom(*object, kAnywhere, 0); });
    }
    if (IsAddress(read_)) return false;
    const bool target = HasTarget(instruction);
    for (size_t i = target ? 1 : 0; i < operands.size(); ++i) read_ |= Of(operands[i]);
    if (IsAddress(read_)) return FollowUse(instruction);
    // A window's own place is made up, too, and shows where what is moved into it or out of it is no address.
    const StateSpace space = instruction.mods.space;
    const bool asks = mnemonic == "cvta" || (mnemonic == "isspacep" && operands.size() == 2 && operands[1].kind == Kind::kImmediate);
    if (asks && last_ && (space == StateSpace::kShared || space == StateSpace::kLocal)) return false;
    if (target) Hold(operands[0], 0);
    return true;
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
      if (!IsAddress(read.back())) continue;
      if (operands[i].kind == Kind::kVector || operands[i].kind == Kind::kPair || !operands[i].name.empty()) return false;
      ++count;
    }
    const bool still = operands.size() == 3 && IsZero(operands[2]);  // `add.u64 %rd1, %SP, 0`
    const Value moved = read_ | (still ? 0 : kMoved);
    if (mnemonic == "isspacep") return (read_ & (kBare | kMoved)) == 0;
    if (mnemonic == "getctarank") return Hold(operands[0], 0);
    if (mnemonic == "mapa") return count == 1 && IsAddress(read[0]) && Hold(operands[0], read_ | kOther);
    if (mnemonic == "cvt") return FollowConversion(instruction);
    if (mnemonic == "mad") {
      const bool wide = !instruction.operand_types.empty() && IsInteger(instruction.operand_types[0]);
      return wide && (read_ & kWidened) == 0 && count == 1 && read.size() == 3 && IsAddress(read[2]) && Hold(operands[0], moved);
    }
    if (!IsWord(type)) return false;
    // Half of an address that needs 64 bits.
    if (BitWidth(type) == 32 && (read_ & kGeneric) != 0) return false;
    if (mnemonic == "mov" && operands[0].kind == Kind::kRegister) return Hold(operands[0], read_);
    if (mnemonic == "selp") return Hold(operands[0], read_ | (count == 1 ? kOther : 0));
    if (!IsInteger(type)) return false;
    if (mnemonic == "cvta") {
      const bool generic = !instruction.mods.to || instruction.mods.space == StateSpace::kGlobal;
      return Hold(operands[0], (read_ & ~(kBare | kGeneric)) | (generic ? kGeneric : kBare));
    }
    if (mnemonic == "add") return count == 1 && (still || (read_ & kWidened) == 0) && Hold(operands[0], moved);
    if (mnemonic == "sub") {
      if (count == 2) return Within(read) && Hold(operands[0], 0);
      return IsAddress(read[0]) && (read_ & kWidened) == 0 && Hold(operands[0], moved);
    }
    if (mnemonic == "setp") {
      if (instruction.mods.compare != CompareOp::kEq && instruction.mods.compare != CompareOp::kNe) return false;
      if (count == 2) return Within(read);
      // No object lies at the generic address 0.
      return IsAddress(read[0]) && IsZero(operands[2]) && (read_ & (kBare | kMoved)) == 0;
    }
    if (mnemonic == "and" || mnemonic == "or" || mnemonic == "xor") return FollowLowBits(instruction);
    return false;
  }

  // Two addresses that may only be of the same object, in the same form.
  bool Within(const std::vector<Value>& read) {
    const Value objects = (read[0] | read[1]) & (kObjects | kUnknown);
    if (!IsAddress(read[0]) || !IsAddress(read[1]) || !std::has_single_bit(objects) || objects == kUnknown) return false;
    const Value both = read[0] | read[1];
    if ((both & (kOther | kWidened)) != 0 || ((both & kBare) != 0 && (both & kGeneric) != 0)) return false;
    return FirstOf(objects).one;
  }

  bool FollowConversion(const ir::Instruction& instruction) {
    const ScalarType to = instruction.mods.type, from = instruction.mods.type2;
    if (!IsInteger(to) || !IsInteger(from)) return false;
    if (BitWidth(to) == BitWidth(from)) return Hold(instruction.operands[0], read_);
    // Addresses in the windows fit 32 bits, generic ones do not.
    if ((read_ & kGeneric) != 0) return false;
    const bool widens = BitWidth(to) == 64 && (read_ & kMoved) != 0;
    return Hold(instruction.operands[0], read_ | (widens ? kWidened : 0));
  }

  // Bits below the alignment of all that the address may be of are those of the offset in it.
  bool FollowLowBits(const ir::Instruction& instruction) {
    const std::vector<ir::Operand>& operands = instruction.operands;
    if (operands.size() != 3) return false;
    const size_t literal = operands[1].kind == Kind::kImmediate ? 1 : 2;
    if (operands[literal].kind != Kind::kImmediate) return false;
    const uint64_t ones = BitWidth(instruction.mods.type) == 32 ? 0xffffffff : ~uint64_t{0};
    const uint64_t bits = operands[literal].bits & ones, low = AlignOf(read_) - 1;
    if (instruction.mnemonic != "and") return (bits & ~low) == 0 && Hold(operands[0], read_ | kMoved);
    if ((bits & ~low) == 0) return Hold(operands[0], 0);
    return (bits | low) == ones && Hold(operands[0], read_ | kMoved);
  }

  static bool IsZero(const ir::Operand& operand) { return operand.kind == Kind::kImmediate && operand.bits == 0; }

  bool FollowLoad(const ir::Instruction& instruction) {
    const ir::Operand& from = instruction.operands[1];
    for (const ir::Operand& element : from.elements) read_ |= Of(element);
    if (IsAddress(read_)) return false;
    const auto element = static_cast<int64_t>(BitWidth(instruction.mods.type) / 8);
    const bool vector = instruction.operands[0].kind == Kind::kVector;
    const size_t count = vector ? instruction.operands[0].elements.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const int64_t offset = from.address.offset + static_cast<int64_t>(i) * element;
      Value value = 0;
      bool whole = true;
      ForPlaces(from.address, offset, [&](Object* object, int64_t at) {
        const Value held = LoadFrom(*object, at, element);
        whole = whole && (!object->local || !IsAddress(held) || IsWhole(*object, at, element));
        // What a call or an initialiser puts there beside is not followed.
        value |= IsAddress(held) && !object->local ? held | kOther : held;
      });
      if (IsAddress(value) && (!whole || element < 4 || (element == 4 && (value & kGeneric) != 0))) {
        read_ = value;
        return false;
      }
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
    const Value base = *RegisterOf(*function_, *address.base);
    ForObjects(base, [&](Object* object) { f(object, (base & kMoved) != 0 ? kAnywhere : offset); });
  }

  bool FollowStore(const ir::Instruction& instruction) {
    const ir::Operand& value = instruction.operands[1];
    const ir::Address& to = instruction.operands[0].address;
    for (const ir::Operand& element : instruction.operands[0].elements) read_ |= Of(element);
    if (IsAddress(read_)) return false;
    read_ = Of(value);
    if (noting_other_) NoteOther(instruction, to);
    if (!IsAddress(read_)) return true;
    // Into what is followed, and nothing else.
    const Value base = to.base.has_value() ? *RegisterOf(*function_, *to.base) : 0;
    bool followed = IsWord(instruction.mods.type) && (base & (kOther | kUnknown)) == 0 && (to.variable != nullptr || IsAddress(base));
    ForPlaces(to, 0, [&](Object* object, int64_t) { followed = followed && object->holds_addresses; });
    if (!followed) return false;
    const auto bytes = static_cast<int64_t>(BitWidth(instruction.mods.type) / 8);
    const size_t count = value.kind == Kind::kVector ? value.elements.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const Value held = Of(value.kind == Kind::kVector ? value.elements[i] : value);
      if (bytes == 4 && (held & kGeneric) != 0) return false;
      if (!IsAddress(held)) continue;
      ForPlaces(to, to.offset + static_cast<int64_t>(i) * bytes, [&](Object* object, int64_t at) { StoreTo(object, at, bytes, held); });
    }
    return true;
  }

  // Addresses in memory that something else may be written over.
  void NoteOther(const ir::Instruction& instruction, const ir::Address& to) {
    const ir::Operand& value = instruction.operands[1];
    const auto bytes = static_cast<int64_t>(BitWidth(instruction.mods.type) / 8);
    for (size_t i = 0; i < std::max<size_t>(value.elements.size(), 1); ++i) {
      if (IsAddress(Of(value.elements.empty() ? value : value.elements[i]))) continue;
      const int64_t offset = to.offset + static_cast<int64_t>(i) * bytes;
      ForPlaces(to, offset, [&](Object* object, int64_t at) {
        for (auto& [cell, held] : object->cells) {
          if (cell != kAnywhere && at != kAnywhere && (cell >= at + bytes || at >= cell + 4)) continue;
          Unite(&held, kOther);
          NoteExtent(object, at, bytes);
        }
      });
    }
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
    } else if (const Value* held = FormalRegister(callee, formal); held != nullptr && IsAddress(*held)) {
      cells = {{0, *held}, {4, *held}};
    }
    Value* to = actual.kind == Kind::kRegister ? RegisterOf(*function_, actual.reg) : nullptr;
    Put(to, actual.address.variable, cells);
    if (noting_other_ && to != nullptr && cells.empty() && IsAddress(*to)) Unite(to, kOther);
  }
  Cells ContentsOf(const ir::Operand& actual) {
    if (actual.kind == Kind::kVariable || actual.kind == Kind::kAddress)
      return actual.address.variable == nullptr ? Cells{} : objects_[ObjectOf(actual.address.variable)].cells;
    const Value value = Of(actual);
    return IsAddress(value) ? Cells{{0, value}, {4, value}} : Cells{};
  }
  // Into a register, or else a variable.
  void Put(Value* held, const ir::Variable* variable, const Cells& cells) {
    for (const auto& [at, value] : cells) {
      if (held != nullptr) {
        Unite(held, value | kOther);
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
  std::unordered_map<const ir::Function*, std::vector<Value>> registers_;
  std::unordered_map<const ir::Variable*, const ir::Function*> owner_;
  std::unordered_map<const void*, size_t> ids_;
  std::vector<size_t> taken_;   // ids of those whose address is taken
  std::deque<Object> objects_;  // references to them stay
  const ir::Function* function_ = nullptr;
  Value read_ = 0;  // what the instruction at hand reads
  bool changed_ = false;
  bool noting_other_ = false;
  bool last_ = false;  // the pass in which what holds no address will hold none
  std::optional<VariableAddressUse> use_;
};

}  // namespace

std::string VariableAddressUse::ToString() const {
  return "what `" + instruction->FullName() + "` at " + instruction->location.ToString() + " makes of the address of " + variable +
         " depends on where it lies, which is made up here";
}

std::optional<VariableAddressUse> FindVariableAddressUse(const ir::Module& module, const ir::Function& entry) {
  return Search(module, entry).Run();
}

}  // namespace racer
