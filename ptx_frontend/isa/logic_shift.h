// Logic and shift instructions.
#ifndef RACER_PTX_FRONTEND_ISA_LOGIC_SHIFT_H_
#define RACER_PTX_FRONTEND_ISA_LOGIC_SHIFT_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

struct And {
  static constexpr Line kGrammar[] = {"and.type d, a, b; .type = { .pred, .b16, .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b32", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00, From::kManual},
      {".pred", {1, 0}, 0, From::kManual},
      {".b16", {0xff0f, 0x0ff0}, 0x0f00, From::kManual},
      {".b64", {uint64_t{1} << 63, ~uint64_t{0}}, uint64_t{1} << 63, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "and",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-and",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return d.And(BitWidth(m.type), a, b);
  }
};

struct Or {
  static constexpr Line kGrammar[] = {"or.type d, a, b; .type = { .pred, .b16, .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b16", {0xf000, 0x000f}, 0xf00f, From::kManual},
      {".pred", {1, 0}, 1, From::kManual},
      {".b32", {0xf0000000, 0x0000000f}, 0xf000000f, From::kManual},
      {".b64", {uint64_t{1} << 63, 1}, 0x8000000000000001, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "or",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-or",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return d.Or(BitWidth(m.type), a, b);
  }
};

struct Xor {
  static constexpr Line kGrammar[] = {"xor.type d, a, b; .type = { .pred, .b16, .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b64", {~uint64_t{0}, 1}, ~uint64_t{1}, From::kManual},
      {".pred", {1, 1}, 0, From::kManual},
      {".b16", {0xffff, 1}, 0xfffe, From::kManual},
      {".b32", {0xaaaaaaaa, 0xffffffff}, 0x55555555, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "xor",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-xor",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    return d.Xor(BitWidth(m.type), a, b);
  }
};

struct Not {
  static constexpr Line kGrammar[] = {"not.type d, a; .type = { .pred, .b16, .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".pred", {1}, 0, From::kManual},
      {".b16", {0x00ff}, 0xff00, From::kManual},
      {".b32", {0}, 0xffffffff, From::kManual},
      {".b64", {~uint64_t{0}}, 0, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "not",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-not",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return d.Not(BitWidth(m.type), a);
  }
};

// C's `!`: 1 for 0, else 0.
struct Cnot {
  static constexpr Line kGrammar[] = {"cnot.type d, a; .type = { .b16, .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b32", {0}, 1, From::kManual},
      {".b32", {2}, 0, From::kManual},
      {".b16", {0}, 1, From::kManual},
      {".b64", {uint64_t{1} << 63}, 0, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "cnot",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-cnot",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const unsigned w = BitWidth(m.type);
    return d.ZExt(1, w, IsZero(d, w, a));
  }
};

// Any function of three bits, bit by bit: bit 4a + 2b + c of the table is the result.
struct Lop3 {
  static constexpr Line kGrammar[] = {"lop3.b32 d, a, b, c, lut:b32:imm"};
  static constexpr Example kExamples[] = {
      {".b32", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x80}, 0x80808080, From::kManual},  // a & b & c
      {".b32", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96}, 0x96969696, From::kManual},  // a ^ b ^ c
      {".b32", {0x12345678, 0, 0xffffffff, 0xf0}, 0x12345678, From::kManual},           // a
      {".b32", {0xff00ff00, 0x12345678, 0xf0f0f0f0, 0xa0}, 0xf000f000, From::kManual},  // a & c
      {".b32", {0xff00ff00, 0x0ff00ff0, 0x12345678, 0x3c}, 0xf0f0f0f0, From::kManual},  // a ^ b
      {".b32", {0x12345678, 0xff00ff00, 0x0ff00ff0, 0xee}, 0xfff0fff0, From::kManual},  // b | c
  };
  static constexpr Spec kSpec = {.mnemonic = "lop3",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-lop3",
                                 .since = {.ptx = 43, .sm = 50},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods&, Val<D> a, Val<D> b, Val<D> c, Val<D> lut) {
    Val<D> result = d.Const(32, 0);
    Val<D> in[3] = {a, b, c};
    // An operand that the table ignores is not read: it may be undefined.
    constexpr uint64_t kRowsWithout[3] = {0x0f, 0x33, 0x55};
    for (unsigned i = 0; i < 3; ++i) {
      const Val<D> changes = d.And(8, d.Xor(8, lut, d.LShr(8, lut, d.Const(8, 4 >> i))), d.Const(8, kRowsWithout[i]));
      in[i] = d.And(32, in[i], d.Not(32, d.SExt(1, 32, IsZero(d, 8, changes))));
    }
    for (unsigned row = 0; row < 8; ++row) {
      Val<D> match = d.SExt(1, 32, d.Extract(1, lut, 32, row));
      for (unsigned i = 0; i < 3; ++i) match = d.And(32, match, (row >> (2 - i) & 1) != 0 ? in[i] : d.Not(32, in[i]));
      result = d.Or(32, result, match);
    }
    return result;
  }
};

