// Constructors of bit-vector terms. Recursion is bounded by the width: every inner call is on fewer bits or on a fixed
// number of pieces of at most 64 bits.
#include <utility>

#include "base/check.h"
#include "symexec/term/fold.h"
#include "symexec/term/term.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

uint32_t Raw(TermId id) { return static_cast<uint32_t>(id); }
constexpr unsigned kMaxRuns = 4;  // more runs in a mask of what is defined than this stay a plain node

// Runs of equal bits in the low w bits.
unsigned Runs(unsigned w, uint64_t bits) {
  unsigned runs = 1;
  for (unsigned i = 1; i < w; ++i) runs += ((bits >> i) ^ (bits >> (i - 1))) & 1;
  return runs;
}

bool Commutes(TermKind kind) {
  return kind == TermKind::kBvAdd || kind == TermKind::kBvMul || kind == TermKind::kBvAnd || kind == TermKind::kBvOr ||
         kind == TermKind::kBvXor || kind == TermKind::kBvEq;
}

uint64_t FoldBinary(TermKind kind, unsigned w, uint64_t a, uint64_t b) {
  if (kind == TermKind::kBvAdd) return (a + b) & fold::Mask(w);
  if (kind == TermKind::kBvSub) return (a - b) & fold::Mask(w);
  if (kind == TermKind::kBvMul) return (a * b) & fold::Mask(w);
  if (kind == TermKind::kBvUDiv) return fold::UDiv(w, a, b);
  if (kind == TermKind::kBvURem) return fold::URem(w, a, b);
  if (kind == TermKind::kBvSDiv) return fold::SDiv(w, a, b);
  if (kind == TermKind::kBvSRem) return fold::SRem(w, a, b);
  if (kind == TermKind::kBvAnd) return a & b;
  if (kind == TermKind::kBvOr) return a | b;
  if (kind == TermKind::kBvXor) return a ^ b;
  if (kind == TermKind::kBvShl) return fold::Shl(w, a, b);
  if (kind == TermKind::kBvLShr) return fold::LShr(w, a, b);
  if (kind == TermKind::kBvAShr) return fold::AShr(w, a, b);
  if (kind == TermKind::kBvEq) return a == b ? 1 : 0;
  if (kind == TermKind::kBvUlt) return a < b ? 1 : 0;
  if (kind == TermKind::kBvSlt) return fold::Signed(w, a) < fold::Signed(w, b) ? 1 : 0;
  RACER_UNREACHABLE(kind);
}

}  // namespace

unsigned TermStore::Pieces(TermId id, TermId pieces[64]) const {
  TermId from_top[64];
  unsigned n = 0;
  while (kind(id) == TermKind::kBvConcat) {
    from_top[n++] = operand(id, 0);
    id = operand(id, 1);
  }
  from_top[n++] = id;
  for (unsigned i = 0; i < n; ++i) pieces[i] = from_top[n - 1 - i];
  return n;
}

