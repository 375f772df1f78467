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

// The reals +-1/n, +-sqrt(n) and +-1/sqrt(n); log2(e), ln(2), sqrt(2/pi) and their kind, times powers of 2; and log2(e) times the first
// ones (the scale of attention, folded into the base). A literal stands for one of them only if it is the value nearest to that real
// in its own format (which is also what rounding through binary64 first must have produced) and not the real itself, and
// only if no second candidate of the same standing rounds to the same literal: first the n of the contract, then the
// famous constants (in formats of 11 bits and more), then 2..LargestDenominator(format), then log2(e) times the n of the contract, then
// log2(e) times 2..4096. There is no table: the few n that may round to a literal follow from the literal. The hidden sizes of today's
// models (5120, 11008, 28672) and their vocabularies (50257) are below 2^16, and binary32 tells their reciprocals and roots apart; in
// shorter formats the larger n are one literal with their neighbours.
constexpr uint64_t LargestDenominator(FpFormat format) { return format == FpFormat::kF32 || format == FpFormat::kF64 ? 65536 : 4096; }

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
