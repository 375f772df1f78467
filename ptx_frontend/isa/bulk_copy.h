// Copies by the asynchronous proxy: bulk and tensor, and the tensor maps that they read.
#ifndef RACER_PTX_FRONTEND_ISA_BULK_COPY_H_
#define RACER_PTX_FRONTEND_ISA_BULK_COPY_H_

#include "ptx_frontend/isa/parsed_only.h"

namespace racer::isa {

#define RACER_DATA "data-movement-and-conversion-instructions-"
#define RACER_POLICY "{, policy:u64?L2::cache_hint}"
#define RACER_MASK "{, mask:b16?multicast::cluster}"

RACER_PARSED_ONLY(
    CpAsyncBulk, "cp", RACER_DATA "cp-async-bulk", 80, 90,
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint} [a], [b], n:u32, "
    "[c]" RACER_MASK RACER_POLICY,
    "@8.6/sm_90 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.L2::cache_hint} [a], [b], n:u32, [c]" RACER_POLICY,
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [a], [b], n:u32, [c]",
    "cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask@8.6/sm_100} [a], [b], n:u32" RACER_POLICY
    "{, bytes:b16?cp_mask}");

#define RACER_BULK_REDUCE(defs) \
  "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.redop.type [a], [b], n:u32" RACER_POLICY "; " defs
#define RACER_BULK_REDUCE_SHARED(defs) \
  "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.redop.type [a], [b], n:u32, [c]; " defs
RACER_PARSED_ONLY(CpReduceAsyncBulk, "cp", RACER_DATA "cp-reduce-async-bulk", 80, 90,
                  RACER_BULK_REDUCE_SHARED(".redop = { .and, .or, .xor } .type = { .b32 }"),
                  RACER_BULK_REDUCE_SHARED(".redop = { .add } .type = { .u32, .s32, .u64 }"),
                  RACER_BULK_REDUCE_SHARED(".redop = { .inc, .dec } .type = { .u32 }"),
                  RACER_BULK_REDUCE_SHARED(".redop = { .min, .max } .type = { .u32, .s32 }"),
                  RACER_BULK_REDUCE(".redop = { .and, .or, .xor } .type = { .b32, .b64 }"),
                  RACER_BULK_REDUCE(".redop = { .add } .type = { .u32, .s32, .u64, .f32, .f64 }"),
                  RACER_BULK_REDUCE(".redop = { .inc, .dec } .type = { .u32 }"),
                  RACER_BULK_REDUCE(".redop = { .min, .max } .type = { .u32, .s32, .u64, .s64, .f16, .bf16 }"),
                  "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add.noftz.type [a], [b], n:u32" RACER_POLICY
                  "; .type = { .f16, .bf16 }");
RACER_PARSED_ONLY(CpAsyncBulkPrefetch, "cp", RACER_DATA "cp-async-bulk-prefetch", 80, 90,
                  "cp.async.bulk.prefetch.L2.global{.L2::cache_hint} [a], n:u32" RACER_POLICY);
RACER_PARSED_ONLY(CpAsyncBulkCommitGroup, "cp", RACER_DATA "cp-async-bulk-commit-group", 80, 90, "cp.async.bulk.commit_group");
RACER_PARSED_ONLY(CpAsyncBulkWaitGroup, "cp", RACER_DATA "cp-async-bulk-wait-group", 80, 90, "cp.async.bulk.wait_group{.read} n:imm");

RACER_PARSED_ONLY(CpAsyncMbarrierArrive, "cp", RACER_DATA "cp-async-mbarrier-arrive", 70, 80,
                  "cp.async.mbarrier.arrive{.noinc}{.ss}.b64 [a]; .ss = { .shared, .shared::cta@7.8 }");
RACER_PARSED_ONLY(PrefetchTensormap, "prefetch", RACER_DATA "prefetch-prefetchu", 80, 90,
                  "prefetch{.ss}.tensormap [a]; .ss = { .const, .param }");

