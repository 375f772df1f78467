// Comparison and selection.
#ifndef RACER_PTX_FRONTEND_ISA_COMPARISON_H_
#define RACER_PTX_FRONTEND_ISA_COMPARISON_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// One comparison of two scalars of `type`, a width-1 pattern. Integers: signedness from the type, except that
// lo, ls, hi, hs are unsigned.
template <Domain D>
Val<D> CompareScalars(D& d, CompareOp op, ScalarType type, bool ftz, Val<D> a, Val<D> b) {
  if (IsFloat(type)) return d.FpCompare(op, FormatOf(type), ftz, a, b);
  const unsigned w = BitWidth(type);
  const bool is_signed = IsSigned(type);
  const auto less = [&](Val<D> x, Val<D> y) { return is_signed ? d.Slt(w, x, y) : d.Ult(w, x, y); };
  switch (op) {
    case CompareOp::kEq: return d.Eq(w, a, b);
    case CompareOp::kNe: return d.Not(1, d.Eq(w, a, b));
    case CompareOp::kLt: return less(a, b);
    case CompareOp::kLe: return d.Not(1, less(b, a));
    case CompareOp::kGt: return less(b, a);
    case CompareOp::kGe: return d.Not(1, less(a, b));
    case CompareOp::kLo: return d.Ult(w, a, b);
    case CompareOp::kLs: return d.Not(1, d.Ult(w, b, a));
    case CompareOp::kHi: return d.Ult(w, b, a);
    case CompareOp::kHs: return d.Not(1, d.Ult(w, a, b));
    case CompareOp::kNone:
    case CompareOp::kEqu:
    case CompareOp::kNeu:
    case CompareOp::kLtu:
    case CompareOp::kLeu:
    case CompareOp::kGtu:
    case CompareOp::kGeu:
    case CompareOp::kNum:
    case CompareOp::kNan: break;  // the grammar offers these for floating point only
  }
  RACER_UNREACHABLE(static_cast<int>(op));
}

template <Domain D>
Val<D> CombinePredicates(D& d, BoolOp op, Val<D> a, Val<D> b) {
  switch (op) {
    case BoolOp::kAnd: return d.And(1, a, b);
    case BoolOp::kOr: return d.Or(1, a, b);
    case BoolOp::kXor: return d.Xor(1, a, b);
    case BoolOp::kNone: break;
  }
  RACER_UNREACHABLE(static_cast<int>(op));
}

// p = (a cmp b) bop c and q = !(a cmp b) bop c: q is not the negation of p once there is a c.
struct SetpEval {
  static constexpr int kResults = 2;
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    const Val<D> t = CompareScalars(d, m.compare, m.type, m.ftz, in[0], in[1]);
    out[0] = t;
    out[1] = d.Not(1, t);
    if (m.combine == BoolOp::kNone) return;
    for (int i = 0; i < 2; ++i) out[i] = CombinePredicates(d, m.combine, out[i], in[2]);
  }
};

#define RACER_FP_COMPARISONS ".eq, .ne, .lt, .le, .gt, .ge, .equ, .neu, .ltu, .leu, .gtu, .geu, .num, .nan"
#define RACER_BOOL_OPS ".bop = { .and, .or, .xor }"