TermId TermStore::Bv(TermKind kind, unsigned w, TermId a, TermId b) {
  RACER_CHECK(IsBits(a) && IsBits(b) && width(a) == w && width(b) == w);
  bool comparison = kind == TermKind::kBvEq || kind == TermKind::kBvUlt || kind == TermKind::kBvSlt;
  if (IsConst(a) && IsConst(b)) return BvConst(comparison ? 1 : w, FoldBinary(kind, w, const_bits(a), const_bits(b)));
  // Constants to the right, then in order of id.
  if (Commutes(kind) && (IsConst(a) || (!IsConst(b) && Raw(b) < Raw(a)))) std::swap(a, b);
  switch (kind) {
    case TermKind::kBvAdd: return Add(w, a, b);
    case TermKind::kBvSub:
      if (IsConst(b)) return Fire(TermRule::kSubConstant, Bv(TermKind::kBvAdd, w, a, BvConst(w, fold::Negate(w, const_bits(b)))));
      if (a == b && Defined(a)) return Fire(TermRule::kSubSelf, BvConst(w, 0));
      return MakeFromLow(kind, w, a, b);
    case TermKind::kBvMul:
      if (IsConst(b)) {
        if (const_bits(b) == 1) return Fire(TermRule::kMulOne, a);
        if (const_bits(b) == 0) return Fire(TermRule::kMulZero, b);
      }
      return MakeFromLow(kind, w, a, b);
    case TermKind::kBvUDiv:
    case TermKind::kBvURem:
    case TermKind::kBvSDiv:
    case TermKind::kBvSRem: return Divide(kind, w, a, b);
    case TermKind::kBvAnd:
    case TermKind::kBvOr:
    case TermKind::kBvXor: return Logic(kind, w, a, b);
    case TermKind::kBvShl:
    case TermKind::kBvLShr:
    case TermKind::kBvAShr: return Shift(kind, w, a, b);
    case TermKind::kBvEq:
    case TermKind::kBvUlt:
    case TermKind::kBvSlt: return Compare(kind, w, a, b);
    case TermKind::kBvConst:
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kBvNot:
    case TermKind::kBvIte:
    case TermKind::kBvExtract:
    case TermKind::kBvConcat:
    case TermKind::kBvZExt:
    case TermKind::kBvSExt:
    case TermKind::kFpToBits:
    case TermKind::kFpCompare:
    case TermKind::kFpToInt:
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kFpInput:
    case TermKind::kBitsToFp:
    case TermKind::kFpIte:
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary:
    case TermKind::kFpConvert:
    case TermKind::kIntToFp: break;
  }
  RACER_UNREACHABLE(kind);
}

// Whether no bit can be set in both: at every bit one of them is a constant zero.
bool TermStore::Disjoint(unsigned w, TermId a, TermId b) const {
  TermId pa[64], pb[64];
  unsigned na = Pieces(a, pa), nb = Pieces(b, pb);
  unsigned i = 0, j = 0, lo_a = 0, lo_b = 0;
  for (unsigned at = 0; at < w;) {
    unsigned end_a = lo_a + width(pa[i]), end_b = lo_b + width(pb[j]);
    unsigned end = end_a < end_b ? end_a : end_b;
    uint64_t mask = fold::Mask(end - at);
    bool zero_a = IsConst(pa[i]) && ((const_bits(pa[i]) >> (at - lo_a)) & mask) == 0;
    bool zero_b = IsConst(pb[j]) && ((const_bits(pb[j]) >> (at - lo_b)) & mask) == 0;
    if (!zero_a && !zero_b) return false;
    at = end;
    if (end == end_a) {
      lo_a = end;
      ++i;
    }
    if (end == end_b) {
      lo_b = end;
      ++j;
    }
  }
  RACER_CHECK(i == na && j == nb);
  return true;
}

TermId TermStore::Add(unsigned w, TermId a, TermId b) {
  if (IsConst(b)) {
    if (const_bits(b) == 0) return Fire(TermRule::kAddZero, a);
    const TermNode n = node(a);
    if (n.kind == TermKind::kBvAdd && IsConst(TermId{n.b})) {
      return Fire(TermRule::kAddConstants, Bv(TermKind::kBvAdd, w, TermId{n.a}, BvConst(w, const_bits(TermId{n.b}) + const_bits(b))));
    }
  }
  if ((kind(a) == TermKind::kBvConcat || kind(b) == TermKind::kBvConcat) && Disjoint(w, a, b)) {
    return Fire(TermRule::kAddDisjoint, Logic(TermKind::kBvOr, w, a, b));
  }
  return MakeFromLow(TermKind::kBvAdd, w, a, b);
}

