#include "checker/kernel_literals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "checker/block_literals.h"
#include "ptx_frontend/isa/types.h"

namespace racer {
namespace {

constexpr int64_t kMost = int64_t{1} << 32;  // no size that could be run reaches further
constexpr std::array<std::string_view, 5> kComparisons = {"setp", "set", "slct", "min", "max"};
constexpr std::array<std::string_view, 8> kSteps = {"add", "sub", "mov", "div", "rem", "mul", "mad", "selp"};

template <size_t n>
bool OneOf(std::string_view text, const std::array<std::string_view, n>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool IsIntegerOperand(const ir::Instruction& instruction, size_t i) {
  if (instruction.operands[i].kind != ir::Operand::Kind::kImmediate) return false;
  ScalarType type = i < instruction.operand_types.size() ? instruction.operand_types[i] : instruction.mods.type;
  if (type == ScalarType::kNone) return false;
  TypeClass of = ClassOf(type);
  return of == TypeClass::kSigned || of == TypeClass::kUnsigned || of == TypeClass::kBits;
}

// -1024 counts as 1024: differences are compared with 0, and masks cut down to multiples.
int64_t Magnitude(uint64_t bits) {
  auto value = static_cast<int64_t>(bits);
  if (value < 0 && value >= -kMost) value = -value;
  return value >= 1 && value <= kMost ? value : 0;
}

void Collect(const ir::Instruction& instruction, std::set<int64_t>& compared, std::set<int64_t>& other) {
  const bool compares = OneOf(instruction.mnemonic, kComparisons), steps = OneOf(instruction.mnemonic, kSteps);
  const bool masks = instruction.mnemonic == "and" || instruction.mnemonic == "lop3";
  const bool shifts = instruction.mnemonic == "shl" || instruction.mnemonic == "shr" || instruction.mnemonic == "shf";
  const bool fields = instruction.mnemonic == "bfe" || instruction.mnemonic == "bfi";
  if (instruction.mnemonic == "cvt") {
    // An index cut to 8 or 16 bits.
    for (ScalarType type : {instruction.mods.type, instruction.mods.type2}) {
      if (type == ScalarType::kNone || (ClassOf(type) != TypeClass::kSigned && ClassOf(type) != TypeClass::kUnsigned)) continue;
      if (BitWidth(type) <= 16) other.insert(int64_t{1} << BitWidth(type));
    }
    return;
  }
  if (!compares && !steps && !masks && !shifts && !fields) return;
  const auto power = [&](uint64_t exponent) {
    if (exponent >= 1 && exponent < 32) other.insert(int64_t{1} << exponent);
  };
  if (fields) {
    // A field of `length` bits at `low`, in front of any of them where it is not a number.
    const size_t at = instruction.operands.size() - 2;
    const auto number = [&](size_t i) { return IsIntegerOperand(instruction, i) ? instruction.operands[i].bits : 0; };
    const uint64_t low = number(at), length = number(at + 1);
    power(low);
    power(length);
    if (low < 32 && length < 32) power(low + length);
    return;
  }
  for (size_t i = 1; i < instruction.operands.size(); ++i) {
    if (!IsIntegerOperand(instruction, i)) continue;
    int64_t value = masks ? 1 : Magnitude(instruction.operands[i].bits);
    if (value == 0) continue;
    if (shifts) {
      power(static_cast<uint64_t>(value));
    } else if (masks) {
      // The table of lop3 is none.
      if (instruction.mnemonic == "lop3" && i > 3) break;
      for (int64_t step : StepsOfMask(instruction.operands[i].bits, BitWidth(instruction.mods.type))) other.insert(step);
    } else {
      (compares ? compared : other).insert(value);
    }
  }
}

// Of float(n) > 5000.0, where nothing but conversions and moves lies between the integer and the comparison.
void CollectOfConverted(const ir::Function& function, std::set<int64_t>& compared) {
  std::set<ir::RegId> converted;
  const auto is_converted = [&](const ir::Operand& operand) {
    return operand.kind == ir::Operand::Kind::kRegister && converted.contains(operand.reg);
  };
  for (size_t before = 1; before != converted.size();) {
    before = converted.size();
    for (const ir::Instruction& instruction : function.body) {
      if (instruction.operands.size() < 2 || instruction.operands[0].kind != ir::Operand::Kind::kRegister) continue;
      const bool cvt = instruction.mnemonic == "cvt" && IsFloat(instruction.mods.type);
      if (!cvt && instruction.mnemonic != "mov") continue;
      if ((cvt && !IsFloat(instruction.mods.type2)) || is_converted(instruction.operands[1])) converted.insert(instruction.operands[0].reg);
    }
    if (converted.empty()) return;
  }
  for (const ir::Instruction& instruction : function.body) {
    if (!OneOf(instruction.mnemonic, kComparisons) ||
        std::none_of(instruction.operands.begin(), instruction.operands.end(), is_converted)) {
      continue;
    }
    for (const ir::Operand& operand : instruction.operands) {
      if (operand.kind != ir::Operand::Kind::kFloat) continue;
      const double value = std::fabs(FloatLiteral(operand));
      if (value >= 1 && value <= static_cast<double>(kMost)) compared.insert(static_cast<int64_t>(value));
    }
  }
}

}  // namespace

bool ComparesWithLiteral(const ir::Instruction& instruction, int64_t* literal) {
  if (!OneOf(instruction.mnemonic, kComparisons)) return false;
  for (size_t i = 1; i < instruction.operands.size(); ++i) {
    if (!IsIntegerOperand(instruction, i)) continue;
    *literal = static_cast<int64_t>(instruction.operands[i].bits);
    return true;
  }
  return false;
}

KernelLiterals LiteralsOf(const ir::Module& module, const ir::Function& entry) {
  std::set<int64_t> compared, other;
  for (const std::unique_ptr<ir::Function>& function : module.functions) {
    if (function->is_entry && function.get() != &entry) continue;
    for (const ir::Instruction& instruction : function->body) Collect(instruction, compared, other);
    CollectOfConverted(*function, compared);
  }
  return {{compared.begin(), compared.end()}, {other.begin(), other.end()}, BlockLiterals(entry)};
}

KernelLiterals Merge(const KernelLiterals& a, const KernelLiterals& b) {
  auto merged = [](const std::vector<int64_t>& x, const std::vector<int64_t>& y) {
    std::set<int64_t> all(x.begin(), x.end());
    all.insert(y.begin(), y.end());
    return std::vector<int64_t>(all.begin(), all.end());
  };
  return {merged(a.compared, b.compared), merged(a.other, b.other), merged(a.of_ctas, b.of_ctas)};
}

}  // namespace racer
