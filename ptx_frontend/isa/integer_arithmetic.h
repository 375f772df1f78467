// Integer arithmetic: add, sub, mul, mad, div, min, ... (bit counting and fields are in bit_field.h).
#ifndef RACER_PTX_FRONTEND_ISA_INTEGER_ARITHMETIC_H_
#define RACER_PTX_FRONTEND_ISA_INTEGER_ARITHMETIC_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

struct Add {
  static constexpr Line kGrammar[] = {
      "add.type d, a, b; .type = { .u16, .u32, .u64, .s16, .s32, .s64, .u16x2, .s16x2 }",
      "add.sat.s32 d, a, b",
  };
  static constexpr Example kExamples[] = {
      {".u32", {0xffffffff, 1}, 0, From::kManual},
      {".s32", {0x7fffffff, 1}, 0x80000000, From::kManual},
      {".sat.s32", {0x7fffffff, 1}, 0x7fffffff, From::kManual},
      {".sat.s32", {0x80000000, 0xffffffff}, 0x80000000, From::kManual},
      {".u16", {0xffff, 2}, 1, From::kManual},
      {".s64", {~uint64_t{0}, 1}, 0, From::kManual},
      {".u16x2", {0x0001ffff, 0x00010001}, 0x00020000, From::kManual},
      {".s16", {0x7fff, 1}, 0x8000, From::kManual},
      {".s16x2", {0x7fffffff, 0x00010001}, 0x80000000, From::kManual},
      {".u64", {0xffffffff, 1}, 0x100000000, From::kManual},
  };
  static constexpr Rule kRules[] = {{".u16x2|.s16x2", "@8.0/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "add",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-add",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    if (m.sat) return ClampSigned(d, 64, 32, d.Add(64, d.SExt(32, 64, a), d.SExt(32, 64, b)));
    return Lanewise(d, m.type, [&](ScalarType t, Val<D> x, Val<D> y) { return d.Add(BitWidth(t), x, y); }, a, b);
  }
};

struct Sub {
  static constexpr Line kGrammar[] = {
      "sub.type d, a, b; .type = { .u16, .u32, .u64, .s16, .s32, .s64 }",
      "sub.sat.s32 d, a, b",
  };
  static constexpr Example kExamples[] = {
      {".u32", {0, 1}, 0xffffffff, From::kManual},
      {".s16", {0x8000, 1}, 0x7fff, From::kManual},
      {".sat.s32", {0x80000000, 1}, 0x80000000, From::kManual},
      {".sat.s32", {0, 0x80000000}, 0x7fffffff, From::kManual},
      {".s64", {0, 1}, ~uint64_t{0}, From::kManual},
      {".u16", {0, 1}, 0xffff, From::kManual},
      {".u64", {0x100000000, 1}, 0xffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "sub",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-sub",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    if (m.sat) return ClampSigned(d, 64, 32, d.Sub(64, d.SExt(32, 64, a), d.SExt(32, 64, b)));
    return d.Sub(BitWidth(m.type), a, b);
  }
};

// .lo and .hi keep half of the product, .wide all of it.
struct Mul {
  static constexpr Line kGrammar[] = {
      "mul.part.type d, a, b; .part = { .hi, .lo } .type = { .u16, .u32, .u64, .s16, .s32, .s64 }",
      "mul.wide.type d:wide, a, b; .type = { .u16, .u32, .s16, .s32 }",
  };
  static constexpr Example kExamples[] = {
      {".lo.s32", {0x10000, 0x10000}, 0, From::kManual},
      {".hi.u32", {0xffffffff, 0xffffffff}, 0xfffffffe, From::kManual},
      {".hi.s32", {0xffffffff, 0xffffffff}, 0, From::kManual},
      {".hi.u64", {~uint64_t{0}, ~uint64_t{0}}, ~uint64_t{1}, From::kManual},
      {".hi.s64", {uint64_t{1} << 63, uint64_t{1} << 63}, uint64_t{1} << 62, From::kManual},
      {".hi.s64", {~uint64_t{0}, 1}, ~uint64_t{0}, From::kManual},
      {".wide.s16", {0xffff, 0x7fff}, 0xffff8001, From::kManual},
      {".wide.u16", {0xffff, 0x7fff}, 0x7ffe8001, From::kManual},
      {".wide.s32", {0xffffffff, 4}, ~uint64_t{3}, From::kManual},
      {".wide.u32", {0xffffffff, 4}, 0x3fffffffc, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mul",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-mul",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const unsigned w = BitWidth(m.type);
    const bool is_signed = IsSigned(m.type);
    switch (m.part) {
      case MulPart::kLo: return d.Mul(w, a, b);
      case MulPart::kHi: return MulHigh(d, w, is_signed, a, b);
      case MulPart::kWide: return d.Mul(2 * w, Resize(d, w, 2 * w, is_signed, a), Resize(d, w, 2 * w, is_signed, b));
      case MulPart::kNone: break;
    }
    RACER_UNREACHABLE(static_cast<int>(m.part));
  }
};

struct Mad {
  static constexpr Line kGrammar[] = {
      "mad.part.type d, a, b, c; .part = { .hi, .lo } .type = { .u16, .u32, .u64, .s16, .s32, .s64 }",
      "mad.wide.type d:wide, a, b, c:wide; .type = { .u16, .u32, .s16, .s32 }",
      "mad.hi.sat.s32 d, a, b, c",
  };
  static constexpr Example kExamples[] = {
      {".lo.s32", {0xffffffff, 5, 3}, 0xfffffffe, From::kManual},
      {".hi.u32", {0x80000000, 2, 7}, 8, From::kManual},
      {".hi.sat.s32", {0x40000000, 4, 0x7fffffff}, 0x7fffffff, From::kManual},
      {".hi.sat.s32", {0xc0000000, 4, 0x80000000}, 0x80000000, From::kManual},
      {".wide.s32", {0xffffffff, 2, 1}, ~uint64_t{0}, From::kManual},
      {".wide.u32", {0xffffffff, 2, 1}, 0x1ffffffff, From::kManual},
      {".lo.s16", {0xffff, 5, 3}, 0xfffe, From::kManual},
      {".hi.s64", {~uint64_t{0}, 1, 0}, ~uint64_t{0}, From::kManual},
      {".hi.u16", {0x8000, 2, 0xffff}, 0, From::kManual},
      {".hi.u64", {uint64_t{1} << 63, 2, 7}, 8, From::kManual},
      {".wide.u16", {0xffff, 2, 1}, 0x1ffff, From::kManual},
      {".wide.s16", {0xffff, 2, 1}, 0xffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mad",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-mad",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    const Val<D> product = Mul::Eval(d, m, a, b);
    if (m.sat) return ClampSigned(d, 64, 32, d.Add(64, d.SExt(32, 64, product), d.SExt(32, 64, c)));
    return d.Add(BitWidth(m.type) * (m.part == MulPart::kWide ? 2 : 1), product, c);
  }
};

// The 48-bit product of the low 24 bits of the operands, of which .lo keeps bits 31..0 and .hi bits 47..16.
struct Mul24 {
  static constexpr Line kGrammar[] = {"mul24.part.type d, a, b; .part = { .hi, .lo } .type = { .u32, .s32 }"};
  static constexpr Example kExamples[] = {
      {".lo.u32", {0xffffff, 0xffffff}, 0xfe000001, From::kManual},
      {".hi.u32", {0xffffff, 0xffffff}, 0xfffffe00, From::kManual},
      {".lo.s32", {0xffffffff, 3}, 0xfffffffd, From::kManual},
      {".hi.s32", {0xffffffff, 3}, 0xffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mul24",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-mul24",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const bool is_signed = IsSigned(m.type);
    const auto low24 = [&](Val<D> x) { return Resize(d, 24, 64, is_signed, d.Extract(24, x, 32, 0)); };
    return d.Extract(32, d.Mul(64, low24(a), low24(b)), 64, m.part == MulPart::kHi ? 16 : 0);
  }
};

struct Mad24 {
  static constexpr Line kGrammar[] = {
      "mad24.part.type d, a, b, c; .part = { .hi, .lo } .type = { .u32, .s32 }",
      "mad24.hi.sat.s32 d, a, b, c",
  };
  static constexpr Example kExamples[] = {
      {".lo.s32", {0xffffffff, 3, 4}, 1, From::kManual},
      {".hi.u32", {0xffffff, 0xffffff, 0x200}, 0, From::kManual},
      {".hi.sat.s32", {0x7fffff, 0x7fffff, 0x7fffffff}, 0x7fffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mad24",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-mad24",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    const Val<D> product = Mul24::Eval(d, m, a, b);
    if (m.sat) return ClampSigned(d, 64, 32, d.Add(64, d.SExt(32, 64, product), d.SExt(32, 64, c)));
    return d.Add(32, product, c);
  }
};

// c + |a - b|.
struct Sad {
  static constexpr Line kGrammar[] = {"sad.type d, a, b, c; .type = { .u16, .u32, .u64, .s16, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {1, 3, 10}, 12, From::kManual},          {".u32", {0xffffffff, 0, 0}, 0xffffffff, From::kManual},
      {".s32", {0xffffffff, 0, 5}, 6, From::kManual},   {".s16", {0x8000, 0, 0}, 0x8000, From::kManual},
      {".s64", {~uint64_t{0}, 1, 5}, 7, From::kManual}, {".u16", {1, 0xffff, 1}, 0xffff, From::kManual},
      {".u64", {0, ~uint64_t{0}, 1}, 0, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "sad",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-sad",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    const unsigned w = BitWidth(m.type);
    const Val<D> less = IsSigned(m.type) ? d.Slt(w, a, b) : d.Ult(w, a, b);
    return d.Add(w, c, d.Ite(w, less, d.Sub(w, b, a), d.Sub(w, a, b)));
  }
};

// Quotient towards zero. By zero the manual promises nothing: see Unspecified. The most negative number by -1 wraps.
struct Div {
  static constexpr Line kGrammar[] = {"div.type d, a, b; .type = { .u16, .u32, .u64, .s16, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {7, 2}, 3, From::kManual},
      {".s32", {0xfffffff9, 2}, 0xfffffffd, From::kManual},
      {".u32", {0xffffffff, 1}, 0xffffffff, From::kManual},
      {".s32", {0x80000000, 0xffffffff}, 0x80000000, From::kHardware},
      {".u16", {0xffff, 0x10}, 0xfff, From::kManual},
      {".s16", {0xfff9, 2}, 0xfffd, From::kManual},
      {".s64", {~uint64_t{0}, 2}, 0, From::kManual},
      {".u64", {~uint64_t{0}, 2}, 0x7fffffffffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "div",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-div",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const unsigned w = BitWidth(m.type);
    return IsSigned(m.type) ? d.SDiv(w, a, b) : d.UDiv(w, a, b);
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    return IsZero(d, BitWidth(m.type), in[1]);
  }
};

// a - b * (a / b): the sign of a. By zero unspecified.
struct Rem {
  static constexpr Line kGrammar[] = {"rem.type d, a, b; .type = { .u16, .u32, .u64, .s16, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {7, 2}, 1, From::kManual},
      {".s32", {0xfffffff9, 2}, 0xffffffff, From::kHardware},
      {".s32", {7, 0xfffffffe}, 1, From::kHardware},
      {".s32", {0x80000000, 0xffffffff}, 0, From::kHardware},
      {".s16", {7, 3}, 1, From::kManual},
      {".s64", {0x100000001, 0x100000000}, 1, From::kManual},
      {".u16", {0xffff, 0x10}, 0xf, From::kManual},
      {".u64", {~uint64_t{0}, 0x10}, 0xf, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "rem",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-rem",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const unsigned w = BitWidth(m.type);
    return IsSigned(m.type) ? d.SRem(w, a, b) : d.URem(w, a, b);
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    return IsZero(d, BitWidth(m.type), in[1]);
  }
};

// The most negative number stays as it is.
struct Abs {
  static constexpr Line kGrammar[] = {"abs.type d, a; .type = { .s16, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".s32", {0xffffffff}, 1, From::kManual},
      {".s32", {0x80000000}, 0x80000000, From::kHardware},
      {".s16", {0xfffe}, 2, From::kManual},
      {".s64", {~uint64_t{0}}, 1, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "abs",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-abs",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const unsigned w = BitWidth(m.type);
    return d.Ite(w, SignBit(d, w, a), d.Sub(w, d.Const(w, 0), a), a);
  }
};

struct Neg {
  static constexpr Line kGrammar[] = {"neg.type d, a; .type = { .s16, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".s32", {1}, 0xffffffff, From::kManual},
      {".s32", {0x80000000}, 0x80000000, From::kManual},
      {".s16", {1}, 0xffff, From::kManual},
      {".s64", {1}, ~uint64_t{0}, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "neg",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-neg",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const unsigned w = BitWidth(m.type);
    return d.Sub(w, d.Const(w, 0), a);
  }
};

// .relu raises a negative result to 0.
template <bool is_max>
struct IntExtremum {
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return Lanewise(
        d, m.type,
        [&](ScalarType t, Val<D> x, Val<D> y) {
          const unsigned w = BitWidth(t);
          Val<D> result = is_max ? IntMax(d, w, IsSigned(t), x, y) : IntMin(d, w, IsSigned(t), x, y);
          if (m.relu) result = IntMax(d, w, true, result, d.Const(w, 0));
          return result;
        },
        a, b);
  }
};

struct Min : IntExtremum<false> {
  static constexpr Line kGrammar[] = {
      "min.type d, a, b; .type = { .u16, .u32, .u64, .u16x2, .s16, .s64 }",
      "min{.relu}.type d, a, b; .type = { .s16x2, .s32 }",
  };
  static constexpr Example kExamples[] = {
      {".u32", {0xffffffff, 1}, 1, From::kManual},
      {".s32", {0xffffffff, 1}, 0xffffffff, From::kManual},
      {".relu.s32", {0xffffffff, 1}, 0, From::kManual},
      {".u16x2", {0x00018000, 0xffff7fff}, 0x00017fff, From::kManual},
      {".s16x2", {0x00018000, 0xffff7fff}, 0xffff8000, From::kManual},
      {".s16", {0x8000, 1}, 0x8000, From::kManual},
      {".s64", {uint64_t{1} << 63, 0}, uint64_t{1} << 63, From::kManual},
      {".u16", {0x8000, 1}, 1, From::kManual},
      {".u64", {uint64_t{1} << 63, 1}, 1, From::kManual},
      {".relu.s16x2", {0x0001ffff, 0x00050003}, 0x00010000, From::kManual},
  };
  static constexpr Rule kRules[] = {{".u16x2|.s16x2|.relu", "@8.0/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "min",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-min",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples,
                                 .rules = kRules};
};

struct Max : IntExtremum<true> {
  static constexpr Line kGrammar[] = {
      "max.type d, a, b; .type = { .u16, .u32, .u64, .u16x2, .s16, .s64 }",
      "max{.relu}.type d, a, b; .type = { .s16x2, .s32 }",
  };
  static constexpr Example kExamples[] = {
      {".u32", {0xffffffff, 1}, 0xffffffff, From::kManual},
      {".s32", {0xffffffff, 1}, 1, From::kManual},
      {".relu.s32", {0xffffffff, 0xfffffffe}, 0, From::kManual},
      {".s64", {uint64_t{1} << 63, 0}, 0, From::kManual},
      {".s16", {0x8000, 1}, 1, From::kManual},
      {".s16x2", {0x00018000, 0xffff7fff}, 0x00017fff, From::kManual},
      {".u16", {0x8000, 1}, 0x8000, From::kManual},
      {".u16x2", {0x00018000, 0xffff7fff}, 0xffff8000, From::kManual},
      {".u64", {uint64_t{1} << 63, 1}, uint64_t{1} << 63, From::kManual},
      {".relu.s16x2", {0xffff0001, 0xfffe0003}, 0x00000003, From::kManual},
  };
  static constexpr Rule kRules[] = {{".u16x2|.s16x2|.relu", "@8.0/sm_90"}};
  static constexpr Spec kSpec = {.mnemonic = "max",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-max",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples,
                                 .rules = kRules};
};

// Dot product of four bytes, or of two halves of a with two bytes of b, added to c; wraps.
// .type is that of a's elements, .stype of b's.
struct Dp4a {
  static constexpr Line kGrammar[] = {"dp4a.type.stype d:u32, a:u32, b:u32, c:u32; .type = { .u32, .s32 } .stype = { .u32, .s32 }"};
  static constexpr Example kExamples[] = {
      {".u32.u32", {0x01020304, 0x01010101, 5}, 15, From::kManual},
      {".s32.s32", {0xffffffff, 0x01020304, 0}, 0xfffffff6, From::kManual},
      {".u32.s32", {0xffffffff, 0x000000ff, 0}, 0xffffff01, From::kManual},
      {".s32.u32", {0x000000ff, 0x000000ff, 0}, 0xffffff01, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "dp4a",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-dp4a",
                                 .since = {.ptx = 50, .sm = 61},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    Val<D> sum = c;
    for (unsigned i = 0; i < 4; ++i) {
      const Val<D> x = Resize(d, 8, 32, IsSigned(m.type), d.Extract(8, a, 32, 8 * i));
      const Val<D> y = Resize(d, 8, 32, IsSigned(m.type2), d.Extract(8, b, 32, 8 * i));
      sum = d.Add(32, sum, d.Mul(32, x, y));
    }
    return sum;
  }
};

struct Dp2a {
  static constexpr Line kGrammar[] = {
      "dp2a.part.type.stype d:u32, a:u32, b:u32, c:u32; .part = { .lo, .hi } .type = { .u32, .s32 } .stype = { .u32, .s32 }"};
  static constexpr Example kExamples[] = {
      {".lo.u32.u32", {0x00020003, 0x0a0b0104, 1}, 15, From::kManual},
      {".hi.u32.u32", {0x00020003, 0x01040a0b, 1}, 15, From::kManual},
      {".lo.s32.s32", {0xffffffff, 0x00000102, 0}, 0xfffffffd, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "dp2a",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-dp2a",
                                 .since = {.ptx = 50, .sm = 61},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    const unsigned base = m.part == MulPart::kHi ? 16 : 0;
    Val<D> sum = c;
    for (unsigned i = 0; i < 2; ++i) {
      const Val<D> x = Resize(d, 16, 32, IsSigned(m.type), d.Extract(16, a, 32, 16 * i));
      const Val<D> y = Resize(d, 8, 32, IsSigned(m.type2), d.Extract(8, b, 32, base + 8 * i));
      sum = d.Add(32, sum, d.Mul(32, x, y));
    }
    return sum;
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_INTEGER_ARITHMETIC_H_