// A line for every number of dimensions: the coordinates are as many.
#define RACER_TILE_LOAD(dim, n)                                                                                                  \
  "cp.async.bulk.tensor." dim                                                                                                    \
  ".shared::cluster.global{.tile}.mbarrier::complete_tx::bytes{.multicast::cluster}{.group}{.L2::cache_hint} [a], [b, x:s32*" n  \
  "], [c]" RACER_MASK RACER_POLICY "; .group = { .cta_group::1@8.6/sm_100f|sm_110f, .cta_group::2@8.6/sm_100f|sm_110f }",        \
      "@8.6/sm_90 cp.async.bulk.tensor." dim                                                                                     \
      ".shared::cta.global{.tile}.mbarrier::complete_tx::bytes{.group}{.L2::cache_hint} [a], [b, x:s32*" n "], [c]" RACER_POLICY \
      "; .group = { .cta_group::1@8.6/sm_100f|sm_110f, .cta_group::2@8.6/sm_100f|sm_110f }"
// Offsets of the im2col modes: one a spatial dimension, or the two of ::w.
#define RACER_IM2COL_LOAD(dim, n, mode, offsets, since)                                                                \
  since "cp.async.bulk.tensor." dim ".shared::cluster.global." mode                                                    \
        ".mbarrier::complete_tx::bytes{.multicast::cluster}{.group}{.L2::cache_hint} [a], [b, x:s32*" n                \
        "], [c], y:u16*" offsets RACER_MASK RACER_POLICY                                                               \
        "; .group = { .cta_group::1@8.6/sm_100f|sm_110f, .cta_group::2@8.6/sm_100f|sm_110f }",                         \
      "@8.6/sm_90 cp.async.bulk.tensor." dim ".shared::cta.global." mode                                               \
      ".mbarrier::complete_tx::bytes{.group}{.L2::cache_hint} [a], [b, x:s32*" n "], [c], y:u16*" offsets RACER_POLICY \
      "; .group = { .cta_group::1@8.6/sm_100f|sm_110f, .cta_group::2@8.6/sm_100f|sm_110f }"
#define RACER_IM2COL_W_LOAD(dim, n, mode, since)                                                                      \
  "@8.6/sm_100f|sm_110f cp.async.bulk.tensor." dim ".shared::cluster.global." mode                                    \
  ".mbarrier::complete_tx::bytes{.multicast::cluster}{.group}{.L2::cache_hint} [a], [b, x:s32*" n                     \
  "], [c], y:u16*2" RACER_MASK RACER_POLICY "; .group = { .cta_group::1, .cta_group::2 }",                            \
      since " cp.async.bulk.tensor." dim ".shared::cta.global." mode                                                  \
            ".mbarrier::complete_tx::bytes{.group}{.L2::cache_hint} [a], [b, x:s32*" n "], [c], y:u16*2" RACER_POLICY \
            "; .group = { .cta_group::1@8.6/sm_100f|sm_110f, .cta_group::2@8.6/sm_100f|sm_110f }"
