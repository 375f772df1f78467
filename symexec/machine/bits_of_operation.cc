#include "symexec/machine/bits_of_operation.h"

#include "base/check.h"
#include "symexec/bits/bits_domain.h"

namespace racer {

uint64_t BitsOfOperation(const TermStore& store, TermId t, const uint64_t operands[3]) {
  const BitsDomain d;
  const unsigned w = store.IsBits(t) ? store.width(t) : FormatWidth(store.format(t));
  const auto operand_width = [&](unsigned i) { return store.width(store.operand(t, i)); };
  switch (store.kind(t)) {
    case TermKind::kBvConst:
    case TermKind::kFpConst: return store.const_bits(t);
    case TermKind::kFpToBits:
    case TermKind::kBitsToFp: return operands[0];
    case TermKind::kBvAdd: return d.Add(w, operands[0], operands[1]);
    case TermKind::kBvSub: return d.Sub(w, operands[0], operands[1]);
    case TermKind::kBvMul: return d.Mul(w, operands[0], operands[1]);
    case TermKind::kBvUDiv: return d.UDiv(w, operands[0], operands[1]);
    case TermKind::kBvURem: return d.URem(w, operands[0], operands[1]);
    case TermKind::kBvSDiv: return d.SDiv(w, operands[0], operands[1]);
    case TermKind::kBvSRem: return d.SRem(w, operands[0], operands[1]);
    case TermKind::kBvAnd: return d.And(w, operands[0], operands[1]);
    case TermKind::kBvOr: return d.Or(w, operands[0], operands[1]);
    case TermKind::kBvXor: return d.Xor(w, operands[0], operands[1]);
    case TermKind::kBvNot: return d.Not(w, operands[0]);
    case TermKind::kBvShl: return d.Shl(w, operands[0], operands[1]);
    case TermKind::kBvLShr: return d.LShr(w, operands[0], operands[1]);
    case TermKind::kBvAShr: return d.AShr(w, operands[0], operands[1]);
    case TermKind::kBvEq: return d.Eq(operand_width(0), operands[0], operands[1]);
    case TermKind::kBvUlt: return d.Ult(operand_width(0), operands[0], operands[1]);
    case TermKind::kBvSlt: return d.Slt(operand_width(0), operands[0], operands[1]);
    case TermKind::kBvIte:
    case TermKind::kFpIte: return d.Ite(w, operands[0], operands[1], operands[2]);
    case TermKind::kBvExtract: return d.Extract(w, operands[0], operand_width(0), store.extract_lo(t));
    case TermKind::kBvConcat: return d.Concat(operand_width(0), operands[0], operand_width(1), operands[1]);
    case TermKind::kBvZExt: return d.ZExt(operand_width(0), w, operands[0]);
    case TermKind::kBvSExt: return d.SExt(operand_width(0), w, operands[0]);
    case TermKind::kFpCompare:
      return d.FpCompare(store.compare_op(t), store.format(store.operand(t, 0)), store.ftz(t), operands[0], operands[1]);
    case TermKind::kFpToInt:
      return d.FpToInt(store.format(store.operand(t, 0)), store.int_type(t), store.int_rounding(t), store.ftz(t), store.fp_to_int_sat(t),
                       operands[0]);
    case TermKind::kFpUnary: return d.Fp(store.fp_kind(t), store.fp_attr(t), operands[0]);
    case TermKind::kFpBinary: return d.Fp(store.fp_kind(t), store.fp_attr(t), operands[0], operands[1]);
    case TermKind::kFpTernary: return d.Fp(store.fp_kind(t), store.fp_attr(t), operands[0], operands[1], operands[2]);
    case TermKind::kFpConvert: return d.FpConvert(store.format(store.operand(t, 0)), store.fp_attr(t), operands[0]);
    case TermKind::kIntToFp: return d.IntToFp(store.int_type(t), store.fp_attr(t), operands[0]);
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kFpReal:
    case TermKind::kFpInput: break;  // no operation
  }
  RACER_UNREACHABLE(static_cast<int>(store.kind(t)));
}

}  // namespace racer
