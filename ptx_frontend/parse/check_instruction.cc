// What ptxas would refuse about an instruction that a grammar line describes: versions, operands, their types.
#include <algorithm>
#include <optional>
#include <utility>

#include "ptx_frontend/parse/operand_check.h"
#include "ptx_frontend/parse/parser.h"
#include "ptx_frontend/parse/special_registers.h"

namespace racer::parse {
namespace {

using Kind = ir::Operand::Kind;

// The .version all of whose instructions have grammar lines. Of a later one an instruction may be unknown: whoever runs it says UNDECIDED.
constexpr int kKnownVersion = 90;

// The instructions whose result may be `_` (ptxas 13.0); of a pair either half may be, see CheckPair.
bool MayDropResult(std::string_view mnemonic, const OperandForm& result) {
  return mnemonic == "atom" || mnemonic == "lop3" || mnemonic == "setp" || (mnemonic == "mbarrier" && result.type != ScalarType::kPred);
}

bool IsTight(ScalarType type) {
  return type == ScalarType::kBF16 || type == ScalarType::kTF32 || (PackedElement(type) != ScalarType::kNone && type != ScalarType::kF16x2);
}

// `_`; a name that is not declared has become one, too, and has its error.
bool IsDropped(const ir::Operand& operand) { return operand.kind == Kind::kSink && operand.name.empty(); }

ScalarType UntypedOf(unsigned width) {
  switch (width) {
    case 8: return ScalarType::kB8;
    case 16: return ScalarType::kB16;
    case 32: return ScalarType::kB32;
    case 64: return ScalarType::kB64;
    case 128: return ScalarType::kB128;
    default: return ScalarType::kNone;
  }
}

std::string FullName(const ir::SpecialRegister& special) {
  const bool numbered = special.name == "%envreg" || special.name == "%pm";
  return numbered ? special.name + std::to_string(special.component) : special.name;
}

std::string DescribeType(ScalarType type) { return "." + std::string(Spelling(type)); }

}  // namespace

bool Parser::CheckInstruction(const MatchedForm& form, ir::Instruction* instruction) {
  if (instruction->mnemonic == "call" && !CheckCall(*instruction)) return false;
  if (!form.outcome.form) {
    if (form.wrong_count) return Error(DiagnosticKind::kPtxSyntax, instruction->location, form.outcome.reason);
    // A later .version may know it.
    const bool known_version = 10 * module_->version_major + module_->version_minor <= kKnownVersion;
    if (known_version || form.outcome.against_rule) return Error(DiagnosticKind::kPtxSyntax, instruction->location, form.outcome.reason);
    if (form.outcome.known_mnemonic) instruction->unmatched = form.outcome.reason;
    return true;
  }
  const InstructionForm& matched = *form.outcome.form;
  if ((matched.opcode == Opcode::kVote || matched.opcode == Opcode::kShfl) && target_.number >= 70 &&
      10 * module_->version_major + module_->version_minor >= 64) {
    return Error(DiagnosticKind::kPtxVersion, instruction->location,
                 "`" + instruction->mnemonic +
                     "` without .sync is gone from .version 6.4 on for .target sm_70 or later; the module has .target " + Spelling(target_),
                 "`" + instruction->mnemonic + ".sync`");
  }
  if (!form.unmet.empty()) return Error(DiagnosticKind::kPtxVersion, instruction->location, form.unmet);
  const bool modelled = matched.spec->effect != Effect::kUnmodelled;
  if (modelled && !unsupported_.empty()) {
    instruction->unmatched = unsupported_ + " is not modelled";
    instruction->operand_types.assign(instruction->operands.size(), ScalarType::kNone);
    return true;
  }
  instruction->opcode = matched.opcode;
  instruction->mods = matched.mods;
  if (matched.open_operands) return true;
  for (size_t i = 0; i < instruction->operands.size() && i < matched.operands.size(); ++i) {
    // An element of an array names the place itself: ld.global.u32 r, a[1].
    ir::Operand& operand = instruction->operands[i];
    if (matched.operands[i].role == OperandForm::Role::kAddress && operand.kind == Kind::kVariable) operand.kind = Kind::kAddress;
    if (!CheckOperand(matched, i, *instruction)) return false;
  }
  return true;
}

bool Parser::CheckOperand(const InstructionForm& form, size_t index, const ir::Instruction& instruction) {
  return CheckSlot(form, form.operands[index], instruction.operands[index], instruction);
}

bool Parser::CheckSlot(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                       const ir::Instruction& instruction) {
  switch (slot.role) {
    case OperandForm::Role::kLabel: return true;  // settled with the labels
    case OperandForm::Role::kAddress: return CheckAddress(form, slot, operand, instruction);
    case OperandForm::Role::kDestination:
      if (operand.kind == Kind::kImmediate || operand.kind == Kind::kFloat || operand.kind == Kind::kVariable ||
          operand.kind == Kind::kSpecial || operand.kind == Kind::kFunction || operand.kind == Kind::kAddress || operand.negated) {
        return Error(DiagnosticKind::kPtxType, operand.location, "the result of `" + instruction.mnemonic + "` cannot go here",
                     "a register");
      }
      if (IsDropped(operand) && !slot.pair_required && !MayDropResult(instruction.mnemonic, slot))
        return Error(DiagnosticKind::kPtxType, operand.location, "`" + instruction.FullName() + "` cannot drop its result", "a register");
      break;
    case OperandForm::Role::kSource:
      if (IsDropped(operand) && !slot.sink)
        return Error(DiagnosticKind::kPtxType, operand.location, "`_` where `" + instruction.FullName() + "` reads a value");
      break;
  }
  if (operand.kind == Kind::kAddress) {
    return Error(DiagnosticKind::kPtxType, operand.location, "an address in brackets where `" + instruction.mnemonic + "` takes a value");
  }
  if (slot.sink && operand.kind != Kind::kSink)
    return Error(DiagnosticKind::kPtxType, operand.location, "an operand where `" + instruction.FullName() + "` has no result", "`_`");
  if (!CheckLiteral(form, slot, operand, instruction)) return false;
  if (slot.pair_required && operand.kind != Kind::kPair && (operand.kind != Kind::kSink || IsDropped(operand))) {
    return Error(DiagnosticKind::kPtxType, operand.location, "`" + instruction.FullName() + "` without its second result",
                 "two results: " + std::string(slot.name) + "|p");
  }
  if (operand.kind == Kind::kPair) return CheckPair(form, slot, operand, instruction);
  if (operand.kind == Kind::kVector) return CheckVector(form, slot, operand, instruction);
  if (slot.braces && !(slot.bare_allowed && slot.vector == 1) && !IsVectorRegister(operand, slot.vector)) {
    return Error(DiagnosticKind::kPtxType, operand.location, "a single operand in `" + instruction.FullName() + "`",
                 "a vector of " + std::to_string(slot.vector) + " elements in braces");
  }
  if (!CheckLength(slot, operand, instruction)) return false;
  if ((form.opcode == Opcode::kCvta || form.opcode == Opcode::kIsspacep) && slot.role == OperandForm::Role::kSource &&
      !CheckWhatIsConverted(form, operand, instruction))
    return false;
  return CheckValue(form, slot.type, operand, instruction, slot.negatable);
}

bool Parser::CheckPair(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                       const ir::Instruction& instruction) {
  if (!slot.pair_allowed)
    return Error(DiagnosticKind::kPtxType, operand.location, "a pair where `" + instruction.mnemonic + "` takes one operand");
  const ir::Operand &first = operand.elements[0], &second = operand.elements[1];
  if (IsDropped(second) && (slot.pair_required || IsDropped(first)))
    return Error(DiagnosticKind::kPtxType, second.location, "`" + instruction.FullName() + "` cannot drop this result", "a predicate");
  if (IsDropped(first) && instruction.mnemonic == "shfl")
    return Error(DiagnosticKind::kPtxType, first.location, "`shfl` cannot drop its result", "a register");
  return (first.kind == Kind::kVector ? CheckVector(form, slot, first, instruction) : CheckValue(form, slot.type, first, instruction)) &&
         CheckValue(form, slot.second_type, second, instruction);
}

// What must be a literal is one, and a literal one of those that the slot names. It may count a part of what another counts.
bool Parser::CheckLiteral(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                          const ir::Instruction& instruction) {
  const int64_t value = static_cast<int64_t>(operand.bits);
  if (slot.literal.wanted && operand.kind != Kind::kImmediate)
    return Error(DiagnosticKind::kPtxType, operand.location, "no literal in `" + instruction.FullName() + "`", slot.literal.Describe());
  if (operand.kind == Kind::kImmediate && !slot.literal.Admits(slot.literal.low_word ? static_cast<uint32_t>(operand.bits) : value))
    return Error(DiagnosticKind::kPtxType, operand.location, std::to_string(value) + " in `" + instruction.FullName() + "`",
                 slot.literal.Describe());
  if (slot.at_most.empty() || operand.kind != Kind::kImmediate) return true;
  for (size_t i = 0; i < form.operands.size(); ++i) {
    const ir::Operand& other = instruction.operands[i];
    if (form.operands[i].name != slot.at_most || other.kind != Kind::kImmediate || operand.bits <= other.bits) continue;
    return Error(DiagnosticKind::kPtxType, operand.location, std::to_string(value) + " in `" + instruction.FullName() + "`",
                 "0 to " + std::to_string(other.bits));
  }
  return true;
}

bool Parser::IsVectorRegister(const ir::Operand& operand, unsigned elements) const {
  return elements > 1 && operand.kind == Kind::kRegister && operand.vector_component < 0 &&
         function_->registers[static_cast<size_t>(operand.reg)].vector == elements;
}

// Where there are no braces: an access of `.v2` has a vector register of two elements, and elsewhere registers are single. ptxas takes
// single sources of `mov.v2` and `st.async.v2` all the same, and vector registers in `mov`; also in `add.f32.bf16` and its kind, where
// nobody says what that means.
bool Parser::CheckLength(const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction) {
  if (slot.braces || IsDropped(operand)) return true;
  const bool repeats = instruction.mnemonic == "mov" || instruction.opcode == Opcode::kStAsync;
  if (slot.role == OperandForm::Role::kSource && repeats) return true;
  if (slot.vector > 1 && !IsVectorRegister(operand, slot.vector)) {
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "no vector of " + std::to_string(slot.vector) + " elements in `" + instruction.FullName() + "`",
                 "such a vector, in braces or as a vector register");
  }
  if (slot.vector > 1 || operand.kind != Kind::kRegister || operand.vector_component >= 0) return true;
  const ir::Register& reg = function_->registers[static_cast<size_t>(operand.reg)];
  if (reg.vector == 1) return true;
  return Error(DiagnosticKind::kPtxType, operand.location, "vector register `" + reg.name + "` in `" + instruction.FullName() + "`",
               "a single register");
}

