// Floating-point arithmetic in .f32 and .f64, correctly rounded.
#ifndef RACER_PTX_FRONTEND_ISA_FLOATING_POINT_H_
#define RACER_PTX_FRONTEND_ISA_FLOATING_POINT_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// Classifies a value: normal excludes subnormals, infinities and NaN; zeros count as normal.
struct Testp {
  static constexpr Line kGrammar[] = {
      "testp.test.type p:pred, a; .test = { .finite, .infinite, .number, .notanumber, .normal, .subnormal } .type = { .f32, .f64 }"};
  static constexpr Example kExamples[] = {
      {".finite.f32", {0x7f7fffff}, 1, From::kManual},     {".finite.f32", {0x7f800000}, 0, From::kManual},
      {".infinite.f32", {0xff800000}, 1, From::kManual},   {".number.f32", {0x7f800000}, 1, From::kManual},
      {".notanumber.f32", {0x7fc00000}, 1, From::kManual}, {".normal.f32", {0}, 1, From::kHardware},
      {".normal.f32", {0x00800000}, 1, From::kManual},     {".normal.f32", {0x007fffff}, 0, From::kManual},
      {".subnormal.f32", {0x807fffff}, 1, From::kManual},  {".subnormal.f64", {0}, 0, From::kManual},
      {".subnormal.f64", {1}, 1, From::kManual},           {".normal.f64", {0x8000000000000000}, 1, From::kHardware},
  };
  static constexpr Spec kSpec = {.mnemonic = "testp",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-testp",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const FpFormat format = FormatOf(m.type);
    const unsigned w = BitWidth(m.type);
    const bool wide = format == FpFormat::kF64;
    const Val<D> infinity = d.Const(w, wide ? 0x7ff0000000000000 : 0x7f800000);
    const Val<D> least_normal = d.Const(w, wide ? 0x0010000000000000 : 0x00800000);
    const Val<D> magnitude = d.Fp(FpKind::kAbs, FpAttr{.format = format}, a);
    const auto compare = [&](CompareOp op, Val<D> x, Val<D> y) { return d.FpCompare(op, format, false, x, y); };
    switch (m.test) {
      case TestOp::kFinite: return compare(CompareOp::kLt, magnitude, infinity);
      case TestOp::kInfinite: return compare(CompareOp::kEq, magnitude, infinity);
      case TestOp::kNumber: return compare(CompareOp::kNum, a, a);
      case TestOp::kNotANumber: return compare(CompareOp::kNan, a, a);
      case TestOp::kNormal:
        return d.Or(1, compare(CompareOp::kEq, magnitude, d.Const(w, 0)),
                    d.And(1, compare(CompareOp::kGe, magnitude, least_normal), compare(CompareOp::kLt, magnitude, infinity)));
      case TestOp::kSubnormal:
        return d.And(1, compare(CompareOp::kLt, magnitude, least_normal), compare(CompareOp::kGt, magnitude, d.Const(w, 0)));
      case TestOp::kNone: break;
    }
    RACER_UNREACHABLE(static_cast<int>(m.test));
  }
};

