// Branches that data decide: what both ways leave is what Bits leaves at any inputs; what cannot be followed is refused by name.
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "symexec/ball/ball.h"
#include "symexec/machine/testing.h"

namespace racer {
namespace {

constexpr uint32_t kInputs = 32, kOutputs = 64;

// A kernel over symbolic floats (or integers) `in`, and over given ones.
class Both {
 public:
  explicit Both(const std::string& body, ScalarType dtype = ScalarType::kF32, const std::string& module_scope = "", uint32_t block = 32)
      : text_(Kernel(body, module_scope)), dtype_(dtype), block_(block), symbolic_(text_) {
    x_ = symbolic_.store().AddSymbol({.name = "x", .dtype = dtype, .shape = {kInputs}});
    symbolic_.AddBuffer({.name = "out", .size = 4 * kOutputs, .align = 256}, std::vector<uint8_t>(4 * kOutputs));
    symbolic_.AddBuffer({.name = "in", .size = 4 * kInputs, .align = 256, .writable = false}, {});
    symbolic_.config().contents[1] = {.bytes = {}, .symbol = x_, .dtype = dtype, .cells = {}};
    symbolic_.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
    symbolic_.Block(block);
  }
  RunResult Run() { return symbolic_.Term(); }
  Launch& symbolic() { return symbolic_; }

  // The terms' values at inputs are what Bits computes there, for several inputs.
  void ExpectAgreement() {
    const RunResult result = Run();
    ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
    for (int seed = 0; seed < 6; ++seed) {
      std::vector<uint32_t> words;
      for (uint32_t i = 0; i < kInputs; ++i) {
        const int value = seed == 0 ? 1 : static_cast<int>((i * 7 + static_cast<uint32_t>(seed) * 5) % 13) - 6;
        words.push_back(IsFloat(dtype_) ? std::bit_cast<uint32_t>(static_cast<float>(value)) : static_cast<uint32_t>(value));
      }
      Launch concrete(text_);
      concrete.AddBuffer({.name = "out", .size = 4 * kOutputs, .align = 256}, std::vector<uint8_t>(4 * kOutputs));
      std::vector<uint8_t> bytes(4 * kInputs);
      std::memcpy(bytes.data(), words.data(), bytes.size());
      concrete.AddBuffer({.name = "in", .size = bytes.size(), .align = 256, .writable = false}, bytes);
      concrete.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
      concrete.Block(block_);
      const RunResult bits = concrete.Bits();
      ASSERT_EQ(bits.status, RunResult::Status::kCompleted) << bits.reason;
      InputPoint point;
      point.bits.emplace_back(words.begin(), words.end());
      BallEvaluator ball(symbolic_.store(), point);
      for (uint32_t i = 0; i < kOutputs; ++i) {
        const CellValue cell = symbolic_.term().ReadCell(0, 4 * i, 32);
        EXPECT_EQ(Word(&ball, cell), concrete.bits().ReadCell(0, 4 * i, 32).bits) << "word " << i << " of seed " << seed;
      }
    }
  }

 private:
  std::optional<uint64_t> Word(BallEvaluator* ball, const CellValue& cell) {
    if (cell.state == CellValue::State::kConcrete) return cell.bits;
    if (cell.state != CellValue::State::kSymbolic) return std::nullopt;
    TermStore& store = symbolic_.store();
    const bool real = store.kind(cell.term) == TermKind::kFpToBits;
    const BallEvaluator::Value value = ball->Evaluate(real ? store.operand(cell.term, 0) : cell.term);
    if (value.kind == BallEvaluator::Value::Kind::kBits) return value.bits;
    if (value.kind != BallEvaluator::Value::Kind::kReal) return std::nullopt;
    return std::bit_cast<uint32_t>(static_cast<float>(value.middle));
  }

