// Textures, samplers and surfaces.
#ifndef RACER_PTX_FRONTEND_ISA_TEXTURE_H_
#define RACER_PTX_FRONTEND_ISA_TEXTURE_H_

#include "ptx_frontend/isa/parsed_only.h"

namespace racer::isa {

// [texture, coordinates] or [texture, sampler, coordinates]. The index of an array is one more coordinate, of type .u32, so types
// of coordinates are not checked there. e: offsets, f: the value that depths are compared with; beside integer coordinates there is one or
// the other. A bare operand behind one-dimensional coordinates is either.
#define RACER_TEX_TYPES "; .vec = { .v2, .v4 } .dtype = { .u32, .s32, .f32, .f16@4.2/sm_53, .f16x2@4.2/sm_53 }"
// mode: "", ".base", ".level" or ".grad"; n coordinates; `operands` of the mode behind them.
#define RACER_TEX(mode, geom, ctype, coordinate, n, operands, more) \
  "tex" mode "." geom ".vec.dtype." ctype " d:.dtype{|p:pred}, [a{, s:b64}, c:" coordinate "*" n "+]" operands more RACER_TEX_TYPES
#define RACER_TEX_REAL(mode, geom, coordinate, n, offsets, f, operands) \
  RACER_TEX(mode, geom, "f32", coordinate, n, operands, "{, f:" f "}"), \
      RACER_TEX(mode, geom, "f32", coordinate, n, operands, ", e:s32*" offsets "+{, f:f32}")
#define RACER_TEX_INTEGER(mode, geom, coordinate, n, offsets, operands) \
  RACER_TEX(mode, geom, "s32", coordinate, n, operands, "{, f:s32}"),   \
      RACER_TEX(mode, geom, "s32", coordinate, n, operands, ", e:s32*" offsets "+")
// In every geometry; the operands of the mode for real and integer coordinates, one to four dimensions.
#define RACER_TEX_GEOMETRIES(mode, real1, real2, real4, integer1, integer2, integer4)                                                  \
  RACER_TEX_REAL(mode, "1d", "f32", "1", "1", "b32", real1), RACER_TEX_REAL(mode, "2d", "f32", "2", "2", "f32", real2),                \
      RACER_TEX_REAL(mode, "a1d", "b32", "2", "1", "b32", real1), RACER_TEX_REAL(mode, "a2d", "b32", "4", "2", "f32", real2),          \
      RACER_TEX(mode, "3d", "f32", "f32", "4", real4, "{, e:s32*4+}"), RACER_TEX(mode, "cube", "f32", "f32", "4", real4, "{, f:f32}"), \
      RACER_TEX(mode, "acube", "f32", "b32", "4", real4, "{, f:f32}"), RACER_TEX_INTEGER(mode, "1d", "s32", "1", "1", integer1),       \
      RACER_TEX_INTEGER(mode, "2d", "s32", "2", "2", integer2), RACER_TEX_INTEGER(mode, "a1d", "b32", "2", "1", integer1),             \
      RACER_TEX_INTEGER(mode, "a2d", "b32", "4", "2", integer2), RACER_TEX(mode, "3d", "s32", "s32", "4", integer4, "{, e:s32*4+}")
#define RACER_TEX_SAMPLES(geom) RACER_TEX_INTEGER("{.base}", geom, "b32", "4", "2", "")
#define RACER_GRADIENTS(n) ", x:f32*" n "+, y:f32*" n "+"
struct Tex {
  static constexpr Line kGrammar[] = {
      RACER_TEX_GEOMETRIES("", "", "", "", "", "", ""),
      RACER_TEX_GEOMETRIES(".base", "", "", "", "", "", ""),
      RACER_TEX_GEOMETRIES(".level", ", l:f32", ", l:f32", ", l:f32", ", l:s32", ", l:s32", ", l:s32"),
      RACER_TEX_GEOMETRIES(".grad", RACER_GRADIENTS("1"), RACER_GRADIENTS("2"), RACER_GRADIENTS("4"), RACER_GRADIENTS("1"),
                           RACER_GRADIENTS("2"), RACER_GRADIENTS("4")),
      RACER_TEX_SAMPLES("2dms"),
      RACER_TEX_SAMPLES("a2dms"),
  };
  static constexpr Rule kRules[] = {
      {".v2 & !.f16x2", "two elements are of type `.f16x2`"},
      {".v4 & .f16x2", "elements of type `.f16x2` are two"},
      {".2dms|.a2dms", "@3.2/sm_30"},
  };
  static constexpr Spec kSpec = {.mnemonic = "tex",
                                 .grammar = kGrammar,
                                 .isa = "texture-instructions-tex",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kUnmodelled,
                                 .fidelity = Fidelity::kUninterpreted,
                                 .rules = kRules};
};

#define RACER_TLD4(geom, type, n, e)                                                     \
  "tld4.comp." geom ".vec.dtype.f32 d:.dtype{|p:pred}, [a{, s:b64}, c:" type "*" n "]" e \
  "; .comp = { .r, .g, .b, .a } .vec = { .v4 } .dtype = { .u32, .s32, .f32 }"
RACER_PARSED_ONLY(Tld4, "tld4", "texture-instructions-tld4", 22, 20, RACER_TLD4("2d", "f32", "2", "{, f:f32}"),
                  RACER_TLD4("2d", "f32", "2", ", e:s32*2+{, f:f32}"), RACER_TLD4("a2d", "b32", "4", "{, f:f32}"),
                  RACER_TLD4("a2d", "b32", "4", ", e:s32*2+{, f:f32}"), RACER_TLD4("cube", "f32", "4", "{, f:f32}"),
                  RACER_TLD4("acube", "b32", "4", "{, f:f32}"));
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
      "+], b; .reduce = { .min, .max } .type = { .u32, .s32, .u64@8.1, .s64@8.1 } "           \
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
#undef RACER_TEX
#undef RACER_TEX_REAL
#undef RACER_TEX_INTEGER
#undef RACER_TEX_GEOMETRIES
#undef RACER_TEX_SAMPLES
#undef RACER_GRADIENTS
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
