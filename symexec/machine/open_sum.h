// A sum of products that registers carry through a loop: the list of its factors, of which terms are made when somebody reads it
// (exec_sums.h).
#ifndef RACER_SYMEXEC_MACHINE_OPEN_SUM_H_
#define RACER_SYMEXEC_MACHINE_OPEN_SUM_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "symexec/term/term.h"

namespace racer {

// A register that goes on holding fewer steps than the sum has by now (unrolled code names each step anew) is read rarely if ever.
struct OpenSum {
  FpAttr attr;
  TermId start = kNoTerm;    // R, what the factors are added to: with them fewer than Chain::kLength steps
  unsigned start_steps = 0;  // of `start`, behind its last chain
  uint32_t before = 0;       // steps of this sum that are in `start`
  std::vector<uint64_t> factors{};
  std::vector<std::pair<uint32_t, TermId>> chains{};  // ends of chains: after so many steps
  uint32_t steps() const { return before + static_cast<uint32_t>(factors.size()); }
};

// In a register's row: a handle, the number of steps in bits 32 to 62 and the sum's index below.
constexpr uint64_t kSumHandle = uint64_t{1} << 63;
constexpr size_t kMaxOpenSums = size_t{1} << 24;  // of a CTA
constexpr unsigned kStepsToOpen = 4;              // shorter sums are not worth a list

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_OPEN_SUM_H_
