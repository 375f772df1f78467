// Atomic operations: values, checks, and what depends on their order.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

// `out` holds the given words when the kernel starts.
struct OnWords : Launch {
  explicit OnWords(const std::string& body, const std::vector<uint32_t>& words, uint32_t threads = 1, uint32_t ctas = 1,
                   const std::string& module_scope = "")
      : Launch(NewKernel(body, module_scope)) {
    std::vector<uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    AddBuffer({.name = "out", .size = bytes.size(), .align = 256}, bytes);
    AddBuffer({.name = "in", .size = 16, .align = 256, .writable = false}, std::vector<uint8_t>(16));
    config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
    Block(threads).Grid(ctas);
  }
};

// One thread, so that every operation is ordered: results are d and what the location holds afterwards.
TEST(MachineAtomic, ReturnsWhatWasThere) {
  OnWords(R"(
    atom.global.add.u32 %r1, [%rd0], 5;
    atom.global.exch.b32 %r2, [%rd0+4], 9;
    atom.global.cas.b32 %r3, [%rd0+8], 3, 77;
    atom.global.cas.b32 %r4, [%rd0+12], 3, 77;
    st.global.v4.u32 [%rd0+16], {%r1, %r2, %r3, %r4};
    mov.u32 %r5, 7;
    atom.global.inc.u32 %r1, [%rd0+32], %r5;
    atom.global.dec.u32 %r2, [%rd0+36], 7;
    atom.global.min.s32 %r3, [%rd0+40], -3;
    atom.global.max.u32 %r4, [%rd0+44], -3;
    st.global.v4.u32 [%rd0+48], {%r1, %r2, %r3, %r4};)",
          {10, 20, 3, 4, 0, 0, 0, 0, 7, 0, 2, 2, 0, 0, 0, 0})
      .ExpectWords({15, 9, 77, 4, 10, 20, 3, 4, 0, 7, 0xfffffffd, 0xfffffffd, 7, 0, 2, 2});
}

TEST(MachineAtomic, WideNarrowAndVectors) {
  const std::string registers = ".reg .b128 %q<4>;\n";
  OnWords(registers + R"(
    mov.b64 %rd5, 0x100000002;
    mov.b128 %q1, {%rd5, %rd5};
    atom.global.exch.b128 %q2, [%rd0], %q1;
    mov.b128 {%rd6, %rd7}, %q2;
    atom.global.cas.b128 _, [%rd0+16], %q2, %q1;
    atom.global.cas.b128 %q3, [%rd0+32], %q2, %q1;
    st.global.b128 [%rd0+48], %q3;
    st.global.u64 [%rd0+64], %rd7;
    mov.b32 {%h1, %h2}, 0x00090005;
    atom.global.cas.b16 %h3, [%rd0+72], %h1, %h2;
    atom.global.add.u64 %rd8, [%rd0+80], -1;
    red.global.or.b64 [%rd0+88], %rd5;)",
          {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 5, 0, 0, 0, 0, 0, 0, 5, 0, 0, 1, 4, 0})
      .ExpectWords({2, 1, 2, 1, 2, 1, 2, 1, 1, 2, 3, 5, 1, 2, 3, 5, 3, 4, 9, 0, 0xffffffff, 0, 6, 1});
  OnWords(R"(
    mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;
    atom.global.v2.f32.add {%f3, %f4}, [%rd0], {%f1, %f2};
    st.global.v2.f32 [%rd0+8], {%f3, %f4};
    mov.b32 {%h1, %h2}, 0x40003c00;
    red.global.add.noftz.v2.f16 [%rd0+16], {%h1, %h2};
    red.global.max.noftz.v2.bf16 [%rd0+20], {%h1, %h2};
    mov.b32 %r1, 0x40003c00;
    red.global.add.noftz.f16x2 [%rd0+24], %r1;)",
          {0x3f800000, 0x3f800000, 0, 0, 0x3c003c00, 0x3f804100, 0x3c003c00})
      .ExpectWords({0x40000000, 0x40400000, 0x3f800000, 0x3f800000, 0x42004000, 0x40004100, 0x42004000});
}

// PTX ISA, "atom": .f32 additions flush subnormals in global memory, not in shared memory, by a generic address too.
// Broken once: flushed everywhere.
TEST(MachineAtomic, SubnormalsByTheirSpace) {
  OnWords launch(R"(
    .shared .align 4 .b8 s[4];
    mov.f32 %f1, 0f00000001;
    st.shared.f32 [s], %f1;
    red.shared.add.f32 [s], %f1;
    mov.u64 %rd4, s;
    cvta.shared.u64 %rd5, %rd4;
    red.add.f32 [%rd5], %f1;
    red.global.add.f32 [%rd0], %f1;
    red.add.f32 [%rd0+4], %f1;
    ld.shared.u32 %r1, [s];
    st.global.u32 [%rd0+8], %r1;)",
                 {1, 1, 0});
  ASSERT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(launch.bits().ReadCell(0, 4 * i, 32).bits, (std::vector<uint64_t>{0, 0, 3}[i]));
}

