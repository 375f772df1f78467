// Loads, stores and addresses: performed by the machine's memory.
#ifndef RACER_PTX_FRONTEND_ISA_MEMORY_H_
#define RACER_PTX_FRONTEND_ISA_MEMORY_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

#define RACER_MEMORY_TYPES                                                                                           \
  ".type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64, .f16, .bf16 } " \
  ".vec = { .v2, .v4, .v8 } "
#define RACER_LOAD_SPACES ".ss = { .const, .global, .local, .param, .param::entry, .param::func, .shared, .shared::cta, .shared::cluster } "
#define RACER_STORE_SPACES ".ss = { .global, .local, .param, .param::func, .shared, .shared::cta, .shared::cluster } "
#define RACER_CACHE_HINTS                                                                                   \
  ".l1 = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last, .L1::no_allocate } " \
  ".l2 = { .L2::evict_normal, .L2::evict_first, .L2::evict_last } .prefetch = { .L2::64B, .L2::128B, .L2::256B } "
#define RACER_SCOPES ".scope = { .cta, .cluster, .gpu, .sys } "

// Sign-extends signed narrow types into a wider register.
struct Ld {
  static constexpr Line kGrammar[] = {
      "ld{.weak}{.ss}{.cop}{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy:b64}; .cop = { .ca, .cg, .cs, .lu, .cv "
      "} " RACER_LOAD_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld{.weak}{.ss}{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type{.unified} d, [a]{, policy:b64}; " RACER_LOAD_SPACES RACER_CACHE_HINTS
          RACER_MEMORY_TYPES,
      "ld.order{.ss}{.prefetch}{.vec}.type d, [a]; .order = { .volatile } " RACER_LOAD_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld.order.scope{.ss}{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy:b64}; .order = { .relaxed, .acquire "
      "} " RACER_SCOPES RACER_LOAD_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld.mmio.relaxed.sys{.ss}.type d, [a]; " RACER_LOAD_SPACES RACER_MEMORY_TYPES,
      "ld.global{.cop}.nc{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy:b64}; .cop = { .ca, .cg, .cs "
      "} " RACER_CACHE_HINTS RACER_MEMORY_TYPES,
  };
  static constexpr Spec kSpec = {.mnemonic = "ld",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-ld",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kMemory};
};

// Read-only loads of an address that is uniform over the warp.
struct Ldu {
  static constexpr Line kGrammar[] = {"ldu{.ss}{.vec}.type d, [a]; .ss = { .global } " RACER_MEMORY_TYPES};
  static constexpr Spec kSpec = {.mnemonic = "ldu",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-ldu",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kMemory};
};

struct St {
  static constexpr Line kGrammar[] = {
      "st{.weak}{.ss}{.cop}{.l1}{.l2}{.L2::cache_hint}{.vec}.type [a], b{, policy:b64}; .cop = { .wb, .cg, .cs, .wt } " RACER_STORE_SPACES
          RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "st.order{.ss}{.vec}.type [a], b; .order = { .volatile } " RACER_STORE_SPACES RACER_MEMORY_TYPES,
      "st.order.scope{.ss}{.l1}{.l2}{.L2::cache_hint}{.vec}.type [a], b{, policy:b64}; .order = { .relaxed, .release } " RACER_SCOPES
          RACER_STORE_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "st.mmio.relaxed.sys{.ss}.type [a], b; " RACER_STORE_SPACES RACER_MEMORY_TYPES,
  };
  static constexpr Spec kSpec = {.mnemonic = "st",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-st",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kMemory};
};

// Address in a space to generic address, or with .to the other way. a may be a variable.
struct Cvta {
  static constexpr Line kGrammar[] = {
      "cvta.ss.type d, a; .type = { .u32, .u64 } "
      ".ss = { .const, .global, .local, .param, .param::entry, .shared, .shared::cta, .shared::cluster }",
      "cvta.to.ss.type d, a; .type = { .u32, .u64 } "
      ".ss = { .const, .global, .local, .param, .param::entry, .shared, .shared::cta, .shared::cluster }",
  };
  static constexpr Spec kSpec = {.mnemonic = "cvta",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvta",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kMemory};
};

struct Isspacep {
  static constexpr Line kGrammar[] = {
      "isspacep.ss p:pred, a:any; .ss = { .const, .global, .local, .param, .param::entry, .shared, .shared::cta, .shared::cluster }"};
  static constexpr Spec kSpec = {.mnemonic = "isspacep",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-isspacep",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kMemory};
};

// Hints: no value changes and no access is made.
struct Prefetch {
  static constexpr Line kGrammar[] = {
      "prefetch{.ss}.level [a]; .ss = { .global, .local } .level = { .L1, .L2 }",
      "prefetch.global.evict [a]; .evict = { .L2::evict_last, .L2::evict_normal }",
  };
  static constexpr Spec kSpec = {.mnemonic = "prefetch",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-prefetch-prefetchu",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kNone};
};

struct Prefetchu {
  static constexpr Line kGrammar[] = {"prefetchu.L1 [a]"};
  static constexpr Spec kSpec = {.mnemonic = "prefetchu",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-prefetch-prefetchu",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kNone};
};

#undef RACER_MEMORY_TYPES
#undef RACER_LOAD_SPACES
#undef RACER_STORE_SPACES
#undef RACER_CACHE_HINTS
#undef RACER_SCOPES

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_MEMORY_H_
