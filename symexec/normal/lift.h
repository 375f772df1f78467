// Literals that are the correctly rounded value of a simple real number.
#ifndef RACER_SYMEXEC_NORMAL_LIFT_H_
#define RACER_SYMEXEC_NORMAL_LIFT_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"

namespace racer::normal {

// sign * 1/n, sign * sqrt(n) or sign * 1/sqrt(n).
struct NamedReal {
  enum class Shape : uint8_t { kReciprocal, kRoot, kReciprocalRoot } shape;
  bool negative = false;
  uint64_t n = 0;
  std::string ToString() const;
};

// |literal - real| in units of the literal's last place.
double UlpDistance(FpFormat format, uint64_t bits, const NamedReal& real);

// Which real a literal stands for. A literal is lifted only if it is the value nearest to that real in its own format (which is
// also what rounding through binary64 first must have produced) and not the real itself, and only if no second candidate of
// the same standing rounds to the same literal: first the n of the contract, then 2 to 4096.
class LiftTable {
 public:
  explicit LiftTable(const std::vector<uint64_t>& preferred) : preferred_(preferred.begin(), preferred.end()) {}
  std::optional<NamedReal> Find(FpFormat format, uint64_t bits) const;

 private:
  std::set<uint64_t> preferred_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_LIFT_H_