TEST(MachineAtomic, IsCheckedLikeAStore) {
  OnWords("red.global.add.u32 [%rd0+4], 1;", {1}).ExpectViolation(Gate::kBounds, "atomic operation of 4 bytes at out+4", kBodyLine);
  OnWords("red.global.add.u32 [%rd0+2], 1;", {1, 1}).ExpectViolation(Gate::kBounds, "misaligned atomic operation of 4 bytes", kBodyLine);
  OnWords("red.global.add.u32 [%rd1], 1;", {1}).ExpectViolation(Gate::kPreserve, "atomic operation of 4 bytes to the read-only tensor");
  OnWords("ld.global.nc.u32 %r1, [%rd0];\nred.global.add.u32 [%rd0], 1;", {1}).ExpectUnsupported("ld.global.nc or ldu has read");
  OnWords(".local .align 4 .b8 l[4];\nmov.u64 %rd4, l;\ncvta.local.u64 %rd4, %rd4;\nred.add.u32 [%rd4], 1;", {1})
      .ExpectUnsupported("atomic operation in .local memory");
  OnWords("red.global.add.u32 [count], 1;", {1}, 1, 1, ".global .align 4 .u32 count = 0;\n")
      .ExpectUnsupported("kept from launch to launch");
  Launch undefined(Kernel("red.global.add.u32 [%rd0], 1;"));
  undefined.Buffers(4, {});
  ASSERT_EQ(undefined.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(undefined.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
}

// The operations that give the same in any order. Broken once each: with a key for exch, with one for all operands of inc, with one for
// symbolic ones.
TEST(MachineAtomic, WhatCommutesRunsInTerm) {
  const auto all = [](const std::string& operation) {
    return OnWords("add.u32 %r1, %r0, 1;\nred.global." + operation + " [%rd0], %r1;", {0}, 64);
  };
  all("add.u32").ExpectWords({2080});
  all("xor.b32").ExpectWords({64});
  all("or.b32").ExpectWords({127});
  all("and.b32").ExpectWords({0});
  all("max.s32").ExpectWords({64});
  all("min.u32").ExpectWords({0});
  OnWords("red.global.inc.u32 [%rd0], 9;", {0}, 64).ExpectWords({4});
  OnWords inc = all("inc.u32");
  Launch::Refused(inc.Term(), "what is left by `red.global.inc.u32` depends on the order of atomics", kBodyLine + 1);
  EXPECT_EQ(inc.Bits().status, RunResult::Status::kCompleted);
  Launch bounds(Kernel("add.s64 %rd4, %rd1, %rd2;\nld.global.u32 %r1, [%rd4];\nred.global.inc.u32 [%rd0], %r1;"));
  bounds.AddBuffer({.name = "out", .size = 4, .align = 256}, {0, 0, 0, 0});
  bounds.AddBuffer({.name = "in", .size = 8, .align = 256, .writable = false}, {});
  bounds.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
  bounds.config().contents[1] = {.bytes = {},
                                 .symbol = bounds.store().AddSymbol({.name = "in", .dtype = ScalarType::kU32, .shape = {2}}),
                                 .dtype = ScalarType::kU32,
                                 .cells = {}};
  bounds.Block(2);
  Launch::Refused(bounds.Term(), "what is left by `red.global.inc.u32` depends on the order of atomics", kBodyLine + 2);
  OnWords exch("atom.global.exch.b32 _, [%rd0], %r0;", {0}, 64);
  Launch::Refused(exch.Term(), "what is left by `atom.global.exch.b32` depends on the order of atomics", kBodyLine);
}

// Broken once: with every result taken for unused.
TEST(MachineAtomic, ResultsThatAreUsedDependOnTheOrder) {
  const auto kernel = [](const std::string& use) { return OnWords("atom.global.add.u32 %r1, [%rd0], 1;\n" + use, {0, 0}, 64); };
  kernel("").ExpectWords({64});
  OnWords used = kernel("st.global.u32 [%rd0+4], %r1;");
  Launch::Refused(used.Term(), "what `atom.global.add.u32` returns depends on the order of atomics", kBodyLine);
  OnWords guard = kernel("setp.eq.u32 %p1, %r1, 0;\n@%p1 st.global.u32 [%rd0+4], 1;");
  Launch::Refused(guard.Term(), "depends on the order of atomics", kBodyLine);
  guard.Bits();
  EXPECT_EQ(guard.bits().ReadCell(0, 4, 32).bits, 1u);
  // A ticket in every CTA is the same with CTAs in any order.
  OnWords ctas("atom.global.add.u32 %r1, [%rd0], 1;\nst.global.u32 [%rd0+4], %r1;", {0, 0}, 1, 2);
  Launch::Refused(ctas.Term(), "depends on the order of atomics", kBodyLine);
  // Ordered, or by one thread alone.
  OnWords("atom.global.add.u32 %r1, [%rd0], 1;\natom.global.add.u32 %r2, [%rd0], 1;\nst.global.u32 [%rd0+4], %r2;", {5, 0})
      .ExpectWords({7, 6});
  OnWords(R"(
    setp.lt.u32 %p1, %r0, 32;
    @%p1 red.global.add.u32 [%rd0], 1;
    bar.sync 0;
    setp.eq.u32 %p2, %r0, 40;
    @%p2 atom.global.exch.b32 %r1, [%rd0], 9;
    @%p2 st.global.u32 [%rd0+4], %r1;)",
          {5, 0}, 64)
      .ExpectWords({9, 37});
}

// Broken once each: without the operation in the key, without the type.
TEST(MachineAtomic, KindsThatMeet) {
  const auto both = [](const std::string& first, const std::string& second) {
    return OnWords("setp.eq.u32 %p1, %r0, 0;\n@%p1 red.global." + first + " [%rd0], 1;\n@!%p1 red.global." + second + " [%rd0], 1;", {5},
                   2);
  };
  both("add.u32", "add.s32").ExpectWords({7});
  OnWords mixed = both("add.u32", "xor.b32");
  Launch::Refused(mixed.Term(), "what is left by `red.global.xor.b32` depends on the order of atomics", kBodyLine + 2);
  OnWords signs = both("min.u32", "min.s32");
  Launch::Refused(signs.Term(), "depends on the order of atomics");
  OnWords sizes = OnWords("setp.eq.u32 %p1, %r0, 0;\n@%p1 red.global.add.u32 [%rd0], 1;\n@!%p1 red.global.add.u64 [%rd0], 1;", {5, 0}, 2);
  sizes.ExpectViolation(Gate::kRace, "atomic operation by thread (1,0,0) of CTA (0,0,0) and atomic operation by thread (0,0,0)",
                        kBodyLine + 2);
}

TEST(MachineAtomic, RacesWithPlainAccesses) {
  OnWords("setp.eq.u32 %p1, %r0, 0;\n@%p1 st.global.u32 [%rd0], 1;\n@!%p1 red.global.add.u32 [%rd0], 1;", {5}, 2)
      .ExpectViolation(Gate::kRace, "data race on out+0: atomic operation by thread (1,0,0) of CTA (0,0,0) and write by", kBodyLine + 2);
  OnWords("red.global.add.u32 [%rd0], 1;\nld.global.u32 %r1, [%rd0];", {5}, 64).ExpectViolation(Gate::kRace, "data race on out+0");
  OnWords("red.global.add.u32 [%rd0], 1;\nld.relaxed.gpu.global.u32 %r1, [%rd0];", {5}, 64)
      .ExpectUnsupported("volatile or relaxed accesses that nothing orders");
  // Broken once: with scopes unread.
  for (const std::string scope : {"cta", "gpu"}) {
    OnWords flag("mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.relaxed." + scope +
                     ".global.u32 [%rd0], 1;\n@!%p1 ld.relaxed." + scope + ".global.u32 %r2, [%rd0];",
                 {5}, 1, 2);
    if (scope == "gpu") {
      flag.ExpectUnsupported("volatile or relaxed accesses that nothing orders");
    } else {
      flag.ExpectViolation(Gate::kRace, "data race on out+0", kBodyLine + 3);
    }
  }
  OnWords("red.cta.global.add.u32 [%rd0], 1;", {5}, 1, 2).ExpectViolation(Gate::kRace, ".cta scope makes them atomic only within a CTA");
  OnWords("red.cta.global.add.u32 [%rd0], 1;", {5}, 64).ExpectWords({69});
}

// A flag that is released and acquired orders what it guards, in a way that is not followed.
TEST(MachineAtomic, ReleaseAndAcquireAreNotCalledRaces) {
  OnWords(R"(
    setp.ne.u32 %p1, %r0, 0;
    @%p1 bra $wait;
    st.global.u32 [%rd0], 1;
    st.release.gpu.global.u32 [%rd0+4], 1;
    bra.uni $end;
    $wait:
    ld.acquire.gpu.global.u32 %r2, [%rd0+4];
    $end:)",
          {5, 0}, 2)
      .ExpectUnsupported("volatile or relaxed accesses that nothing orders");
  OnWords(R"(
    setp.ne.u32 %p1, %r0, 0;
    @!%p1 st.global.u32 [%rd0], 1;
    @!%p1 red.release.gpu.global.add.u32 [%rd0+4], 1;
    bar.warp.sync 1;
    @%p1 ld.global.u32 %r2, [%rd0];)",
          {5, 0}, 1)
      .ExpectCompleted();
}

