// Barriers in shared memory, clusters of CTAs, and stores that complete on such a barrier.
#ifndef RACER_PTX_FRONTEND_ISA_MBARRIER_H_
#define RACER_PTX_FRONTEND_ISA_MBARRIER_H_

#include "ptx_frontend/isa/parsed_only.h"

namespace racer::isa {

#define RACER_SYNC "parallel-synchronization-and-communication-instructions-"
#define RACER_CTA " .ss = { .shared, .shared::cta@7.8 }"
#define RACER_ANY_CTA " .ss = { .shared, .shared::cta@7.8, .shared::cluster@8.0/sm_90 }"
#define RACER_REMOTE " .ss = { .shared::cluster }"
#define RACER_RELEASE " .order = { .release@8.0, .relaxed@8.6/sm_90 } .scope = { .cta@7.8, .cluster@8.0/sm_90 }"
#define RACER_ACQUIRE " .order = { .acquire@8.0, .relaxed@8.6/sm_90 } .scope = { .cta@7.8, .cluster@8.0/sm_90 }"

RACER_PARSED_ONLY(MbarrierInit, "mbarrier", RACER_SYNC "mbarrier-init", 70, 80, "mbarrier.init{.ss}.b64 [a], b:u32;" RACER_CTA);
RACER_PARSED_ONLY(MbarrierInval, "mbarrier", RACER_SYNC "mbarrier-inval", 70, 80, "mbarrier.inval{.ss}.b64 [a];" RACER_CTA);
RACER_PARSED_ONLY(MbarrierExpectTx, "mbarrier", RACER_SYNC "mbarrier-expect-tx", 80, 90,
                  "mbarrier.expect_tx{.order.scope}{.ss}.b64 [a], b:u32; .order = { .relaxed } .scope = { .cta, .cluster }" RACER_ANY_CTA);
RACER_PARSED_ONLY(
    MbarrierCompleteTx, "mbarrier", RACER_SYNC "mbarrier-complete-tx", 80, 90,
    "mbarrier.complete_tx{.order.scope}{.ss}.b64 [a], b:u32; .order = { .relaxed } .scope = { .cta, .cluster }" RACER_ANY_CTA);

#define RACER_ARRIVE(name)                                                                                                                \
  "mbarrier." name "{.order.scope}{.ss}.b64 d:b64, [a];" RACER_RELEASE RACER_CTA,                                                         \
      "@7.8/sm_90 mbarrier." name "{.order.scope}{.ss}.b64 d:b64, [a], b:u32;" RACER_RELEASE RACER_CTA,                                   \
      "@8.0/sm_90 mbarrier." name "{.order.scope}{.ss}.b64 _, [a]{, b:u32};" RACER_RELEASE RACER_REMOTE,                                  \
      "mbarrier." name ".noComplete{.order.scope}{.ss}.b64 d:b64, [a], b:u32; .order = { .release@8.0 } .scope = { .cta@8.0 }" RACER_CTA, \
      "@8.0/sm_90 mbarrier." name ".expect_tx{.order.scope}{.ss}.b64 d:b64, [a], b:u32;" RACER_RELEASE RACER_CTA,                         \
      "@8.0/sm_90 mbarrier." name ".expect_tx{.order.scope}{.ss}.b64 _, [a], b:u32;" RACER_RELEASE RACER_REMOTE
RACER_PARSED_ONLY(MbarrierArrive, "mbarrier", RACER_SYNC "mbarrier-arrive", 70, 80, RACER_ARRIVE("arrive"));
RACER_PARSED_ONLY(MbarrierArriveDrop, "mbarrier", RACER_SYNC "mbarrier-arrive-drop", 70, 80, RACER_ARRIVE("arrive_drop"));
#undef RACER_ARRIVE

RACER_PARSED_ONLY(MbarrierTestWait, "mbarrier", RACER_SYNC "mbarrier-test-wait", 70, 80,
                  "mbarrier.test_wait{.order.scope}{.ss}.b64 p:pred, [a], b:b64;" RACER_ACQUIRE RACER_CTA,
                  "mbarrier.test_wait.parity@7.1{.order.scope}{.ss}.b64 p:pred, [a], b:u32;" RACER_ACQUIRE RACER_CTA,
                  "@7.8/sm_90 mbarrier.try_wait{.order.scope}{.ss}.b64 p:pred, [a], b:b64{, c:u32};" RACER_ACQUIRE RACER_CTA,
                  "@7.8/sm_90 mbarrier.try_wait.parity{.order.scope}{.ss}.b64 p:pred, [a], b:u32{, c:u32};" RACER_ACQUIRE RACER_CTA);
RACER_PARSED_ONLY(MbarrierPendingCount, "mbarrier", RACER_SYNC "mbarrier-pending-count", 70, 80, "mbarrier.pending_count.b64 d:u32, a:b64");

RACER_PARSED_ONLY(BarrierCluster, "barrier", RACER_SYNC "barrier-cluster", 78, 90,
                  "barrier.cluster.arrive{.order}{.aligned}; .order = { .release@8.0, .relaxed@8.0 }",
                  "barrier.cluster.wait{.acquire@8.0}{.aligned}");

RACER_PARSED_ONLY(Clusterlaunchcontrol, "clusterlaunchcontrol", RACER_SYNC "clusterlaunchcontrol", 86, 100,
                  "clusterlaunchcontrol.try_cancel.async{.ss}.mbarrier::complete_tx::bytes{.multicast::cluster::all@8.6/"
                  "sm_100f|sm_110f|sm_120f}.b128 [a], [b]; .ss = { .shared::cta }",
                  "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p:pred, a:b128",
                  "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 d:b32*4, a:b128",
                  "clusterlaunchcontrol.query_cancel.dim.b32.b128 d:b32, a:b128; .dim = { .get_first_ctaid::x, .get_first_ctaid::y, "
                  ".get_first_ctaid::z }");

// Asynchronous stores and reductions.
#define RACER_DATA "data-movement-and-conversion-instructions-"
RACER_PARSED_ONLY(
    StAsync, "st", RACER_DATA "st-async", 81, 90,
    "st.async{.weak}{.ss}.mbarrier::complete_tx::bytes{.vec}.type [a], b, [c]; .vec = { .v2, .v4 } .ss = { .shared::cluster } "
    ".type = { .b32, .u32, .s32, .f32 }",
    "st.async{.weak}{.ss}.mbarrier::complete_tx::bytes{.vec}.type [a], b, [c]; .vec = { .v2 } .ss = { .shared::cluster } "
    ".type = { .b64, .u64, .s64, .f64 }",
    "@8.7/sm_100 st.async{.mmio}.release.scope{.ss}.type [a], b; .ss = { .global } .scope = { .gpu, .sys } "
    ".type = { .b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64 }");
RACER_PARSED_ONLY(RedAsync, "red", RACER_SYNC "red-async", 81, 90,
                  "red.async.relaxed.cluster{.ss}.mbarrier::complete_tx::bytes.reduce.type [a], b, [c]; .ss = { .shared::cluster } "
                  ".reduce = { .inc, .dec } .type = { .u32 }",
                  "red.async.relaxed.cluster{.ss}.mbarrier::complete_tx::bytes.reduce.type [a], b, [c]; .ss = { .shared::cluster } "
                  ".reduce = { .min, .max } .type = { .u32, .s32 }",
                  "red.async.relaxed.cluster{.ss}.mbarrier::complete_tx::bytes.reduce.type [a], b, [c]; .ss = { .shared::cluster } "
                  ".reduce = { .and, .or, .xor } .type = { .b32 }",
                  "red.async.relaxed.cluster{.ss}.mbarrier::complete_tx::bytes.reduce.type [a], b, [c]; .ss = { .shared::cluster } "
                  ".reduce = { .add } .type = { .u32, .s32, .u64 }",
                  "@8.7/sm_100 red.async{.mmio}.release.scope{.ss}.reduce.type [a], b; .ss = { .global } .scope = { .gpu, .sys } "
                  ".reduce = { .add } .type = { .u32, .s32, .u64, .s64 }");
RACER_PARSED_ONLY(StBulk, "st", RACER_DATA "st-bulk", 86, 100, "st.bulk{.weak}{.ss} [a], b:u64, c:imm=0; .ss = { .shared::cta }");

// Accesses to all replicas of a multicast object: `tail` of the modifiers, definitions behind it.
#define RACER_WEAK(op, tail, operands, defs) "multimem." op "{.ss}" tail " " operands ";" defs " .ss = { .global }"
#define RACER_ORDERED(op, orders, tail, operands, defs)         \
  "multimem." op ".order.scope{.ss}" tail " " operands ";" defs \
  " .ss = { .global } .scope = { .cta, .cluster, .gpu, .sys } .order = { " orders " }"
#define RACER_INTEGERS(f)                                                              \
  f(".redop.type", " .redop = { .add } .type = { .u32, .s32, .u64 }"),                 \
      f(".redop.type", " .redop = { .min, .max } .type = { .u32, .s32, .u64, .s64 }"), \
      f(".redop.type", " .redop = { .and, .or, .xor } .type = { .b32, .b64 }")
#define RACER_FLOATS(f, redop, accumulate)                                              \
  f(redop accumulate ".vec.type", " .vec = { .v2, .v4, .v8 } .type = { .f16, .bf16 }"), \
      f(redop accumulate "{.vec}.type", " .vec = { .v2, .v4 } .type = { .f16x2, .bf16x2 }")
#define RACER_REAL_ADDS(f) f(".add{.vec}.type", " .vec = { .v2, .v4 } .type = { .f32 }"), f(".add.type", " .type = { .f64 }")
#define RACER_LD_REDUCE(tail, defs) \
  RACER_WEAK("ld_reduce{.weak}", tail, "d, [a]", defs), RACER_ORDERED("ld_reduce", ".relaxed, .acquire", tail, "d, [a]", defs)
#define RACER_RED(tail, defs) RACER_WEAK("red", tail, "[a], b", defs), RACER_ORDERED("red", ".relaxed, .release", tail, "[a], b", defs)
#define RACER_ST(tail, defs) RACER_WEAK("st{.weak}", tail, "[a], b", defs), RACER_ORDERED("st", ".relaxed, .release", tail, "[a], b", defs)
RACER_PARSED_ONLY(MultimemLdReduce, "multimem", RACER_DATA "multimem", 81, 90, RACER_INTEGERS(RACER_LD_REDUCE),
                  RACER_FLOATS(RACER_LD_REDUCE, ".add", ""), RACER_FLOATS(RACER_LD_REDUCE, ".min", ""),
                  RACER_FLOATS(RACER_LD_REDUCE, ".max", ""), RACER_FLOATS(RACER_LD_REDUCE, ".add", ".acc::f32@8.2"),
                  RACER_REAL_ADDS(RACER_LD_REDUCE));
RACER_PARSED_ONLY(MultimemSt, "multimem", RACER_DATA "multimem", 81, 90,
                  RACER_ST(".type", " .type = { .u32, .s32, .u64, .s64, .b32, .b64, .f64 }"), RACER_FLOATS(RACER_ST, "", ""),
                  RACER_ST("{.vec}.type", " .vec = { .v2, .v4 } .type = { .f32 }"));
RACER_PARSED_ONLY(MultimemRed, "multimem", RACER_DATA "multimem", 81, 90, RACER_INTEGERS(RACER_RED), RACER_FLOATS(RACER_RED, ".add", ""),
                  RACER_REAL_ADDS(RACER_RED));
// Of 8-bit numbers: their registers hold bits.
#define RACER_FP8(f)                                                                 \
  f("{.vec}.fp8", "b32", " .vec = { .v2, .v4 } .fp8 = { .e5m2x4, .e4m3x4 }"),        \
      f(".vec.fp8", "b16", " .vec = { .v2, .v4, .v8 } .fp8 = { .e5m2x2, .e4m3x2 }"), \
      f(".vec.fp8", "b8", " .vec = { .v4, .v8 } .fp8 = { .e5m2, .e4m3 }")
#define RACER_FP8_SINCE "@8.6/sm_100f|sm_110f|sm_120a|sm_121a "
// Sums alone are accumulated in another precision.
#define RACER_LD_REDUCE_FP8(tail, type, defs)                                                                            \
  RACER_FP8_SINCE RACER_WEAK("ld_reduce{.weak}", ".add{.acc::f16}" tail, "d:" type ", [a]", defs),                       \
      RACER_FP8_SINCE RACER_WEAK("ld_reduce{.weak}", ".redop" tail, "d:" type ", [a]", defs " .redop = { .min, .max }"), \
      RACER_FP8_SINCE RACER_ORDERED("ld_reduce", ".relaxed, .acquire", ".add{.acc::f16}" tail, "d:" type ", [a]", defs), \
      RACER_FP8_SINCE RACER_ORDERED("ld_reduce", ".relaxed, .acquire", ".redop" tail, "d:" type ", [a]", defs " .redop = { .min, .max }")
#define RACER_ST_FP8(tail, type, defs)                                 \
  RACER_FP8_SINCE RACER_WEAK("st{.weak}", tail, "[a], b:" type, defs), \
      RACER_FP8_SINCE RACER_ORDERED("st", ".relaxed, .release", tail, "[a], b:" type, defs)
RACER_PARSED_ONLY(MultimemFp8, "multimem", RACER_DATA "multimem", 86, 100, RACER_FP8(RACER_LD_REDUCE_FP8), RACER_FP8(RACER_ST_FP8));

#undef RACER_ACQUIRE
#undef RACER_ANY_CTA
#undef RACER_CTA
#undef RACER_DATA
#undef RACER_FLOATS
#undef RACER_FP8
#undef RACER_FP8_SINCE
#undef RACER_INTEGERS
#undef RACER_LD_REDUCE
#undef RACER_LD_REDUCE_FP8
#undef RACER_ORDERED
#undef RACER_PTX_FRONTEND_ISA_MBARRIER_H_
#undef RACER_REAL_ADDS
#undef RACER_RED
#undef RACER_RELEASE
#undef RACER_REMOTE
#undef RACER_ST
#undef RACER_ST_FP8
#undef RACER_SYNC
#undef RACER_WEAK

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_MBARRIER_H_
