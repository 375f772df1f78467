// The Field domain, apart from the others, which need not know it.
#ifndef RACER_SYMEXEC_MACHINE_FIELD_TRAITS_H_
#define RACER_SYMEXEC_MACHINE_FIELD_TRAITS_H_

#include "symexec/field/field_domain.h"
#include "symexec/field/field_store.h"
#include "symexec/machine/bytes.h"

namespace racer {

// Symbolic like Term, but what a TermId names is a value at one point and no term.
struct FieldTraits {
  static constexpr bool kSymbolic = true, kField = true;
  using Bytes = SymbolicBytes<FieldStore>;
  using Store = FieldStore;
  using Domain = FieldDomain;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_FIELD_TRAITS_H_
