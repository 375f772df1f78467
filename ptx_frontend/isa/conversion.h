// cvt, one record for each pair of classes, and cvt.pack.
#ifndef RACER_PTX_FRONTEND_ISA_CONVERSION_H_
#define RACER_PTX_FRONTEND_ISA_CONVERSION_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// The value of an integer of type `from` clamped to the range of `to`, as a pattern of `to`'s width.
template <Domain D>
Val<D> SaturateInt(D& d, ScalarType from, ScalarType to, Val<D> a) {
  const unsigned fw = BitWidth(from);
  const unsigned tw = BitWidth(to);
  const bool fs = IsSigned(from);
  const bool ts = IsSigned(to);
  // Compare in the source's own width and sign; a bound beyond its range needs no comparison.
  const unsigned magnitude = ts ? tw - 1 : tw;  // the upper bound is 2^magnitude - 1
  const unsigned source_magnitude = fs ? fw - 1 : fw;
  Val<D> value = a;
  if (magnitude < source_magnitude) value = IntMin(d, fw, fs, d.Const(fw, (uint64_t{1} << magnitude) - 1), value);
  if (fs && !ts) value = IntMax(d, fw, true, d.Const(fw, 0), value);
  if (fs && ts && tw < fw) {
    const uint64_t all = fw == 64 ? ~uint64_t{0} : (uint64_t{1} << fw) - 1;
    value = IntMax(d, fw, true, d.Const(fw, ~uint64_t{0} << (tw - 1) & all), value);
  }
  return Resize(d, fw, tw, fs, value);
}

#define RACER_INT_TYPES "{ .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64 }"

// Truncates or extends, by the signedness of the source; .sat clamps. .sat stands only where it can clamp.
struct CvtInt {
  static constexpr Line kGrammar[] = {
      "cvt.dtype.stype d:.dtype, a:.stype; .dtype = " RACER_INT_TYPES " .stype = " RACER_INT_TYPES,
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .s8 } .stype = { .u8 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .s8, .s16 } .stype = { .u16 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .u16, .s8, .s16, .s32 } .stype = { .u32 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .u16, .u32, .s8, .s16, .s32, .s64 } .stype = { .u64 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .u16, .u32, .u64 } .stype = { .s8 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .u16, .u32, .u64, .s8 } .stype = { .s16 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .u16, .u32, .u64, .s8, .s16 } .stype = { .s32 }",
      "cvt.sat.dtype.stype d:.dtype, a:.stype; .dtype = { .u8, .u16, .u32, .u64, .s8, .s16, .s32 } .stype = { .s64 }",
  };
  static constexpr Example kExamples[] = {
      {".s64.s32", {0x80000000}, 0xffffffff80000000, From::kManual},
      {".u64.u32", {0x80000000}, 0x80000000, From::kManual},
      {".u64.s32", {0x80000000}, 0xffffffff80000000, From::kManual},
      {".s64.u32", {0x80000000}, 0x80000000, From::kManual},
      {".u16.u32", {0x12345678}, 0x5678, From::kManual},
      {".s32.s8", {0x80}, 0xffffff80, From::kManual},
      {".u32.u8", {0x80}, 0x80, From::kManual},
      {".sat.s8.s32", {0x80}, 0x7f, From::kManual},
      {".sat.s8.s32", {0xffffff00}, 0x80, From::kManual},
      {".sat.u8.s32", {0xffffffff}, 0, From::kManual},
      {".sat.u8.u64", {0x100}, 0xff, From::kManual},
      {".sat.s32.u32", {0x80000000}, 0x7fffffff, From::kManual},
      {".sat.u32.s32", {0x80000000}, 0, From::kManual},
      {".sat.s64.u64", {0x8000000000000000}, 0x7fffffffffffffff, From::kManual},
      {".s16.s64", {~uint64_t{0}}, 0xffff, From::kManual},
      {".u32.s16", {0x8000}, 0xffff8000, From::kManual},
      {".s32.u16", {0x8000}, 0x8000, From::kManual},
      {".sat.s16.u16", {0x8000}, 0x7fff, From::kManual},
      {".sat.u8.s64", {uint64_t{1} << 63}, 0, From::kManual},
      {".sat.s8.s16", {0x8000}, 0x80, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    if (m.sat) return SaturateInt(d, m.type2, m.type, a);
    return Resize(d, BitWidth(m.type2), BitWidth(m.type), IsSigned(m.type2), a);
  }
};

