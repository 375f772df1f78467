// Divergence, loops, calls, ends of threads, budgets.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

TEST(MachineControl, DivergentBranchesReconverge) {
  // After the if-else all lanes are one group again, so what follows runs once.
  Launch launch(Kernel(R"(
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra $even;
    add.u32 %r2, %r0, 100;
    bra.uni $join;
$even:
    add.u32 %r2, %r0, 200;
$join:
    st.global.u32 [%rd3], %r2;)"));
  launch.Buffers(4 * 32, {}).Block(32).ExpectWords(Words(32, [](uint32_t i) { return i + (i % 2 == 0 ? 200 : 100); }));
}

// Broken once: with the lanes that happen to run together as the result, the first and the last are no longer refused.
TEST(MachineControl, ActiveMaskIsKnownOnlyOfLanesThatNeverParted) {
  const std::string store = "activemask.b32 %r3;\nst.global.u32 [%rd3], %r3;";
  const std::string part = "and.b32 %r1, %r0, 1;\nsetp.eq.u32 %p1, %r1, 0;\n";
  Launch(Kernel(part + "@%p1 bra $join;\nadd.u32 %r2, %r0, 1;\n$join:\n" + store))
      .Buffers(128, {})
      .Block(32)
      .ExpectUnsupported("active together");
  Launch(Kernel(store)).Buffers(4 * 40, {}).Block(40).ExpectWords(Words(40, [](uint32_t i) { return i < 32 ? 0xffffffff : 0xff; }));
  Launch(Kernel(part + "@%p1 exit;\n" + store)).Buffers(128, {}).Block(32).ExpectCompleted();
  Launch(Kernel(part + "@%p1 bra $out;\n" + store + "\n$out:")).Buffers(128, {}).Block(32).ExpectCompleted();
  Launch(Kernel(part + "@%p1 activemask.b32 %r3;")).Buffers(128, {}).Block(32).ExpectUnsupported("active together");
}

// Lanes that wait, and those that need not, have parted. Broken once: without SplitPaths in Barrier and WarpCollective.
TEST(MachineControl, ActiveMaskAfterSomeLanesHaveWaited) {
  const std::string low = "setp.lt.u32 %p1, %r0, 16;\nselp.b32 %r1, 0xffff, 0xffff0000, %p1;\n";
  const std::string store = "activemask.b32 %r3;\nst.global.u32 [%rd3], %r3;";
  for (const char* wait : {"@%p1 barrier.sync 1, 32;\n@!%p1 barrier.sync 1, 32;\n", "bar.warp.sync %r1;\n", "@%p1 bar.warp.sync 0xffff;\n",
                           "@%p1 vote.sync.any.pred %p2, %p1, 0xffff;\n", "vote.sync.any.pred %p2, %p1, %r1;\n"}) {
    Launch(Kernel(low + wait + store)).Buffers(128, {}).Block(32).ExpectUnsupported("active together");
  }
  for (const char* wait : {"bar.sync 0;\n", "bar.warp.sync 0xffffffff;\n", "vote.sync.any.pred %p2, %p1, -1;\n"})
    Launch(Kernel(low + wait + store)).Buffers(128, {}).Block(32).ExpectWords(Words(32, [](uint32_t) { return 0xffffffff; }));
}

// Who takes it for granted that lanes meet again gets an answer, and the assumption. Broken once each: without the assumption, with an
// answer for who does not, with the flag unread.
TEST(MachineControl, ActiveMaskOfLanesAssumedToMeetAgain) {
  Launch launch(Kernel(R"(
    and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0;
    @%p1 bra $even;
    activemask.b32 %r3;
    bra $join;
$even:
    activemask.b32 %r3;
$join:
    activemask.b32 %r4;
    xor.b32 %r3, %r3, %r4;
    st.global.u32 [%rd3], %r3;)"));
  launch.Buffers(4 * 32, {}).Block(32);
  launch.ExpectUnsupported("active together");
  launch.config().assume_reconvergence = true;
  launch.ExpectWords(Words(32, [](uint32_t i) { return i % 2 == 0 ? 0xaaaaaaaa : 0x55555555; }));
  EXPECT_EQ(launch.Bits().assumptions,
            std::vector<std::string>{"lanes that have parted are active together again where their paths meet (`activemask`)"});
}

// Lanes call what a table says, each its own; addresses of functions are refused unless they are asked for. Broken once: with
// any function called where none fits.
TEST(MachineControl, CallsThroughPointers) {
  const std::string functions =
      ".func (.reg .b32 d) twice(.reg .b32 a) { add.u32 d, a, a; ret; }\n"
      ".func (.reg .b32 d) square(.reg .b32 a) { mul.lo.u32 d, a, a; ret; }\n"
      ".func (.reg .b32 d) plus(.reg .b32 a, .reg .b32 b) { add.u32 d, a, b; ret; }\n"
      ".global .u64 table[3] = {twice, square, plus};\n";
  const auto kernel = [&](const std::string& index) {
    return Kernel(index + R"(
    mul.wide.u32 %rd4, %r1, 8;
    mov.u64 %rd5, table;
    add.s64 %rd5, %rd5, %rd4;
    ld.global.u64 %rd6, [%rd5];
    P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
    call (%r2), %rd6, (%r0), P;
    setp.eq.u64 %p1, %rd6, 0;
    st.global.u32 [%rd3], %r2;)",
                  functions);
  };
  Launch launch(kernel("and.b32 %r1, %r0, 1;"));
  launch.Buffers(4 * 32, {}).Block(32).ExpectUnsupported("names `twice`, which has no address");
  launch.config().assume_function_addresses = true;
  launch.ExpectWords(Words(32, [](uint32_t i) { return i % 2 == 0 ? 2 * i : i * i; }));
  EXPECT_EQ(launch.Bits().assumptions.back(), "functions lie at made-up addresses");

  Launch uniform(kernel("mov.u32 %r1, 1;"));
  uniform.config().assume_function_addresses = true;
  uniform.Buffers(4 * 32, {}).Block(32).ExpectWords(Words(32, [](uint32_t i) { return i * i; }));

  Launch other(kernel("mov.u32 %r1, 2;"));
  other.config().assume_function_addresses = true;
  other.Buffers(4 * 32, {}).Block(32).ExpectUnsupported("a call through a pointer to no function that takes and gives");
  const std::string taken = "mov.u64 %rd6, twice;\nP: .callprototype (.reg .b32 _) _ (.reg .b32 _);\ncall (%r2), %rd6, (%r0), P;";
  Launch(Kernel(taken, functions)).Buffers(4, {}).ExpectUnsupported("the address of function `twice` is taken");
}

TEST(MachineControl, LoopsOfDifferentLength) {
  // Lane i goes round i + 1 times.
  Launch launch(Kernel(R"(
    mov.u32 %r1, 0; mov.u32 %r2, 0;
$loop:
    add.u32 %r2, %r2, %r1;
    add.u32 %r1, %r1, 1;
    setp.le.u32 %p1, %r1, %r0;
    @%p1 bra $loop;
    st.global.u32 [%rd3], %r2;)"));
  launch.Buffers(4 * 48, {}).Block(48).ExpectWords(Words(48, [](uint32_t i) { return i * (i + 1) / 2; }));
}

TEST(MachineControl, IndexedBranch) {
  Launch launch(Kernel(R"(
    and.b32 %r1, %r0, 3;
$targets: .branchtargets $a, $b, $c;
    min.u32 %r1, %r1, 2;
    brx.idx %r1, $targets;
$a: mov.u32 %r2, 10; bra.uni $join;
$b: mov.u32 %r2, 20; bra.uni $join;
$c: mov.u32 %r2, 30;
$join:
    st.global.u32 [%rd3], %r2;)"));
  launch.Buffers(4 * 8, {}).Block(8).ExpectWords({10, 20, 30, 30, 10, 20, 30, 30});
}

// Two functions and two scopes, each with a table $targets over labels $a and $b of its own.
TEST(MachineControl, JumpTablesOfTheSameName) {
  const std::string function = R"(
.func (.reg .b32 result) twice(.reg .b32 value)
{
  .reg .b32 %a<4>;
  and.b32 %a0, value, 1;
$targets: .branchtargets $b, $a;
  brx.idx %a0, $targets;
$a: add.u32 result, value, 100; bra.uni $join;
$b: add.u32 result, value, 200;
$join: ret;
}
)";
  Launch launch(Kernel(R"(
    and.b32 %r1, %r0, 1;
    {
$targets: .branchtargets $a, $b;
      brx.idx %r1, $targets;
$a: mov.u32 %r2, 1; bra.uni $join;
$b: mov.u32 %r2, 2;
$join:
    }
    {
$targets: .branchtargets $b, $a;
      brx.idx %r1, $targets;
$a: add.u32 %r2, %r2, 10; bra.uni $join;
$b: add.u32 %r2, %r2, 20;
$join:
    }
    call.uni (%r3), twice, (%r0);
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%rd3], %r2;)",
                       function));
  launch.Buffers(4 * 4, {}).Block(4).ExpectWords({221, 113, 223, 115});
}