TermId TermStore::Divide(TermKind kind, unsigned w, TermId a, TermId b) {
  if (IsConst(b)) {
    uint64_t d = const_bits(b);
    bool quotient = kind == TermKind::kBvUDiv || kind == TermKind::kBvSDiv;
    bool is_unsigned = kind == TermKind::kBvUDiv || kind == TermKind::kBvURem;
    if (d == 1 && (is_unsigned || w > 1)) {  // at width 1 a signed 1 is -1
      if (quotient) return Fire(TermRule::kDivOne, a);
      return Fire(TermRule::kRemOne, BvConst(w, 0));
    } else if (is_unsigned && d != 0 && (d & (d - 1)) == 0 && d != 1) {
      unsigned k = 0;
      while ((d >> k) != 1) ++k;
      if (quotient) return Fire(TermRule::kUDivPower, ZExt(w, Extract(w - k, a, k)));
      return Fire(TermRule::kURemPower, ZExt(w, Extract(k, a, 0)));
    }
  }
  return Make(kind, w, a, b);
}

TermId TermStore::SignOp(FpKind kind, TermId fp) { return FpToBits(Fp(kind, FpAttr{.format = format(fp)}, fp)); }

TermId TermStore::Logic(TermKind kind, unsigned w, TermId a, TermId b) {
  if (IsConst(a)) std::swap(a, b);
  if (IsConst(b))
    return IsConst(a) ? BvConst(w, FoldBinary(kind, w, const_bits(a), const_bits(b))) : LogicConstant(kind, w, a, const_bits(b));
  if (a == b) {
    if (kind != TermKind::kBvXor) return Fire(TermRule::kSameOperand, a);
    if (Defined(a)) return Fire(TermRule::kXorSelf, BvConst(w, 0));
  }
  if (this->kind(a) == TermKind::kBvConcat || this->kind(b) == TermKind::kBvConcat) {
    TermId merged = LogicSlices(kind, w, a, b);
    if (merged != kNoTerm) return merged;
  }
  if (Raw(b) < Raw(a)) std::swap(a, b);
  return Make(kind, w, a, b);
}

TermId TermStore::LogicConstant(TermKind kind, unsigned w, TermId a, uint64_t mask) {
  const uint64_t ones = fold::Mask(w);
  const bool is_and = kind == TermKind::kBvAnd, is_or = kind == TermKind::kBvOr, is_xor = kind == TermKind::kBvXor;
  if (IsConst(a)) return BvConst(w, FoldBinary(kind, w, const_bits(a), mask));
  TermRule rule = is_and ? TermRule::kAndMask : is_or ? TermRule::kOrMask : TermRule::kXorMask;
  if (mask == (is_and ? ones : 0)) return Fire(rule, a);
  if (is_and && mask == 0) return Fire(rule, BvConst(w, 0));
  if (is_or && mask == ones) return Fire(rule, BvConst(w, ones));
  if (is_xor && mask == ones) return Fire(rule, BvNot(w, a));
  if (this->kind(a) == TermKind::kFpToBits && !IsNarrow(format(operand(a, 0)))) {
    TermId fp = operand(a, 0);
    uint64_t sign = uint64_t{1} << (w - 1);
    if (is_xor && mask == sign) return Fire(TermRule::kSignFlip, SignOp(FpKind::kNeg, fp));
    if (is_and && mask == (ones ^ sign)) return Fire(TermRule::kSignClear, SignOp(FpKind::kAbs, fp));
    if (is_or && mask == sign) {
      return Fire(TermRule::kSignSet,
                  FpToBits(Fp(FpKind::kNeg, FpAttr{.format = format(fp)}, Fp(FpKind::kAbs, FpAttr{.format = format(fp)}, fp))));
    }
  }
  if (this->kind(a) == TermKind::kBvConcat) {
    // Piece by piece; for Xor of what is defined only where every piece resolves to itself, its complement or a sign operation.
    TermId pieces[64];
    unsigned n = Pieces(a, pieces), lo = 0;
    if (is_xor && Defined(a)) {
      for (unsigned i = 0; i < n; ++i) {
        unsigned pw = width(pieces[i]);
        uint64_t m = (mask >> lo) & fold::Mask(pw);
        lo += pw;
        bool sign = this->kind(pieces[i]) == TermKind::kFpToBits && m == uint64_t{1} << (pw - 1);
        if (!IsConst(pieces[i]) && m != 0 && m != fold::Mask(pw) && !sign) return Make(kind, w, a, BvConst(w, mask));
      }
      lo = 0;
    }
    TermId result = kNoTerm;
    for (unsigned i = 0; i < n; ++i) {
      unsigned pw = width(pieces[i]);
      TermId piece = LogicConstant(kind, pw, pieces[i], (mask >> lo) & fold::Mask(pw));
      result = i == 0 ? piece : Concat(piece, result);
      lo += pw;
    }
    return Fire(rule, result);
  }
  if (is_xor || (Defined(a) && Runs(w, mask) > kMaxRuns)) return Make(kind, w, a, BvConst(w, mask));
  TermId result = kNoTerm;
  for (unsigned lo = 0; lo < w;) {
    bool bit = ((mask >> lo) & 1) != 0;
    unsigned hi = lo + 1;
    while (hi < w && (((mask >> hi) & 1) != 0) == bit) ++hi;
    TermId run = bit == is_and ? Extract(hi - lo, a, lo) : BvConst(hi - lo, is_and ? 0 : fold::Mask(hi - lo));
    result = lo == 0 ? run : Concat(run, result);
    lo = hi;
  }
  return Fire(rule, result);
}

