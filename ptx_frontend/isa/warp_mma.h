// mma and mma.sp: D = A * B + C over the lanes of a warp (manual: "mma", "mma.sp").
#ifndef RACER_PTX_FRONTEND_ISA_WARP_MMA_H_
#define RACER_PTX_FRONTEND_ISA_WARP_MMA_H_

#include "ptx_frontend/isa/warp_matrix.h"

namespace racer::isa {

// Floating-point sums: order, width and rounding of the accumulation are left open by the manual.
RACER_MATRIX(MmaQuadPair, "mma", "mma", 64, 70, kBounded,
             "mma.sync.aligned.m8n8k4.alayout.blayout.f16.f16.f16.f16 d:f16x2*4, a:f16x2*2, b:f16x2*2, c:f16x2*4; "
             ".alayout = { .row, .col } .blayout = { .row, .col }",
             "mma.sync.aligned.m8n8k4.alayout.blayout.f32.f16.f16.f16 d:f32*8, a:f16x2*2, b:f16x2*2, c:f16x2*4; "
             ".alayout = { .row, .col } .blayout = { .row, .col }",
             "mma.sync.aligned.m8n8k4.alayout.blayout.f32.f16.f16.f32 d:f32*8, a:f16x2*2, b:f16x2*2, c:f32*8; "
             ".alayout = { .row, .col } .blayout = { .row, .col }");
RACER_MATRIX(MmaHalfK8, "mma", "mma", 65, 75, kBounded,
             "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 d:f16x2*2, a:f16x2*2, b:f16x2*1, c:f16x2*2",
             "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 d:f32*4, a:f16x2*2, b:f16x2*1, c:f32*4");
RACER_MATRIX(MmaHalf, "mma", "mma", 70, 80, kBounded,
             "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 d:f16x2*2, a:f16x2*4, b:f16x2*2, c:f16x2*2",
             "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d:f32*4, a:f16x2*4, b:f16x2*2, c:f32*4",
             "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 d:f32*4, a:bf16x2*2, b:bf16x2*1, c:f32*4",
             "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d:f32*4, a:bf16x2*4, b:bf16x2*2, c:f32*4",
             "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 d:f32*4, a:tf32*2, b:tf32*1, c:f32*4",
             "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d:f32*4, a:tf32*4, b:tf32*2, c:f32*4");
RACER_MATRIX(MmaF8, "mma", "mma", 84, 89, kBounded,
             "mma.sync.aligned.m16n8k32.row.col.f32.atype.btype.f32 d:f32*4, a:b32*4, b:b32*2, c:f32*4; "
             ".atype = { .e4m3, .e5m2 } .btype = { .e4m3, .e5m2 }");
RACER_MATRIX(MmaF8Newer, "mma", "mma", 87, 89, kBounded,
             "mma.sync.aligned.m16n8k16.row.col.f32.atype.btype.f32 d:f32*4, a:b32*2, b:b32*1, c:f32*4; "
             ".atype = { .e4m3, .e5m2 } .btype = { .e4m3, .e5m2 }",
             "mma.sync.aligned.m16n8k16.row.col.f16.atype.btype.f16 d:b32*2, a:b32*2, b:b32*1, c:b32*2; "
             ".atype = { .e4m3, .e5m2 } .btype = { .e4m3, .e5m2 }",
             "mma.sync.aligned.m16n8k32.row.col.f16.atype.btype.f16 d:b32*2, a:b32*4, b:b32*2, c:b32*2; "
             ".atype = { .e4m3, .e5m2 } .btype = { .e4m3, .e5m2 }");
// Elements of 4 and 6 bits in bytes of their own. Their names are no types of PTX registers, hence classes of other names.
#define RACER_F8 ".f8f6f4a = { .e4m3, .e5m2 } .f8f6f4b = { .e4m3, .e5m2 }"
#define RACER_F8F6F4 ".f8f6f4a = { .e4m3, .e5m2, .e3m2, .e2m3, .e2m1 } .f8f6f4b = { .e4m3, .e5m2, .e3m2, .e2m3, .e2m1 }"
RACER_MATRIX(
    MmaF8f6f4, "mma", "mma", 86, 100, kBounded,
    "@8.6/sm_100f|sm_110f|sm_120f mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.f8f6f4a.f8f6f4b.f32 d:f32*4, a:b32*4, b:b32*2, "
    "c:f32*4; " RACER_F8,
    "@8.7/sm_100f|sm_110f|sm_120f mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.f8f6f4a.f8f6f4b.f16 d:b32*2, a:b32*4, b:b32*2, "
    "c:b32*2; " RACER_F8,
    "@8.7/sm_120f mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.f8f6f4a.f8f6f4b.f32 d:f32*4, a:b32*4, b:b32*2, c:f32*4; " RACER_F8F6F4,
    "@8.7/sm_120f mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.f8f6f4a.f8f6f4b.f16 d:b32*2, a:b32*4, b:b32*2, "
    "c:b32*2; " RACER_F8F6F4);
RACER_MATRIX(
    MmaBlockScale, "mma", "mma", 87, 120, kBounded,
    "@8.7/sm_120f mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.f8f6f4a.f8f6f4b.f32.ue8m0 d:f32*4, "
    "a:b32*4, b:b32*2, c:f32*4, scale_a:b32{*1}, ids_a:u16*2, scale_b:b32{*1}, ids_b:u16*2; " RACER_F8F6F4,
    "@8.7/sm_120f mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0 d:f32*4, a:b32*4, "
    "b:b32*2, "
    "c:f32*4, scale_a:b32{*1}, ids_a:u16*2, scale_b:b32{*1}, ids_b:u16*2",
    "@8.7/sm_120f mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 d:f32*4, a:b32*4, "
    "b:b32*2, "
    "c:f32*4, scale_a:b32{*1}, ids_a:u16*2, scale_b:b32{*1}, ids_b:u16*2",
    "@8.7/sm_120f mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 d:f32*4, a:b32*4, "
    "b:b32*2, "
    "c:f32*4, scale_a:b32{*1}, ids_a:u16*2, scale_b:b32{*1}, ids_b:u16*2");
RACER_MATRIX(MmaDouble, "mma", "mma", 70, 80, kBounded,
             "mma.sync.aligned.m8n8k4.row.col{.rnd}.f64.f64.f64.f64 d:f64*2, a:f64*1, b:f64*1, c:f64*2; .rnd = { .rn, .rz, .rm, .rp }");
RACER_MATRIX(MmaDoubleM16, "mma", "mma", 78, 90, kBounded,
             "mma.sync.aligned.m16n8k4.row.col{.rnd}.f64.f64.f64.f64 d:f64*4, a:f64*2, b:f64*1, c:f64*4; .rnd = { .rn, .rz, .rm, .rp }",
             "mma.sync.aligned.m16n8k8.row.col{.rnd}.f64.f64.f64.f64 d:f64*4, a:f64*4, b:f64*2, c:f64*4; .rnd = { .rn, .rz, .rm, .rp }",
             "mma.sync.aligned.m16n8k16.row.col{.rnd}.f64.f64.f64.f64 d:f64*4, a:f64*8, b:f64*4, c:f64*4; .rnd = { .rn, .rz, .rm, .rp }");

// Integers: exact sums, c added modulo 2^32 or clamped.
#define RACER_INT8 ".atype = { .u8, .s8 } .btype = { .u8, .s8 }"
#define RACER_INT4 ".a4 = { .u4, .s4 } .b4 = { .u4, .s4 }"
RACER_MATRIX(MmaIntM8, "mma", "mma", 65, 75, kExact,
             "mma.sync.aligned.m8n8k16.row.col{.satfinite}.s32.atype.btype.s32 d:s32*2, a:b32*1, b:b32*1, c:s32*2; " RACER_INT8,
             "mma.sync.aligned.m8n8k32.row.col{.satfinite}.s32.a4.b4.s32 d:s32*2, a:b32*1, b:b32*1, c:s32*2; " RACER_INT4);
RACER_MATRIX(MmaInt, "mma", "mma", 70, 80, kExact,
             "mma.sync.aligned.m16n8k16.row.col{.satfinite}.s32.atype.btype.s32 d:s32*4, a:b32*2, b:b32*1, c:s32*4; " RACER_INT8,
             "mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32.atype.btype.s32 d:s32*4, a:b32*4, b:b32*2, c:s32*4; " RACER_INT8,
             "mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32.a4.b4.s32 d:s32*4, a:b32*2, b:b32*1, c:s32*4; " RACER_INT4,
             "mma.sync.aligned.m16n8k64.row.col{.satfinite}.s32.a4.b4.s32 d:s32*4, a:b32*4, b:b32*2, c:s32*4; " RACER_INT4);
RACER_MATRIX(MmaBitM8, "mma", "mma", 70, 75, kExact,
             "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc d:s32*2, a:b32*1, b:b32*1, c:s32*2");
RACER_MATRIX(MmaBit, "mma", "mma", 70, 80, kExact,
             "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc d:s32*4, a:b32*2, b:b32*1, c:s32*4",
             "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc d:s32*4, a:b32*4, b:b32*2, c:s32*4");
RACER_MATRIX(MmaBitAnd, "mma", "mma", 71, 80, kExact,
             "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc d:s32*2, a:b32*1, b:b32*1, c:s32*2",
             "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc d:s32*4, a:b32*2, b:b32*1, c:s32*4",
             "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc d:s32*4, a:b32*4, b:b32*2, c:s32*4");

// A sparse A: k / 2 elements of each row are stored, e says which, f which lanes hold e.
#define RACER_SPARSE_SINCE(since, variant, mods, operands, selectors) \
  since "mma." variant ".sync.aligned." mods " " operands ", e:b32, selector:u32:imm=" selectors
#define RACER_SPARSE(variant, mods, operands, selectors) RACER_SPARSE_SINCE("", variant, mods, operands, selectors)
#define RACER_SPARSE_HALF(variant)                                                                                        \
  RACER_SPARSE(variant, "m16n8k16.row.col.f16.f16.f16.f16", "d:f16x2*2, a:f16x2*2, b:f16x2*2, c:f16x2*2", "0|1|2|3"),     \
      RACER_SPARSE(variant, "m16n8k32.row.col.f16.f16.f16.f16", "d:f16x2*2, a:f16x2*4, b:f16x2*4, c:f16x2*2", "0|1"),     \
      RACER_SPARSE(variant, "m16n8k16.row.col.f32.f16.f16.f32", "d:f32*4, a:f16x2*2, b:f16x2*2, c:f32*4", "0|1|2|3"),     \
      RACER_SPARSE(variant, "m16n8k32.row.col.f32.f16.f16.f32", "d:f32*4, a:f16x2*4, b:f16x2*4, c:f32*4", "0|1"),         \
      RACER_SPARSE(variant, "m16n8k16.row.col.f32.bf16.bf16.f32", "d:f32*4, a:bf16x2*2, b:bf16x2*2, c:f32*4", "0|1|2|3"), \
      RACER_SPARSE(variant, "m16n8k32.row.col.f32.bf16.bf16.f32", "d:f32*4, a:bf16x2*4, b:bf16x2*4, c:f32*4", "0|1"),     \
      RACER_SPARSE(variant, "m16n8k8.row.col.f32.tf32.tf32.f32", "d:f32*4, a:tf32*2, b:tf32*2, c:f32*4", "0|1|2|3"),      \
      RACER_SPARSE(variant, "m16n8k16.row.col.f32.tf32.tf32.f32", "d:f32*4, a:tf32*4, b:tf32*4, c:f32*4", "0|1")
#define RACER_SPARSE_F8(variant)                                                                           \
  RACER_SPARSE(variant, "m16n8k64.row.col.f32.atype.btype.f32", "d:f32*4, a:b32*4, b:b32*4, c:f32*4", "0") \
  "; .atype = { .e4m3, .e5m2 } .btype = { .e4m3, .e5m2 }"
#define RACER_SPARSE_INT(variant)                                                                                                       \
  RACER_SPARSE(variant, "m16n8k32.row.col{.satfinite}.s32.atype.btype.s32", "d:s32*4, a:b32*2, b:b32*2, c:s32*4", "0|1")                \
  "; " RACER_INT8,                                                                                                                      \
      RACER_SPARSE(variant, "m16n8k64.row.col{.satfinite}.s32.atype.btype.s32", "d:s32*4, a:b32*4, b:b32*4, c:s32*4",                   \
                   "0") "; " RACER_INT8,                                                                                                \
      RACER_SPARSE(variant, "m16n8k64.row.col{.satfinite}.s32.a4.b4.s32", "d:s32*4, a:b32*2, b:b32*2, c:s32*4", "0|1") "; " RACER_INT4, \
      RACER_SPARSE(variant, "m16n8k128.row.col{.satfinite}.s32.a4.b4.s32", "d:s32*4, a:b32*4, b:b32*4, c:s32*4", "0") "; " RACER_INT4
RACER_MATRIX(MmaSparse, "mma", "mma-sp", 71, 80, kBounded, RACER_SPARSE_HALF("sp"));
RACER_MATRIX(MmaSparseInt, "mma", "mma-sp", 71, 80, kExact, RACER_SPARSE_INT("sp"));
RACER_MATRIX(MmaSparseF8, "mma", "mma-sp", 84, 89, kBounded, RACER_SPARSE_F8("sp"));
RACER_MATRIX(MmaOrdered, "mma", "mma-sp", 85, 80, kBounded, RACER_SPARSE_HALF("sp::ordered_metadata"));
RACER_MATRIX(MmaOrderedInt, "mma", "mma-sp", 85, 80, kExact, RACER_SPARSE_INT("sp::ordered_metadata"));
RACER_MATRIX(MmaOrderedF8, "mma", "mma-sp", 85, 89, kBounded, RACER_SPARSE_F8("sp::ordered_metadata"));
#define RACER_SPARSE_SCALED(since, mods)                                                             \
  RACER_SPARSE_SINCE(since, "sp::ordered_metadata", mods, "d:f32*4, a:b32*4, b:b32*4, c:f32*4", "0") \
  ", scale_a:b32{*1}, ids_a:u16*2, scale_b:b32{*1}, ids_b:u16*2"
#define RACER_ORDERED_F8F6F4(since, type, accumulators, formats)                                                    \
  RACER_SPARSE_SINCE(since, "sp::ordered_metadata", "m16n8k64.row.col.kind::f8f6f4." type ".f8f6f4a.f8f6f4b." type, \
                     "d:" accumulators ", a:b32*4, b:b32*4, c:" accumulators, "0")                                  \
  "; " formats
RACER_MATRIX(MmaOrderedF8f6f4, "mma", "mma-sp", 86, 100, kBounded,
             RACER_ORDERED_F8F6F4("@8.6/sm_100f|sm_110f|sm_120f ", "f32", "f32*4", RACER_F8),
             RACER_ORDERED_F8F6F4("@8.7/sm_120f ", "f32", "f32*4", RACER_F8F6F4),
             RACER_ORDERED_F8F6F4("@8.7/sm_120f ", "f16", "b32*2", RACER_F8F6F4));
RACER_MATRIX(
    MmaOrderedBlockScale, "mma", "mma-sp", 87, 120, kBounded,
    RACER_SPARSE_SCALED("@8.7/sm_120f ",
                        "m16n8k64.row.col.kind::mxf8f6f4.block_scale{.scale_vec::1X}.f32.f8f6f4a.f8f6f4b.f32.ue8m0") "; " RACER_F8F6F4,
    RACER_SPARSE_SCALED("@8.7/sm_120a|sm_121a ", "m16n8k128.row.col.kind::mxf4.block_scale{.scale_vec::2X}.f32.e2m1.e2m1.f32.ue8m0"),
    RACER_SPARSE_SCALED("@8.7/sm_120a|sm_121a ", "m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"),
    RACER_SPARSE_SCALED("@8.7/sm_120a|sm_121a ", "m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3"));
#undef RACER_SPARSE
#undef RACER_SPARSE_SINCE
#undef RACER_ORDERED_F8F6F4
#undef RACER_SPARSE_HALF
#undef RACER_SPARSE_F8
#undef RACER_SPARSE_INT
#undef RACER_SPARSE_SCALED
#undef RACER_F8
#undef RACER_F8F6F4
#undef RACER_INT8
#undef RACER_INT4

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_WARP_MMA_H_
