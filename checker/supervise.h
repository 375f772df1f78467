// Runs a piece of work in a child process that can be stopped, so that a hang, a crash or memory
// exhaustion becomes a named outcome of the command instead of the end of it.
#ifndef RACER_CHECKER_SUPERVISE_H_
#define RACER_CHECKER_SUPERVISE_H_

#include <cstdint>
#include <functional>
#include <string>

namespace racer {

// What the child hands back: the exit status and everything that goes to standard output and to --json.
struct WorkResult {
  int exit_status = 0;
  std::string output;
  std::string json;
};

// Hands something back while work goes on; what was kept last is there even if the child is stopped.
using Keep = std::function<void(const std::string& what)>;

struct SupervisedResult {
  enum class End : uint8_t {
    kFinished,  // work holds the result
    kTimeout,   // killed at the deadline
    kMemory,    // ran out of its memory
    kCrash,     // died: a bug in racer. detail names the signal or status
  } end = End::kFinished;
  WorkResult work;
  std::string detail;
  std::string kept;         // by Keep, last; may be empty
  uint64_t peak_bytes = 0;  // resident set of the child at its largest
};

struct SupervisionLimits {
  double seconds = 0;         // 0: none
  uint64_t memory_bytes = 0;  // of the child's data; 0: none
};

// `work` runs in a forked child and must not rely on threads of this process. Its standard error is this process's.
SupervisedResult RunSupervised(const std::function<WorkResult(const Keep& keep)>& work, const SupervisionLimits& limits);

// Largest resident set of this process so far, in bytes.
uint64_t PeakBytes();

}  // namespace racer

#endif  // RACER_CHECKER_SUPERVISE_H_
