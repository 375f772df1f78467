// Speed of the lexer, the parser and the printer on about 2 MB of PTX: nvcc's output for sample.cu, over and over.
//   bazel run //ptx_frontend/parse:parse_benchmark
#include <benchmark/benchmark.h>

#include <memory>
#include <regex>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source_file.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/lex/lexer.h"
#include "ptx_frontend/lex/token.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

constexpr size_t kBytes = 2'000'000;

std::shared_ptr<const SourceFile> Big() {
  static const std::shared_ptr<const SourceFile> file = [] {
    const auto sample = LoadSourceFile("ptx_frontend/parse/testdata/sample.O3.ptx", 1 << 20);
    RACER_CHECK(sample.ok());
    const std::string text((*sample)->text());
    const size_t body = text.find(".visible .entry");
    RACER_CHECK(body != std::string::npos);
    std::string all = text.substr(0, body);
    const std::regex entry("\\.entry (\\w+)\\(");
    for (int copy = 0; all.size() < kBytes; ++copy)
      all += std::regex_replace(text.substr(body), entry, ".entry $1_copy" + std::to_string(copy) + "(");
    return std::make_shared<const SourceFile>("big.ptx", all);
  }();
  return file;
}

void SetBytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(Big()->text().size()));
}

void BM_Lex(benchmark::State& state) {
  for (auto _ : state) {
    Lexer lexer(Big()->text());
    size_t tokens = 0;
    while (lexer.Next().kind != TokenKind::kEnd) ++tokens;
    benchmark::DoNotOptimize(tokens);
  }
  SetBytes(state);
}
BENCHMARK(BM_Lex)->Unit(benchmark::kMillisecond);

void BM_Parse(benchmark::State& state) {
  for (auto _ : state) RACER_CHECK(ParsePtx(Big()).module != nullptr);
  SetBytes(state);
}
BENCHMARK(BM_Parse)->Unit(benchmark::kMillisecond);

void BM_Print(benchmark::State& state) {
  const ParseOutcome outcome = ParsePtx(Big());
  RACER_CHECK(outcome.module != nullptr);
  for (auto _ : state) benchmark::DoNotOptimize(ir::Print(*outcome.module));
  SetBytes(state);
}
BENCHMARK(BM_Print)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace racer

BENCHMARK_MAIN();