TermId TermStore::LogicSlices(TermKind kind, unsigned w, TermId a, TermId b) {
  TermId pa[64], pb[64];
  Pieces(a, pa);
  Pieces(b, pb);
  // copysign spelled with masks: (sign of x . 0) | bits(|y|).
  if (kind == TermKind::kBvOr) {
    for (int turn = 0; turn < 2; ++turn) {
      TermId s = turn == 0 ? a : b, m = turn == 0 ? b : a;
      if (this->kind(s) != TermKind::kBvConcat || this->kind(m) != TermKind::kFpToBits) continue;
      TermId top = operand(s, 0), rest = operand(s, 1), magnitude = operand(m, 0);
      if (!IsConst(rest) || const_bits(rest) != 0 || this->kind(top) != TermKind::kBvExtract || width(top) != 1 || extract_lo(top) != w - 1)
        continue;
      TermId source = operand(top, 0);
      if (this->kind(source) != TermKind::kFpToBits || width(source) != w || format(operand(source, 0)) != format(magnitude)) continue;
      if (this->kind(magnitude) != TermKind::kFpUnary || fp_kind(magnitude) != FpKind::kAbs || fp_attr(magnitude).ftz) continue;
      FpAttr attr{.format = format(magnitude)};
      return Fire(TermRule::kSignMerge, FpToBits(Fp(FpKind::kCopySign, attr, operand(source, 0), magnitude)));
    }
  }
  struct Segment {
    TermId a, b;
    unsigned lo_a, lo_b, width;
  } segments[128];
  // With undefined bits on a side always: an undefined slice is no part of what becomes of the others.
  bool by_slices = true;
  unsigned n = 0, i = 0, j = 0, lo_a = 0, lo_b = 0;
  for (unsigned at = 0; at < w;) {
    unsigned end_a = lo_a + width(pa[i]), end_b = lo_b + width(pb[j]);
    unsigned end = end_a < end_b ? end_a : end_b;
    by_slices = by_slices && (IsConst(pa[i]) || IsConst(pb[j]));
    if (!by_slices && Defined(a) && Defined(b)) return kNoTerm;
    segments[n++] = {pa[i], pb[j], at - lo_a, at - lo_b, end - at};
    at = end;
    if (end == end_a) {
      lo_a = end;
      ++i;
    }
    if (end == end_b) {
      lo_b = end;
      ++j;
    }
  }
  TermId result = kNoTerm;
  for (unsigned k = 0; k < n; ++k) {
    const Segment& s = segments[k];
    TermId part = Logic(kind, s.width, Extract(s.width, s.a, s.lo_a), Extract(s.width, s.b, s.lo_b));
    result = k == 0 ? part : Concat(part, result);
  }
  return Fire(by_slices ? TermRule::kSlices : TermRule::kUndefinedSlices, result);
}