// Additions of .f32 by 64 threads, constants and inputs. Broken once each: with SumsExactly true of all sums, with what was inexact
// forgotten at the next sum, with no sum taken for rounded.
TEST(MachineAtomic, SumsOfFloats) {
  const std::string add = "red.global.add.f32 [%rd0], %f1;";
  OnWords ones("mov.f32 %f1, 0f3F800000;\n" + add, {0}, 64);
  ones.ExpectWords({0x42800000});
  EXPECT_TRUE(ones.Term().assumptions.empty());
  // 64 times 0.1, and 2^24 + 1 - 2^24: how they are rounded depends on the order.
  OnWords tenths("mov.f32 %f1, 0f3DCCCCCD;\n" + add, {0}, 64);
  Launch::Refused(tenths.Term(), "a sum of constants that depends on the order of atomics", kBodyLine + 1);
  OnWords absorbed = OnWords("mov.f32 %f1, 0fCB800000;\nsetp.eq.u32 %p1, %r0, 0;\n@!%p1 mov.f32 %f1, 0f3F800000;\n" + add, {0x4b800000}, 2);
  Launch::Refused(absorbed.Term(), "a sum of constants that depends on the order of atomics", kBodyLine + 3);
  OnWords large("mov.f32 %f1, 0f4B000000;\n" + add, {0}, 4);
  Launch::Refused(large.Term(), "a sum of constants that depends on the order of atomics", kBodyLine + 1);

  // Of a pair each half is a sum of its own: here the low one of constants, the high one of inputs. Broken once: with the pair as one sum.
  const auto halves = [](const std::string& low) {
    Launch launch(NewKernel(R"(
    .shared .align 4 .b8 s[4];
    setp.eq.u32 %p1, %r0, 0;
    @%p1 st.shared.u32 [s], 0;
    bar.sync 0;
    add.s64 %rd4, %rd1, %rd2;
    ld.global.u16 %h1, [%rd4];
    mov.b16 %h0, )" + low + R"(;
    mov.b32 %r1, {%h0, %h1};
    red.shared.add.noftz.f16x2 [s], %r1;)"));
    launch.AddBuffer({.name = "out", .size = 4, .align = 256}, {0, 0, 0, 0});
    launch.AddBuffer({.name = "in", .size = 256, .align = 256, .writable = false}, {});
    launch.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
    launch.config().contents[1] = {.bytes = {},
                                   .symbol = launch.store().AddSymbol({.name = "in", .dtype = ScalarType::kF16, .shape = {128}}),
                                   .dtype = ScalarType::kF16,
                                   .cells = {}};
    launch.Block(64);
    return launch.Term();
  };
  Launch::Refused(halves("0x2e66"), "a sum of constants that depends on the order of atomics", kBodyLine + 9);
  EXPECT_EQ(halves("%h1").status, RunResult::Status::kCompleted);

  Launch inputs(Kernel("add.s64 %rd4, %rd1, %rd2;\nld.global.f32 %f1, [%rd4];\n" + add));
  inputs.AddBuffer({.name = "out", .size = 4, .align = 256}, {0, 0, 0, 0});
  inputs.AddBuffer({.name = "in", .size = 256, .align = 256, .writable = false}, {});
  inputs.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
  inputs.config().contents[1] = {.bytes = {},
                                 .symbol = inputs.store().AddSymbol({.name = "in", .dtype = ScalarType::kF32, .shape = {64}}),
                                 .dtype = ScalarType::kF32,
                                 .cells = {}};
  inputs.Block(64);
  const RunResult result = inputs.Term();
  ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  ASSERT_EQ(result.assumptions.size(), 1u);
  EXPECT_NE(result.assumptions[0].find("are made in any order"), std::string::npos);
  EXPECT_TRUE(result.rounded_choice.has_value());
}

}  // namespace
}  // namespace racer