  const std::string text_;
  const ScalarType dtype_;
  const uint32_t block_;
  Launch symbolic_;
  SymbolId x_{};
};

// %f1 is x[tid], %f2 is x[0], %p1 says whether x[tid] > 0; %rd4 is &x[tid].
const std::string kSetUp =
    "add.s64 %rd4, %rd1, %rd2;\nld.global.f32 %f1, [%rd4];\nld.global.f32 %f2, [%rd1];\nsetp.gt.f32 %p1, %f1, 0f00000000;\n";

// Broken once: the arms' registers exchanged; registers not put back between them; a register that is live taken for dead.
TEST(MachineRegion, BothWaysMeetInSelections) {
  // if else
  Both(kSetUp + R"(
    @%p1 bra $then;
    neg.f32 %f3, %f1;
    mov.u32 %r5, 7;
    bra $end;
$then:
    add.f32 %f3, %f1, %f2;
    mov.u32 %r5, 9;
$end:
    cvt.rn.f32.u32 %f4, %r5;
    add.f32 %f3, %f3, %f4;
    st.global.f32 [%rd3], %f3;
    st.global.u32 [%rd3+128], %r5;)")
      .ExpectAgreement();
  // One-sided, nested, with a negated guard, and a guarded move inside.
  Both(kSetUp + R"(
    mov.f32 %f3, 0f40000000;
    @!%p1 bra $end;
    setp.gt.f32 %p2, %f1, %f2;
    @%p2 bra $inner;
    add.f32 %f3, %f3, 0f3F800000;
    bra $join;
$inner:
    setp.lt.f32 %p3, %f1, 0f40800000;
    @%p3 mul.f32 %f3, %f3, 0f40400000;
$join:
    add.f32 %f3, %f3, %f3;
$end:
    st.global.f32 [%rd3], %f3;)")
      .ExpectAgreement();
  // Every other lane by a branch that is not symbolic, in a loop.
  Both(kSetUp + R"(
    and.b32 %r4, %r0, 1;
    setp.eq.u32 %p4, %r4, 1;
    mov.f32 %f3, 0f00000000;
    mov.u32 %r5, 0;
$loop:
    @%p4 mov.pred %p5, 1;
    @!%p4 setp.gt.f32 %p5, %f1, %f3;
    @%p5 bra $more;
    add.f32 %f3, %f3, 0f40000000;
    bra $next;
$more:
    add.f32 %f3, %f3, 0f3F800000;
$next:
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p6, %r5, 3;
    @%p6 bra $loop;
    st.global.f32 [%rd3], %f3;)")
      .ExpectAgreement();
}

// Broken once: stores of the first way not undone before the second; merged bytes left out of the journal of the way around.
TEST(MachineRegion, MemoryOfBothWays) {
  // Both store, one stores, one stores half of it; loads in between see the own way.
  Both(kSetUp + R"(
    st.shared.f32 [s], 0f3F800000;
    bar.sync 0;
    shl.b32 %r6, %r0, 3;
    mov.u32 %r7, s;
    add.u32 %r7, %r7, %r6;
    st.shared.v2.f32 [%r7+8], {%f1, %f2};
    @%p1 bra $then;
    st.shared.f32 [%r7+8], %f2;
    st.global.f32 [%rd3], %f1;
    bra $end;
$then:
    setp.gt.f32 %p2, %f1, %f2;
    @%p2 bra $end;
    ld.shared.f32 %f5, [%r7+8];
    add.f32 %f5, %f5, %f5;
    st.shared.f32 [%r7+8], %f5;
    st.shared.u16 [%r7+14], 16384;
$end:
    ld.shared.f32 %f6, [%r7+8];
    st.global.f32 [%rd3+128], %f6;)",
       ScalarType::kF32, ".shared .align 8 .b8 s[280];\n")
      .ExpectAgreement();
  // In local memory, by a loop.
  Both(kSetUp + R"(
    .local .align 8 .b8 a[16];
    mov.u64 %rd9, a;
    st.local.f32 [%rd9], 0f00000000;
    st.local.f32 [%rd9+4], %f1;
    @%p1 bra $then;
    mov.u32 %r5, 0;
$loop:
    ld.local.f32 %f3, [%rd9];
    add.f32 %f3, %f3, %f1;
    st.local.f32 [%rd9], %f3;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p6, %r5, 3;
    @%p6 bra $loop;
    bra $end;
$then:
    ld.local.f32 %f3, [%rd9+4];
    st.local.f32 [%rd9], %f3;
    st.local.f32 [%rd9+4], 0f40000000;
$end:
    ld.local.v2.f32 {%f4, %f5}, [%rd9];
    st.global.f32 [%rd3], %f4;
    st.global.f32 [%rd3+128], %f5;)")
      .ExpectAgreement();
}

TEST(MachineRegion, GuardedLoadsAndStores) {
  Both(kSetUp +
       "mov.f32 %f3, 0f40400000;\n@%p1 ld.global.f32 %f3, [%rd1+8];\n@!%p1 st.global.f32 [%rd3+128], %f1;\nst.global.f32 [%rd3], %f3;")
      .ExpectAgreement();
}

// A loop that data end is a branch within a branch within a branch.
TEST(MachineRegion, LoopsThatDataEnd) {
  Both(R"(
    mov.u32 %r5, 0;
    mov.u64 %rd5, %rd1;
$loop:
    ld.global.f32 %f1, [%rd5];
    setp.gt.f32 %p1, %f1, 0f40000000;
    @%p1 bra $end;
    add.u64 %rd5, %rd5, 4;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p2, %r5, 12;
    @%p2 bra $loop;
$end:
    st.global.u32 [%rd3], %r5;)",
       ScalarType::kF32, "", 2)
      .ExpectAgreement();
  // Nothing else ends it. Broken once: without the limit.
  Launch::Refused(Both("mov.f32 %f3, 0f00000000;\n" + kSetUp + R"(
$loop:
    add.f32 %f3, %f3, %f1;
    setp.lt.f32 %p3, %f3, 0f42C80000;
    @%p3 bra $loop;
    st.global.f32 [%rd3], %f3;)")
                      .Run(),
                  "a branch depends on symbolic data, and so do more than 64 before it", kBodyLine + 9);
}