TermId TermStore::Shift(TermKind kind, unsigned w, TermId a, TermId b) {
  if (IsConst(a) && const_bits(a) == 0) return Fire(TermRule::kShiftZero, a);
  if (!IsConst(b)) return Make(kind, w, a, b);
  uint64_t amount = const_bits(b);
  if (amount == 0) return Fire(TermRule::kShiftConstant, a);
  if (kind == TermKind::kBvAShr) {
    unsigned k = amount >= w ? w - 1 : static_cast<unsigned>(amount);
    return Fire(TermRule::kShiftConstant, SExt(w, Extract(w - k, a, k)));
  }
  if (amount >= w) return Fire(TermRule::kShiftConstant, BvConst(w, 0));
  unsigned k = static_cast<unsigned>(amount);
  TermId zeros = BvConst(k, 0);
  if (kind == TermKind::kBvShl) return Fire(TermRule::kShiftConstant, Concat(Extract(w - k, a, 0), zeros));
  return Fire(TermRule::kShiftConstant, Concat(zeros, Extract(w - k, a, k)));
}

TermId TermStore::Compare(TermKind kind, unsigned w, TermId a, TermId b) {
  if (kind != TermKind::kBvEq) {
    if (a == b && Defined(a)) return Fire(TermRule::kLessSelf, BvConst(1, 0));
    if (IsExtreme(kind, w, a, /*least=*/false) || IsExtreme(kind, w, b, /*least=*/true)) return Fire(TermRule::kLessExtreme, BvConst(1, 0));
    return Make(kind, 1, a, b);
  }
  if (a == b && Defined(a)) return Fire(TermRule::kEqSelf, BvConst(1, 1));
  if (IsConst(b)) {
    uint64_t c = const_bits(b);
    if (w == 1) return Fire(TermRule::kEqBool, c != 0 ? a : BvNot(1, a));
    const TermNode n = node(a);
    if (n.kind == TermKind::kBvConcat) {
      TermId hi{n.a}, lo{n.b};
      unsigned lo_width = width(lo);
      // A slice with a known value either decides the comparison or drops out of it.
      if (IsConst(hi)) {
        if (const_bits(hi) == c >> lo_width) return Fire(TermRule::kEqSlices, Bv(TermKind::kBvEq, lo_width, lo, BvConst(lo_width, c)));
        return Fire(TermRule::kEqSlices, BvConst(1, 0));
      } else if (IsConst(lo)) {
        if (const_bits(lo) == (c & fold::Mask(lo_width))) {
          return Fire(TermRule::kEqSlices, Bv(TermKind::kBvEq, w - lo_width, hi, BvConst(w - lo_width, c >> lo_width)));
        }
        return Fire(TermRule::kEqSlices, BvConst(1, 0));
      }
    }
    if (n.kind == TermKind::kBvIte && IsConst(TermId{n.b}) && IsConst(TermId{n.c})) {
      bool then = const_bits(TermId{n.b}) == c, otherwise = const_bits(TermId{n.c}) == c;
      TermId p{n.a};
      if (then == otherwise) return Fire(TermRule::kEqIte, BvConst(1, then ? 1 : 0));
      return Fire(TermRule::kEqIte, then ? p : BvNot(1, p));
    }
  }
  return Make(kind, 1, a, b);
}

