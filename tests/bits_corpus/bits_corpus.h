// The Bits corpora: kernels/cuda_headers and kernels/triton, parsed, printed and parsed again, and run bit for bit.
#ifndef RACER_TESTS_BITS_CORPUS_BITS_CORPUS_H_
#define RACER_TESTS_BITS_CORPUS_BITS_CORPUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {

// What became of one entry.
struct KernelOutcome {
  std::string entry;
  bool has_run = false;      // a table names it
  bool executed = false;     // every thread exited and no rule was broken
  bool equal = false;        // every buffer holds what the host computed
  std::string message = {};  // why not
  // Why the race check refuses it, where it was then run without: threads that fences and flags order, or a header's weak read of what
  // others change atomically.
  std::string unordered = {};
  uint64_t thread_instructions = 0;
  double seconds = 0;
};

struct FileOutcome {
  std::string path;
  int sm = 0;
  bool parsed = false, round_tripped = false;
  std::string message = {};
  uint64_t instructions = 0;  // in the text
  std::vector<KernelOutcome> kernels = {};
};

// Every .ptx of a folder of `kernels`, sorted. Names end in `.sm_NN.ptx` or `.sm_NNa.ptx`.
std::vector<std::string> CorpusFiles(const std::string& directory);

// Triton names the dynamic shared memory of a kernel in its metadata; the committed PTX has it in its first line,
// "// dynamic shared memory: BYTES". Its kernels take two scratch pointers behind the parameters of the source: null here.
FileOutcome RunCorpusFile(const std::string& path);

}  // namespace racer::corpus

#endif  // RACER_TESTS_BITS_CORPUS_BITS_CORPUS_H_