// The sign of a on the magnitude of b.
struct Copysign {
  static constexpr Line kGrammar[] = {"copysign.type d, a, b; .type = { .f32, .f64 }"};
  static constexpr Example kExamples[] = {
      {".f32", {0x80000000, 0x3f800000}, 0xbf800000, From::kManual},
      {".f32", {0x3f800000, 0xff800000}, 0x7f800000, From::kManual},
      {".f64", {0x8000000000000000, 0x4000000000000000}, 0xc000000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "copysign",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-copysign",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return d.Fp(FpKind::kCopySign, AttrOf(m, FormatOf(m.type)), a, b);
  }
};

struct AddFloat {
  static constexpr Line kGrammar[] = {
      "add{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
      "add{.rnd}.f64 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x3f800000, 0x33800000}, 0x3f800000, From::kManual},
      {".rp.f32", {0x3f800000, 0x33800000}, 0x3f800001, From::kManual},
      {".rm.f32", {0x3f800000, 0xb3000000}, 0x3f7fffff, From::kManual},
      {".rz.f32", {0x3f800000, 0x33ffffff}, 0x3f800000, From::kManual},
      {".f32", {0x7f800000, 0xff800000}, 0x7fffffff, From::kManual},
      {".f32", {0x80000000, 0x00000000}, 0x00000000, From::kManual},
      {".rm.f32", {0x3f800000, 0xbf800000}, 0x80000000, From::kManual},
      {".f32", {0x80000000, 0x80000000}, 0x80000000, From::kManual},
      {".ftz.f32", {0x00000001, 0x80000000}, 0x00000000, From::kManual},
      {".f32", {0x00000001, 0x00000001}, 0x00000002, From::kManual},
      {".sat.f32", {0x3f800000, 0x3f800000}, 0x3f800000, From::kManual},
      {".sat.f32", {0xbf800000, 0x00000000}, 0x00000000, From::kManual},
      {".sat.f32", {0x7fffffff, 0x3f800000}, 0x00000000, From::kManual},
      {".f32", {0x7f7fffff, 0x7f7fffff}, 0x7f800000, From::kManual},
      {".rz.f32", {0x7f7fffff, 0x7f7fffff}, 0x7f7fffff, From::kManual},
      {".f64", {0x3ff0000000000000, 0x3ca0000000000000}, 0x3ff0000000000000, From::kManual},
      {".rp.f64", {0x3ff0000000000000, 0x3ca0000000000000}, 0x3ff0000000000001, From::kManual},
      {".rn.f32", {0x3f800000, 0x33800000}, 0x3f800000, From::kManual},
      {".rn.f64", {0x3ff0000000000000, 0x3ca0000000000000}, 0x3ff0000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "add",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-add",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kAdd, m, a, b);
  }
};

struct SubFloat {
  static constexpr Line kGrammar[] = {
      "sub{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
      "sub{.rnd}.f64 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x3f800000, 0x3f800000}, 0x00000000, From::kManual},
      {".rm.f32", {0x3f800000, 0x3f800000}, 0x80000000, From::kManual},
      {".f32", {0x7f800000, 0x7f800000}, 0x7fffffff, From::kManual},
      {".sat.f32", {0x3f800000, 0x40000000}, 0x00000000, From::kManual},
      {".f64", {0x3ff0000000000000, 0x3fe0000000000000}, 0x3fe0000000000000, From::kManual},
      {".ftz.f32", {0x00800000, 0x00000001}, 0x00800000, From::kManual},
      {".rn.f32", {0x3f800000, 0x33000000}, 0x3f800000, From::kManual},
      {".rp.f32", {0x3f800000, 0x00000001}, 0x3f800000, From::kManual},
      {".rz.f32", {0x3f800000, 0x00000001}, 0x3f7fffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "sub",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-sub",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kSub, m, a, b);
  }
};

struct MulFloat {
  static constexpr Line kGrammar[] = {
      "mul{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
      "mul{.rnd}.f64 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x7f800000, 0x00000000}, 0x7fffffff, From::kManual},
      {".f32", {0x80000000, 0x3f800000}, 0x80000000, From::kManual},
      {".rn.f32", {0x3f800001, 0x3f800001}, 0x3f800002, From::kManual},
      {".rp.f32", {0x3f800001, 0x3f800001}, 0x3f800003, From::kManual},
      {".f32", {0x00800000, 0x3f000000}, 0x00400000, From::kManual},
      {".ftz.f32", {0x00800000, 0x3f000000}, 0x00000000, From::kManual},
      {".ftz.f32", {0x80400000, 0x40000000}, 0x80000000, From::kManual},
      {".rp.f32", {0x00000001, 0x00000001}, 0x00000001, From::kManual},
      {".rm.f32", {0x80000001, 0x00000001}, 0x80000001, From::kManual},
      {".sat.f32", {0x40000000, 0x40000000}, 0x3f800000, From::kManual},
      {".f64", {0x0010000000000000, 0x3fe0000000000000}, 0x0008000000000000, From::kManual},
      {".rm.f64", {0x3ff0000000000001, 0x3ff0000000000001}, 0x3ff0000000000002, From::kManual},
      {".rp.f64", {0x3ff0000000000001, 0x3ff0000000000001}, 0x3ff0000000000003, From::kManual},
      {".rz.f32", {0x3f800001, 0x3f800001}, 0x3f800002, From::kManual},
      {".rz.f64", {0xbff0000000000001, 0x3ff0000000000001}, 0xbff0000000000002, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mul",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-mul",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kMul, m, a, b);
  }
};

// One rounding.
struct FmaFloat {
  static constexpr Line kGrammar[] = {
      "fma.rnd{.ftz}{.sat}.f32 d, a, b, c; .rnd = { .rn, .rz, .rm, .rp }",
      "fma.rnd.f64 d, a, b, c; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f32", {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000, From::kManual},
      {".rm.f32", {0x3f800000, 0x3f800000, 0xbf800000}, 0x80000000, From::kManual},
      {".rn.f32", {0x7f800000, 0x00000000, 0x3f800000}, 0x7fffffff, From::kManual},
      {".rn.f32", {0x7f800000, 0x3f800000, 0xff800000}, 0x7fffffff, From::kManual},
      {".rn.sat.f32", {0x40000000, 0x40000000, 0x3f800000}, 0x3f800000, From::kManual},
      {".rn.ftz.f32", {0x00800000, 0x3f000000, 0x00000000}, 0x00000000, From::kManual},
      {".rp.f32", {0x3f800000, 0x3f800000, 0x00000001}, 0x3f800001, From::kManual},
      {".rz.f32", {0x3f800000, 0x3f800000, 0x00000001}, 0x3f800000, From::kManual},
      {".rn.f64", {0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002}, 0x3970000000000000, From::kManual},
      {".rm.f64", {0x3ff0000000000000, 0x3ff0000000000000, 0x8000000000000001}, 0x3fefffffffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "fma",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-fma",
                                 .since = {.ptx = 20, .sm = 13},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return FpLanewise(d, FpKind::kFma, m, a, b, c);
  }
};

// With a rounding modifier it is fma; the unfused mad.f32 of sm_1x is not in the table.
struct MadFloat {
  static constexpr Line kGrammar[] = {
      "mad.rnd{.ftz}{.sat}.f32 d, a, b, c; .rnd = { .rn, .rz, .rm, .rp }",
      "mad.rnd.f64 d, a, b, c; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f32", {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000, From::kManual},
      {".rm.f32", {0x3f800000, 0x3f800000, 0xbf800000}, 0x80000000, From::kManual},
      {".rn.f32", {0x7f800000, 0x00000000, 0x3f800000}, 0x7fffffff, From::kManual},
      {".rm.f64", {0x3ff0000000000000, 0x3ff0000000000000, 0x8000000000000001}, 0x3fefffffffffffff, From::kManual},
      {".rn.ftz.f32", {0x00800000, 0x3f000000, 0}, 0, From::kManual},
      {".rn.sat.f32", {0x40000000, 0x40000000, 0x3f800000}, 0x3f800000, From::kManual},
      {".rp.f32", {0x3f800000, 0x3f800000, 0x00000001}, 0x3f800001, From::kManual},
      {".rz.f32", {0x3f800000, 0x3f800000, 0x00000001}, 0x3f800000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mad",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-mad",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return FpLanewise(d, FpKind::kFma, m, a, b, c);
  }
};

struct DivFloat {
  static constexpr Line kGrammar[] = {
      "div.rnd{.ftz}.f32 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
      "div.rnd.f64 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f32", {0x3f800000, 0x40400000}, 0x3eaaaaab, From::kManual},
      {".rz.f32", {0x3f800000, 0x40400000}, 0x3eaaaaaa, From::kManual},
      {".rm.f32", {0xbf800000, 0x40400000}, 0xbeaaaaab, From::kManual},
      {".rn.f32", {0x3f800000, 0x80000000}, 0xff800000, From::kManual},
      {".rn.f32", {0x00000000, 0x00000000}, 0x7fffffff, From::kManual},
      {".rn.f32", {0x7f800000, 0x7f800000}, 0x7fffffff, From::kManual},
      {".rn.f32", {0x00800000, 0x40000000}, 0x00400000, From::kManual},
      {".rn.ftz.f32", {0x00800000, 0x40000000}, 0x00000000, From::kManual},
      {".rn.f64", {0x3ff0000000000000, 0x4008000000000000}, 0x3fd5555555555555, From::kManual},
      {".rp.f64", {0x3ff0000000000000, 0x4008000000000000}, 0x3fd5555555555556, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "div",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-div",
                                 .since = {.ptx = 14, .sm = 13},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kDiv, m, a, b);
  }
};

// A product with the reciprocal: at most 2 ulp off for a divisor of magnitude 2^-126 to 2^126. Beyond that it gives 0, and NaN for an
// infinite dividend.
struct DivApprox {
  static constexpr Line kGrammar[] = {
      "div.approx{.ftz}.f32 d, a, b",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x40c00000, 0x40000000}, 0x40400000, From::kManual},
      {".approx.f32", {0x3f800000, 0x00000000}, 0x7f800000, From::kManual},
      {".approx.f32", {0x00000000, 0x00000000}, 0x7fffffff, From::kManual},
      {".approx.f32", {0x7f800000, 0x7e800001}, 0x7fffffff, From::kManual},
      {".approx.f32", {0x3f800000, 0x7e800001}, 0x00000000, From::kManual},
      {".approx.f32", {0xbf800000, 0x7f7fffff}, 0x80000000, From::kManual},  // with its sign
      {".approx.ftz.f32", {0x00000001, 0x3f800000}, 0, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kUlp, ScalarType::kF32, 2, 0x1p-126, 0x1p126},  // of the divisor
  };
  static constexpr Spec kSpec = {.mnemonic = "div",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-div",
                                 .since = {.ptx = 14, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kDiv, m, a, b);
  }
};

// At most 2 ulp off, whatever the operands.
struct DivFull {
  static constexpr Line kGrammar[] = {
      "div.full{.ftz}.f32 d, a, b",
  };
  static constexpr Example kExamples[] = {
      {".full.f32", {0x40c00000, 0x40000000}, 0x40400000, From::kManual},
      {".full.f32", {0x7e800001, 0x7e800001}, 0x3f800000, From::kManual},  // scaled
      {".full.ftz.f32", {0x80000001, 0x3f800000}, 0x80000000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kUlp, ScalarType::kF32, 2},
  };
  static constexpr Spec kSpec = {.mnemonic = "div",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-div",
                                 .since = {.ptx = 14, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kDiv, m, a, b);
  }
};

struct AbsFloat {
  static constexpr Line kGrammar[] = {
      "abs{.ftz}.f32 d, a",
      "abs.f64 d, a",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x80000000}, 0x00000000, From::kManual},
      {".f32", {0xff800000}, 0x7f800000, From::kManual},
      {".ftz.f32", {0x80000001}, 0x00000000, From::kManual},
      {".f32", {0x80000001}, 0x00000001, From::kManual},
      {".f64", {0xbff0000000000000}, 0x3ff0000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "abs",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-abs",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kAbs, m, a);
  }
};

struct NegFloat {
  static constexpr Line kGrammar[] = {
      "neg{.ftz}.f32 d, a",
      "neg.f64 d, a",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x00000000}, 0x80000000, From::kManual},
      {".f32", {0x7f800000}, 0xff800000, From::kManual},
      {".ftz.f32", {0x00000001}, 0x80000000, From::kManual},
      {".f64", {0xbff0000000000000}, 0x3ff0000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "neg",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-neg",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kNeg, m, a);
  }
};