TermId TermStore::BvNot(unsigned w, TermId a) {
  RACER_CHECK(IsBits(a) && width(a) == w);
  if (IsConst(a)) return BvConst(w, ~const_bits(a));
  const TermNode n = node(a);
  if (n.kind == TermKind::kBvNot) return Fire(TermRule::kNotNot, TermId{n.a});
  if (n.kind == TermKind::kBvConcat && !Defined(a)) {
    const TermId hi{n.a}, lo{n.b};
    return Fire(TermRule::kNotSlices, Concat(BvNot(width(hi), hi), BvNot(width(lo), lo)));
  }
  if (n.kind == TermKind::kFpCompare) {
    auto make = [&](CompareOp op) { return Fire(TermRule::kNotCompare, FpCompare(op, ftz(a), TermId{n.a}, TermId{n.b})); };
    switch (compare_op(a)) {
      case CompareOp::kEq: return make(CompareOp::kNeu);
      case CompareOp::kNe: return make(CompareOp::kEqu);
      case CompareOp::kLt: return make(CompareOp::kGeu);
      case CompareOp::kLe: return make(CompareOp::kGtu);
      case CompareOp::kEqu: return make(CompareOp::kNe);
      case CompareOp::kNeu: return make(CompareOp::kEq);
      case CompareOp::kLtu: return make(CompareOp::kGe);
      case CompareOp::kLeu: return make(CompareOp::kGt);
      case CompareOp::kNum: return make(CompareOp::kNan);
      case CompareOp::kNan: return make(CompareOp::kNum);
      case CompareOp::kGt:
      case CompareOp::kGe:
      case CompareOp::kGtu:
      case CompareOp::kGeu:  // FpCompare never makes these four
      case CompareOp::kNone:
      case CompareOp::kLo:
      case CompareOp::kLs:
      case CompareOp::kHi:
      case CompareOp::kHs: break;
    }
    RACER_UNREACHABLE(compare_op(a));
  }
  return Make(TermKind::kBvNot, w, a);
}

TermId TermStore::BvIte(unsigned w, TermId condition, TermId a, TermId b) {
  RACER_CHECK(IsBits(condition) && width(condition) == 1 && IsBits(a) && IsBits(b) && width(a) == w && width(b) == w);
  if (IsConst(condition)) return Fire(TermRule::kIteConstant, const_bits(condition) != 0 ? a : b);
  if (a == b) return Fire(TermRule::kIteSame, a);
  if (kind(condition) == TermKind::kBvNot) return Fire(TermRule::kIteNot, BvIte(w, operand(condition, 0), b, a));
  // An arm that asks again knows the answer: a value that is undefined where it is not chosen goes.
  if (kind(a) == TermKind::kBvIte && operand(a, 0) == condition) return Fire(TermRule::kIteNested, BvIte(w, condition, operand(a, 1), b));
  if (kind(b) == TermKind::kBvIte && operand(b, 0) == condition) return Fire(TermRule::kIteNested, BvIte(w, condition, a, operand(b, 2)));
  if (w == 1 && IsConst(a) && IsConst(b) && a != b) return Fire(TermRule::kIteBool, const_bits(a) != 0 ? condition : BvNot(1, condition));
  if ((kind(condition) == TermKind::kBvUlt || kind(condition) == TermKind::kBvSlt) && width(operand(condition, 0)) == w) {
    const TermId less = operand(condition, 0), more = operand(condition, 1);
    const bool minimum = a == less && b == more && IsExtreme(kind(condition), w, a, /*least=*/true);
    const bool maximum = a == more && b == less && IsExtreme(kind(condition), w, a, /*least=*/false);
    if (minimum || maximum) return Fire(TermRule::kIteExtreme, a);
  }
  const bool bits_a = kind(a) == TermKind::kFpToBits, bits_b = kind(b) == TermKind::kFpToBits;
  if ((bits_a || bits_b) && (bits_a || IsConst(a)) && (bits_b || IsConst(b))) {
    FpFormat format = this->format(operand(bits_a ? a : b, 0));
    if (!bits_a || !bits_b || this->format(operand(b, 0)) == format) {
      return Fire(TermRule::kIteFloat, FpToBits(FpIte(condition, BitsToFp(format, a), BitsToFp(format, b))));
    }
  }
  const bool cat_a = kind(a) == TermKind::kBvConcat, cat_b = kind(b) == TermKind::kBvConcat;
  if ((cat_a && (cat_b || IsConst(b))) || (cat_b && IsConst(a))) {
    // Slice by slice where the cuts of one are cuts of the other, so that packed values stay packed.
    TermId pa[64], pb[64];
    unsigned na = Pieces(a, pa), nb = Pieces(b, pb);
    const TermId* cuts = cat_a ? pa : pb;
    unsigned n = cat_a ? na : nb;
    bool same = true;
    if (cat_a && cat_b) {
      same = na == nb;
      for (unsigned i = 0; same && i < n; ++i) same = width(pa[i]) == width(pb[i]);
    }
    if (same) {
      TermId result = kNoTerm;
      unsigned lo = 0;
      for (unsigned i = 0; i < n; ++i) {
        unsigned pw = width(cuts[i]);
        TermId part = BvIte(pw, condition, Extract(pw, a, lo), Extract(pw, b, lo));
        result = i == 0 ? part : Concat(part, result);
        lo += pw;
      }
      return Fire(TermRule::kIteSlices, result);
    }
  }
  return Make(TermKind::kBvIte, w, condition, a, b);
}

