// Moves and byte permutation. Loads and stores are in memory.h.
#ifndef RACER_PTX_FRONTEND_ISA_DATA_MOVEMENT_H_
#define RACER_PTX_FRONTEND_ISA_DATA_MOVEMENT_H_

#include "ptx_frontend/isa/parsed_only.h"
#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// Eval is the plain move. A vector operand packs or unpacks (Pack, Unpack), and a variable, label or
// function operand is an address: the operand's kind tells the machine which.
struct Mov {
  static constexpr Line kGrammar[] = {"mov.type d, a; .type = { .pred, .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 }"};
  static constexpr Example kExamples[] = {
      {".u32", {0xff800000}, 0xff800000, From::kManual},
      {".pred", {1}, 1, From::kManual},
      {".f32", {0x7f800001}, 0x7f800001, From::kManual},  // bits move unchanged,
      {".b16", {0x8001}, 0x8001, From::kManual},
      {".b32", {0x80000001}, 0x80000001, From::kManual},
      {".b64", {uint64_t{1} << 63}, uint64_t{1} << 63, From::kManual},
      {".f64", {0x7ff0000000000001}, 0x7ff0000000000001, From::kManual},
      {".s16", {0xffff}, 0xffff, From::kManual},
      {".s32", {0x80000000}, 0x80000000, From::kManual},
      {".s64", {~uint64_t{0}}, ~uint64_t{0}, From::kManual},
      {".u16", {0xffff}, 0xffff, From::kManual},
      {".u64", {0x0123456789abcdef}, 0x0123456789abcdef, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mov",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-mov",
                                 .since = {.ptx = 10, .sm = 10},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D&, const Mods&, Val<D> a) {
    return a;
  }
  // mov.b64 d, {a, b}: the first element is the least significant. The elements' widths are those of their registers
  // and add up to the instruction type's.
  template <Domain D>
  static Val<D> Pack(D& d, unsigned element_width, std::span<const Val<D>> elements) {
    Val<D> result = elements[0];
    unsigned width = element_width;
    for (size_t i = 1; i < elements.size(); ++i, width += element_width) result = d.Concat(element_width, elements[i], width, result);
    return result;
  }
  // mov.b64 {d, e}, a.
  template <Domain D>
  static void Unpack(D& d, unsigned element_width, Val<D> a, std::span<Val<D>> elements) {
    const unsigned width = element_width * static_cast<unsigned>(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = d.Extract(element_width, a, width, element_width * static_cast<unsigned>(i));
  }
};

// A register of 128 bits is two of 64 to the machine, which moves, packs and unpacks them.
struct Mov128 {
  static constexpr Line kGrammar[] = {"mov.type d, a; .type = { .b128 }"};
  static constexpr Spec kSpec = {.mnemonic = "mov",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-mov",
                                 .since = {.ptx = 83, .sm = 70},
                                 .effect = Effect::kMemory};
};

// Of all elements of a vector at once, as the first versions of PTX had it.
RACER_PARSED_ONLY(MovVector, "mov", "data-movement-and-conversion-instructions-mov", 10, 10,
                  "mov.vec.type d, b; .vec = { .v2 } .type = { .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64 }",
                  "mov.vec.type d, b; .vec = { .v4 } .type = { .b16, .b32, .u16, .u32, .s16, .s32, .f32 }");

// Bytes of {b, a} picked by four selectors; a selector with its high bit set replicates the byte's sign.
struct Prmt {
  static constexpr Line kGrammar[] = {"prmt.b32{.permute} d, a, b, c; .permute = { .f4e, .b4e, .rc8, .ecl, .ecr, .rc16 }"};
  static constexpr Example kExamples[] = {
      {".b32", {0x33221100, 0x77665544, 0x3210}, 0x33221100, From::kManual},
      {".b32", {0x33221100, 0x77665544, 0x5410}, 0x55441100, From::kManual},
      {".b32", {0x33221100, 0x77665544, 0x7632}, 0x77663322, From::kManual},
      {".b32", {0x80ff7f00, 0x00000000, 0xba98}, 0xffff0000, From::kManual},
      {".b32", {0x80ff7f00, 0x00000000, 0xffff3210}, 0x80ff7f00, From::kManual},  // only 16 bits of c count
      {".b32.f4e", {0x33221100, 0x77665544, 1}, 0x44332211, From::kManual},
      {".b32.b4e", {0x33221100, 0x77665544, 1}, 0x66770011, From::kManual},
      {".b32.rc8", {0x33221100, 0x77665544, 2}, 0x22222222, From::kManual},
      {".b32.ecl", {0x33221100, 0x77665544, 1}, 0x33221111, From::kManual},
      {".b32.ecr", {0x33221100, 0x77665544, 1}, 0x11111100, From::kManual},
      {".b32.rc16", {0x33221100, 0x77665544, 3}, 0x33223322, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "prmt",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-prmt",
                                 .since = {.ptx = 20, .sm = 20},
                                 .examples = kExamples};

  // Selectors of result bytes 3..0 as hexadecimal digits, for the low two bits of c.
  static constexpr uint16_t Selectors(PermuteMode mode, unsigned row) {
    constexpr uint16_t kTable[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
        {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
        {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
        {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
        {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
        {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
    };
    return kTable[static_cast<int>(mode) - 1][row];
  }

  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    if (m.permute != PermuteMode::kNone) {
      const Val<D> row = d.Extract(2, c, 32, 0);
      c = d.Const(32, Selectors(m.permute, 0));
      for (unsigned i = 1; i < 4; ++i) c = d.Ite(32, d.Eq(2, row, d.Const(2, i)), d.Const(32, Selectors(m.permute, i)), c);
    }
    const auto byte = [&](unsigned i) { return d.Extract(8, i < 4 ? a : b, 32, 8 * (i % 4)); };
    const auto pick = [&](unsigned position) {
      const Val<D> selector = d.Extract(3, c, 32, 4 * position);
      // A chain of selections rather than a shift: with a constant selector it is the byte itself.
      Val<D> picked = byte(0);
      for (unsigned i = 1; i < 8; ++i) picked = d.Ite(8, d.Eq(3, selector, d.Const(3, i)), byte(i), picked);
      const Val<D> replicate = d.Extract(1, c, 32, 4 * position + 3);
      return d.Ite(8, replicate, d.SExt(1, 8, SignBit(d, 8, picked)), picked);
    };
    Val<D> result = pick(0);
    for (unsigned i = 1; i < 4; ++i) result = d.Concat(8, pick(i), 8 * i, result);
    return result;
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_DATA_MOVEMENT_H_
