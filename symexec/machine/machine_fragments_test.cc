// Which fragments wmma.mma and wmma.store take, by what made them: PTX ISA, "wmma.mma": shape, layouts and types "must match" those of
// the loads. Seen to fail with each field of FragmentKind not compared, and without the flow through mov, packing, values, cvt, calls and
// memory and the check of what is stored.
#include <string>
#include <vector>

#include "symexec/machine/testing.h"

namespace racer {
namespace {

std::string Registers(char letter, int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + std::string(1, letter) + std::to_string(first + i);
  return text + "}";
}
const std::string kA = Registers('r', 1, 8), kB = Registers('r', 9, 8), kCopy = Registers('r', 17, 8), kSum = Registers('f', 0, 8),
                  kHalfSum = Registers('r', 25, 4);

std::string Load(const std::string& what, const std::string& registers) {
  return "wmma.load." + what.substr(0, 1) + ".sync.aligned." + what.substr(2) + " " + registers + ", [%rd1];\n";
}
std::string Store(const std::string& what, const std::string& registers) {
  return "wmma.store.d.sync.aligned." + what + " [%rd0], " + registers + ";\n";
}
std::string Multiply(const std::string& what, const std::string& d, const std::string& a, const std::string& b, const std::string& c) {
  return "wmma.mma.sync.aligned." + what + " " + d + ", " + a + ", " + b + ", " + c + ";\n";
}
// text(i) for i in [0, count)
template <class F>
std::string Each(int count, F text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text(i) + "\n";
  return all;
}
std::string R(int i) { return "%r" + std::to_string(i); }
std::string F(int i) { return "%f" + std::to_string(i); }

const std::string kLoadA = Load("a.row.m16n16k16.f16", kA), kLoadB = Load("b.col.m16n16k16.f16", kB);
const std::string kZero = Each(8, [](int i) { return "mov.f32 " + F(i) + ", 0f00000000;"; });
const std::string kMultiply = Multiply("row.col.m16n16k16.f32.f32", kSum, kA, kB, kSum);
const std::string kStoreSum = Store("row.m16n16k16.f32", kSum);

Launch& Ready(Launch& launch) { return launch.Buffers(1024, std::vector<uint32_t>(256, 0)).Block(32); }
void Takes(const std::string& body, const std::string& functions = "") {
  Launch launch(NewKernel(body, functions));
  Ready(launch).ExpectCompleted();
}
void Refuses(const std::string& body, const std::string& part, const std::string& functions = "") {
  Launch launch(NewKernel(body, functions));
  Ready(launch).ExpectUnsupported(part);
}
size_t Assumptions(const std::string& body) {
  Launch launch(NewKernel(body));
  const RunResult result = Ready(launch).Term();
  EXPECT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  return result.assumptions.size();
}

TEST(MachineFragments, WhatFitsIsTaken) {
  Takes(kLoadA + kLoadB + kZero + kMultiply + kMultiply + kStoreSum);
  // Accumulators have an order in memory only.
  Takes(Load("c.row.m16n16k16.f32", kSum) + kLoadA + kLoadB + kMultiply + Store("col.m16n16k16.f32", kSum));
  // Placed by hand.
  Takes(Each(16, [](int i) { return "mov.b32 " + R(1 + i) + ", 0x3c003c00;"; }) + kZero + kMultiply + kStoreSum);
  Takes(kLoadA + kLoadB + kZero + Multiply("row.col.m16n16k16.f16.f32", kHalfSum, kA, kB, kSum) + Store("row.m16n16k16.f16", kHalfSum));
}

TEST(MachineFragments, ShapeLayoutsTypeAndRole) {
  const std::string rest = kZero + kMultiply + kStoreSum;
  Refuses(Load("a.row.m8n32k16.f16", kA) + kLoadB + rest, "may be a.row.m8n32k16.f16, not a.row.m16n16k16.f16");
  Refuses(kLoadA + Load("b.col.m32n8k16.f16", kB) + rest, "may be b.col.m32n8k16.f16, not b.col.m16n16k16.f16");
  Refuses(Load("a.col.m16n16k16.f16", kA) + kLoadB + rest, "may be a.col.m16n16k16.f16, not a.row.m16n16k16.f16");
  Refuses(kLoadA + Load("b.row.m16n16k16.f16", kB) + rest, "may be b.row.m16n16k16.f16, not b.col.m16n16k16.f16");
  Refuses(Load("a.row.m16n16k16.f16", kB) + kLoadA + rest, "may be a.row.m16n16k16.f16, not b.col.m16n16k16.f16");
  Refuses(Load("b.row.m16n16k16.f16", kA) + kLoadB + rest, "may be b.row.m16n16k16.f16, not a.row.m16n16k16.f16");
  Refuses(Load("c.row.m16n16k8.f32", kSum) + kLoadA + kLoadB + kMultiply, "may be accumulators .m16n16k8.f32, not");
  const std::string bytes = Registers('r', 1, 2), other = Registers('r', 3, 2), sum = Registers('r', 17, 8);
  const auto integers = [&](const std::string& type) {
    return Load("c.row.m16n16k16.s32", sum) + Load("a.row.m16n16k16." + type, bytes) + Load("b.col.m16n16k16.u8", other) +
           Multiply("row.col.m16n16k16.s32.u8.u8.s32", sum, bytes, other, sum);
  };
  Takes(integers("u8"));
  Refuses(integers("s8"), "may be a.row.m16n16k16.s8, not a.row.m16n16k16.u8");
}

TEST(MachineFragments, WhatIsStored) {
  const std::string sum = kLoadA + kLoadB + kZero + kMultiply;
  Refuses(sum + Store("row.m32n8k16.f32", kSum),
          "`wmma.store.d.sync.aligned.row.m32n8k16.f32` of a fragment that may be accumulators "
          ".m16n16k16.f32, not accumulators .m32n8k16.f32: undefined");
  Refuses(kLoadA + Store("row.m16n16k16.f16", Registers('r', 1, 4)), "may be a.row.m16n16k16.f16, not accumulators");
  Refuses(Load("c.row.m16n16k16.s32", kA) + Each(8, [](int i) { return "mov.b32 " + F(i) + ", " + R(1 + i) + ";"; }) + kStoreSum,
          "may be accumulators .m16n16k16.s32, not accumulators .m16n16k16.f32");
}

TEST(MachineFragments, ElementwiseWorkKeepsTheKind) {
  const auto multiply = [](const std::string& layout) {
    return kLoadB + kZero + Multiply(layout + ".col.m16n16k16.f32.f32", kSum, kCopy, kB, kSum) + kStoreSum;
  };
  const std::string moves = Each(8, [](int i) { return "mov.b32 " + R(17 + i) + ", " + R(1 + i) + ";"; });
  const std::string scales =
      "mov.b32 %r30, 0x40004000;\n" + Each(8, [](int i) { return "mul.rn.f16x2 " + R(17 + i) + ", " + R(1 + i) + ", %r30;"; });
  const std::string packs = Each(4, [](int i) {
    return "mov.b64 %rd5, {" + R(1 + 2 * i) + ", " + R(2 + 2 * i) + "};\nmov.b64 {" + R(17 + 2 * i) + ", " + R(18 + 2 * i) + "}, %rd5;";
  });
  for (const std::string& how : {moves, scales, packs}) {
    Takes(kLoadA + how + multiply("row"));
    Refuses(kLoadA + how + multiply("col"), "may be a.row.m16n16k16.f16, not a.col.m16n16k16.f16");
  }
  // Sums that are scaled, in lanes of their own too.
  Takes(kLoadA + kLoadB + kZero + kMultiply + "setp.lt.u32 %p1, %r0, 7;\n" +
        Each(8, [](int i) { return "@%p1 mul.f32 " + F(i) + ", " + F(i) + ", 0f40000000;"; }) + kStoreSum);
}

TEST(MachineFragments, ConversionsChangeTheTypeAlone) {
  const auto narrowed = [](const std::string& shape) {
    return kLoadA + kLoadB + kZero + kMultiply +
           Each(8, [](int i) { return "cvt.rn.f16.f32 %h" + std::to_string(i) + ", " + F(i) + ";"; }) +
           Each(
               4,
               [](int i) { return "mov.b32 " + R(25 + i) + ", {%h" + std::to_string(2 * i) + ", %h" + std::to_string(2 * i + 1) + "};"; }) +
           Store("row." + shape + ".f16", kHalfSum);
  };
  Takes(narrowed("m16n16k16"));
  Refuses(narrowed("m8n32k16"), "may be accumulators .m16n16k16, not accumulators .m8n32k16.f16");
}

TEST(MachineFragments, OnlyWhatIsReachedIsRefused) {
  Takes("setp.lt.u32 %p1, %r0, 99;\n@%p1 bra $end;\n" + kLoadA + Store("row.m16n16k16.f16", Registers('r', 1, 4)) + "$end:");
}

TEST(MachineFragments, CallsPassKinds) {
  const std::string by_register = ".func (.reg .b32 y) same(.reg .b32 x)\n{\nmov.b32 y, x;\nret;\n}\n";
  const std::string by_param =
      ".func (.param .b32 y) same(.param .b32 x)\n{\n.reg .b32 %q;\nld.param.b32 %q, [x];\nst.param.b32 [y], %q;\nret;\n}\n";
  const std::string take_register = Each(8, [](int i) { return "call.uni (" + R(17 + i) + "), same, (" + R(1 + i) + ");"; });
  const std::string take_param = Each(8, [](int i) {
    return "{\n.param .b32 p;\n.param .b32 q;\nst.param.b32 [p], " + R(1 + i) + ";\ncall.uni (q), same, (p);\nld.param.b32 " + R(17 + i) +
           ", [q];\n}";
  });
  for (bool param : {false, true}) {
    const std::string& function = param ? by_param : by_register;
    const std::string& take = param ? take_param : take_register;
    const auto body = [&](const std::string& layout) {
      return kLoadA + take + kLoadB + kZero + Multiply(layout + ".col.m16n16k16.f32.f32", kSum, kCopy, kB, kSum);
    };
    Takes(body("row"), function);
    Refuses(body("col"), "may be a.row.m16n16k16.f16, not a.col.m16n16k16.f16", function);
  }
}

TEST(MachineFragments, ThroughMemoryTheKindIsAssumed) {
  const std::string scratch = ".shared .align 16 .b8 scratch[1024];\n";
  const std::string place = "mov.u32 %r30, scratch;\nshl.b32 %r31, %r0, 5;\nadd.u32 %r30, %r30, %r31;\n";
  const auto spilled = [&](const std::string& store, const std::string& load, const std::string& registers) {
    return scratch + kLoadA + kLoadB + place +
           Each(8, [&](int i) { return store + " [%r30+" + std::to_string(4 * i) + "], " + R(1 + i) + ";"; }) +
           Each(8, [&](int i) { return load + " " + R(17 + i) + ", [%r30+" + std::to_string(4 * i) + "];"; }) + kZero +
           Multiply("row.col.m16n16k16.f32.f32", kSum, registers, kB, kSum);
  };
  EXPECT_EQ(Assumptions(spilled("st.shared.b32", "ld.shared.b32", kA)), 1u);
  EXPECT_EQ(Assumptions(spilled("st.shared.b32", "ld.shared.b32", kCopy)), 2u);
  // What is loaded elsewhere was no fragment.
  EXPECT_EQ(Assumptions(scratch + kLoadA + kLoadB + "st.shared.b32 [scratch], %r1;\n" +
                        Each(8, [](int i) { return "ld.global.b32 " + R(17 + i) + ", [%rd1];"; }) + kZero +
                        Multiply("row.col.m16n16k16.f32.f32", kSum, kCopy, kB, kSum)),
            1u);
}

}  // namespace
}  // namespace racer
