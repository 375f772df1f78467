// Which of its two sizes a tensor's rows are.
#include "checker/infer_trial.h"

namespace racer {
namespace {

constexpr int64_t kAcross = 5;

}  // namespace

// Without the last CTAs along a size, a tensor whose rows that size counts ends early; one whose columns it counts needs its last
// row still, up to the column that is left.
std::vector<int> LaunchSearch::SlowSizes(const LaunchForm& launch, const Reading& reading) {
  std::vector<int> slow(reading.extents.size(), -1);
  for (size_t size = 0; size < size_count(); ++size) {
    for (GridForm LaunchForm::* axis : {&LaunchForm::grid, &LaunchForm::grid_y}) {
      if ((launch.*axis).over != 1u << size || (launch.*axis).most != 0) continue;
      LaunchForm fewer = launch;
      (fewer.*axis).drop = 1;
      auto whole = [&](size_t k, int64_t least) {
        return (least + subject_.multiples[k] - 1) / subject_.multiples[k] * subject_.multiples[k];
      };
      const size_t other = 1 - size;
      // What all CTAs but the last take along this size; twice, so that it is no smaller than a row.
      const int64_t kept = (launch.*axis).divisor * ((2 * kAcross * subject_.multiples[size]) / (launch.*axis).divisor + 1);
      Sizes sizes{};
      sizes[size] = whole(size, kept + 1);
      sizes[other] = whole(other, kAcross);
      if ((launch.*axis).Evaluate(sizes) != kept / (launch.*axis).divisor + 1) continue;
      for (size_t i = 0; i < slow.size(); ++i) {
        if (slow[i] >= 0 || reading.extents[i] != 3) continue;
        RunOptions options = Exact(reading, sizes);
        options.elements[i] = kept * sizes[other];
        if (Run(fewer, sizes, options).Clean()) {
          slow[i] = static_cast<int>(size);
          continue;
        }
        options.elements[i] = (sizes[other] - 1) * sizes[size] + kept;
        if (Run(fewer, sizes, options).Clean()) slow[i] = static_cast<int>(other);
      }
    }
  }
  return slow;
}

}  // namespace racer
