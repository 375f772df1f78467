#include "tests/bits_corpus/bits_corpus.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source_file.h"
#include "ptx_frontend/ir/compare.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/machine.h"

namespace racer::corpus {
namespace {

constexpr size_t kMaxFileBytes = 4 << 20;

const CorpusKernel* FindRun(const std::string& entry) {
  for (const CorpusTable& table :
       {CubBlockKernels(), CubSortKernels(), CooperativeKernels(), NarrowFloatKernels(), IntegerKernels(), MathKernels(), StandardKernels(),
        TritonElementwiseKernels(), TritonRowKernels(), TritonDataKernels(), TritonMatrixKernels()}) {
    for (const CorpusKernel& kernel : table) {
      if (entry == kernel.entry) return &kernel;
    }
  }
  return nullptr;
}

double Decode(const uint8_t* bytes, Format format) {
  uint16_t narrow = 0;
  float single = 0;
  double wide = 0;
  switch (format) {
    case Format::kInteger: break;
    case Format::kF16: std::memcpy(&narrow, bytes, 2); return DecodeFloat(narrow, kHalf);
    case Format::kBf16: std::memcpy(&narrow, bytes, 2); return DecodeFloat(narrow, kBrain);
    case Format::kE5m2: return DecodeFloat(*bytes, kE5m2);
    case Format::kE4m3: return DecodeFloat(*bytes, kE4m3);
    case Format::kF32: std::memcpy(&single, bytes, 4); return single;
    case Format::kF64: std::memcpy(&wide, bytes, 8); return wide;
  }
  return wide;
}

bool SameElement(const uint8_t* got, const uint8_t* want, const Buffer& buffer) {
  if (std::memcmp(got, want, buffer.element_bytes) == 0) return true;
  if (buffer.format == Format::kInteger) return false;
  const double a = Decode(got, buffer.format), b = Decode(want, buffer.format);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (buffer.tolerance.relative == 0 && buffer.tolerance.absolute == 0) return false;
  return std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= buffer.tolerance.absolute + buffer.tolerance.relative * std::fabs(b);
}

std::string Show(const uint8_t* bytes, const Buffer& buffer) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, buffer.element_bytes);
  char text[64];
  if (buffer.format == Format::kInteger) {
    std::snprintf(text, sizeof text, "0x%" PRIx64, bits);
  } else {
    std::snprintf(text, sizeof text, "%.9g (0x%" PRIx64 ")", Decode(bytes, buffer.format), bits);
  }
  return text;
}

// Empty if the buffer holds what is wanted.
std::string Compare(const BitsMachine& machine, int index, const Buffer& buffer) {
  uint64_t wrong = 0;
  std::string first;
  for (uint64_t i = 0; i < buffer.elements; ++i) {
    const CellValue cell = machine.ReadCell(index, i * buffer.element_bytes, buffer.element_bytes * 8);
    const uint8_t* want = &buffer.want[i * buffer.element_bytes];
    uint8_t got[8];
    std::memcpy(got, &cell.bits, sizeof got);
    const bool written = cell.state == CellValue::State::kConcrete;
    if (written && SameElement(got, want, buffer)) continue;
    if (wrong++ == 0) {
      first = "buffer " + std::to_string(index) + " [" + std::to_string(i) + "]: got " +
              (written ? Show(got, buffer) : std::string("nothing")) + ", want " + Show(want, buffer);
    }
  }
  if (wrong > 1) first += " and " + std::to_string(wrong - 1) + " more of " + std::to_string(buffer.elements);
  return first;
}

std::string Place(const Where& where) { return where.file + ":" + std::to_string(where.line) + ": " + where.text; }

std::string Explain(const RunResult& result) {
  std::string text = result.reason;
  if (result.place) text += " at " + Place(*result.place);
  for (const Finding& finding : result.findings) {
    text += finding.message;
    for (const Where& where : finding.where) text += "\n    " + Place(where);
  }
  return text;
}

// Whether the run stopped at accesses that nothing which racer follows orders.
bool IsAboutOrder(const RunResult& result) {
  return result.reason.starts_with("synchronisation through fences") ||
         result.reason.starts_with("volatile or relaxed accesses that nothing orders") ||
         (!result.findings.empty() && result.findings[0].gate == Gate::kRace);
}