// Rounds to an integral value, then clamps to the result's range with or without .sat. NaN gives 0 (64 bits: see Bits).
struct CvtFloatToInt {
  static constexpr Line kGrammar[] = {
      "cvt.rnd{.ftz}{.sat}.dtype.stype d:.dtype, a:.stype; .rnd = { .rni, .rzi, .rmi, .rpi } .dtype = " RACER_INT_TYPES
      " .stype = { .f32 }",
      "cvt.rnd{.sat}.dtype.stype d:.dtype, a:.stype; .rnd = { .rni, .rzi, .rmi, .rpi } .dtype = " RACER_INT_TYPES
      " .stype = { .f16, .f64 }",
      "cvt.rnd.dtype.stype d:.dtype, a:.stype; .rnd = { .rni, .rzi, .rmi, .rpi } .dtype = " RACER_INT_TYPES " .stype = { .bf16 }",
  };
  static constexpr Example kExamples[] = {
      {".rzi.s32.f32", {0xbfc00000}, 0xffffffff, From::kManual},  // -1.5
      {".rmi.s32.f32", {0xbfc00000}, 0xfffffffe, From::kManual},
      {".rpi.s32.f32", {0x3f800001}, 2, From::kManual},
      {".rni.s32.f32", {0x40200000}, 2, From::kManual},           // 2.5 to even
      {".rni.s32.f32", {0x40600000}, 4, From::kManual},           // 3.5
      {".rzi.s32.f32", {0x4f000000}, 0x7fffffff, From::kManual},  // 2^31
      {".rzi.s32.f32", {0xff800000}, 0x80000000, From::kManual},
      {".rzi.u32.f32", {0xbf800000}, 0, From::kManual},
      {".rzi.u32.f32", {0x7f800000}, 0xffffffff, From::kManual},
      {".rzi.s32.f32", {0x7fc00000}, 0, From::kManual},
      {".rni.sat.s8.f32", {0x43480000}, 0x7f, From::kManual},  // 200
      {".rzi.s64.f64", {0x43e0000000000000}, 0x7fffffffffffffff, From::kManual},
      {".rzi.u64.f32", {0x5f800000}, 0xffffffffffffffff, From::kManual},
      {".rpi.ftz.s32.f32", {0x00000001}, 0, From::kManual},
      {".rpi.s32.f32", {0x00000001}, 1, From::kManual},
      {".rzi.s32.f16", {0x7bff}, 65504, From::kManual},
      {".rni.s16.bf16", {0x4020}, 2, From::kManual},
      {".rzi.u16.f32", {0x47800000}, 0xffff, From::kManual},
      {".rni.u8.f16", {0x3e00}, 2, From::kManual},
      {".rmi.s8.bf16", {0xbfc0}, 0xfe, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return d.FpToInt(FormatOf(m.type2), m.type, m.rounding, m.ftz, m.sat, a);
  }
};

struct CvtIntToFloat {
  static constexpr Line kGrammar[] = {
      "cvt.rnd{.sat}.dtype.stype d:.dtype, a:.stype; .rnd = { .rn, .rz, .rm, .rp } .dtype = { .f16, .f64 } .stype = " RACER_INT_TYPES,
      "cvt.rnd{.ftz}{.sat}.f32.stype d:f32, a:.stype; .rnd = { .rn, .rz, .rm, .rp } .stype = " RACER_INT_TYPES,
      "cvt.rnd.dtype.stype d:.dtype, a:.stype; .rnd = { .rn, .rz, .rm, .rp } .dtype = { .bf16 } .stype = " RACER_INT_TYPES,
  };
  static constexpr Example kExamples[] = {
      {".rn.f32.s32", {0xffffffff}, 0xbf800000, From::kManual},
      {".rn.ftz.f32.s32", {1}, 0x3f800000, From::kManual},  // no integer is subnormal
      {".rn.f32.u32", {0xffffffff}, 0x4f800000, From::kManual},
      {".rz.f32.u32", {0xffffffff}, 0x4f7fffff, From::kManual},
      {".rn.f32.s32", {0x01000001}, 0x4b800000, From::kManual},  // 2^24 + 1 to even
      {".rp.f32.s32", {0x01000001}, 0x4b800001, From::kManual},
      {".rm.f32.s32", {0xfeffffff}, 0xcb800001, From::kManual},  // -(2^24 + 1)
      {".rn.f64.u64", {0xffffffffffffffff}, 0x43f0000000000000, From::kManual},
      {".rn.f64.s64", {0x8000000000000000}, 0xc3e0000000000000, From::kManual},
      {".rn.f16.s32", {65520}, 0x7c00, From::kManual},
      {".rz.f16.s32", {65520}, 0x7bff, From::kManual},
      {".rn.f32.s32", {0}, 0, From::kManual},
      {".rn.bf16.s32", {257}, 0x4380, From::kManual},
      {".rn.sat.f32.s32", {0xffffffff}, 0, From::kManual},
      {".rn.f32.s16", {0x8000}, 0xc7000000, From::kManual},
      {".rn.f16.s8", {0x80}, 0xd800, From::kManual},
      {".rm.f16.u16", {0xffff}, 0x7bff, From::kManual},
      {".rn.f64.u8", {0xff}, 0x406fe00000000000, From::kManual},
      {".rz.bf16.u16", {0xffff}, 0x477f, From::kManual},
  };
  static constexpr Rule kRules[] = {{".bf16", "@7.8/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return d.IntToFp(m.type2, AttrOf(m, FormatOf(m.type)), a);
  }
};

// Between floating-point types. The same type with an integer rounding rounds to an integral value, without one only
// .ftz and .sat act. Without a rounding an H200 takes .f16 to .bf16 as .rn does, on every pattern.
struct CvtFloat {
  static constexpr Line kGrammar[] = {
      "cvt{.ftz}{.sat}.f32.stype d:f32, a:.stype; .stype = { .f16, .f32 }",
      "@7.1/sm_80 cvt{.rnd}.f32.bf16 d:f32, a:bf16; .rnd = { .rn, .rz, .rm, .rp }",
      "@7.8/sm_90 cvt{.rnd}.ftz.f32.bf16 d:f32, a:bf16; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt.bf16.bf16 d:bf16, a:bf16",
      "cvt{.ftz}{.sat}.f64.stype d:f64, a:.stype; .stype = { .f32 }",
      "cvt{.sat}.f64.stype d:f64, a:.stype; .stype = { .f16, .f64 }",
      "cvt{.rnd}.f64.bf16 d:f64, a:bf16; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt{.sat}.f16.stype d:f16, a:.stype; .stype = { .f16 }",
      "cvt.rnd{.ftz}{.sat}.f32.f32 d:f32, a:f32; .rnd = { .rni, .rzi, .rmi, .rpi }",
      "cvt.rnd{.sat}.f64.f64 d:f64, a:f64; .rnd = { .rni, .rzi, .rmi, .rpi }",
      "cvt.rnd{.sat}.f16.f16 d:f16, a:f16; .rnd = { .rni, .rzi, .rmi, .rpi }",
      "cvt.rnd.bf16.bf16 d:bf16, a:bf16; .rnd = { .rni, .rzi, .rmi, .rpi }",
      "cvt.rnd{.ftz}{.sat}.f32.f64 d:f32, a:f64; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt.rnd{.ftz}{.sat}.f16.f32 d:f16, a:f32; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt.rnd{.relu}{.satfinite}.f16.f32 d:f16, a:f32; .rnd = { .rn, .rz }",
      "cvt.rnd{.sat}.f16.f64 d:f16, a:f64; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt{.rnd}.f16.bf16 d:f16, a:bf16; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt{.rnd}.bf16.f16 d:bf16, a:f16; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt.rnd.bf16.f64 d:bf16, a:f64; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt.rnd{.ftz}.bf16.f32 d:bf16, a:f32; .rnd = { .rn, .rz, .rm, .rp }",
      "cvt.rnd{.relu}{.satfinite}.bf16.f32 d:bf16, a:f32; .rnd = { .rn, .rz }",
  };
  static constexpr Example kExamples[] = {
      {".f32.f16", {0x0001}, 0x33800000, From::kManual},
      {".f32.f16", {0xfc00}, 0xff800000, From::kManual},
      {".f32.bf16", {0x3f81}, 0x3f810000, From::kManual},
      {".bf16.f16", {0x3c04}, 0x3f80, From::kHardware},  // 1 + 2^-8: halfway, to even
      {".f16.bf16", {0x3f81}, 0x3c08, From::kHardware},
      {".f64.f32", {0x00000001}, 0x36a0000000000000, From::kManual},
      {".ftz.f64.f32", {0x80000001}, 0x8000000000000000, From::kManual},
      {".sat.f32.f32", {0x40000000}, 0x3f800000, From::kManual},
      {".sat.f32.f32", {0x80000000}, 0, From::kManual},
      {".sat.f32.f32", {0x7fc00000}, 0, From::kManual},
      {".ftz.sat.f32.f32", {0x00000001}, 0, From::kManual},
      {".rmi.f32.f32", {0xbfc00000}, 0xc0000000, From::kManual},  // floor, not the identity
      {".rpi.f32.f32", {0xbf000000}, 0x80000000, From::kManual},  // ceil(-0.5) = -0
      {".rni.f32.f32", {0x3f000000}, 0, From::kManual},
      {".rni.f64.f64", {0x4004000000000000}, 0x4000000000000000, From::kManual},
      {".rzi.f16.f16", {0xbe00}, 0xbc00, From::kManual},
      {".rn.f32.f64", {0x3ff0000010000000}, 0x3f800000, From::kManual},  // half an ulp, to even
      {".rp.f32.f64", {0x3ff0000010000000}, 0x3f800001, From::kManual},
      {".rn.f16.f32", {0x477ff000}, 0x7c00, From::kManual},  // 65520
      {".rz.f16.f32", {0x477ff000}, 0x7bff, From::kManual},
      {".rn.f16.f32", {0x33000000}, 0, From::kManual},  // half the least subnormal
      {".rp.f16.f32", {0x33000000}, 1, From::kManual},
      {".rn.relu.f16.f32", {0xbf800000}, 0, From::kManual},
      {".rn.f16.f64", {0x3ff0020000000001}, 0x3c01, From::kManual},  // just above the midpoint
      {".rn.bf16.f32", {0x3f808000}, 0x3f80, From::kManual},
      {".rn.bf16.f32", {0x3f818000}, 0x3f82, From::kManual},
      {".rz.bf16.f32", {0x3f81ffff}, 0x3f81, From::kManual},
      {".rn.relu.bf16.f32", {0xbf800000}, 0, From::kManual},
      {".rn.satfinite.f16.f32", {0x477ff000}, 0x7bff, From::kManual},
      {".rn.satfinite.f16.f32", {0xff800000}, 0xfbff, From::kManual},
      {".rn.satfinite.f16.f32", {0x7fc00000}, 0x7fff, From::kManual},
      {".rz.relu.satfinite.f16.f32", {0x7f800000}, 0x7bff, From::kManual},
      {".rn.satfinite.bf16.f32", {0x7f7fffff}, 0x7f7f, From::kManual},
      {".rn.ftz.bf16.f32", {0x807fffff}, 0x8000, From::kManual},
      {".rm.f16.f32", {0xb3000000}, 0x8001, From::kManual},
      {".rm.f32.f64", {0xbff0000010000000}, 0xbf800001, From::kManual},
      {".rn.bf16.f16", {0x3c01}, 0x3f80, From::kManual},
      {".rz.f16.bf16", {0x4780}, 0x7bff, From::kManual},
      {".f64.bf16", {0x3f81}, 0x3ff0200000000000, From::kManual},
      {".bf16.bf16", {0x3f81}, 0x3f81, From::kManual},
  };
  static constexpr Rule kRules[] = {
      {".bf16 & .f16|.f64", "@7.8/sm_90"},
      {".bf16 & !.f16|.f32|.f64", "@7.8/sm_90"},
      {".satfinite & .f16", "@8.1/sm_70"},
      {".satfinite & .bf16", "@8.1"},
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const FpAttr attr = AttrOf(m, FormatOf(m.type));
    return RoundsToInteger(m.rounding) ? d.Fp(FpKind::kRoundInt, attr, a) : d.FpConvert(FormatOf(m.type2), attr, a);
  }
};

// Two .f32 to a packed pair: a to the high half, b to the low one.
struct CvtFloatPair {
  static constexpr Line kGrammar[] = {
      "cvt.rnd{.relu}{.satfinite}.dtype.f32 d:.dtype, a:f32, b:f32; .rnd = { .rn, .rz } .dtype = { .f16x2, .bf16x2 }"};
  static constexpr Example kExamples[] = {
      {".rn.f16x2.f32", {0x3f800000, 0x40000000}, 0x3c004000, From::kManual},
      {".rn.bf16x2.f32", {0x3f800000, 0x40000000}, 0x3f804000, From::kManual},
      {".rz.f16x2.f32", {0x477ff000, 0xc77ff000}, 0x7bfffbff, From::kManual},
      {".rn.relu.f16x2.f32", {0xbf800000, 0x3f800000}, 0x00003c00, From::kManual},
      {".rn.satfinite.f16x2.f32", {0x477ff000, 0xff800000}, 0x7bfffbff, From::kManual},  // 65520 and -inf
      {".rn.satfinite.bf16x2.f32", {0x7f7fffff, 0x7fc00000}, 0x7f7f7fff, From::kManual},
      {".rz.relu.satfinite.bf16x2.f32", {0x7f800000, 0xff800000}, 0x7f7f0000, From::kManual},
  };
  static constexpr Rule kRules[] = {{".satfinite", "@8.1"}};
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 70, .sm = 80},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const FpAttr attr = AttrOf(m, FormatOf(m.type));
    const Val<D> low = d.FpConvert(FpFormat::kF32, attr, b);
    return d.Concat(16, d.FpConvert(FpFormat::kF32, attr, a), 16, low);
  }
};

