// The domains that the machine runs over. FieldTraits: field_traits.h.
#ifndef RACER_SYMEXEC_MACHINE_TRAITS_H_
#define RACER_SYMEXEC_MACHINE_TRAITS_H_

#include "symexec/machine/bytes.h"
#include "symexec/machine/closed_terms.h"
#include "symexec/term/term.h"

namespace racer {

struct BitsTraits {
  static constexpr bool kSymbolic = false, kField = false;
  using Bytes = BitsBytes;
  using Store = TermStore;
};
struct TermTraits {
  static constexpr bool kSymbolic = true, kField = false;
  using Bytes = TermBytes;
  using Store = TermStore;
  using Domain = DecidingTermDomain;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_TRAITS_H_
