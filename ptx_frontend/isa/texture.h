// Textures, samplers and surfaces.
#ifndef RACER_PTX_FRONTEND_ISA_TEXTURE_H_
#define RACER_PTX_FRONTEND_ISA_TEXTURE_H_

#include "ptx_frontend/isa/parsed_only.h"

namespace racer::isa {

// [texture, coordinates] or [texture, sampler, coordinates]. The index of an array is one more coordinate, of type .u32, so types
// of coordinates are not checked there. e: offsets, f: the value that depths are compared with.
#define RACER_TEX_TYPES "; .vec = { .v4 } .dtype = { .u32, .s32, .f32, .f16@4.2/sm_53 }"
#define RACER_TEX_X2 "; .vec = { .v2 } .dtype = { .f16x2@4.2/sm_53 }"
// A fetch at integer or real coordinates.
#define RACER_TEX(geom, n, e, types) \
  "tex." geom ".vec.dtype.ctype d:.dtype{|p:pred}, [a{, s:b64}, c:.ctype*" n "+]" e types " .ctype = { .s32, .f32 }"
#define RACER_TEX_ARRAY(geom, n, e, types) \
  "tex." geom ".vec.dtype.ctype d:.dtype{|p:pred}, [a{, s:b64}, c:b32*" n "+]" e types " .ctype = { .s32, .f32 }"
#define RACER_TEX_BOTH(geom, n, e) RACER_TEX(geom, n, e, RACER_TEX_TYPES), RACER_TEX(geom, n, e, RACER_TEX_X2)
#define RACER_TEX_ARRAYS(geom, n, e) RACER_TEX_ARRAY(geom, n, e, RACER_TEX_TYPES), RACER_TEX_ARRAY(geom, n, e, RACER_TEX_X2)
// With a level of detail, gradients, or none of them; real coordinates only.
#define RACER_TEX_MODE(mode, geom, type, n, more, types) \
  "tex." mode "." geom ".vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:" type "*" n "+]" more types
#define RACER_TEX_MODES(geom, type, n, e, gradient)                                                                                        \
  RACER_TEX_MODE("level", geom, type, n, ", l:f32" e, RACER_TEX_TYPES), RACER_TEX_MODE("level", geom, type, n, ", l:f32" e, RACER_TEX_X2), \
      RACER_TEX_MODE("grad", geom, type, n, ", x:f32*" gradient "+, y:f32*" gradient "+" e, RACER_TEX_TYPES),                              \
      RACER_TEX_MODE("grad", geom, type, n, ", x:f32*" gradient "+, y:f32*" gradient "+" e, RACER_TEX_X2)
// The base level; integer coordinates too.
#define RACER_TEX_BASE(geom, type, n, e)                                                                                               \
  "tex.base." geom ".vec.dtype.ctype d:.dtype{|p:pred}, [a{, s:b64}, c:" type "*" n "+]" e RACER_TEX_TYPES " .ctype = { .s32, .f32 }", \
      "tex.base." geom ".vec.dtype.ctype d:.dtype{|p:pred}, [a{, s:b64}, c:" type "*" n "+]" e RACER_TEX_X2 " .ctype = { .s32, .f32 }"
// Depth comparison: the operand behind the offsets, or instead of them.
#define RACER_OFFSETS(n) "{, e:s32*" n "+}{, f:f32}"
#define RACER_DEPTH "{, f:f32}"

RACER_PARSED_ONLY(Tex, "tex", "texture-instructions-tex", 10, 10, RACER_TEX_BOTH("1d", "1", RACER_OFFSETS("1")),
                  RACER_TEX_BOTH("2d", "2", RACER_OFFSETS("2")), RACER_TEX_BOTH("3d", "4", "{, e:s32*4+}"),
                  RACER_TEX_ARRAYS("a1d", "2", RACER_OFFSETS("1")), RACER_TEX_ARRAYS("a2d", "4", RACER_OFFSETS("2")),
                  RACER_TEX_MODE("base", "cube", "f32", "4", RACER_DEPTH, RACER_TEX_TYPES),
                  RACER_TEX_MODE("base", "acube", "b32", "4", RACER_DEPTH, RACER_TEX_TYPES),
                  RACER_TEX_BASE("1d", ".ctype", "1", RACER_OFFSETS("1")), RACER_TEX_BASE("2d", ".ctype", "2", RACER_OFFSETS("2")),
                  RACER_TEX_BASE("3d", ".ctype", "4", "{, e:s32*4+}"), RACER_TEX_BASE("a1d", "b32", "2", RACER_OFFSETS("1")),
                  RACER_TEX_BASE("a2d", "b32", "4", RACER_OFFSETS("2")),
                  "tex.cube.vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:f32*4]" RACER_DEPTH RACER_TEX_TYPES,
                  "tex.cube.vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:f32*4]" RACER_DEPTH RACER_TEX_X2,
                  "tex.acube.vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:b32*4]" RACER_DEPTH RACER_TEX_TYPES,
                  "tex.acube.vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:b32*4]" RACER_DEPTH RACER_TEX_X2,
                  "@3.2/sm_30 tex{.base}.geom.vec.dtype.s32 d:.dtype{|p:pred}, [a{, s:b64}, c:b32*4]{, e:s32*2+}" RACER_TEX_TYPES
                  " .geom = { .2dms, .a2dms }",
                  "@3.2/sm_30 tex{.base}.geom.vec.dtype.s32 d:.dtype{|p:pred}, [a{, s:b64}, c:b32*4]{, e:s32*2+}" RACER_TEX_X2
                  " .geom = { .2dms, .a2dms }",
                  RACER_TEX_MODES("1d", "f32", "1", RACER_OFFSETS("1"), "1"), RACER_TEX_MODES("2d", "f32", "2", RACER_OFFSETS("2"), "2"),
                  RACER_TEX_MODES("3d", "f32", "4", "{, e:s32*4+}", "4"), RACER_TEX_MODES("a1d", "b32", "2", RACER_OFFSETS("1"), "1"),
                  RACER_TEX_MODES("a2d", "b32", "4", RACER_OFFSETS("2"), "2"), RACER_TEX_MODES("cube", "f32", "4", RACER_DEPTH, "4"),
                  RACER_TEX_MODES("acube", "b32", "4", RACER_DEPTH, "4"));

#define RACER_TLD4(geom, type, n, e)                                                     \
  "tld4.comp." geom ".vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:" type "*" n "]" e \
  "; .comp = { .r, .g, .b, .a } .vec = { .v4 } .dtype = { .u32, .s32, .f32 }"
RACER_PARSED_ONLY(Tld4, "tld4", "texture-instructions-tld4", 22, 20, RACER_TLD4("2d", "f32", "2", RACER_OFFSETS("2")),
                  RACER_TLD4("a2d", "b32", "4", RACER_OFFSETS("2")), RACER_TLD4("cube", "f32", "4", RACER_DEPTH),
                  RACER_TLD4("acube", "b32", "4", RACER_DEPTH));
RACER_PARSED_ONLY(Txq, "txq", "texture-instructions-txq", 15, 10,
                  "txq.query.b32 d, [a]; .query = { .width, .height, .depth, .channel_data_type@2.1, .channel_order@2.1, "
                  ".normalized_coords, .array_size@4.1, .num_mipmap_levels@4.1, .num_samples@4.1, .filter_mode, .addr_mode_0, "
                  ".addr_mode_1, .addr_mode_2, .force_unnormalized_coords@2.1 }",
                  "txq.level@4.3/sm_30.query.b32 d, [a], l:b32; .query = { .width, .height, .depth }");
RACER_PARSED_ONLY(Istypep, "istypep", "texture-instructions-istypep", 40, 30,
                  "istypep.ref p:pred, a:any; .ref = { .texref, .samplerref, .surfref }");

#define RACER_SURFACE_TYPES "; .vec = { .v2, .v4 } .dtype = { .b8, .b16, .b32 } .clamp = { .trap, .clamp@2.0/sm_20, .zero@2.0/sm_20 }"
#define RACER_SURFACE_WIDE "; .vec = { .v2 } .dtype = { .b64 } .clamp = { .trap, .clamp@2.0/sm_20, .zero@2.0/sm_20 }"
#define RACER_SULD(geom, n, types) \
  "suld.b." geom "{.cop}{.vec}.dtype.clamp d:.dtype, [a, c:b32*" n "+]" types " .cop = { .ca, .cg, .cs, .cv }"
#define RACER_SUST(geom, n, types) \
  "sust.b." geom "{.cop}{.vec}.dtype.clamp [a, c:b32*" n "+], b:.dtype" types " .cop = { .wb, .cg, .cs, .wt }"
#define RACER_SUST_P(geom, n) \
  "sust.p." geom "{.vec}.dtype.clamp [a, c:b32*" n "+], b:.dtype; .vec = { .v2, .v4 } .dtype = { .b32 } .clamp = { .trap, .clamp, .zero }"
#define RACER_GEOMETRIES(f, types) f("1d", "1", types), f("2d", "2", types), f("3d", "4", types), f("a1d", "2", types), f("a2d", "4", types)
RACER_PARSED_ONLY(Suld, "suld", "surface-instructions-suld", 15, 20, RACER_GEOMETRIES(RACER_SULD, RACER_SURFACE_TYPES),
                  RACER_GEOMETRIES(RACER_SULD, RACER_SURFACE_WIDE));
RACER_PARSED_ONLY(Sust, "sust", "surface-instructions-sust", 15, 20, RACER_GEOMETRIES(RACER_SUST, RACER_SURFACE_TYPES),
                  RACER_GEOMETRIES(RACER_SUST, RACER_SURFACE_WIDE), RACER_SUST_P("1d", "1"), RACER_SUST_P("2d", "2"),
                  RACER_SUST_P("3d", "4"), RACER_SUST_P("a1d", "2"), RACER_SUST_P("a2d", "4"));
#define RACER_SURED(geom, n)                                                                  \
  "sured.b.reduce." geom ".type.clamp [a, c:b32*" n                                           \
  "+], b; .reduce = { .add } .type = { .u32, .s32, .u64 } .clamp = { .trap, .clamp, .zero }", \
      "sured.b.reduce." geom ".type.clamp [a, c:b32*" n                                       \
      "+], b; .reduce = { .min, .max } .type = { .u32, .s32, .u64, .s64 } "                   \
      ".clamp = { .trap, .clamp, .zero }",                                                    \
      "sured.b.reduce." geom ".type.clamp [a, c:b32*" n                                       \
      "+], b; .reduce = { .and, .or } .type = { .b32 } .clamp = { .trap, .clamp, .zero }",    \
      "sured.p.reduce." geom ".b32.clamp [a, c:b32*" n                                        \
      "+], b; .reduce = { .add, .min, .max, .and, .or } .clamp = { .trap, .clamp, .zero }"
RACER_PARSED_ONLY(Sured, "sured", "surface-instructions-sured", 20, 20, RACER_SURED("1d", "1"), RACER_SURED("2d", "2"),
                  RACER_SURED("3d", "4"));
RACER_PARSED_ONLY(Suq, "suq", "surface-instructions-suq", 15, 10,
                  "suq.query.b32 d, [a]; .query = { .width, .height, .depth, .channel_data_type@2.1, .channel_order@2.1, .array_size@4.1, "
                  ".memory_layout@4.2 }");

#undef RACER_TEX_TYPES
#undef RACER_TEX_X2
#undef RACER_TEX
#undef RACER_TEX_ARRAY
#undef RACER_TEX_BOTH
#undef RACER_TEX_ARRAYS
#undef RACER_TEX_MODE
#undef RACER_TEX_MODES
#undef RACER_TEX_BASE
#undef RACER_OFFSETS
#undef RACER_DEPTH
#undef RACER_TLD4
#undef RACER_SURFACE_TYPES
#undef RACER_SURFACE_WIDE
#undef RACER_SULD
#undef RACER_SUST
#undef RACER_SUST_P
#undef RACER_GEOMETRIES
#undef RACER_SURED

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_TEXTURE_H_
