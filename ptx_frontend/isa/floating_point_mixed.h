// Mixed-precision arithmetic: .f16 or .bf16 operands, widened without rounding, with an .f32 one and an .f32 result.
#ifndef RACER_PTX_FRONTEND_ISA_FLOATING_POINT_MIXED_H_
#define RACER_PTX_FRONTEND_ISA_FLOATING_POINT_MIXED_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// The .atype operand a as .f32: every .f16 and .bf16 value is one, subnormals included.
template <Domain D>
constexpr Val<D> Widen(D& d, const Mods& m, Val<D> a) {
  return d.FpConvert(FormatOf(m.type2), FpAttr{.format = FpFormat::kF32}, a);
}

struct AddMixed {
  static constexpr Line kGrammar[] = {
      "add{.rnd}{.sat}.f32.atype d:f32, a:.atype, c:f32; .rnd = { .rn, .rz, .rm, .rp } .atype = { .f16, .bf16 }"};
  static constexpr Example kExamples[] = {
      {".f32.f16", {0x3c00, 0x3f800000}, 0x40000000, From::kManual},         // 1 + 1
      {".f32.bf16", {0x3c00, 0x00000000}, 0x3c000000, From::kManual},        // the same bits are 2^-7 in .bf16
      {".f32.f16", {0x0001, 0x00000000}, 0x33800000, From::kManual},         // a subnormal .f16 is 2^-24
      {".rn.f32.bf16", {0x3f80, 0x33800000}, 0x3f800000, From::kManual},     // 1 + 2^-24: a tie, to even
      {".rz.f32.bf16", {0xbf80, 0x80000001}, 0xbf800000, From::kManual},     // towards zero
      {".rm.f32.bf16", {0xbf80, 0x80000001}, 0xbf800001, From::kManual},     // down
      {".rp.f32.f16", {0x3c00, 0x00000001}, 0x3f800001, From::kManual},      // up
      {".rn.sat.f32.f16", {0x4000, 0x3f800000}, 0x3f800000, From::kManual},  // 3 clamps to 1
      {".f32.f16", {0x7c00, 0xff800000}, 0x7fffffff, From::kManual},         // inf - inf
  };
  static constexpr Spec kSpec = {.mnemonic = "add",
                                 .grammar = kGrammar,
                                 .isa = "mixed-precision-floating-point-instructions-add",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> c) {
    return d.Fp(FpKind::kAdd, AttrOf(m, FpFormat::kF32), Widen(d, m, a), c);
  }
};

struct SubMixed {
  static constexpr Line kGrammar[] = {
      "sub{.rnd}{.sat}.f32.atype d:f32, a:.atype, c:f32; .rnd = { .rn, .rz, .rm, .rp } .atype = { .f16, .bf16 }"};
  static constexpr Example kExamples[] = {
      {".f32.f16", {0x4000, 0x3f800000}, 0x3f800000, From::kManual},          // 2 - 1
      {".f32.bf16", {0x3f80, 0x40000000}, 0xbf800000, From::kManual},         // 1 - 2
      {".rn.f32.bf16", {0x3f80, 0x33000000}, 0x3f800000, From::kManual},      // 1 - 2^-25: a tie, to even
      {".rz.f32.f16", {0x3c00, 0x00000001}, 0x3f7fffff, From::kManual},       // towards zero
      {".rm.f32.f16", {0x3c00, 0x3f800000}, 0x80000000, From::kManual},       // an exact zero is -0 when rounding down
      {".rp.f32.bf16", {0x3f80, 0x00000001}, 0x3f800000, From::kManual},      // up
      {".rn.sat.f32.bf16", {0x0000, 0x3f800000}, 0x00000000, From::kManual},  // -1 clamps to 0
      {".f32.f16", {0x7c00, 0x7f800000}, 0x7fffffff, From::kManual},          // inf - inf
  };
  static constexpr Spec kSpec = {.mnemonic = "sub",
                                 .grammar = kGrammar,
                                 .isa = "mixed-precision-floating-point-instructions-sub",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> c) {
    return d.Fp(FpKind::kSub, AttrOf(m, FpFormat::kF32), Widen(d, m, a), c);
  }
};

struct FmaMixed {
  static constexpr Line kGrammar[] = {
      "fma.rnd{.sat}.f32.abtype d:f32, a:.abtype, b:.abtype, c:f32; .rnd = { .rn, .rz, .rm, .rp } .abtype = { .f16, .bf16 }"};
  static constexpr Example kExamples[] = {
      {".rn.f32.f16", {0x4000, 0x4200, 0x3f800000}, 0x40e00000, From::kManual},       // 2 * 3 + 1
      {".rn.f32.bf16", {0x4000, 0x4040, 0x3f800000}, 0x40e00000, From::kManual},      // 2 * 3 + 1
      {".rn.f32.f16", {0x0001, 0x0001, 0x00000000}, 0x27800000, From::kManual},       // 2^-24 squared is no subnormal of .f32
      {".rm.f32.bf16", {0x3f80, 0x3f80, 0xbf800000}, 0x80000000, From::kManual},      // an exact zero is -0 when rounding down
      {".rz.f32.f16", {0x3c00, 0x3c00, 0x00000001}, 0x3f800000, From::kManual},       // towards zero
      {".rp.f32.f16", {0x3c00, 0x3c00, 0x00000001}, 0x3f800001, From::kManual},       // up
      {".rn.sat.f32.bf16", {0x4000, 0x4000, 0x3f800000}, 0x3f800000, From::kManual},  // 5 clamps to 1
      {".rn.f32.f16", {0x7c00, 0x0000, 0x3f800000}, 0x7fffffff, From::kManual},       // inf * 0
      {".rn.f32.bf16", {0x7f7f, 0x7f7f, 0xff800000}, 0xff800000, From::kManual},      // the product does not overflow first
  };
  static constexpr Spec kSpec = {.mnemonic = "fma",
                                 .grammar = kGrammar,
                                 .isa = "mixed-precision-floating-point-instructions-fma",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return d.Fp(FpKind::kFma, AttrOf(m, FpFormat::kF32), Widen(d, m, a), Widen(d, m, b), c);
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_FLOATING_POINT_MIXED_H_