// A declared range of registers costs nothing; only those that are named exist.
TEST(MachineControl, WideRangeOfRegisters) {
  Launch launch(
      Kernel(".reg .b32 %zz<2000000000>; mov.u32 %zz1999999999, 5; add.u32 %zz7, %zz1999999999, %r0; st.global.u32 [%rd3], %zz7;"));
  launch.Buffers(4 * 2, {}).Block(2).ExpectWords({5, 6});
  EXPECT_LT(launch.Bits().stats.peak_bytes, uint64_t{1} << 20);
}

TEST(MachineControl, CallsWithParameters) {
  const std::string function = R"(
.func (.param .b32 result) scale(.param .b32 value, .param .align 4 .b8 pair[8])
{
  .reg .b32 %a<4>;
  ld.param.b32 %a0, [value];
  ld.param.v2.b32 {%a1, %a2}, [pair];
  mad.lo.u32 %a0, %a0, %a1, %a2;
  st.param.b32 [result], %a0;
  ret;
}
)";
  Launch launch(Kernel(R"(
    setp.gt.u32 %p1, %r0, 1;
    mov.u32 %r1, 7;
    @%p1 bra $far;
    {
      .param .b32 value; .param .align 4 .b8 pair[8]; .param .b32 result;
      st.param.b32 [value], %r0;
      mov.u32 %r2, 10; mov.u32 %r3, 1;
      st.param.v2.b32 [pair], {%r2, %r3};
      call.uni (result), scale, (value, pair);
      ld.param.b32 %r1, [result];
    }
    bra.uni $join;
$far:
    {
      .param .b32 value; .param .align 4 .b8 pair[8]; .param .b32 result;
      st.param.b32 [value], %r0;
      mov.u32 %r2, 100; mov.u32 %r3, 2;
      st.param.b32 [pair], %r2;
      st.param.b32 [pair+4], %r3;
      call (result), scale, (value, pair);
      ld.param.b32 %r1, [result];
    }
$join:
    st.global.u32 [%rd3], %r1;)",
                       function));
  launch.Buffers(16, {}).Block(4).ExpectWords({1, 11, 202, 302});
}

