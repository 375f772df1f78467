// Which literals may be taken for a real number that they are the rounding of: what the normal form asks, and no more.
#ifndef RACER_SYMEXEC_NORMAL_CONSTANT_TABLE_H_
#define RACER_SYMEXEC_NORMAL_CONSTANT_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"

namespace racer {

// The real number factor * sqrt(radicand) * log2(e)^log2_e * sqrt(pi)^root_pi.
struct NamedReal {
  std::string name;  // "1/384", "-sqrt(2)", "1/sqrt(128)"
  Rational factor;
  Rational radicand{1};     // >= 0; 1: rational
  double ulp_distance = 0;  // |literal - real| in units of the literal's last place
  int log2_e = 0, root_pi = 0;
};

class ConstantTable {
 public:
  virtual ~ConstantTable() = default;
  // The one real that the literal stands for; nullopt: none, or more than one could be meant. Same question, same answer.
  virtual std::optional<NamedReal> Find(FpFormat format, uint64_t bits) const = 0;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_NORMAL_CONSTANT_TABLE_H_
