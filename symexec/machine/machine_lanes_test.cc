// Loads and stores of many lanes at once: what one lane does wrong is found, and lanes of any pattern see and leave the same bytes
// as lane by lane.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

// Each breaks if the warp's addresses are checked by the lowest or the first lane alone (tried: without the upper end, without the
// alignment of all).
TEST(MachineLanes, OneLaneOutOfBounds) {
  // Lane 17 reads far behind the others; in `in` of 32 words.
  const std::string select = R"(
    setp.eq.u32 %p1, %r0, 17;
    add.s64 %rd4, %rd1, %rd2;
    @%p1 add.s64 %rd4, %rd1, 128;)";
  Launch load(Kernel(select + "ld.global.u32 %r1, [%rd4];\nst.global.u32 [%rd3], %r1;"));
  load.Buffers(128, Words(32, [](uint32_t i) { return i; })).Block(32).ExpectViolation(Gate::kBounds, "by thread (17,0,0)");
  Launch below(Kernel(R"(
    setp.eq.u32 %p1, %r0, 30;
    mov.u64 %rd4, %rd3;
    @%p1 add.s64 %rd4, %rd0, -4;
    st.global.u32 [%rd4], %r0;)"));
  below.Buffers(128, {}).Block(32).ExpectViolation(Gate::kBounds, "by thread (30,0,0)");
  // All lanes but the last are inside.
  Launch last(Kernel("st.global.u32 [%rd3+4], %r0;"));
  last.Buffers(128, {}).Block(32).ExpectViolation(Gate::kBounds, "by thread (31,0,0)");
}

