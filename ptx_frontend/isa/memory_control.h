// Caches, stacks, addresses within a cluster and fences.
#ifndef RACER_PTX_FRONTEND_ISA_MEMORY_CONTROL_H_
#define RACER_PTX_FRONTEND_ISA_MEMORY_CONTROL_H_

#include <span>

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// What it discards holds nothing afterwards: reading it is reading what was never written.
struct Discard {
  static constexpr Line kGrammar[] = {"discard{.ss}.L2 [a], size:u32:imm=128; .ss = { .global }"};
  static constexpr Spec kSpec = {.mnemonic = "discard",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-discard",
                                 .since = {.ptx = 74, .sm = 80},
                                 .effect = Effect::kMemory};
};

struct Applypriority {
  static constexpr Line kGrammar[] = {"applypriority{.global}.L2::evict_normal [a], size:u32:imm=128"};
  static constexpr Spec kSpec = {.mnemonic = "applypriority",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-applypriority",
                                 .since = {.ptx = 74, .sm = 80},
                                 .effect = Effect::kNone};
};

// A policy is opaque: it is good for the policy operand of an access alone.
struct Createpolicy {
  static constexpr Line kGrammar[] = {
      "createpolicy.range{.global}.primary{.secondary}.b64 d, [a], primary_size:u32, total_size:u32; .primary = { .L2::evict_last, "
      ".L2::evict_normal, .L2::evict_first, .L2::evict_unchanged } .secondary = { .L2::evict_first, .L2::evict_unchanged }",
      "createpolicy.fractional.primary{.secondary}.b64 d{, fraction:f32}; .primary = { .L2::evict_last, .L2::evict_normal, "
      ".L2::evict_first, .L2::evict_unchanged } .secondary = { .L2::evict_first, .L2::evict_unchanged }",
      "createpolicy.cvt.L2.b64 d, a",
  };
  static constexpr Spec kSpec = {.mnemonic = "createpolicy",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-createpolicy",
                                 .since = {.ptx = 74, .sm = 80},
                                 .effect = Effect::kMemory};
};

