// Moves, immediates, special registers, guards.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

TEST(MachineValue, StraightLine) {
  Launch(Kernel("add.u32 %r1, %r0, 7;\nst.global.u32 [%rd3], %r1;")).Buffers(256, {}).Block(64).ExpectWords(Words(64, [](uint32_t i) {
    return i + 7;
  }));
}

TEST(MachineValue, ThreeDimensions) {
  // tid and ctaid of a 2x3x2 block in a 2x1x2 grid, packed as decimal digits.
  Launch launch(Kernel(R"(
    mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.z; mov.u32 %r5, %nctaid.z; mov.u32 %r6, %ntid.y;
    mad.lo.u32 %r7, %r2, 3, %r1;          // tid.z * 3 + tid.y
    mad.lo.u32 %r7, %r7, 2, %r0;          // linear thread
    mad.lo.u32 %r8, %r4, 2, %r3;          // linear CTA
    mad.lo.u32 %r9, %r8, 12, %r7;
    mul.wide.u32 %rd4, %r9, 4;
    add.s64 %rd5, %rd0, %rd4;
    mul.lo.u32 %r10, %r1, 10; mad.lo.u32 %r10, %r2, 100, %r10; add.u32 %r10, %r10, %r0;
    mad.lo.u32 %r10, %r3, 1000, %r10; mad.lo.u32 %r10, %r4, 10000, %r10;
    mad.lo.u32 %r10, %r5, 100000, %r10; mad.lo.u32 %r10, %r6, 1000000, %r10;
    st.global.u32 [%rd5], %r10;)"));
  launch.Buffers(4 * 48, {}).Block(2, 3, 2).Grid(2, 1, 2);
  launch.ExpectWords(Words(48, [](uint32_t i) {
    const uint32_t t = i % 12, c = i / 12;
    return t % 2 + t / 2 % 3 * 10 + t / 6 * 100 + c % 2 * 1000 + c / 2 * 10000 + 200000 + 3000000;
  }));
}

TEST(MachineValue, LaneRegisters) {
  Launch launch(Kernel(R"(
    mov.u32 %r1, %laneid; mov.u32 %r2, %lanemask_lt; mov.u32 %r3, %lanemask_ge; mov.u32 %r4, %lanemask_le; mov.u32 %r5, %lanemask_gt;
    mov.u32 %r6, %lanemask_eq;
    xor.b32 %r7, %r2, %r3;      // all ones
    xor.b32 %r8, %r4, %r5;      // all ones
    xor.b32 %r9, %r4, %r2;      // eq
    and.b32 %r7, %r7, %r8;
    add.u32 %r7, %r7, 1;        // 0
    xor.b32 %r9, %r9, %r6;      // 0
    or.b32 %r7, %r7, %r9;
    add.u32 %r7, %r7, %r1;
    st.global.u32 [%rd3], %r7;)"));
  launch.Buffers(4 * 40, {}).Block(40).ExpectWords(Words(40, [](uint32_t i) { return i % 32; }));
}

TEST(MachineValue, PackAndUnpack) {
  Launch launch(Kernel(R"(
    ld.global.u32 %r1, [%rd1];
    mov.b32 {%h1, %h2}, %r1;
    mov.b32 %r2, {%h2, %h1};
    mov.b64 %rd4, {%r2, %r1};
    mov.b64 {_, %r3}, %rd4;
    mov.b64 {%r4, _}, %rd4;
    st.global.v2.u32 [%rd0], {%r3, %r4};)"));
  launch.Buffers(8, {0x12345678}).ExpectWords({0x12345678, 0x56781234});
}

TEST(MachineValue, LiteralsTakeTheOperandType) {
  Launch launch(Kernel(R"(
    mov.u32 %r1, -8388608;
    st.global.u32 [%rd0], %r1;
    mov.f32 %f1, 0.1;
    st.global.f32 [%rd0+4], %f1;
    mov.f32 %f2, 0f7FC00001;
    st.global.f32 [%rd0+8], %f2;
    mov.b32 %r2, 0x80000000;
    st.global.u32 [%rd0+12], %r2;)"));
  launch.Buffers(16, {}).ExpectWords({0xff800000, 0x3dcccccd, 0x7fc00001, 0x80000000});
}

TEST(MachineValue, GuardsSelectLanes) {
  Launch launch(Kernel(R"(
    mov.u32 %r1, 5;
    setp.lt.u32 %p1, %r0, 3;
    @%p1 mov.u32 %r1, 9;
    @!%p1 add.u32 %r1, %r1, %r0;
    st.global.u32 [%rd3], %r1;)"));
  launch.Buffers(4 * 8, {}).Block(8).ExpectWords({9, 9, 9, 8, 9, 10, 11, 12});
}

TEST(MachineValue, PackedHalvesThroughMemory) {
  // Two f16 values stored as one word, the high one read back and multiplied with the low one by f16x2 arithmetic.
  Launch launch(Kernel(R"(
    ld.global.b32 %r1, [%rd1];
    mov.b32 {%h1, %h2}, %r1;
    mov.b32 %r2, {%h2, %h1};
    mul.f16x2 %r3, %r1, %r2;
    st.global.b32 [%rd0], %r3;)"));
  launch.Buffers(4, {0x40003e00}).ExpectWords({0x42004200});  // 1.5 and 2.0: both products are 3.0
}

// A 128-bit sum, difference and product by 32 bits at a time; the carry goes through a guard that some lanes do not take.
TEST(MachineValue, TheCarryFlagIsAnOperand) {
  Launch(Kernel(R"(
    mov.u32 %r1, 0xffffffff;
    add.cc.u32 %r2, %r1, %r0;       // carries for every lane but 0
    addc.cc.u32 %r3, %r1, 0;
    addc.u32 %r4, 7, 0;
    sub.cc.u32 %r5, 0, %r0;         // borrows for every lane but 0
    subc.u32 %r6, 5, 0;
    mad.lo.cc.u32 %r7, %r1, %r0, 1; // -tid + 1: carries for lane 1 alone
    madc.hi.u32 %r8, %r1, %r0, 0;   // tid - 1 (0 for lane 0), and the carry
    setp.eq.u32 %p1, %r0, 0;
    add.cc.u32 %r9, 0, 0;
    @%p1 add.cc.u32 %r9, %r1, %r1;
    addc.u32 %r9, 0, 0;             // 1 for lane 0 alone
    mad.lo.u32 %r10, %r4, 10, %r6;
    mad.lo.u32 %r10, %r10, 10, %r8;
    mad.lo.u32 %r10, %r10, 10, %r9;
    st.global.u32 [%rd3], %r10;)"))
      .Buffers(16, {})
      .Block(4)
      .ExpectWords({7501, 8410, 8410, 8420});
}

TEST(MachineValue, TheCarryFlagIsUndefinedAtFirstAndAfterACall) {
  const auto undefined = [](const std::string& body, const std::string& scope = "") {
    Launch launch(Kernel(body, scope));
    launch.Buffers(4, {});
    ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
    EXPECT_EQ(launch.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined) << body;
  };
  undefined("addc.u32 %r1, 0, 0;\nst.global.u32 [%rd0], %r1;");
  // Broken once by leaving the caller's carry as it was: the sum was 1.
  undefined("add.cc.u32 %r1, 0xffffffff, 1;\ncall f;\naddc.u32 %r1, 0, 0;\nst.global.u32 [%rd0], %r1;",
            ".func f()\n{\n.reg .b32 %r1;\nmov.u32 %r1, 0;\nret;\n}\n");
}

TEST(MachineValue, VolatileSpecialsAreRefusedWhenReached) {
  Launch(Kernel("mov.u32 %r1, %clock;\nst.global.u32 [%rd0], %r1;")).Buffers(4, {}).ExpectUnsupported("`%clock`", kBodyLine);
  // Near miss: behind a guard that is never true.
  Launch(Kernel("setp.gt.u32 %p1, %r0, 5;\n@%p1 mov.u32 %r1, %clock;\nst.global.u32 [%rd3], %r0;"))
      .Buffers(8, {})
      .Block(2)
      .ExpectWords({0, 1});
}

TEST(MachineValue, UnknownInstructionsAreRefusedWhenReached) {
  const std::string name = "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc";
  Launch(Kernel(name + " {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%r9,%r10}, {%r1,%r2,%r3,%r4};"))
      .Buffers(4, {})
      .ExpectUnsupported("mma.sync", kBodyLine);
  Launch(Kernel("bra.uni $done;\n" + name + " {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%r9,%r10}, {%r1,%r2,%r3,%r4};\n$done:"))
      .Buffers(4, {})
      .ExpectCompleted();
}

}  // namespace
}  // namespace racer
