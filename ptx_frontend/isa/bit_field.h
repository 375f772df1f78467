// Counting, reversing, extracting and inserting bits.
#ifndef RACER_PTX_FRONTEND_ISA_BIT_FIELD_H_
#define RACER_PTX_FRONTEND_ISA_BIT_FIELD_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// The pattern 0x5555..., 0x3333..., 0x0f0f... of width w whose runs of ones and zeros are `run` bits long.
constexpr uint64_t RunMask(unsigned w, unsigned run) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < w; ++i) {
    if (i / run % 2 == 0) mask |= uint64_t{1} << i;
  }
  return mask;
}

// Results of the counting instructions are .u32 whatever the width of a.
struct Popc {
  static constexpr Line kGrammar[] = {"popc.type d:u32, a; .type = { .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b32", {0}, 0, From::kManual}, {".b32", {0xffffffff}, 32, From::kManual}, {".b64", {0x8000000100000001}, 3, From::kManual}};
  static constexpr Spec kSpec = {.mnemonic = "popc",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-popc",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const unsigned w = BitWidth(m.type);
    // Neighbouring counters are added up until one is left.
    for (unsigned run = 1; run < w; run *= 2) {
      const Val<D> mask = d.Const(w, RunMask(w, run));
      a = d.Add(w, d.And(w, a, mask), d.And(w, d.LShr(w, a, d.Const(w, run)), mask));
    }
    return Resize(d, w, 32, false, a);
  }
};

// The number of leading zeros; the width for 0.
template <Domain D>
Val<D> CountLeadingZeros(D& d, unsigned w, Val<D> a) {
  const Val<D> zero = IsZero(d, w, a);
  Val<D> count = d.Const(32, 0);
  for (unsigned step = w / 2; step > 0; step /= 2) {
    const Val<D> empty = IsZero(d, w, d.LShr(w, a, d.Const(w, w - step)));
    count = d.Ite(32, empty, d.Add(32, count, d.Const(32, step)), count);
    a = d.Ite(w, empty, d.Shl(w, a, d.Const(w, step)), a);
  }
  return d.Ite(32, zero, d.Const(32, w), count);
}

struct Clz {
  static constexpr Line kGrammar[] = {"clz.type d:u32, a; .type = { .b32, .b64 }"};
  static constexpr Example kExamples[] = {{".b32", {0}, 32, From::kManual},
                                          {".b32", {1}, 31, From::kManual},
                                          {".b64", {0}, 64, From::kManual},
                                          {".b64", {0x0000000100000000}, 31, From::kManual}};
  static constexpr Spec kSpec = {.mnemonic = "clz",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-clz",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    return CountLeadingZeros(d, BitWidth(m.type), a);
  }
};