struct RcpFloat {
  static constexpr Line kGrammar[] = {
      "rcp.rnd{.ftz}.f32 d, a; .rnd = { .rn, .rz, .rm, .rp }",
      "rcp.rnd.f64 d, a; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f32", {0x40400000}, 0x3eaaaaab, From::kManual},
      {".rz.f32", {0x40400000}, 0x3eaaaaaa, From::kManual},
      {".rn.f32", {0x80000000}, 0xff800000, From::kManual},
      {".rn.f32", {0xff800000}, 0x80000000, From::kManual},
      {".rn.ftz.f32", {0x00000001}, 0x7f800000, From::kManual},
      {".rn.ftz.f32", {0x7f7fffff}, 0x00000000, From::kManual},
      {".rp.f64", {0x4008000000000000}, 0x3fd5555555555556, From::kManual},
      {".rm.f32", {0xc0400000}, 0xbeaaaaab, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "rcp",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-rcp",
                                 .since = {.ptx = 14, .sm = 13},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kRcp, m, a);
  }
};

struct SqrtFloat {
  static constexpr Line kGrammar[] = {
      "sqrt.rnd{.ftz}.f32 d, a; .rnd = { .rn, .rz, .rm, .rp }",
      "sqrt.rnd.f64 d, a; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f32", {0x40800000}, 0x40000000, From::kManual},
      {".rn.f32", {0x40000000}, 0x3fb504f3, From::kManual},
      {".rp.f32", {0x40000000}, 0x3fb504f4, From::kManual},
      {".rn.f32", {0x80000000}, 0x80000000, From::kManual},
      {".rn.f32", {0xbf800000}, 0x7fffffff, From::kManual},
      {".rn.f32", {0x7f800000}, 0x7f800000, From::kManual},
      {".rn.ftz.f32", {0x80000001}, 0x80000000, From::kManual},
      {".rn.f64", {0x4000000000000000}, 0x3ff6a09e667f3bcd, From::kManual},
      {".rz.f64", {0x4000000000000000}, 0x3ff6a09e667f3bcc, From::kManual},
      {".rm.f32", {0x40000000}, 0x3fb504f3, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "sqrt",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-sqrt",
                                 .since = {.ptx = 14, .sm = 13},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kSqrt, m, a);
  }
};