// `if (x < 0) return;`: the rest of the kernel is one of the ways.
TEST(MachineRegion, ReturningEarly) {
  for (const std::string leave : {"@!%p1 ret;", "@!%p1 exit;", "@!%p1 bra $end;", "@%p1 bra $on;\nret;\n$on:"}) {
    Both(kSetUp + leave +
         "\nst.global.f32 [%rd3], %f1;\nsetp.gt.f32 %p2, %f1, 0f40000000;\n@%p2 ret;\nst.global.f32 [%rd3+128], %f2;\n$end:")
        .ExpectAgreement();
  }
  // A barrier behind it is for those that are still there.
  Launch::Refused(Both(kSetUp + "@!%p1 bra $end;\nbar.sync 0;\nst.global.f32 [%rd3], %f1;\n$end:").Run(),
                  "a barrier on a way that data decide", kBodyLine + 5);
}

TEST(MachineRegion, FunctionsAreCalled) {
  const std::string scope = R"(
.func (.param .b32 r) half(.param .b32 a) {
.reg .f32 %v<3>; .reg .pred %q;
ld.param.f32 %v1, [a];
setp.gt.f32 %q, %v1, 0f40400000;
@%q bra $big;
mul.f32 %v2, %v1, 0f3F000000;
st.param.f32 [r], %v2;
ret;
$big:
st.param.f32 [r], %v1;
ret;
}
)";
  const auto call = [](const std::string& value) {
    return "{\n.param .b32 a0;\n.param .b32 r0;\nst.param.f32 [a0], " + value + ";\ncall (r0), half, (a0);\nld.param.f32 %f3, [r0];\n}\n";
  };
  Both(kSetUp + "mov.f32 %f3, 0f40A00000;\n@!%p1 bra $end;\n" + call("%f1") + "$end:\nst.global.f32 [%rd3], %f3;", ScalarType::kF32, scope)
      .ExpectAgreement();
  Both(kSetUp + call("%f1") + "st.global.f32 [%rd3], %f3;", ScalarType::kF32, scope).ExpectAgreement();
}

