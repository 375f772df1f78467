// Scalar and packed video instructions, apart from those that compilers emit (video.h).
#ifndef RACER_PTX_FRONTEND_ISA_VIDEO_PARSED_H_
#define RACER_PTX_FRONTEND_ISA_VIDEO_PARSED_H_

#include "ptx_frontend/isa/parsed_only.h"

namespace racer::isa {

// Operands may select a byte or half-word: a.b1, d.h0.
#define RACER_TYPES32 " .dtype = { .u32, .s32 } .atype = { .u32, .s32 } .btype = { .u32, .s32 }"
#define RACER_ACCUMULATE " .op2 = { .add, .min, .max }"
#define RACER_VIDEO(Name, name)                                                                  \
  RACER_PARSED_ONLY(Name, name, "video-instructions-scalar", 20, 20,                             \
                    name ".dtype.atype.btype{.sat} d:b32, a:b32, b:b32{, c:b32};" RACER_TYPES32, \
                    name ".dtype.atype.btype{.sat}.op2 d:b32, a:b32, b:b32, c:b32;" RACER_TYPES32 RACER_ACCUMULATE)
RACER_VIDEO(Vadd, "vadd");
RACER_VIDEO(Vsub, "vsub");
RACER_VIDEO(Vabsdiff, "vabsdiff");
RACER_VIDEO(Vmin, "vmin");
RACER_VIDEO(Vmax, "vmax");
#define RACER_VIDEO_SHIFT(Name, name)                                                                           \
  RACER_PARSED_ONLY(                                                                                            \
      Name, name, "video-instructions-vshl-vshr", 20, 20,                                                       \
      name ".dtype.atype.u32{.sat}.mode d:b32, a:b32, b:b32{, c:b32}; .mode = { .clamp, .wrap }" RACER_TYPES32, \
      name ".dtype.atype.u32{.sat}.mode.op2 d:b32, a:b32, b:b32, c:b32; .mode = { .clamp, .wrap }" RACER_TYPES32 RACER_ACCUMULATE)
RACER_VIDEO_SHIFT(Vshl, "vshl");
RACER_VIDEO_SHIFT(Vshr, "vshr");
RACER_PARSED_ONLY(Vmad, "vmad", "video-instructions-vmad", 20, 20,
                  "vmad.dtype.atype.btype{.sat}{.scale} d:b32, a:b32, b:b32, c:b32; .scale = { .shr7, .shr15 }" RACER_TYPES32,
                  "vmad.dtype.atype.btype.po{.sat}{.scale} d:b32, a:b32, b:b32, c:b32; .scale = { .shr7, .shr15 }" RACER_TYPES32);
#define RACER_COMPARE " .cmp = { .eq, .ne, .lt, .le, .gt, .ge }"
RACER_PARSED_ONLY(Vset, "vset", "video-instructions-vset", 20, 20,
                  "vset.atype.btype.cmp d:b32, a:b32, b:b32{, c:b32};" RACER_TYPES32 RACER_COMPARE,
                  "vset.atype.btype.cmp.op2 d:b32, a:b32, b:b32, c:b32;" RACER_TYPES32 RACER_COMPARE RACER_ACCUMULATE);
#define RACER_VIDEO_SIMD(Name, name)                                                           \
  RACER_PARSED_ONLY(Name, name, "video-instructions-simd", 30, 30,                             \
                    name ".dtype.atype.btype{.sat} d:b32, a:b32, b:b32, c:b32;" RACER_TYPES32, \
                    name ".dtype.atype.btype.add d:b32, a:b32, b:b32, c:b32;" RACER_TYPES32)
#define RACER_VIDEO_SIMD_SET(Name, name)                               \
  RACER_PARSED_ONLY(Name, name, "video-instructions-simd-set", 30, 30, \
                    name ".atype.btype.cmp{.add} d:b32, a:b32, b:b32, c:b32;" RACER_TYPES32 RACER_COMPARE)
RACER_VIDEO_SIMD(Vadd2, "vadd2");
RACER_VIDEO_SIMD(Vsub2, "vsub2");
RACER_VIDEO_SIMD(Vavrg2, "vavrg2");
RACER_VIDEO_SIMD(Vabsdiff2, "vabsdiff2");
RACER_VIDEO_SIMD(Vmin2, "vmin2");
RACER_VIDEO_SIMD(Vmax2, "vmax2");
RACER_VIDEO_SIMD_SET(Vset2, "vset2");
RACER_VIDEO_SIMD(Vadd4, "vadd4");
RACER_VIDEO_SIMD(Vsub4, "vsub4");
RACER_VIDEO_SIMD(Vavrg4, "vavrg4");
RACER_VIDEO_SIMD(Vabsdiff4, "vabsdiff4");
RACER_VIDEO_SIMD(Vmin4, "vmin4");
RACER_VIDEO_SIMD(Vmax4, "vmax4");
RACER_VIDEO_SIMD_SET(Vset4, "vset4");

#undef RACER_TYPES32
#undef RACER_ACCUMULATE
#undef RACER_VIDEO
#undef RACER_VIDEO_SHIFT
#undef RACER_COMPARE
#undef RACER_VIDEO_SIMD
#undef RACER_VIDEO_SIMD_SET

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_VIDEO_PARSED_H_
