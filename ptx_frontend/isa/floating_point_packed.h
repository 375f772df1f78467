// Two .f32 at once.
#ifndef RACER_PTX_FRONTEND_ISA_FLOATING_POINT_PACKED_H_
#define RACER_PTX_FRONTEND_ISA_FLOATING_POINT_PACKED_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

struct AddFloatX2 {
  static constexpr Line kGrammar[] = {
      "add{.rnd}{.ftz}.f32x2 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".f32x2", {0x3f80000040000000, 0x3f8000003f800000}, 0x4000000040400000, From::kManual},
      {".rn.f32x2", {0x3f80000000000000, 0x3380000080000000}, 0x3f80000000000000, From::kManual},
      {".rz.f32x2", {0xbf8000003f800000, 0x8000000100000001}, 0xbf8000003f800000, From::kManual},
      {".rm.f32x2", {0xbf8000003f800000, 0x80000001bf800000}, 0xbf80000180000000, From::kManual},
      {".rp.f32x2", {0x3f800000bf800000, 0x0000000180000001}, 0x3f800001bf800000, From::kManual},
      {".ftz.f32x2", {0x0000000180000001, 0x0000000080000000}, 0x0000000080000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "add",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-add",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kAdd, m, a, b);
  }
};

struct SubFloatX2 {
  static constexpr Line kGrammar[] = {
      "sub{.rnd}{.ftz}.f32x2 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".f32x2", {0x3f80000040000000, 0x3f8000003f800000}, 0x000000003f800000, From::kManual},
      {".rn.f32x2", {0x3f8000007f800000, 0x330000007f800000}, 0x3f8000007fffffff, From::kManual},
      {".rz.f32x2", {0x3f80000000000000, 0x0000000100000001}, 0x3f7fffff80000001, From::kManual},
      {".rm.f32x2", {0x3f8000003f800000, 0x3f80000000000001}, 0x800000003f7fffff, From::kManual},
      {".rp.f32x2", {0x3f800000bf800000, 0x0000000100000001}, 0x3f800000bf800000, From::kManual},
      {".ftz.f32x2", {0x0080000000000001, 0x0000000180000000}, 0x0080000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "sub",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-sub",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kSub, m, a, b);
  }
};

struct MulFloatX2 {
  static constexpr Line kGrammar[] = {
      "mul{.rnd}{.ftz}.f32x2 d, a, b; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".f32x2", {0x3f80000040000000, 0x4000000040000000}, 0x4000000040800000, From::kManual},
      {".rn.f32x2", {0x3f8000017f800000, 0x3f80000100000000}, 0x3f8000027fffffff, From::kManual},
      {".rz.f32x2", {0x3f800001bf800001, 0x3f8000013f800001}, 0x3f800002bf800002, From::kManual},
      {".rm.f32x2", {0xbf80000180000001, 0x3f80000100000001}, 0xbf80000380000001, From::kManual},
      {".rp.f32x2", {0x3f80000100000001, 0x3f80000100000001}, 0x3f80000300000001, From::kManual},
      {".ftz.f32x2", {0x8040000000800000, 0x400000003f000000}, 0x8000000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mul",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-mul",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return FpLanewise(d, FpKind::kMul, m, a, b);
  }
};

struct FmaFloatX2 {
  static constexpr Line kGrammar[] = {
      "fma.rnd{.ftz}.f32x2 d, a, b, c; .rnd = { .rn, .rz, .rm, .rp }",
  };
  static constexpr Example kExamples[] = {
      {".rn.f32x2", {0x3f80000040000000, 0x4000000040000000, 0x3f80000000000000}, 0x4040000040800000, From::kManual},
      {".rm.f32x2", {0x3f8000003f800000, 0x3f8000003f800000, 0xbf80000000000001}, 0x800000003f800000, From::kManual},
      {".rp.f32x2", {0x3f8000003f800000, 0x3f8000003f800000, 0x0000000100000000}, 0x3f8000013f800000, From::kManual},
      {".rz.f32x2", {0x3f8000003f800000, 0x3f8000003f800000, 0x0000000180000001}, 0x3f8000003f7fffff, From::kManual},
      {".rn.ftz.f32x2", {0x0080000080400000, 0x3f00000040000000, 0x0000000080000000}, 0x0000000080000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "fma",
                                 .grammar = kGrammar,
                                 .isa = "floating-point-instructions-fma",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    return FpLanewise(d, FpKind::kFma, m, a, b, c);
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_FLOATING_POINT_PACKED_H_