// ... and p = (d != 0) combined with q.
struct Lop3Pred {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"lop3.bop.b32 d|p:pred, a, b, c, lut:b32:imm, {!}e:pred; .bop = { .or, .and }"};
  static constexpr Example kExamples[] = {
      {".or.b32", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x80}, 0x80808080, From::kManual},
      {".and.b32", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x80, 1}, 0x80808080, From::kManual, 1},
      {".and.b32", {1, 2, 4, 0x80, 1}, 0, From::kManual, 0},
      {".or.b32", {1, 2, 4, 0x80, 1}, 0, From::kManual, 1},
  };
  static constexpr Spec kSpec = {.mnemonic = "lop3",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-lop3",
                                 .since = {.ptx = 82, .sm = 70},
                                 .examples = kExamples};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    out[0] = Lop3::Eval(d, m, in[0], in[1], in[2], in[3]);
    const Val<D> nonzero = d.Not(1, IsZero(d, 32, out[0]));
    out[1] = m.combine == BoolOp::kOr ? d.Or(1, nonzero, in[4]) : d.And(1, nonzero, in[4]);
  }
};

// The upper half of {b, a} shifted left, or its lower half shifted right.
struct Shf {
  static constexpr Line kGrammar[] = {"shf.dir.funnel.b32 d, a, b, c:u32; .dir = { .l, .r } .funnel = { .clamp, .wrap }"};
  static constexpr Example kExamples[] = {
      {".l.wrap.b32", {0x80000001, 0x12345678, 4}, 0x23456788, From::kManual},
      {".r.wrap.b32", {0x80000001, 0x12345678, 4}, 0x88000000, From::kManual},
      {".l.wrap.b32", {0x80000001, 0x12345678, 32}, 0x12345678, From::kManual},
      {".l.clamp.b32", {0x80000001, 0x12345678, 32}, 0x80000001, From::kManual},
      {".r.clamp.b32", {0x80000001, 0x12345678, 99}, 0x12345678, From::kManual},
      {".r.wrap.b32", {0x80000001, 0x12345678, 0}, 0x80000001, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "shf",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-shf",
                                 .since = {.ptx = 31, .sm = 32},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    const Val<D> n = m.funnel == FunnelMode::kClamp ? IntMin(d, 32, false, c, d.Const(32, 32)) : d.And(32, c, d.Const(32, 31));
    const Val<D> amount = d.ZExt(32, 64, n);
    const Val<D> both = d.Concat(32, b, 32, a);
    return m.shift_left ? d.Extract(32, d.Shl(64, both, amount), 64, 32) : d.Extract(32, d.LShr(64, both, amount), 64, 0);
  }
};

// Amounts are .u32 whatever the type, and count as the width from there on. 16-bit operands are shifted in
// 32 bits so that no bit of the amount is lost.
struct Shl {
  static constexpr Line kGrammar[] = {"shl.type d, a, b:u32; .type = { .b16, .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b32", {1, 31}, 0x80000000, From::kManual},
      {".b32", {1, 32}, 0, From::kManual},
      {".b32", {1, 0xffffffff}, 0, From::kManual},
      {".b16", {1, 15}, 0x8000, From::kManual},
      {".b16", {1, 16}, 0, From::kManual},
      {".b16", {1, 0x10000}, 0, From::kManual},
      {".b64", {1, 32}, uint64_t{1} << 32, From::kManual},
      {".b64", {1, 64}, 0, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "shl",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-shl",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const unsigned w = BitWidth(m.type);
    if (w == 16) return d.Extract(16, d.Shl(32, d.ZExt(16, 32, a), b), 32, 0);
    return d.Shl(w, a, w == 32 ? b : d.ZExt(32, 64, b));
  }
};

struct Shr {
  static constexpr Line kGrammar[] = {"shr.type d, a, b:u32; .type = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {0x80000000, 31}, 1, From::kManual},
      {".u32", {0x80000000, 32}, 0, From::kManual},
      {".s32", {0x80000000, 31}, 0xffffffff, From::kManual},
      {".s32", {0x80000000, 40}, 0xffffffff, From::kManual},
      {".b32", {0x80000000, 31}, 1, From::kManual},
      {".s16", {0x8000, 16}, 0xffff, From::kManual},
      {".u16", {0x8000, 15}, 1, From::kManual},
      {".s64", {uint64_t{1} << 63, 64}, ~uint64_t{0}, From::kManual},
      {".u64", {uint64_t{1} << 63, 63}, 1, From::kManual},
      {".u16", {0x8000, 0x10000}, 0, From::kManual},
      {".b16", {0x8000, 15}, 1, From::kManual},
      {".b64", {uint64_t{1} << 63, 63}, 1, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "shr",
                                 .grammar = kGrammar,
                                 .isa = "logic-and-shift-instructions-shr",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const unsigned w = BitWidth(m.type);
    const bool arithmetic = IsSigned(m.type);
    if (w == 16) {
      const Val<D> wide = Resize(d, 16, 32, arithmetic, a);
      return d.Extract(16, arithmetic ? d.AShr(32, wide, b) : d.LShr(32, wide, b), 32, 0);
    }
    const Val<D> amount = w == 32 ? b : d.ZExt(32, 64, b);
    return arithmetic ? d.AShr(w, a, amount) : d.LShr(w, a, amount);
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_LOGIC_SHIFT_H_