// A special register that is a vector stands for one of its elements.
bool Parser::CheckComponent(const ir::Operand& operand, const ir::Instruction& instruction) {
  const std::string name = FullName(operand.special);
  const std::optional<SpecialName> special = FindSpecialRegister(name);
  if (!special || !special->is_vector || operand.special.has_component) return true;
  return Error(DiagnosticKind::kPtxType, operand.location, "all of `" + name + "` in `" + instruction.FullName() + "`",
               "one of its components, such as `" + name + ".x`");
}

// Special registers stand where mov and the conversions between integers read them, and as elements of vectors.
bool Parser::CheckSpecial(const InstructionForm& form, ScalarType type, const ir::Operand& operand, const ir::Instruction& instruction) {
  const std::string name = FullName(operand.special);
  const std::optional<SpecialName> special = FindSpecialRegister(name);
  if (!special) return true;
  const auto error = [&](std::string_view why, std::string expected) {
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "special register `" + name + "` in `" + instruction.FullName() + "`" + std::string(why), std::move(expected));
  };
  if (form.opcode == Opcode::kMovVector) return true;
  if (!CheckComponent(operand, instruction)) return false;
  if (form.opcode == Opcode::kMov) {
    if (IsFloat(type)) return error("", "an integer or .b type");
    return SpecialFits(*special, type) || error(", which is of another width", "");
  }
  if (form.opcode != Opcode::kCvtInt) return error("", "a register; `mov` and `cvt` between integers read special registers");
  return BitWidth(type) <= special->MaxWidth() || error(", which is wider", "");
}