TEST(MachineControl, CallsWithRegisters) {
  const std::string functions = R"(
.func (.reg .b32 %result) twice(.reg .b32 %value)
{
  add.u32 %result, %value, %value;
  ret;
}
.func (.reg .b32 %result) fourfold(.reg .b32 %value)
{
  .reg .b32 %t;
  call (%t), twice, (%value);
  call (%result), twice, (%t);
  ret;
}
)";
  Launch launch(Kernel("call (%r1), fourfold, (%r0);\nst.global.u32 [%rd3], %r1;", functions));
  launch.Buffers(4 * 33, {}).Block(33).ExpectWords(Words(33, [](uint32_t i) { return 4 * i; }));
}

TEST(MachineControl, GuardedCallsAndReturns) {
  const std::string function = R"(
.func (.param .b32 r) half(.param .b32 v)
{
  .reg .b32 %a<3>; .reg .pred %q;
  ld.param.b32 %a0, [v];
  and.b32 %a1, %a0, 1;
  setp.eq.u32 %q, %a1, 1;
  st.param.b32 [r], %a0;
  @%q ret;
  shr.u32 %a0, %a0, 1;
  st.param.b32 [r], %a0;
  ret;
}
)";
  Launch launch(Kernel(R"(
    .param .b32 v; .param .b32 r;
    mov.u32 %r1, 99;
    setp.ne.u32 %p1, %r0, 0;
    st.param.b32 [v], %r0;
    st.param.b32 [r], 99;
    @%p1 call (r), half, (v);
    ld.param.b32 %r1, [r];
    st.global.u32 [%rd3], %r1;)",
                       function));
  launch.Buffers(4 * 6, {}).Block(6).ExpectWords({99, 1, 1, 3, 2, 5});
}

