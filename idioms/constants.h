// Which literals may be taken for the real number that they are the rounding of.
#ifndef RACER_IDIOMS_CONSTANTS_H_
#define RACER_IDIOMS_CONSTANTS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ptx_frontend/isa/fp.h"
#include "symexec/normal/constant_table.h"

namespace racer {

// The reals +-1/n, +-sqrt(n) and +-1/sqrt(n). A literal stands for one of them only if it is the value nearest to that real
// in its own format (which is also what rounding through binary64 first must have produced) and not the real itself, and
// only if no second candidate of the same standing rounds to the same literal: first the n of the contract, then
// 2..kSmallDenominator.
constexpr uint64_t kSmallDenominator = 4096;

// The sizes that a kernel may divide by or take roots of: the dims of its contract (positive) and products of two, below
// 2^31; ascending.
std::vector<uint64_t> SizesOf(std::span<const int64_t> dims);

class RoundedConstants : public ConstantTable {
 public:
  // `preferred`: the n of the contract (SizesOf), in any order; those beyond 2^40 are left out.
  explicit RoundedConstants(const std::vector<uint64_t>& preferred) : preferred_(preferred.begin(), preferred.end()) {}
  std::optional<NamedReal> Find(FpFormat format, uint64_t bits) const override;

 private:
  std::set<uint64_t> preferred_;
};

}  // namespace racer

#endif  // RACER_IDIOMS_CONSTANTS_H_
