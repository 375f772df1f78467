// Thread-instructions a second in all domains, on RMSNorm kernels of two shapes: a warp a row in f32 (shuffles), and a
// CTA a row in f16 with a tree in shared memory; on a mix of integer and f32 arithmetic, global and shared memory and
// barriers without divergence; and on a kernel whose lanes take different paths and trip counts.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ptx_frontend/parse/parse.h"
#include "symexec/field/field_store.h"
#include "symexec/machine/machine.h"

namespace racer {
namespace {

// Around every body. %rd1 to %rd3: x, w and y; %r1: H; %r2 and %r3: the thread and the CTA; %f1: eps.
constexpr const char* kPrologue = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 w, .param .u64 y, .param .u32 N, .param .u32 H, .param .f32 eps)
{
  .reg .pred %p<4>; .reg .f32 %f<16>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .b16 %h<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [w];
  ld.param.u64 %rd3, [y];
  ld.param.u32 %r1, [H];
  ld.param.f32 %f1, [eps];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
)";
constexpr const char* kEpilogue = "  ret;\n}\n";

constexpr const char* kWarpRow = R"(
  mul.lo.u32 %r4, %r3, %r1;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd1, %rd1, %rd4;
  add.s64 %rd3, %rd3, %rd4;
  mov.f32 %f2, 0f00000000;
  mov.u32 %r5, %r2;
$sum:
  mul.wide.u32 %rd5, %r5, 4;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.nc.f32 %f3, [%rd6];
  fma.rn.f32 %f2, %f3, %f3, %f2;
  add.u32 %r5, %r5, 32;
  setp.lt.u32 %p1, %r5, %r1;
  @%p1 bra $sum;
  shfl.sync.bfly.b32 %f4, %f2, 16, 31, -1;
  add.f32 %f2, %f2, %f4;
  shfl.sync.bfly.b32 %f4, %f2, 8, 31, -1;
  add.f32 %f2, %f2, %f4;
  shfl.sync.bfly.b32 %f4, %f2, 4, 31, -1;
  add.f32 %f2, %f2, %f4;
  shfl.sync.bfly.b32 %f4, %f2, 2, 31, -1;
  add.f32 %f2, %f2, %f4;
  shfl.sync.bfly.b32 %f4, %f2, 1, 31, -1;
  add.f32 %f2, %f2, %f4;
  cvt.rn.f32.u32 %f5, %r1;
  div.rn.f32 %f6, %f2, %f5;
  add.f32 %f6, %f6, %f1;
  rsqrt.approx.f32 %f7, %f6;
  mov.u32 %r5, %r2;
$scale:
  mul.wide.u32 %rd5, %r5, 4;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
  add.s64 %rd8, %rd3, %rd5;
  ld.global.nc.f32 %f3, [%rd6];
  ld.global.nc.f32 %f8, [%rd7];
  mul.f32 %f9, %f3, %f7;
  mul.f32 %f9, %f9, %f8;
  st.global.f32 [%rd8], %f9;
  add.u32 %r5, %r5, 32;
  setp.lt.u32 %p1, %r5, %r1;
  @%p1 bra $scale;
)";

constexpr const char* kCtaRow = R"(
  .shared .align 4 .b8 partial[1024];
  mul.lo.u32 %r4, %r3, %r1;
  mul.wide.u32 %rd4, %r4, 2;
  add.s64 %rd1, %rd1, %rd4;
  add.s64 %rd3, %rd3, %rd4;
  mov.f32 %f2, 0f00000000;
  mov.u32 %r5, %r2;
$sum:
  mul.wide.u32 %rd5, %r5, 2;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.nc.u16 %h1, [%rd6];
  cvt.f32.f16 %f3, %h1;
  fma.rn.f32 %f2, %f3, %f3, %f2;
  add.u32 %r5, %r5, 256;
  setp.lt.u32 %p1, %r5, %r1;
  @%p1 bra $sum;
  mov.u32 %r6, partial;
  mad.lo.u32 %r7, %r2, 4, %r6;
  st.shared.f32 [%r7], %f2;
  bar.sync 0;
  mov.u32 %r8, 128;