TermId TermStore::Extract(unsigned w, TermId a, unsigned lo) {
  RACER_CHECK(IsBits(a) && w >= 1 && lo + w <= width(a));
  if (w == width(a)) return Fire(TermRule::kExtractAll, a);
  const TermNode n = node(a);
  switch (n.kind) {
    case TermKind::kBvConst: return BvConst(w, const_bits(a) >> lo);
    case TermKind::kBvExtract: return Fire(TermRule::kExtractExtract, Extract(w, TermId{n.a}, lo + n.attr));
    case TermKind::kBvConcat: {
      TermId hi{n.a}, low{n.b};
      unsigned lw = width(low);
      if (lo + w <= lw) return Fire(TermRule::kExtractConcat, Extract(w, low, lo));
      if (lo >= lw) return Fire(TermRule::kExtractConcat, Extract(w, hi, lo - lw));
      return Fire(TermRule::kExtractConcat, Concat(Extract(lo + w - lw, hi, 0), Extract(lw - lo, low, lo)));
    }
    case TermKind::kBvSExt: {
      TermId inner{n.a};
      unsigned iw = width(inner);
      if (lo + w <= iw) return Fire(TermRule::kExtractSExt, Extract(w, inner, lo));
      unsigned from = lo < iw ? lo : iw - 1;
      return Fire(TermRule::kExtractSExt, SExt(w, Extract(iw - from, inner, from)));
    }
    case TermKind::kBvNot: return Fire(TermRule::kExtractNot, BvNot(w, Extract(w, TermId{n.a}, lo)));
    case TermKind::kBvIte: {
      TermId x{n.b}, y{n.c};
      bool easy_x = IsConst(x) || kind(x) == TermKind::kBvConcat, easy_y = IsConst(y) || kind(y) == TermKind::kBvConcat;
      if (easy_x && easy_y) return Fire(TermRule::kExtractIte, BvIte(w, TermId{n.a}, Extract(w, x, lo), Extract(w, y, lo)));
      break;
    }
    case TermKind::kFpToBits: {
      const TermNode value = node(TermId{n.a});
      // A conversion to a format of 6 bits leaves the rest of its byte clear.
      if (value.kind == TermKind::kFpConvert && lo > LayoutOf(format(TermId{n.a})).sign_bit()) {
        return Fire(TermRule::kExtractPadding, BvConst(w, 0));
      }
      if (value.kind == TermKind::kFpConvert && n.width == 32 && format(TermId{value.a}) == FpFormat::kBF16 &&
          fp_attr(TermId{n.a}) == FpAttr{.format = FpFormat::kF32} && (lo >= 16 || lo + w <= 16)) {
        return Fire(TermRule::kExtractWidened, lo >= 16 ? Extract(w, FpToBits(TermId{value.a}), lo - 16) : BvConst(w, 0));
      }
      break;
    }
    case TermKind::kBvInput:
    case TermKind::kUndef:
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
    case TermKind::kBvSlt:
    case TermKind::kBvZExt:
    case TermKind::kFpCompare:
    case TermKind::kFpToInt: break;
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kFpInput:
    case TermKind::kBitsToFp:
    case TermKind::kFpIte:
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary:
    case TermKind::kFpConvert:
    case TermKind::kIntToFp: RACER_UNREACHABLE(n.kind);
  }
  return Make(TermKind::kBvExtract, w, a, kNoTerm, kNoTerm, lo);
}