// minNum/maxNum: a NaN operand loses unless .NaN is written, and -0 < +0. .xorsign.abs compares magnitudes and takes
// the exclusive or of the signs. Three operands fold from the left, after .abs.
template <FpKind kind>
struct FpExtremum {
  static constexpr int kResults = 1;
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    const bool abs_first = in.size() == 3 && m.abs;
    const auto operand = [&](size_t i) { return abs_first ? FpLanewise(d, FpKind::kAbs, m, in[i]) : in[i]; };
    Val<D> result = FpLanewise(d, kind, m, operand(0), operand(1));
    if (in.size() == 3) result = FpLanewise(d, kind, m, result, operand(2));
    out[0] = result;
  }
};

struct MinFloat : FpExtremum<FpKind::kMin> {
  static constexpr Line kGrammar[] = {
      "min{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b",
      "@8.8/sm_100 min{.ftz}{.NaN}{.abs}.f32 d, a, b, c",
      "min.f64 d, a, b",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x80000000, 0x00000000}, 0x80000000, From::kManual},
      {".f32", {0x00000000, 0x80000000}, 0x80000000, From::kManual},
      {".f32", {0x7fc00000, 0x3f800000}, 0x3f800000, From::kManual},
      {".f32", {0x3f800000, 0x7fc00000}, 0x3f800000, From::kManual},
      {".f32", {0x7fc00000, 0x7fc00000}, 0x7fffffff, From::kManual},
      {".NaN.f32", {0x7fc00000, 0x3f800000}, 0x7fffffff, From::kManual},
      {".ftz.f32", {0x80000001, 0x3f800000}, 0x80000000, From::kManual},
      {".xorsign.abs.f32", {0xc0000000, 0x3f800000}, 0xbf800000, From::kManual},
      {".f64", {0x8000000000000000, 0x0000000000000000}, 0x8000000000000000, From::kManual},
      {".f32", {0x3f800000, 0x40000000, 0x3f000000}, 0x3f000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "min",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-min",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
};

struct MaxFloat : FpExtremum<FpKind::kMax> {
  static constexpr Line kGrammar[] = {
      "max{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b",
      "@8.8/sm_100 max{.ftz}{.NaN}{.abs}.f32 d, a, b, c",
      "max.f64 d, a, b",
  };
  static constexpr Example kExamples[] = {
      {".f32", {0x80000000, 0x00000000}, 0x00000000, From::kManual},
      {".f32", {0x7fc00000, 0xff800000}, 0xff800000, From::kManual},
      {".NaN.f32", {0x3f800000, 0x7fc00000}, 0x7fffffff, From::kManual},
      {".xorsign.abs.f32", {0xc0000000, 0xbf800000}, 0x40000000, From::kManual},
      {".f64", {0x7ff8000000000000, 0x3ff0000000000000}, 0x3ff0000000000000, From::kManual},
      {".abs.f32", {0x3f800000, 0x40000000, 0xc0400000}, 0x40400000, From::kManual},
      {".ftz.f32", {0x80000001, 0x80000001}, 0x80000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "max",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-max",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_FLOATING_POINT_H_
