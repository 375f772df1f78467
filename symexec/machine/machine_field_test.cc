// Kernels over the Field domain: pairs that are equal over the reals agree, broken twins do not, and what is not modelled leaves by name.
#include <string>
#include <utility>
#include <vector>

#include "symexec/field/field_store.h"
#include "symexec/machine/testing.h"

namespace racer {
namespace {

struct FieldRun {
  RunResult result;
  std::vector<FieldStore::Residues> cells;
};

// A kernel of Kernel() with `in` symbolic, on `cells` outputs.
FieldRun RunKernel(const std::string& body, uint32_t threads, ScalarType in, uint32_t in_cells, ScalarType out, uint32_t out_cells,
                   const std::string& module_scope = "", uint32_t ctas = 1) {
  Launch launch(Kernel(body, module_scope));
  FieldStore store({.seed = 5});
  EXPECT_TRUE(store.AddSymbol(in, in_cells));
  const uint32_t in_bytes = BitWidth(in) / 8, out_bytes = BitWidth(out) / 8;
  launch.AddBuffer({.name = "out", .size = uint64_t{out_cells} * out_bytes, .align = 256, .initialised = false}, {});
  launch.AddBuffer({.name = "in", .size = uint64_t{in_cells} * in_bytes, .align = 256, .writable = false}, {});
  launch.config().contents[1].symbol = SymbolId{0};
  launch.config().contents[1].dtype = in;
  launch.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = in_cells});
  launch.Block(threads).Grid(ctas);
  FieldMachine machine(store);
  FieldRun run{machine.Run(launch.config()), {}};
  if (run.result.status != RunResult::Status::kCompleted) return run;
  for (uint32_t i = 0; i < out_cells; ++i) {
    const CellValue cell = machine.ReadCell(0, uint64_t{i} * out_bytes, 8 * out_bytes);
    if (cell.state != CellValue::State::kConcrete && cell.state != CellValue::State::kSymbolic) {
      ADD_FAILURE() << "cell " << i << " is not written";
      return run;
    }
    run.cells.push_back(store.ResiduesOf(cell.term, out));
    EXPECT_TRUE(run.cells.back().known) << store.left();
  }
  return run;
}
FieldRun RunF32(const std::string& body, uint32_t threads, uint32_t in_cells, uint32_t out_cells, const std::string& scope = "",
                uint32_t ctas = 1) {
  FieldRun run = RunKernel(body, threads, ScalarType::kF32, in_cells, ScalarType::kF32, out_cells, scope, ctas);
  EXPECT_EQ(run.result.status, RunResult::Status::kCompleted) << run.result.reason;
  return run;
}
// How many cells of two runs are equal.
size_t EqualCells(const FieldRun& a, const FieldRun& b) {
  size_t equal = 0;
  EXPECT_EQ(a.cells.size(), b.cells.size());
  for (size_t i = 0; i < std::min(a.cells.size(), b.cells.size()); ++i) equal += a.cells[i].value == b.cells[i].value ? 1 : 0;
  return equal;
}
std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// 32 cells a lane each: a warp with a butterfly.
constexpr const char* kWarpNorm = R"(
  mov.f32 %f1, 0f00000000;
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f2, [%rd4];
  ld.global.f32 %f3, [%rd4+128];
  fma.rn.f32 %f1, %f2, %f2, %f1;
  fma.rn.f32 %f1, %f3, %f3, %f1;
  shfl.sync.bfly.b32 %r1, %f1, 16, 31, -1; mov.b32 %f4, %r1; add.f32 %f1, %f1, %f4;
  shfl.sync.bfly.b32 %r1, %f1, 8, 31, -1; mov.b32 %f4, %r1; add.f32 %f1, %f1, %f4;
  shfl.sync.bfly.b32 %r1, %f1, 4, 31, -1; mov.b32 %f4, %r1; add.f32 %f1, %f1, %f4;
  shfl.sync.bfly.b32 %r1, %f1, 2, 31, -1; mov.b32 %f4, %r1; add.f32 %f1, %f1, %f4;
  shfl.sync.bfly.b32 %r1, %f1, 1, 31, -1; mov.b32 %f4, %r1; add.f32 %f1, %f1, %f4;
  fma.rn.f32 %f1, %f1, 0f3C800000, 0f3727C5AC;
  rsqrt.approx.f32 %f5, %f1;
  mul.f32 %f2, %f2, %f5;
  mul.f32 %f3, %f3, %f5;
  st.global.f32 [%rd3], %f2;
  st.global.f32 [%rd3+128], %f3;)";