// Two integers clamped to the narrow type and put side by side, b lowest; below 16 bits c, shifted up, stands in front of them.
struct CvtPack {
  static constexpr int kResults = 1;
  static constexpr Line kGrammar[] = {
      "cvt.pack.sat.dtype.stype d:b32, a:.stype, b:.stype; .dtype = { .u16, .s16 } .stype = { .s32 }",
      "cvt.pack.sat.dtype.stype.b32 d:b32, a:.stype, b:.stype, c:b32; .dtype = { .u2, .s2, .u4, .s4, .u8, .s8 } "
      ".stype = { .s32 }",
  };
  static constexpr Example kExamples[] = {
      {".pack.sat.s16.s32", {0x00010000, 0xffff0000}, 0x7fff8000, From::kManual},
      {".pack.sat.u16.s32", {0xffffffff, 0x00010000}, 0x0000ffff, From::kManual},
      {".pack.sat.s8.s32.b32", {0x100, 0xffffff00, 0x12345678}, 0x56787f80, From::kManual},
      {".pack.sat.u8.s32.b32", {0x100, 0xffffff00, 0x12345678}, 0x5678ff00, From::kManual},
      {".pack.sat.u4.s32.b32", {16, 0xffffffff, 0x12345678}, 0x345678f0, From::kManual},
      {".pack.sat.s4.s32.b32", {8, 0xfffffff0, 0x12345678}, 0x34567878, From::kManual},
      {".pack.sat.u2.s32.b32", {2, 9, 0x12345678}, 0x2345678b, From::kManual},
      {".pack.sat.s2.s32.b32", {2, 0xfffffff0, 0x12345678}, 0x23456786, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt-pack",
                                 .since = {.ptx = 65, .sm = 72},
                                 .examples = kExamples};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    const unsigned w = BitWidth(m.type);
    const Val<D> low = SaturateInt(d, ScalarType::kS32, m.type, in[1]);
    const Val<D> pair = d.Concat(w, SaturateInt(d, ScalarType::kS32, m.type, in[0]), w, low);
    out[0] = w == 16 ? pair : d.Concat(32 - 2 * w, d.Extract(32 - 2 * w, in[2], 32, 0), 2 * w, pair);
  }
};

#undef RACER_INT_TYPES

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_CONVERSION_H_
