// Asynchronous copies that a thread waits for in groups.
#ifndef RACER_PTX_FRONTEND_ISA_ASYNC_COPY_H_
#define RACER_PTX_FRONTEND_ISA_ASYNC_COPY_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

#define RACER_COPY(anchor)                                                                                                           \
  .mnemonic = "cp", .grammar = kGrammar, .isa = "data-movement-and-conversion-instructions-" anchor, .since = {.ptx = 70, .sm = 80}, \
  .effect = Effect::kMemory
#define RACER_COPY_CLASSES "; .dst = { .shared, .shared::cta } .prefetch = { .L2::64B, .L2::128B, .L2::256B }"
// .cg copies 16 bytes.
#define RACER_COPIES(cop, n)                                                                                  \
  "cp.async." cop ".dst.global{.prefetch} [a], [b], " n "{, {!}size:u32<=n}" RACER_COPY_CLASSES,              \
      "cp.async." cop ".dst.global.L2::cache_hint{.prefetch} [a], [b], " n ", policy:u64" RACER_COPY_CLASSES, \
      "cp.async." cop ".dst.global.L2::cache_hint{.prefetch} [a], [b], " n ", {!}size:u32<=n, policy:u64" RACER_COPY_CLASSES

// n bytes from global [b] to shared [a]; `size`: only so many of them, or with a predicate none, the rest zeros.
struct CpAsync {
  static constexpr Line kGrammar[] = {RACER_COPIES("ca", "n:u32:imm=4|8|16"), RACER_COPIES("cg", "n:u32:imm=16")};
  static constexpr Spec kSpec = {RACER_COPY("cp-async")};
};

// The copies that this thread has issued since the last one are a group.
struct CpAsyncCommitGroup {
  static constexpr Line kGrammar[] = {"cp.async.commit_group"};
  static constexpr Spec kSpec = {RACER_COPY("cp-async-commit-group")};
};

// Waits until at most n of this thread's groups, the youngest, are under way.
struct CpAsyncWaitGroup {
  static constexpr Line kGrammar[] = {"cp.async.wait_group n:u32:imm"};
  static constexpr Spec kSpec = {RACER_COPY("cp-async-wait-group")};
};

// Commits and waits for all.
struct CpAsyncWaitAll {
  static constexpr Line kGrammar[] = {"cp.async.wait_all"};
  static constexpr Spec kSpec = {RACER_COPY("cp-async-wait-group")};
};

#undef RACER_COPY
#undef RACER_COPY_CLASSES
#undef RACER_COPIES

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_ASYNC_COPY_H_
