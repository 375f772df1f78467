// State spaces, widths, and every check on an access.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

TEST(MachineMemory, NarrowAccesses) {
  // A u8 store keeps the low byte; s8 and s16 loads extend the sign into wider registers; u8 does not.
  Launch launch(Kernel(R"(
    mov.u32 %r1, 0x1ff;
    mov.u32 %r2, 0;
    st.global.u32 [%rd0], %r2;
    st.global.u8 [%rd0+1], %r1;
    ld.global.s8 %r3, [%rd1];
    ld.global.u8 %r4, [%rd1];
    ld.global.s16 %r5, [%rd1+2];
    ld.global.s8 %h1, [%rd1];
    cvt.u32.u16 %r6, %h1;
    ld.global.s32 %rd4, [%rd1+4];
    shr.u64 %rd4, %rd4, 32;
    cvt.u32.u64 %r7, %rd4;
    st.global.v4.u32 [%rd0+16], {%r3, %r4, %r5, %r6};
    st.global.u32 [%rd0+4], %r7;
    st.global.v2.u32 [%rd0+8], {%r2, %r2};)"));
  launch.Buffers(32, {0x8001'0080, 0x8000'0000}).ExpectWords({0xff00, 0xffffffff, 0, 0, 0xffffff80, 0x80, 0xffff8001, 0xff80});
}

TEST(MachineMemory, Vectors) {
  Launch launch(Kernel(R"(
    ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
    ld.global.nc.v2.b64 {%rd4, %rd5}, [%rd1+16];
    ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd1];
    cvt.u32.u16 %r5, %h3;
    st.global.v4.u32 [%rd0], {%r4, %r3, %r2, %r5};
    st.global.v2.b64 [%rd0+16], {%rd5, %rd4};
    ld.global.v2.u32 {_, %r6}, [%rd1];
    st.global.u32 [%rd0+32], %r6;)"));
  launch.Buffers(36, {0x04030201, 2, 3, 4, 5, 6, 7, 8}).ExpectWords({4, 3, 2, 3, 7, 8, 5, 6, 2});
}

TEST(MachineMemory, LocalArraysArePrivate) {
  Launch launch(Kernel(R"(
    .local .align 4 .b8 depot[16];
    mov.u64 %rd4, depot;
    cvta.local.u64 %rd5, %rd4;
    st.local.u32 [%rd4+4], %r0;
    mul.lo.u32 %r1, %r0, 3;
    st.u32 [%rd5+8], %r1;
    ld.u32 %r2, [%rd5+4];
    ld.local.u32 %r3, [depot+8];
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%rd3], %r2;)"));
  launch.Buffers(4 * 64, {}).Block(64).ExpectWords(Words(64, [](uint32_t i) { return 4 * i; }));
}

TEST(MachineMemory, StaticAndDynamicSharedDoNotOverlap) {
  Launch launch(Kernel(R"(
    .shared .align 4 .b8 fixed[8];
    mov.u32 %r1, fixed;
    mov.u32 %r2, dynamic;
    mov.u32 %r3, 11; mov.u32 %r4, 22;
    st.shared.v2.u32 [dynamic], {%r4, %r4};
    st.shared.u32 [%r1], %r3;
    st.shared.u32 [fixed+4], %r3;
    ld.shared.u32 %r5, [%r2+4];
    mov.u64 %rd4, fixed;
    cvta.shared.u64 %rd5, %rd4;
    ld.u32 %r6, [%rd5+4];
    cvta.to.shared.u64 %rd6, %rd5;
    ld.shared.u32 %r7, [%rd6];
    add.u32 %r6, %r6, %r7;
    isspacep.shared %p1, %rd5;
    isspacep.global %p2, %rd5;
    isspacep.global %p3, %rd0;
    selp.u32 %r8, 1, 0, %p1; selp.u32 %r9, 10, 0, %p2; selp.u32 %r10, 100, 0, %p3;
    add.u32 %r8, %r8, %r9; add.u32 %r8, %r8, %r10;
    st.global.v2.u32 [%rd0], {%r5, %r6};
    st.global.u32 [%rd0+8], %r8;)",
                       ".extern .shared .align 16 .b8 dynamic[];\n"));
  launch.Buffers(12, {});
  launch.config().launch.dynamic_shared = 8;
  launch.ExpectWords({22, 22, 101});
  EXPECT_EQ(launch.Bits().stats.shared_bytes, 24u);  // 8, up to the alignment of 16, and 8
}