bool Parser::CheckValue(const InstructionForm& form, ScalarType type, const ir::Operand& operand, const ir::Instruction& instruction,
                        bool may_be_predicate, bool in_vector) {
  if (operand.kind == Kind::kRegister) {
    const ir::Register& reg = function_->registers[static_cast<size_t>(operand.reg)];
    if (may_be_predicate && reg.type == ScalarType::kPred) return true;
    // In conversions from and to the newer formats registers have the width of their type.
    const bool tight = instruction.mnemonic == "cvt" && (IsTight(form.mods.type) || IsTight(form.mods.type2));
    if (RegisterFits(reg.type, type, TakesWiderRegisters(instruction.mnemonic) && !tight)) return true;
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "register `" + reg.name + "` of type " + DescribeType(reg.type) + " in `" + instruction.FullName() + "`",
                 "a register that holds " + DescribeType(type));
  }
  if (operand.kind == Kind::kSpecial) return in_vector || CheckSpecial(form, type, operand, instruction);
  if (operand.kind == Kind::kImmediate || operand.kind == Kind::kFloat) {
    if (LiteralFits(operand, type)) return true;
    return Error(
        DiagnosticKind::kPtxType, operand.location,
        std::string(operand.kind == Kind::kFloat ? "a floating-point" : "an integer") + " literal in `" + instruction.FullName() + "`",
        "a value of type " + DescribeType(type));
  }
  return true;
}

