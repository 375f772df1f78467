// What the instruction records share.
//
// A record is a struct with `kSpec` and, if its effect is kValue, one of
//   template <Domain D> static typename D::Val Eval(D&, const Mods&, Val a [, Val b [, Val c [, Val e]]]);
//   template <Domain D> static void EvalMulti(D&, const Mods&, std::span<const Val> in, Val* out);   // kResults results
// `in` are the source operands as written, vectors flattened, negated predicates already negated, the carry last, each
// a pattern of exactly its operand type's width; results have the width of their destination's type.
// Guards, lanes, register widths (a result narrower than its register is sign-extended for signed
// types and zero-extended otherwise) and the choice between one and two destinations are the
// machine's. Where the manual leaves a result open, a record says so in
//   template <Domain D> static typename D::Val Unspecified(D&, const Mods&, std::span<const Val> in);
// a width-1 pattern that is 1 if the result for these operands must not be relied on.
#ifndef RACER_PTX_FRONTEND_ISA_RECORD_H_
#define RACER_PTX_FRONTEND_ISA_RECORD_H_

#include <span>
#include <string_view>

#include "ptx_frontend/isa/domain.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/spec.h"
#include "ptx_frontend/isa/types.h"

namespace racer::isa {

using Line = std::string_view;

template <class D>
using Val = typename D::Val;

// The attributes that an instruction's modifiers give its operation. No rounding written means .rn.
constexpr FpAttr AttrOf(const Mods& m, FpFormat format) {
  FpAttr attr;
  attr.format = format;
  attr.rounding = m.rounding == Rounding::kNone ? Rounding::kRn : m.rounding;
  attr.ftz = m.ftz;
  attr.sat = m.sat;
  attr.approx = m.approx;
  attr.full = m.full;
  attr.nan = m.nan;
  attr.xorsign = m.xorsign;
  attr.relu = m.relu;
  attr.satfinite = m.satfinite;
  return attr;
}

// f(element type, elements...) on each half of packed operands, or on the whole of others.
template <Domain D, class F, class... V>
constexpr Val<D> Lanewise(D& d, ScalarType type, const F& f, V... operands) {
  const ScalarType element = PackedElement(type);
  if (element == ScalarType::kNone) return f(type, operands...);
  const unsigned w = BitWidth(element);
  const Val<D> lo = f(element, d.Extract(w, operands, 2 * w, 0)...);
  const Val<D> hi = f(element, d.Extract(w, operands, 2 * w, w)...);
  return d.Concat(w, hi, w, lo);
}

// A floating-point operation of the instruction's type, lane by lane.
template <Domain D, class... V>
constexpr Val<D> FpLanewise(D& d, FpKind kind, const Mods& m, V... operands) {
  const FpAttr attr = AttrOf(m, FormatOf(m.type));
  return Lanewise(d, m.type, [&](ScalarType, auto... x) { return d.Fp(kind, attr, x...); }, operands...);
}

// --- width-w conveniences over the Domain
template <Domain D>
constexpr Val<D> Ones(D& d, unsigned w) {
  return d.Const(w, w == 64 ? ~uint64_t{0} : (uint64_t{1} << w) - 1);
}
template <Domain D>
constexpr Val<D> IsZero(D& d, unsigned w, Val<D> a) {
  return d.Eq(w, a, d.Const(w, 0));
}
template <Domain D>
constexpr Val<D> SignBit(D& d, unsigned w, Val<D> a) {
  return d.Extract(1, a, w, w - 1);
}
// Unsigned and signed minimum: operands in this order, a on a tie.
template <Domain D>
constexpr Val<D> IntMin(D& d, unsigned w, bool is_signed, Val<D> a, Val<D> b) {
  return d.Ite(w, is_signed ? d.Slt(w, b, a) : d.Ult(w, b, a), b, a);
}
template <Domain D>
constexpr Val<D> IntMax(D& d, unsigned w, bool is_signed, Val<D> a, Val<D> b) {
  return d.Ite(w, is_signed ? d.Slt(w, a, b) : d.Ult(w, a, b), b, a);
}
// To `to` bits by truncation, sign or zero extension.
template <Domain D>
constexpr Val<D> Resize(D& d, unsigned from, unsigned to, bool is_signed, Val<D> a) {
  if (to == from) return a;
  if (to < from) return d.Extract(to, a, from, 0);
  return is_signed ? d.SExt(from, to, a) : d.ZExt(from, to, a);
}
// The sum clamped to the signed range of width w < 64.
template <Domain D>
constexpr Val<D> ClampSigned(D& d, unsigned wide, unsigned w, Val<D> value) {
  const Val<D> low = d.Const(wide, ~uint64_t{0} << (w - 1) & (wide == 64 ? ~uint64_t{0} : (uint64_t{1} << wide) - 1));
  const Val<D> high = d.Const(wide, (uint64_t{1} << (w - 1)) - 1);
  return d.Extract(w, IntMax(d, wide, true, low, IntMin(d, wide, true, high, value)), wide, 0);
}

// The high w bits of the 2w-bit product, w <= 64.
template <Domain D>
constexpr Val<D> MulHigh(D& d, unsigned w, bool is_signed, Val<D> a, Val<D> b) {
  if (w <= 32) {
    const Val<D> product = d.Mul(2 * w, Resize(d, w, 2 * w, is_signed, a), Resize(d, w, 2 * w, is_signed, b));
    return d.Extract(w, product, 2 * w, w);
  }
  // Schoolbook on halves; the signed product is the unsigned one less b where a < 0 and a where b < 0.
  const unsigned h = 32;
  const auto low = [&](Val<D> x) { return d.ZExt(h, 64, d.Extract(h, x, 64, 0)); };
  const auto high = [&](Val<D> x) { return d.ZExt(h, 64, d.Extract(h, x, 64, h)); };
  const Val<D> ll = d.Mul(64, low(a), low(b));
  const Val<D> lh = d.Mul(64, low(a), high(b));
  const Val<D> hl = d.Mul(64, high(a), low(b));
  const Val<D> hh = d.Mul(64, high(a), high(b));
  const Val<D> middle = d.Add(64, d.Add(64, high(ll), low(lh)), low(hl));
  Val<D> result = d.Add(64, d.Add(64, hh, high(lh)), d.Add(64, high(hl), high(middle)));
  if (is_signed) {
    const Val<D> zero = d.Const(64, 0);
    result = d.Sub(64, result, d.Ite(64, SignBit(d, 64, a), b, zero));
    result = d.Sub(64, result, d.Ite(64, SignBit(d, 64, b), a, zero));
  }
  return result;
}

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_RECORD_H_
