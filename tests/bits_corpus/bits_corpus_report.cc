// Prints what became of each kernel of the Bits corpora, and the totals of each folder.
//
//   bazel run //tests/bits_corpus:report              from the repository root, or
//   .bz/bin/tests/bits_corpus/report [--totals] [FILE.ptx...]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/bits_corpus/bits_corpus.h"

namespace racer::corpus {
namespace {

struct Totals {
  unsigned files = 0, parsed = 0, round_tripped = 0, kernels = 0, executed = 0, equal = 0, unordered = 0;
  uint64_t instructions = 0, thread_instructions = 0;
  double seconds = 0;

  void Add(const FileOutcome& file) {
    ++files;
    parsed += file.parsed ? 1 : 0;
    round_tripped += file.round_tripped ? 1 : 0;
    instructions += file.instructions;
    for (const KernelOutcome& kernel : file.kernels) {
      ++kernels;
      executed += kernel.executed ? 1 : 0;
      unordered += kernel.executed && !kernel.unordered.empty() ? 1 : 0;
      equal += kernel.equal ? 1 : 0;
      thread_instructions += kernel.thread_instructions;
      seconds += kernel.seconds;
    }
  }
  bool AllGood() const { return parsed == files && round_tripped == files && executed == kernels && equal == kernels; }
};

int Main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  bool totals_only = false;
  std::vector<std::string> named;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--totals") == 0)
      totals_only = true;
    else
      named.emplace_back(argv[i]);
  }
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const std::string root = workspace != nullptr ? std::string(workspace) + "/" : "";
  bool all_good = true;
  const auto report = [&](const std::string& title, const std::vector<std::string>& files) {
    Totals totals;
    for (const std::string& path : files) {
      const FileOutcome file = RunCorpusFile(path);
      totals.Add(file);
      if (totals_only) continue;
      if (!file.parsed || !file.round_tripped) std::printf("WRONG %s: %s\n", path.c_str(), file.message.c_str());
      for (const KernelOutcome& kernel : file.kernels) {
        std::printf("%-5s %-28s %-34s %9llu thread instructions %7.1f ms %s\n",
                    kernel.equal      ? "ok"
                    : kernel.executed ? "WRONG"
                                      : "NOT",
                    kernel.entry.c_str(), path.substr(path.rfind('/') + 1).c_str(),
                    static_cast<unsigned long long>(kernel.thread_instructions), kernel.seconds * 1e3, kernel.message.c_str());
      }
    }
    std::printf(
        "%s: %u files, %u parsed, %u round-tripped; %u kernels, %llu instructions; %u executed (%u without the race check), %u equal to "
        "the host; "
        "%.1f M thread instructions in %.1f s\n",
        title.c_str(), totals.files, totals.parsed, totals.round_tripped, totals.kernels,
        static_cast<unsigned long long>(totals.instructions), totals.executed, totals.unordered, totals.equal,
        static_cast<double>(totals.thread_instructions) * 1e-6, totals.seconds);
    all_good = all_good && totals.AllGood();
  };
  if (named.empty()) {
    for (const char* folder : {"kernels/cuda_headers", "kernels/triton"}) report(folder, CorpusFiles(root + folder));
  } else {
    report("named files", named);
  }
  return all_good ? 0 : 1;
}

}  // namespace
}  // namespace racer::corpus

int main(int argc, char** argv) { return racer::corpus::Main(argc, argv); }