// An element of a vector of fixed length is a register, `_` for a result that is not wanted, or a literal source.
bool Parser::CheckElement(const OperandForm& slot, const ir::Operand& element, const ir::Instruction& instruction) {
  const bool destination = slot.role == OperandForm::Role::kDestination;
  if (element.kind == Kind::kRegister && !element.negated) return true;
  if (element.kind == Kind::kSink && destination) return true;
  if ((element.kind == Kind::kImmediate || element.kind == Kind::kFloat || element.kind == Kind::kSpecial) && !destination) return true;
  return Error(DiagnosticKind::kPtxType, element.location,
               "an element of operand " + std::string(slot.name) + " of `" + instruction.FullName() + "`",
               destination ? "a register or `_`" : "a register or a literal");
}

// The elements of a vector are of one width, and neighbours are not of an integer and a floating-point type; beside untyped bits
// anything of the width goes, also where the instruction wants another type. So ptxas has it.
bool Parser::CheckElementsTogether(const ir::Operand& vector, const ir::Instruction& instruction, bool* untyped) {
  *untyped = false;
  unsigned width = 0;
  ScalarType before = ScalarType::kNone;  // the neighbour's, unless it is untyped
  for (const ir::Operand& element : vector.elements) {
    if (element.kind == Kind::kSink) continue;
    const ScalarType type = TypeOf(element);
    const bool literal = element.kind == Kind::kImmediate || element.kind == Kind::kFloat;
    if (!literal && type != ScalarType::kNone) {
      if (width != 0 && BitWidth(type) != width && type != ScalarType::kPred) {
        return Error(DiagnosticKind::kPtxType, element.location,
                     "elements of " + std::to_string(width) + " and of " + std::to_string(BitWidth(type)) + " bits in one vector of `" +
                         instruction.FullName() + "`",
                     "elements of one width");
      }
      width = BitWidth(type);
    }
    const bool bits = type == ScalarType::kNone || ClassOf(type) == TypeClass::kBits;
    if (!bits && before != ScalarType::kNone && IsFloat(type) != IsFloat(before)) {
      return Error(
          DiagnosticKind::kPtxType, element.location,
          "elements of types " + DescribeType(before) + " and " + DescribeType(type) + " in one vector of `" + instruction.FullName() + "`",
          "elements of one type");
    }
    *untyped |= bits;
    before = bits ? ScalarType::kNone : type;
  }
  return true;
}

// The type that an operand has on its own: special registers are untyped. kNone: it has none.
ScalarType Parser::TypeOf(const ir::Operand& operand) const {
  switch (operand.kind) {
    case Kind::kRegister: return function_->registers[static_cast<size_t>(operand.reg)].type;
    case Kind::kImmediate: return ScalarType::kS64;
    case Kind::kFloat: return operand.float_width == 32 ? ScalarType::kF32 : ScalarType::kF64;
    case Kind::kSpecial: {
      const std::optional<SpecialName> special = FindSpecialRegister(FullName(operand.special));
      if (!special) return ScalarType::kNone;
      return special->MaxWidth() == 64 ? ScalarType::kB64 : special->MaxWidth() == 32 ? ScalarType::kB32 : ScalarType::kPred;
    }
    default: return ScalarType::kNone;
  }
}