TEST(MachineRegion, LanesMeetBeforeABarrier) {
  Both(kSetUp + R"(
    mov.f32 %f3, %f1;
    @%p1 bra $end;
    mul.f32 %f3, %f1, 0f40000000;
$end:
    mov.u32 %r7, s;
    shl.b32 %r6, %r0, 2;
    add.u32 %r7, %r7, %r6;
    st.shared.f32 [%r7], %f3;
    bar.sync 0;
    ld.shared.f32 %f4, [s+12];
    shfl.sync.down.b32 %f5, %f4, 1, 31, -1;
    add.f32 %f4, %f4, %f3;
    st.global.f32 [%rd3], %f4;)",
       ScalarType::kF32, ".shared .align 8 .b8 s[128];\n")
      .ExpectAgreement();
}

// Broken once each: the refusals left out; Violate not asked whether the lane is surely there.
TEST(MachineRegion, FaultsOnAWayAreDoubts) {
  const auto way = [](const std::string& inside, const std::string& scope = "") {
    return Both(kSetUp + "@!%p1 bra $end;\n" + inside + "\n$end:\nst.global.f32 [%rd3], %f1;", ScalarType::kF32, scope).Run();
  };
  Launch::Refused(way("ld.global.f32 %f3, [%rd1+4096];"), "on a way that data decide, load of 4 bytes at in+4096", kBodyLine + 5);
  Launch::Refused(way("ld.global.f32 %f3, [%rd4+2];"), "on a way that data decide, misaligned load", kBodyLine + 5);
  Launch::Refused(way("st.global.f32 [%rd1], %f1;"), "on a way that data decide, store of 4 bytes to the read-only tensor", kBodyLine + 5);
  Launch::Refused(way("setp.eq.u32 %p9, %r39, 0;\n@%p9 bra $end;\nmov.u32 %r3, 0;"),
                  "on a way that data decide, a branch of thread (0,0,0) of CTA (0,0,0) depends on a register that was never written",
                  kBodyLine + 6);
  Launch::Refused(way("bar.sync 0;"), "a barrier on a way that data decide", kBodyLine + 5);
  Launch::Refused(way("shfl.sync.down.b32 %f3, %f1, 1, 31, -1;"), "`shfl.sync.down.b32` on a way that data decide", kBodyLine + 5);
  Launch::Refused(way("vote.sync.any.pred %p9, %p1, -1;"), "`vote.sync.any.pred` on a way that data decide", kBodyLine + 5);
  Launch::Refused(way("red.global.add.f32 [%rd0], %f1;"), "an atomic operation on a way that data decide", kBodyLine + 5);
  Launch::Refused(way("trap;"), "trap reached", kBodyLine + 5);
  Launch::Refused(way("mov.u32 %r5, 0;\n$l: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p9, %r5, 100000;\n@%p9 bra $l;"),
                  "more than 65536 instructions");
  // An address that is another one on either way.
  Launch::Refused(Both(kSetUp + "mov.u64 %rd9, %rd1;\n@%p1 add.u64 %rd9, %rd1, 4;\nld.global.f32 %f3, [%rd9];").Run(),
                  "an address depends on symbolic data", kBodyLine + 6);
}

