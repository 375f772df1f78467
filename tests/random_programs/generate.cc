#include "tests/random_programs/generate.h"

#include <cstring>
#include <string>
#include <utility>

#include "tests/random_programs/builder.h"

namespace racer::programs {
namespace {

// A number of some kind in 8 bytes: f64, two f32, four f16, small integers, edges of all of them, anything.
uint64_t InputWord(Rng& rng) {
  static constexpr uint64_t kEdges[] = {0,
                                        ~uint64_t{0},
                                        0x8000000080000000,
                                        0x7fffffff7fffffff,
                                        0x3f8000003f800000,
                                        0x7f800000ff800000,
                                        0x7fc000007f800001,
                                        0x0000000180000001,
                                        0x007fffff00800000,
                                        0x7f7fffff33800000,
                                        0x3ff0000000000000,
                                        0x7ff0000000000000,
                                        0xfff8000000000001,
                                        0x7ff0000000000001,
                                        0x0000000000000001,
                                        0x7fefffffffffffff,
                                        0x3c007c00fc007e01,
                                        0x000103ff04007bff,
                                        0x3f807f80ff807fc1,
                                        0x8000000000000000,
                                        0x7fffffffffffffff,
                                        0x0000001f00000020,
                                        0x00000000ffffffff,
                                        0x0001000100010001};
  switch (rng.Below(8)) {
    case 0: return rng.Pick(kEdges);
    case 1: return rng.Next();
    case 2: return rng.Below(256) | static_cast<uint64_t>(rng.Below(16)) << 32;
    case 3: return ~static_cast<uint64_t>(rng.Below(256));
    case 4: {
      const uint64_t sign = rng.Next() & uint64_t{1} << 63;
      return sign | static_cast<uint64_t>(1008 + rng.Below(32)) << 52 | rng.Next() >> 12;
    }
    case 5: {
      uint64_t halves = 0;
      for (int i = 0; i < 4; ++i) halves = halves << 16 | (rng.Below(2) << 15 | (10 + rng.Below(10)) << 10 | rng.Below(1024));
      return halves;
    }
    default: {
      const auto single = [&] { return static_cast<uint64_t>(rng.Below(2) << 31 | (115 + rng.Below(24)) << 23 | rng.Below(1 << 23)); };
      const uint64_t high = single();
      return high << 32 | single();
    }
  }
}

std::string Table(const std::string& space, const std::string& name, Rng& rng) {
  std::string bytes;
  for (uint32_t i = 0; i < kTableBytes / 8; ++i) {
    const uint64_t word = InputWord(rng);
    for (int k = 0; k < 8; ++k) bytes += (bytes.empty() ? "" : ", ") + std::to_string(word >> 8 * k & 255);
  }
  return space + " .align 16 .b8 " + name + "[" + std::to_string(kTableBytes) + "] = {" + bytes + "};";
}

// A function of values alone. Its registers start as mixtures of its parameters.
Function MakeFunction(const Callee& callee, Rng& rng, const FormTable& forms) {
  const Pool pool{.p = 3, .rs = 5, .r = 5, .rd = 4, .f = 4, .fd = 4};
  Builder builder(rng, forms, pool, callee.name + "_");
  builder.threads = 64;
  const Builder::Place place{.depth = 1, .trips = 4, .converged = false, .kernel = false};
  Function function;
  function.body = builder.Block(3 + rng.Below(6), place);
  const std::string sort = callee.by_register ? ".reg" : ".param";
  std::string list;
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    list += (i == 0 ? "" : ", ") + sort + " ." + std::string(Spelling(callee.parameters[i])) + " a" + std::to_string(i);
  }
  const std::string type(Spelling(callee.result));
  function.head = {".func (" + sort + " ." + type + " result) " + callee.name + "(" + list + ")", "{"};
  for (const std::string& line : builder.Declarations()) function.head.push_back(line);
  function.head.push_back(".reg .b32 %lin;");
  function.head.push_back("mov.u32 %lin, %tid.x;");
  // r0, rd0, f0, fd0 are the parameters; the others come from them.
  static constexpr const char* kFirst[] = {"%r0", "%rd0", "%f0", "%fd0"};
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    const std::string t(Spelling(callee.parameters[i]));
    if (callee.by_register) {
      function.head.push_back("mov." + t + " " + kFirst[i] + ", a" + std::to_string(i) + ";");
    } else {
      function.head.push_back("ld.param." + t + " " + kFirst[i] + ", [a" + std::to_string(i) + "];");
    }
  }
  for (const char* line :
       {"not.b32 %r1, %r0;",   "cvt.u32.u64 %r2, %rd0;",     "mov.b32 %r3, %f0;",          "xor.b32 %r4, %r3, %r0;",
        "not.b64 %rd1, %rd0;", "mov.b64 %rd2, %fd0;",        "brev.b64 %rd3, %rd0;",       "mov.b32 %f1, %r0;",
        "mov.b32 %f2, %r2;",   "mov.b32 %f3, %r1;",          "mov.b64 %fd1, %rd0;",        "mov.b64 %fd2, {%r0, %r1};",
        "mov.b64 %fd3, %rd1;", "mov.b32 {%rs0, %rs1}, %r0;", "cvt.u16.u32 %rs2, %r2;",     "not.b16 %rs3, %rs0;",
        "mov.b16 %rs4, %rs1;", "setp.lt.s32 %p0, %r0, 0;",   "setp.eq.b32 %p1, %r0, %r2;", "setp.lt.u32 %p2, %r3, %r0;"}) {
    function.head.emplace_back(line);
  }
  const char* value = callee.result == ScalarType::kB32 ? "%r1" : callee.result == ScalarType::kB64 ? "%rd1" : "%f1";
  if (callee.by_register) {
    function.tail = {"mov." + type + " result, " + std::string(value) + ";", "ret;", "}"};
  } else {
    function.tail = {"st.param." + type + " [result], " + std::string(value) + ";", "ret;", "}"};
  }
  return function;
}

}  // namespace

