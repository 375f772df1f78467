#include "checker/block_literals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <string_view>

#include "checker/split_registers.h"
#include "ptx_frontend/isa/types.h"

namespace racer {
namespace {

// What a register's value may come from.
struct Origin {
  bool cta = false, thread = false;
  Origin operator|(const Origin& o) const { return {cta || o.cta, thread || o.thread}; }
  bool operator==(const Origin&) const = default;
  bool IsOfCta() const { return cta && !thread; }
};

using Origins = std::vector<Origin>;  // by register

template <size_t n>
bool OneOf(std::string_view text, const std::array<std::string_view, n>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

Origin OfSpecial(const std::string& name) {
  constexpr std::array<std::string_view, 4> kOfCta = {"%ctaid", "%clusterid", "%cluster_ctaid", "%cluster_ctarank"};
  constexpr std::array<std::string_view, 6> kOfLaunch = {"%ntid",           "%nctaid",           "%nclusterid",
                                                         "%cluster_nctaid", "%cluster_nctarank", "%gridid"};
  if (OneOf(name, kOfCta)) return {.cta = true};
  return {.thread = !OneOf(name, kOfLaunch)};
}

Origin Read(const ir::Operand& operand, const Origins& origins) {
  Origin origin;
  if (operand.kind == ir::Operand::Kind::kRegister) origin = origins[static_cast<size_t>(operand.reg)];
  if (operand.kind == ir::Operand::Kind::kSpecial) origin = OfSpecial(operand.special.name);
  for (const ir::Operand& element : operand.elements) origin = origin | Read(element, origins);
  return origin;
}

void Write(const ir::Operand& operand, Origin origin, Origins& origins, bool& changed) {
  if (operand.kind == ir::Operand::Kind::kRegister) {
    Origin& known = origins[static_cast<size_t>(operand.reg)];
    const Origin all = known | origin;
    changed = changed || all != known;
    known = all;
  }
  for (const ir::Operand& element : operand.elements) Write(element, origin, origins, changed);
}

// Instructions whose result is a function of their operands alone, the same in every thread if they are.
bool IsUniform(const ir::Instruction& instruction) {
  constexpr std::array<std::string_view, 33> kUniform = {
      "add", "sub", "mul",  "mad", "mul24", "mad24", "div", "rem", "min",  "max",  "neg", "abs",  "and", "or",   "xor",  "not", "shl",
      "shr", "shf", "lop3", "bfe", "bfi",   "prmt",  "mov", "cvt", "selp", "setp", "set", "slct", "clz", "popc", "brev", "sad"};
  return OneOf(instruction.mnemonic, kUniform);
}

bool IsParameterLoad(const ir::Instruction& instruction) {
  return instruction.mnemonic == "ld" &&
         std::find(instruction.modifiers.begin(), instruction.modifiers.end(), "param") != instruction.modifiers.end();
}

Origins OriginsOf(const SplitBody& split) {
  Origins origins(split.registers);
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::Instruction& instruction : split.body) {
      if (instruction.operands.empty() || IsParameterLoad(instruction)) continue;
      Origin origin;
      if (IsUniform(instruction)) {
        for (size_t i = 1; i < instruction.operands.size(); ++i) origin = origin | Read(instruction.operands[i], origins);
      } else {
        origin.thread = true;
      }
      Write(instruction.operands[0], origin, origins, changed);
    }
  }
  return origins;
}

// Numbers in registers that a mov alone defines.
using Numbers = std::vector<std::optional<ir::Operand>>;  // by register
Numbers NumbersOf(const SplitBody& split) {
  Numbers numbers(split.registers);
  std::vector<bool> defined(split.registers);
  for (const ir::Instruction& instruction : split.body) {
    if (instruction.operands.empty()) continue;
    const ir::Operand& to = instruction.operands[0];
    const auto define = [&](const ir::Operand& operand, bool number) {
      if (operand.kind != ir::Operand::Kind::kRegister) return;
      std::optional<ir::Operand>& known = numbers[static_cast<size_t>(operand.reg)];
      known = std::nullopt;
      if (number && !defined[static_cast<size_t>(operand.reg)]) known = instruction.operands[1];
      defined[static_cast<size_t>(operand.reg)] = true;
    };
    const bool moves =
        instruction.mnemonic == "mov" && instruction.operands.size() > 1 && !instruction.guard.has_value() &&
        (instruction.operands[1].kind == ir::Operand::Kind::kImmediate || instruction.operands[1].kind == ir::Operand::Kind::kFloat);
    define(to, moves);
    for (const ir::Operand& element : to.elements) define(element, false);
  }
  return numbers;
}

// With the registers that hold a number as that.
ir::Instruction WithNumbers(ir::Instruction instruction, const Numbers& numbers) {
  for (size_t i = 1; i < instruction.operands.size(); ++i) {
    ir::Operand& operand = instruction.operands[i];
    if (operand.kind != ir::Operand::Kind::kRegister) continue;
    if (const std::optional<ir::Operand>& number = numbers[static_cast<size_t>(operand.reg)]) operand = *number;
  }
  return instruction;
}

std::optional<uint64_t> Literal(const ir::Instruction& instruction, size_t i) {
  if (i >= instruction.operands.size() || instruction.operands[i].kind != ir::Operand::Kind::kImmediate) return std::nullopt;
  return instruction.operands[i].bits;
}

// nvcc divides by d with a product with about 2^(32+s) / d, for an s that it chooses: the largest d among them.
int64_t DivisorOf(uint64_t factor) {
  factor &= 0xffffffff;
  int64_t divisor = 0;
  for (unsigned shift = 0; shift <= 8 && factor > 0xffff; ++shift) {
    const auto d = static_cast<int64_t>(((uint64_t{1} << (32 + shift)) + factor / 2) / factor);
    if (d <= kMostBlocks) divisor = d;
  }
  return divisor;
}

void Collect(const ir::Instruction& instruction, std::set<int64_t>& literals) {
  const auto add = [&](int64_t literal, int64_t most = kMostBlocks) {
    if (literal >= 2 && literal <= most) literals.insert(literal);
  };
  const auto power = [&](std::optional<uint64_t> exponent) {
    if (exponent && *exponent < 16) add(int64_t{1} << *exponent);
  };
  const std::string_view name = instruction.mnemonic;
  if (name == "shr") power(Literal(instruction, 2));
  if (name == "shf") {
    if (const std::optional<uint64_t> shift = Literal(instruction, 3)) {
      power(shift);
      power(32 - (*shift & 31));
    }
  }
  if (name == "bfe") {
    power(Literal(instruction, 2));
    power(Literal(instruction, 3));
    if (const auto low = Literal(instruction, 2), length = Literal(instruction, 3); low && length) power(*low + *length);
  }
  if (name == "bfi") {
    power(Literal(instruction, 3));
    power(Literal(instruction, 4));
    if (const auto low = Literal(instruction, 3), length = Literal(instruction, 4); low && length) power(*low + *length);
  }
  if (name == "and" || name == "lop3") {
    for (size_t i = 1; i < 4; ++i) {
      const std::optional<uint64_t> mask = Literal(instruction, i);
      if (!mask) continue;
      for (int64_t step : StepsOfMask(*mask, BitWidth(instruction.mods.type))) add(step);
    }
  }
  if (name == "div" || name == "rem") {
    if (const std::optional<uint64_t> divisor = Literal(instruction, 2)) add(static_cast<int64_t>(*divisor & 0xffffffff));
  }
  if (name == "mul" || name == "mad") {
    for (size_t i : {1, 2}) {
      if (const std::optional<uint64_t> factor = Literal(instruction, i)) add(DivisorOf(*factor));
    }
  }
  constexpr std::array<std::string_view, 5> kComparisons = {"setp", "set", "slct", "min", "max"};
  if (OneOf(name, kComparisons)) {
    for (size_t i = 1; i < instruction.operands.size(); ++i) {
      if (const std::optional<uint64_t> number = Literal(instruction, i)) add(static_cast<int64_t>(*number), kMostComparedBlocks);
      if (instruction.operands[i].kind != ir::Operand::Kind::kFloat) continue;
      const double value = FloatLiteral(instruction.operands[i]);
      if (value >= 2 && value <= static_cast<double>(kMostComparedBlocks)) add(static_cast<int64_t>(value), kMostComparedBlocks);
    }
  }
  if (name == "prmt") add(256);
  if (name == "cvt" && (BitWidth(instruction.mods.type) == 8 || BitWidth(instruction.mods.type2) == 8)) add(256);
}

}  // namespace