TEST(MachineMemory, InitialisedVariables) {
  Launch launch(Kernel(R"(
    ld.const.u32 %r1, [table+8];
    ld.global.u64 %rd4, [pointer];
    ld.global.u32 %r2, [%rd4];
    ld.global.u32 %r3, [counts+4];
    st.global.v2.u32 [%rd0], {%r1, %r2};
    st.global.u32 [%rd0+8], %r3;)",
                       ".const .align 4 .u32 table[3] = {1, 2, 77};\n.global .align 4 .u32 counts[2] = {5};\n"
                       ".global .align 8 .u64 pointer = counts;\n"));
  launch.Buffers(12, {}).ExpectWords({77, 5, 0});
}

TEST(MachineMemory, ParametersByAddress) {
  Launch launch(Kernel(R"(
    mov.b64 %rd4, n;
    ld.param.u32 %r1, [%rd4];
    cvta.param.u64 %rd5, %rd4;
    ld.u32 %r2, [%rd5];
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%rd0], %r1;)"));
  launch.Buffers(4, {}, 21).ExpectWords({42});
}

TEST(MachineMemory, PastTheEnd) {
  Launch(Kernel("ld.global.u32 %r1, [%rd1+16];"))
      .Buffers(4, {1, 2, 3, 4})
      .ExpectViolation(Gate::kBounds, "load of 4 bytes at in+16, just past the end of in (16 bytes)", kBodyLine);
  Launch(Kernel("ld.global.u32 %r1, [%rd1+-4];")).Buffers(4, {1, 2, 3, 4}).ExpectViolation(Gate::kBounds, "in-4, 4 bytes before the start");
  Launch(Kernel("ld.global.u32 %r1, [%rd1+12];")).Buffers(4, {1, 2, 3, 4}).ExpectCompleted();
  Launch(Kernel("st.global.u32 [%rd0+4], %r0;"))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "store of 4 bytes at out+4, just past the end of out", kBodyLine);
}

TEST(MachineMemory, StraddlingTheEnd) {
  Launch(Kernel("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];"))
      .Buffers(4, {1, 2, 3, 4, 5, 6})
      .ExpectViolation(Gate::kBounds, "reaches 8 bytes past the end of in (24 bytes)");
  Launch(Kernel("ld.global.v2.u32 {%r1, %r2}, [%rd1+16];")).Buffers(4, {1, 2, 3, 4, 5, 6}).ExpectCompleted();
}

TEST(MachineMemory, Misaligned) {
  Launch(Kernel("ld.global.u32 %r1, [%rd1+2];"))
      .Buffers(4, {1, 2})
      .ExpectViolation(Gate::kBounds, "misaligned load of 4 bytes at in+2", kBodyLine);
  Launch(Kernel("ld.global.v2.u32 {%r1, %r2}, [%rd1+4];"))
      .Buffers(4, {1, 2, 3})
      .ExpectViolation(Gate::kBounds, "misaligned load of 8 bytes at in+4");
  Launch(Kernel("ld.global.u16 %h1, [%rd1+2];")).Buffers(4, {1, 2}).ExpectCompleted();
}

TEST(MachineMemory, OnlyTheGrantedAlignment) {
  const std::string kernel = Kernel("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];");
  for (uint64_t align : {4u, 8u}) {
    Launch launch(kernel);
    launch.Buffers(4, {1, 2, 3, 4});
    launch.config().buffers[1].align = align;
    launch.ExpectViolation(Gate::kBounds, "misaligned load of 16 bytes at in+0");
  }
  Launch launch(kernel);
  launch.Buffers(4, {1, 2, 3, 4});
  launch.config().buffers[1].align = 16;
  launch.ExpectCompleted();
}