std::vector<uint8_t> MakeInputs(uint64_t seed) {
  Rng rng(Mix(seed) ^ 0x696e70757473);
  std::vector<uint8_t> bytes(kInputBytes);
  for (uint32_t at = 0; at < kInputBytes; at += 8) {
    const uint64_t word = InputWord(rng);
    for (int k = 0; k < 8; ++k) bytes[at + k] = static_cast<uint8_t>(word >> 8 * k);
  }
  return bytes;
}

Program Generate(uint64_t seed, const Shape& shape, const FormTable& forms) {
  Rng rng(seed);
  Program program;
  program.seed = seed;
  static constexpr std::array<uint32_t, 3> kBlocks[] = {{64, 1, 1}, {96, 1, 1}, {128, 1, 1}, {32, 4, 1},
                                                        {16, 8, 1}, {8, 4, 2},  {256, 1, 1}};
  program.block = shape.one_warp ? std::array<uint32_t, 3>{32, 1, 1} : rng.Pick(kBlocks);
  program.grid = {shape.one_warp ? 1 : 1 + rng.Below(3), 1, 1};
  const uint32_t threads = program.block[0] * program.block[1] * program.block[2];

  program.module_scope = {".version 8.6", ".target sm_90", ".address_size 64", Table(".const", "tc", rng), Table(".global", "tg", rng)};
  const Pool pool;
  Builder builder(rng, forms, pool, "L");
  builder.threads = threads;
  builder.values_only = shape.values_only;
  for (uint32_t i = rng.Below(3); i > 0; --i) {
    static constexpr ScalarType kResults[] = {ScalarType::kB32, ScalarType::kB64, ScalarType::kF32};
    Callee callee;
    callee.name = "fn" + std::to_string(i);
    callee.parameters = {ScalarType::kB32, ScalarType::kB64, ScalarType::kF32, ScalarType::kF64};
    callee.result = rng.Pick(kResults);
    callee.by_register = rng.Chance(30);
    program.functions.push_back(MakeFunction(callee, rng, forms));
    builder.callees.push_back(std::move(callee));
  }

  Function kernel;
  kernel.body = builder.Block(shape.statements, {});
  for (uint32_t i = shape.values_only ? 0 : rng.Below(3); i > 0; --i) {
    kernel.body.push_back(builder.EarlyExit());
    for (Node& node : builder.Block(3, {.depth = 2, .trips = 1, .converged = false, .kernel = true}))
      kernel.body.push_back(std::move(node));
  }

  std::vector<std::string>& head = kernel.head;
  head = {".visible .entry k(.param .u64 out, .param .u64 in)", "{"};
  for (std::string& line : builder.Declarations()) head.push_back(std::move(line));
  const auto lines = [](std::vector<std::string>& to, std::initializer_list<std::string> from) { to.insert(to.end(), from); };
  const uint32_t shared_bytes = threads * kSharedSlot;
  lines(head, {
                  ".reg .b32 %lin, %lane, %cta, %slot, %x, %y, %z;",
                  ".reg .b64 %row, %scratch, %in, %at, %word;",
                  ".shared .align 16 .b8 sh[" + std::to_string(shared_bytes) + "];",
                  ".local .align 16 .b8 loc[" + std::to_string(kLocalBytes) + "];",
                  "mov.u32 %x, %tid.x;",
                  "mov.u32 %y, %tid.y;",
                  "mov.u32 %z, %tid.z;",
                  "mad.lo.u32 %lin, %z, " + std::to_string(program.block[1]) + ", %y;",
                  "mad.lo.u32 %lin, %lin, " + std::to_string(program.block[0]) + ", %x;",
                  "and.b32 %lane, %lin, 31;",
                  "mov.u32 %cta, %ctaid.x;",
                  "mad.lo.u32 %x, %cta, " + std::to_string(threads) + ", %lin;",
                  "ld.param.u64 %row, [out];",
                  "cvta.to.global.u64 %row, %row;",
                  "ld.param.u64 %in, [in];",
                  "cvta.to.global.u64 %in, %in;",
              });
  // The next of the thread's inputs, which lie a step of its own apart.
  uint32_t step = 0;
  const auto next = [&] {
    lines(head, {"mad.lo.u32 %y, %x, " + std::to_string(2 * rng.Below(256) + 1) + ", " + std::to_string(37 * ++step) + ";",
                 "and.b32 %y, %y, " + std::to_string(kInputBytes / 8 - 1) + ";", "mul.wide.u32 %at, %y, 8;", "add.s64 %at, %at, %in;"});
  };
  const auto load = [&](const char* type, const char* name, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      next();
      head.push_back("ld.global." + std::string(type) + " " + name + std::to_string(i) + ", [%at];");
    }
  };
  load("b16", "%rs", pool.rs);
  load("b32", "%r", pool.r);
  load("b64", "%rd", pool.rd);
  load("f32", "%f", pool.f);
  load("f64", "%fd", pool.fd);
  for (uint32_t i = 0; i < pool.p; ++i) {
    lines(head, {"shr.u32 %y, %r0, " + std::to_string(i) + ";", "and.b32 %y, %y, 1;", "setp.ne.u32 %p" + std::to_string(i) + ", %y, 0;"});
  }
  for (uint32_t at = 0; at < kLocalBytes; at += 8) {
    next();
    lines(head, {"ld.global.b64 %word, [%at];", "st.local.b64 [loc+" + std::to_string(at) + "], %word;"});
  }
  lines(head, {"mov.u32 %slot, sh;", "mad.lo.u32 %slot, %lin, " + std::to_string(kSharedSlot) + ", %slot;"});
  for (uint32_t at = 0; at < kSharedSlot; at += 8) {
    next();
    lines(head, {"ld.global.b64 %word, [%at];", "st.shared.b64 [%slot+" + std::to_string(at) + "], %word;"});
  }

  // The row: predicates and scratch, then the registers, widest first.
  std::vector<std::string>& tail = kernel.tail;
  uint32_t at = 8;
  const uint32_t scratch = at + 24;  // aligned to 32
  at = scratch + kScratchBytes;
  lines(tail, {"mov.u32 %y, 0;"});
  for (uint32_t i = 0; i < pool.p; ++i) {
    lines(tail, {"selp.b32 %z, " + std::to_string(1 << i) + ", 0, %p" + std::to_string(i) + ";", "or.b32 %y, %y, %z;"});
  }
  lines(tail, {"st.global.b32 [%row+4], %y;"});
  const auto store = [&](const char* type, const char* name, uint32_t count, uint32_t bytes) {
    for (uint32_t i = 0; i < count; ++i, at += bytes) {
      tail.push_back("st.global." + std::string(type) + " [%row+" + std::to_string(at) + "], " + name + std::to_string(i) + ";");
    }
  };
  store("b64", "%rd", pool.rd, 8);
  store("f64", "%fd", pool.fd, 8);
  store("b32", "%r", pool.r, 4);
  store("f32", "%f", pool.f, 4);
  store("b16", "%rs", pool.rs, 2);
  lines(tail, {"ret;", "}"});
  program.row_bytes = (at + 31) / 32 * 32;
  lines(head, {"mul.wide.u32 %at, %x, " + std::to_string(program.row_bytes) + ";", "add.s64 %row, %row, %at;",
               "add.s64 %scratch, %row, " + std::to_string(scratch) + ";", "bar.sync 0;"});
  program.functions.push_back(std::move(kernel));
  return program;
}

}  // namespace racer::programs
