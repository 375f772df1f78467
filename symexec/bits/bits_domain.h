// The Bits domain: bit-exact values of 1 to 64 bits in a uint64_t.
//
// Integers as in domain.h. Floating point is correctly rounded in every format and mode; NaN results are
// canonical. Approximate instructions return the correctly rounded value of their function, one choice
// within the manual's error bounds (Fidelity::kBounded), and the manual's values at its special points.
#ifndef RACER_SYMEXEC_BITS_BITS_DOMAIN_H_
#define RACER_SYMEXEC_BITS_BITS_DOMAIN_H_

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "ptx_frontend/isa/domain.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/bits/fp_arith.h"
#include "symexec/bits/fp_fast.h"

// The inline fast paths rely on every float and double operation rounding once, by itself.
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "the Bits domain needs plain IEEE arithmetic: no -ffast-math, no x87"
#endif
#if defined(__FMA__)
#error "build without -mfma and the like: a compiler may fuse a multiplication with an addition"
#endif

namespace racer {

class BitsDomain {
 public:
  using Val = uint64_t;

  static constexpr uint64_t Mask(unsigned w) { return ~uint64_t{0} >> (64 - w); }

  constexpr Val Const(unsigned w, uint64_t bits) const { return bits & Mask(w); }
  constexpr Val Add(unsigned w, Val a, Val b) const { return (a + b) & Mask(w); }
  constexpr Val Sub(unsigned w, Val a, Val b) const { return (a - b) & Mask(w); }
  constexpr Val Mul(unsigned w, Val a, Val b) const { return (a * b) & Mask(w); }
  constexpr Val And(unsigned w, Val a, Val b) const { return a & b & Mask(w); }
  constexpr Val Or(unsigned w, Val a, Val b) const { return (a | b) & Mask(w); }
  constexpr Val Xor(unsigned w, Val a, Val b) const { return (a ^ b) & Mask(w); }
  constexpr Val Not(unsigned w, Val a) const { return ~a & Mask(w); }
  constexpr Val UDiv(unsigned w, Val a, Val b) const {
    b &= Mask(w);
    return b == 0 ? Mask(w) : (a & Mask(w)) / b;
  }
  constexpr Val URem(unsigned w, Val a, Val b) const {
    b &= Mask(w);
    return b == 0 ? a & Mask(w) : (a & Mask(w)) % b;
  }
  // By magnitudes: the most negative number by -1 wraps, and x/0 is -1 or 1 as in SMT-LIB.
  constexpr Val SDiv(unsigned w, Val a, Val b) const {
    const bool negative = IsNegative(w, a) != IsNegative(w, b);
    const Val quotient = UDiv(w, Magnitude(w, a), Magnitude(w, b));
    return negative ? Sub(w, 0, quotient) : quotient;
  }
  constexpr Val SRem(unsigned w, Val a, Val b) const {
    const Val remainder = URem(w, Magnitude(w, a), Magnitude(w, b));
    return IsNegative(w, a) ? Sub(w, 0, remainder) : remainder;
  }
  constexpr Val Shl(unsigned w, Val a, Val b) const {
    b &= Mask(w);
    return b >= w ? 0 : (a << b) & Mask(w);
  }
  constexpr Val LShr(unsigned w, Val a, Val b) const {
    b &= Mask(w);
    return b >= w ? 0 : (a & Mask(w)) >> b;
  }
  constexpr Val AShr(unsigned w, Val a, Val b) const {
    b &= Mask(w);
    return static_cast<Val>(Signed(w, a) >> (b >= w ? w - 1 : b)) & Mask(w);
  }
  constexpr Val Eq(unsigned w, Val a, Val b) const { return ((a ^ b) & Mask(w)) == 0; }
  constexpr Val Ult(unsigned w, Val a, Val b) const { return (a & Mask(w)) < (b & Mask(w)); }
  constexpr Val Slt(unsigned w, Val a, Val b) const { return Signed(w, a) < Signed(w, b); }
  constexpr Val Ite(unsigned w, Val c, Val a, Val b) const { return ((c & 1) != 0 ? a : b) & Mask(w); }
  constexpr Val Extract(unsigned w, Val a, unsigned, unsigned lo) const { return (a >> lo) & Mask(w); }
  constexpr Val Concat(unsigned hi_width, Val hi, unsigned lo_width, Val lo) const {
    return (hi & Mask(hi_width)) << lo_width | (lo & Mask(lo_width));
  }
  constexpr Val ZExt(unsigned from, unsigned, Val a) const { return a & Mask(from); }
  constexpr Val SExt(unsigned from, unsigned to, Val a) const { return static_cast<Val>(Signed(from, a)) & Mask(to); }

