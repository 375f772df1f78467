// libFuzzer target of the parser and the printer: whatever parses is printed, parses again, and prints the same.
//   bazel build --config=fuzz //ptx_frontend/parse:parse_fuzzer
//   .bz/bin/ptx_frontend/parse/parse_fuzzer -max_len=4096 NEW_CORPUS_DIR ptx_frontend/parse/fuzzer_corpus
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "ptx_frontend/ir/cfg.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/parse/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace racer;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ParseOutcome first = ParsePtx(std::make_shared<const SourceFile>("fuzz.ptx", text));
  bool has_error = false;
  for (const Diagnostic& diagnostic : first.diagnostics) {
    has_error |= diagnostic.severity == Severity::kError;
    RACER_CHECK(!diagnostic.Render().empty());
  }
  RACER_CHECK(has_error == (first.module == nullptr));
  if (first.module == nullptr) return 0;
  for (const auto& function : first.module->functions) {
    const ir::Cfg cfg = ir::BuildCfg(*function);
    RACER_CHECK(cfg.block_of.size() == function->body.size());
    for (const ir::Instruction& instruction : function->body) first.module->SourceLine(instruction);
  }
  const std::string printed = ir::Print(*first.module);
  const ParseOutcome second = ParsePtx(std::make_shared<const SourceFile>("printed.ptx", printed));
  RACER_CHECK(second.module != nullptr);
  RACER_CHECK(ir::Print(*second.module) == printed);
  return 0;
}
