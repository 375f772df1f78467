// cvt to and from .tf32 and the formats below 16 bits, and with stochastic rounding.
#ifndef RACER_PTX_FRONTEND_ISA_CONVERSION_NARROW_H_
#define RACER_PTX_FRONTEND_ISA_CONVERSION_NARROW_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// a to the high half of a packed pair, b to the low one.
template <Domain D>
Val<D> ConvertPair(D& d, const Mods& m, FpFormat from, Val<D> a, Val<D> b) {
  const FpFormat to = FormatOf(m.type);
  const unsigned w = FormatWidth(to);
  const Val<D> low = d.FpConvert(from, AttrOf(m, to), b);
  return d.Concat(w, d.FpConvert(from, AttrOf(m, to), a), w, low);
}

// The halves of a packed pair, each to the half of the result in its place.
template <Domain D>
Val<D> ConvertHalves(D& d, const Mods& m, Val<D> pair) {
  const FpFormat from = FormatOf(m.type2);
  const unsigned w = FormatWidth(from);
  return ConvertPair(d, m, from, d.Extract(w, pair, 2 * w, w), d.Extract(w, pair, 2 * w, 0));
}

// NaN is 0x7f; what is too large, infinities too, becomes the largest number (.satfinite is not optional). .e2m3 and .e3m2 know
// no NaN: it becomes the largest positive number. Their bytes have 0 in the upper two bits.
struct CvtToNarrow {
  static constexpr Line kGrammar[] = {
      "cvt.rn.satfinite{.relu}.dtype.f32 d:b16, a:f32, b:f32; .dtype = { .e4m3x2, .e5m2x2, .e2m3x2@8.6/sm_100f|sm_110f|sm_120f, "
      ".e3m2x2@8.6/sm_100f|sm_110f|sm_120f }"};
  static constexpr Example kExamples[] = {
      {".rn.satfinite.e4m3x2.f32", {0x3f800000, 0x40000000}, 0x3840, From::kManual},  // 1 and 2: a is the upper half
      {".rn.satfinite.e4m3x2.f32", {0x43e00000, 0x43f00000}, 0x7e7e, From::kManual},  // 448, and 480 saturates
      {".rn.satfinite.e4m3x2.f32", {0xff800000, 0xffc00000}, 0xfe7f, From::kManual},  // -inf, and a NaN loses its sign
      {".rn.satfinite.e4m3x2.f32", {0x3b000000, 0x3a800000}, 0x0100, From::kManual},  // 2^-9 the least, 2^-10 a tie to 0
      {".rn.satfinite.e4m3x2.f32", {0x80000000, 0xba800001}, 0x8081, From::kManual},  // -0, and past that tie
      {".rn.satfinite.e4m3x2.f32", {0x3f880000, 0x3f980000}, 0x383a, From::kManual},  // 1.0625 and 1.1875: ties to even
      {".rn.satfinite.e5m2x2.f32", {0x47600000, 0x47700000}, 0x7b7b, From::kManual},  // 57344, and 61440 saturates
      {".rn.satfinite.e5m2x2.f32", {0x7f800000, 0x7fc00000}, 0x7b7f, From::kManual},  // inf, NaN
      {".rn.satfinite.e5m2x2.f32", {0x37800000, 0x37000000}, 0x0100, From::kManual},  // 2^-16, and 2^-17 a tie to 0
      {".rn.satfinite.relu.e4m3x2.f32", {0xbf800000, 0x7fc00000}, 0x007f, From::kManual},
      {".rn.satfinite.e2m3x2.f32", {0x40f00000, 0x42c80000}, 0x1f1f, From::kManual},       // 7.5, and 100 saturates
      {".rn.satfinite.e2m3x2.f32", {0xbe000000, 0x7fc00000}, 0x211f, From::kManual},       // -0.125, and a NaN is the largest
      {".rn.satfinite.e3m2x2.f32", {0x41e00000, 0xc2c80000}, 0x1f3f, From::kManual},       // 28, and -100 saturates
      {".rn.satfinite.e3m2x2.f32", {0x3d800000, 0x3d000000}, 0x0100, From::kManual},       // 2^-4, and 2^-5 a tie to 0
      {".rn.satfinite.relu.e3m2x2.f32", {0xc1e00000, 0x3f800000}, 0x000c, From::kManual},  // -28 and 1
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 78, .sm = 89},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return ConvertPair(d, m, FpFormat::kF32, a, b);
  }
};

