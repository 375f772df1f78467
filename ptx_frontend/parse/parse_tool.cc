// parse_tool FILE...: parses, prints and parses again each file. For developers: diagnostics of the parser alone, its
// speed, and whether the printer's text is stable. `--print` writes that text to standard output. Exit status 1 if any
// file fails.
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

}  // namespace
}  // namespace racer

int main(int argc, char** argv) {
  bool print = false, good = true;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--print") {
      print = true;
    } else {
      good &= racer::Run(argv[i], print);
    }
  }
  return good ? 0 : 1;
}