RACER_PARSED_ONLY(
    CpAsyncBulkTensorLoad, "cp", RACER_DATA "cp-async-bulk-tensor", 80, 90, RACER_TILE_LOAD("1d", "1"), RACER_TILE_LOAD("2d", "2"),
    RACER_TILE_LOAD("3d", "3"), RACER_TILE_LOAD("4d", "4"), RACER_TILE_LOAD("5d", "5"), RACER_IM2COL_LOAD("3d", "3", "im2col", "1", ""),
    RACER_IM2COL_LOAD("4d", "4", "im2col", "2", ""), RACER_IM2COL_LOAD("5d", "5", "im2col", "3", ""),
    RACER_IM2COL_W_LOAD("3d", "3", "im2col::w", "@8.6/sm_100"), RACER_IM2COL_W_LOAD("4d", "4", "im2col::w", "@8.6/sm_100"),
    RACER_IM2COL_W_LOAD("5d", "5", "im2col::w", "@8.6/sm_100"), RACER_IM2COL_W_LOAD("3d", "3", "im2col::w::128", "@8.6/sm_100f|sm_110f"),
    RACER_IM2COL_W_LOAD("4d", "4", "im2col::w::128", "@8.6/sm_100f|sm_110f"),
    RACER_IM2COL_W_LOAD("5d", "5", "im2col::w::128", "@8.6/sm_100f|sm_110f"),
    "@8.6/sm_100f|sm_110f cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes"
    "{.multicast::cluster}{.group}{.L2::cache_hint} [a], [b, x:s32*5], [c]" RACER_MASK RACER_POLICY
    "; .group = { .cta_group::1, .cta_group::2 }",
    "@8.6/sm_100 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes{.group}{.L2::cache_hint} "
    "[a], [b, x:s32*5], [c]" RACER_POLICY "; .group = { .cta_group::1@8.6/sm_100f|sm_110f, .cta_group::2@8.6/sm_100f|sm_110f }");

#define RACER_TENSOR_STORE(dim, n) \
  "cp.async.bulk.tensor." dim ".global.shared::cta{.tile}.bulk_group{.L2::cache_hint} [a, x:s32*" n "], [b]" RACER_POLICY
#define RACER_IM2COL_STORE(dim, n) \
  "cp.async.bulk.tensor." dim ".global.shared::cta.im2col_no_offs.bulk_group{.L2::cache_hint} [a, x:s32*" n "], [b]" RACER_POLICY
RACER_PARSED_ONLY(CpAsyncBulkTensorStore, "cp", RACER_DATA "cp-async-bulk-tensor", 80, 90, RACER_TENSOR_STORE("1d", "1"),
                  RACER_TENSOR_STORE("2d", "2"), RACER_TENSOR_STORE("3d", "3"), RACER_TENSOR_STORE("4d", "4"),
                  RACER_TENSOR_STORE("5d", "5"), RACER_IM2COL_STORE("3d", "3"), RACER_IM2COL_STORE("4d", "4"),
                  RACER_IM2COL_STORE("5d", "5"),
                  "@8.6/sm_100f|sm_110f cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group{.L2::cache_hint} [a, "
                  "x:s32*5], [b]" RACER_POLICY);

#define RACER_TENSOR_REDUCE(dim, n)                                                                                                    \
  "cp.reduce.async.bulk.tensor." dim ".global.shared::cta.redop{.tile}.bulk_group{.L2::cache_hint} [a, x:s32*" n "], [b]" RACER_POLICY \
  "; .redop = { .add, .min, .max, .inc, .dec, .and, .or, .xor }"
#define RACER_TENSOR_REDUCE_IM2COL(dim, n)                                                                               \
  "cp.reduce.async.bulk.tensor." dim ".global.shared::cta.redop.im2col_no_offs.bulk_group{.L2::cache_hint} [a, x:s32*" n \
  "], [b]" RACER_POLICY "; .redop = { .add, .min, .max, .inc, .dec, .and, .or, .xor }"
RACER_PARSED_ONLY(CpReduceAsyncBulkTensor, "cp", RACER_DATA "cp-reduce-async-bulk-tensor", 80, 90, RACER_TENSOR_REDUCE("1d", "1"),
                  RACER_TENSOR_REDUCE("2d", "2"), RACER_TENSOR_REDUCE("3d", "3"), RACER_TENSOR_REDUCE("4d", "4"),
                  RACER_TENSOR_REDUCE("5d", "5"), RACER_TENSOR_REDUCE_IM2COL("3d", "3"), RACER_TENSOR_REDUCE_IM2COL("4d", "4"),
                  RACER_TENSOR_REDUCE_IM2COL("5d", "5"));

#define RACER_TENSOR_PREFETCH(dim, n) \
  "cp.async.bulk.prefetch.tensor." dim ".L2.global{.tile}{.L2::cache_hint} [a, x:s32*" n "]" RACER_POLICY
