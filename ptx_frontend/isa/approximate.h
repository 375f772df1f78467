// Floating-point functions that hardware approximates.
#ifndef RACER_PTX_FRONTEND_ISA_APPROXIMATE_H_
#define RACER_PTX_FRONTEND_ISA_APPROXIMATE_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// f32: within 1 ulp. f64: on the upper 32 bits alone, the lower ones of the result are 0.
struct RcpApprox {
  static constexpr Line kGrammar[] = {
      "rcp.approx{.ftz}.f32 d, a",
      "rcp.approx.ftz.f64 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x40000000}, 0x3f000000, From::kManual},
      {".approx.f32", {0x80000000}, 0xff800000, From::kManual},
      {".approx.f32", {0x7f800000}, 0x00000000, From::kManual},
      {".approx.ftz.f32", {0x80000001}, 0xff800000, From::kManual},
      {".approx.f32", {0x7fffffff}, 0x7fffffff, From::kManual},
      {".approx.ftz.f64", {0x4000000000000000}, 0x3fe0000000000000, From::kManual},
      {".approx.ftz.f64", {0x8000000000000000}, 0xfff0000000000000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kUlp, ScalarType::kF32, 1},
  };
  static constexpr Spec kSpec = {.mnemonic = "rcp",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-rcp",
                                 .since = {.ptx = 10, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kRcp, m, a);
  }
};

struct SqrtApprox {
  static constexpr Line kGrammar[] = {
      "sqrt.approx{.ftz}.f32 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x40800000}, 0x40000000, From::kManual},     {".approx.f32", {0xbf800000}, 0x7fffffff, From::kManual},
      {".approx.f32", {0x80000000}, 0x80000000, From::kManual},     {".approx.f32", {0x7f800000}, 0x7f800000, From::kManual},
      {".approx.ftz.f32", {0x80000001}, 0x80000000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kRelative, ScalarType::kF32, 0x1p-23},
  };
  static constexpr Spec kSpec = {.mnemonic = "sqrt",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-sqrt",
                                 .since = {.ptx = 10, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kSqrt, m, a);
  }
};

struct Rsqrt {
  static constexpr Line kGrammar[] = {
      "rsqrt.approx{.ftz}.f32 d, a",
      "rsqrt.approx{.ftz}.f64 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x40800000}, 0x3f000000, From::kManual},
      {".approx.f32", {0x00000000}, 0x7f800000, From::kManual},
      {".approx.f32", {0x80000000}, 0xff800000, From::kManual},
      {".approx.f32", {0xbf800000}, 0x7fffffff, From::kManual},
      {".approx.f32", {0x7f800000}, 0x00000000, From::kManual},
      {".approx.ftz.f32", {0x00000001}, 0x7f800000, From::kManual},
      {".approx.f64", {0x4010000000000000}, 0x3fe0000000000000, From::kManual},
      {".approx.ftz.f64", {0x4010000000000000}, 0x3fe0000000000000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kRelative, ScalarType::kF32, 1.2776535e-7},  // 2^-22.9
  };
  static constexpr Spec kSpec = {.mnemonic = "rsqrt",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-rsqrt",
                                 .since = {.ptx = 10, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kRsqrt, m, a);
  }
};

struct Sin {
  static constexpr Line kGrammar[] = {
      "sin.approx{.ftz}.f32 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x80000000}, 0x80000000, From::kManual},
      {".approx.f32", {0x7f800000}, 0x7fffffff, From::kManual},
      {".approx.f32", {0x7fffffff}, 0x7fffffff, From::kManual},
      {".approx.ftz.f32", {0x80000001}, 0x80000000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kAbsolute, ScalarType::kF32, 6.743496e-7, 0, 6.2831853},  // 2^-20.5
      {Bound::Measure::kAbsolute, ScalarType::kF32, 3.757155e-5, 0, 314.15926},  // 2^-14.7
  };
  static constexpr Spec kSpec = {.mnemonic = "sin",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-sin",
                                 .since = {.ptx = 14, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kSin, m, a);
  }
};

struct Cos {
  static constexpr Line kGrammar[] = {
      "cos.approx{.ftz}.f32 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x80000000}, 0x3f800000, From::kManual},
      {".approx.f32", {0x7f800000}, 0x7fffffff, From::kManual},
      {".approx.ftz.f32", {0x80000001}, 0x3f800000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kAbsolute, ScalarType::kF32, 6.743496e-7, 0, 6.2831853},  // 2^-20.5
      {Bound::Measure::kAbsolute, ScalarType::kF32, 3.757155e-5, 0, 314.15926},  // 2^-14.7
  };
  static constexpr Spec kSpec = {.mnemonic = "cos",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-cos",
                                 .since = {.ptx = 14, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kCos, m, a);
  }
};

struct Lg2 {
  static constexpr Line kGrammar[] = {
      "lg2.approx{.ftz}.f32 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x3f800000}, 0x00000000, From::kManual}, {".approx.f32", {0x41000000}, 0x40400000, From::kManual},
      {".approx.f32", {0x80000000}, 0xff800000, From::kManual}, {".approx.f32", {0xbf800000}, 0x7fffffff, From::kManual},
      {".approx.f32", {0x7f800000}, 0x7f800000, From::kManual}, {".approx.ftz.f32", {0x00000001}, 0xff800000, From::kManual},
      {".approx.f32", {0x00000001}, 0xc3150000, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kAbsolute, ScalarType::kF32, 0x1p-22, 0.5, 2},
      {Bound::Measure::kRelative, ScalarType::kF32, 0x1p-22},
  };
  static constexpr Spec kSpec = {.mnemonic = "lg2",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-lg2",
                                 .since = {.ptx = 14, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kLg2, m, a);
  }
};

struct Ex2 {
  static constexpr Line kGrammar[] = {
      "ex2.approx{.ftz}.f32 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x40400000}, 0x41000000, From::kManual}, {".approx.f32", {0xff800000}, 0x00000000, From::kManual},
      {".approx.f32", {0x7f800000}, 0x7f800000, From::kManual}, {".approx.f32", {0x80000000}, 0x3f800000, From::kManual},
      {".approx.f32", {0xc3150000}, 0x00000001, From::kManual}, {".approx.ftz.f32", {0xc3150000}, 0x00000000, From::kManual},
      {".approx.f32", {0x7fffffff}, 0x7fffffff, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kUlp, ScalarType::kF32, 2.5},  // 2 ulp from the correctly rounded result
  };
  static constexpr Spec kSpec = {.mnemonic = "ex2",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-ex2",
                                 .since = {.ptx = 14, .sm = 10},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kEx2, m, a);
  }
};

struct Tanh {
  static constexpr Line kGrammar[] = {
      "tanh.approx.f32 d, a",
  };
  static constexpr Example kExamples[] = {
      {".approx.f32", {0x7f800000}, 0x3f800000, From::kManual},
      {".approx.f32", {0xff800000}, 0xbf800000, From::kManual},
      {".approx.f32", {0x80000000}, 0x80000000, From::kManual},
      {".approx.f32", {0x7fffffff}, 0x7fffffff, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kRelative, ScalarType::kF32, 0x1p-11},
  };
  static constexpr Spec kSpec = {.mnemonic = "tanh",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-tanh",
                                 .since = {.ptx = 70, .sm = 75},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kTanh, m, a);
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_APPROXIMATE_H_