TEST(MachineLanes, OneLaneMisaligned) {
  Launch launch(Kernel(R"(
    setp.eq.u32 %p1, %r0, 5;
    mov.u64 %rd4, %rd3;
    @%p1 add.s64 %rd4, %rd4, 2;
    st.global.u32 [%rd4], %r0;)"));
  launch.Buffers(256, {}).Block(32).ExpectViolation(Gate::kBounds, "misaligned");
  // Consecutive, and none of them aligned.
  Launch all(Kernel("add.s64 %rd4, %rd3, 1;\nst.global.u32 [%rd4], %r0;"));
  all.Buffers(256, {}).Block(32).ExpectViolation(Gate::kBounds, "misaligned");
}

TEST(MachineLanes, GuardedLanesDoNotCount) {
  // Lanes from 16 on have addresses that nothing is mapped at, and do not use them.
  Launch launch(Kernel(R"(
    setp.lt.u32 %p1, %r0, 16;
    mul.wide.u32 %rd4, %r0, 1000000;
    add.s64 %rd4, %rd4, %rd0;
    selp.b64 %rd4, %rd3, %rd4, %p1;
    mov.u32 %r1, 7;
    @%p1 st.global.u32 [%rd4], %r0;
    @%p1 ld.global.u32 %r1, [%rd4];
    st.global.u32 [%rd3+128], %r1;)"));
  launch.Buffers(256, {}).Block(32);
  ASSERT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(launch.bits().ReadCell(0, 128 + 4 * i, 32).bits, i < 16 ? i : 7);
  EXPECT_FALSE(launch.bits().WasWritten(0, 4 * 16, 32));
  EXPECT_TRUE(launch.bits().WasWritten(0, 4 * 15, 32));
}

TEST(MachineLanes, ScatterAndGather) {
  // Lane i writes place 31 - i and reads place 5 * i mod 32 of shared memory.
  Launch launch(Kernel(R"(
    .shared .align 4 .b8 line[128];
    mov.u32 %r1, line;
    mov.u32 %r2, 31;
    sub.u32 %r2, %r2, %r0;
    mad.lo.u32 %r3, %r2, 4, %r1;
    st.shared.u32 [%r3], %r0;
    bar.sync 0;
    mul.lo.u32 %r4, %r0, 5;
    and.b32 %r4, %r4, 31;
    mad.lo.u32 %r4, %r4, 4, %r1;
    ld.shared.u32 %r5, [%r4];
    ld.shared.u32 %r6, [line+8];
    add.u32 %r5, %r5, %r6;
    st.global.u32 [%rd3], %r5;)"));
  launch.Buffers(128, {}).Block(32).ExpectWords(Words(32, [](uint32_t i) { return 31 - 5 * i % 32 + 29; }));
}

TEST(MachineLanes, WideVectorsAndNarrowSigns) {
  Launch launch(Kernel(R"(
    mul.wide.u32 %rd4, %r0, 16;
    add.s64 %rd5, %rd0, %rd4;
    add.s64 %rd6, %rd1, %rd4;
    ld.global.v2.u64 {%rd7, %rd8}, [%rd6];
    st.global.v2.u64 [%rd5], {%rd8, %rd7};
    ld.global.s8 %r1, [%rd5+3];
    st.global.u8 [%rd5], %r1;)"));
  // The pair of each lane's 16 bytes is exchanged and byte 3 copied to byte 0.
  launch.Buffers(512, Words(128, [](uint32_t i) { return 0x80000000 + i; })).Block(32).ExpectWords(Words(128, [](uint32_t i) {
    const uint32_t word = 0x80000000 + (i ^ 2);
    return i % 4 == 0 ? (word & 0xffffff00) | 0x80 : word;
  }));
}

TEST(MachineLanes, LanesOfOneStoreThatRace) {
  const auto store = [](const std::string& value) {
    return Kernel(".shared .align 4 .b8 flag[4];\nmov.u32 %r1, 1;\nst.shared.u32 [flag], " + value + ";\nst.global.u32 [%rd3], %r0;");
  };
  Launch(store("%r0")).Buffers(128, {}).Block(32).ExpectViolation(Gate::kRace, "data race on flag");
  Launch(store("%r1")).Buffers(128, {}).Block(32).ExpectCompleted();
}

// Breaks if a store of a warp looks at the last write and not at the reads since (tried).
TEST(MachineLanes, WholeWarpsThatRace) {
  const auto exchange = [](const std::string& between, const std::string& compare) {
    return Kernel(R"(
    .shared .align 4 .b8 line[256];
    mov.u32 %r1, line;
    mad.lo.u32 %r2, %r0, 4, %r1;
    xor.b32 %r3, %r0, 32;
    mad.lo.u32 %r3, %r3, 4, %r1;
    st.shared.u32 [%r2], %r0;
    bar.sync 0;
    ld.shared.u32 %r4, [%r3];
    )" + between + "\nsetp." +
                  compare + R"(.u32 %p1, %r0, 32;
    @%p1 st.shared.u32 [%r2], %r4;  // of one warp, to what the other one reads
    st.global.u32 [%rd3], %r4;)");
  };
  // Whichever warp runs first.
  for (const char* compare : {"lt", "ge"}) {
    Launch(exchange("", compare)).Buffers(256, {}).Block(64).ExpectViolation(Gate::kRace, "data race on line");
    Launch(exchange("bar.sync 0;", compare)).Buffers(256, {}).Block(64).ExpectWords(Words(64, [](uint32_t i) { return i ^ 32; }));
  }
}

TEST(MachineLanes, NonCoherentLoadsAndStores) {
  Launch launch(Kernel("st.global.u32 [%rd3], %r0;\nld.global.nc.u32 %r1, [%rd3];"));
  launch.Buffers(128, {}).Block(32).ExpectUnsupported("ld.global.nc of memory that this launch has written", kBodyLine + 1);
  Launch after(Kernel("setp.eq.u32 %p1, %r0, 9;\n@%p1 ld.global.nc.u32 %r1, [%rd3];\nst.global.u32 [%rd3], %r0;"));
  after.Buffers(128, {}).Block(32);
  after.config().buffers[0].initialised = true;
  after.config().contents[0].bytes.assign(128, 0);
  after.ExpectUnsupported("store to memory that ld.global.nc or ldu has read in this launch", kBodyLine + 2);
}

// PTX ISA, "ldu": read-only data at one address for all lanes. Broken once each: as a plain load, without the comparison of addresses,
// without that of spaces.
TEST(MachineLanes, UniformLoads) {
  struct kernel : Launch {
    explicit kernel(const std::string& body) : Launch(Kernel(body)) {
      Buffers(256, Words(32, [](uint32_t i) { return i; })).Block(32);
    }
  };
  kernel("ldu.global.u32 %r1, [%rd1+20];\nst.global.u32 [%rd3], %r1;").ExpectWords(Words(32, [](uint32_t) { return 5; }));
  kernel("add.s64 %rd4, %rd1, %rd2;\nldu.global.u32 %r1, [%rd4];")
      .ExpectUnsupported("at addresses that differ between lanes", kBodyLine + 1);
  kernel("setp.eq.u32 %p1, %r0, 3;\n@%p1 ldu.global.u32 %r1, [%rd3];\nst.global.u32 [%rd3], %r0;")
      .ExpectUnsupported("store to memory that ld.global.nc or ldu has read", kBodyLine + 2);
  kernel("st.global.u32 [%rd3], %r0;\nldu.global.u32 %r1, [%rd0];")
      .ExpectUnsupported("ldu of memory that this launch has written", kBodyLine + 1);
  kernel(".shared .align 4 .b8 s[4];\nmov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\nldu.u32 %r1, [%rd4];")
      .ExpectUnsupported("outside global memory", kBodyLine + 3);
}

// A load may overwrite its own address. Broken once: with the address asked for after the first element is written, the second undefined
// element is called an undefined address.
TEST(MachineLanes, UndefinedVectorsOverTheirAddress) {
  for (const char* order : {"", ".volatile"}) {
    Launch launch(Kernel(".shared .align 16 .b8 s[16];\nmov.u32 %r1, s;\nld" + std::string(order) +
                         ".shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r1];\nst.global.u32 [%rd3], %r0;"));
    launch.Buffers(128, {}).Block(32).ExpectWords(Words(32, [](uint32_t i) { return i; }));
  }
}

}  // namespace
}  // namespace racer
