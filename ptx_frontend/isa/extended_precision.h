// Extended-precision integer arithmetic: the carry flag CC.CF is a second result of .cc and a last source of addc, subc and madc.
//
// The manual calls what sub.cc leaves in CC.CF the borrow. What an H200 leaves there, at every level of optimisation, and what
// nvcc's own 128-bit division relies on when it reads it with addc, is the carry of a + ~b + 1: 1 where nothing was borrowed.
// A chain of sub.cc and subc cannot tell the two apart; sub.cc before addc and add.cc before subc can.
#ifndef RACER_PTX_FRONTEND_ISA_EXTENDED_PRECISION_H_
#define RACER_PTX_FRONTEND_ISA_EXTENDED_PRECISION_H_

#include "ptx_frontend/isa/integer_arithmetic.h"
#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// a + b + carry of width w, and the carry out.
template <Domain D>
void AddWithCarry(D& d, unsigned w, Val<D> a, Val<D> b, Val<D> carry, Val<D>* out) {
  if (w < 64) {
    const Val<D> sum = d.Add(64, d.Add(64, d.ZExt(w, 64, a), d.ZExt(w, 64, b)), d.ZExt(1, 64, carry));
    out[0] = d.Extract(w, sum, 64, 0);
    out[1] = d.Extract(1, sum, 64, w);
    return;
  }
  const Val<D> sum = d.Add(w, a, b);
  out[0] = d.Add(w, sum, d.ZExt(1, w, carry));
  // At most one of the two additions overflows.
  out[1] = d.Or(1, d.Ult(w, sum, a), d.Ult(w, out[0], sum));
}

// a + ~b + carry of width w, and its carry: a - b less a borrow where carry is 0, and whether none was borrowed.
template <Domain D>
void SubtractWithCarry(D& d, unsigned w, Val<D> a, Val<D> b, Val<D> carry, Val<D>* out) {
  AddWithCarry(d, w, a, d.Not(w, b), carry, out);
}

struct AddCc {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"add.cc.type d, a, b; .type = { .u32, .s32, .u64, .s64 }"};
  static constexpr Example kExamples[] = {
      {".cc.u32", {0xffffffff, 1}, 0, From::kManual, 1},
      {".cc.u32", {0x7fffffff, 1}, 0x80000000, From::kManual, 0},
      {".cc.s32", {0x7fffffff, 1}, 0x80000000, From::kManual, 0},  // the carry of the unsigned sum, not the overflow
      {".cc.s32", {0xffffffff, 0xffffffff}, 0xfffffffe, From::kManual, 1},
      {".cc.u64", {~uint64_t{0}, 1}, 0, From::kManual, 1},
      {".cc.u64", {0xffffffff, 1}, 0x100000000, From::kManual, 0},
      {".cc.s64", {uint64_t{1} << 63, uint64_t{1} << 63}, 0, From::kManual, 1},
  };
  static constexpr Spec kSpec = {.mnemonic = "add",
                                 .grammar = kGrammar,
                                 .isa = "extended-precision-arithmetic-instructions-add-cc",
                                 .since = {.ptx = 12, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    AddWithCarry(d, BitWidth(m.type), in[0], in[1], d.Const(1, 0), out);
  }
};

struct Addc {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"addc{.cc}.type d, a, b; .type = { .u32, .s32, .u64, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {1, 2, 1}, 4, From::kManual},
      {".u32", {0xffffffff, 0, 1}, 0, From::kManual},
      {".cc.u32", {0xffffffff, 0, 1}, 0, From::kManual, 1},
      {".cc.u32", {0xffffffff, 0, 0}, 0xffffffff, From::kManual, 0},
      {".cc.s32", {0xffffffff, 0xffffffff, 1}, 0xffffffff, From::kManual, 1},
      {".u64", {0xffffffff, 0, 1}, 0x100000000, From::kManual},
      {".cc.u64", {~uint64_t{0}, ~uint64_t{0}, 1}, ~uint64_t{0}, From::kManual, 1},
      {".cc.u64", {~uint64_t{0}, 0, 1}, 0, From::kManual, 1},
      {".cc.s64", {uint64_t{1} << 62, uint64_t{1} << 62, 1}, (uint64_t{1} << 63) + 1, From::kManual, 0},
  };
  static constexpr Spec kSpec = {.mnemonic = "addc",
                                 .grammar = kGrammar,
                                 .isa = "extended-precision-arithmetic-instructions-addc",
                                 .since = {.ptx = 12, .sm = 10},
                                 .examples = kExamples,
                                 .reads_carry = true};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    AddWithCarry(d, BitWidth(m.type), in[0], in[1], in[2], out);
  }
};

struct SubCc {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"sub.cc.type d, a, b; .type = { .u32, .s32, .u64, .s64 }"};
  static constexpr Example kExamples[] = {
      {".cc.u32", {0, 1}, 0xffffffff, From::kHardware, 0},        {".cc.u32", {1, 1}, 0, From::kHardware, 1},
      {".cc.s32", {0x80000000, 1}, 0x7fffffff, From::kManual, 1},  // the borrow of the unsigned difference
      {".cc.s32", {1, 0xffffffff}, 2, From::kManual, 0},          {".cc.u64", {0x100000000, 1}, 0xffffffff, From::kManual, 1},
      {".cc.u64", {0, ~uint64_t{0}}, 1, From::kManual, 0},        {".cc.s64", {0, 1}, ~uint64_t{0}, From::kHardware, 0},
  };
  static constexpr Spec kSpec = {.mnemonic = "sub",
                                 .grammar = kGrammar,
                                 .isa = "extended-precision-arithmetic-instructions-sub-cc",
                                 .since = {.ptx = 12, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    SubtractWithCarry(d, BitWidth(m.type), in[0], in[1], d.Const(1, 1), out);
  }
};