// Four bits each, in a byte.
struct CvtToE2m1 {
  static constexpr Line kGrammar[] = {"@8.6/sm_100f|sm_110f|sm_120f cvt.rn.satfinite{.relu}.e2m1x2.f32 d:b8, a:f32, b:f32"};
  static constexpr Example kExamples[] = {
      {".rn.satfinite.e2m1x2.f32", {0x3f800000, 0x40c00000}, 0x27, From::kManual},       // 1 and 6
      {".rn.satfinite.e2m1x2.f32", {0x40a00000, 0xff800000}, 0x6f, From::kManual},       // 5 is a tie to 4; -inf
      {".rn.satfinite.e2m1x2.f32", {0x3f000000, 0x3e800000}, 0x10, From::kManual},       // 0.5, and 0.25 a tie to 0
      {".rn.satfinite.e2m1x2.f32", {0xffc00000, 0xbf400000}, 0x7a, From::kManual},       // NaN; -0.75 is a tie to -1
      {".rn.satfinite.relu.e2m1x2.f32", {0xc0c00000, 0x40000000}, 0x04, From::kManual},  // -6 and 2
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return ConvertPair(d, m, FpFormat::kF32, a, b);
  }
};

struct CvtPairToNarrow {
  static constexpr Line kGrammar[] = {"cvt.rn.satfinite{.relu}.dtype.f16x2 d:b16, a:b32; .dtype = { .e4m3x2, .e5m2x2 }"};
  static constexpr Example kExamples[] = {
      {".rn.satfinite.e4m3x2.f16x2", {0x3c00bc00}, 0x38b8, From::kManual},       // 1 and -1
      {".rn.satfinite.e4m3x2.f16x2", {0x7c007e00}, 0x7e7f, From::kManual},       // inf and NaN
      {".rn.satfinite.e5m2x2.f16x2", {0x7bff3c80}, 0x7b3c, From::kManual},       // 65504 saturates; 1.125 is a tie to 1
      {".rn.satfinite.relu.e5m2x2.f16x2", {0xbc003c01}, 0x003c, From::kManual},  // -1 and just above 1
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 78, .sm = 89},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return ConvertHalves(d, m, a);
  }
};

struct CvtPairToE2m1 {
  static constexpr Line kGrammar[] = {"@8.6/sm_100f|sm_110f|sm_120f cvt.rn.satfinite{.relu}.e2m1x2.f16x2 d:b8, a:b32"};
  static constexpr Example kExamples[] = {
      {".rn.satfinite.e2m1x2.f16x2", {0x3c00c600}, 0x2f, From::kManual},       // 1 and -6
      {".rn.satfinite.relu.e2m1x2.f16x2", {0xbc007c00}, 0x07, From::kManual},  // -1 and inf
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return ConvertHalves(d, m, a);
  }
};

