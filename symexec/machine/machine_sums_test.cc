// Sums of products that registers carry: the terms are those of the steps, whoever reads which of them when.
#include <string>

#include "symexec/machine/testing.h"

namespace racer {
namespace {

class Sums {
 public:
  explicit Sums(const std::string& ptx) : launch(ptx) {
    x = launch.store().AddSymbol({.name = "x", .dtype = ScalarType::kF32, .shape = {2048}});
    launch.AddBuffer({.name = "out", .size = 4096, .align = 256, .initialised = false}, {});
    launch.AddBuffer({.name = "in", .size = 8192, .align = 256, .writable = false}, {});
    launch.config().contents[1] = {.bytes = {}, .symbol = x, .dtype = ScalarType::kF32, .cells = {}};
    launch.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
  }
  // x[0] * x[1] + x[2] * x[3] + ..., `steps` products
  TermId Bits(uint32_t steps, TermId start = kNoTerm) {
    TermStore& store = launch.store();
    TermId sum = start == kNoTerm ? store.FpConst(FpFormat::kF32, 0) : start;
    for (uint32_t i = 0; i < steps; ++i) {
      sum = store.Fp(FpKind::kFma, FpAttr{}, store.FpInput(x, 2 * i), store.FpInput(x, 2 * i + 1), sum);
    }
    return store.FpToBits(sum);
  }
  TermId Cell(uint64_t offset) { return launch.term().ReadCell(0, offset, 32).term; }
  void Run() {
    launch.Block(1);
    const RunResult result = launch.Term();
    ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  }
  Launch launch;
  SymbolId x;
};

// 200 steps; `step` comes after each, with the number of steps so far in %r1.
std::string Loop(const std::string& step, const std::string& end) {
  return Kernel(
      "mov.f32 %f1, 0f00000000;\nmov.u32 %r1, 0;\nmov.b64 %rd4, %rd1;\nmov.b64 %rd5, %rd0;\nLOOP:\n"
      "ld.global.v2.f32 {%f2, %f3}, [%rd4];\nfma.rn.f32 %f1, %f2, %f3, %f1;\nadd.s64 %rd4, %rd4, 8;\nadd.u32 %r1, %r1, 1;\n" +
      step + "setp.lt.u32 %p1, %r1, 200;\n@%p1 bra LOOP;\n" + end);
}

TEST(MachineSums, InRegisters) {
  Sums s(Loop("", "st.global.f32 [%rd0], %f1;"));
  s.Run();
  EXPECT_EQ(s.Cell(0), s.Bits(200));
}

TEST(MachineSums, StoredAfterEachStep) {
  Sums s(Loop("st.global.f32 [%rd5], %f1;\nadd.s64 %rd5, %rd5, 4;\n", ""));
  s.Run();
  for (uint32_t i = 1; i <= 200; ++i) EXPECT_EQ(s.Cell(4 * (i - 1)), s.Bits(i)) << i;
}

TEST(MachineSums, ThroughMemoryAfterEachStep) {
  Sums s(Loop("st.global.f32 [%rd0], %f1;\nld.global.f32 %f1, [%rd0];\n", ""));
  s.Run();
  EXPECT_EQ(s.Cell(0), s.Bits(200));
}

// What another register kept of the sum on its way: a few steps ago, and of a chain that is complete by now.
TEST(MachineSums, EarlierStepsInOtherRegisters) {
  Sums s(Loop("setp.eq.u32 %p1, %r1, 100;\n@%p1 mov.f32 %f4, %f1;\nsetp.eq.u32 %p1, %r1, 195;\n@%p1 mov.f32 %f5, %f1;\n",
              "st.global.f32 [%rd0], %f1;\nst.global.f32 [%rd0+4], %f4;\nst.global.f32 [%rd0+8], %f5;"));
  s.Run();
  EXPECT_EQ(s.Cell(0), s.Bits(200));
  EXPECT_EQ(s.Cell(8), s.Bits(195));
  // Inside a chain: another id, the same steps.
  TermStore& store = s.launch.store();
  TermId seen = store.operand(s.Cell(4), 0), expected = store.operand(s.Bits(100), 0);
  for (uint32_t i = 100; i-- > 0; seen = store.operand(seen, 2), expected = store.operand(expected, 2)) {
    ASSERT_EQ(store.operand(seen, 0), store.operand(expected, 0)) << i;
    ASSERT_EQ(store.operand(seen, 1), store.operand(expected, 1)) << i;
  }
  EXPECT_EQ(seen, expected);
}

// Two sums part from one: each goes on from what it was.
TEST(MachineSums, Fork) {
  Sums s(Loop("setp.eq.u32 %p1, %r1, 70;\n@%p1 mov.f32 %f4, %f1;\n",
              "fma.rn.f32 %f4, %f2, %f2, %f4;\nfma.rn.f32 %f4, %f3, %f3, %f4;\nst.global.f32 [%rd0], %f1;\nst.global.f32 [%rd0+4], %f4;"));
  s.Run();
  EXPECT_EQ(s.Cell(0), s.Bits(200));
  TermStore& store = s.launch.store();
  const TermId last = store.operand(s.Cell(4), 0), before = store.operand(last, 2);
  EXPECT_EQ(store.operand(last, 0), store.FpInput(s.x, 399));
  EXPECT_EQ(store.operand(before, 0), store.FpInput(s.x, 398));
  EXPECT_EQ(store.operand(store.operand(before, 2), 0), store.FpInput(s.x, 138));  // step 70
}

TEST(MachineSums, AnotherRoundingIsAnotherSum) {
  Sums s(Loop("", "fma.rz.f32 %f1, %f2, %f3, %f1;\nst.global.f32 [%rd0], %f1;"));
  s.Run();
  TermStore& store = s.launch.store();
  const TermId last = store.operand(s.Cell(0), 0);
  EXPECT_EQ(store.fp_attr(last).rounding, Rounding::kRz);
  EXPECT_EQ(store.FpToBits(store.operand(last, 2)), s.Bits(200));
}

// A sum with a factor that was never written is undefined.
TEST(MachineSums, UndefinedFactor) {
  Sums s(Loop("", "fma.rn.f32 %f1, %f2, %f6, %f1;\nst.global.f32 [%rd0], %f1;"));
  s.Run();
  EXPECT_EQ(s.launch.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
}

}  // namespace
}  // namespace racer