$tree:
  setp.ge.u32 %p2, %r2, %r8;
  @%p2 bra $next;
  mad.lo.u32 %r9, %r8, 4, %r7;
  ld.shared.f32 %f4, [%r7];
  ld.shared.f32 %f5, [%r9];
  add.f32 %f4, %f4, %f5;
  st.shared.f32 [%r7], %f4;
$next:
  bar.sync 0;
  shr.u32 %r8, %r8, 1;
  setp.ne.u32 %p3, %r8, 0;
  @%p3 bra $tree;
  ld.shared.f32 %f2, [partial];
  cvt.rn.f32.u32 %f5, %r1;
  div.rn.f32 %f6, %f2, %f5;
  add.f32 %f6, %f6, %f1;
  rsqrt.approx.f32 %f7, %f6;
  mov.u32 %r5, %r2;
$scale:
  mul.wide.u32 %rd5, %r5, 2;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
  add.s64 %rd8, %rd3, %rd5;
  ld.global.nc.u16 %h1, [%rd6];
  ld.global.nc.u16 %h2, [%rd7];
  cvt.f32.f16 %f3, %h1;
  cvt.f32.f16 %f8, %h2;
  mul.f32 %f9, %f3, %f7;
  mul.f32 %f9, %f9, %f8;
  cvt.rn.f16.f32 %h3, %f9;
  st.global.u16 [%rd8], %h3;
  add.u32 %r5, %r5, 256;
  setp.lt.u32 %p1, %r5, %r1;
  @%p1 bra $scale;
)";

// Each step hashes an index, loads from global memory, and passes a value to a neighbour through shared memory.
constexpr const char* kMix = R"(
  .shared .align 4 .b8 line[1024];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd3, %rd3;
  mul.lo.s32 %r4, %r3, %r1;
  mov.u32 %r5, line;
  shl.b32 %r6, %r2, 2;
  add.s32 %r7, %r5, %r6;
  add.s32 %r8, %r2, 1;
  and.b32 %r8, %r8, 255;
  shl.b32 %r8, %r8, 2;
  add.s32 %r8, %r5, %r8;
  mov.f32 %f2, 0f3F800000;
  mov.u32 %r9, %r2;
  mov.u32 %r10, 12345;
$loop:
  add.s32 %r11, %r4, %r9;
  mul.wide.s32 %rd4, %r11, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f3, [%rd5];
  mad.lo.s32 %r12, %r9, 1664525, %r10;
  shr.u32 %r13, %r12, 16;
  xor.b32 %r12, %r12, %r13;
  and.b32 %r14, %r12, 1023;
  cvt.rn.f32.u32 %f4, %r14;
  fma.rn.f32 %f5, %f4, 0f3A800000, %f3;
  mul.f32 %f6, %f5, %f1;
  add.f32 %f6, %f6, %f2;
  max.f32 %f6, %f6, 0fBF800000;
  st.shared.f32 [%r7], %f6;
  bar.sync 0;
  ld.shared.f32 %f7, [%r8];
  sub.f32 %f8, %f7, %f6;
  setp.gt.f32 %p1, %f8, 0f00000000;
  selp.f32 %f9, %f7, %f6, %p1;
  min.f32 %f2, %f9, 0f40000000;
  bar.sync 0;
  shl.b32 %r15, %r12, 7;
  or.b32 %r15, %r15, %r14;
  sub.s32 %r16, %r15, %r9;
  min.u32 %r10, %r16, %r12;
  add.s64 %rd6, %rd3, %rd4;
  st.global.f32 [%rd6], %f2;
  add.s32 %r9, %r9, 256;
  setp.lt.s32 %p2, %r9, %r1;
  @%p2 bra $loop;
)";

// Trip counts from 8 to 39, and every step takes one of two ways by a bit of a hash.
constexpr const char* kDivergent = R"(
  mul.lo.s32 %r4, %r3, %r1;
  mov.u32 %r9, %r2;
$element:
  add.s32 %r11, %r4, %r9;
  mul.wide.s32 %rd4, %r11, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f2, [%rd5];
  mad.lo.s32 %r12, %r11, 1664525, 1013904223;
  shr.u32 %r13, %r12, 13;
  xor.b32 %r12, %r12, %r13;
  and.b32 %r14, %r12, 31;
  add.s32 %r14, %r14, 8;
