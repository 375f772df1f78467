// Atomic operations on memory: the machine makes the access, Combine says what the location holds after it.
#ifndef RACER_PTX_FRONTEND_ISA_ATOMIC_H_
#define RACER_PTX_FRONTEND_ISA_ATOMIC_H_

#include "base/check.h"
#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// What a location that held `old` holds after the operation with b (cas: stores c where it holds b). `m.type` is the type of
// one element; `m.ftz` is the machine's: additions of .f32 flush subnormals in global memory and nowhere else (PTX ISA,
// "atom"). 128-bit elements are the machine's too: they are moved and compared, not computed.
template <Domain D>
constexpr Val<D> CombineAtomic(D& d, const Mods& m, Val<D> old, Val<D> b, Val<D> c) {
  const unsigned w = BitWidth(m.type);
  switch (m.reduce) {
    case ReduceOp::kAnd: return d.And(w, old, b);
    case ReduceOp::kOr: return d.Or(w, old, b);
    case ReduceOp::kXor: return d.Xor(w, old, b);
    case ReduceOp::kExch: return b;
    case ReduceOp::kCas: return d.Ite(w, d.Eq(w, old, b), c, old);
    case ReduceOp::kAdd: return IsFloat(m.type) ? FpLanewise(d, FpKind::kAdd, m, old, b) : d.Add(w, old, b);
    case ReduceOp::kMin: return IsFloat(m.type) ? FpLanewise(d, FpKind::kMin, m, old, b) : IntMin(d, w, IsSigned(m.type), old, b);
    case ReduceOp::kMax: return IsFloat(m.type) ? FpLanewise(d, FpKind::kMax, m, old, b) : IntMax(d, w, IsSigned(m.type), old, b);
    // old >= b ? 0 : old + 1
    case ReduceOp::kInc: return d.Ite(w, d.Ult(w, old, b), d.Add(w, old, d.Const(w, 1)), d.Const(w, 0));
    // old == 0 || old > b ? b : old - 1
    case ReduceOp::kDec: return d.Ite(w, d.Ult(w, b, old), b, d.Ite(w, IsZero(d, w, old), b, d.Sub(w, old, d.Const(w, 1))));
    case ReduceOp::kNone:
    case ReduceOp::kPopc: break;
  }
  RACER_UNREACHABLE(static_cast<int>(m.reduce));
}

#define RACER_ATOMIC_SPACES ".ss = { .global, .shared, .shared::cta, .shared::cluster } .scope = { .cta, .cluster, .gpu, .sys } "
#define RACER_ATOM_FORM(operation) "atom{.order}{.scope}{.ss}." operation " "
#define RACER_ATOM_CLASSES RACER_ATOMIC_SPACES ".order = { .relaxed, .acquire, .release, .acq_rel } "
#define RACER_RED_FORM(operation) "red{.order}{.scope}{.ss}." operation " "
#define RACER_RED_CLASSES RACER_ATOMIC_SPACES ".order = { .relaxed, .release } "
#define RACER_VECTOR_SPACES ".ss = { .global } .scope = { .cta, .cluster, .gpu, .sys } "

#define RACER_ATOMIC_RULES                                                                                                  \
  {".L2::cache_hint & .shared|.shared::cta|.shared::cluster", "hints for the caches are for global and generic addresses"}, \
      {".v2|.v4|.v8", "@8.1/sm_90"}, {".cta|.gpu|.sys", "@5.0/sm_60"}, {".f64", "@5.0/sm_60"}, {".f16x2", "@6.2/sm_60"},    \
      {".f16", "@6.3/sm_70"}, {".bf16|.bf16x2", "@7.8/sm_90"}, {".b128", "@8.3/sm_90"}, {".b128 & .sys", "@8.4/sm_90"}

