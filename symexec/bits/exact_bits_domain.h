// The Bits domain that notices rounding: concrete execution inside a computation over the reals.
#ifndef RACER_SYMEXEC_BITS_EXACT_BITS_DOMAIN_H_
#define RACER_SYMEXEC_BITS_EXACT_BITS_DOMAIN_H_

#include <cstdint>

#include "ptx_frontend/isa/domain.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/bits/fp_exact.h"

namespace racer {

// `inexact` becomes true, and stays so, once a result is not the operation's value over the reals. Comparisons and
// conversions to integers are decisions about the exact values of their operands and leave it alone.
class ExactBitsDomain : public BitsDomain {
 public:
  bool inexact = false;

  Val Fp(FpKind kind, const FpAttr& attr, Val a) { return Noted(kind, attr, a, 0, 0, BitsDomain::Fp(kind, attr, a)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b) { return Noted(kind, attr, a, b, 0, BitsDomain::Fp(kind, attr, a, b)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b, Val c) { return Noted(kind, attr, a, b, c, BitsDomain::Fp(kind, attr, a, b, c)); }
  Val FpConvert(FpFormat from, const FpAttr& attr, Val a) {
    const Val result = BitsDomain::FpConvert(from, attr, a);
    if (!bits::ConvertsExactly(from, attr, a, result)) inexact = true;
    return result;
  }
  Val IntToFp(ScalarType from, const FpAttr& attr, Val a) {
    const Val result = BitsDomain::IntToFp(from, attr, a);
    if (!bits::FromIntegerExactly(from, attr, a, result)) inexact = true;
    return result;
  }

 private:
  Val Noted(FpKind kind, const FpAttr& attr, Val a, Val b, Val c, Val result) {
    if (!bits::IsExact(kind, attr, a, b, c, result)) inexact = true;
    return result;
  }
};

static_assert(Domain<ExactBitsDomain>);

}  // namespace racer

#endif  // RACER_SYMEXEC_BITS_EXACT_BITS_DOMAIN_H_