struct Subc {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"subc{.cc}.type d, a, b; .type = { .u32, .s32, .u64, .s64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {5, 2, 1}, 3, From::kHardware},
      {".u32", {5, 2, 0}, 2, From::kHardware},
      {".cc.u32", {0, 0, 0}, 0xffffffff, From::kHardware, 0},
      {".cc.u32", {0, 0, 1}, 0, From::kHardware, 1},
      {".cc.u32", {0, 0xffffffff, 0}, 0, From::kManual, 0},  // b and the borrow do not wrap first
      {".cc.s32", {0xffffffff, 0, 0}, 0xfffffffe, From::kManual, 1},
      {".u64", {0x100000000, 0, 0}, 0xffffffff, From::kManual},
      {".cc.u64", {0, ~uint64_t{0}, 0}, 0, From::kManual, 0},
      {".cc.u64", {7, 7, 0}, ~uint64_t{0}, From::kManual, 0},
      {".cc.s64", {8, 7, 0}, 0, From::kManual, 1},
  };
  static constexpr Spec kSpec = {.mnemonic = "subc",
                                 .grammar = kGrammar,
                                 .isa = "extended-precision-arithmetic-instructions-subc",
                                 .since = {.ptx = 12, .sm = 10},
                                 .examples = kExamples,
                                 .reads_carry = true};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    SubtractWithCarry(d, BitWidth(m.type), in[0], in[1], in[2], out);
  }
};

// The carry is that of adding c to the half of the product.
struct MadCc {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"mad.part.cc.type d, a, b, c; .part = { .hi, .lo } .type = { .u32, .s32, .u64, .s64 }"};
  static constexpr Example kExamples[] = {
      {".lo.cc.u32", {0xffffffff, 2, 2}, 0, From::kManual, 1},  // 0xfffffffe + 2
      {".lo.cc.u32", {0x10000, 0x10000, 5}, 5, From::kManual, 0},
      {".hi.cc.u32", {0xffffffff, 0xffffffff, 2}, 0, From::kManual, 1},  // 0xfffffffe + 2
      {".hi.cc.s32", {0xffffffff, 1, 1}, 0, From::kManual, 1},           // -1 + 1
      {".lo.cc.s32", {0xffffffff, 3, 2}, 0xffffffff, From::kManual, 0},  // -3 + 2
      {".lo.cc.u64", {uint64_t{1} << 32, uint64_t{1} << 32, 9}, 9, From::kManual, 0},
      {".hi.cc.u64", {~uint64_t{0}, ~uint64_t{0}, 2}, 0, From::kManual, 1},
      {".hi.cc.s64", {~uint64_t{0}, 1, 0}, ~uint64_t{0}, From::kManual, 0},
  };
  static constexpr Spec kSpec = {.mnemonic = "mad",
                                 .grammar = kGrammar,
                                 .isa = "extended-precision-arithmetic-instructions-mad-cc",
                                 .since = {.ptx = 30, .sm = 20},
                                 .examples = kExamples};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    AddWithCarry(d, BitWidth(m.type), Mul::Eval(d, m, in[0], in[1]), in[2], d.Const(1, 0), out);
  }
};

struct Madc {
  static constexpr int kResults = 2;
  static constexpr Line kGrammar[] = {"madc.part{.cc}.type d, a, b, c; .part = { .hi, .lo } .type = { .u32, .s32, .u64, .s64 }"};
  static constexpr Example kExamples[] = {
      {".lo.u32", {3, 4, 5, 1}, 18, From::kManual},
      {".hi.u32", {0x80000000, 4, 5, 1}, 8, From::kManual},  // 2 + 5 + 1
      {".lo.cc.u32", {0xffffffff, 1, 0, 1}, 0, From::kManual, 1},
      {".hi.cc.u32", {0xffffffff, 0xffffffff, 1, 1}, 0, From::kManual, 1},
      {".hi.cc.s32", {0xffffffff, 2, 0, 1}, 0, From::kManual, 1},  // -1 + 0 + 1
      {".lo.u64", {3, 4, 5, 0}, 17, From::kManual},
      {".hi.cc.u64", {uint64_t{1} << 63, 2, ~uint64_t{0}, 1}, 1, From::kManual, 1},
      {".lo.cc.s64", {~uint64_t{0}, 1, 0, 1}, 0, From::kManual, 1},
  };
  static constexpr Spec kSpec = {.mnemonic = "madc",
                                 .grammar = kGrammar,
                                 .isa = "extended-precision-arithmetic-instructions-madc",
                                 .since = {.ptx = 30, .sm = 20},
                                 .examples = kExamples,
                                 .reads_carry = true};
  template <Domain D>
  static void EvalMulti(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
    AddWithCarry(d, BitWidth(m.type), Mul::Eval(d, m, in[0], in[1]), in[2], in[3], out);
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_EXTENDED_PRECISION_H_