// One thread after the other, each the whole row; divides by the root.
constexpr const char* kSerialNorm = R"(
  mov.f32 %f1, 0f00000000;
  mov.u32 %r1, 0;
$sum:
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f2, [%rd5];
  mul.f32 %f3, %f2, %f2;
  add.f32 %f1, %f3, %f1;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 64;
  @%p1 bra $sum;
  mov.f32 %f4, 0f42800000;
  div.rn.f32 %f1, %f1, %f4;
  add.f32 %f1, %f1, 0f3727C5AC;
  sqrt.rn.f32 %f5, %f1;
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f2, [%rd4];
  div.rn.f32 %f2, %f2, %f5;
  st.global.f32 [%rd3], %f2;)";

TEST(FieldMachine, NormsOfTwoStructuresAgreeAndBrokenTwinsDoNot) {
  const FieldRun warp = RunF32(kWarpNorm, 32, 64, 64), serial = RunF32(kSerialNorm, 64, 64, 64);
  EXPECT_EQ(EqualCells(warp, serial), 64u);
  EXPECT_GT(warp.cells[0].degree, 0u);
  // One step of the butterfly missing; another mean; another eps; a weight of another cell.
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"add.f32 %f1, %f1, %f4;\n  shfl.sync.bfly.b32 %r1, %f1, 1", "mov.f32 %f1, %f1;\n  shfl.sync.bfly.b32 %r1, %f1, 1"},
           {"0f3C800000", "0f3C810000"},
           {"0f3727C5AC", "0f3727C5AD"},
           {"mul.f32 %f3, %f3, %f5", "mul.f32 %f3, %f2, %f5"}}) {
    EXPECT_LT(EqualCells(RunF32(Replaced(kWarpNorm, from, to), 32, 64, 64), serial), 64u) << from;
  }
}

// Softmax of 32 cells: with the maximum subtracted, the sum in a tree through shared memory.
constexpr const char* kShiftedSoftmax = R"(
  .shared .align 4 .b8 line[128];
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  mov.f32 %f2, %f1;
  shfl.sync.bfly.b32 %r1, %f2, 16, 31, -1; mov.b32 %f3, %r1; max.f32 %f2, %f2, %f3;
  shfl.sync.bfly.b32 %r1, %f2, 8, 31, -1; mov.b32 %f3, %r1; max.f32 %f2, %f2, %f3;
  shfl.sync.bfly.b32 %r1, %f2, 4, 31, -1; mov.b32 %f3, %r1; max.f32 %f2, %f2, %f3;
  shfl.sync.bfly.b32 %r1, %f2, 2, 31, -1; mov.b32 %f3, %r1; max.f32 %f2, %f2, %f3;
  shfl.sync.bfly.b32 %r1, %f2, 1, 31, -1; mov.b32 %f3, %r1; max.f32 %f2, %f2, %f3;
  sub.f32 %f4, %f1, %f2;
  mul.f32 %f4, %f4, 0f3FB8AA3B;
  ex2.approx.f32 %f4, %f4;
  mov.u32 %r2, line;
  shl.b32 %r3, %r0, 2;
  add.u32 %r4, %r2, %r3;
  st.shared.f32 [%r4], %f4;
  bar.sync 0;
  mov.u32 %r5, 16;
$tree:
  setp.ge.u32 %p1, %r0, %r5;
  @%p1 bra $next;
  shl.b32 %r6, %r5, 2;
  add.u32 %r6, %r6, %r4;
  ld.shared.f32 %f5, [%r4];
  ld.shared.f32 %f6, [%r6];
  add.f32 %f5, %f5, %f6;
  st.shared.f32 [%r4], %f5;
