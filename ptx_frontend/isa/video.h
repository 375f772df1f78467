// Video instructions that compilers emit: the bytes of __vabsdiffu4 and __vsadu4. The others are in video_parsed.h.
#ifndef RACER_PTX_FRONTEND_ISA_VIDEO_H_
#define RACER_PTX_FRONTEND_ISA_VIDEO_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

// |a - b| of each byte without sign; with .add the sum of the four and c. Without it c fills the bytes that a mask leaves out: none here.
struct Vabsdiff4Unsigned {
  static constexpr Line kGrammar[] = {"vabsdiff4.u32.u32.u32{.reduce} d:u32, a:u32, b:u32, c:u32; .reduce = { .add }"};
  static constexpr Example kExamples[] = {
      {".u32.u32.u32", {0x01020304, 0x04030201, 7}, 0x03010103, From::kManual},
      {".u32.u32.u32", {0x00ff00ff, 0xff00ff00, 1}, 0xffffffff, From::kManual},
      {".u32.u32.u32.add", {0x01020304, 0x04030201, 7}, 15, From::kManual},
      {".u32.u32.u32.add", {0x00ff00ff, 0xff00ff00, 0xffffffff}, 1019, From::kManual},
  };
  static constexpr Spec kSpec = {.mnemonic = "vabsdiff4",
                                 .grammar = kGrammar,
                                 .isa = "video-instructions-vabsdiff4",
                                 .since = {.ptx = 30, .sm = 30},
                                 .examples = kExamples};
  template <Domain D>
  static Val<D> Eval(D& d, const Mods& m, Val<D> a, Val<D> b, Val<D> c) {
    Val<D> bytes = d.Const(32, 0), sum = c;
    for (unsigned at = 0; at < 32; at += 8) {
      const Val<D> x = Resize(d, 8, 32, false, d.Extract(8, a, 32, at));
      const Val<D> y = Resize(d, 8, 32, false, d.Extract(8, b, 32, at));
      const Val<D> difference = d.Ite(32, d.Ult(32, x, y), d.Sub(32, y, x), d.Sub(32, x, y));
      bytes = d.Or(32, bytes, d.Shl(32, difference, d.Const(32, at)));
      sum = d.Add(32, sum, difference);
    }
    return m.reduce == ReduceOp::kAdd ? sum : bytes;
  }
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_VIDEO_H_