TEST(MachineMemory, WrapsPast64Bits) {
  // in + 2^64 is in itself in 64-bit arithmetic; in - in - 8 wraps to the top of the address space, where nothing is.
  Launch(Kernel("sub.u64 %rd4, %rd1, %rd1;\nld.global.u32 %r1, [%rd4+-8];"))
      .Buffers(4, {1})
      .ExpectViolation(Gate::kBounds, "load of 4 bytes");
  Launch(Kernel("sub.u64 %rd4, %rd1, %rd1;\nsub.u64 %rd4, %rd4, 4;\nld.global.v2.u32 {%r1, %r2}, [%rd4+4];"))
      .Buffers(4, {1})
      .ExpectViolation(Gate::kBounds, "load of 8 bytes");
}

TEST(MachineMemory, FarIndicesDoNotReachANeighbour) {
  // 2^31 elements further on there is no other tensor to be read by mistake.
  Launch(Kernel("mov.u32 %r1, 0x7fffffff;\nmul.wide.s32 %rd4, %r1, 16;\nadd.s64 %rd4, %rd4, %rd0;\nld.global.u32 %r2, [%rd4];"))
      .Buffers(4, {1})
      .ExpectViolation(Gate::kBounds, "past the end of out (4 bytes)");
}

TEST(MachineMemory, ReadOnlyTensors) {
  Launch(Kernel("st.global.u32 [%rd1], %r0;")).Buffers(4, {1}).ExpectViolation(Gate::kPreserve, "read-only tensor at in+0", kBodyLine);
}

TEST(MachineMemory, StoresToConstantsThroughGenericAddresses) {
  Launch(Kernel("mov.u64 %rd4, table;\ncvta.const.u64 %rd4, %rd4;\nst.u32 [%rd4], %r0;", ".const .align 4 .u32 table[1] = {1};\n"))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "store to .const memory");
}

TEST(MachineMemory, SharedVariablesAreKeptApart) {
  const std::string shared = ".shared .align 4 .b8 a[16];\n.shared .align 4 .b8 b[16];\n";
  Launch(Kernel(shared + "st.shared.u32 [b], %r0;\nld.shared.u32 %r1, [a+16];"))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "just past the end of a (16 bytes)");
  Launch(Kernel(shared + "st.shared.u32 [b], %r0;\nld.shared.u32 %r1, [b];")).Buffers(4, {}).ExpectCompleted();
}