// Exact but for .relu. A byte of .e2m3 or .e3m2 with a bit set above its value is left open.
struct CvtFromNarrow {
  static constexpr Line kGrammar[] = {
      "cvt.rn{.relu}.f16x2.stype d:b32, a:b16; .stype = { .e4m3x2, .e5m2x2, .e2m3x2@8.6/sm_100f|sm_110f|sm_120f, "
      ".e3m2x2@8.6/sm_100f|sm_110f|sm_120f }"};
  static constexpr Example kExamples[] = {
      {".rn.f16x2.e4m3x2", {0x3840}, 0x3c004000, From::kManual},       // 1 and 2
      {".rn.f16x2.e4m3x2", {0xfe01}, 0xdf001800, From::kManual},       // -448 and 2^-9
      {".rn.f16x2.e4m3x2", {0x7fff}, 0x7fff7fff, From::kManual},       // NaN
      {".rn.f16x2.e5m2x2", {0x7bfc}, 0x7b00fc00, From::kManual},       // 57344 and -inf
      {".rn.f16x2.e5m2x2", {0x7d01}, 0x7fff0100, From::kManual},       // NaN, and 2^-16 is subnormal there as here
      {".rn.relu.f16x2.e4m3x2", {0xb8ff}, 0x00007fff, From::kManual},  // -1 and NaN
      {".rn.f16x2.e2m3x2", {0x1f21}, 0x4780b000, From::kManual},       // 7.5 and -0.125
      {".rn.f16x2.e3m2x2", {0x1f2c}, 0x4f00bc00, From::kManual},       // 28 and -1
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 78, .sm = 89},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return ConvertHalves(d, m, a);
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    const bool padded = FormatOf(m.type2) == FpFormat::kE2M3 || FormatOf(m.type2) == FpFormat::kE3M2;
    if (!padded) return d.Const(1, 0);
    return d.Not(1, IsZero(d, 16, d.And(16, in[0], d.Const(16, 0xc0c0))));
  }
};

struct CvtFromE2m1 {
  static constexpr Line kGrammar[] = {"@8.6/sm_100f|sm_110f|sm_120f cvt.rn{.relu}.f16x2.e2m1x2 d:b32, a:b8"};
  static constexpr Example kExamples[] = {
      {".rn.f16x2.e2m1x2", {0x7f}, 0x4600c600, From::kManual},       // 6 and -6
      {".rn.f16x2.e2m1x2", {0x18}, 0x38008000, From::kManual},       // 0.5 and -0
      {".rn.relu.f16x2.e2m1x2", {0xa2}, 0x00003c00, From::kManual},  // -1 and 1
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return ConvertHalves(d, m, a);
  }
};

// The power of two at or below the magnitude, or at or above it with .rp; the sign is dropped, and 0 is 2^-127.
struct CvtToScale {
  static constexpr Line kGrammar[] = {
      "@8.6/sm_100f|sm_110f|sm_120f cvt.rnd{.satfinite}.ue8m0x2.f32 d:b16, a:f32, b:f32; .rnd = { .rz, .rp }"};
  static constexpr Example kExamples[] = {
      {".rz.ue8m0x2.f32", {0x3f800000, 0x3fc00000}, 0x7f7f, From::kManual},            // 1 and 1.5
      {".rp.ue8m0x2.f32", {0x3f800000, 0x3fc00000}, 0x7f80, From::kManual},            // up to 2
      {".rz.ue8m0x2.f32", {0xc0000000, 0x00000000}, 0x8000, From::kManual},            // -2 and 0
      {".rp.ue8m0x2.f32", {0x00400000, 0x00400001}, 0x0001, From::kManual},            // 2^-127, and just above it
      {".rp.ue8m0x2.f32", {0x7f000001, 0x7f800000}, 0xffff, From::kManual},            // above 2^127
      {".rp.satfinite.ue8m0x2.f32", {0x7f000001, 0x7f800000}, 0xfefe, From::kManual},  // 2^127 is the largest
      {".rz.satfinite.ue8m0x2.f32", {0x7fc00000, 0x7f7fffff}, 0xfffe, From::kManual},  // NaN
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return ConvertPair(d, m, FpFormat::kF32, a, b);
  }
};

struct CvtPairToScale {
  static constexpr Line kGrammar[] = {"@8.6/sm_100f|sm_110f|sm_120f cvt.rnd{.satfinite}.ue8m0x2.bf16x2 d:b16, a:b32; .rnd = { .rz, .rp }"};
  static constexpr Example kExamples[] = {
      {".rz.ue8m0x2.bf16x2", {0x3f803fc0}, 0x7f7f, From::kManual},            // 1 and 1.5
      {".rp.ue8m0x2.bf16x2", {0x3f803fc0}, 0x7f80, From::kManual},            // up to 2
      {".rp.satfinite.ue8m0x2.bf16x2", {0x7f01ff80}, 0xfefe, From::kManual},  // above 2^127, and -inf
      {".rz.ue8m0x2.bf16x2", {0x7f807fff}, 0xffff, From::kManual},            // inf and NaN
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return ConvertHalves(d, m, a);
  }
};

