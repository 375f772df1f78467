// wmma: matrix products over fragments whose layout is the implementation's (manual: "wmma.load", "wmma.store", "wmma.mma").
#ifndef RACER_PTX_FRONTEND_ISA_WARP_WMMA_H_
#define RACER_PTX_FRONTEND_ISA_WARP_WMMA_H_

#include "ptx_frontend/isa/warp_matrix.h"

namespace racer::isa {

// Layouts, spaces; the stride between rows or columns is in elements and may be left out.
#define RACER_WMMA_LAYOUT ".layout = { .row, .col } .ss = { .global, .shared, .shared::cta }"
#define RACER_WMMA_LOAD(frag, shape, type, regs) \
  "wmma.load." frag ".sync.aligned.layout." shape "{.ss}." type " d:" regs ", [a]{, stride:u32}; " RACER_WMMA_LAYOUT
#define RACER_WMMA_ROW(frag, layout, shape, type, regs)                        \
  "wmma.load." frag ".sync.aligned." layout "." shape "{.ss}." type " d:" regs \
  ", [a]{, stride:u32}; .ss = { .global, .shared, .shared::cta }"
#define RACER_WMMA_STORE(shape, type, regs) \
  "wmma.store.d.sync.aligned.layout." shape "{.ss}." type " [a], b:" regs "{, stride:u32}; " RACER_WMMA_LAYOUT
#define RACER_WMMA_HALF(frag, shape) RACER_WMMA_LOAD(frag, shape, "f16", "f16x2*8")

RACER_MATRIX(WmmaLoad, "wmma", "wmma-load", 63, 70, kExact, RACER_WMMA_HALF("a", "m16n16k16"), RACER_WMMA_HALF("b", "m16n16k16"),
             RACER_WMMA_LOAD("c", "m16n16k16", "f16", "f16x2*4"), RACER_WMMA_LOAD("c", "m16n16k16", "f32", "f32*8"),
             RACER_WMMA_HALF("a", "m8n32k16"), RACER_WMMA_HALF("b", "m8n32k16"), RACER_WMMA_LOAD("c", "m8n32k16", "f16", "f16x2*4"),
             RACER_WMMA_LOAD("c", "m8n32k16", "f32", "f32*8"), RACER_WMMA_HALF("a", "m32n8k16"), RACER_WMMA_HALF("b", "m32n8k16"),
             RACER_WMMA_LOAD("c", "m32n8k16", "f16", "f16x2*4"), RACER_WMMA_LOAD("c", "m32n8k16", "f32", "f32*8"));
#define RACER_WMMA_INT8(type)                                                                           \
  RACER_WMMA_LOAD("a", "m16n16k16", type, "u32*2"), RACER_WMMA_LOAD("b", "m16n16k16", type, "u32*2"),   \
      RACER_WMMA_LOAD("a", "m8n32k16", type, "u32*1"), RACER_WMMA_LOAD("b", "m8n32k16", type, "u32*4"), \
      RACER_WMMA_LOAD("a", "m32n8k16", type, "u32*4"), RACER_WMMA_LOAD("b", "m32n8k16", type, "u32*1")
RACER_MATRIX(WmmaLoadInt, "wmma", "wmma-load", 63, 72, kExact, RACER_WMMA_INT8("u8"), RACER_WMMA_INT8("s8"),
             RACER_WMMA_LOAD("c", "m16n16k16", "s32", "s32*8"), RACER_WMMA_LOAD("c", "m8n32k16", "s32", "s32*8"),
             RACER_WMMA_LOAD("c", "m32n8k16", "s32", "s32*8"));
RACER_MATRIX(WmmaLoadSub, "wmma", "wmma-load", 63, 75, kExact, RACER_WMMA_ROW("a", "row", "m8n8k32", "u4", "u32*1"),
             RACER_WMMA_ROW("a", "row", "m8n8k32", "s4", "u32*1"), RACER_WMMA_ROW("b", "col", "m8n8k32", "u4", "u32*1"),
             RACER_WMMA_ROW("b", "col", "m8n8k32", "s4", "u32*1"), RACER_WMMA_LOAD("c", "m8n8k32", "s32", "s32*2"),
             RACER_WMMA_ROW("a", "row", "m8n8k128", "b1", "u32*1"), RACER_WMMA_ROW("b", "col", "m8n8k128", "b1", "u32*1"),
             RACER_WMMA_LOAD("c", "m8n8k128", "s32", "s32*2"));
RACER_MATRIX(WmmaLoadNewer, "wmma", "wmma-load", 70, 80, kExact, RACER_WMMA_LOAD("a", "m16n16k16", "bf16", "bf16x2*4"),
             RACER_WMMA_LOAD("b", "m16n16k16", "bf16", "bf16x2*4"), RACER_WMMA_LOAD("a", "m8n32k16", "bf16", "bf16x2*2"),
             RACER_WMMA_LOAD("b", "m8n32k16", "bf16", "bf16x2*8"), RACER_WMMA_LOAD("a", "m32n8k16", "bf16", "bf16x2*8"),
             RACER_WMMA_LOAD("b", "m32n8k16", "bf16", "bf16x2*2"), RACER_WMMA_LOAD("a", "m16n16k8", "tf32", "tf32*4"),
             RACER_WMMA_LOAD("b", "m16n16k8", "tf32", "tf32*4"), RACER_WMMA_LOAD("c", "m16n16k8", "f32", "f32*8"),
             RACER_WMMA_LOAD("a", "m8n8k4", "f64", "f64*1"), RACER_WMMA_LOAD("b", "m8n8k4", "f64", "f64*1"),
             RACER_WMMA_LOAD("c", "m8n8k4", "f64", "f64*2"));

RACER_MATRIX(WmmaStore, "wmma", "wmma-store", 63, 70, kExact, RACER_WMMA_STORE("m16n16k16", "f16", "f16x2*4"),
             RACER_WMMA_STORE("m16n16k16", "f32", "f32*8"), RACER_WMMA_STORE("m8n32k16", "f16", "f16x2*4"),
             RACER_WMMA_STORE("m8n32k16", "f32", "f32*8"), RACER_WMMA_STORE("m32n8k16", "f16", "f16x2*4"),
             RACER_WMMA_STORE("m32n8k16", "f32", "f32*8"));
RACER_MATRIX(WmmaStoreInt, "wmma", "wmma-store", 63, 72, kExact, RACER_WMMA_STORE("m16n16k16", "s32", "s32*8"),
             RACER_WMMA_STORE("m8n32k16", "s32", "s32*8"), RACER_WMMA_STORE("m32n8k16", "s32", "s32*8"));
RACER_MATRIX(WmmaStoreSub, "wmma", "wmma-store", 63, 75, kExact, RACER_WMMA_STORE("m8n8k32", "s32", "s32*2"),
             RACER_WMMA_STORE("m8n8k128", "s32", "s32*2"));
RACER_MATRIX(WmmaStoreNewer, "wmma", "wmma-store", 70, 80, kExact, RACER_WMMA_STORE("m16n16k8", "f32", "f32*8"),
             RACER_WMMA_STORE("m8n8k4", "f64", "f64*2"));

#define RACER_WMMA_LAYOUTS ".alayout = { .row, .col } .blayout = { .row, .col } "
#define RACER_WMMA_MMA(mods, operands, classes) "wmma.mma.sync.aligned.alayout.blayout." mods " " operands "; " RACER_WMMA_LAYOUTS classes
#define RACER_WMMA_SHAPES ".shape = { .m16n16k16, .m8n32k16, .m32n8k16 }"
RACER_MATRIX(WmmaMma, "wmma", "wmma-mma", 63, 70, kBounded,
             RACER_WMMA_MMA("shape.f16.f16", "d:f16x2*4, a:f16x2*8, b:f16x2*8, c:f16x2*4", RACER_WMMA_SHAPES),
             RACER_WMMA_MMA("shape.f16.f32", "d:f16x2*4, a:f16x2*8, b:f16x2*8, c:f32*8", RACER_WMMA_SHAPES),
             RACER_WMMA_MMA("shape.f32.f16", "d:f32*8, a:f16x2*8, b:f16x2*8, c:f16x2*4", RACER_WMMA_SHAPES),
             RACER_WMMA_MMA("shape.f32.f32", "d:f32*8, a:f16x2*8, b:f16x2*8, c:f32*8", RACER_WMMA_SHAPES));
#define RACER_WMMA_MMA_INT(type)                                                                                  \
  RACER_WMMA_MMA("m16n16k16.s32." type "." type ".s32{.satfinite}", "d:s32*8, a:b32*2, b:b32*2, c:s32*8", ""),    \
      RACER_WMMA_MMA("m8n32k16.s32." type "." type ".s32{.satfinite}", "d:s32*8, a:b32*1, b:b32*4, c:s32*8", ""), \
      RACER_WMMA_MMA("m32n8k16.s32." type "." type ".s32{.satfinite}", "d:s32*8, a:b32*4, b:b32*1, c:s32*8", "")
RACER_MATRIX(WmmaMmaInt, "wmma", "wmma-mma", 63, 72, kExact, RACER_WMMA_MMA_INT("u8"), RACER_WMMA_MMA_INT("s8"));
#define RACER_WMMA_SUB(type) \
  "wmma.mma.sync.aligned.row.col.m8n8k32.s32." type "." type ".s32{.satfinite} d:s32*2, a:b32*1, b:b32*1, c:s32*2"
RACER_MATRIX(WmmaMmaSub, "wmma", "wmma-mma", 63, 75, kExact, RACER_WMMA_SUB("u4"), RACER_WMMA_SUB("s4"),
             "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d:s32*2, a:b32*1, b:b32*1, c:s32*2");
RACER_MATRIX(WmmaMmaAnd, "wmma", "wmma-mma", 71, 80, kExact,
             "wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d:s32*2, a:b32*1, b:b32*1, c:s32*2");
RACER_MATRIX(WmmaMmaNewer, "wmma", "wmma-mma", 70, 80, kBounded,
             RACER_WMMA_MMA("m16n16k16.f32.bf16.bf16.f32", "d:f32*8, a:bf16x2*4, b:bf16x2*4, c:f32*8", ""),
             RACER_WMMA_MMA("m8n32k16.f32.bf16.bf16.f32", "d:f32*8, a:bf16x2*2, b:bf16x2*8, c:f32*8", ""),
             RACER_WMMA_MMA("m32n8k16.f32.bf16.bf16.f32", "d:f32*8, a:bf16x2*8, b:bf16x2*2, c:f32*8", ""),
             RACER_WMMA_MMA("m16n16k8.f32.tf32.tf32.f32", "d:f32*8, a:tf32*4, b:tf32*4, c:f32*8", ""),
             RACER_WMMA_MMA("m8n8k4{.rnd}.f64.f64.f64.f64", "d:f64*2, a:f64*1, b:f64*1, c:f64*2", ".rnd = { .rn, .rz, .rm, .rp }"));
#undef RACER_WMMA_LAYOUT
#undef RACER_WMMA_LOAD
#undef RACER_WMMA_ROW
#undef RACER_WMMA_STORE
#undef RACER_WMMA_HALF
#undef RACER_WMMA_INT8
#undef RACER_WMMA_LAYOUTS
#undef RACER_WMMA_MMA
#undef RACER_WMMA_SHAPES
#undef RACER_WMMA_MMA_INT
#undef RACER_WMMA_SUB

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_WARP_WMMA_H_