TEST(MachineControl, LocalsOfAFunctionStartAnewInEveryCall) {
  const std::string function = R"(
.func (.param .b32 r) keep(.param .b32 v)
{
  .local .align 4 .b8 depot[4];
  .reg .b32 %a<2>; .reg .pred %q;
  ld.param.b32 %a0, [v];
  setp.eq.u32 %q, %a0, 0;
  @%q st.local.b32 [depot], %a0;
  ld.local.b32 %a1, [depot];
  st.param.b32 [r], %a1;
  ret;
}
)";
  const auto body = [](int second) {
    return "{ .param .b32 v; .param .b32 r; st.param.b32 [v], 0; call (r), keep, (v); ld.param.b32 %r1, [r]; }\n"
           "{ .param .b32 v; .param .b32 r; st.param.b32 [v], " +
           std::to_string(second) + "; call (r), keep, (v); ld.param.b32 %r2, [r]; }\nst.global.u32 [%rd0], %r2;";
  };
  Launch stale(Kernel(body(1), function));
  stale.Buffers(4, {});
  ASSERT_EQ(stale.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(stale.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
  Launch set(Kernel(body(0), function));
  set.Buffers(4, {}).ExpectWords({0});
}

TEST(MachineControl, FunctionsWithoutABodyAreRefusedWhenReached) {
  const std::string function = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n";
  const std::string call = "{ .param .b64 a; .param .b64 b; .param .b32 r; call (r), vprintf, (a, b); }\n";
  Launch(Kernel(call, function)).Buffers(4, {}).ExpectUnsupported("`vprintf` has no body");
  Launch(Kernel("bra.uni $end;\n" + call + "$end:", function)).Buffers(4, {}).ExpectCompleted();
}

TEST(MachineControl, ExitedLanesCauseNoFalseDeadlock) {
  Launch launch(Kernel(R"(
    setp.gt.u32 %p1, %r0, 39;
    @%p1 exit;
    bar.sync 0;
    st.global.u32 [%rd3], %r0;)"));
  launch.Buffers(4 * 96, {}).Block(96).ExpectWords(Words(40, [](uint32_t i) { return i; }));
  EXPECT_FALSE(launch.bits().WasWritten(0, 4 * 40, 32));
}

TEST(MachineControl, TrapCountsOnlyWhenReached) {
  Launch(Kernel("trap;")).Buffers(4, {}).ExpectUnsupported("trap reached", kBodyLine);
  Launch(Kernel("setp.gt.u32 %p1, %r0, 5;\n@%p1 trap;")).Buffers(4, {}).ExpectCompleted();
}

TEST(MachineControl, InfiniteLoopsMeetTheBudget) {
  Launch launch(Kernel("mov.u32 %r1, 0;\n$loop:\nadd.u32 %r1, %r1, 1;\nbra.uni $loop;"));
  launch.Buffers(4, {}).config().limits.max_thread_instructions = 100000;
  for (const RunResult& result : {launch.Bits(), launch.Term()}) {
    EXPECT_EQ(result.status, RunResult::Status::kBudget);
    EXPECT_NE(result.reason.find("100000 thread-instructions"), std::string::npos) << result.reason;
    EXPECT_NE(result.reason.find("loop at line " + std::to_string(kBodyLine + 2)), std::string::npos) << result.reason;
  }
  launch.config().limits.max_thread_instructions = uint64_t{1} << 60;
  launch.config().limits.deadline_seconds = 0.1;
  EXPECT_EQ(launch.Bits().status, RunResult::Status::kBudget);
}

TEST(MachineControl, MemoryBudget) {
  Launch launch(Kernel("st.global.u32 [%rd0], %r0;"));
  launch.Buffers(1 << 20, {}).config().limits.max_memory_bytes = 1 << 20;
  EXPECT_EQ(launch.Bits().status, RunResult::Status::kBudget);
  launch.config().limits.max_memory_bytes = 1 << 30;
  EXPECT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
}

TEST(MachineControl, CtaOrderDoesNotMatter) {
  Launch launch(Kernel("mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd4, %rd0;\nst.global.u32 [%rd4], %r1;"));
  launch.Buffers(40, {}).Grid(10).config().cta_order = RunConfig::CtaOrder::kReverse;
  launch.ExpectWords(Words(10, [](uint32_t i) { return i; }));
}

uint64_t SignatureOf(uint32_t n, uint32_t block = 32) {
  // for (i = tid; i < n; i += ntid) ...
  Launch launch(Kernel(R"(
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %r0;
    setp.ge.u32 %p1, %r3, %r1;
    @%p1 bra $end;
$loop:
    add.u32 %r3, %r3, %r2;
    setp.lt.u32 %p2, %r3, %r1;
    @%p2 bra $loop;
$end:)"));
  launch.Buffers(4, {}, n).Block(block).config().record_signature = true;
  const RunResult result = launch.Bits();
  EXPECT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  return result.signature;
}

TEST(MachineControl, SignaturesTellShapesApart) {
  EXPECT_EQ(SignatureOf(32), SignatureOf(32));
  EXPECT_NE(SignatureOf(32), SignatureOf(64));    // one trip, two trips
  EXPECT_NE(SignatureOf(64), SignatureOf(96));    // two trips, three
  EXPECT_NE(SignatureOf(96), SignatureOf(128));   // three trips, many
  EXPECT_EQ(SignatureOf(128), SignatureOf(160));  // many is many
  EXPECT_NE(SignatureOf(160), SignatureOf(161));  // a tail
  EXPECT_EQ(SignatureOf(161), SignatureOf(162));
  EXPECT_NE(SignatureOf(0), SignatureOf(32));
}

// Comparisons of integers count, branch or not; the smaller operand of min and max is one.
// Broken once: without Selections in Hash the signatures are the same.
TEST(MachineControl, SelectionsAreInTheSignature) {
  auto run = [](uint32_t n) {
    Launch launch(Kernel("ld.param.u32 %r1, [n];\nsetp.gt.u32 %p1, %r1, 40;\nselp.u32 %r2, 1, 0, %p1;\nmin.s32 %r3, %r1, 50;"));
    launch.Buffers(4, {}, n).Block(32).config().record_signature = true;
    return launch.Bits();
  };
  const RunResult small = run(40), middle = run(41), large = run(51), negative = run(0xffffffff);
  ASSERT_EQ(small.selections.size(), 2u);
  EXPECT_TRUE(small.selections[0].failed && !small.selections[0].held);
  EXPECT_TRUE(middle.selections[0].held && !middle.selections[0].failed);
  EXPECT_TRUE(middle.selections[1].held && !middle.selections[1].failed);
  EXPECT_TRUE(large.selections[1].failed && !large.selections[1].held);
  EXPECT_TRUE(negative.selections[1].held);  // signed
  EXPECT_NE(small.signature, middle.signature);
  EXPECT_NE(middle.signature, large.signature);
}

}  // namespace
}  // namespace racer
