// Fuzz target of the parser and the printer: whatever parses is printed, parses again, and prints the same.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "ptx_frontend/ir/cfg.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/parse/parse.h"

namespace {
bool g_printed_one = false;
}  // namespace

extern "C" int RacerFuzzGoalReached() { return g_printed_one ? 1 : 0; }

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
  g_printed_one = true;
  return 0;
}