$next:
  bar.sync 0;
  shr.u32 %r5, %r5, 1;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra $tree;
  ld.shared.f32 %f7, [line];
  div.approx.f32 %f8, %f4, %f7;
  st.global.f32 [%rd3], %f8;)";
// Online: a running maximum and a sum that is rescaled.
constexpr const char* kOnlineSoftmax = R"(
  mov.f32 %f1, 0fFF800000;
  mov.f32 %f2, 0f00000000;
  mov.u32 %r1, 0;
$next:
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f3, [%rd5];
  max.f32 %f4, %f1, %f3;
  sub.f32 %f5, %f1, %f4;
  mul.f32 %f5, %f5, 0f3FB8AA3B;
  ex2.approx.f32 %f5, %f5;
  sub.f32 %f6, %f3, %f4;
  mul.f32 %f6, %f6, 0f3FB8AA3B;
  ex2.approx.f32 %f6, %f6;
  fma.rn.f32 %f2, %f2, %f5, %f6;
  mov.f32 %f1, %f4;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra $next;
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f3, [%rd4];
  sub.f32 %f6, %f3, %f1;
  mul.f32 %f6, %f6, 0f3FB8AA3B;
  ex2.approx.f32 %f6, %f6;
  rcp.approx.f32 %f7, %f2;
  mul.f32 %f8, %f6, %f7;
  st.global.f32 [%rd3], %f8;)";

TEST(FieldMachine, SoftmaxWithAndWithoutItsMaximumAndOnline) {
  const FieldRun shifted = RunF32(kShiftedSoftmax, 32, 32, 32), online = RunF32(kOnlineSoftmax, 32, 32, 32);
  const FieldRun plain = RunF32(Replaced(kShiftedSoftmax, "sub.f32 %f4, %f1, %f2;", "mov.f32 %f4, %f1;"), 32, 32, 32);
  EXPECT_EQ(EqualCells(shifted, plain), 32u);
  EXPECT_EQ(EqualCells(shifted, online), 32u);
  // The sum is not rescaled; the last cell is left out; another base.
  EXPECT_EQ(EqualCells(shifted, RunF32(Replaced(kOnlineSoftmax, "fma.rn.f32 %f2, %f2, %f5, %f6", "add.f32 %f2, %f2, %f6"), 32, 32, 32)),
            0u);
  EXPECT_EQ(EqualCells(shifted, RunF32(Replaced(kOnlineSoftmax, "%r1, 32;\n  @%p1", "%r1, 31;\n  @%p1"), 32, 32, 32)), 0u);
  EXPECT_EQ(EqualCells(shifted, RunF32(Replaced(kShiftedSoftmax, "0f3FB8AA3B", "0f3FB8AA3C"), 32, 32, 32)), 0u);
}

constexpr const char* kHalves = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.b32 %r1, [%rd4];
  mov.b32 %r2, 0x40004000;
  mul.f16x2 %r3, %r1, %r2;
  fma.rn.f16x2 %r3, %r1, %r1, %r3;
  st.global.b32 [%rd3], %r3;)";
constexpr const char* kScalars = R"(
  mul.wide.u32 %rd4, %r0, 2;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd0, %rd4;
  ld.global.u16 %h1, [%rd5];
  cvt.f32.f16 %f1, %h1;
  add.f32 %f2, %f1, 0f40000000;
  mul.f32 %f2, %f2, %f1;
  cvt.rn.f16.f32 %h2, %f2;
  st.global.u16 [%rd6], %h2;)";

TEST(FieldMachine, PackedHalvesAndConversions) {
  const auto run = [](const std::string& body, uint32_t threads) {
    FieldRun result = RunKernel(body, threads, ScalarType::kF16, 64, ScalarType::kF16, 64);
    EXPECT_EQ(result.result.status, RunResult::Status::kCompleted) << result.result.reason;
    return result;
  };
  const FieldRun scalars = run(kScalars, 64);
  EXPECT_EQ(EqualCells(run(kHalves, 32), scalars), 64u);
  // The upper half's factor is another one.
  EXPECT_EQ(EqualCells(run(Replaced(kHalves, "0x40004000", "0x42004000"), 32), scalars), 32u);
}