// The address in CTA b of the cluster that corresponds to a in this one. Launches of clusters are refused, so there is CTA 0 alone.
struct Mapa {
  static constexpr Line kGrammar[] = {"mapa{.space}.type d, a, b:u32; .space = { .shared::cluster } .type = { .u32, .u64 }"};
  static constexpr Example kExamples[] = {
      {".shared::cluster.u32", {0x40, 0}, 0x40, From::kManual},
      {".u64", {0x7f0000000040, 0}, 0x7f0000000040, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "mapa",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-mapa",
                                 .since = {.ptx = 78, .sm = 90},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D&, const Mods&, Val<D> a, Val<D>) {
    return a;
  }
  template <Domain D>
  static Val<D> Unspecified(D& d, const Mods&, std::span<const Val<D>> in) {
    return d.Not(1, IsZero(d, 32, in[1]));
  }
};

struct Getctarank {
  static constexpr Line kGrammar[] = {"getctarank{.space}.type d:u32, a; .space = { .shared::cluster } .type = { .u32, .u64 }"};
  static constexpr Example kExamples[] = {
      {".shared::cluster.u32", {0x40}, 0, From::kManual},
      {".u64", {0x7f0000000040}, 0, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "getctarank",
                                 .grammar = kGrammar,
                                 .isa = "data-movement-and-conversion-instructions-getctarank",
                                 .since = {.ptx = 78, .sm = 90},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods&, Val<D>) {
    return d.Const(32, 0);
  }
};

// Local memory until the function returns or the stack is restored.
struct Alloca {
  static constexpr Line kGrammar[] = {
      "alloca.type d, size{, "
      "align:u32:imm=1|2|4|8|16|32|64|128|256|512|1024|2048|4096|8192|16384|32768|65536|131072|262144|524288|1048576|2097152|"
      "4194304|8388608}; .type = { .u32, .u64 }"};
  static constexpr Spec kSpec = {.mnemonic = "alloca",
                                 .grammar = kGrammar,
                                 .isa = "stack-manipulation-instructions-alloca",
                                 .since = {.ptx = 73, .sm = 52},
                                 .effect = Effect::kMemory};
};
struct Stacksave {
  static constexpr Line kGrammar[] = {"stacksave.type d; .type = { .u32, .u64 }"};
  static constexpr Spec kSpec = {.mnemonic = "stacksave",
                                 .grammar = kGrammar,
                                 .isa = "stack-manipulation-instructions-stacksave",
                                 .since = {.ptx = 73, .sm = 52},
                                 .effect = Effect::kMemory};
};
struct Stackrestore {
  static constexpr Line kGrammar[] = {"stackrestore.type a; .type = { .u32, .u64 }"};
  static constexpr Spec kSpec = {.mnemonic = "stackrestore",
                                 .grammar = kGrammar,
                                 .isa = "stack-manipulation-instructions-stackrestore",
                                 .since = {.ptx = 73, .sm = 52},
                                 .effect = Effect::kMemory};
};

// Fences change no value. The race check orders nothing by them, and calls no race where a kernel may rely on one.
struct Membar {
  static constexpr Line kGrammar[] = {
      "membar.level; .level = { .cta, .gl, .sys }",
      "@7.5/sm_60 membar.proxy.alias",
  };
  static constexpr Spec kSpec = {.mnemonic = "membar",
                                 .grammar = kGrammar,
                                 .isa = "parallel-synchronization-and-communication-instructions-membar-fence",
                                 .since = {.ptx = 14, .sm = 10},
                                 .effect = Effect::kNone};
};
struct Fence {
  static constexpr Line kGrammar[] = {
      "fence{.order}.scope; .order = { .sc, .acq_rel, .acquire, .release } .scope = { .cta, .cluster, .gpu, .sys }",
      "@8.6/sm_90 fence.acquire.sync_restrict::shared::cluster.cluster",
      "@8.6/sm_90 fence.release.sync_restrict::shared::cta.cluster",
      "@8.0/sm_90 fence.mbarrier_init.release.cluster",
      "@7.5/sm_60 fence.proxy.alias",
      "@8.0/sm_90 fence.proxy.async{.space}; .space = { .global, .shared::cta, .shared::cluster }",
      "@8.3/sm_90 fence.proxy.to_from.release.scope; .to_from = { .tensormap::generic } .scope = { .cta, .cluster, .gpu, .sys }",
      "@8.3/sm_90 fence.proxy.to_from.acquire.scope [a], size:u32:imm=128; .to_from = { .tensormap::generic } .scope = { .cta, .cluster, "
      ".gpu, .sys }",
      "@8.6/sm_90 fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
      "@8.6/sm_90 fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
  };
  static constexpr Spec kSpec = {.mnemonic = "fence",
                                 .grammar = kGrammar,
                                 .isa = "parallel-synchronization-and-communication-instructions-membar-fence",
                                 .since = {.ptx = 60, .sm = 70},
                                 .effect = Effect::kNone};
};

// Order against other grids of the stream: one grid alone waits for nothing.
struct Griddepcontrol {
  static constexpr Line kGrammar[] = {"griddepcontrol.action; .action = { .launch_dependents, .wait }"};
  static constexpr Spec kSpec = {.mnemonic = "griddepcontrol",
                                 .grammar = kGrammar,
                                 .isa = "parallel-synchronization-and-communication-instructions-griddepcontrol",
                                 .since = {.ptx = 78, .sm = 90},
                                 .effect = Effect::kNone};
};

struct Setmaxnreg {
  static constexpr Line kGrammar[] = {
      "@8.0/sm_90a|sm_100f|sm_110f|sm_120f setmaxnreg.action.sync.aligned.u32 n:u32:imm=24..256/8; .action = { .inc, .dec }"};
  static constexpr Spec kSpec = {.mnemonic = "setmaxnreg",
                                 .grammar = kGrammar,
                                 .isa = "miscellaneous-instructions-setmaxnreg",
                                 .since = {.ptx = 80, .sm = 90},
                                 .effect = Effect::kNone};
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_MEMORY_CONTROL_H_