struct CvtFromScale {
  static constexpr Line kGrammar[] = {"@8.6/sm_100f|sm_110f|sm_120f cvt.rn.bf16x2.ue8m0x2 d:b32, a:b16"};
  static constexpr Example kExamples[] = {
      {".rn.bf16x2.ue8m0x2", {0x7f80}, 0x3f804000, From::kManual},  // 1 and 2
      {".rn.bf16x2.ue8m0x2", {0x00ff}, 0x00407fff, From::kManual},  // 2^-127 is subnormal; NaN
      {".rn.bf16x2.ue8m0x2", {0xfe01}, 0x7f000080, From::kManual},  // 2^127 and 2^-126
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 86, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return ConvertHalves(d, m, a);
  }
};

// The result is an .f32 whose low 13 bits are 0: an .f32 instruction may read it as such.
struct CvtToTf32 {
  static constexpr Line kGrammar[] = {
      "cvt.rna{.satfinite@8.1}.tf32.f32 d:b32, a:f32",
      "@7.8/sm_90 cvt.rnd{.satfinite@8.6/sm_100}{.relu}.tf32.f32 d:b32, a:f32; .rnd = { .rn, .rz }",
  };
  static constexpr Example kExamples[] = {
      {".rna.tf32.f32", {0x3f801000}, 0x3f802000, From::kManual},            // 1 + 2^-11: a tie, away from zero
      {".rna.tf32.f32", {0xbf800fff}, 0xbf800000, From::kManual},            // below the tie
      {".rn.tf32.f32", {0x3f801000}, 0x3f800000, From::kManual},             // the tie to even
      {".rn.tf32.f32", {0x3f803000}, 0x3f804000, From::kManual},             // and from an odd neighbour
      {".rz.tf32.f32", {0xbf801fff}, 0xbf800000, From::kManual},             // towards zero
      {".rn.tf32.f32", {0x7f7fffff}, 0x7f800000, From::kManual},             // overflows
      {".rna.satfinite.tf32.f32", {0x7f7fffff}, 0x7f7fe000, From::kManual},  // to the largest number
      {".rn.satfinite.tf32.f32", {0xff800000}, 0xff7fe000, From::kManual},
      {".rz.satfinite.relu.tf32.f32", {0xff800000}, 0x00000000, From::kManual},
      {".rn.relu.tf32.f32", {0xbf800000}, 0x00000000, From::kManual},
      {".rna.tf32.f32", {0x00001000}, 0x00002000, From::kManual},  // subnormals are kept
      {".rna.tf32.f32", {0x80000000}, 0x80000000, From::kManual},
      {".rn.tf32.f32", {0xff800001}, 0x7fffe000, From::kHardware},   // NaN
      {".rna.tf32.f32", {0x7f800001}, 0x7f800000, From::kHardware},  // its payload is cut off
      {".rna.tf32.f32", {0xffc00005}, 0xffc00000, From::kHardware},
      {".rna.satfinite.tf32.f32", {0x7fc00005}, 0x7fbfe000, From::kHardware},  // and a step back
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 70, .sm = 80},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const Val<D> rounded = d.FpConvert(FpFormat::kF32, AttrOf(m, FpFormat::kTF32), a);
    return d.FpConvert(FpFormat::kTF32, FpAttr{.format = FpFormat::kF32}, rounded);
  }
};

