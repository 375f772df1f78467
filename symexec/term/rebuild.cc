#include "symexec/term/rebuild.h"

#include "base/check.h"

namespace racer {

TermId RebuildIn(TermStore& store, const TermStore& from, TermId id, TermId a, TermId b, TermId c) {
  const TermKind kind = from.kind(id);
  const unsigned w = from.IsBits(id) ? from.width(id) : 0;
  switch (kind) {
    case TermKind::kBvConst: return store.BvConst(w, from.const_bits(id));
    case TermKind::kFpConst: return store.FpConst(from.format(id), from.const_bits(id));
    case TermKind::kFpReal: return store.FpReal(from.format(id), from.real_value(id));
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kFpInput: break;
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
    case TermKind::kBvExtract: return store.Extract(w, a, from.extract_lo(id));
    case TermKind::kBvConcat: return store.Concat(a, b);
    case TermKind::kBvZExt: return store.ZExt(w, a);
    case TermKind::kBvSExt: return store.SExt(w, a);
    case TermKind::kFpToBits: return store.FpToBits(a);
    case TermKind::kFpCompare: return store.FpCompare(from.compare_op(id), from.ftz(id), a, b);
    case TermKind::kFpToInt: return store.FpToInt(from.int_type(id), from.int_rounding(id), from.ftz(id), from.fp_to_int_sat(id), a);
    case TermKind::kBitsToFp: return store.BitsToFp(from.format(id), a);
    case TermKind::kFpIte: return store.FpIte(a, b, c);
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: return store.Fp(from.fp_kind(id), from.fp_attr(id), a, b, c);
    case TermKind::kFpConvert: return store.FpConvert(from.fp_attr(id), a);
    case TermKind::kIntToFp: return store.IntToFp(from.int_type(id), from.fp_attr(id), a);
  }
  RACER_UNREACHABLE(kind);
}

TermId Rebuild(TermStore& store, TermId id, TermId a, TermId b, TermId c) {
  return store.arity(id) == 0 ? id : RebuildIn(store, store, id, a, b, c);
}

}  // namespace racer