bool Parser::CheckVector(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                         const ir::Instruction& instruction) {
  const bool destination = slot.role == OperandForm::Role::kDestination;
  bool nothing = !operand.elements.empty();  // but `_`
  for (const ir::Operand& element : operand.elements) {
    const bool literal = element.kind == Kind::kImmediate || element.kind == Kind::kFloat;
    nothing = nothing && IsDropped(element);
    if (element.kind == Kind::kAddress || element.kind == Kind::kVector || element.kind == Kind::kPair || (literal && destination) ||
        (IsDropped(element) && !destination)) {
      return Error(DiagnosticKind::kPtxType, element.location, "no element of a vector in `" + instruction.FullName() + "`", "a register");
    }
    if (element.kind == Kind::kSpecial && !CheckComponent(element, instruction)) return false;
  }
  if (nothing) return Error(DiagnosticKind::kPtxType, operand.location, "`" + instruction.FullName() + "` cannot drop all of its results");
  if (form.mods.vector > 1 || slot.braces) {
    if (slot.or_longer ? operand.elements.size() < slot.vector : operand.elements.size() != slot.vector) {
      return Error(DiagnosticKind::kPtxType, operand.location,
                   "a vector of " + std::to_string(operand.elements.size()) + " elements in `" + instruction.FullName() + "`",
                   std::to_string(slot.vector) + (slot.vector == 1 ? " element" : " elements"));
    }
    // The coordinates of an array of textures begin with an index, whatever type the others have.
    bool untyped = slot.mixed;
    if (!slot.mixed && !CheckElementsTogether(operand, instruction, &untyped)) return false;
    for (const ir::Operand& element : operand.elements) {
      if (slot.braces && !CheckElement(slot, element, instruction)) return false;
      const ScalarType own = TypeOf(element);
      const bool literal = element.kind == Kind::kImmediate || element.kind == Kind::kFloat;
      ScalarType wanted = slot.type;
      if (untyped && !literal && own != ScalarType::kNone && own != ScalarType::kPred && wanted != ScalarType::kNone &&
          wanted != ScalarType::kPred)
        wanted = UntypedOf(BitWidth(wanted));
      if (untyped && element.kind == Kind::kImmediate) continue;
      if (untyped && element.kind == Kind::kFloat && slot.braces && element.float_width != BitWidth(slot.type)) {
        return Error(
            DiagnosticKind::kPtxType, element.location,
            "a literal of 64 bits among registers of " + std::to_string(BitWidth(slot.type)) + " in `" + instruction.FullName() + "`",
            "a literal such as 0f3f800000");
      }
      if (!CheckValue(form, wanted, element, instruction, /*may_be_predicate=*/false, /*in_vector=*/true)) return false;
    }
    return true;
  }
  const bool is_load_or_store = instruction.mnemonic == "ld" || instruction.mnemonic == "ldu" || instruction.mnemonic == "st";
  if (is_load_or_store && operand.elements.size() == 1) return CheckValue(form, slot.type, operand.elements[0], instruction);
  if (instruction.mnemonic != "mov") {
    return Error(DiagnosticKind::kPtxType, operand.location, "a vector where `" + instruction.FullName() + "` takes one operand");
  }
  if (ClassOf(slot.type) != TypeClass::kBits) {
    return Error(DiagnosticKind::kPtxType, operand.location, "a vector in `" + instruction.FullName() + "`",
                 "a .b type, which mov packs and unpacks");
  }
  const size_t parts = operand.elements.size();
  if (parts != 1 && parts != 2 && parts != 4) {
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "a vector of " + std::to_string(parts) + " elements in `" + instruction.FullName() + "`", "2 or 4 elements");
  }
  const unsigned width = BitWidth(slot.type) / static_cast<unsigned>(parts);
  for (const ir::Operand& element : operand.elements) {
    if (element.kind != Kind::kRegister) continue;
    const ir::Register& reg = function_->registers[static_cast<size_t>(element.reg)];
    if (BitWidth(reg.type) == width && reg.type != ScalarType::kPred) continue;
    return Error(DiagnosticKind::kPtxType, element.location,
                 "register `" + reg.name + "` of type " + DescribeType(reg.type) + " as one of " + std::to_string(parts) + " parts of " +
                     DescribeType(slot.type),
                 "a register of " + std::to_string(width) + " bits");
  }
  bool untyped = false;
  return CheckElementsTogether(operand, instruction, &untyped);
}