// d: what the location held before. Examples: old, b, c and what it holds afterwards.
struct Atom {
  static constexpr Line kGrammar[] = {
      RACER_ATOM_FORM("reduce{.L2::cache_hint}.type") "d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .and, .or, .xor } .type = { .b32, .b64 "
                                                      "} " RACER_ATOM_CLASSES,
      RACER_ATOM_FORM("reduce{.L2::cache_hint}.type") "d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .exch } .type = { .b32, .b64, .b128 "
                                                      "} " RACER_ATOM_CLASSES,
      RACER_ATOM_FORM("reduce{.L2::cache_hint}.type") "d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add } .type = { .u32, .u64, .s32, .f32, .f64 "
                                                      "} " RACER_ATOM_CLASSES,
      RACER_ATOM_FORM("reduce{.L2::cache_hint}.type") "d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .inc, .dec } .type = { .u32 "
                                                      "} " RACER_ATOM_CLASSES,
      RACER_ATOM_FORM("reduce{.L2::cache_hint}.type") "d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .min, .max } .type = { .u32, .u64, .s32, .s64 "
                                                      "} " RACER_ATOM_CLASSES,
      RACER_ATOM_FORM("reduce.type") "d, [a], b, c; .reduce = { .cas } .type = { .b16, .b32, .b64, .b128 } " RACER_ATOM_CLASSES,
      RACER_ATOM_FORM("reduce.noftz{.L2::cache_hint}.type") "d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add } .type = { .f16, .f16x2, .bf16, "
                                                            ".bf16x2 } " RACER_ATOM_CLASSES,
      "atom{.order}{.scope}{.ss}.reduce{.L2::cache_hint}.vec.type d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add } .vec = { .v2, .v4 } .type = { "
      ".f32 } .order = { .relaxed, .acquire, .release, .acq_rel } " RACER_VECTOR_SPACES,
      "atom{.order}{.scope}{.ss}.reduce.noftz{.L2::cache_hint}.vec.type d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add, .min, .max } .vec = { "
      ".v2, .v4, .v8 } .type = { .f16, .bf16 } .order = { .relaxed, .acquire, .release, .acq_rel } " RACER_VECTOR_SPACES,
      "atom{.order}{.scope}{.ss}.reduce.noftz{.L2::cache_hint}.vec.type d, [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add, .min, .max } .vec = { "
      ".v2, .v4 } .type = { .f16x2, .bf16x2 } .order = { .relaxed, .acquire, .release, .acq_rel } " RACER_VECTOR_SPACES,
  };
  static constexpr Example kExamples[] = {
      {".global.and.b32", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00, From::kManual},
      {".global.or.b64", {0xff00000000000000, 0xff}, 0xff000000000000ff, From::kManual},
      {".global.xor.b32", {0xffffffff, 0x0f0f0f0f}, 0xf0f0f0f0, From::kManual},
      {".global.exch.b32", {7, 9}, 9, From::kManual},
      {".global.add.u32", {0xffffffff, 2}, 1, From::kManual},
      {".shared.add.s32", {5, 0xfffffffe}, 3, From::kManual},
      {".global.add.u64", {0xffffffff, 1}, 0x100000000, From::kManual},
      {".global.add.f32", {0x3f800000, 0x40000000}, 0x40400000, From::kManual},
      {".global.add.f64", {0x3ff0000000000000, 0x3ff0000000000000}, 0x4000000000000000, From::kManual},
      {".global.inc.u32", {3, 7}, 4, From::kManual},
      {".global.inc.u32", {7, 7}, 0, From::kManual},
      {".global.inc.u32", {9, 7}, 0, From::kManual},
      {".global.dec.u32", {3, 7}, 2, From::kManual},
      {".global.dec.u32", {0, 7}, 7, From::kManual},
      {".global.dec.u32", {8, 7}, 7, From::kManual},
      {".global.dec.u32", {7, 7}, 6, From::kManual},
      {".global.min.s32", {0xffffffff, 1}, 0xffffffff, From::kManual},
      {".global.min.u32", {0xffffffff, 1}, 1, From::kManual},
      {".global.max.s64", {0xffffffffffffffff, 1}, 1, From::kManual},
      {".global.max.u64", {0xffffffffffffffff, 1}, 0xffffffffffffffff, From::kManual},
      {".global.cas.b32", {5, 5, 9}, 9, From::kManual},
      {".global.cas.b16", {5, 6, 9}, 5, From::kManual},
      {".global.add.noftz.f16", {0x0001, 0x0001}, 0x0002, From::kManual},                // subnormals are kept
      {".global.add.noftz.f16x2", {0x3c003c00, 0x40003c00}, 0x42004000, From::kManual},  // {1, 1} + {1, 2}
      {".global.add.noftz.bf16", {0x3f80, 0x3f80}, 0x4000, From::kManual},
      {".global.add.noftz.bf16x2", {0x3f803f80, 0x40003f80}, 0x40404000, From::kManual},
  };
  static constexpr Rule kRules[] = {RACER_ATOMIC_RULES};
  static constexpr Spec kSpec = {.mnemonic = "atom",
                                 .grammar = kGrammar,
                                 .isa = "parallel-synchronization-and-communication-instructions-atom",
                                 .since = {.ptx = 11, .sm = 11},
                                 .effect = Effect::kMemory,
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Combine(D& d, const Mods& m, Val<D> old, Val<D> b, Val<D> c) {
    return CombineAtomic(d, m, old, b, c);
  }
};

// atom without its result.
struct Red {
  static constexpr Line kGrammar[] = {
      RACER_RED_FORM("reduce{.L2::cache_hint}.type") "[a], b{, policy:u64?L2::cache_hint}; .reduce = { .and, .or, .xor } .type = { .b32, .b64 "
                                                     "} " RACER_RED_CLASSES,
      RACER_RED_FORM("reduce{.L2::cache_hint}.type") "[a], b{, policy:u64?L2::cache_hint}; .reduce = { .add } .type = { .u32, .u64, .s32, .f32, .f64 "
                                                     "} " RACER_RED_CLASSES,
      RACER_RED_FORM("reduce{.L2::cache_hint}.type") "[a], b{, policy:u64?L2::cache_hint}; .reduce = { .inc, .dec } .type = { .u32 } " RACER_RED_CLASSES,
      RACER_RED_FORM("reduce{.L2::cache_hint}.type") "[a], b{, policy:u64?L2::cache_hint}; .reduce = { .min, .max } .type = { .u32, .u64, .s32, .s64 "
                                                     "} " RACER_RED_CLASSES,
      RACER_RED_FORM("reduce.noftz{.L2::cache_hint}.type") "[a], b{, policy:u64?L2::cache_hint}; .reduce = { .add } .type = { .f16, .f16x2, .bf16, "
                                                           ".bf16x2 } " RACER_RED_CLASSES,
      "red{.order}{.scope}{.ss}.reduce{.L2::cache_hint}.vec.type [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add } .vec = { .v2, .v4 } .type = { "
      ".f32 } .order = { .relaxed, .release } " RACER_VECTOR_SPACES,
      "red{.order}{.scope}{.ss}.reduce.noftz{.L2::cache_hint}.vec.type [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add, .min, .max } .vec = { .v2, "
      ".v4, .v8 } .type = { .f16, .bf16 } .order = { .relaxed, .release } " RACER_VECTOR_SPACES,
      "red{.order}{.scope}{.ss}.reduce.noftz{.L2::cache_hint}.vec.type [a], b{, policy:u64?L2::cache_hint}; .reduce = { .add, .min, .max } .vec = { .v2, "
      ".v4 } .type = { .f16x2, .bf16x2 } .order = { .relaxed, .release } " RACER_VECTOR_SPACES,
  };
  static constexpr Example kExamples[] = {
      {".global.and.b64", {0xff00, 0x0ff0}, 0x0f00, From::kManual},
      {".global.or.b32", {0xff00, 0x0ff0}, 0xfff0, From::kManual},
      {".global.xor.b64", {0xff00, 0x0ff0}, 0xf0f0, From::kManual},
      {".shared.add.u32", {0xffffffff, 2}, 1, From::kManual},
      {".global.add.f32", {0x3f800000, 0xbf800000}, 0, From::kManual},
      {".shared.inc.u32", {7, 7}, 0, From::kManual},
      {".shared.dec.u32", {0, 7}, 7, From::kManual},
      {".global.min.s64", {0xffffffffffffffff, 1}, 0xffffffffffffffff, From::kManual},
      {".global.max.u32", {0xffffffff, 1}, 0xffffffff, From::kManual},
      {".global.add.noftz.f16x2", {0x3c003c00, 0x40003c00}, 0x42004000, From::kManual},
  };
  static constexpr Rule kRules[] = {RACER_ATOMIC_RULES};
  static constexpr Spec kSpec = {.mnemonic = "red",
                                 .grammar = kGrammar,
                                 .isa = "parallel-synchronization-and-communication-instructions-red",
                                 .since = {.ptx = 12, .sm = 11},
                                 .effect = Effect::kMemory,
                                 .examples = kExamples,
                                 .rules = kRules};
  template <Domain D>
  static Val<D> Combine(D& d, const Mods& m, Val<D> old, Val<D> b, Val<D> c) {
    return CombineAtomic(d, m, old, b, c);
  }
};

#undef RACER_ATOMIC_SPACES
#undef RACER_ATOM_FORM
#undef RACER_ATOM_CLASSES
#undef RACER_RED_FORM
#undef RACER_RED_CLASSES
#undef RACER_VECTOR_SPACES
#undef RACER_ATOMIC_RULES

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_ATOMIC_H_
