#include "ptx_frontend/parse/operand_check.h"

#include "base/check.h"

namespace racer::parse {

bool TakesWiderRegisters(std::string_view mnemonic) {
  return mnemonic == "ld" || mnemonic == "st" || mnemonic == "ldu" || mnemonic == "cvt";
}

bool RegisterFits(ScalarType reg, ScalarType type, bool wider_allowed) {
  if (reg == ScalarType::kNone || type == ScalarType::kNone) return true;
  const TypeClass reg_class = ClassOf(reg), type_class = ClassOf(type);
  if (reg_class == TypeClass::kOpaque || type_class == TypeClass::kOpaque) return true;
  if (reg_class == TypeClass::kPredicate || type_class == TypeClass::kPredicate) return reg_class == type_class;
  if (BitWidth(reg) < BitWidth(type) || (BitWidth(reg) > BitWidth(type) && !wider_allowed)) return false;
  if (reg_class == TypeClass::kBits || type_class == TypeClass::kBits) return true;
  if (reg_class == TypeClass::kFloat || type_class == TypeClass::kFloat) return reg == type;
  return true;  // signed and unsigned integers stand for each other
}

bool LiteralFits(const ir::Operand& literal, ScalarType type) {
  if (type == ScalarType::kNone) return true;
  if (literal.kind == ir::Operand::Kind::kImmediate) return ClassOf(type) != TypeClass::kFloat;
  RACER_CHECK(literal.kind == ir::Operand::Kind::kFloat);
  switch (ClassOf(type)) {
    case TypeClass::kFloat: return type == ScalarType::kF32 || type == ScalarType::kF64;
    case TypeClass::kBits: return BitWidth(type) == literal.float_width;
    case TypeClass::kUnsigned:
    case TypeClass::kSigned:
    case TypeClass::kPredicate: return false;
    case TypeClass::kOpaque: return true;
  }
  RACER_UNREACHABLE(static_cast<int>(ClassOf(type)));
}

}  // namespace racer::parse
