// The Term domain: every value is a B term of one store.
#ifndef RACER_SYMEXEC_TERM_TERM_DOMAIN_H_
#define RACER_SYMEXEC_TERM_TERM_DOMAIN_H_

#include <cstdint>

#include "base/check.h"
#include "ptx_frontend/isa/domain.h"
#include "symexec/term/term.h"

namespace racer {

// Operands may be wider than asked: their low bits count. A narrower one is a bug of the caller.
struct TermDomain {
  using Val = TermId;
  TermStore& store;

  Val Low(unsigned w, Val a) const { return store.width(a) == w ? a : store.Extract(w, a, 0); }
  TermId Value(FpFormat format, Val a) const { return store.BitsToFp(format, Low(FormatWidth(format), a)); }

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
  Val Concat(unsigned hi_width, Val hi, unsigned lo_width, Val lo) { return store.Concat(Low(hi_width, hi), Low(lo_width, lo)); }
  Val ZExt(unsigned from, unsigned to, Val a) { return store.ZExt(to, Low(from, a)); }
  Val SExt(unsigned from, unsigned to, Val a) { return store.SExt(to, Low(from, a)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a) { return store.FpToBits(store.Fp(kind, attr, Value(attr.format, a))); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b) {
    return store.FpToBits(store.Fp(kind, attr, Value(attr.format, a), Value(attr.format, b)));
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b, Val c) {
    return store.FpToBits(store.Fp(kind, attr, Value(attr.format, a), Value(attr.format, b), Value(attr.format, c)));
  }
  Val FpCompare(CompareOp op, FpFormat format, bool ftz, Val a, Val b) {
    return store.FpCompare(op, ftz, Value(format, a), Value(format, b));
  }
  Val FpConvert(FpFormat from, const FpAttr& attr, Val a) { return store.FpToBits(store.FpConvert(attr, Value(from, a))); }
  Val FpToInt(FpFormat from, ScalarType to, Rounding rounding, bool ftz, bool sat, Val a) {
    return store.FpToInt(to, rounding, ftz, sat, Value(from, a));
  }
  Val IntToFp(ScalarType from, const FpAttr& attr, Val a) { return store.FpToBits(store.IntToFp(from, attr, Low(BitWidth(from), a))); }

 private:
  Val Binary(TermKind kind, unsigned w, Val a, Val b) { return store.Bv(kind, w, Low(w, a), Low(w, b)); }
};
static_assert(Domain<TermDomain>);

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_TERM_DOMAIN_H_