// Position of the most significant bit that differs from the sign (unsigned: that is one), all ones if
// there is none; .shiftamt counts it from the top instead.
struct Bfind {
  static constexpr Line kGrammar[] = {"bfind{.shiftamt}.type d:u32, a; .type = { .u32, .u64, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {0}, 0xffffffff, From::kManual},          {".u32", {1}, 0, From::kManual},
      {".shiftamt.u32", {1}, 31, From::kManual},         {".s32", {0xffffffff}, 0xffffffff, From::kManual},
      {".s32", {0xfffffffd}, 1, From::kManual},          {".shiftamt.u32", {0}, 0xffffffff, From::kManual},
      {".u64", {0x8000000000000000}, 63, From::kManual}, {".s64", {~uint64_t{0}}, 0xffffffff, From::kManual},
      {".s64", {uint64_t{1} << 63}, 62, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "bfind",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-bfind",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const unsigned w = BitWidth(m.type);
    if (IsSigned(m.type)) a = d.Ite(w, SignBit(d, w, a), d.Not(w, a), a);
    const Val<D> leading = CountLeadingZeros(d, w, a);
    const Val<D> found = m.shiftamt ? leading : d.Sub(32, d.Const(32, w - 1), leading);
    return d.Ite(32, IsZero(d, w, a), Ones(d, 32), found);
  }
};

// The position of the offset-th set bit of mask counted up (offset > 0) or down (< 0) from base; all ones if there is none.
struct Fns {
  static constexpr Line kGrammar[] = {"fns.b32 d, mask:b32, base:b32, offset:s32"};
  static constexpr Example kExamples[] = {
      {".b32", {0xaaaaaaaa, 3, 1}, 3, From::kManual},          {".b32", {0xaaaaaaaa, 3, 0xffffffff}, 3, From::kManual},
      {".b32", {0xaaaaaaaa, 2, 1}, 3, From::kManual},          {".b32", {0xaaaaaaaa, 2, 0xffffffff}, 1, From::kManual},
      {".b32", {0xaaaaaaaa, 2, 0}, 0xffffffff, From::kManual}, {".b32", {0xaaaaaaaa, 3, 0}, 3, From::kManual},
      {".b32", {0x1, 0, 2}, 0xffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "fns",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-fns",
                                 .since = {.ptx = 60, .sm = 30},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods&, Val<D> mask, Val<D> base, Val<D> offset) {
    const auto number = [&](uint64_t n) { return d.Const(32, n); };
    Val<D> result = Ones(d, 32);
    const auto scan = [&](bool up, Val<D> wanted) {
      Val<D> seen = number(0);
      for (unsigned step = 0; step < 32; ++step) {
        const unsigned i = up ? step : 31 - step;
        const Val<D> in_range = up ? d.Not(1, d.Ult(32, number(i), base)) : d.Not(1, d.Ult(32, base, number(i)));
        const Val<D> counts = d.And(1, d.Extract(1, mask, 32, i), in_range);
        seen = d.Add(32, seen, d.ZExt(1, 32, counts));
        result = d.Ite(32, d.And(1, counts, d.Eq(32, seen, wanted)), number(i), result);
      }
    };
    scan(true, offset);
    scan(false, d.Sub(32, number(0), offset));
    const Val<D> own = d.Extract(1, d.LShr(32, mask, base), 32, 0);
    result = d.Ite(32, IsZero(d, 32, offset), d.Ite(32, own, base, Ones(d, 32)), result);
    return d.Ite(32, d.Ult(32, base, number(32)), result, Ones(d, 32));
  }
  // A base past the end, and the offset without a magnitude.
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods&, std::span<const Val<D>> in) {
    return d.Or(1, d.Not(1, d.Ult(32, in[1], d.Const(32, 32))), d.Eq(32, in[2], d.Const(32, 0x80000000)));
  }
};

struct Brev {
  static constexpr Line kGrammar[] = {"brev.type d, a; .type = { .b32, .b64 }"};
  static constexpr Example kExamples[] = {{".b32", {1}, 0x80000000, From::kManual},
                                          {".b32", {0x0000000b}, 0xd0000000, From::kManual},
                                          {".b64", {2}, 0x4000000000000000, From::kManual}};
  static constexpr Spec kSpec = {.mnemonic = "brev",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-brev",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a) {
    const unsigned w = BitWidth(m.type);
    for (unsigned run = 1; run < w; run *= 2) {
      const Val<D> mask = d.Const(w, RunMask(w, run));
      const Val<D> amount = d.Const(w, run);
      a = d.Or(w, d.Shl(w, d.And(w, a, mask), amount), d.And(w, d.LShr(w, a, amount), mask));
    }
    return a;
  }
};

// Positions and lengths of bfe and bfi are restricted to 0..255, as literals by the front end. The manual's pseudocode takes the low byte;
// hardware does so for 32 bits and not for 64.
template <Domain D>
Val<D> FieldOutOfRange(D& d, const Mods& m, Val<D> pos, Val<D> len) {
  if (BitWidth(m.type) == 32) return d.Const(1, 0);
  return d.Not(1, d.And(1, d.Ult(32, pos, d.Const(32, 256)), d.Ult(32, len, d.Const(32, 256))));
}

// Bits of `a` from `pos`, `len` long; both are the low byte of their register, and a signed field is
// filled from bit min(pos + len - 1, msb).
struct Bfe {
  static constexpr Line kGrammar[] = {"bfe.type d, a, pos:u32:lit=0..255, len:u32:lit=0..255; .type = { .u32, .u64, .s32, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {0x12345678, 8, 8}, 0x56, From::kManual},
      {".s32", {0x0000f000, 12, 4}, 0xffffffff, From::kManual},
      {".s32", {0x80000000, 40, 4}, 0xffffffff, From::kManual},  // past the end: the sign bit
      {".u32", {0xffffffff, 40, 4}, 0, From::kManual},
      {".s32", {0x80000000, 31, 32}, 0xffffffff, From::kManual},
      {".s32", {0xffffffff, 5, 0}, 0, From::kManual},  // empty: 0, signed too
      {".u32", {0xabcdef01, 0, 32}, 0xabcdef01, From::kManual},
      {".u32", {0xabcdef01, 0x100, 0x104}, 1, From::kManual},  // only the low bytes count
      {".s64", {0x8000000000000000, 60, 4}, 0xfffffffffffffff8, From::kManual},
      {".u64", {0x123456789abcdef0, 60, 8}, 1, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "bfe",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-bfe",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> pos, Val<D> len) {
    const unsigned w = BitWidth(m.type);
    const auto byte = [&](Val<D> x) { return d.ZExt(8, w, d.Extract(8, x, 32, 0)); };
    const Val<D> p = byte(pos);
    const Val<D> n = byte(len);
    const Val<D> one = d.Const(w, 1);
    const Val<D> field = d.Sub(w, d.Shl(w, one, n), one);  // len >= w: 0 - 1, all ones
    const Val<D> taken = d.And(w, d.LShr(w, a, p), field);
    if (!IsSigned(m.type)) return taken;
    const Val<D> inside = d.And(w, field, d.LShr(w, Ones(d, w), p));
    const Val<D> last = IntMin(d, w, false, d.Sub(w, d.Add(w, p, n), one), d.Const(w, w - 1));
    const Val<D> sign = d.And(1, d.Not(1, IsZero(d, w, n)), d.Extract(1, d.LShr(w, a, last), w, 0));
    return d.Or(w, taken, d.And(w, d.SExt(1, w, sign), d.Not(w, inside)));
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    return FieldOutOfRange(d, m, in[1], in[2]);
  }
};

// `b` with the low `len` bits of `a` put at `pos`; pos and len are the low byte of their register.
struct Bfi {
  static constexpr Line kGrammar[] = {"bfi.type d, a, b, pos:u32:lit=0..255, len:u32:lit=0..255; .type = { .b32, .b64 }"};
  static constexpr Example kExamples[] = {
      {".b32", {0xff, 0, 8, 4}, 0xf00, From::kManual},
      {".b32", {0, 0xffffffff, 16, 16}, 0x0000ffff, From::kManual},
      {".b32", {0xffffffff, 0x12345678, 32, 4}, 0x12345678, From::kManual},
      {".b32", {0xffffffff, 0x12345678, 28, 40}, 0xf2345678, From::kManual},
      {".b32", {0xffffffff, 0x12345678, 4, 0}, 0x12345678, From::kManual},
      {".b64", {0xabcd, 0, 48, 16}, 0xabcd000000000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "bfi",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-bfi",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> pos, Val<D> len) {
    const unsigned w = BitWidth(m.type);
    const auto byte = [&](Val<D> x) { return d.ZExt(8, w, d.Extract(8, x, 32, 0)); };
    const Val<D> one = d.Const(w, 1);
    const Val<D> mask = d.Shl(w, d.Sub(w, d.Shl(w, one, byte(len)), one), byte(pos));
    return d.Or(w, d.And(w, d.Shl(w, a, byte(pos)), mask), d.And(w, b, d.Not(w, mask)));
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods& m, std::span<const Val<D>> in) {
    return FieldOutOfRange(d, m, in[2], in[3]);
  }
};

// Sign- or zero-extends the low b bits of a. .clamp: b >= 32 keeps all; .wrap: b modulo 32, and 0 bits give 0.
struct Szext {
  static constexpr Line kGrammar[] = {"szext.funnel.type d, a, b:u32; .funnel = { .clamp, .wrap } .type = { .u32, .s32 }"};
  static constexpr Example kExamples[] = {
      {".clamp.s32", {0x88, 8}, 0xffffff88, From::kManual},        {".clamp.u32", {0xffffff88, 8}, 0x88, From::kManual},
      {".clamp.s32", {0x12345678, 32}, 0x12345678, From::kManual}, {".wrap.s32", {0x12345678, 32}, 0, From::kManual},
      {".wrap.s32", {0xff, 36}, 0xffffffff, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "szext",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-szext",
                                 .since = {.ptx = 76, .sm = 70},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const Val<D> width = d.And(32, b, d.Const(32, 31));
    Val<D> mask = d.Shl(32, Ones(d, 32), width);  // the bits above the field
    Val<D> sign = d.And(1, d.Not(1, IsZero(d, 32, width)), d.Extract(1, d.LShr(32, a, d.Sub(32, width, d.Const(32, 1))), 32, 0));
    if (m.funnel == FunnelMode::kClamp) {
      const Val<D> whole = d.Not(1, d.Ult(32, b, d.Const(32, 32)));
      mask = d.Ite(32, whole, d.Const(32, 0), mask);
      sign = d.And(1, sign, d.Not(1, whole));
    }
    const Val<D> low = d.And(32, a, d.Not(32, mask));
    return IsSigned(m.type) ? d.Or(32, low, d.And(32, d.SExt(1, 32, sign), mask)) : low;
  }
};

// b ones from bit a on.
struct Bmsk {
  static constexpr Line kGrammar[] = {"bmsk.funnel.b32 d:u32, a:u32, b:u32; .funnel = { .clamp, .wrap }"};
  static constexpr Example kExamples[] = {
      {".clamp.b32", {4, 8}, 0xff0, From::kManual},       {".clamp.b32", {32, 1}, 0, From::kManual},
      {".clamp.b32", {8, 32}, 0xffffff00, From::kManual}, {".wrap.b32", {32, 1}, 1, From::kManual},
      {".wrap.b32", {8, 32}, 0, From::kManual},           {".clamp.b32", {28, 8}, 0xf0000000, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "bmsk",
                                 .grammar = kGrammar,
                                 .isa = "integer-arithmetic-instructions-bmsk",
                                 .since = {.ptx = 76, .sm = 70},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b) {
    const Val<D> five = d.Const(32, 31);
    const Val<D> position = d.And(32, a, five);
    const Val<D> sum = d.Add(32, position, d.And(32, b, five));
    Val<D> below = d.Shl(32, Ones(d, 32), position);
    Val<D> above = d.Shl(32, Ones(d, 32), sum);  // 0 for a sum of 32 and more
    if (m.funnel == FunnelMode::kClamp) {
      const Val<D> limit = d.Const(32, 32);
      const Val<D> zero = d.Const(32, 0);
      below = d.Ite(32, d.Ult(32, a, limit), below, zero);
      above = d.Ite(32, d.And(1, d.Ult(32, a, limit), d.Ult(32, b, limit)), above, zero);
    }
    return d.And(32, below, d.Not(32, above));
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_BIT_FIELD_H_
