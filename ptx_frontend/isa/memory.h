// Loads, stores and addresses: performed by the machine's memory.
#ifndef RACER_PTX_FRONTEND_ISA_MEMORY_H_
#define RACER_PTX_FRONTEND_ISA_MEMORY_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

#define RACER_MEMORY_TYPES                                                                              \
  ".type = { .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 } " \
  ".vec = { .v2, .v4, .v8 } "
#define RACER_LOAD_SPACES ".ss = { .const, .global, .local, .param, .param::entry, .param::func, .shared, .shared::cta, .shared::cluster } "
#define RACER_STORE_SPACES ".ss = { .global, .local, .param, .param::func, .shared, .shared::cta, .shared::cluster } "
#define RACER_CACHE_HINTS                                                                                   \
  ".l1 = { .L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last, .L1::no_allocate } " \
  ".l2 = { .L2::evict_normal, .L2::evict_first, .L2::evict_last } .prefetch = { .L2::64B, .L2::128B, .L2::256B } "
#define RACER_SCOPES ".scope = { .cta, .cluster, .gpu, .sys } "

#define RACER_NOT_GLOBAL ".const|.local|.param|.param::entry|.param::func|.shared|.shared::cta|.shared::cluster"
#define RACER_NOT_ORDERED ".const|.local|.param|.param::entry|.param::func"
#define RACER_WORDS ".b64|.u64|.s64|.f64"
// Which of their modifiers loads and stores have together (ptxas 13.0).
#define RACER_ACCESS_RULES                                                                                                               \
  {".L1::*|.L2::* & " RACER_NOT_GLOBAL, "hints for the caches are for global and generic addresses"},                                    \
      {".L2::evict_* & !.v4|.v8", "`.L2::evict_...` is for accesses of 256 bits, `.v4` of 64 or `.v8` of 32"},                           \
      {".L2::evict_* & .v4 & !" RACER_WORDS, "`.L2::evict_...` is for accesses of 256 bits, `.v4` of 64 or `.v8` of 32"},                \
      {".v2|.v4|.v8 & .b128", "vectors have no elements of 128 bits"},                                                                   \
      {".v8 & !.b32|.u32|.s32|.f32", "a vector of `.v8` has elements of 32 bits"},                                                       \
      {".v8 & " RACER_NOT_GLOBAL, "accesses of 256 bits are to global and generic addresses"},                                           \
      {".v4 & " RACER_WORDS " & " RACER_NOT_GLOBAL, "accesses of 256 bits are to global and generic addresses"}, {".v8", "@8.8/sm_100"}, \
      {".v4 & " RACER_WORDS, "@8.8/sm_100"},                                                                                             \
      {".ca|.cg|.cs|.lu|.cv|.wb|.wt & .L1::*", "a cache operator and a hint for L1 exclude each other"},                                 \
      {".volatile|.relaxed|.acquire|.release & " RACER_NOT_ORDERED,                                                                      \
       "memory orders are for global and shared memory and generic addresses"},                                                          \
      {".mmio & .shared|.shared::cta|.shared::cluster", "`.mmio` is for global and generic addresses"}