double FloatLiteral(const ir::Operand& operand) {
  if (operand.kind != ir::Operand::Kind::kFloat) return 0;
  return operand.float_width == 32 ? std::bit_cast<float>(static_cast<uint32_t>(operand.bits)) : std::bit_cast<double>(operand.bits);
}

std::vector<int64_t> StepsOfMask(uint64_t mask, unsigned width) {
  if (width == 0 || width > 64) return {};
  mask &= ~uint64_t{0} >> (64 - width);
  if (mask >> (width - 1) != 0) mask ^= ~uint64_t{0} >> (64 - width);
  std::vector<int64_t> steps;
  if (mask == 0) return steps;
  const int low = std::countr_zero(mask), end = 64 - std::countl_zero(mask);
  if (low > 0) steps.push_back(int64_t{1} << low);
  if (end < 63) steps.push_back(int64_t{1} << end);
  return steps;
}

std::vector<int64_t> BlockLiterals(const ir::Function& entry) {
  const SplitBody split = SplitRegisters(entry);
  const Origins origins = OriginsOf(split);
  std::set<int64_t> literals;
  const Numbers numbers = NumbersOf(split);
  for (const ir::Instruction& instruction : split.body) {
    Origin origin;
    for (size_t i = 1; i < instruction.operands.size(); ++i) origin = origin | Read(instruction.operands[i], origins);
    if (origin.IsOfCta()) Collect(WithNumbers(instruction, numbers), literals);
  }
  // Of one after the other, (ctaid >> 3) & 7, their product counts.
  int64_t largest = 0;
  for (int64_t a : literals) {
    for (int64_t b : literals) {
      if (a * b <= kMostBlocks) largest = std::max(largest, a * b);
    }
  }
  if (largest > 0) literals.insert(largest);
  return {literals.begin(), literals.end()};
}

}  // namespace racer
