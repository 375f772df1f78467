// The Field domain: every value is named in one FieldStore.
#ifndef RACER_SYMEXEC_FIELD_FIELD_DOMAIN_H_
#define RACER_SYMEXEC_FIELD_FIELD_DOMAIN_H_

#include <cstdint>

#include "ptx_frontend/isa/domain.h"
#include "symexec/bits/fp_round.h"
#include "symexec/field/field_store.h"

namespace racer {

// Operands may be wider than asked: their low bits count. Constants are flushed as in Term: of a literal we know that it is subnormal.
struct FieldDomain {
  using Val = TermId;
  FieldStore& store;

  Val Low(unsigned w, Val a) const { return store.width(a) == w ? a : store.Extract(w, a, 0); }
  Val Value(FpFormat format, bool ftz, Val a) const {
    if (store.IsConst(a)) {
      const unsigned w = FormatWidth(format);
      const uint64_t bits = store.const_bits(a) & (~uint64_t{0} >> (64 - w));
      return store.BvConst(w, ftz ? bits::LayoutOf(format).Flush(bits) : bits);
    }
    return Low(FormatWidth(format), a);
  }

  Val Const(unsigned w, uint64_t bits) { return store.BvConst(w, bits); }
  Val Add(unsigned w, Val a, Val b) { return Binary(TermKind::kBvAdd, w, a, b); }
  Val Sub(unsigned w, Val a, Val b) { return Binary(TermKind::kBvSub, w, a, b); }
  Val Mul(unsigned w, Val a, Val b) { return Binary(TermKind::kBvMul, w, a, b); }
  Val And(unsigned w, Val a, Val b) { return Binary(TermKind::kBvAnd, w, a, b); }
  Val Or(unsigned w, Val a, Val b) { return Binary(TermKind::kBvOr, w, a, b); }
  Val Xor(unsigned w, Val a, Val b) { return Binary(TermKind::kBvXor, w, a, b); }
  Val Not(unsigned w, Val a) { return store.BvNot(w, Low(w, a)); }
  Val UDiv(unsigned w, Val a, Val b) { return Binary(TermKind::kBvUDiv, w, a, b); }
  Val URem(unsigned w, Val a, Val b) { return Binary(TermKind::kBvURem, w, a, b); }
  Val SDiv(unsigned w, Val a, Val b) { return Binary(TermKind::kBvSDiv, w, a, b); }
  Val SRem(unsigned w, Val a, Val b) { return Binary(TermKind::kBvSRem, w, a, b); }
  Val Shl(unsigned w, Val a, Val b) { return Binary(TermKind::kBvShl, w, a, b); }
  Val LShr(unsigned w, Val a, Val b) { return Binary(TermKind::kBvLShr, w, a, b); }
  Val AShr(unsigned w, Val a, Val b) { return Binary(TermKind::kBvAShr, w, a, b); }
  Val Eq(unsigned w, Val a, Val b) { return Binary(TermKind::kBvEq, w, a, b); }
  Val Ult(unsigned w, Val a, Val b) { return Binary(TermKind::kBvUlt, w, a, b); }
  Val Slt(unsigned w, Val a, Val b) { return Binary(TermKind::kBvSlt, w, a, b); }
  Val Ite(unsigned w, Val c, Val a, Val b) { return store.BvIte(w, Low(1, c), Low(w, a), Low(w, b)); }
  Val Extract(unsigned w, Val a, unsigned a_width, unsigned lo) { return store.Extract(w, Low(a_width, a), lo); }
  Val Concat(unsigned hi_width, Val hi, unsigned lo_width, Val lo) {
    const Val high = Low(hi_width, hi);
    return store.Concat(high, Low(lo_width, lo));
  }
  Val ZExt(unsigned from, unsigned to, Val a) { return store.ZExt(to, Low(from, a)); }
  Val SExt(unsigned from, unsigned to, Val a) { return store.SExt(to, Low(from, a)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a) { return store.Fp(kind, attr, Value(attr.format, attr.ftz, a)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b) {
    const Val x = Value(attr.format, attr.ftz, a);
    return store.Fp(kind, attr, x, Value(attr.format, attr.ftz, b));
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b, Val c) {
    const Val x = Value(attr.format, attr.ftz, a), y = Value(attr.format, attr.ftz, b);
    return store.Fp(kind, attr, x, y, Value(attr.format, attr.ftz, c));
  }
  Val FpCompare(CompareOp op, FpFormat format, bool ftz, Val a, Val b) {
    const Val x = Value(format, ftz, a);
    return store.FpCompare(op, format, ftz, x, Value(format, ftz, b));
  }
  // Flushed as DecidingTermDomain does.
  Val FpConvert(FpFormat from, const FpAttr& attr, Val a) {
    return store.FpConvert(from, attr, Value(from, attr.ftz && from == FpFormat::kF32 && attr.format != FpFormat::kF16, a));
  }
  Val FpToInt(FpFormat from, ScalarType to, Rounding rounding, bool ftz, bool, Val a) {
    return store.FpToInt(from, to, rounding, ftz, Value(from, ftz && from == FpFormat::kF32, a));
  }
  Val IntToFp(ScalarType from, const FpAttr& attr, Val a) { return store.IntToFp(from, attr, Low(BitWidth(from), a)); }

 private:
  Val Binary(TermKind kind, unsigned w, Val a, Val b) {
    const Val x = Low(w, a);
    return store.Bv(kind, w, x, Low(w, b));
  }
};
static_assert(Domain<FieldDomain>);

}  // namespace racer

#endif  // RACER_SYMEXEC_FIELD_FIELD_DOMAIN_H_