  Val Fp(FpKind kind, const FpAttr& attr, Val a) const {
    if (IsPlain(attr) && attr.format == FpFormat::kF32 && (kind == FpKind::kNeg || kind == FpKind::kAbs)) {
      const Val result = kind == FpKind::kNeg ? (a ^ 0x80000000) & Mask(32) : a & 0x7fffffff;
      return bits::IsNanF32(a) ? bits::kNanF32 : result;
    }
    return bits::Arithmetic(kind, attr, a, 0, 0);
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b) const {
    if (IsPlain(attr)) {
      if (attr.format == FpFormat::kF32) {
        const float x = bits::FloatOf(a), y = bits::FloatOf(b);
        if (kind == FpKind::kAdd) return bits::BitsOf(x + y);
        if (kind == FpKind::kSub) return bits::BitsOf(x - y);
        if (kind == FpKind::kMul) return bits::BitsOf(x * y);
        if (IsExtremum(kind) && !attr.nan && !attr.xorsign) return bits::ExtremumF32(kind == FpKind::kMax, a & Mask(32), b & Mask(32));
      }
      if (attr.format == FpFormat::kF64 && (kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kMul)) {
        const double x = bits::DoubleOf(a), y = bits::DoubleOf(b);
        const double result = kind == FpKind::kAdd ? x + y : kind == FpKind::kSub ? x - y : x * y;
        if (result == result) return std::bit_cast<uint64_t>(result);  // NaN payloads are Arithmetic's
      }
    }
    return bits::Arithmetic(kind, attr, a, b, 0);
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b, Val c) const {
    if (IsPlain(attr) && attr.format == FpFormat::kF32 && kind == FpKind::kFma)
      return bits::BitsOf(std::fma(bits::FloatOf(a), bits::FloatOf(b), bits::FloatOf(c)));
    return bits::Arithmetic(kind, attr, a, b, c);
  }
  Val FpCompare(CompareOp op, FpFormat format, bool ftz, Val a, Val b) const {
    bool known = false, holds = false;
    if (format == FpFormat::kF32 && !ftz) holds = bits::CompareHost(op, bits::FloatOf(a), bits::FloatOf(b), &known);
    if (format == FpFormat::kF64) holds = bits::CompareHost(op, bits::DoubleOf(a), bits::DoubleOf(b), &known);
    return known ? holds : bits::Compare(op, format, ftz, a, b);
  }
  Val FpConvert(FpFormat from, const FpAttr& attr, Val a) const {
    if (IsPlain(attr)) {
      if (attr.format == FpFormat::kF32 && from == FpFormat::kF16) return bits::FloatFromHalf(a);
      if (attr.format == FpFormat::kF32 && from == FpFormat::kBF16) return bits::FloatFromBrain(a);
      if (attr.format == FpFormat::kF16 && from == FpFormat::kF32) return bits::HalfFromFloat(a);
      if (attr.format == FpFormat::kBF16 && from == FpFormat::kF32) return bits::BrainFromFloat(a);
    }
    return bits::Convert(from, attr, a);
  }
  Val FpToInt(FpFormat from, ScalarType to, Rounding rounding, bool ftz, bool, Val a) const {
    return bits::ToInteger(from, to, rounding, ftz, a);  // results clamp with or without .sat
  }
  Val IntToFp(ScalarType from, const FpAttr& attr, Val a) const {
    if (IsPlain(attr) && attr.format == FpFormat::kF32 && BitWidth(from) <= 32)
      return bits::BitsOf(static_cast<float>(Integer(from, a)));  // of 64 bits, converted with one rounding
    return bits::FromInteger(from, attr, a);
  }

 protected:
  // Nothing but rounding to nearest: the host's arithmetic is the operation.
  static constexpr bool IsPlain(const FpAttr& attr) {
    return attr.rounding == Rounding::kRn && !attr.ftz && !attr.sat && !attr.relu && !attr.satfinite;
  }
  static constexpr bool IsExtremum(FpKind kind) { return kind == FpKind::kMin || kind == FpKind::kMax; }
  // The value of an integer of at most 32 bits.
  static constexpr int64_t Integer(ScalarType type, Val a) {
    return IsSigned(type) ? Signed(BitWidth(type), a) : static_cast<int64_t>(a & Mask(BitWidth(type)));
  }

 private:
  static constexpr int64_t Signed(unsigned w, Val a) { return static_cast<int64_t>(a << (64 - w)) >> (64 - w); }
  static constexpr bool IsNegative(unsigned w, Val a) { return (a >> (w - 1) & 1) != 0; }
  static constexpr Val Magnitude(unsigned w, Val a) { return (IsNegative(w, a) ? ~a + 1 : a) & Mask(w); }
};

static_assert(Domain<BitsDomain>);

}  // namespace racer

#endif  // RACER_SYMEXEC_BITS_BITS_DOMAIN_H_