TEST(FieldMachine, AtomicsInAnyOrder) {
  const std::string scope = ".shared .align 4 .b8 total[4];\n";
  const std::string atomic = R"(
  mov.u32 %r1, total;
  setp.ne.u32 %p1, %r0, 0;
  @!%p1 st.shared.f32 [%r1], 0f00000000;
  bar.sync 0;
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  red.shared.add.f32 [%r1], %f1;
  bar.sync 0;
  ld.shared.f32 %f2, [%r1];
  st.global.f32 [%rd3], %f2;)";
  const std::string serial = R"(
  mov.f32 %f2, 0f00000000;
  mov.u32 %r1, 63;
$next:
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f1, [%rd5];
  add.f32 %f2, %f2, %f1;
  add.s32 %r1, %r1, -1;
  setp.ge.s32 %p1, %r1, 0;
  @%p1 bra $next;
  st.global.f32 [%rd3], %f2;)";
  EXPECT_EQ(EqualCells(RunF32(atomic, 64, 64, 64, scope), RunF32(serial, 64, 64, 64)), 64u);
  EXPECT_EQ(EqualCells(RunF32(atomic, 64, 64, 64, scope), RunF32(Replaced(serial, "%r1, 63", "%r1, 62"), 64, 64, 64)), 0u);
}

TEST(FieldMachine, GuardsOnDataSelect) {
  const std::string branchless = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  setp.gt.f32 %p1, %f1, 0f00000000;
  mov.f32 %f2, 0f00000000;
  @%p1 mov.f32 %f2, %f1;
  st.global.f32 [%rd3], %f2;)";
  const std::string maximum = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  max.f32 %f2, %f1, 0f00000000;
  st.global.f32 [%rd3], %f2;)";
  EXPECT_EQ(EqualCells(RunF32(branchless, 32, 32, 32), RunF32(maximum, 32, 32, 32)), 32u);
  EXPECT_EQ(EqualCells(RunF32(Replaced(branchless, "setp.gt", "setp.lt"), 32, 32, 32), RunF32(maximum, 32, 32, 32)), 0u);
}

// Both ways of a branch on data are taken and merged; the store that one of them makes, too.
TEST(FieldMachine, BranchesOnDataMerge) {
  const std::string branch = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  mov.f32 %f2, 0f00000000;
  st.global.f32 [%rd3], %f2;
  setp.le.f32 %p1, %f1, 0f00000000;
  @%p1 bra $on;
  st.global.f32 [%rd3], %f1;
$on:)";
  const std::string maximum = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  max.f32 %f2, %f1, 0f00000000;
  st.global.f32 [%rd3], %f2;)";
  EXPECT_EQ(EqualCells(RunF32(branch, 32, 32, 32), RunF32(maximum, 32, 32, 32)), 32u);
  EXPECT_EQ(EqualCells(RunF32(Replaced(branch, "setp.le", "setp.gt"), 32, 32, 32), RunF32(maximum, 32, 32, 32)), 0u);
}

TEST(FieldMachine, MatrixSumsAreExact) {
  // One 16x8x8 product of f16 fragments against sums of products by one thread for each element.
  const std::string mma = R"(
  mov.f32 %f9, 0f00000000;
  shr.u32 %r1, %r0, 2;        // group
  and.b32 %r2, %r0, 3;
  shl.b32 %r3, %r1, 3; shl.b32 %r4, %r2, 1; add.u32 %r3, %r3, %r4;   // A: row group, columns 2t
  mul.wide.u32 %rd4, %r3, 2; add.s64 %rd5, %rd1, %rd4;
  ld.global.b32 %r5, [%rd5];
  ld.global.b32 %r6, [%rd5+128];
  // B (8x8) follows A at cell 128: rows 2t, 2t+1 of column group
  shl.b32 %r7, %r4, 3; add.u32 %r7, %r7, %r1; mul.wide.u32 %rd6, %r7, 2; add.s64 %rd7, %rd1, %rd6;
  ld.global.u16 %h1, [%rd7+256];
  ld.global.u16 %h2, [%rd7+272];
  mov.b32 %r8, {%h1, %h2};
  mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r5, %r6}, {%r8}, {%f9, %f9, %f9, %f9};
  mul.wide.u32 %rd8, %r3, 4; add.s64 %rd9, %rd0, %rd8;
  st.global.v2.f32 [%rd9], {%f1, %f2};
  st.global.v2.f32 [%rd9+256], {%f3, %f4};)";
  const std::string serial = R"(
  shr.u32 %r1, %r0, 3; and.b32 %r2, %r0, 7;
  shl.b32 %r3, %r1, 3; mul.wide.u32 %rd4, %r3, 2; add.s64 %rd5, %rd1, %rd4;
  mul.wide.u32 %rd6, %r2, 2; add.s64 %rd7, %rd1, %rd6;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r4, 0;
