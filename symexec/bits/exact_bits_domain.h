// The Bits domain that notices rounding: concrete execution inside a computation over the reals.
#ifndef RACER_SYMEXEC_BITS_EXACT_BITS_DOMAIN_H_
#define RACER_SYMEXEC_BITS_EXACT_BITS_DOMAIN_H_

#include <cstdint>

#include "ptx_frontend/isa/domain.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/bits/fp_exact.h"
#include "symexec/bits/fp_fast.h"
#include "symexec/bits/rounded_literal.h"

namespace racer {

// `inexact` becomes true, and stays so, once a result is not the operation's value over the reals, or is a sum that magnifies what a
// literal may have been rounded by: the literal must stay visible for what it is. Comparisons and conversions to integers are
// decisions about the exact values of their operands and leave it alone.
class ExactBitsDomain : public BitsDomain {
 public:
  bool inexact = false;

  Val Fp(FpKind kind, const FpAttr& attr, Val a) { return Noted(kind, attr, a, 0, 0, BitsDomain::Fp(kind, attr, a)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b) {
    const Val result = BitsDomain::Fp(kind, attr, a, b);
    if (IsPlain(attr) && attr.format == FpFormat::kF32) {
      if (kind == FpKind::kAdd || kind == FpKind::kSub) {
        const bool exact = bits::IsExactAddF32(a, kind == FpKind::kSub ? b ^ 0x80000000 : b, result);
        const bool magnifies = bits::MagnifiesRoundingOfSumF32(a, b, result);
        return NotedAs(exact & !magnifies, result);
      }
      if (kind == FpKind::kMul) return NotedAs(bits::IsExactMulF32(a, b, result), result);
    }
    return Noted(kind, attr, a, b, 0, result);
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b, Val c) {
    const Val result = BitsDomain::Fp(kind, attr, a, b, c);
    if (IsPlain(attr) && attr.format == FpFormat::kF32 && kind == FpKind::kFma) {
      const bool exact = bits::IsExactFmaF32(a, b, c, result), magnifies = bits::MagnifiesRoundingOfFmaF32(a, b, c, result);
      return NotedAs(exact & !magnifies, result);
    }
    return Noted(kind, attr, a, b, c, result);
  }
  Val FpConvert(FpFormat from, const FpAttr& attr, Val a) {
    const Val result = BitsDomain::FpConvert(from, attr, a);
    const bool widens = attr.format == FpFormat::kF32 && (from == FpFormat::kF16 || from == FpFormat::kBF16);
    if (IsPlain(attr) && widens) return result;
    return NotedAs(bits::ConvertsExactly(from, attr, a, result), result);
  }
  Val IntToFp(ScalarType from, const FpAttr& attr, Val a) {
    const Val result = BitsDomain::IntToFp(from, attr, a);
    if (IsPlain(attr) && attr.format == FpFormat::kF32 && BitWidth(from) <= 32)
      return NotedAs(double{bits::FloatOf(result)} == static_cast<double>(Integer(from, a)), result);
    return NotedAs(bits::FromIntegerExactly(from, attr, a, result), result);
  }

 private:
  Val NotedAs(bool exact, Val result) {
    inexact |= !exact;
    return result;
  }
  Val Noted(FpKind kind, const FpAttr& attr, Val a, Val b, Val c, Val result) {
    const bool picks = IsExtremum(kind) || kind == FpKind::kNeg || kind == FpKind::kAbs;
    if (picks && IsPlain(attr)) return result;
    const bool sums = kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kFma;
    if (sums && bits::MagnifiesRounding(kind, attr.format, a, b, c, result)) return NotedAs(false, result);
    return NotedAs(bits::IsExact(kind, attr, a, b, c, result), result);
  }
};

static_assert(Domain<ExactBitsDomain>);

}  // namespace racer

#endif  // RACER_SYMEXEC_BITS_EXACT_BITS_DOMAIN_H_
