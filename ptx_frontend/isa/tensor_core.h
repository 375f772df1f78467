// Matrix instructions of warpgroups (wgmma) and of the fifth generation of tensor cores (tcgen05).
#ifndef RACER_PTX_FRONTEND_ISA_TENSOR_CORE_H_
#define RACER_PTX_FRONTEND_ISA_TENSOR_CORE_H_

#include "ptx_frontend/isa/parsed_only.h"

namespace racer::isa {

#define RACER_WG "asynchronous-warpgroup-level-matrix-instructions-wgmma-"
#define RACER_WGMMA "@8.0/sm_90a wgmma."
RACER_PARSED_ONLY(WgmmaFence, "wgmma", RACER_WG "fence", 80, 90, RACER_WGMMA "fence.sync.aligned");
RACER_PARSED_ONLY(WgmmaCommitGroup, "wgmma", RACER_WG "commit-group", 80, 90, RACER_WGMMA "commit_group.sync.aligned");
RACER_PARSED_ONLY(WgmmaWaitGroup, "wgmma", RACER_WG "wait-group", 80, 90, RACER_WGMMA "wait_group.sync.aligned n:imm");

// N: multiples of 8 up to 256; of integers and bits 8, 24 and multiples of 16.
#define RACER_N16(k)                                                                                                                      \
  ".m64n16k" k ", .m64n32k" k ", .m64n48k" k ", .m64n64k" k ", .m64n80k" k ", .m64n96k" k ", .m64n112k" k ", .m64n128k" k ", .m64n144k" k \
  ", .m64n160k" k ", .m64n176k" k ", .m64n192k" k ", .m64n208k" k ", .m64n224k" k ", .m64n240k" k ", .m64n256k" k
#define RACER_INT_SHAPES(k) " .shape = { .m64n8k" k ", .m64n24k" k ", " RACER_N16(k) " }"
#define RACER_SHAPES(k)                                                                                                              \
  " .shape = { .m64n8k" k ", .m64n24k" k ", .m64n40k" k ", .m64n56k" k ", .m64n72k" k ", .m64n88k" k ", .m64n104k" k ", .m64n120k" k \
  ", .m64n136k" k ", .m64n152k" k ", .m64n168k" k ", .m64n184k" k ", .m64n200k" k ", .m64n216k" k ", .m64n232k" k ", .m64n248k" k    \
  ", " RACER_N16(k) " }"
// A from shared memory by its descriptor, or from registers; `more` stands behind scale-d. Results of .f16 are in pairs.
#define RACER_WGMMA_LINES(sp, meta, tail, types, shapes, d, a_more, r_more)                                               \
  RACER_WGMMA "mma_async" sp ".sync.aligned.shape" tail " d:" d ", a:b64, b:b64" meta ", s:pred" a_more ";" shapes types, \
      RACER_WGMMA "mma_async" sp ".sync.aligned.shape" tail " d:" d ", a:b32*4, b:b64" meta ", s:pred" r_more ";" shapes types
#define RACER_SCALES ", i:imm, j:imm"
#define RACER_WGMMA_FORMATS(sp, meta, meta8, k16, k8, k32, k256)                                                                           \
  RACER_WGMMA_LINES(sp, meta, ".f32.ab.ab", " .ab = { .f16 }", RACER_SHAPES(k16), "f32*n/2", RACER_SCALES ", t:imm, u:imm",                \
                    RACER_SCALES ", t:imm"),                                                                                               \
      RACER_WGMMA_LINES(sp, meta, ".f16.ab.ab", " .ab = { .f16 }", RACER_SHAPES(k16), "b32*n/4", RACER_SCALES ", t:imm, u:imm",            \
                        RACER_SCALES ", t:imm"),                                                                                           \
      RACER_WGMMA_LINES(sp, meta, ".f32.bf16.bf16", "", RACER_SHAPES(k16), "f32*n/2", RACER_SCALES ", t:imm, u:imm",                       \
                        RACER_SCALES ", t:imm"),                                                                                           \
      RACER_WGMMA_LINES(sp, meta, ".f32.tf32.tf32", "", RACER_SHAPES(k8), "f32*n/2", RACER_SCALES, RACER_SCALES),                          \
      RACER_WGMMA_LINES(sp, meta8, ".f32.a.b", " .a = { .e4m3, .e5m2 } .b = { .e4m3, .e5m2 }", RACER_SHAPES(k32), "f32*n/2", RACER_SCALES, \
                        RACER_SCALES),                                                                                                     \
      RACER_WGMMA_LINES(sp, meta8, ".f16.a.b", " .a = { .e4m3, .e5m2 } .b = { .e4m3, .e5m2 }", RACER_SHAPES(k32), "b32*n/4", RACER_SCALES, \
                        RACER_SCALES),                                                                                                     \
      RACER_WGMMA_LINES(sp, meta8, ".s32{.satfinite}.a.b", " .a = { .s8 } .b = { .s8 }", RACER_INT_SHAPES(k32), "s32*n/2", "", ""),        \
      RACER_WGMMA_LINES(sp, meta8, ".s32{.satfinite}.a.b", " .a = { .u8 } .b = { .u8 }", RACER_INT_SHAPES(k32), "s32*n/2", "", ""),        \
      RACER_WGMMA_LINES(sp, meta8, ".s32{.satfinite}.a@8.4.b", " .a = { .s8 } .b = { .u8 }", RACER_INT_SHAPES(k32), "s32*n/2", "", ""),    \
      RACER_WGMMA_LINES(sp, meta8, ".s32{.satfinite}.a@8.4.b", " .a = { .u8 } .b = { .s8 }", RACER_INT_SHAPES(k32), "s32*n/2", "", "")
RACER_PARSED_ONLY(WgmmaMmaAsync, "wgmma", RACER_WG "mma", 80, 90, RACER_WGMMA_FORMATS("", "", "", "16", "8", "32", "256"),
                  RACER_WGMMA_LINES("", "", ".s32.b1.b1.and.popc", "", RACER_INT_SHAPES("256"), "s32*n/2", "", ""));
RACER_PARSED_ONLY(WgmmaMmaAsyncSp, "wgmma", RACER_WG "mma-sp", 82, 90,
                  RACER_WGMMA_FORMATS(".sp@8.2", ", m:b32, l:imm=0|1", ", m:b32, l:imm=0", "32", "16", "64", ""));

#define RACER_TC "tensorcore-5th-generation-instructions-tcgen05-"
#define RACER_TCGEN "@8.6/sm_100f|sm_110f tcgen05."
#define RACER_GROUP "; .cta_group = { .cta_group::1, .cta_group::2 }"
RACER_PARSED_ONLY(Tcgen05Alloc, "tcgen05", RACER_TC "alloc", 86, 100,
                  RACER_TCGEN "alloc.cta_group.sync.aligned{.ss}.b32 [a], n:u32" RACER_GROUP " .ss = { .shared::cta }",
                  RACER_TCGEN "dealloc.cta_group.sync.aligned.b32 a:b32, n:u32" RACER_GROUP,
                  RACER_TCGEN "relinquish_alloc_permit.cta_group.sync.aligned" RACER_GROUP);
RACER_PARSED_ONLY(Tcgen05Wait, "tcgen05", RACER_TC "wait", 86, 100, RACER_TCGEN "wait::ld.sync.aligned",
                  RACER_TCGEN "wait::st.sync.aligned", RACER_TCGEN "fence::before_thread_sync", RACER_TCGEN "fence::after_thread_sync");

// As many registers as the shape and the number of repetitions make: 32 bits a lane of each.
#define RACER_TC_LDST(shapes, num, count)                                                                         \
  RACER_TCGEN "ld.sync.aligned.shape.x" num "{.pack::16b}.b32 d:b32*" count ", [a:b32]; .shape = { " shapes " }", \
      RACER_TCGEN "st.sync.aligned.shape.x" num "{.unpack::16b}.b32 [a:b32], b:b32*" count "; .shape = { " shapes " }"
#define RACER_TC_ONE(num)                                                                            \
  RACER_TC_LDST(".16x64b, .32x32b", num, num),                                                       \
      RACER_TCGEN "ld.sync.aligned.16x32bx2.x" num "{.pack::16b}.b32 d:b32*" num ", [a:b32], i:imm", \
      RACER_TCGEN "st.sync.aligned.16x32bx2.x" num "{.unpack::16b}.b32 [a:b32], i:imm, b:b32*" num
#define RACER_TC_TWO(num, count) RACER_TC_LDST(".16x128b", num, count)
#define RACER_TC_FOUR(num, count) RACER_TC_LDST(".16x256b", num, count)
RACER_PARSED_ONLY(Tcgen05LdSt, "tcgen05", RACER_TC "ld", 86, 100, RACER_TC_ONE("1"), RACER_TC_ONE("2"), RACER_TC_ONE("4"),
                  RACER_TC_ONE("8"), RACER_TC_ONE("16"), RACER_TC_ONE("32"), RACER_TC_ONE("64"), RACER_TC_ONE("128"),
                  RACER_TC_TWO("1", "2"), RACER_TC_TWO("2", "4"), RACER_TC_TWO("4", "8"), RACER_TC_TWO("8", "16"), RACER_TC_TWO("16", "32"),
                  RACER_TC_TWO("32", "64"), RACER_TC_TWO("64", "128"), RACER_TC_FOUR("1", "4"), RACER_TC_FOUR("2", "8"),
                  RACER_TC_FOUR("4", "16"), RACER_TC_FOUR("8", "32"), RACER_TC_FOUR("16", "64"), RACER_TC_FOUR("32", "128"));

#define RACER_FORMATS "{.b8x16.src} [a:b32], b:b64" RACER_GROUP " .src = { .b6x16_p32, .b4x16_p64 }"
RACER_PARSED_ONLY(Tcgen05Cp, "tcgen05", RACER_TC "cp", 86, 100,
                  RACER_TCGEN "cp.cta_group.shape" RACER_FORMATS " .shape = { .128x256b, .4x256b, .128x128b }",
                  RACER_TCGEN "cp.cta_group.64x128b.cast" RACER_FORMATS " .cast = { .warpx2::02_13, .warpx2::01_23 }",
                  RACER_TCGEN "cp.cta_group.32x128b.warpx4" RACER_FORMATS,
                  "@8.6/sm_100a|sm_103a|sm_110a tcgen05.shift.cta_group.down [a:b32]" RACER_GROUP);
RACER_PARSED_ONLY(Tcgen05Commit, "tcgen05", RACER_TC "commit", 86, 100,
                  RACER_TCGEN
                  "commit.cta_group.mbarrier::arrive::one{.shared::cluster}{.multicast::cluster}.b64 [a]"
                  "{, mask:b16?multicast::cluster}" RACER_GROUP);

// A in shared memory (a descriptor) or tensor memory; `meta` of a sparse A.
#define RACER_TC_MMA_OF(groups, sp, meta, kinds, lanes, tail)                                                                     \
  RACER_TCGEN "mma" sp ".cta_group.kind{.use} [d:b32], a:b64, b:b64" meta ", i:b32" lanes ", e:pred" tail groups kinds RACER_USE, \
      RACER_TCGEN "mma" sp ".cta_group.kind{.ashift}{.use} [d:b32], [a:b32], b:b64" meta ", i:b32" lanes                          \
                  ", e:pred" tail groups kinds RACER_USE
#define RACER_TC_MMA(sp, meta, kinds, lanes, tail) RACER_TC_MMA_OF(RACER_GROUP, sp, meta, kinds, lanes, tail)
#define RACER_USE " .use = { .collector::a::fill, .collector::a::use, .collector::a::lastuse, .collector::a::discard }"
#define RACER_REAL " .kind = { .kind::f16, .kind::tf32, .kind::f8f6f4 }"
#define RACER_INTEGER " .kind = { .kind::i8@8.6/sm_100a|sm_110a }"
// The lanes whose results are kept: four words of one CTA, eight of two.
#define RACER_TC_LANES(sp, meta, kinds, tail)                                              \
  RACER_TC_MMA_OF("; .cta_group = { .cta_group::1 }", sp, meta, kinds, ", m:b32*4", tail), \
      RACER_TC_MMA_OF("; .cta_group = { .cta_group::2 }", sp, meta, kinds, ", m:b32*8", tail)
#define RACER_TC_MMAS(sp, meta, four, nvfour)                                                                                             \
  RACER_TC_MMA(sp, meta, RACER_REAL, "", ""), RACER_TC_LANES(sp, meta, RACER_REAL, ""),                                                   \
      RACER_TC_MMA(sp, meta, " .kind = { .kind::f16@8.6/sm_100f, .kind::tf32@8.6/sm_100f }", "", ", s:imm"),                              \
      RACER_TC_LANES(sp, meta, " .kind = { .kind::f16@8.6/sm_100f, .kind::tf32@8.6/sm_100f }", ", s:imm"),                                \
      RACER_TC_MMA(sp, meta, RACER_INTEGER, "", ""), RACER_TC_LANES(sp, meta, RACER_INTEGER, ""),                                         \
      RACER_TC_SCALED(sp, meta, " .kind = { .kind::mxf8f6f4 } .size = { .scale_vec::1X@8.6/sm_100a|sm_103a|sm_110a, .block32@8.8 }"),     \
      RACER_TC_SCALED(sp, meta, " .kind = { .kind::mxf4" four " } .size = { .scale_vec::2X@8.6/sm_100a|sm_103a|sm_110a, .block32@8.8 }"), \
      RACER_TC_SCALED_SIZE(sp, meta,                                                                                                      \
                           " .kind = { .kind::mxf4nvf4" nvfour                                                                            \
                           " } .size = { .scale_vec::2X@8.6/sm_100a|sm_103a|sm_110a, "                                                    \
                           ".scale_vec::4X@8.6/sm_100a|sm_103a|sm_110a, .block16@8.8, .block32@8.8 }")
// Without a size it is .block32.
#define RACER_TC_SCALED(sp, meta, kinds) RACER_TC_SIZED(sp, meta, kinds, ".size"), RACER_TC_SIZED(sp, meta, kinds, "@8.8")
#define RACER_TC_SCALED_SIZE(sp, meta, kinds) RACER_TC_SIZED(sp, meta, kinds, ".size")
#define RACER_TC_SIZED(sp, meta, kinds, size)                                                       \
  RACER_TCGEN "mma" sp ".cta_group.kind.block_scale" size "{.use} [d:b32], a:b64, b:b64" meta       \
              ", i:b32, [x:b32], [y:b32], e:pred" RACER_GROUP kinds RACER_USE,                      \
      RACER_TCGEN "mma" sp ".cta_group.kind.block_scale" size "{.use} [d:b32], [a:b32], b:b64" meta \
                  ", i:b32, [x:b32], [y:b32], e:pred" RACER_GROUP kinds RACER_USE
RACER_PARSED_ONLY(Tcgen05Mma, "tcgen05", RACER_TC "mma", 86, 100, RACER_TC_MMAS("", "", "", "@8.7"));
RACER_PARSED_ONLY(Tcgen05MmaSp, "tcgen05", RACER_TC "mma-sp", 86, 100,
                  RACER_TC_MMAS(".sp", ", [m:b32]", "@8.6/sm_100a|sm_103a|sm_110a", "@8.7/sm_100a|sm_103a|sm_110a"));

#define RACER_B(n) ".collector::b" n "::fill, .collector::b" n "::use, .collector::b" n "::lastuse, .collector::b" n "::discard"
#define RACER_TC_WS(sp, meta, a)                                                                                                   \
  RACER_TCGEN "mma.ws" sp ".cta_group::1.kind{.use} [d:b32], " a ", b:b64" meta                                                    \
              ", i:b32, e:pred{, z:b64}; .kind = { .kind::f16, "                                                                   \
              ".kind::tf32, .kind::f8f6f4, .kind::i8@8.6/sm_100a|sm_110a } .use = { " RACER_B("0") ", " RACER_B("1") ", " RACER_B( \
                  "2") ", " RACER_B("3") " }"
RACER_PARSED_ONLY(Tcgen05MmaWs, "tcgen05", RACER_TC "mma-ws", 86, 100, RACER_TC_WS("", "", "a:b64"), RACER_TC_WS("", "", "[a:b32]"),
                  RACER_TC_WS(".sp", ", [m:b32]", "a:b64"), RACER_TC_WS(".sp", ", [m:b32]", "[a:b32]"));

#undef RACER_WG
#undef RACER_WGMMA
#undef RACER_N16
#undef RACER_INT_SHAPES
#undef RACER_SHAPES
#undef RACER_WGMMA_LINES
#undef RACER_SCALES
#undef RACER_WGMMA_FORMATS
#undef RACER_TC
#undef RACER_TCGEN
#undef RACER_GROUP
#undef RACER_TC_LDST
#undef RACER_TC_ONE
#undef RACER_TC_TWO
#undef RACER_TC_FOUR
#undef RACER_FORMATS
#undef RACER_TC_MMA
#undef RACER_TC_MMA_OF
#undef RACER_TC_LANES
#undef RACER_USE
#undef RACER_REAL
#undef RACER_INTEGER
#undef RACER_TC_MMAS
#undef RACER_TC_SCALED
#undef RACER_TC_SCALED_SIZE
#undef RACER_TC_SIZED
#undef RACER_B
#undef RACER_TC_WS

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_TENSOR_CORE_H_