$next:
  ld.global.u16 %h1, [%rd5]; ld.global.u16 %h2, [%rd7+256];
  cvt.f32.f16 %f2, %h1; cvt.f32.f16 %f3, %h2;
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s64 %rd5, %rd5, 2; add.s64 %rd7, %rd7, 16;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 8;
  @%p1 bra $next;
  st.global.f32 [%rd3], %f1;)";
  const auto run = [](const std::string& body, uint32_t threads) {
    FieldRun result = RunKernel(body, threads, ScalarType::kF16, 192, ScalarType::kF32, 128);
    EXPECT_EQ(result.result.status, RunResult::Status::kCompleted) << result.result.reason;
    return result;
  };
  EXPECT_EQ(EqualCells(run(mma, 32), run(serial, 128)), 128u);
  EXPECT_LT(EqualCells(run(Replaced(mma, "{%h1, %h2}", "{%h2, %h1}"), 32), run(serial, 128)), 128u);
}

// Many more values than are kept: the collections of a run change nothing, and the memory stays bounded.
TEST(FieldMachine, CollectsWhatNothingHolds) {
  const std::string loop = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  mov.f32 %f2, 0f00000000;
  mov.u32 %r1, 0;
$next:
  add.f32 %f2, %f2, %f1;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 5000;
  bar.sync 0;
  @%p1 bra $next;
  st.global.f32 [%rd3], %f2;)";
  const std::string product = R"(
  add.s64 %rd4, %rd1, %rd2;
  ld.global.f32 %f1, [%rd4];
  mul.f32 %f2, %f1, 0f459C4000;
  st.global.f32 [%rd3], %f2;)";
  const FieldRun run = RunF32(loop, 1024, 1024, 1024);
  EXPECT_EQ(EqualCells(run, RunF32(product, 1024, 1024, 1024)), 1024u);
  EXPECT_LT(run.result.stats.peak_bytes, uint64_t{160} << 20);  // 5 million values of 48 bytes would be 245 MB
}

// Each is refused by name and line; were it guessed, the run would complete.
TEST(FieldMachine, LeavesTheDomainByName) {
  const auto refused = [](const std::string& body, const std::string& reason, int line) {
    const FieldRun run =
        RunKernel("add.s64 %rd4, %rd1, %rd2; ld.global.f32 %f1, [%rd4];\n" + body, 32, ScalarType::kF32, 32, ScalarType::kF32, 32);
    Launch::Refused(run.result, reason, kBodyLine + line);
  };
  refused("setp.gt.f32 %p1, %f1, 0f00000000;\n@%p1 bra $on;\nbar.sync 0;\n$on:", "a barrier on a way that data decide", 3);
  refused("cvt.rzi.s32.f32 %r1, %f1;", "a conversion of a computed value to an integer", 1);
  refused("mov.b32 %r1, %f1;\nadd.u32 %r1, %r1, 32767;", "arithmetic on a symbolic integer or on the pattern of a computed value", 2);
  refused("sub.f32 %f2, %f1, %f1;\ndiv.rn.f32 %f2, %f1, %f2;", "a division by what is zero at the random point", 2);
}

}  // namespace
}  // namespace racer
