// parse_tool FILE...: parses, prints and parses again each file. For developers: diagnostics of the parser alone, its
// speed, and whether the printer's text is stable. `--print` writes that text to standard output. `--check` only prints every
// error, as "LINE: message" (for tools/ptxas_judge.py). Exit status 1 if any file fails.
#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include "base/source_file.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

bool Run(const std::string& path, bool print) {
  const Result<std::shared_ptr<const SourceFile>> file = LoadSourceFile(path, ParseLimits().max_bytes);
  if (!file) {
    std::fputs(file.error().Render().c_str(), stderr);
    return false;
  }
  const auto start = std::chrono::steady_clock::now();
  const ParseOutcome first = ParsePtx(*file);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const Diagnostic& diagnostic : first.diagnostics) std::fputs(diagnostic.Render().c_str(), stderr);
  if (first.module == nullptr) return false;
  const std::string text = ir::Print(*first.module);
  if (print) std::fputs(text.c_str(), stdout);
  const ParseOutcome second = ParsePtx(std::make_shared<const SourceFile>(path + " (printed)", text));
  for (const Diagnostic& diagnostic : second.diagnostics) std::fputs(diagnostic.Render().c_str(), stderr);
  const bool stable = second.module != nullptr && ir::Print(*second.module) == text;
  size_t instructions = 0;
  std::map<std::string, size_t> unknown;
  for (const auto& function : first.module->functions) {
    instructions += function->body.size();
    for (const ir::Instruction& instruction : function->body) {
      if (instruction.opcode == Opcode::kUnknown) ++unknown[instruction.FullName() + ": " + instruction.unmatched];
    }
  }
  std::fprintf(stderr, "%s: %zu bytes, %zu instructions, %.1f ms%s\n", path.c_str(), (*file)->text().size(), instructions, seconds * 1e3,
               stable ? "" : ", NOT STABLE");
  for (const auto& [name, count] : unknown) std::fprintf(stderr, "  unmatched %zu times: %s\n", count, name.c_str());
  return stable;
}

bool Check(const std::string& path) {
  ParseLimits limits;
  limits.max_errors = 1 << 30;
  const Result<std::shared_ptr<const SourceFile>> file = LoadSourceFile(path, limits.max_bytes);
  if (!file) return false;
  const ParseOutcome outcome = ParsePtx(*file, limits);
  for (const Diagnostic& diagnostic : outcome.diagnostics) std::printf("%d: %s\n", diagnostic.location.line, diagnostic.message.c_str());
  if (outcome.module == nullptr) return false;
  for (const auto& function : outcome.module->functions) {
    for (const ir::Instruction& instruction : function->body) {
      if (instruction.opcode == Opcode::kUnknown)
        std::printf("%d: unmatched: %s\n", instruction.location.line, instruction.unmatched.c_str());
    }
  }
  return true;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) {
  bool print = false, check = false, good = true;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--print") {
      print = true;
    } else if (std::string(argv[i]) == "--check") {
      check = true;
    } else if (check) {
      good &= racer::Check(argv[i]);
    } else {
      good &= racer::Run(argv[i], print);
    }
  }
  return good ? 0 : 1;
}
