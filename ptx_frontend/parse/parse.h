// PTX text to ir::Module.
#ifndef RACER_PTX_FRONTEND_PARSE_PARSE_H_
#define RACER_PTX_FRONTEND_PARSE_PARSE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/ir/module.h"

namespace racer {

struct ParseLimits {
  size_t max_bytes = size_t{64} << 20;
  int max_nesting = 256;  // of { } and initialiser lists
  int max_errors = 20;    // reported in one go
};

// `module` is null exactly if an error was found. Warnings may accompany a module. Never throws,
// never recurses deeper than max_nesting. An instruction that no record describes is kept with
// Opcode::kUnknown and is no error here.
struct ParseOutcome {
  std::unique_ptr<ir::Module> module;
  std::vector<Diagnostic> diagnostics;
};
ParseOutcome ParsePtx(std::shared_ptr<const SourceFile> file, const ParseLimits& limits = {});

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_PARSE_PARSE_H_
