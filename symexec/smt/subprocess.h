// Runs a function in a forked child with hard limits on time and memory.
#ifndef RACER_SYMEXEC_SMT_SUBPROCESS_H_
#define RACER_SYMEXEC_SMT_SUBPROCESS_H_

#include <cstdint>
#include <functional>
#include <string>

namespace racer {

struct SubprocessResult {
  enum class Kind : uint8_t {
    kFinished,   // `output` is what the function returned
    kTimedOut,   // killed at the limit
    kDied,       // ended by itself without an answer: `detail`
    kNotStarted  // no process or pipe to be had: `detail`
  } kind = Kind::kDied;
  std::string output;
  std::string detail;
};

// The child sees a copy of this process, shares nothing with it afterwards, and writes nothing but the answer: its standard
// output and error lead nowhere. It may allocate `memory_bytes` more than this process holds now. A failed RACER_CHECK in
// the child ends this process too: it is a bug, not an answer. `name` is what the child is called in process listings. `seconds`
// are of its processor time; on the wall clock it gets four times as much.
SubprocessResult RunInSubprocess(const std::function<std::string()>& function, const std::string& name, double seconds,
                                 uint64_t memory_bytes);

}  // namespace racer

#endif  // RACER_SYMEXEC_SMT_SUBPROCESS_H_
