// Prints terms, bytes and nanoseconds a term, for building and for proving.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "base/check.h"
#include "symexec/normal/normal.h"
#include "symexec/normal/testing.h"

namespace racer {
namespace {

void Report(benchmark::State& state, const TermStore& store) {
  state.counters["terms"] = static_cast<double>(store.size());
  state.counters["bytes/term"] = static_cast<double>(store.bytes()) / static_cast<double>(store.size());
  state.counters["time/term"] =
      benchmark::Counter(static_cast<double>(store.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// A chain of n fused multiply-adds over n cells.
TermId Chain(Terms& t, uint32_t n, bool reversed) {
  TermId sum = t.C(0);
  for (uint32_t i = 0; i < n; ++i) {
    TermId x = t.X(reversed ? n - 1 - i : i);
    sum = t.Fma(x, x, sum);
  }
  return sum;
}

void BuildFmaChain(benchmark::State& state) {
  size_t terms = 0, bytes = 0;
  for (auto _ : state) {
    Terms t;
    benchmark::DoNotOptimize(Chain(t, static_cast<uint32_t>(state.range(0)), false));
    terms = t.store.size();
    bytes = t.store.bytes();
  }
  state.counters["terms"] = static_cast<double>(terms);
  state.counters["bytes/term"] = static_cast<double>(bytes) / static_cast<double>(terms);
  state.counters["time/term"] =
      benchmark::Counter(static_cast<double>(terms), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BuildFmaChain)->Arg(1 << 10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void ProveFmaChain(benchmark::State& state) {
  Terms t;
  TermId a = Chain(t, static_cast<uint32_t>(state.range(0)), false), b = Chain(t, static_cast<uint32_t>(state.range(0)), true);
  for (auto _ : state) {
    Normalizer normalizer(t.store, t.ranges, {});
    RACER_CHECK(normalizer.ProveEqual(a, b).status == ProofOutcome::Status::kProved);
  }
  Report(state, t.store);
}
BENCHMARK(ProveFmaChain)->Arg(1 << 10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// Every cell of an f16 RMSNorm pair: x * w * rsqrt(sum x^2 / H + eps), once as a sequential row and once as strided partial
// sums with a butterfly reduction. range(1): the second kernel multiplies by the f32 nearest to 1/H (H = 384 needs the ledger).
void ProveRmsNorm(benchmark::State& state) {
  const uint32_t rows = 2, h = static_cast<uint32_t>(state.range(0)), threads = 256;
  const bool reciprocal = state.range(1) != 0;
  Terms t;
  TermStore& store = t.store;
  SymbolId x = store.AddSymbol({"x", ScalarType::kF16, {rows, h}}), w = store.AddSymbol({"w", ScalarType::kF16, {h}});
  FpAttr f32, f16{.format = FpFormat::kF16};
  TermId eps = t.C(1e-5f);
  std::vector<std::pair<TermId, TermId>> cells;
  for (uint32_t row = 0; row < rows; ++row) {
    auto load = [&](uint32_t i) { return store.FpConvert(f32, store.FpInput(x, row * h + i)); };
    TermId sequential = t.C(0);
    for (uint32_t i = 0; i < h; ++i) sequential = t.Fma(load(i), load(i), sequential);
    TermId plain_scale = t.Rcp(t.Sqrt(t.Add(t.Div(sequential, t.C(static_cast<float>(h))), eps)));
    std::vector<TermId> lanes(threads, t.C(0));
    for (uint32_t i = 0; i < h; ++i) lanes[i % threads] = t.Add(t.Mul(load(i), load(i)), lanes[i % threads]);
    for (uint32_t mask = threads / 2; mask > 0; mask /= 2) {
      std::vector<TermId> next(threads);
      for (uint32_t i = 0; i < threads; ++i) next[i] = t.Add(lanes[i], lanes[i ^ mask]);
      lanes = next;
    }
    for (uint32_t i = 0; i < h; ++i) {
      TermId weight = store.FpConvert(f32, store.FpInput(w, i));
      TermId mean =
          reciprocal ? t.Mul(lanes[i % threads], t.C(1.0f / static_cast<float>(h))) : t.Div(lanes[i % threads], t.C(static_cast<float>(h)));
      TermId scale = t.Rsqrt(t.Add(mean, eps));
      cells.emplace_back(store.FpConvert(f16, t.Mul(t.Mul(load(i), plain_scale), weight)),
                         store.FpConvert(f16, t.Mul(load(i), t.Mul(weight, scale))));
    }
  }
  const FewConstants constants;
  for (auto _ : state) {
    Normalizer normalizer(store, t.ranges, {.constants = &constants});
    for (const auto& [a, b] : cells) RACER_CHECK(normalizer.ProveEqual(a, b).status == ProofOutcome::Status::kProved);
  }
  Report(state, store);
  state.counters["cells"] = static_cast<double>(cells.size());
}
BENCHMARK(ProveRmsNorm)->Args({384, 0})->Args({384, 1})->Args({4096, 0})->Args({3840, 1})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace racer

BENCHMARK_MAIN();
