#include "tests/random_programs/execute.h"

#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/machine.h"
#include "tests/random_programs/rng.h"

namespace racer::programs {

RunConfig MakeLaunch(const Program& program, const ir::Module& module, const std::vector<uint8_t>& inputs) {
  RunConfig config;
  config.module = &module;
  config.entry = module.Entries().front();
  config.launch = {.grid = program.grid, .block = program.block};
  const uint64_t size = uint64_t{program.threads()} * program.row_bytes;
  config.buffers.push_back({.name = "out", .size = size, .align = 256});
  config.contents.push_back({.bytes = std::vector<uint8_t>(size, kUnwritten), .symbol = {}, .cells = {}});
  config.buffers.push_back({.name = "in", .size = inputs.size(), .align = 256, .writable = false});
  config.contents.push_back({.bytes = inputs, .symbol = {}, .cells = {}});
  for (int i = 0; i < 2; ++i) config.arguments.push_back({.kind = Argument::Kind::kBuffer, .buffer = i});
  return config;
}

std::unique_ptr<ir::Module> Parse(const std::string& text, std::string* diagnostics) {
  ParseOutcome outcome = ParsePtx(std::make_shared<const SourceFile>("program.ptx", text));
  for (const Diagnostic& diagnostic : outcome.diagnostics) *diagnostics += diagnostic.Render();
  return std::move(outcome.module);
}

std::vector<uint8_t> RunBits(const Program& program, const std::string& text, const std::vector<uint8_t>& inputs, std::string* problem) {
  const std::unique_ptr<ir::Module> module = Parse(text, problem);
  if (module == nullptr) return {};
  BitsMachine machine;
  const RunConfig config = MakeLaunch(program, *module, inputs);
  const RunResult result = machine.Run(config);
  if (result.status != RunResult::Status::kCompleted || !result.findings.empty()) {
    *problem = result.reason;
    for (const Finding& finding : result.findings) {
      *problem += finding.message;
      for (const Where& where : finding.where) *problem += "\n  line " + std::to_string(where.line) + ": " + where.text;
    }
    if (result.place) *problem += "\n  line " + std::to_string(result.place->line) + ": " + result.place->text;
    return {};
  }
  std::vector<uint8_t> bytes(config.buffers[0].size);
  for (uint64_t at = 0; at < bytes.size(); at += 8) {
    const CellValue cell = machine.ReadCell(0, at, 64);
    if (cell.state != CellValue::State::kConcrete && cell.state != CellValue::State::kUnwritten) {
      *problem = "the output is undefined at byte " + std::to_string(at);
      return {};
    }
    for (uint64_t k = 0; k < 8; ++k) bytes[at + k] = static_cast<uint8_t>(cell.bits >> 8 * k);
  }
  return bytes;
}

namespace {

template <class Bytes>
uint64_t DigestOf(const Bytes& bytes) {
  uint64_t sum = 0;
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8 && at + k < bytes.size(); ++k) word |= uint64_t{static_cast<uint8_t>(bytes[at + k])} << 8 * k;
    sum += Mix(word + Mix(at / 8 + 1));
  }
  return sum;
}

}  // namespace

uint64_t Digest(const std::vector<uint8_t>& bytes) { return DigestOf(bytes); }
uint64_t Digest(const std::string& text) { return DigestOf(text); }

}  // namespace racer::programs