#define RACER_IM2COL_PREFETCH(dim, n, offsets) \
  "cp.async.bulk.prefetch.tensor." dim ".L2.global.im2col{.L2::cache_hint} [a, x:s32*" n "], y:u16*" offsets RACER_POLICY
#define RACER_IM2COL_W_PREFETCH(dim, n)                                                                                               \
  "@8.6/sm_100f|sm_110f cp.async.bulk.prefetch.tensor." dim ".L2.global.mode{.L2::cache_hint} [a, x:s32*" n "], y:u16*2" RACER_POLICY \
  "; .mode = { .im2col::w, .im2col::w::128 }"
RACER_PARSED_ONLY(
    CpAsyncBulkPrefetchTensor, "cp", RACER_DATA "cp-async-bulk-prefetch-tensor", 80, 90, RACER_TENSOR_PREFETCH("1d", "1"),
    RACER_TENSOR_PREFETCH("2d", "2"), RACER_TENSOR_PREFETCH("3d", "3"), RACER_TENSOR_PREFETCH("4d", "4"), RACER_TENSOR_PREFETCH("5d", "5"),
    RACER_IM2COL_PREFETCH("3d", "3", "1"), RACER_IM2COL_PREFETCH("4d", "4", "2"), RACER_IM2COL_PREFETCH("5d", "5", "3"),
    RACER_IM2COL_W_PREFETCH("3d", "3"), RACER_IM2COL_W_PREFETCH("4d", "4"), RACER_IM2COL_W_PREFETCH("5d", "5"),
    "@8.6/sm_100f|sm_110f cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4{.L2::cache_hint} [a, x:s32*5]" RACER_POLICY);

#define RACER_REPLACE "@8.3/sm_90a|sm_100f|sm_110f|sm_120f tensormap.replace.tile"
#define RACER_SPACES " .ss = { .global, .shared::cta }"
RACER_PARSED_ONLY(TensormapReplace, "tensormap", RACER_DATA "tensormap-replace", 83, 90,
                  RACER_REPLACE ".global_address{.ss}.b1024.b64 [a], b:b64;" RACER_SPACES,
                  RACER_REPLACE ".rank{.ss}.b1024.b32 [a], b:b32;" RACER_SPACES,
                  RACER_REPLACE ".field{.ss}.b1024.b32 [a], i:imm, b:b32; .field = { .box_dim, .global_dim, .element_stride }" RACER_SPACES,
                  RACER_REPLACE ".global_stride{.ss}.b1024.b64 [a], i:imm, b:b64;" RACER_SPACES,
                  RACER_REPLACE
                  ".field{.ss}.b1024.b32 [a], b:imm; .field = { .elemtype, .interleave_layout, .swizzle_mode, .fill_mode, "
                  ".swizzle_atomicity@8.6/sm_100f|sm_110f|sm_120f }" RACER_SPACES);
RACER_PARSED_ONLY(TensormapCpFenceproxy, "tensormap", RACER_DATA "tensormap-cp-fenceproxy", 83, 90,
                  "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [a], [b], n:imm=128; "
                  ".scope = { .cta, .cluster, .gpu, .sys }");

#undef RACER_DATA
#undef RACER_POLICY
#undef RACER_MASK
#undef RACER_BULK_REDUCE
#undef RACER_BULK_REDUCE_SHARED
#undef RACER_TILE_LOAD
#undef RACER_IM2COL_LOAD
#undef RACER_IM2COL_W_LOAD
#undef RACER_TENSOR_STORE
#undef RACER_IM2COL_STORE
#undef RACER_TENSOR_REDUCE
#undef RACER_TENSOR_REDUCE_IM2COL
#undef RACER_TENSOR_PREFETCH
#undef RACER_IM2COL_PREFETCH
#undef RACER_IM2COL_W_PREFETCH
#undef RACER_REPLACE
#undef RACER_SPACES

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_BULK_COPY_H_