TermId TermStore::Concat(TermId hi, TermId lo) {
  RACER_CHECK(IsBits(hi) && IsBits(lo) && width(hi) + width(lo) <= 64);
  if (kind(hi) == TermKind::kBvConcat) {
    TermId top = operand(hi, 0), rest = operand(hi, 1);
    return Fire(TermRule::kConcatAssociate, Concat(top, Concat(rest, lo)));
  }
  const unsigned total = width(hi) + width(lo);
  const bool nested = kind(lo) == TermKind::kBvConcat;
  const TermId next = nested ? operand(lo, 0) : lo, rest = nested ? operand(lo, 1) : kNoTerm;
  TermId merged = kNoTerm;
  if (IsConst(hi) && IsConst(next)) {
    merged = BvConst(width(hi) + width(next), (const_bits(hi) << width(next)) | const_bits(next));
  } else if (kind(hi) == TermKind::kBvExtract && kind(next) == TermKind::kBvExtract && operand(hi, 0) == operand(next, 0) &&
             extract_lo(hi) == extract_lo(next) + width(next)) {
    merged = Fire(TermRule::kConcatMerge, Extract(width(hi) + width(next), operand(hi, 0), extract_lo(next)));
  }
  if (merged != kNoTerm) return nested ? Concat(merged, rest) : merged;
  return Make(TermKind::kBvConcat, total, hi, lo);
}

// Zero extension is a Concat with zeros, so that it and masks and shifts are one form.
TermId TermStore::ZExt(unsigned to, TermId a) {
  RACER_CHECK(IsBits(a) && width(a) <= to && to <= 64);
  if (width(a) == to) return a;
  return Concat(BvConst(to - width(a), 0), a);
}

TermId TermStore::SExt(unsigned to, TermId a) {
  RACER_CHECK(IsBits(a) && width(a) <= to && to <= 64);
  unsigned from = width(a);
  if (from == to) return a;
  if (IsConst(a)) return BvConst(to, fold::SExt(from, to, const_bits(a)));
  if (kind(a) == TermKind::kBvSExt) return Fire(TermRule::kSExtSExt, SExt(to, operand(a, 0)));
  if (kind(a) == TermKind::kBvConcat && IsConst(operand(a, 0))) {
    TermId top = operand(a, 0);
    return Fire(TermRule::kSExtKnown, Concat(BvConst(to - from, fold::SignBit(width(top), const_bits(top)) ? ~uint64_t{0} : 0), a));
  }
  if (kind(a) == TermKind::kBvConcat && !Defined(a)) {
    const TermId hi = operand(a, 0), lo = operand(a, 1);
    return Fire(TermRule::kSExtSlices, Concat(SExt(to - width(lo), hi), lo));
  }
  return Make(TermKind::kBvSExt, to, a);
}

}  // namespace racer
