#include "symexec/term/rebuild.h"

#include "base/check.h"

namespace racer {

TermId Rebuild(TermStore& store, TermId id, TermId a, TermId b, TermId c) {
  const TermKind kind = store.kind(id);
  const unsigned w = store.IsBits(id) ? store.width(id) : 0;
  switch (kind) {
    case TermKind::kBvConst:
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kFpInput: return id;
    case TermKind::kBvAdd:
    case TermKind::kBvSub:
    case TermKind::kBvMul:
    case TermKind::kBvUDiv:
    case TermKind::kBvURem:
    case TermKind::kBvSDiv:
    case TermKind::kBvSRem:
    case TermKind::kBvAnd:
    case TermKind::kBvOr:
    case TermKind::kBvXor:
    case TermKind::kBvShl:
    case TermKind::kBvLShr:
    case TermKind::kBvAShr:
    case TermKind::kBvEq:
    case TermKind::kBvUlt:
    case TermKind::kBvSlt: return store.Bv(kind, store.width(a), a, b);
    case TermKind::kBvNot: return store.BvNot(w, a);
    case TermKind::kBvIte: return store.BvIte(w, a, b, c);
    case TermKind::kBvExtract: return store.Extract(w, a, store.extract_lo(id));
    case TermKind::kBvConcat: return store.Concat(a, b);
    case TermKind::kBvZExt: return store.ZExt(w, a);
    case TermKind::kBvSExt: return store.SExt(w, a);
    case TermKind::kFpToBits: return store.FpToBits(a);
    case TermKind::kFpCompare: return store.FpCompare(store.compare_op(id), store.ftz(id), a, b);
    case TermKind::kFpToInt: return store.FpToInt(store.int_type(id), store.int_rounding(id), store.ftz(id), store.fp_to_int_sat(id), a);
    case TermKind::kBitsToFp: return store.BitsToFp(store.format(id), a);
    case TermKind::kFpIte: return store.FpIte(a, b, c);
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: return store.Fp(store.fp_kind(id), store.fp_attr(id), a, b, c);
    case TermKind::kFpConvert: return store.FpConvert(store.fp_attr(id), a);
    case TermKind::kIntToFp: return store.IntToFp(store.int_type(id), store.fp_attr(id), a);
  }
  RACER_UNREACHABLE(kind);
}

}  // namespace racer