// Stochastic rounding: random bits are added to the magnitude below the result's last place, and what is left there is cut off.
// rbits has 16 bits for each value, the upper half those of a; 13 of them count for .f16.
struct CvtStochastic {
  static constexpr Line kGrammar[] = {
      "@8.7/sm_100a|sm_103a cvt.rs{.relu}{.satfinite}.dtype.f32 d:.dtype, a:f32, b:f32, rbits:b32; .dtype = { .f16x2, .bf16x2 }"};
  static constexpr Example kExamples[] = {
      {".rs.bf16x2.f32", {0x3f808000, 0x3f808000, 0x7fff8000}, 0x3f803f81, From::kManual},  // no carry, a carry
      {".rs.bf16x2.f32", {0xff800000, 0x7fc00000, 0xffffffff}, 0xff807fff, From::kManual},  // -inf and NaN
      {".rs.bf16x2.f32", {0x7f7fffff, 0x3f800000, 0x0001ffff}, 0x7f803f80, From::kManual},  // overflow; an exact 1 stays
      {".rs.satfinite.bf16x2.f32", {0x7f7fffff, 0x7f800000, 0x00010000}, 0x7f7f7f7f, From::kManual},
      {".rs.relu.bf16x2.f32", {0xbf800000, 0x40000000, 0xffffffff}, 0x00004000, From::kManual},
      {".rs.f16x2.f32", {0x3f801000, 0x3f801000, 0x0fff1000}, 0x3c003c01, From::kManual},            // no carry, a carry
      {".rs.f16x2.f32", {0xff800000, 0x7fc00000, 0x1fff1fff}, 0xfc007fff, From::kManual},            // -inf and NaN
      {".rs.satfinite.f16x2.f32", {0x477fffff, 0xff800000, 0x00010000}, 0x7bfffbff, From::kManual},  // rounds beyond 65504
      {".rs.relu.f16x2.f32", {0xc0000000, 0x40000000, 0x00000000}, 0x00004000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "cvt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvt",
                                 .since = {.ptx = 87, .sm = 100},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> rbits) {
    const Val<D> low = Convert(d, m, b, d.Extract(16, rbits, 32, 0));
    return d.Concat(16, Convert(d, m, a, d.Extract(16, rbits, 32, 16)), 16, low);
  }
  // Below the normal range of .f16 the random bits do not line up with the last place, and too large a value has no two
  // neighbours to choose from: the manual does not say.
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    if (FormatOf(m.type) != FpFormat::kF16) return d.Const(1, 0);
    const auto open = [&](Val<D> x, unsigned low) {
      const Val<D> magnitude = d.And(32, x, d.Const(32, 0x7fffffff));
      const Val<D> small = d.And(1, d.Ult(32, magnitude, d.Const(32, 0x38800000)), d.Not(1, IsZero(d, 32, magnitude)));
      const Val<D> large = d.And(1, d.Not(1, d.Ult(32, magnitude, d.Const(32, 0x47800000))), d.Ult(32, magnitude, d.Const(32, 0x7f800000)));
      const Val<D> spare = d.Not(1, IsZero(d, 3, d.Extract(3, in[2], 32, low + 13)));
      return d.Or(1, spare, m.satfinite ? small : d.Or(1, small, large));
    };
    return d.Or(1, open(in[0], 16), open(in[1], 0));
  }

 private:
  template <Domain D>
  static Val<D> Convert(D& d, const Mods& m, Val<D> x, Val<D> random) {
    const FpFormat to = FormatOf(m.type);
    const unsigned dropped = to == FpFormat::kF16 ? 13 : 16;
    const Val<D> sum = d.Add(32, x, d.ZExt(16, 32, random));
    const Val<D> cut = d.Concat(32 - dropped, d.Extract(32 - dropped, sum, 32, dropped), dropped, d.Const(dropped, 0));
    const Val<D> number = d.FpCompare(CompareOp::kNum, FpFormat::kF32, false, x, x);
    FpAttr attr = AttrOf(m, to);
    attr.rounding = Rounding::kRs;  // exact now, or an overflow
    return d.FpConvert(FpFormat::kF32, attr, d.Ite(32, number, cut, x));
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_CONVERSION_NARROW_H_
