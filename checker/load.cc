#include "checker/load.h"

#include <utility>

#include "base/result.h"
#include "base/source_file.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

std::string ListEntries(const std::vector<const ir::Function*>& entries) {
  constexpr size_t kShown = 12;
  std::string list;
  for (size_t i = 0; i < entries.size() && i < kShown; ++i) list += (i > 0 ? ", " : "") + entries[i]->name;
  if (entries.size() > kShown) list += ", ... (" + std::to_string(entries.size()) + " in all)";
  return list;
}

}  // namespace

LoadOutcome LoadKernel(const std::string& path, const std::string& entry, const std::string& option) {
  Result<std::shared_ptr<const SourceFile>> file = LoadSourceFile(path, ParseLimits{}.max_bytes);
  if (file.ok()) return LoadKernel(*file, entry, option);
  LoadOutcome outcome;
  outcome.errors.push_back(file.error());
  return outcome;
}

LoadOutcome LoadKernel(std::shared_ptr<const SourceFile> file, const std::string& entry, const std::string& option) {
  LoadOutcome outcome;
  ParseOutcome parsed = ParsePtx(file);
  if (parsed.module == nullptr) {
    outcome.errors = std::move(parsed.diagnostics);
    return outcome;
  }
  auto kernel = std::make_unique<Kernel>();
  kernel->file = std::move(file);
  kernel->module = std::move(parsed.module);
  std::vector<const ir::Function*> entries = kernel->module->Entries();
  SourceLocation whole_file{kernel->file, 0, 0, 1};
  if (entries.empty()) {
    outcome.errors.push_back(MakeError(DiagnosticKind::kPtxNoEntry, whole_file, "no .entry with a body in this module", "a kernel"));
    return outcome;
  }
  if (entry.empty()) {
    if (entries.size() > 1) {
      outcome.errors.push_back(MakeError(DiagnosticKind::kPtxEntryAmbiguous, whole_file,
                                         std::to_string(entries.size()) + " entries in this module",
                                         option + " with one of: " + ListEntries(entries)));
      return outcome;
    }
    kernel->entry = entries.front();
  } else {
    for (const ir::Function* candidate : entries) {
      if (candidate->name == entry) kernel->entry = candidate;
    }
    if (kernel->entry == nullptr) {
      outcome.errors.push_back(MakeError(DiagnosticKind::kPtxEntryNotFound, whole_file, "no entry named '" + entry + "' in this module",
                                         option + " with one of: " + ListEntries(entries)));
      return outcome;
    }
  }
  outcome.kernel = std::move(kernel);
  return outcome;
}

}  // namespace racer
