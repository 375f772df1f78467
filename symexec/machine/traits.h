// The domains that the machine runs over.
#ifndef RACER_SYMEXEC_MACHINE_TRAITS_H_
#define RACER_SYMEXEC_MACHINE_TRAITS_H_

#include "symexec/machine/bytes.h"

namespace racer {

struct BitsTraits {
  static constexpr bool kSymbolic = false;
  using Bytes = BitsBytes;
};
struct TermTraits {
  static constexpr bool kSymbolic = true;
  using Bytes = TermBytes;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_TRAITS_H_