// Sign-extends signed narrow types into a wider register.
struct Ld {
  static constexpr Line kGrammar[] = {
      "ld{.weak}{.ss}{.cop}{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy:u64?L2::cache_hint}; .cop = { .ca, .cg, .cs, "
      ".lu, .cv "
      "} " RACER_LOAD_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld{.weak}{.ss}{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type{.unified} d, [a]{, policy:u64?L2::cache_hint}; " RACER_LOAD_SPACES
          RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld.order{.ss}{.prefetch}{.vec}.type d, [a]; .order = { .volatile } " RACER_LOAD_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld.order.scope{.ss}{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy:u64?L2::cache_hint}; .order = { .relaxed, "
      ".acquire "
      "} " RACER_SCOPES RACER_LOAD_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "ld.mmio.relaxed.sys{.ss}.type d, [a]; " RACER_LOAD_SPACES RACER_MEMORY_TYPES,
      "ld.global{.cop}.nc{.l1}{.l2}{.L2::cache_hint}{.prefetch}{.vec}.type d, [a]{, policy:u64?L2::cache_hint}; .cop = { .ca, .cg, .cs "
      "} " RACER_CACHE_HINTS RACER_MEMORY_TYPES,
  };
  static constexpr Rule kRules[] = {RACER_ACCESS_RULES};
  static constexpr Spec kSpec = {.mnemonic = "ld",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-ld",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kMemory,
                                 .rules = kRules};
};

// Read-only loads of an address that is uniform over the warp.
struct Ldu {
  static constexpr Line kGrammar[] = {"ldu{.ss}{.vec}.type d, [a]; .ss = { .global } " RACER_MEMORY_TYPES};
  static constexpr Rule kRules[] = {
      {".v2|.v4|.v8 & .b128", "vectors have no elements of 128 bits"},
      {".v4 & " RACER_WORDS, "a vector has at most 128 bits"},
      {".v8", "a vector has at most 4 elements"},
  };
  static constexpr Spec kSpec = {.mnemonic = "ldu",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-ldu",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kMemory,
                                 .rules = kRules};
};

struct St {
  static constexpr Line kGrammar[] = {
      "st{.weak}{.ss}{.cop}{.l1}{.l2}{.L2::cache_hint}{.vec}.type [a], b{, policy:u64?L2::cache_hint}; .cop = { .wb, .cg, .cs, .wt "
      "} " RACER_STORE_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "st.order{.ss}{.vec}.type [a], b; .order = { .volatile } " RACER_STORE_SPACES RACER_MEMORY_TYPES,
      "st.order.scope{.ss}{.l1}{.l2}{.L2::cache_hint}{.vec}.type [a], b{, policy:u64?L2::cache_hint}; .order = { .relaxed, .release "
      "} " RACER_SCOPES RACER_STORE_SPACES RACER_CACHE_HINTS RACER_MEMORY_TYPES,
      "st.mmio.relaxed.sys{.ss}.type [a], b; " RACER_STORE_SPACES RACER_MEMORY_TYPES,
  };
  static constexpr Rule kRules[] = {RACER_ACCESS_RULES};
  static constexpr Spec kSpec = {.mnemonic = "st",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-st",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kMemory,
                                 .rules = kRules};
};

// Address in a space to generic address, or with .to the other way. a may be a variable.
struct Cvta {
  static constexpr Line kGrammar[] = {
      "cvta.ss.type d, a; .type = { .u32, .u64 } "
      ".ss = { .const, .global, .local, .param, .param::entry, .shared, .shared::cta, .shared::cluster }",
      "cvta.to.ss.type d, a; .type = { .u32, .u64 } "
      ".ss = { .const, .global, .local, .param, .param::entry, .shared, .shared::cta, .shared::cluster }",
  };
  static constexpr Rule kRules[] = {{".param|.param::entry", "@7.7/sm_70"}};
  static constexpr Spec kSpec = {.mnemonic = "cvta",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-cvta",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kMemory,
                                 .rules = kRules};
};

struct Isspacep {
  static constexpr Line kGrammar[] = {
      "isspacep.ss p:pred, a:any; .ss = { .const, .global, .local, .param, .param::entry, .shared, .shared::cta, .shared::cluster }"};
  static constexpr Rule kRules[] = {{".param|.param::entry", "@7.7/sm_70"}};
  static constexpr Spec kSpec = {.mnemonic = "isspacep",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-isspacep",
                                 .since = {.ptx = 20, .sm = 20},
                                 .effect = Effect::kMemory,
                                 .rules = kRules};
};

// Hints: no value changes and no access is made.
struct Prefetch {
  static constexpr Line kGrammar[] = {
      "prefetch{.ss}.level [a]; .ss = { .global, .local } .level = { .L1, .L2 }",
      "@7.4/sm_80 prefetch{.global}.evict [a]; .evict = { .L2::evict_last, .L2::evict_normal }",
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
#undef RACER_NOT_GLOBAL
#undef RACER_NOT_ORDERED
#undef RACER_WORDS
#undef RACER_ACCESS_RULES

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_MEMORY_H_