KernelOutcome RunKernel(const ir::Module& module, const ir::Function& entry, uint64_t dynamic_shared) {
  KernelOutcome outcome{.entry = entry.name};
  const CorpusKernel* kernel = FindRun(entry.name);
  if (kernel == nullptr) {
    outcome.message = "no table names this entry";
    return outcome;
  }
  outcome.has_run = true;
  const KernelRun run = kernel->make();
  RunConfig config;
  config.module = &module;
  config.entry = &entry;
  config.launch.grid = run.grid();
  config.launch.block = run.block()[0] != 0 ? run.block() : entry.bounds.reqntid.value_or(Dim3{1, 1, 1});
  config.launch.dynamic_shared = std::max(run.dynamic_shared(), dynamic_shared);
  for (const Buffer& buffer : run.buffers()) {
    config.buffers.push_back({.name = "b" + std::to_string(config.buffers.size()),
                              .size = buffer.elements * buffer.element_bytes,
                              .align = 256,
                              .writable = !buffer.want.empty(),
                              .initialised = !buffer.initial.empty()});
    config.contents.push_back({.bytes = buffer.initial, .symbol = {}, .cells = {}});
  }
  config.arguments = run.arguments();
  // As compilers do.
  config.assume_reconvergence = true;
  config.assume_function_addresses = true;
  if (config.arguments.size() + 2 == entry.params.size()) config.arguments.resize(entry.params.size());  // Triton's scratch pointers
  if (config.arguments.size() != entry.params.size()) {
    outcome.message = std::to_string(run.arguments().size()) + " arguments for " + std::to_string(entry.params.size()) + " parameters";
    return outcome;
  }
  BitsMachine machine;
  const auto start = std::chrono::steady_clock::now();
  RunResult result = machine.Run(config);
  if (result.status != RunResult::Status::kCompleted && IsAboutOrder(result)) {
    outcome.unordered = Explain(result);
    config.check_races = false;
    result = machine.Run(config);
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.thread_instructions = result.stats.thread_instructions;
  if (result.status != RunResult::Status::kCompleted || !result.findings.empty()) {
    outcome.message = Explain(result);
    return outcome;
  }
  outcome.executed = true;
  for (size_t i = 0; i < run.buffers().size() && outcome.message.empty(); ++i) {
    if (!run.buffers()[i].want.empty()) outcome.message = Compare(machine, static_cast<int>(i), run.buffers()[i]);
  }
  outcome.equal = outcome.message.empty();
  return outcome;
}

std::string Rendered(const ParseOutcome& outcome) {
  std::string text;
  for (const Diagnostic& diagnostic : outcome.diagnostics) text += diagnostic.Render();
  return text;
}

}  // namespace

std::vector<std::string> CorpusFiles(const std::string& directory) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

FileOutcome RunCorpusFile(const std::string& path) {
  FileOutcome outcome{.path = path};
  const auto file = LoadSourceFile(path, kMaxFileBytes);
  if (!file.ok()) {
    outcome.message = file.error().Render();
    return outcome;
  }
  const ParseOutcome first = ParsePtx(*file);
  outcome.message = Rendered(first);
  outcome.parsed = first.module != nullptr && outcome.message.empty();
  if (!outcome.parsed) return outcome;
  outcome.sm = first.module->sm;
  for (const auto& function : first.module->functions) outcome.instructions += function->body.size();

  const std::string text = ir::Print(*first.module);
  const ParseOutcome second = ParsePtx(std::make_shared<const SourceFile>("printed.ptx", text));
  outcome.message = Rendered(second);
  if (second.module != nullptr && outcome.message.empty()) outcome.message = ir::FirstDifference(*first.module, *second.module);
  outcome.round_tripped = second.module != nullptr && outcome.message.empty() && ir::Print(*second.module) == text;

  static constexpr char kShared[] = "// dynamic shared memory: ";
  const std::string source((*file)->text());
  const uint64_t dynamic_shared =
      source.compare(0, sizeof kShared - 1, kShared) == 0 ? std::strtoull(source.c_str() + sizeof kShared - 1, nullptr, 10) : 0;
  for (const ir::Function* entry : first.module->Entries()) {
    outcome.kernels.push_back(RunKernel(*first.module, *entry, dynamic_shared));
  }
  return outcome;
}

}  // namespace racer::corpus
