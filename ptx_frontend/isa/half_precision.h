// Arithmetic in .f16, .bf16 and their packed pairs.
#ifndef RACER_PTX_FRONTEND_ISA_HALF_PRECISION_H_
#define RACER_PTX_FRONTEND_ISA_HALF_PRECISION_H_

#include "ptx_frontend/isa/floating_point.h"
#include "ptx_frontend/isa/record.h"

namespace racer::isa {

struct AddHalf {
  static constexpr Line kGrammar[] = {
      "add{.rnd}{.ftz}{.sat}.type d, a, b; .rnd = { .rn } .type = { .f16, .f16x2 }",
      "add{.rnd}.type d, a, b; .rnd = { .rn } .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x3c00, 0x1000}, 0x3c00, From::kManual},     {".f16", {0x3c00, 0x1001}, 0x3c01, From::kManual},
      {".f16", {0x7bff, 0x7bff}, 0x7c00, From::kManual},     {".f16", {0x7c00, 0xfc00}, 0x7fff, From::kManual},
      {".ftz.f16", {0x0001, 0x0000}, 0x0000, From::kManual}, {".f16", {0x0001, 0x0001}, 0x0002, From::kManual},
      {".sat.f16", {0x3c00, 0x3c00}, 0x3c00, From::kManual}, {".f16x2", {0x3c007bff, 0x3c007bff}, 0x40007c00, From::kManual},
      {".rn.bf16", {0x3f80, 0x3b80}, 0x3f80, From::kManual}, {".bf16x2", {0x3f80bf80, 0x3f803f80}, 0x40000000, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16|.bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "add",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-add",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kAdd, m, a, b);
  }
};

struct SubHalf {
  static constexpr Line kGrammar[] = {
      "sub{.rnd}{.ftz}{.sat}.type d, a, b; .rnd = { .rn } .type = { .f16, .f16x2 }",
      "sub{.rnd}.type d, a, b; .rnd = { .rn } .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x3c00, 0x3c00}, 0x0000, From::kManual},
      {".f16x2", {0x40003c00, 0x3c004000}, 0x3c00bc00, From::kManual},
      {".bf16", {0x4000, 0x3f80}, 0x3f80, From::kManual},
      {".ftz.f16", {0x0400, 0x0001}, 0x0400, From::kManual},
      {".sat.f16", {0x3c00, 0x4000}, 0x0000, From::kManual},
      {".rn.f16", {0x3c00, 0x0c00}, 0x3c00, From::kManual},
      {".bf16x2", {0x40003f80, 0x3f804000}, 0x3f80bf80, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16|.bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "sub",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-sub",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kSub, m, a, b);
  }
};

struct MulHalf {
  static constexpr Line kGrammar[] = {
      "mul{.rnd}{.ftz}{.sat}.type d, a, b; .rnd = { .rn } .type = { .f16, .f16x2 }",
      "mul{.rnd}.type d, a, b; .rnd = { .rn } .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x3c01, 0x3c01}, 0x3c02, From::kManual},     {".f16", {0x0400, 0x3800}, 0x0200, From::kManual},
      {".ftz.f16", {0x0400, 0x3800}, 0x0000, From::kManual}, {".f16x2", {0x40004000, 0x3c004200}, 0x40004600, From::kManual},
      {".bf16", {0x7f80, 0x0000}, 0x7fff, From::kManual},    {".bf16x2", {0x40004000, 0x3f804040}, 0x400040c0, From::kManual},
      {".sat.f16", {0x4000, 0x4000}, 0x3c00, From::kManual}, {".rn.f16", {0x3c01, 0x3c01}, 0x3c02, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16|.bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "mul",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-mul",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kMul, m, a, b);
  }
};

// One rounding, then .sat or .relu.
struct FmaHalf {
  static constexpr Line kGrammar[] = {
      "fma.rnd{.ftz}{.sat}.type d, a, b, c; .rnd = { .rn } .type = { .f16, .f16x2 }",
      "fma.rnd{.ftz}.relu.type d, a, b, c; .rnd = { .rn } .type = { .f16, .f16x2 }",
      "fma.rnd{.relu}.type d, a, b, c; .rnd = { .rn } .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f16", {0x3c01, 0x3c01, 0xbc02}, 0x0010, From::kManual},
      {".rn.relu.f16", {0x3c00, 0x3c00, 0xc000}, 0x0000, From::kManual},
      {".rn.relu.f16", {0x7e00, 0x3c00, 0x3c00}, 0x7fff, From::kManual},
      {".rn.sat.f16", {0x4000, 0x4000, 0x0000}, 0x3c00, From::kManual},
      {".rn.f16x2", {0x40003c00, 0x40003c00, 0x3c000000}, 0x45003c00, From::kManual},
      {".rn.bf16", {0x3f81, 0x3f81, 0xbf82}, 0x3880, From::kManual},
      {".rn.relu.bf16x2", {0x3f803f80, 0x3f803f80, 0xc0000000}, 0x00003f80, From::kManual},
      {".rn.ftz.f16", {0x0400, 0x3800, 0x0000}, 0x0000, From::kManual},
      {".rn.ftz.relu.f16", {0x8001, 0x3c00, 0x0000}, 0x0000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "fma",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-fma",
                                 .since = {.ptx = 42, .sm = 53},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return FpLanewise(d, FpKind::kFma, m, a, b, c);
  }
};

// fma, but 0 where an operand is the NaN that a tensor copy fills in for elements out of bounds. Which NaN that is, the manual
// does not say.
struct FmaOob {
  static constexpr Line kGrammar[] = {"fma.rn.oob{.relu}.type d, a, b, c; .type = { .f16, .f16x2, .bf16, .bf16x2 }"};
  static constexpr Example kExamples[] = {
      {".rn.oob.f16", {0x3c01, 0x3c01, 0xbc02}, 0x0010, From::kManual},
      {".rn.oob.f16x2", {0x40003c00, 0x40003c00, 0x3c000000}, 0x45003c00, From::kManual},
      {".rn.oob.bf16", {0x3f81, 0x3f81, 0xbf82}, 0x3880, From::kManual},
      {".rn.oob.relu.bf16x2", {0x3f803f80, 0x3f803f80, 0xc0000000}, 0x00003f80, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "fma",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-fma",
                                 .since = {.ptx = 81, .sm = 90},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return FpLanewise(d, FpKind::kFma, m, a, b, c);
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    const unsigned width = BitWidth(m.type);
    Val<D> open = d.Const(1, 0);
    for (const Val<D> operand : in) {
      for (unsigned low = 0; low < width; low += 16) {
        const Val<D> x = d.Extract(16, operand, width, low);
        open = d.Or(1, open, d.FpCompare(CompareOp::kNan, FormatOf(m.type), false, x, x));
      }
    }
    return open;
  }
};

struct NegHalf {
  static constexpr Line kGrammar[] = {
      "neg{.ftz}.type d, a; .type = { .f16, .f16x2 }",
      "neg.type d, a; .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x0000}, 0x8000, From::kManual},           {".ftz.f16", {0x0001}, 0x8000, From::kManual},
      {".f16x2", {0x3c00bc00}, 0xbc003c00, From::kManual}, {".bf16x2", {0x3f80bf80}, 0xbf803f80, From::kManual},
      {".bf16", {0x3f80}, 0xbf80, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "neg",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-neg",
                                 .since = {.ptx = 60, .sm = 53},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kNeg, m, a);
  }
};

struct AbsHalf {
  static constexpr Line kGrammar[] = {
      "abs{.ftz}.type d, a; .type = { .f16, .f16x2 }",
      "abs.type d, a; .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x8000}, 0x0000, From::kManual},
      {".f16x2", {0xbc00fc00}, 0x3c007c00, From::kManual},
      {".bf16", {0xbf80}, 0x3f80, From::kManual},
      {".ftz.f16", {0x8001}, 0x0000, From::kManual},
      {".bf16x2", {0xbf80ff80}, 0x3f807f80, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "abs",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-abs",
                                 .since = {.ptx = 65, .sm = 53},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kAbs, m, a);
  }
};

struct TanhHalf {
  static constexpr Line kGrammar[] = {
      "tanh.approx.type d, a; .type = { .f16, .f16x2, .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".approx.f16", {0x7c00}, 0x3c00, From::kManual},
      {".approx.f16x2", {0xfc008000}, 0xbc008000, From::kManual},
      {".approx.bf16", {0xff80}, 0xbf80, From::kManual},
      {".approx.bf16x2", {0x7f80ff80}, 0x3f80bf80, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kAbsolute, ScalarType::kF16, 4.92701e-4},  // 2^-10.987
      {Bound::Measure::kAbsolute, ScalarType::kBF16, 0x1p-8},
  };
  static constexpr Rule kRules[] = {{".bf16|.bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "tanh",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-tanh",
                                 .since = {.ptx = 70, .sm = 75},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kTanh, m, a);
  }
};

struct Ex2Half {
  static constexpr Line kGrammar[] = {
      "ex2.approx.type d, a; .type = { .f16, .f16x2 }",
      "ex2.approx.ftz.type d, a; .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".approx.f16", {0x4200}, 0x4800, From::kManual},
      {".approx.f16", {0xfc00}, 0x0000, From::kManual},
      {".approx.f16x2", {0x00003c00}, 0x3c004000, From::kManual},
      {".approx.ftz.bf16", {0x4040}, 0x4100, From::kManual},
      {".approx.ftz.bf16x2", {0x40400000}, 0x41003f80, From::kManual},
  };
  static constexpr Bound kBounds[] = {
      {Bound::Measure::kRelative, ScalarType::kF16, 1.046654e-3},  // 2^-9.9
      {Bound::Measure::kRelative, ScalarType::kBF16, 0x1p-7},
  };
  static constexpr Rule kRules[] = {{".bf16|.bf16x2", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "ex2",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-ex2",
                                 .since = {.ptx = 70, .sm = 75},
                                 .fidelity = Fidelity::kBounded,
                                 .examples = kExamples,
                                 .bounds = kBounds,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return FpLanewise(d, FpKind::kEx2, m, a);
  }
};

struct MinHalf : FpExtremum<FpKind::kMin> {
  static constexpr Line kGrammar[] = {
      "min{.ftz}{.NaN}{.xorsign.abs}.type d, a, b; .type = { .f16, .f16x2 }",
      "min{.NaN}{.xorsign.abs}.type d, a, b; .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x8000, 0x0000}, 0x8000, From::kManual},
      {".f16", {0x7e00, 0x3c00}, 0x3c00, From::kManual},
      {".NaN.f16", {0x7e00, 0x3c00}, 0x7fff, From::kManual},
      {".f16x2", {0x3c004000, 0x40003c00}, 0x3c003c00, From::kManual},
      {".xorsign.abs.bf16", {0xc000, 0x3f80}, 0xbf80, From::kManual},
      {".NaN.bf16x2", {0x7fc03f80, 0x3f804000}, 0x7fff3f80, From::kManual},
      {".ftz.f16", {0x8001, 0x3c00}, 0x8000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "min",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-min",
                                 .since = {.ptx = 70, .sm = 80},
                                 .examples = kExamples};
};

struct MaxHalf : FpExtremum<FpKind::kMax> {
  static constexpr Line kGrammar[] = {
      "max{.ftz}{.NaN}{.xorsign.abs}.type d, a, b; .type = { .f16, .f16x2 }",
      "max{.NaN}{.xorsign.abs}.type d, a, b; .type = { .bf16, .bf16x2 }",
  };
  static constexpr Example kExamples[] = {
      {".f16", {0x8000, 0x0000}, 0x0000, From::kManual},
      {".NaN.f16", {0x3c00, 0x7e00}, 0x7fff, From::kManual},
      {".f16x2", {0x3c004000, 0x40003c00}, 0x40004000, From::kManual},
      {".bf16", {0x7fc0, 0xff80}, 0xff80, From::kManual},
      {".ftz.f16", {0x0001, 0x8000}, 0x0000, From::kManual},
      {".xorsign.abs.f16", {0xc000, 0x3c00}, 0xc000, From::kManual},
      {".bf16x2", {0x3f804000, 0x40003f80}, 0x40004000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "max",
                                 .grammar = kGrammar,
                                 .isa = "half-precision-floating-point-instructions-max",
                                 .since = {.ptx = 70, .sm = 80},
                                 .examples = kExamples};
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_HALF_PRECISION_H_
