// Registers, literals and straight-line statements.
#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "base/check.h"
#include "tests/random_programs/builder.h"

namespace racer::programs {
namespace {

std::string Format(const char* format, uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// ptxas 13.0 makes several instructions of these and drops the guard of all or some, at -O0 and at -O3.
bool GuardIsLost(std::string_view mnemonic) {
  return mnemonic == "testp" || mnemonic == "copysign" || mnemonic == "bfind" || mnemonic == "set";
}

bool IsImmediateType(ScalarType type) {
  return PackedElement(type) == ScalarType::kNone && BitWidth(type) >= 16 && type != ScalarType::kF16 && type != ScalarType::kBF16;
}

}  // namespace

std::string Builder::Register(ScalarType type, bool wider, bool typed) {
  const auto of = [&](const char* name, uint32_t count) { return name + std::to_string(rng_.Below(count)); };
  const TypeClass cls = ClassOf(type);
  if (cls == TypeClass::kPredicate) return Predicate();
  unsigned width = BitWidth(type);
  if (width < 16) width = 16;
  if (wider && cls != TypeClass::kFloat) {
    if (width == 16 && rng_.Chance(30)) width = 32;
    if (width == 32 && rng_.Chance(15)) width = 64;
  }
  // A .bN operand may be a floating-point register, and a floating-point operand a .bN one.
  const bool of_bits = cls == TypeClass::kBits || cls == TypeClass::kFloat;
  const bool floating = type == ScalarType::kF32 || type == ScalarType::kF64 ? rng_.Chance(80) : of_bits && !typed && rng_.Chance(10);
  if (width == 16) return of("%rs", pool_.rs);
  if (width == 32) return floating && PackedElement(type) == ScalarType::kNone ? of("%f", pool_.f) : of("%r", pool_.r);
  RACER_CHECK(width == 64);
  return floating ? of("%fd", pool_.fd) : of("%rd", pool_.rd);
}

std::vector<std::string> Builder::VectorRegisters(ScalarType type, uint32_t count, bool wider, bool typed) {
  const auto sort = [](const std::string& name) { return name.substr(0, name.find_first_of("0123456789")); };
  std::vector<std::string> registers = {Register(type, wider, typed)};
  while (registers.size() < count) {
    std::string one = Register(type, wider, typed);
    if (sort(one) == sort(registers[0]) && std::find(registers.begin(), registers.end(), one) == registers.end()) registers.push_back(one);
  }
  return registers;
}

std::string Builder::Guard(uint32_t percent) {
  if (!rng_.Chance(percent)) return "";
  return (rng_.Chance(50) ? "@!" : "@") + Predicate() + " ";
}

std::string Builder::Literal(ScalarType type) {
  static constexpr uint64_t kEdges[] = {0, 1, 2, 7, 15, 16, 31, 32, 33, 63, 64, 255, 0x7fff, 0x8000, 0xffff};
  if (type == ScalarType::kF32) {
    static constexpr uint32_t kFloats[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf000000, 0x40490fdb, 0x7f800000,
                                           0x00000001, 0x7f7fffff, 0x4b000001, 0xc2280000, 0x33d6bf95, 0x7fffffff};
    return Format("0f%08" PRIX64, rng_.Chance(50) ? rng_.Pick(kFloats) : 0x3e000000 + rng_.Below(0x04000000));
  }
  if (type == ScalarType::kF64) {
    static constexpr uint64_t kDoubles[] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbfe0000000000000,
                                            0x7ff0000000000000, 0x0000000000000001, 0x7fefffffffffffff, 0x43e0000000000000};
    return Format("0d%016" PRIX64, rng_.Chance(50) ? rng_.Pick(kDoubles) : 0x3f80000000000000 + (rng_.Next() >> 9));
  }
  const unsigned width = BitWidth(type);
  uint64_t value = rng_.Chance(60) ? rng_.Pick(kEdges) : rng_.Next();
  if (rng_.Chance(20)) value = uint64_t{1} << rng_.Below(width);
  if (width < 64) value &= (uint64_t{1} << width) - 1;
  if (IsSigned(type) && width >= 32) {
    const int64_t number = static_cast<int64_t>(value << (64 - width)) >> (64 - width);
    if (number > INT32_MIN && number < INT32_MAX) return std::to_string(number);
  }
  return Format("0x%" PRIx64, value);
}

Node Builder::Value() {
  const FormTable::Drawn drawn = forms_.Draw(rng_);
  const std::string_view mnemonic = drawn.form.spec->mnemonic;
  const ScalarType type = drawn.form.mods.type;
  const unsigned width = BitWidth(type);
  Node node;
  Instr instr;
  instr.name = drawn.name;
  // The manual calls these operands .b32 and means integers.
  const bool pack = drawn.name.starts_with("cvt.pack");
  const bool video = mnemonic == "vabsdiff4";
  // The narrow formats and .tf32 have operands of their own width.
  const bool narrow = mnemonic == "cvt" && (drawn.name.find("x2") != std::string::npos || drawn.name.find("tf32") != std::string::npos);
  const bool typed = mnemonic == "dp2a" || mnemonic == "dp4a" || mnemonic == "bmsk" || pack || video || narrow;
  // cvt takes and gives less than a register, except where ptxas wants the width of the type.
  const bool wider = mnemonic == "cvt" && !pack && !narrow && type != ScalarType::kBF16 && drawn.form.mods.type2 != ScalarType::kBF16;
  bool literal_used = mnemonic == "cvt" || video || mnemonic == "mov" || drawn.form.operands.size() < 3;
  for (const OperandForm& operand : drawn.form.operands) {
    std::string text;
    if (operand.role == OperandForm::Role::kDestination) {
      text = Register(operand.type, wider, typed);
      if (operand.pair_allowed && (mnemonic == "lop3" || rng_.Chance(60))) {
        // Two results go to two registers.
        std::string second = Register(operand.second_type);
        while (second == text) second = Register(operand.second_type);
        text += "|" + second;
      }
    } else if (operand.name == "lut") {
      text = Format("0x%02" PRIx64, rng_.Below(256));
    } else if (mnemonic == "fns" && operand.name == "base") {
      text = std::to_string(rng_.Below(32));
    } else if (mnemonic == "fns" && operand.name == "offset") {
      text = std::to_string(rng_.Between(-33, 33));
    } else if (!literal_used && IsImmediateType(operand.type) && rng_.Chance(12)) {
      text = Literal(operand.type);
      literal_used = true;
      if (mnemonic == "div" || mnemonic == "rem") {
        while (std::stod(IsFloat(type) ? "1" : text) == 0) text = Literal(operand.type);
      }
      if ((mnemonic == "bfe" || mnemonic == "bfi") && (operand.name == "pos" || operand.name == "len"))
        text = std::to_string(rng_.Below(256));
    } else {
      text = Register(operand.type, wider, typed);
      if ((mnemonic == "div" || mnemonic == "rem") && operand.name == "b" && !IsFloat(type)) {
        // Divisors are odd.
        const std::string odd = width == 16 ? "%w" : width == 32 ? Temp32() : Temp64();
        node.before.push_back("or.b" + std::to_string(width) + " " + odd + ", " + text + ", 1;");
        text = odd;
      } else if ((mnemonic == "bfe" || mnemonic == "bfi") && width == 64 && (operand.name == "pos" || operand.name == "len")) {
        const std::string byte = Temp32();
        node.before.push_back("and.b32 " + byte + ", " + text + ", 255;");
        text = byte;
      }
      if (operand.negatable && rng_.Chance(30)) text = "!" + text;
    }
    instr.operands.push_back(text);
  }
  // ptxas 13.0 keeps 16 bits of the number by which 16 bits are shifted; the manual has 32.
  if ((mnemonic == "shl" || mnemonic == "shr") && width == 16 && !instr.operands[2].starts_with("%")) {
    const long long amount = std::stoll(instr.operands[2], nullptr, 0);
    if (amount > 0xffff) instr.operands[2] = std::to_string(amount & 0xffff);
  }
  const std::string destination = instr.operands[0];
  if (!GuardIsLost(mnemonic)) instr.guard = Guard(12);
  node.instr = std::move(instr);
  if (IsFloat(drawn.form.operands[0].type)) {
    node.parts.push_back({{}, Canonical(drawn.form.operands[0].type, destination)});
  }
  return node;
}

// Lines that make a NaN the canonical one. Which one an operation gives is up to ptxas: it takes x for min(x, x), or swaps operands.
std::vector<std::string> Builder::Canonical(ScalarType type, const std::string& name) {
  if (PackedElement(type) != ScalarType::kNone) {
    const std::string t(Spelling(type));
    return {"mov.b32 {%w, %w1}, " + name + ";", "setp.nan." + t + " %q0|%q8, " + name + ", " + name + ";", "selp.b16 %w, 0x7fff, %w, %q0;",
            "selp.b16 %w1, 0x7fff, %w1, %q8;", "mov.b32 " + name + ", {%w, %w1};"};
  }
  const char* nan = BitWidth(type) == 64 ? "0x7fffffffffffffff" : BitWidth(type) == 32 ? "0x7fffffff" : "0x7fff";
  return {"setp.nan." + std::string(Spelling(type)) + " %q0, " + name + ", " + name + ";",
          "selp.b" + std::to_string(BitWidth(type)) + " " + name + ", " + nan + ", " + name + ", %q0;"};
}

// mov between a register and a vector of its parts, both ways.
Node Builder::Pack() {
  const auto halves = [&](ScalarType whole, ScalarType part, uint32_t count) {
    const std::vector<std::string> parts = VectorRegisters(part, count, false);
    std::string vector = "{" + parts[0];
    for (uint32_t i = 1; i < count; ++i) vector += ", " + parts[i];
    vector += "}";
    const std::string single = Register(whole);
    Instr instr{Guard(10), "mov.b" + std::to_string(BitWidth(whole)), {single, vector}};
    if (rng_.Chance(50)) std::swap(instr.operands[0], instr.operands[1]);
    return instr;
  };
  Node node;
  switch (rng_.Below(3)) {
    case 0: node.instr = halves(ScalarType::kB64, ScalarType::kB32, 2); break;
    case 1: node.instr = halves(ScalarType::kB32, ScalarType::kB16, 2); break;
    default: node.instr = halves(ScalarType::kB64, ScalarType::kB16, 4); break;
  }
  return node;
}

Node Builder::Immediate() {
  static constexpr ScalarType kTypes[] = {ScalarType::kU16, ScalarType::kU32, ScalarType::kS32, ScalarType::kB32,
                                          ScalarType::kU64, ScalarType::kS64, ScalarType::kF32, ScalarType::kF64};
  const ScalarType type = rng_.Pick(kTypes);
  std::string to = Register(type);
  Node node;
  node.instr = Instr{Guard(15), "mov." + std::string(Spelling(type)), {to, Literal(type)}};
  return node;
}

// Bits of floating-point registers to plain ones and back.
Node Builder::MoveBits() {
  const auto one = [&](const char* name, const std::string& a, const std::string& b) {
    Node node;
    node.instr = rng_.Chance(50) ? Instr{Guard(10), name, {a, b}} : Instr{Guard(10), name, {b, a}};
    return node;
  };
  const auto of = [&](const char* name, uint32_t count) { return name + std::to_string(rng_.Below(count)); };
  if (rng_.Chance(50)) return one("mov.b32", of("%f", pool_.f), of("%r", pool_.r));
  return one("mov.b64", of("%fd", pool_.fd), of("%rd", pool_.rd));
}

// The address of the thread's scratch, past 2^64 and back, then a load through it.
Node Builder::AddressArithmetic() {
  Node node;
  const std::string a = Temp64(), b = Temp64(), from = "%rd" + std::to_string(rng_.Below(pool_.rd));
  node.before = {
      "sub.s64 " + a + ", %scratch, " + from + ";",
      "mad.lo.u64 " + b + ", " + from + ", 3, " + a + ";",
      "add.u64 " + a + ", " + from + ", " + from + ";",
      "sub.u64 " + b + ", " + b + ", " + a + ";",
  };
  node.instr =
      Instr{"", "ld.global.b32", {Register(ScalarType::kB32), "[" + b + "+" + std::to_string(4 * rng_.Below(kScratchBytes / 4)) + "]"}};
  return node;
}

// Sums, differences and products of several words. What reads CC.CF stands behind what wrote it; sometimes the other kind of
// instruction does, which the manual leaves to the reader and nvcc's own 128-bit division relies on.
Node Builder::CarryChain() {
  static constexpr ScalarType kTypes[] = {ScalarType::kU32, ScalarType::kS32, ScalarType::kU64, ScalarType::kS64};
  const ScalarType type = rng_.Pick(kTypes);
  const bool multiplies = rng_.Chance(40);
  bool subtracts = rng_.Chance(40);
  Node node;
  const int words = rng_.Between(2, 5);
  for (int i = 0; i < words; ++i) {
    if (i > 0 && rng_.Chance(8)) subtracts = !subtracts;
    const bool first = i == 0, last = i + 1 == words;
    const bool product = multiplies && rng_.Chance(60);
    std::string name = product ? "mad" : subtracts ? "sub" : "add";
    if (!first) name += "c";
    if (product) name += rng_.Chance(50) ? ".lo" : ".hi";
    if (!last || rng_.Chance(20)) name += ".cc";
    name += "." + std::string(Spelling(type));
    const std::string to = Register(type, false, true);
    std::string line = name + " " + to, before;
    for (int operand = product ? 3 : 2; operand > 0; --operand) {
      std::string text = rng_.Chance(10) ? Literal(type) : Register(type, false, true);
      while (text == before) text = Register(type, false, true);
      line += ", " + text;
      before = text;
    }
    node.before.push_back((first ? "" : Guard(6)) + line + ";");
    if (!last && rng_.Chance(15)) node.before.push_back("mov.b32 " + Temp32() + ", %r" + std::to_string(rng_.Below(pool_.r)) + ";");
  }
  return node;
}

}  // namespace racer::programs