$step:
  mad.lo.s32 %r12, %r12, 1664525, 1013904223;
  and.b32 %r15, %r12, 65536;
  setp.eq.s32 %p1, %r15, 0;
  @%p1 bra $even;
  shr.u32 %r16, %r12, 9;
  xor.b32 %r12, %r12, %r16;
  mul.f32 %f2, %f2, 0fBF800000;
  add.f32 %f2, %f2, %f1;
  bra.uni $join;
$even:
  shl.b32 %r16, %r12, 5;
  sub.s32 %r12, %r12, %r16;
  fma.rn.f32 %f2, %f2, 0f3F800000, %f1;
  max.f32 %f2, %f2, 0f00000000;
$join:
  add.s32 %r14, %r14, -1;
  setp.ne.s32 %p2, %r14, 0;
  @%p2 bra $step;
  add.s64 %rd6, %rd3, %rd4;
  st.global.f32 [%rd6], %f2;
  add.s32 %r9, %r9, 256;
  setp.lt.s32 %p3, %r9, %r1;
  @%p3 bra $element;
)";

struct Problem {
  std::unique_ptr<ir::Module> module;
  RunConfig config;
};

// What the buffers and the last argument hold.
struct Values {
  uint32_t cell = 0, eps = 0;
};
constexpr Values kRounded = {.cell = 0x3c3c3c3c, .eps = 0x3727c5ac};
constexpr Values kExact = {.cell = 0x3f800000, .eps = 0x3f000000};  // 1 and 0.5: every result of kMix and kDivergent is exact

enum class Mode : uint8_t { kBits, kTerm, kTermOfBits, kField };  // the third: in Term, with buffers of bits

struct Case {
  const char* name;
  Mode mode;
  const char* body;
  uint32_t threads;
  ScalarType dtype;
  Values values;
  std::vector<int64_t> rows;
};

Problem Make(const Case& c, const benchmark::State& state, TermStore* store, FieldStore* values = nullptr) {
  const uint32_t rows = static_cast<uint32_t>(state.range(0)), columns = static_cast<uint32_t>(state.range(1));
  Problem problem;
  const std::string text = std::string(kPrologue) + c.body + kEpilogue;
  problem.module = std::move(ParsePtx(std::make_shared<SourceFile>("benchmark.ptx", text)).module);
  if (problem.module == nullptr) std::abort();
  RunConfig& config = problem.config;
  config.module = problem.module.get();
  config.entry = problem.module->Entries().front();
  config.launch.grid = {rows, 1, 1};
  config.launch.block = {c.threads, 1, 1};
  const uint64_t size = BitWidth(c.dtype) / 8;
  const uint64_t sizes[] = {rows * columns * size, columns * size, rows * columns * size};
  const char* names[] = {"x", "w", "y"};
  for (int i = 0; i < 3; ++i) {
    config.buffers.push_back({.name = names[i], .size = sizes[i], .align = 16, .writable = i == 2, .initialised = i != 2});
    config.contents.emplace_back();
    config.arguments.push_back({.kind = Argument::Kind::kBuffer, .buffer = i});
    if (i == 2) continue;
    if (c.mode == Mode::kField) {
      config.contents[i].symbol = SymbolId{static_cast<uint16_t>(i)};
      config.contents[i].dtype = c.dtype;
      if (!values->AddSymbol(c.dtype, sizes[i] / size)) std::abort();
    } else if (c.mode == Mode::kTerm) {
      config.contents[i].symbol = store->AddSymbol({.name = names[i], .dtype = c.dtype, .shape = {sizes[i] / size}});
      config.contents[i].dtype = c.dtype;
    } else {
      config.contents[i].bytes.resize(sizes[i]);
      for (uint64_t at = 0; at < sizes[i]; at += size) std::memcpy(config.contents[i].bytes.data() + at, &c.values.cell, size);
    }
  }
  config.arguments.push_back({.kind = Argument::Kind::kBits, .bits = rows});
  config.arguments.push_back({.kind = Argument::Kind::kBits, .bits = columns});
  config.arguments.push_back({.kind = Argument::Kind::kBits, .bits = c.values.eps});
  return problem;
}