bool Parser::CheckAddress(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand,
                          const ir::Instruction& instruction) {
  if (operand.kind != Kind::kAddress) return Error(DiagnosticKind::kPtxType, operand.location, "no address", "an address in brackets");
  const size_t optional =
      static_cast<size_t>(std::count_if(slot.inner.begin(), slot.inner.end(), [](const OperandForm& o) { return o.optional; }));
  const size_t found = operand.elements.size(), most = slot.inner.size();
  if (found > most || found + optional < most) {
    if (most == 0) return Error(DiagnosticKind::kPtxType, operand.location, "an address with more than one part");
    return Error(DiagnosticKind::kPtxType, operand.location,
                 "an address of " + std::to_string(found + 1) + " parts in `" + instruction.FullName() + "`",
                 (optional > 0 ? std::to_string(most - optional + 1) + " to " : "") + std::to_string(most + 1));
  }
  if (operand.address.base && slot.type != ScalarType::kNone) {
    const ir::Register& reg = function_->registers[static_cast<size_t>(*operand.address.base)];
    if (!RegisterFits(reg.type, slot.type, /*wider_allowed=*/false)) {
      return Error(DiagnosticKind::kPtxType, operand.location,
                   "register `" + reg.name + "` of type " + DescribeType(reg.type) + " as an address in `" + instruction.FullName() + "`",
                   "a register that holds " + DescribeType(slot.type));
    }
  }
  if (!operand.address.base && operand.address.variable == nullptr && operand.name.empty() && form.mods.space != StateSpace::kLocal) {
    return Error(DiagnosticKind::kPtxType, operand.location, "a literal address in `" + instruction.FullName() + "`",
                 "a register or a variable; literals are addresses of .local memory alone");
  }
  size_t left_out = most - found;
  size_t element = 0;
  for (const OperandForm& inner : slot.inner) {
    if (inner.optional && left_out > 0) {
      --left_out;
      continue;
    }
    if (!CheckSlot(form, inner, operand.elements[element++], instruction)) return false;
  }
  return CheckAddressWidth(form, operand, instruction) && CheckPlace(form, slot, operand);
}

// Addresses of global memory and generic ones have 64 bits; those of other spaces, and wherever ptxas moves them into a register first, may
// have
// 32. (ptxas takes the module for one of 32-bit addresses, and refuses it, but for one that has such addresses of 16 bits, too.)
bool Parser::CheckAddressWidth(const InstructionForm& form, const ir::Operand& operand, const ir::Instruction& instruction) {
  if (!operand.address.base || module_->address_size != 64 ||
      (form.mods.space != StateSpace::kGeneric && form.mods.space != StateSpace::kGlobal))
    return true;
  const ir::Register& reg = function_->registers[static_cast<size_t>(*operand.address.base)];
  if (BitWidth(reg.type) != 32 || ClassOf(reg.type) == TypeClass::kFloat) return true;  // that is an error already
  const bool accesses = form.opcode == Opcode::kLd || form.opcode == Opcode::kLdu || form.opcode == Opcode::kSt ||
                        form.opcode == Opcode::kAtom || form.opcode == Opcode::kRed || form.opcode == Opcode::kPrefetch ||
                        form.opcode == Opcode::kPrefetchu || form.opcode == Opcode::kDiscard || form.opcode == Opcode::kApplypriority ||
                        form.spec->mnemonic == "mbarrier" || form.spec->mnemonic == "multimem";
  if (!accesses) return true;
  return Error(DiagnosticKind::kPtxType, operand.location,
               "register `" + reg.name + "` of type " + DescribeType(reg.type) + " as a" +
                   (form.mods.space == StateSpace::kGlobal ? " global" : " generic") + " address in `" + instruction.FullName() + "`",
               "a register of 64 bits");
}

