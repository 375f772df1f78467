// What one kernel's skeletons cost by shape, and whether one that did not end is a large one.
#ifndef RACER_CHECKER_COSTS_H_
#define RACER_CHECKER_COSTS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "checker/contract.h"

namespace racer {

class Costs {
 public:
  void Ended(DimAssignment dims, uint64_t thread_instructions);

  // A run that did not end within `limit` thread instructions is no matter of size where this kernel, from a shape at which it ended, would
  // have needed less than a sixteenth of them:
  // - had its cost grown with the cube of the dims, which is more than what any loop nest over the sizes is likely to do; or
  // - had it grown as it did between the shapes seen, where the other side ended within a sixteenth (`other`). Alone this says little: a
  //   kernel may switch to another algorithm for large sizes.
  // A dim that shrinks (a step) may cost as much more as it is smaller. Returns what it would have needed.
  std::optional<uint64_t> Unexpected(const DimAssignment& dims, uint64_t limit, std::optional<uint64_t> other) const;

 private:
  double Expected(const DimAssignment& dims, double exponent) const;
  double Growth() const;

  std::vector<std::pair<DimAssignment, uint64_t>> seen_;
};

}  // namespace racer

#endif  // RACER_CHECKER_COSTS_H_