// What one way leaves unwritten may be undefined.
TEST(MachineRegion, WhatOneWayLeavesUndefined) {
  Both once(kSetUp + "@!%p1 bra $end;\nst.global.f32 [%rd3], %f1;\n$end:");
  once.symbolic().config().buffers[0].initialised = false;
  once.symbolic().config().contents[0].bytes.clear();
  ASSERT_EQ(once.Run().status, RunResult::Status::kCompleted);
  const CellValue cell = once.symbolic().term().ReadCell(0, 0, 32);
  ASSERT_EQ(cell.state, CellValue::State::kUndefined);
  EXPECT_EQ(once.symbolic().store().kind(cell.term), TermKind::kBvIte);
  // A register, too.
  Both row(kSetUp + "@!%p1 bra $end;\nadd.f32 %f9, %f1, %f1;\n$end:\nst.global.f32 [%rd3], %f9;");
  ASSERT_EQ(row.Run().status, RunResult::Status::kCompleted);
  EXPECT_EQ(row.symbolic().term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
}

// Broken once each: a race of an access on a way taken for a violation; equal values stored under unlike conditions taken for equal.
TEST(MachineRegion, AccessesOnAWayRace) {
  const std::string scope = ".shared .align 8 .b8 s[128];\n";
  const auto run = [&](const std::string& inside) { return Both(kSetUp + inside, ScalarType::kF32, scope).Run(); };
  // Thread 0 reads what any thread may write.
  Launch::Refused(
      run("st.shared.f32 [s], %f2;\nbar.sync 0;\nld.shared.f32 %f4, [s];\n@!%p1 bra $end;\nst.shared.f32 [s], %f1;\n$end:\nret;"),
      "whether accesses race that nothing orders is up to data");
  // Later reads meet earlier writes of a way.
  Launch::Refused(run("@!%p1 bra $end;\nst.shared.f32 [s], %f2;\n$end:\nld.shared.f32 %f4, [s];"),
                  "whether accesses race that nothing orders is up to data");
  // One condition, one value: all write it or none does.
  Both(kSetUp +
           "setp.gt.f32 %p2, %f2, 0f00000000;\nst.shared.f32 [s], 0f00000000;\nbar.sync 0;\n@!%p2 bra $end;\nst.shared.f32 [s], "
           "%f2;\n$end:\n"
           "bar.sync 0;\nld.shared.f32 %f4, [s];\nst.global.f32 [%rd3], %f4;",
       ScalarType::kF32, scope)
      .ExpectAgreement();
  // One value under a condition of each thread: a thread that reads in between may see either.
  Launch::Refused(run("st.shared.f32 [s], 0f00000000;\nbar.sync 0;\n@!%p1 bra $end;\nst.shared.f32 [s], %f2;\n$end:\nbar.sync 0;"),
                  "whether accesses race that nothing orders is up to data");
  // Where both always happen it is a race.
  Launch::Violated(run("st.shared.f32 [s], %f1;\n@!%p1 bra $end;\nmov.f32 %f3, %f1;\n$end:"), Gate::kRace, "data race on s");
}

uint64_t SignatureOf(const std::string& body, uint32_t n, uint32_t word = 0) {
  Launch launch(Kernel("ld.param.u32 %r1, [n];\nld.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 1;\n" + body));
  launch.Buffers(256, {word}, n).config().record_signature = true;
  const RunResult result = launch.Bits();
  EXPECT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  return result.signature;
}

// Shapes differ where a way that the inputs at hand do not take has another form. Broken once: without exploring.
TEST(MachineRegion, SignaturesSeeWaysNotTaken) {
  const std::string loop = R"(
    @!%p1 bra $end;
    mov.u32 %r5, 0;
$loop:
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p2, %r5, %r1;
    @%p2 bra $loop;
    st.global.u32 [%rd3], %r5;
$end:)";
  EXPECT_NE(SignatureOf(loop, 1), SignatureOf(loop, 2));
  EXPECT_EQ(SignatureOf(loop, 8), SignatureOf(loop, 9));
  // The other way of what shapes decide is not looked at, and a way looked at is not one taken.
  const std::string size = "setp.gt.u32 %p3, %r1, 5;\n@%p3 bra $end;\nst.global.u32 [%rd3], %r1;\n$end:";
  EXPECT_NE(SignatureOf(size, 5), SignatureOf(size, 6));
  EXPECT_NE(SignatureOf(loop, 8, 0), SignatureOf(loop, 8, 1));
  // Nothing is left behind of it: a store on the other way, out of bounds at that.
  const std::string stores = "st.global.u32 [%rd3], 5;\n@!%p1 bra $end;\nst.global.u32 [%rd3], 6;\nst.global.u32 [%rd1+77777], 6;\n$end:";
  Launch launch(Kernel("ld.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 1;\n" + stores));
  launch.Buffers(256, {0}).config().record_signature = true;
  EXPECT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
  EXPECT_EQ(launch.bits().ReadCell(0, 0, 32).bits, 5u);
}

}  // namespace
}  // namespace racer
