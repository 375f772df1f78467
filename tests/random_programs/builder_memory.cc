// Loads, stores, exchanges through shared memory, calls.
#include "base/check.h"
#include "tests/random_programs/builder.h"

namespace racer::programs {

Builder::Access Builder::RandomAccess(uint32_t limit, std::vector<std::string>* store) {
  static constexpr ScalarType kTypes[] = {ScalarType::kB8,  ScalarType::kU8,  ScalarType::kS8,  ScalarType::kB16, ScalarType::kU16,
                                          ScalarType::kS16, ScalarType::kB32, ScalarType::kU32, ScalarType::kS32, ScalarType::kF32,
                                          ScalarType::kB64, ScalarType::kU64, ScalarType::kS64, ScalarType::kF64};
  const ScalarType type = rng_.Pick(kTypes);
  const uint32_t bytes = BitWidth(type) / 8;
  uint32_t vector = 1;
  if (rng_.Chance(30)) vector = 2;
  if (rng_.Chance(20)) vector = 4;
  while (vector > 1 && (bytes * vector > 16 || bytes * vector > limit)) vector /= 2;
  RACER_CHECK(bytes <= limit);
  Access access;
  access.bytes = bytes * vector;
  access.modifiers = (vector > 1 ? ".v" + std::to_string(vector) : "") + "." + std::string(Spelling(type));
  // What is loaded or stored may be narrower than its register. ptxas 13.0 stores the integer value of a floating-point
  // register then, and takes a .b16 register for one once a .f16 or .bf16 instruction wrote it; the manual chops the bits.
  const bool integers = store != nullptr && bytes < 8 && !IsFloat(type);
  std::vector<std::string> elements = VectorRegisters(type, vector, true, integers);
  if (integers) {
    for (uint32_t i = 0; i < vector; ++i) {
      const bool w64 = elements[i].starts_with("%rd"), w16 = elements[i].starts_with("%rs");
      const std::string copy = w64 ? Temp64() : w16 ? "%w" + std::to_string(2 + i) : Temp32();
      store->push_back(std::string("not.b") + (w64 ? "64 " : w16 ? "16 " : "32 ") + copy + ", " + elements[i] + ";");
      elements[i] = copy;
    }
  }
  access.operand = elements[0];
  if (vector > 1) {
    for (uint32_t i = 1; i < vector; ++i) access.operand += ", " + elements[i];
    access.operand = "{" + access.operand + "}";
  }
  return access;
}

std::string Builder::Offset(std::vector<std::string>& lines, const std::string& base, uint32_t bytes, uint32_t align) {
  if (rng_.Chance(50)) return "[" + base + "+" + std::to_string(rng_.Below(bytes / align) * align) + "]";
  // `bytes` is a power of two and so is `align`.
  const std::string offset = Temp32(), wide = Temp64(), address = Temp64();
  lines.push_back("and.b32 " + offset + ", %r" + std::to_string(rng_.Below(pool_.r)) + ", " + std::to_string(bytes - align) + ";");
  lines.push_back("cvt.u64.u32 " + wide + ", " + offset + ";");
  if (base.starts_with("%")) {
    lines.push_back("add.s64 " + address + ", " + base + ", " + wide + ";");
  } else {
    lines.push_back("mov.u64 " + address + ", " + base + ";");
    lines.push_back("add.s64 " + address + ", " + address + ", " + wide + ";");
  }
  return "[" + address + "]";
}

Node Builder::TableLoad() {
  Node node;
  const Access access = RandomAccess(16);
  static constexpr const char* kTables[] = {"tc", "tg"};
  const std::string table = rng_.Pick(kTables);
  const std::string space = table == "tc" ? ".const" : rng_.Chance(30) ? ".global.nc" : ".global";
  const std::string guard = Guard(10);
  if (table == "tg" && rng_.Chance(25)) {
    // Through a generic address.
    const std::string address = Temp64();
    node.before = {"mov.u64 " + address + ", tg;", "cvta.global.u64 " + address + ", " + address + ";"};
    const std::string operand = Offset(node.before, address, kTableBytes, access.bytes);
    node.instr = Instr{guard, "ld" + access.modifiers, {access.operand, operand}};
    return node;
  }
  const std::string operand = Offset(node.before, table, kTableBytes, access.bytes);
  node.instr = Instr{guard, "ld" + space + access.modifiers, {access.operand, operand}};
  return node;
}

Node Builder::LocalAccess() {
  Node node;
  const bool load = rng_.Chance(60);
  const Access access = RandomAccess(16, load ? nullptr : &node.before);
  std::string space = ".local", base = "loc";
  if (rng_.Chance(25)) {
    space = "";
    base = Temp64();
    node.before.push_back("mov.u64 " + base + ", loc;");
    node.before.push_back("cvta.local.u64 " + base + ", " + base + ";");
  }
  const std::string guard = Guard(10);
  const std::string address = Offset(node.before, base, kLocalBytes, access.bytes);
  if (load) {
    node.instr = Instr{guard, "ld" + space + access.modifiers, {access.operand, address}};
  } else {
    node.instr = Instr{guard, "st" + space + access.modifiers, {address, access.operand}};
  }
  return node;
}

Node Builder::ScratchAccess() {
  Node node;
  const bool load = rng_.Chance(50);
  const Access access = RandomAccess(16, load ? nullptr : &node.before);
  const std::string guard = Guard(10);
  const std::string address = Offset(node.before, "%scratch", kScratchBytes, access.bytes);
  const std::string order = rng_.Chance(15) ? ".volatile" : "";
  if (load) {
    node.instr = Instr{guard, "ld" + order + ".global" + access.modifiers, {access.operand, address}};
  } else {
    node.instr = Instr{guard, "st" + order + ".global" + access.modifiers, {address, access.operand}};
  }
  return node;
}

// Each thread writes its slot, all meet, each reads somebody's slot, all meet again.
Node Builder::Exchange() {
  Node node;
  const Access store = RandomAccess(kSharedSlot, &node.before);
  const uint32_t at = rng_.Below(kSharedSlot / store.bytes) * store.bytes;
  const std::string id = std::to_string(rng_.Chance(70) ? 0 : rng_.Below(16));
  const auto barrier = [&] {
    switch (rng_.Below(4)) {
      case 0: return "barrier.sync " + id + ";";
      case 1: return "bar.sync " + id + ", " + std::to_string(threads) + ";";
      default: return "bar.sync " + id + ";";
    }
  };
  node.before.push_back(Guard(20) + "st.shared" + store.modifiers + " [%slot+" + std::to_string(at) + "], " + store.operand + ";");
  node.before.push_back(barrier());
  const std::string index = Temp32(), from = Temp32();
  if (rng_.Chance(50)) {
    // Next thread but so many, in steps that meet everybody.
    node.before.push_back("mad.lo.u32 " + index + ", %lin, " + std::to_string(2 * rng_.Below(64) + 1) + ", " +
                          std::to_string(rng_.Below(threads)) + ";");
  } else {
    node.before.push_back("mov.b32 " + index + ", %r" + std::to_string(rng_.Below(pool_.r)) + ";");
  }
  node.before.push_back("rem.u32 " + index + ", " + index + ", " + std::to_string(threads) + ";");
  node.before.push_back("mov.u32 " + from + ", sh;");
  node.before.push_back("mad.lo.u32 " + from + ", " + index + ", " + std::to_string(kSharedSlot) + ", " + from + ";");
  for (int i = rng_.Between(1, 2); i > 0; --i) {
    const Access load = RandomAccess(kSharedSlot);
    const std::string offset = "+" + std::to_string(rng_.Below(kSharedSlot / load.bytes) * load.bytes) + "]";
    if (rng_.Chance(25)) {
      const std::string generic = Temp64();
      node.before.push_back("cvt.u64.u32 " + generic + ", " + from + ";");
      node.before.push_back("cvta.shared.u64 " + generic + ", " + generic + ";");
      node.before.push_back(Guard(10) + "ld" + load.modifiers + " " + load.operand + ", [" + generic + offset + ";");
    } else {
      node.before.push_back(Guard(10) + "ld.shared" + load.modifiers + " " + load.operand + ", [" + from + offset + ";");
    }
  }
  node.before.push_back(barrier());
  return node;
}

// An atomic operation on a word that no other thread touches: what it returns is known.
Node Builder::AtomicOfOwn() {
  struct Kind {
    const char* operation;
    ScalarType type;
  };
  using enum ScalarType;
  static constexpr Kind kKinds[] = {{"add", kU32}, {"add", kS32}, {"add", kU64}, {"add", kF32},  {"add", kF64},  {"min", kU32},
                                    {"min", kS32}, {"min", kU64}, {"min", kS64}, {"max", kU32},  {"max", kS32},  {"max", kU64},
                                    {"max", kS64}, {"and", kB32}, {"or", kB32},  {"xor", kB32},  {"and", kB64},  {"or", kB64},
                                    {"xor", kB64}, {"inc", kU32}, {"dec", kU32}, {"exch", kB32}, {"exch", kB64}, {"cas", kB32},
                                    {"cas", kB64}, {"cas", kB16}, {"exch", kB32}};
  static constexpr const char* kOrders[] = {"", "", ".relaxed", ".acquire", ".release", ".acq_rel"};
  static constexpr const char* kScopes[] = {".cta", ".gpu", ".sys"};
  const Kind kind = rng_.Pick(kKinds);
  const uint32_t bytes = BitWidth(kind.type) / 8;
  const std::string operation = kind.operation;
  const bool may_reduce = operation != "exch" && operation != "cas";
  const bool returns = !may_reduce || rng_.Chance(60);
  // An .f64 addition in global memory passes a signalling NaN on as it is (symexec/bits/README.md).
  const bool shared = kind.type == kF64 || rng_.Chance(50);
  const std::string order = rng_.Pick(kOrders);
  Node node;
  std::string name = returns ? "atom" : "red";
  // The manual has .acquire and .acq_rel for atom alone.
  name += returns || order.empty() || order == ".relaxed" ? order : ".release";
  if (!order.empty() || rng_.Chance(40)) name += rng_.Pick(kScopes);
  name += shared ? ".shared" : ".global";
  name += "." + operation + "." + std::string(Spelling(kind.type));
  const std::string base = shared ? "%slot" : "%scratch";
  const uint32_t room = shared ? kSharedSlot : kScratchBytes;
  const std::string address = "[" + base + "+" + std::to_string(rng_.Below(room / bytes) * bytes) + "]";
  std::vector<std::string> operands;
  if (returns) operands.push_back(Register(kind.type, false, true));
  operands.push_back(address);
  operands.push_back(Register(kind.type, false, true));
  if (operation == "cas") {
    // Often the value that is there.
    if (rng_.Chance(60)) {
      node.before.push_back(std::string("ld") + (shared ? ".shared" : ".global") + ".b" + std::to_string(8 * bytes) + " " +
                            operands.back() + ", " + address + ";");
    }
    operands.push_back(Register(kind.type, false, true));
  }
  node.instr = Instr{Guard(10), name, operands};
  if (returns && IsFloat(kind.type)) node.parts.push_back({{}, Canonical(kind.type, operands[0])});
  if (kind.type == kF64) {
    // Which NaN an addition leaves is open.
    const std::string cell = Temp64();
    std::vector<std::string> lines = Canonical(kF64, cell);
    lines.insert(lines.begin(), "ld.shared.b64 " + cell + ", " + address + ";");
    lines.push_back("st.shared.b64 " + address + ", " + cell + ";");
    node.parts.push_back({{}, std::move(lines)});
  }
  return node;
}

// All threads add, or the like, into some slot's word. Nobody reads it before all have met, so the order does not matter.
Node Builder::AtomicOfAll() {
  static constexpr const char* kForms[] = {"add.u32", "add.s32", "min.s32", "max.s32", "min.u32", "max.u32", "and.b32",
                                           "or.b32",  "xor.b32", "add.u64", "max.u64", "min.s64", "xor.b64"};
  const std::string form = rng_.Pick(kForms);
  const uint32_t bytes = form.ends_with("64") ? 8 : 4;
  const std::string index = Temp32(), to = Temp32();
  const std::string offset = "+" + std::to_string(rng_.Below(kSharedSlot / bytes) * bytes) + "]";
  Node node;
  node.before = {"bar.sync 0;", "mov.b32 " + index + ", %r" + std::to_string(rng_.Below(pool_.r)) + ";",
                 "rem.u32 " + index + ", " + index + ", " + std::to_string(rng_.Chance(50) ? 4 : threads) + ";", "mov.u32 " + to + ", sh;",
                 "mad.lo.u32 " + to + ", " + index + ", " + std::to_string(kSharedSlot) + ", " + to + ";"};
  const ScalarType type = bytes == 8 ? ScalarType::kB64 : ScalarType::kB32;
  node.before.push_back(Guard(20) + "red.shared." + form + " [" + to + offset + ", " + Register(type, false, true) + ";");
  node.before.push_back("bar.sync 0;");
  node.before.push_back("ld.shared.b" + std::to_string(8 * bytes) + " " + Register(type, false, true) + ", [" + to + offset + ";");
  node.before.push_back("bar.sync 0;");
  return node;
}

Node Builder::Call(const Callee& callee) {
  Node node;
  std::vector<std::string> arguments;
  std::string open = "{";
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    const ScalarType type = callee.parameters[i];
    const std::string value = Register(type);
    if (callee.by_register) {
      arguments.push_back(value);
      continue;
    }
    const std::string name = "a" + std::to_string(i);
    node.before.push_back(open + " .param ." + std::string(Spelling(type)) + " " + name + ";");
    open = "";
    node.before.push_back("st.param." + std::string(Spelling(type)) + " [" + name + "], " + value + ";");
    arguments.push_back(name);
  }
  std::string list;
  for (const std::string& argument : arguments) list += (list.empty() ? "" : ", ") + argument;
  const std::string result = Register(callee.result);
  if (callee.by_register) {
    node.before.push_back("call (" + result + "), " + callee.name + ", (" + list + ");");
    return node;
  }
  const std::string type(Spelling(callee.result));
  node.before.push_back(".param ." + type + " b0;");
  node.before.push_back("call (b0), " + callee.name + ", (" + list + ");");
  node.before.push_back("ld.param." + type + " " + result + ", [b0]; }");
  return node;
}

}  // namespace racer::programs
