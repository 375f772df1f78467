// From a path on the command line to a kernel.
#ifndef RACER_CHECKER_LOAD_H_
#define RACER_CHECKER_LOAD_H_

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/ir/module.h"

namespace racer {

// One side of a check.
struct Kernel {
  std::shared_ptr<const SourceFile> file;
  std::unique_ptr<ir::Module> module;
  const ir::Function* entry = nullptr;
};

// "file.ptx:entry".
inline std::string NameOf(const Kernel& kernel) { return kernel.file->name() + ":" + kernel.entry->name; }

// Either a kernel, or the errors that explain why there is none.
struct LoadOutcome {
  std::unique_ptr<Kernel> kernel;
  std::vector<Diagnostic> errors;
};

// `entry` empty: the module's only entry; with several, an error that lists them and names the `option` that picks one.
LoadOutcome LoadKernel(const std::string& path, const std::string& entry, const std::string& option = "--entry NAME");
// The same for text that is already in memory.
LoadOutcome LoadKernel(std::shared_ptr<const SourceFile> file, const std::string& entry, const std::string& option = "--entry NAME");

}  // namespace racer

#endif  // RACER_CHECKER_LOAD_H_
