// The Domain concept: what an instruction's meaning may be written in.
//
// A Domain has one value type, `Val`: a bit pattern of 1 to 64 bits whose width the caller
// knows and passes. Every operation reads only the low `w` bits of its operands' patterns
// and returns a pattern of exactly the stated width (upper bits zero where `Val` is a machine
// word). Integer operations have SMT-LIB bit-vector semantics unless the comment says
// otherwise; where PTX differs, the instruction's record writes the difference out.
// Floating-point values are bit patterns too: their format is in the FpAttr.
#ifndef RACER_PTX_FRONTEND_ISA_DOMAIN_H_
#define RACER_PTX_FRONTEND_ISA_DOMAIN_H_

#include <concepts>
#include <cstdint>

#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

template <class D>
concept Domain = requires(D& d, typename D::Val v, unsigned w, uint64_t bits, FpKind kind, const FpAttr& attr, FpFormat format,
                          CompareOp op, Rounding rounding, bool flag) {
  typename D::Val;
  { d.Const(w, bits) } -> std::same_as<typename D::Val>;
  // Ring and logic, width w.
  { d.Add(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Sub(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Mul(w, v, v) } -> std::same_as<typename D::Val>;
  { d.And(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Or(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Xor(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Not(w, v) } -> std::same_as<typename D::Val>;
  // bvudiv/bvurem/bvsdiv/bvsrem: x/0 is all ones (unsigned) and x%0 is x; no trap.
  { d.UDiv(w, v, v) } -> std::same_as<typename D::Val>;
  { d.URem(w, v, v) } -> std::same_as<typename D::Val>;
  { d.SDiv(w, v, v) } -> std::same_as<typename D::Val>;
  { d.SRem(w, v, v) } -> std::same_as<typename D::Val>;
  // Shift amounts are patterns of the same width w; an amount >= w gives 0 (AShr: the sign).
  { d.Shl(w, v, v) } -> std::same_as<typename D::Val>;
  { d.LShr(w, v, v) } -> std::same_as<typename D::Val>;
  { d.AShr(w, v, v) } -> std::same_as<typename D::Val>;
  // Comparisons: patterns of width 1.
  { d.Eq(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Ult(w, v, v) } -> std::same_as<typename D::Val>;
  { d.Slt(w, v, v) } -> std::same_as<typename D::Val>;
  // Ite(w, c, a, b): a where the width-1 pattern c is 1, else b.
  { d.Ite(w, v, v, v) } -> std::same_as<typename D::Val>;
  // Extract(w, a, lo): bits lo..lo+w-1 of a. a_width is the width of a.
  { d.Extract(w, v, w, w) } -> std::same_as<typename D::Val>;  // Extract(w, a, a_width, lo)
  { d.Concat(w, v, w, v) } -> std::same_as<typename D::Val>;   // Concat(hi_width, hi, lo_width, lo)
  { d.ZExt(w, w, v) } -> std::same_as<typename D::Val>;        // ZExt(from, to, a), from <= to
  { d.SExt(w, w, v) } -> std::same_as<typename D::Val>;
  // Floating point. The result has FormatWidth(attr.format) bits.
  { d.Fp(kind, attr, v) } -> std::same_as<typename D::Val>;
  { d.Fp(kind, attr, v, v) } -> std::same_as<typename D::Val>;
  { d.Fp(kind, attr, v, v, v) } -> std::same_as<typename D::Val>;
  // Width-1 result; all ops of the manual's floating-point comparison table. flag: ftz.
  { d.FpCompare(op, format, flag, v, v) } -> std::same_as<typename D::Val>;
  // FpConvert(from, attr, a): to attr.format with attr's rounding, ftz, sat, relu. Also .f32.f32 etc.
  { d.FpConvert(format, attr, v) } -> std::same_as<typename D::Val>;
  // FpToInt(from, to, rounding, ftz, sat, a): cvt.<rounding>; to is an integer ScalarType; NaN -> 0 (see manual), out of range clamps.
  { d.FpToInt(format, ScalarType{}, rounding, flag, flag, v) } -> std::same_as<typename D::Val>;
  // IntToFp(from, attr, a).
  { d.IntToFp(ScalarType{}, attr, v) } -> std::same_as<typename D::Val>;
};

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_DOMAIN_H_