TEST(MachineMemory, EveryOrderLoadsAndStores) {
  Launch(NewKernel(R"(
    ld.acquire.gpu.global.u32 %r1, [%rd1];
    ld.relaxed.sys.global.u32 %r2, [%rd1];
    ld.mmio.relaxed.sys.global.u32 %r3, [%rd1];
    ldu.global.u32 %r4, [%rd1];
    fence.acq_rel.gpu; fence.acquire.cta; membar.sys; fence.proxy.async; fence.proxy.alias;
    st.release.cta.global.v2.u32 [%rd0], {%r1, %r2};
    st.mmio.relaxed.sys.global.u32 [%rd0+8], %r3;
    st.relaxed.gpu.global.u32 [%rd0+12], %r4;)"))
      .Buffers(16, {6})
      .ExpectWords({6, 6, 6, 6});
  Launch(Kernel("ld.volatile.global.u32 %r1, [%rd1];\nst.global.u32 [%rd0], %r1;")).Buffers(4, {6}).ExpectWords({6});
}

TEST(MachineMemory, Races) {
  const std::string shared = ".shared .align 4 .b8 s[128];\nmov.u32 %r1, s;\nmad.lo.u32 %r1, %r0, 4, %r1;\n";
  Launch without(Kernel(shared + "st.shared.u32 [%r1], %r0;\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd3], %r2;"));
  without.Buffers(128, {}).Block(32).ExpectViolation(
      Gate::kRace, "data race on s+0: read by thread (1,0,0) of CTA (0,0,0) and write by thread (0,0,0)", kBodyLine + 4);
  Launch with(Kernel(shared + "st.shared.u32 [%r1], %r0;\nbar.sync 0;\nld.shared.u32 %r2, [s+4];\nst.global.u32 [%rd3], %r2;"));
  with.Buffers(128, {}).Block(32).ExpectWords(Words(32, [](uint32_t) { return 1; }));
}

TEST(MachineMemory, UnorderedWritesOfTheSameValueAreNoRace) {
  const std::string shared = ".shared .align 8 .b8 s[8];\nmov.u32 %r1, 5;\n";
  Launch(Kernel(shared + "st.shared.u32 [s], %r1;\nbar.sync 0;\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd3], %r2;"))
      .Buffers(256, {})
      .Block(64)
      .ExpectWords(Words(64, [](uint32_t) { return 5; }));
  Launch(Kernel(shared + "st.shared.u32 [s], %r0;")).Buffers(4, {}).Block(64).ExpectViolation(Gate::kRace, "data race on s+0: write");
}

// Both halves of 8 bytes and every element of a vector count: leaving any out of the comparison fails here.
TEST(MachineMemory, UnorderedWritesOfTheSameWideValueAreNoRace) {
  const std::string shared = ".shared .align 16 .b8 s[16];\n";
  const auto wide = [&](const std::string& value) {
    return Launch(Kernel(shared + "mov.u64 %rd4, 0x100000005;\n" + value +
                         "st.shared.u64 [s], %rd4;\nbar.sync 0;\nld.shared.u32 %r2, [s+4];\n" + "st.global.u32 [%rd3], %r2;"));
  };
  const std::string id = "cvt.u64.u32 %rd5, %r0;\n";
  wide("").Buffers(256, {}).Block(64).ExpectWords(Words(64, [](uint32_t) { return 1; }));
  wide(id + "add.u64 %rd4, %rd4, %rd5;\n").Buffers(256, {}).Block(64).ExpectViolation(Gate::kRace, "data race on s+0: write");
  wide(id + "shl.b64 %rd5, %rd5, 32;\nadd.u64 %rd4, %rd4, %rd5;\n")
      .Buffers(256, {})
      .Block(64)
      .ExpectViolation(Gate::kRace, "data race on s+4: write");
  const auto vector = [&](const std::string& elements) {
    return Launch(Kernel(shared + "mov.u32 %r1, 5;\nst.shared.v4.b32 [s], {" + elements + "};\nbar.sync 0;\nld.shared.u32 %r2, [s+12];\n" +
                         "st.global.u32 [%rd3], %r2;"));
  };
  vector("%r1, %r1, %r1, %r1").Buffers(256, {}).Block(64).ExpectWords(Words(64, [](uint32_t) { return 5; }));
  vector("%r1, %r1, %r1, %r0").Buffers(256, {}).Block(64).ExpectViolation(Gate::kRace, "data race on s+12: write");
  vector("%r0, %r1, %r1, %r1").Buffers(256, {}).Block(64).ExpectViolation(Gate::kRace, "data race on s+0: write");
}

TEST(MachineMemory, FlagsWithFencesAreRefusedNotCalledRaces) {
  const auto kernel = [](const std::string& fence, const std::string& order, const std::string& early = "") {
    return Kernel(".shared .align 4 .b8 s[8];\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra $wait;\nst.shared.u32 [s], 7;\n" + fence + "st" + order +
                  ".shared.u32 [s+4], 1;\nbra.uni $end;\n$wait:\n" + early + "ld" + order + ".shared.u32 %r1, [s+4];\n$end:");
  };
  const std::string data = "ld.shared.u32 %r2, [s];\n";
  Launch(kernel("membar.cta;\n", ".volatile", data)).Buffers(4, {}).Block(2).ExpectUnsupported("fences and volatile or relaxed accesses");
  Launch(kernel("", ".volatile", data)).Buffers(4, {}).Block(2).ExpectViolation(Gate::kRace, "data race on s+0");
  // PTX ISA, "Volatile Operations": as .relaxed.sys, so a flag alone is no race. Broken once: with .volatile taken for weak.
  Launch(kernel("", ".volatile")).Buffers(4, {}).Block(2).ExpectUnsupported("volatile or relaxed accesses that nothing orders");
  Launch(kernel("membar.cta;\n", "")).Buffers(4, {}).Block(2).ExpectViolation(Gate::kRace, "data race on s+4");
}

// Broken once each: without UseInitialValue, without the flags of UseVariable.
TEST(MachineMemory, ModuleVariablesBelongToTheHostToo) {
  const auto kernel = [](const std::string& variable, const std::string& body) { return Kernel(body, variable + "\n"); };
  const std::string read = "ld.const.u32 %r1, [v];\nst.global.u32 [%rd3], %r1;";
  Launch(kernel(".const .align 4 .u32 v = 7;", read)).Buffers(4, {}).ExpectWords({7});
  Launch(kernel(".const .align 4 .u32 v;", read)).Buffers(4, {}).ExpectUnsupported("what `v` holds");
  const std::string load = "ld.global.u32 %r1, [v];\nst.global.u32 [%rd3], %r1;", store = "st.global.u32 [v], 5;\n";
  Launch(kernel(".global .align 4 .u32 v = 7;", load)).Buffers(4, {}).ExpectWords({7});
  Launch(kernel(".global .align 4 .u32 v;", load)).Buffers(4, {}).ExpectUnsupported("what `v` holds");
  Launch(kernel(".global .align 4 .u32 v = 7;", load + store)).Buffers(4, {}).ExpectUnsupported("kept from launch to launch");
  Launch(kernel(".global .align 4 .u32 v;", store + load)).Buffers(4, {}).ExpectWords({5});
  Launch assumed(kernel(".global .align 4 .u32 v = 7;", load));
  assumed.Buffers(4, {});
  EXPECT_EQ(assumed.Bits().assumptions, std::vector<std::string>{"variable `v` holds its initialiser when the kernel starts"});
}

// ptxas places variables; where an access needs more than the declaration grants, packing here proves nothing.
TEST(MachineMemory, AlignmentByLuckIsNotReliedOn) {
  Launch(Kernel(".shared .align 4 .b8 s[16];\nst.shared.v2.u32 [s], {%r0, %r0};")).Buffers(4, {}).ExpectUnsupported("declared .align 4");
  Launch(Kernel(".local .align 4 .b8 s[16];\nst.local.u64 [s], %rd0;")).Buffers(4, {}).ExpectUnsupported("declared .align 4");
  Launch(Kernel(".shared .align 8 .b8 s[16];\nst.shared.v2.u32 [s], {%r0, %r0};")).Buffers(4, {}).ExpectCompleted();
}

TEST(MachineMemory, RacesBetweenCtas) {
  Launch(Kernel("mov.u32 %r1, %ctaid.x;\nst.global.u32 [%rd0], %r1;"))
      .Buffers(4, {})
      .Grid(2)
      .ExpectViolation(Gate::kRace, "data race on out+0", kBodyLine + 1);
  Launch(Kernel("mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd4, %rd0;\nst.global.u32 [%rd4], %r1;"))
      .Buffers(8, {})
      .Grid(2)
      .ExpectWords({0, 1});
}

TEST(MachineMemory, WideRegistersAndVectors) {
  Launch launch(NewKernel(R"(
    .reg .b128 %q<4>;
    ld.global.b128 %q0, [%rd1];
    mov.b128 %q1, %q0;
    mov.b128 {%rd4, %rd5}, %q1;
    mov.b128 {%r1, %r2, %r3, %r4}, %q1;
    mov.b128 %q2, {%r4, %r3, %r2, %r1};
    mov.b128 %q3, {%rd5, %rd4};
    mov.b128 {_, %rd6}, %q3;
    ldu.global.b128 %q0, [%rd1+16];
    st.global.b128 [%rd0], %q2;
    st.global.b128 [%rd0+16], %q3;
    st.relaxed.gpu.global.b128 [%rd0+32], %q0;
    ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];
    st.global.v8.b32 [%rd0+64], {%r8, %r7, %r6, %r5, %r4, %r3, %r2, %r1};
    ld.global.v4.b64 {%rd7, %rd8, %rd9, %rd10}, [%rd1];
    st.global.v4.b64 [%rd0+96], {%rd10, %rd9, %rd8, %rd6};
    st.global.u64 [%rd0+48], %rd6;)"));
  launch.Buffers(128, {1, 2, 3, 4, 5, 6, 7, 8});
  launch.ExpectWords({4, 3, 2, 1, 3, 4, 1, 2, 5, 6, 7, 8, 1, 2});
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(launch.bits().ReadCell(0, 64 + 4 * i, 32).bits, 8 - i);
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(launch.bits().ReadCell(0, 96 + 4 * i, 32).bits, (std::vector<uint64_t>{7, 8, 5, 6, 3, 4, 1, 2}[i]));
  Launch(NewKernel(".reg .b128 %q<4>;\nld.global.b128 %q0, [%rd1+8];"))
      .Buffers(4, {1, 2, 3, 4, 5, 6})
      .ExpectViolation(Gate::kBounds, "misaligned load of 16 bytes");
}

TEST(MachineMemory, HintsChangeNoValueAndDiscardLeavesNone) {
  Launch launch(NewKernel(R"(
    createpolicy.fractional.L2::evict_last.b64 %rd4, 0.5;
    createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %rd5, [%rd1], 128, 256;
    createpolicy.cvt.L2.b64 %rd6, %rd4;
    prefetch.global.L1 [%rd1]; prefetch.global.L2::evict_last [%rd1]; prefetchu.L1 [%rd1];
    applypriority.global.L2::evict_normal [%rd0], 128;
    griddepcontrol.wait; griddepcontrol.launch_dependents; setmaxnreg.inc.sync.aligned.u32 64; nanosleep.u32 20; pmevent 1;
    ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd4;
    discard.global.L2 [%rd0], 128;
    st.global.u32 [%rd0], %r1;)"));
  launch.Buffers(128, {6}).ExpectWords({6});
  EXPECT_EQ(launch.term().ReadCell(0, 4, 32).state, CellValue::State::kUnwritten);
  Launch(NewKernel("createpolicy.fractional.L2::evict_last.b64 %rd4, 0.5;\nld.global.u32 %r1, [%rd4];")).Buffers(4, {6}).Term();
  Launch policy(NewKernel("createpolicy.fractional.L2::evict_last.b64 %rd4, 0.5;\nld.global.u32 %r1, [%rd4];"));
  policy.Buffers(4, {6});
  Launch::Violated(policy.Term(), Gate::kInit, "an address of thread (0,0,0)", kBodyLine + 1);
  Launch discarded(NewKernel("discard.global.L2 [%rd0], 128;"));
  discarded.AddBuffer({.name = "out", .size = 128, .align = 256}, std::vector<uint8_t>(128, 1))
      .AddBuffer({.name = "in", .size = 4}, {0, 0, 0, 0});
  discarded.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
  ASSERT_EQ(discarded.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(discarded.term().ReadCell(0, 0, 32).state, CellValue::State::kUnwritten);
  Launch(NewKernel("discard.global.L2 [%rd0+64], 128;")).Buffers(256, {}).ExpectViolation(Gate::kBounds, "misaligned discard of 128 bytes");
  Launch(NewKernel("discard.global.L2 [%rd1], 128;"))
      .Buffers(4, std::vector<uint32_t>(64))
      .ExpectViolation(Gate::kPreserve, "discard of 128 bytes to the read-only");
}

// Broken once each: without Undefine (above), without CheckRace, without a look at who has read, without the mark of a writer, outside
// global memory.
TEST(MachineMemory, DiscardIsAStore) {
  const auto kernel = [](const std::string& body) { return NewKernel("setp.eq.u32 %p1, %r0, 0;\n" + body); };
  const std::string discard = "@%p1 discard.global.L2 [%rd0], 128;\n";
  Launch(kernel(discard + "bar.sync 0;\nst.global.u32 [%rd3], %r0;")).Buffers(256, {}).Block(64).ExpectWords(Words(64, [](uint32_t i) {
    return i;
  }));
  Launch(kernel(discard + "st.global.u32 [%rd3], %r0;")).Buffers(256, {}).Block(64).ExpectViolation(Gate::kRace, "data race on out+4");
  Launch(kernel("@%p1 ld.global.nc.u32 %r1, [%rd0+64];\n" + discard))
      .Buffers(256, {})
      .Block(64)
      .ExpectUnsupported("ld.global.nc or ldu has read", kBodyLine + 2);
  Launch(kernel(discard + "@%p1 ld.global.nc.u32 %r1, [%rd0+124];"))
      .Buffers(256, {})
      .Block(64)
      .ExpectUnsupported("that this launch has written", kBodyLine + 2);
  Launch(NewKernel(".shared .align 128 .b8 s[128];\nmov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\ndiscard.L2 [%rd4], 128;"))
      .Buffers(4, {})
      .ExpectUnsupported("discard outside global memory", kBodyLine + 3);
}

TEST(MachineMemory, AddressesOfTheOwnCta) {
  Launch(NewKernel(R"(
    .shared .align 4 .b8 s[8];
    mapa.shared::cluster.u32 %r1, s, 0;
    st.shared::cluster.u32 [%r1+4], 5;
    mov.u64 %rd4, s;
    cvta.shared.u64 %rd4, %rd4;
    mov.u32 %r2, %cluster_ctarank;
    mapa.u64 %rd5, %rd4, %r2;
    ld.u32 %r3, [%rd5+4];
    getctarank.shared::cluster.u32 %r4, %r1;
    getctarank.u64 %r5, %rd4;
    isspacep.shared::cluster %p1, %rd5;
    selp.u32 %r6, 1, 0, %p1;
    st.global.v4.u32 [%rd0], {%r3, %r4, %r5, %r6};)"))
      .Buffers(16, {})
      .ExpectWords({5, 0, 0, 1});
  Launch other(NewKernel(".shared .align 4 .b8 s[8];\nmapa.shared::cluster.u32 %r1, s, 1;\nst.shared::cluster.u32 [%r1], 5;"));
  other.Buffers(4, {});
  Launch::Violated(other.Term(), Gate::kInit, "depends on a result that the instruction leaves open");
}

TEST(MachineMemory, StacksGrowAndShrink) {
  Launch(NewKernel(R"(
    stacksave.u64 %rd4;
    mul.wide.u32 %rd5, %r0, 4;
    add.u64 %rd5, %rd5, 4;
    alloca.u64 %rd6, %rd5;
    alloca.u64 %rd7, 16, 64;
    and.b64 %rd8, %rd7, 63;
    st.local.u32 [%rd6], 7;
    st.local.v4.u32 [%rd7], {%r0, %r0, %r0, %r0};
    cvta.local.u64 %rd9, %rd6;
    ld.u32 %r1, [%rd9];
    ld.local.u32 %r2, [%rd7+12];
    stackrestore.u64 %rd4;
    alloca.u64 %rd10, 8;
    sub.u64 %rd11, %rd10, %rd6;
    add.u32 %r1, %r1, %r2;
    cvt.u32.u64 %r3, %rd11;
    cvt.u32.u64 %r4, %rd8;
    add.u32 %r1, %r1, %r3;
    add.u32 %r1, %r1, %r4;
    st.global.u32 [%rd3], %r1;)"))
      .Buffers(16, {})
      .Block(4)
      .ExpectWords({7, 8, 9, 10});
  const std::string block = "alloca.u64 %rd4, 8;\n";
  // Broken once each: without OnStack (both), without a stack where nothing allocates (the last: a crash).
  Launch(NewKernel(block + "st.local.u32 [%rd4+8], 7;"))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "store of 4 bytes at the stack+8, where nothing is allocated, by thread", kBodyLine + 1);
  Launch(NewKernel("stacksave.u64 %rd5;\n" + block + "stackrestore.u64 %rd5;\nst.local.u32 [%rd4], 7;"))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "at the stack+0, where nothing is allocated", kBodyLine + 3);
  Launch(NewKernel(block + "stackrestore.u64 %rd0;")).Buffers(4, {}).ExpectUnsupported("a stack pointer that stacksave has not given");
  Launch(NewKernel("stackrestore.u64 %rd0;")).Buffers(4, {}).ExpectUnsupported("a stack pointer that stacksave has not given");
  Launch(NewKernel("alloca.u64 %rd4, 5000;")).Buffers(4, {}).ExpectUnsupported("a stack of more than 4096 bytes");
  Launch(NewKernel("cvt.u64.u32 %rd5, %r0;\nalloca.u64 %rd4, %rd5;")).Buffers(4, {}).ExpectUnsupported("an allocation of no bytes");
  // What a block held is gone with it. Broken once: without Undefine in Allocate.
  const std::string again = "stacksave.u64 %rd5;\n" + block + "st.local.u32 [%rd4], 7;\nstackrestore.u64 %rd5;\n" + block;
  for (const std::string& before : {block, again}) {
    Launch undefined(NewKernel(before + "ld.local.u32 %r1, [%rd4];\nst.global.u32 [%rd0], %r1;"));
    undefined.Buffers(4, {});
    ASSERT_EQ(undefined.Term().status, RunResult::Status::kCompleted);
    EXPECT_EQ(undefined.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
  }
  // Nor do blocks outlive the call that allocated them. Broken once: without CutStack in Return.
  const std::string function = ".func (.reg .b64 d) block() { alloca.u64 d, 8; st.local.u32 [d], 7; ret; }\n";
  Launch(NewKernel(block + "st.local.u32 [%rd4], 5;\ncall (%rd5), block;\nld.local.u32 %r1, [%rd4];\nst.global.u32 [%rd0], %r1;", function))
      .Buffers(4, {})
      .ExpectWords({5});
  Launch(NewKernel("call (%rd5), block;\nld.local.u32 %r1, [%rd5];", function))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "where nothing is allocated", kBodyLine + 2);
}

// Apart from the kernel's own shared memory, and not counted with it.
TEST(MachineMemory, SharedMemoryThatTheSystemReserves) {
  const std::string address = "mov.u32 %r1, %reserved_smem_offset_1;\n";
  Launch launch(Kernel(address + R"(
    st.shared.u32 [own], 5;
    st.shared.u32 [%r1], 7;
    cvt.u64.u32 %rd4, %r1;
    cvta.shared.u64 %rd5, %rd4;
    st.u32 [%rd5+284], 9;
    ld.shared.u32 %r2, [%r1+284];
    ld.shared.u32 %r3, [own];
    mad.lo.u32 %r2, %r3, 10, %r2;
    st.global.u32 [%rd0], %r2;)",
                       ".shared .align 4 .b8 own[4];\n"));
  launch.Buffers(4, {}).ExpectWords({59});
  const RunResult result = launch.Bits();
  EXPECT_EQ(result.stats.shared_bytes, 4u);
  EXPECT_EQ(result.assumptions.size(), 1u);
  Launch(Kernel(address + "st.shared.u32 [%r1+288], 7;"))
      .Buffers(4, {})
      .ExpectViolation(Gate::kBounds, "the shared memory that the system reserves+288", kBodyLine + 1);
  // What it holds at first is not known.
  Launch undefined(Kernel(address + "ld.shared.u32 %r2, [%r1];\nst.global.u32 [%rd0], %r2;"));
  undefined.Buffers(4, {});
  ASSERT_EQ(undefined.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(undefined.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
  for (const char* name :
       {"%reserved_smem_offset_0", "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap"})
    Launch(Kernel("mov.u32 %r1, " + std::string(name) + ";")).Buffers(4, {}).ExpectUnsupported(name);
}

TEST(MachineMemory, CellsRememberTheirWriter) {
  Launch launch(Kernel("st.global.u32 [%rd0], %r0;\nst.global.u16 [%rd0+4], 5;"));
  launch.Buffers(12, {});
  ASSERT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
  EXPECT_EQ(launch.bits().DescribeOrigin(launch.bits().ReadCell(0, 0, 32).writer).line, kBodyLine);
  EXPECT_TRUE(launch.bits().WasWritten(0, 4, 16));
  EXPECT_FALSE(launch.bits().WasWritten(0, 4, 32));
  EXPECT_EQ(launch.bits().ReadCell(0, 4, 32).state, CellValue::State::kUnwritten);
  EXPECT_EQ(launch.bits().ReadCell(0, 8, 32).state, CellValue::State::kUnwritten);
  EXPECT_EQ(launch.bits().ReadCell(0, 4, 16).bits, 5u);
}

}  // namespace
}  // namespace racer