struct Setp : SetpEval {
  static constexpr Line kGrammar[] = {
      "setp.cmp.type p:pred{|q:pred}, a, b; .cmp = { .eq, .ne } .type = { .b16, .b32, .b64 }",
      "setp.cmp.type p:pred{|q:pred}, a, b; .cmp = { .eq, .ne, .lt, .le, .gt, .ge } .type = { .s16, .s32, .s64 }",
      "setp.cmp.type p:pred{|q:pred}, a, b; .cmp = { .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs } .type = { .u16, .u32, .u64 }",
      "setp.cmp{.ftz}.f32 p:pred{|q:pred}, a, b; .cmp = { " RACER_FP_COMPARISONS " }",
      "setp.cmp.f64 p:pred{|q:pred}, a, b; .cmp = { " RACER_FP_COMPARISONS " }",
      "setp.cmp.bop.type p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { .eq, .ne } .type = { .b16, .b32, .b64 } " RACER_BOOL_OPS,
      "setp.cmp.bop.type p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { .eq, .ne, .lt, .le, .gt, .ge } .type = { .s16, .s32, .s64 "
      "} " RACER_BOOL_OPS,
      "setp.cmp.bop.type p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs } "
      ".type = { .u16, .u32, .u64 } " RACER_BOOL_OPS,
      "setp.cmp.bop{.ftz}.f32 p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
      "setp.cmp.bop.f64 p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
  };
  static constexpr Example kExamples[] = {
      {".lt.s32", {0xffffffff, 0}, 1, From::kManual},
      {".lt.u32", {0xffffffff, 0}, 0, From::kManual},
      {".lo.u32", {0, 1}, 1, From::kManual},
      {".hs.u32", {1, 1}, 1, From::kManual},
      {".ls.u32", {2, 1}, 0, From::kManual},
      {".hi.u64", {2, 1}, 1, From::kManual},
      {".eq.b16", {0x8000, 0x8000}, 1, From::kManual},
      {".ne.s64", {0, uint64_t{1} << 63}, 1, From::kManual},
      {".eq.f32", {0x80000000, 0}, 1, From::kManual},
      {".eq.f32", {0x7fc00000, 0x7fc00000}, 0, From::kManual},
      {".ne.f32", {0x7fc00000, 0}, 0, From::kManual},
      {".neu.f32", {0x7fc00000, 0}, 1, From::kManual},
      {".geu.f32", {0x7fc00000, 0}, 1, From::kManual},
      {".ge.f32", {0x7fc00000, 0}, 0, From::kManual},
      {".num.f32", {0x3f800000, 0xff800000}, 1, From::kManual},
      {".nan.f64", {0x7ff8000000000000, 0}, 1, From::kManual},
      {".eq.ftz.f32", {0x00000001, 0}, 1, From::kManual},
      {".eq.f32", {0x00000001, 0}, 0, From::kManual},
      {".lt.and.s32", {1, 2, 0}, 0, From::kManual},
      {".lt.or.s32", {2, 1, 1}, 1, From::kManual},
      {".lt.xor.s32", {1, 2, 1}, 0, From::kManual},
      {".gt.and.ftz.f32", {0x3f800000, 0, 1}, 1, From::kManual},
      {".le.u16", {0xffff, 1}, 0, From::kManual, 1},
      {".lt.s16", {0xffff, 1}, 1, From::kManual, 0},
      {".eq.b32", {5, 5}, 1, From::kManual, 0},
      {".ne.b64", {1, uint64_t{1} << 63}, 1, From::kManual, 0},
      {".equ.f32", {0x7fc00000, 0}, 1, From::kManual},
      {".ltu.f32", {0x40000000, 0x3f800000}, 0, From::kManual},
      {".leu.f64", {0x3ff0000000000000, 0x3ff0000000000000}, 1, From::kManual},
      {".gtu.f32", {0x7fc00000, 0x7f800000}, 1, From::kManual, 0},
      {".nan.f32", {0, 0x7fc00000}, 1, From::kManual, 0},
  };
  static constexpr Spec kSpec = {.mnemonic = "setp",
                                 .grammar = kGrammar,
                                 .isa = "comparison-and-selection-instructions-setp",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
};

struct SetpHalf : SetpEval {
  static constexpr Line kGrammar[] = {
      "setp.cmp{.ftz}.f16 p:pred, a, b; .cmp = { " RACER_FP_COMPARISONS " }",
      "setp.cmp.bf16 p:pred, a, b; .cmp = { " RACER_FP_COMPARISONS " }",
      "setp.cmp.bop{.ftz}.f16 p:pred, a, b, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
      "setp.cmp.bop.bf16 p:pred, a, b, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
  };
  static constexpr Example kExamples[] = {
      {".lt.f16", {0xbc00, 0x3c00}, 1, From::kManual},        {".eq.f16", {0x8000, 0}, 1, From::kManual},
      {".gtu.bf16", {0x7fc0, 0}, 1, From::kManual},           {".eq.ftz.f16", {1, 0}, 1, From::kManual},
      {".lt.and.f16", {0xbc00, 0x3c00, 0}, 0, From::kManual}, {".ne.f16", {0x3c00, 0x7e00}, 0, From::kManual},
      {".neu.f16", {0x3c00, 0x7e00}, 1, From::kManual},       {".equ.bf16", {0x7fc0, 0x3f80}, 1, From::kManual},
      {".ge.f16", {0x3c00, 0x3c00}, 1, From::kManual},        {".geu.f16", {0x3800, 0x3c00}, 0, From::kManual},
      {".gt.bf16", {0xbf80, 0x3f80}, 0, From::kManual},       {".le.bf16", {0x0000, 0x8000}, 1, From::kManual},
      {".leu.f16", {0x4000, 0x3c00}, 0, From::kManual},       {".ltu.f16", {0x7e00, 0xfc00}, 1, From::kManual},
      {".num.f16", {0x7c00, 0x0001}, 1, From::kManual},       {".nan.bf16", {0x3f80, 0x7f81}, 1, From::kManual},
      {".lt.or.f16", {0x3c00, 0xbc00, 1}, 1, From::kManual},  {".lt.xor.bf16", {0xbf80, 0x3f80, 1}, 0, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "setp",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-comparison-instructions-setp",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
};

// Packed: p compares the low halves and q the high ones.
struct SetpPacked {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {
      "setp.cmp{.ftz}.f16x2 p:pred{|q:pred}, a, b; .cmp = { " RACER_FP_COMPARISONS " }",
      "setp.cmp.bf16x2 p:pred{|q:pred}, a, b; .cmp = { " RACER_FP_COMPARISONS " }",
      "setp.cmp.bop{.ftz}.f16x2 p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
      "setp.cmp.bop.bf16x2 p:pred{|q:pred}, a, b, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
  };
  static constexpr Example kExamples[] = {
      {".lt.f16x2", {0x3c00bc00, 0xbc003c00}, 1, From::kManual},
      {".gt.bf16x2", {0x3f80bf80, 0xbf803f80}, 0, From::kManual},
      {".eq.f16x2", {0x3c003c00, 0x40003c00}, 1, From::kManual, 0},
      {".ne.f16x2", {0x7e003c00, 0x3c004000}, 1, From::kManual, 0},
      {".neu.f16x2", {0x7e003c00, 0x3c003c00}, 0, From::kManual, 1},
      {".equ.bf16x2", {0x7fc03f80, 0x3f804000}, 0, From::kManual, 1},
      {".ge.f16x2", {0x3c003800, 0x3c003c00}, 0, From::kManual, 1},
      {".geu.f16x2", {0x7e003800, 0x00003c00}, 0, From::kManual, 1},
      {".gtu.f16x2", {0xfc007e00, 0}, 1, From::kManual, 0},
      {".le.bf16x2", {0x3f80bf80, 0x3f80bf80}, 1, From::kManual, 1},
      {".leu.bf16x2", {0x40007fc0, 0x3f803f80}, 1, From::kManual, 0},
      {".ltu.f16x2", {0xbc003c00, 0x3c00bc00}, 0, From::kManual, 1},
      {".num.f16x2", {0x7e003c00, 0}, 1, From::kManual, 0},
      {".nan.bf16x2", {0x7fc03f80, 0}, 0, From::kManual, 1},
      {".eq.ftz.f16x2", {0x00010001, 0x00000400}, 0, From::kManual, 1},
      {".lt.and.f16x2", {0xbc00bc00, 0x3c003c00, 1}, 1, From::kManual, 1},
      {".lt.or.f16x2", {0x3c00bc00, 0xbc003c00, 0}, 1, From::kManual, 0},
      {".lt.xor.f16x2", {0x3c00bc00, 0xbc003c00, 1}, 0, From::kManual, 1},
  };
  static constexpr Rule kRules[] = {{".bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "setp",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-comparison-instructions-setp",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    const ScalarType element = PackedElement(m.type);
    for (unsigned i = 0; i < 2; ++i) {
      out[i] = CompareScalars(d, m.compare, element, m.ftz, d.Extract(16, in[0], 32, 16 * i), d.Extract(16, in[1], 32, 16 * i));
      if (m.combine != BoolOp::kNone) out[i] = CombinePredicates(d, m.combine, out[i], in[2]);
    }
  }
};

// 1.0 of a floating-point type, all ones of an integer type.
template <Domain D>
Val<D> TruthOf(D& d, ScalarType type, Val<D> t) {
  const unsigned w = BitWidth(type);
  if (!IsFloat(type)) return d.SExt(1, w, t);
  uint64_t one = 0;
  switch (FormatOf(type)) {
    case FpFormat::kF16: one = 0x3c00; break;
    case FpFormat::kBF16: one = 0x3f80; break;
    case FpFormat::kF32: one = 0x3f800000; break;
    case FpFormat::kTF32:
    case FpFormat::kF64:
    case FpFormat::kE4M3:
    case FpFormat::kE5M2:
    case FpFormat::kE2M3:
    case FpFormat::kE3M2:
    case FpFormat::kE2M1:
    case FpFormat::kUE8M0: RACER_UNREACHABLE(static_cast<int>(type));  // no set writes these
  }
  return d.Ite(w, t, d.Const(w, one), d.Const(w, 0));
}

// d is 1.0 or all ones where the comparison (combined with c) holds, else 0.
struct SetEval {
  static constexpr int kResults = 1;
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    const auto compare = [&](ScalarType type, Val<D> a, Val<D> b) {
      const Val<D> t = CompareScalars(d, m.compare, type, m.ftz, a, b);
      return m.combine == BoolOp::kNone ? t : CombinePredicates(d, m.combine, t, in[2]);
    };
    const ScalarType element = PackedElement(m.type2);
    if (element == ScalarType::kNone) {
      out[0] = TruthOf(d, m.type, compare(m.type2, in[0], in[1]));
      return;
    }
    // Packed sources: each half of d, a packed type or a plain .u32/.s32, takes its own comparison.
    const ScalarType half = PackedElement(m.type) == ScalarType::kNone ? ScalarType::kU16 : PackedElement(m.type);
    const auto lane = [&](unsigned lo) {
      return TruthOf(d, half, compare(element, d.Extract(16, in[0], 32, lo), d.Extract(16, in[1], 32, lo)));
    };
    const Val<D> lower = lane(0);
    out[0] = d.Concat(16, lane(16), 16, lower);
  }
};

struct Set : SetEval {
  static constexpr Line kGrammar[] = {
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { .eq, .ne } .dtype = { .u32, .s32, .f32 } .stype = { .b16, .b32, .b64 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { .eq, .ne, .lt, .le, .gt, .ge } .dtype = { .u32, .s32, .f32 } "
      ".stype = { .s16, .s32, .s64 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs } "
      ".dtype = { .u32, .s32, .f32 } .stype = { .u16, .u32, .u64 }",
      "set.cmp{.ftz}.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } .dtype = { .u32, .s32, .f32 } "
      ".stype = { .f32 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } .dtype = { .u32, .s32, .f32 } "
      ".stype = { .f64 }",
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { .eq, .ne } .dtype = { .u32, .s32, .f32 } "
      ".stype = { .b16, .b32, .b64 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { .eq, .ne, .lt, .le, .gt, .ge } "
      ".dtype = { .u32, .s32, .f32 } .stype = { .s16, .s32, .s64 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs } "
      ".dtype = { .u32, .s32, .f32 } .stype = { .u16, .u32, .u64 } " RACER_BOOL_OPS,
      "set.cmp.bop{.ftz}.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .u32, .s32, .f32 } .stype = { .f32 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .u32, .s32, .f32 } .stype = { .f64 } " RACER_BOOL_OPS,
  };
  static constexpr Example kExamples[] = {
      {".lt.u32.s32", {0xffffffff, 0}, 0xffffffff, From::kManual},
      {".lt.f32.s32", {0xffffffff, 0}, 0x3f800000, From::kManual},
      {".lt.f32.u32", {0xffffffff, 0}, 0, From::kManual},
      {".neu.s32.f64", {0x7ff8000000000000, 0}, 0xffffffff, From::kManual},
      {".eq.and.u32.b32", {5, 5, 0}, 0, From::kManual},
      {".lt.or.u32.s32", {1, 0, 1}, 0xffffffff, From::kManual},
      {".eq.xor.u32.u32", {5, 5, 1}, 0, From::kManual},
      {".equ.u32.f32", {0x7fc00000, 0}, 0xffffffff, From::kManual},
      {".ge.f32.s16", {0xffff, 0}, 0, From::kManual},
      {".geu.u32.f32", {0x7fc00000, 0}, 0xffffffff, From::kManual},
      {".gt.s32.s64", {1, uint64_t{1} << 63}, 0xffffffff, From::kManual},
      {".gtu.f32.f32", {0x3f800000, 0x40000000}, 0, From::kManual},
      {".hi.u32.u16", {0xffff, 1}, 0xffffffff, From::kManual},
      {".hs.u32.u64", {0, 1}, 0, From::kManual},
      {".le.f32.u16", {1, 1}, 0x3f800000, From::kManual},
      {".leu.u32.f64", {0x7ff8000000000000, 0}, 0xffffffff, From::kManual},
      {".lo.u32.u64", {1, uint64_t{1} << 63}, 0xffffffff, From::kManual},
      {".ls.u32.u32", {2, 1}, 0, From::kManual},
      {".ltu.u32.f32", {0x3f800000, 0xbf800000}, 0, From::kManual},
      {".nan.u32.f64", {0, 0x7ff8000000000000}, 0xffffffff, From::kManual},
      {".ne.u32.b16", {1, 0x8001}, 0xffffffff, From::kManual},
      {".num.u32.f32", {0x7fc00000, 0}, 0, From::kManual},
      {".eq.ftz.u32.f32", {1, 0}, 0xffffffff, From::kManual},
      {".eq.f32.b64", {uint64_t{1} << 63, 0}, 0, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "set",
                                 .grammar = kGrammar,
                                 .isa = "comparison-and-selection-instructions-set",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
};

struct SetHalf : SetEval {
  static constexpr Line kGrammar[] = {
      "set.cmp{.ftz}.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .f16, .u16, .s16, .u32, .s32 } .stype = { .f16 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .bf16, .u16, .s16, .u32, .s32 } .stype = { .bf16 }",
      "set.cmp{.ftz}.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .f16x2, .u32, .s32 } .stype = { .f16x2 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .bf16x2, .u32, .s32 } .stype = { .bf16x2 }",
      "set.cmp.bop{.ftz}.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .f16, .u16, .s16, .u32, .s32 } .stype = { .f16 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .bf16, .u16, .s16, .u32, .s32 } .stype = { .bf16 } " RACER_BOOL_OPS,
      "set.cmp.bop{.ftz}.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .f16x2, .u32, .s32 } .stype = { .f16x2 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } "
      ".dtype = { .bf16x2, .u32, .s32 } .stype = { .bf16x2 } " RACER_BOOL_OPS,
  };
  static constexpr Example kExamples[] = {
      {".eq.f16.f16", {0x8000, 0}, 0x3c00, From::kManual},
      {".eq.f16.f16", {0x7e00, 0x7e00}, 0, From::kManual},
      {".lt.bf16.bf16", {0xbf80, 0}, 0x3f80, From::kManual},
      {".gt.f16x2.f16x2", {0x3c000000, 0x00003c00}, 0x3c000000, From::kManual},
      {".gt.u32.f16x2", {0x3c000000, 0x00003c00}, 0xffff0000, From::kManual},
      {".equ.bf16.bf16", {0x7fc0, 0}, 0x3f80, From::kManual},
      {".ge.u16.f16", {0x3c00, 0x3c00}, 0xffff, From::kManual},
      {".geu.s16.f16", {0xbc00, 0}, 0, From::kManual},
      {".gtu.s32.bf16", {0x7fc0, 0}, 0xffffffff, From::kManual},
      {".le.u32.f16", {0x3c00, 0}, 0, From::kManual},
      {".leu.f16.f16", {0x8000, 0}, 0x3c00, From::kManual},
      {".ltu.f16.f16", {0x7e00, 0}, 0x3c00, From::kManual},
      {".nan.u16.bf16", {0x7fc0, 0x3f80}, 0xffff, From::kManual},
      {".ne.f16x2.f16x2", {0x3c007e00, 0x40003c00}, 0x3c000000, From::kManual},
      {".neu.f16x2.f16x2", {0x3c007e00, 0x3c003c00}, 0x00003c00, From::kManual},
      {".num.bf16x2.bf16x2", {0x3f807fc0, 0x3f803f80}, 0x3f800000, From::kManual},
      {".eq.ftz.f16.f16", {1, 0}, 0x3c00, From::kManual},
      {".gt.and.f16.f16", {0x3c00, 0, 0}, 0, From::kManual},
      {".lt.or.bf16.bf16", {0x3f80, 0, 1}, 0x3f80, From::kManual},
      {".eq.xor.bf16x2.bf16x2", {0x3f803f80, 0x3f804000, 1}, 0x00003f80, From::kManual},
      {".lt.s32.bf16x2", {0xbf803f80, 0}, 0xffff0000, From::kManual},
  };
  static constexpr Rule kRules[] = {{".u16|.s16|.u32|.s32", "@6.5"}, {".bf16|.bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "set",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-comparison-instructions-set",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
};

// The comparisons of set with an .f16 or .bf16 result.
struct SetToHalf : SetEval {
  static constexpr Line kGrammar[] = {
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { .eq, .ne } .dtype = { .f16, .bf16 } .stype = { .b16, .b32, .b64 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { .eq, .ne, .lt, .le, .gt, .ge } .dtype = { .f16, .bf16 } "
      ".stype = { .s16, .s32, .s64 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs } "
      ".dtype = { .f16, .bf16 } .stype = { .u16, .u32, .u64 }",
      "set.cmp.dtype.stype d:.dtype, a:.stype, b:.stype; .cmp = { " RACER_FP_COMPARISONS
      " } .dtype = { .f16, .bf16 } .stype = { .f32, .f64 }",
      "set.cmp.ftz.f16.f32 d:f16, a:f32, b:f32; .cmp = { " RACER_FP_COMPARISONS " }",
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { .eq, .ne } .dtype = { .f16, .bf16 } "
      ".stype = { .b16, .b32, .b64 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { .eq, .ne, .lt, .le, .gt, .ge } "
      ".dtype = { .f16, .bf16 } .stype = { .s16, .s32, .s64 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs } "
      ".dtype = { .f16, .bf16 } .stype = { .u16, .u32, .u64 } " RACER_BOOL_OPS,
      "set.cmp.bop.dtype.stype d:.dtype, a:.stype, b:.stype, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS
      " } .dtype = { .f16, .bf16 } .stype = { .f32, .f64 } " RACER_BOOL_OPS,
      "set.cmp.bop.ftz.f16.f32 d:f16, a:f32, b:f32, {!}c:pred; .cmp = { " RACER_FP_COMPARISONS " } " RACER_BOOL_OPS,
  };
  static constexpr Example kExamples[] = {
      {".eq.f16.b16", {0x8000, 0x8000}, 0x3c00, From::kManual},
      {".ne.bf16.b32", {1, 2}, 0x3f80, From::kManual},
      {".eq.f16.b64", {5, 5}, 0x3c00, From::kManual},
      {".lt.f16.s16", {0xffff, 0}, 0x3c00, From::kManual},
      {".le.bf16.s32", {1, 0}, 0, From::kManual},
      {".gt.f16.s64", {1, ~uint64_t{0}}, 0x3c00, From::kManual},
      {".ge.f16.u16", {1, 0xffff}, 0, From::kManual},
      {".lo.f16.u32", {1, 2}, 0x3c00, From::kManual},
      {".ls.f16.u64", {2, 2}, 0x3c00, From::kManual},
      {".hi.bf16.u16", {2, 1}, 0x3f80, From::kManual},
      {".hs.bf16.u32", {1, 2}, 0, From::kManual},
      {".equ.f16.f32", {0x7fc00000, 0}, 0x3c00, From::kManual},
      {".neu.f16.f32", {0, 0x80000000}, 0, From::kManual},
      {".ltu.bf16.f32", {0x7fc00000, 0}, 0x3f80, From::kManual},
      {".leu.f16.f64", {0x4000000000000000, 0x3ff0000000000000}, 0, From::kManual},
      {".gtu.f16.f64", {0x4000000000000000, 0x3ff0000000000000}, 0x3c00, From::kManual},
      {".geu.f16.f32", {0xbf800000, 0}, 0, From::kManual},
      {".num.f16.f64", {0, 0x7ff8000000000000}, 0, From::kManual},
      {".nan.bf16.f64", {0, 0x7ff8000000000000}, 0x3f80, From::kManual},
      {".eq.ftz.f16.f32", {1, 0}, 0x3c00, From::kManual},
      {".lt.and.f16.s32", {0, 1, 1}, 0x3c00, From::kManual},
      {".lt.or.f16.f32", {0, 0, 1}, 0x3c00, From::kManual},
      {".eq.xor.bf16.u64", {1, 1, 1}, 0, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "set",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-comparison-instructions-set",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
};

struct Selp {
  static constexpr Line kGrammar[] = {
      "selp.type d, a, b, {!}c:pred; .type = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 }"};
  static constexpr Example kExamples[] = {
      {".f32", {0x3f800000, 0x7fc00001, 0}, 0x7fc00001, From::kManual},  // bits move unchanged
      {".b16", {0x1234, 0x5678, 1}, 0x1234, From::kManual},
      {".b32", {1, 2, 0}, 2, From::kManual},
      {".b64", {uint64_t{1} << 63, 2, 1}, uint64_t{1} << 63, From::kManual},
      {".f64", {0x7ff0000000000001, 0, 1}, 0x7ff0000000000001, From::kManual},
      {".s16", {0x8000, 1, 0}, 1, From::kManual},
      {".s32", {0x80000000, 1, 1}, 0x80000000, From::kManual},
      {".s64", {1, ~uint64_t{0}, 0}, ~uint64_t{0}, From::kManual},
      {".u16", {0xffff, 0, 1}, 0xffff, From::kManual},
      {".u32", {7, 8, 0}, 8, From::kManual},
      {".u64", {7, 8, 1}, 7, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "selp",
                                 .grammar = kGrammar,
                                 .isa = "comparison-and-selection-instructions-selp",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return d.Ite(BitWidth(m.type), c, a, b);
  }
};

// a where c >= 0, else b; -0.0 counts as >= 0 and NaN does not.
struct Slct {
  static constexpr Line kGrammar[] = {
      "slct.dtype.stype d, a, b, c:.stype; .dtype = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 } "
      ".stype = { .s32 }",
      "slct{.ftz}.dtype.stype d, a, b, c:.stype; .dtype = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 } "
      ".stype = { .f32 }",
  };
  static constexpr Example kExamples[] = {
      {".u32.s32", {1, 2, 0}, 1, From::kManual},           {".u32.s32", {1, 2, 0xffffffff}, 2, From::kManual},
      {".u64.f32", {1, 2, 0x80000000}, 1, From::kManual},  {".u64.f32", {1, 2, 0x7fc00000}, 2, From::kManual},
      {".u32.f32", {1, 2, 0x80000001}, 2, From::kManual},  {".ftz.u32.f32", {1, 2, 0x80000001}, 1, From::kManual},
      {".b16.s32", {1, 2, 0x7fffffff}, 1, From::kManual},  {".b32.s32", {1, 2, 0x80000000}, 2, From::kManual},
      {".b64.f32", {1, 2, 0x3f800000}, 1, From::kManual},  {".f64.f32", {1, 2, 0xff800000}, 2, From::kManual},
      {".s16.s32", {0x8000, 2, 0}, 0x8000, From::kManual}, {".s64.s32", {1, ~uint64_t{0}, 0xffffffff}, ~uint64_t{0}, From::kManual},
      {".u16.f32", {1, 2, 0xbf800000}, 2, From::kManual},  {".f32.s32", {0x3f800000, 2, 0xffffffff}, 2, From::kManual},
      {".s32.f32", {5, 6, 0}, 5, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "slct",
                                 .grammar = kGrammar,
                                 .isa = "comparison-and-selection-instructions-slct",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    const Val<D> chosen = CompareScalars(d, CompareOp::kGe, m.type2, m.ftz, c, d.Const(32, 0));
    return d.Ite(BitWidth(m.type), chosen, a, b);
  }
};

#undef RACER_FP_COMPARISONS
#undef RACER_BOOL_OPS

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_COMPARISON_H_
