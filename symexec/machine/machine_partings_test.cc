// Aligned barriers that part of a warp misses: in branches, loops, called functions, and the ways that do not count. Eleven
// rules of decode_partings.cc were taken away one by one, and each time a test here failed.
#include <gtest/gtest.h>

#include "symexec/machine/testing.h"

namespace racer {
namespace {

// %p1: odd lanes, %p2: a condition that holds for no lane; %p3: lanes 8 to 31 of each warp.
const std::string kConditions =
    "and.b32 %r1, %r0, 1;\nsetp.ne.u32 %p1, %r1, 0;\nsetp.gt.u32 %p2, %r0, 9999;\nand.b32 %r2, %r0, 31;\nsetp.gt.u32 %p3, %r2, 7;\n";
constexpr int kLine = kBodyLine + 5;  // of what follows them

const std::string kStore = "st.global.u32 [%rd3], %r0;\n";

void ExpectMissed(const std::string& body, int line, const std::string& functions = "") {
  Launch launch(Kernel(kConditions + body, functions));
  launch.Buffers(4 * 64, {}).Block(64).ExpectViolation(Gate::kSync, "gone past it", line);
}
void ExpectCompleted(const std::string& body, const std::string& functions = "") {
  Launch launch(Kernel(kConditions + body, functions));
  launch.Buffers(4 * 64, {}).Block(64).ExpectCompleted();
}
void ExpectUnclear(const std::string& body, const std::string& functions = "") {
  Launch launch(Kernel(kConditions + body, functions));
  launch.Buffers(4 * 64, {}).Block(64).ExpectUnsupported("with more than the exit ahead; whether it may be used so");
}

TEST(MachinePartings, BarrierInABranch) {
  ExpectMissed("@!%p1 bra $on;\nbar.sync 0;\n$on:\n" + kStore, kLine + 1);
  ExpectMissed("@!%p1 bra $on;\nbarrier.sync.aligned 0;\n$on:\n" + kStore, kLine + 1);
  ExpectMissed("@!%p1 bra $on;\nbar.arrive 1, 64;\n$on:\n" + kStore, kLine + 1);
  ExpectMissed("@!%p1 bra $on;\nbar.red.popc.u32 %r5, 0, %p1;\n$on:\n" + kStore, kLine + 1);
  ExpectMissed("@%p1 bar.sync 0;\n" + kStore, kLine);
  ExpectCompleted("@!%p1 bra $on;\nbarrier.sync 0;\n$on:\n" + kStore);
  ExpectCompleted("@!%p1 bra $on;\nbar.sync 0;\n$on:\n");
  ExpectCompleted("@%p1 bar.sync 0;\n");
  ExpectCompleted("@%p2 bra $on;\nbar.sync 0;\n$on:\n" + kStore);
}

TEST(MachinePartings, NamesBothLines) {
  Launch launch(Kernel(kConditions + "@%p3 bra $on;\nbar.sync 0;\n$on:\n" + kStore));
  const RunResult result = launch.Buffers(4 * 64, {}).Block(32).Bits();
  Launch::Violated(result, Gate::kSync, "barrier 0 reached by part of a warp: threads 0-7 wait there, threads 8-31 have gone past it");
  ASSERT_EQ(result.findings[0].where.size(), 2u);
  EXPECT_EQ(result.findings[0].where[0].line, kLine + 1);
  EXPECT_EQ(result.findings[0].where[1].line, kLine + 3);
}

TEST(MachinePartings, EarlyReturns) {
  const std::string rest = kStore + "bar.sync 0;\n" + kStore;
  ExpectCompleted("@%p1 ret;\n" + rest);
  ExpectCompleted("@%p1 exit;\n" + rest);
  ExpectCompleted("@%p1 bra $end;\n" + rest + "$end:\n");
  ExpectCompleted("@%p1 bra $end;\n" + rest + "bra $end;\n$end:\nmov.u32 %r9, 1;\nmembar.gl;\n");
  ExpectCompleted("@%p1 bra $end;\n" + rest + "@%p3 bra $end;\nbar.sync 0;\n" + kStore + "$end:\n");
  ExpectCompleted("@%p1 bra $end;\n" + rest + "$end:\nld.param.u32 %r9, [n];\n");
  // Work before the exit is not the early return that everybody writes.
  ExpectUnclear("@!%p1 bra $on;\n" + kStore + "ret;\n$on:\nbar.sync 0;\n" + kStore);
}

TEST(MachinePartings, Loops) {
  // A trip more for odd lanes.
  const std::string loop = "mov.u32 %r5, 0;\n$loop:\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\nsetp.le.u32 %p5, %r5, %r1;\n@%p5 bra $loop;\n";
  ExpectMissed(loop + kStore, kLine + 2);
  ExpectCompleted(loop);
  // Four lanes leave in each trip of a loop whose only end that is.
  ExpectCompleted("shr.u32 %r6, %r2, 2;\nmov.u32 %r5, 0;\n$loop:\nsetp.eq.u32 %p5, %r5, %r6;\n@%p5 bra $end;\nbar.sync 0;\n" + kStore +
                  "add.u32 %r5, %r5, 1;\nbra $loop;\n$end:\n");
  // The same with two ways back.
  ExpectCompleted("shr.u32 %r6, %r2, 2;\nmov.u32 %r5, 0;\n$loop:\nsetp.eq.u32 %p5, %r5, %r6;\n@%p5 bra $end;\nbar.sync 0;\n" +
                  std::string("add.u32 %r5, %r5, 1;\n@%p1 bra $loop;\n") + kStore + "bra $loop;\n$end:\n");
  // Loops of different length, then a barrier.
  ExpectCompleted("mov.u32 %r5, 0;\n$loop:\nadd.u32 %r5, %r5, 1;\n" + kStore +
                  "setp.le.u32 %p5, %r5, %r2;\n@%p5 bra $loop;\nbar.sync 0;\n" + kStore);
  // The same instruction in two trips.
  ExpectMissed("mov.u32 %r5, 0;\n$loop:\nsetp.ne.u32 %p5, %r5, %r1;\n@%p5 bra $skip;\nbar.sync 0;\n$skip:\n" + kStore +
                   "add.u32 %r5, %r5, 1;\nsetp.le.u32 %p6, %r5, 1;\n@%p6 bra $loop;\n",
               kLine + 4);
}

TEST(MachinePartings, IndexedBranches) {
  const auto body = [](const std::string& after) { return "brx.idx %r1, T;\nT: .branchtargets A, B;\nA:\nbar.sync 0;\nB:\n" + after; };
  ExpectMissed(body(kStore), kLine + 3);
  ExpectCompleted(body(""));
  // Three ways, one of them out.
  const std::string out =
      "brx.idx %r1, T;\nT: .branchtargets A, B, C;\nB:\nret;\nC:\n" + kStore + "bra $on;\nA:\nbar.sync 0;\n$on:\n" + kStore;
  ExpectCompleted(out);
}

// What ends in a trap is no way out: the branch before it still has its meeting point. UNDECIDED instead, if it counts.
TEST(MachinePartings, TrapsDoNotCount) {
  ExpectMissed("@!%p1 bra $on;\n@!%p2 bra $fine;\n" + kStore + "trap;\n$fine:\nbar.sync 0;\n$on:\n" + kStore, kLine + 5);
  ExpectCompleted("@%p1 bra $end;\n@!%p2 bra $fine;\n" + kStore + "trap;\n$fine:\nbar.sync 0;\n" + kStore + "$end:\n");
  // An assertion on the way out, whose failure is a jump away.
  ExpectCompleted("@%p1 bra $end;\n" + kStore + "bar.sync 0;\n" + kStore + "$end:\n@!%p2 bra $fine;\n" + kStore +
                  "bra $fail;\n$fine:\nret;\n" + "$fail:\ntrap;\n");
}

TEST(MachinePartings, CalledFunctions) {
  const auto function = [](const std::string& body, const std::string& name = "f") {
    return ".func " + name + "(.param .u32 v, .param .u64 to)\n{\n.reg .b32 %r<5>; .reg .b64 %rd<2>; .reg .pred %p<5>;\n" +
           "ld.param.u32 %r0, [v];\nld.param.u64 %rd0, [to];\nand.b32 %r1, %r0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n" + body + "\n}\n";
  };
  const std::string call = "call f, (%r0, %rd3);\n", store = "st.global.u32 [%rd0], %r0;\n";
  const std::string early = function("@%p1 ret;\nbar.sync 0;\n" + store + "ret;\n");
  const std::string skips = function("@%p1 bra L;\nbar.sync 0;\nL:\n" + store + "ret;\n");
  // An early return of a function is one of the kernel if nothing follows.
  ExpectCompleted(call, early);
  ExpectMissed(call + kStore, 0, early);
  ExpectMissed(call, 0, skips);
  ExpectUnclear(call, function("@!%p1 bra L;\n" + store + "ret;\nL:\nbar.sync 0;\n" + store + "ret;\n"));
  // Lanes that are kept away by a guard, or by a branch around the call.
  ExpectMissed("@%p1 " + call + kStore, 0, function("bar.sync 0;\n" + store + "ret;\n"));
  ExpectCompleted("@%p1 " + call, function("bar.sync 0;\n" + store + "ret;\n"));
  // What follows the call of the caller is not looked for.
  const std::string nested = early + function("call f, (%r0, %rd0);\nret;\n", "g");
  ExpectUnclear("call g, (%r0, %rd3);\n", nested);
  // A function that calls itself: even lanes store and return, odd ones call it again and come to the barrier.
  ExpectUnclear("call f, (%r1, %rd3);\n",
                ".func f(.param .u32 v, .param .u64 to)\n{\n.reg .b32 %r<5>; .reg .b64 %rd<2>; .reg .pred %p<5>;\n"
                "ld.param.u32 %r0, [v];\nld.param.u64 %rd0, [to];\nsetp.eq.u32 %p1, %r0, 0;\n@%p1 bra Z;\nsetp.eq.u32 %p2, %r0, 2;\n"
                "@%p2 bra M;\nmov.u32 %r1, 2;\ncall f, (%r1, %rd0);\nbar.sync 0;\nM:\nret;\nZ:\nst.global.u32 [%rd0], %r0;\nret;\n}\n");
  // Near misses: lanes part and meet in the function, or in two calls of it.
  const std::string meets = function("@%p1 bra L;\n" + store + "L:\nbar.sync 0;\nret;\n");
  ExpectCompleted(call + "bar.sync 0;\n" + call + kStore, meets);
  const std::string returns = function("@%p1 ret;\n" + store + "ret;\n");
  ExpectCompleted(call + "bar.sync 0;\n" + call + "bar.sync 0;\n" + kStore, returns);
  ExpectCompleted("@%p1 bra $other;\n" + call + "bra $on;\n$other:\n" + call + "$on:\nbar.sync 0;\n" + kStore, returns);
}

}  // namespace
}  // namespace racer