// A variable that an address names lies where the instruction looks; generic addresses reach global, shared and local memory.
bool Parser::CheckPlace(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand) {
  const ir::Variable* const variable = operand.address.variable;
  if (variable == nullptr) return true;
  const auto error = [&](std::string_view where) {
    return Error(
        DiagnosticKind::kPtxType, operand.location,
        "`" + variable->name + "` lies in ." + std::string(Spelling(variable->space)) + ", the instruction accesses " + std::string(where));
  };
  const std::string_view mnemonic = form.spec->mnemonic;
  StateSpace space = form.mods.space;
  if (space == StateSpace::kParamFunc) space = StateSpace::kParam;
  if (space == StateSpace::kSharedCluster) space = StateSpace::kShared;
  if (mnemonic == "mbarrier") space = StateSpace::kShared;
  if (form.opcode == Opcode::kPrefetchu) space = StateSpace::kGlobal;
  if (form.opcode == Opcode::kCpAsync) space = slot.name == "a" ? StateSpace::kShared : StateSpace::kGlobal;
  const bool looks = form.opcode == Opcode::kAtom || form.opcode == Opcode::kRed || form.opcode == Opcode::kPrefetch ||
                     form.opcode == Opcode::kPrefetchu || form.opcode == Opcode::kDiscard || form.opcode == Opcode::kApplypriority ||
                     form.opcode == Opcode::kCpAsync || form.opcode == Opcode::kCvta || mnemonic == "ld" || mnemonic == "st" ||
                     mnemonic == "ldu" || mnemonic == "mbarrier" || mnemonic == "ldmatrix" || mnemonic == "stmatrix" || mnemonic == "wmma";
  const bool own_default = form.opcode == Opcode::kStAsync || form.opcode == Opcode::kStBulk;  // which is not .generic
  if (!looks || space == variable->space) return true;
  if (space != StateSpace::kGeneric) return error("." + std::string(Spelling(space)));
  if (own_default || variable->space == StateSpace::kGlobal || variable->space == StateSpace::kShared ||
      variable->space == StateSpace::kLocal)
    return true;
  return error("generic addresses, which reach .global, .shared and .local");
}

// `cvta` makes the generic address of a variable in its space; what `cvta.to` and `isspacep` read is an address in a register.
bool Parser::CheckWhatIsConverted(const InstructionForm& form, const ir::Operand& operand, const ir::Instruction& instruction) {
  if (operand.kind != Kind::kVariable) return true;
  if (form.opcode == Opcode::kCvta && !form.mods.to) return CheckPlace(form, form.operands[1], operand);
  return Error(DiagnosticKind::kPtxType, operand.location,
               "variable `" + operand.address.variable->name + "` in `" + instruction.FullName() + "`", "a register");
}

bool Parser::CheckCall(const ir::Instruction& instruction) {
  const ir::Operand* callee = nullptr;
  size_t results = 0, arguments = 0;
  for (const ir::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::kFunction && callee == nullptr) callee = &operand;
    if (operand.kind == Kind::kRegister) return true;  // its prototype is not looked into
    if (operand.kind == Kind::kList) (callee == nullptr ? results : arguments) = operand.elements.size();
  }
  if (callee == nullptr) return true;  // reported already
  const Symbol symbol = Lookup(callee->name);
  if (symbol.kind != Symbol::Kind::kFunction) return true;
  const ir::Function& function = *symbol.function;
  if (function.is_entry)
    return Error(DiagnosticKind::kPtxType, callee->location, "the entry `" + callee->name + "` is called", "a function");
  const bool open_ended = !function.params.empty() && !function.params.back()->dims.empty() && function.params.back()->dims[0] == 0;
  if (!open_ended && arguments != function.params.size()) {
    return Error(
        DiagnosticKind::kPtxType, callee->location,
        "`" + callee->name + "` takes " + std::to_string(function.params.size()) + " arguments, found " + std::to_string(arguments));
  }
  if (results != function.returns.size()) {
    return Error(DiagnosticKind::kPtxType, callee->location,
                 "`" + callee->name + "` returns " + std::to_string(function.returns.size()) + " values, found " + std::to_string(results));
  }
  return true;
}

}  // namespace racer::parse