void Report(benchmark::State& state, uint64_t instructions) {
  state.counters["thread_instructions"] = static_cast<double>(instructions);
  state.counters["thread_instructions_per_s"] =
      benchmark::Counter(static_cast<double>(instructions) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void RunBits(benchmark::State& state, const Case& c) {
  Problem problem = Make(c, state, nullptr);
  BitsMachine machine;
  uint64_t instructions = 0;
  for (auto _ : state) {
    const RunResult result = machine.Run(problem.config);
    if (result.status != RunResult::Status::kCompleted) state.SkipWithError(result.reason.c_str());
    instructions = result.stats.thread_instructions;
  }
  Report(state, instructions);
}

void RunTerm(benchmark::State& state, const Case& c) {
  uint64_t instructions = 0, terms = 0, bytes = 0;
  for (auto _ : state) {
    TermStore store;
    Problem problem = Make(c, state, &store);
    TermMachine machine(store);
    const RunResult result = machine.Run(problem.config);
    if (result.status != RunResult::Status::kCompleted) state.SkipWithError(result.reason.c_str());
    instructions = result.stats.thread_instructions;
    terms = result.stats.terms;
    bytes = store.bytes();
  }
  Report(state, instructions);
  state.counters["terms"] = static_cast<double>(terms);
  state.counters["bytes_a_term"] = terms == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(terms);
}

void RunField(benchmark::State& state, const Case& c) {
  uint64_t instructions = 0, bytes = 0;
  for (auto _ : state) {
    FieldStore store({.seed = 1, .exponents = false});
    Problem problem = Make(c, state, nullptr, &store);
    FieldMachine machine(store);
    const RunResult result = machine.Run(problem.config);
    if (result.status != RunResult::Status::kCompleted) state.SkipWithError(result.reason.c_str());
    instructions = result.stats.thread_instructions;
    bytes = result.stats.peak_bytes;
  }
  Report(state, instructions);
  state.counters["MiB"] = static_cast<double>(bytes) / (1 << 20);
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"BitsWarpRowF32", Mode::kBits, kWarpRow, 32, ScalarType::kF32, kRounded, {8}},
      {"BitsCtaRowF16", Mode::kBits, kCtaRow, 256, ScalarType::kF16, kRounded, {8}},
      {"BitsMixCta", Mode::kBits, kMix, 256, ScalarType::kF32, kExact, {8}},
      {"BitsDivergentCta", Mode::kBits, kDivergent, 256, ScalarType::kF32, kExact, {2}},
      {"TermWarpRowF32", Mode::kTerm, kWarpRow, 32, ScalarType::kF32, kRounded, {8}},
      {"TermCtaRowF16", Mode::kTerm, kCtaRow, 256, ScalarType::kF16, kRounded, {2, 8}},
      {"FieldWarpRowF32", Mode::kField, kWarpRow, 32, ScalarType::kF32, kRounded, {8, 64}},
      {"FieldCtaRowF16", Mode::kField, kCtaRow, 256, ScalarType::kF16, kRounded, {8, 64}},
      {"FieldMixCta", Mode::kField, kMix, 256, ScalarType::kF32, kExact, {8}},
      {"TermConcreteWarpRowF32", Mode::kTermOfBits, kWarpRow, 32, ScalarType::kF32, kRounded, {8}},
      {"TermConcreteMixCta", Mode::kTermOfBits, kMix, 256, ScalarType::kF32, kExact, {8}},
      {"TermConcreteDivergentCta", Mode::kTermOfBits, kDivergent, 256, ScalarType::kF32, kExact, {2}},
  };
  return cases;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const racer::Case& c : racer::Cases()) {
    auto* registered = benchmark::RegisterBenchmark(c.name,
                                                    c.mode == racer::Mode::kBits    ? racer::RunBits
                                                    : c.mode == racer::Mode::kField ? racer::RunField
                                                                                    : racer::RunTerm,
                                                    c);
    registered->Unit(benchmark::kMillisecond);
    for (int64_t rows : c.rows) registered->Args({rows, 4096});
  }
  benchmark::RunSpecifiedBenchmarks();
}
