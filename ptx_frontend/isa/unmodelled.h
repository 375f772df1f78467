// Instructions that the front end reads and no machine runs yet: reaching one is UNDECIDED by its name.
#ifndef RACER_PTX_FRONTEND_ISA_UNMODELLED_H_
#define RACER_PTX_FRONTEND_ISA_UNMODELLED_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

#define RACER_UNMODELLED(Name, mnemonic_, line, anchor, ptx_, sm_)        \
  struct Name {                                                           \
    static constexpr Line kGrammar[] = {line};                            \
    static constexpr Spec kSpec = {.mnemonic = mnemonic_,                 \
                                   .grammar = kGrammar,                   \
                                   .isa = anchor,                         \
                                   .since = {.ptx = ptx_, .sm = sm_},     \
                                   .effect = Effect::kUnmodelled,         \
                                   .fidelity = Fidelity::kUninterpreted}; \
  }

// Stochastic rounding to four narrow values: the manual's text leaves open which of the random bits belong to which value.
RACER_UNMODELLED(CvtStochastic4, "cvt",
                 "cvt.rs{.relu}.satfinite.dtype.f32 d:b32, abef:any, rbits:b32; .dtype = { .e4m3x4, .e5m2x4, .e2m3x4, .e3m2x4 }",
                 "data-movement-and-conversion-instructions-cvt", 87, 100);
RACER_UNMODELLED(CvtStochasticE2m1x4, "cvt", "cvt.rs{.relu}.satfinite.e2m1x4.f32 d:b16, abef:any, rbits:b32",
                 "data-movement-and-conversion-instructions-cvt", 87, 100);

// Memory.
RACER_UNMODELLED(RedAsync, "red", "red.async.* ...", "parallel-synchronization-and-communication-instructions-red-async", 81, 90);
RACER_UNMODELLED(Cp, "cp", "cp.* ...", "data-movement-and-conversion-instructions-asynchronous-copy", 70, 80);
RACER_UNMODELLED(Multimem, "multimem", "multimem.* ...", "data-movement-and-conversion-instructions-multimem", 81, 90);
RACER_UNMODELLED(StAsync, "st", "st.async.* ...", "data-movement-and-conversion-instructions-st-async", 81, 90);
RACER_UNMODELLED(StBulk, "st", "st.bulk.* ...", "data-movement-and-conversion-instructions-st-bulk", 86, 100);
RACER_UNMODELLED(PrefetchTensormap, "prefetch", "prefetch.tensormap.* ...", "data-movement-and-conversion-instructions-prefetch-prefetchu",
                 80, 90);
RACER_UNMODELLED(Tensormap, "tensormap", "tensormap.* ...", "data-movement-and-conversion-instructions-tensormap-replace", 83, 90);

// Ordering.
RACER_UNMODELLED(Mbarrier, "mbarrier", "mbarrier.* ...", "parallel-synchronization-and-communication-instructions-mbarrier", 70, 80);
RACER_UNMODELLED(BarrierCluster, "barrier", "barrier.cluster.* ...",
                 "parallel-synchronization-and-communication-instructions-barrier-cluster", 78, 90);
RACER_UNMODELLED(Clusterlaunchcontrol, "clusterlaunchcontrol", "clusterlaunchcontrol.* ...",
                 "parallel-synchronization-and-communication-instructions-clusterlaunchcontrol", 86, 100);

// Matrices.
RACER_UNMODELLED(Wgmma, "wgmma", "wgmma.* ...", "asynchronous-warpgroup-level-matrix-instructions-wgmma", 80, 90);
RACER_UNMODELLED(Tcgen05, "tcgen05", "tcgen05.* ...", "tensorcore-5th-generation-instructions", 86, 100);

// Textures and surfaces.
RACER_UNMODELLED(Tex, "tex", "tex.* ...", "texture-instructions-tex", 10, 10);
RACER_UNMODELLED(Tld4, "tld4", "tld4.* ...", "texture-instructions-tld4", 22, 20);
RACER_UNMODELLED(Txq, "txq", "txq.* ...", "texture-instructions-txq", 15, 10);
RACER_UNMODELLED(Istypep, "istypep", "istypep.* ...", "texture-instructions-istypep", 40, 30);
RACER_UNMODELLED(Suld, "suld", "suld.* ...", "surface-instructions-suld", 15, 20);
RACER_UNMODELLED(Sust, "sust", "sust.* ...", "surface-instructions-sust", 15, 20);
RACER_UNMODELLED(Sured, "sured", "sured.* ...", "surface-instructions-sured", 20, 20);
RACER_UNMODELLED(Suq, "suq", "suq.* ...", "surface-instructions-suq", 15, 10);

// Scalar and packed video.
#define RACER_VIDEO(Name, mnemonic, sm_) \
  RACER_UNMODELLED(Name, mnemonic, mnemonic ".* ...", "video-instructions-" mnemonic, (sm_ == 20 ? 20 : 30), sm_)
RACER_VIDEO(Vadd, "vadd", 20);
RACER_VIDEO(Vsub, "vsub", 20);
RACER_VIDEO(Vabsdiff, "vabsdiff", 20);
RACER_VIDEO(Vmin, "vmin", 20);
RACER_VIDEO(Vmax, "vmax", 20);
RACER_VIDEO(Vshl, "vshl", 20);
RACER_VIDEO(Vshr, "vshr", 20);
RACER_VIDEO(Vmad, "vmad", 20);
RACER_VIDEO(Vset, "vset", 20);
RACER_VIDEO(Vadd2, "vadd2", 30);
RACER_VIDEO(Vsub2, "vsub2", 30);
RACER_VIDEO(Vavrg2, "vavrg2", 30);
RACER_VIDEO(Vabsdiff2, "vabsdiff2", 30);
RACER_VIDEO(Vmin2, "vmin2", 30);
RACER_VIDEO(Vmax2, "vmax2", 30);
RACER_VIDEO(Vset2, "vset2", 30);
RACER_VIDEO(Vadd4, "vadd4", 30);
RACER_VIDEO(Vsub4, "vsub4", 30);
RACER_VIDEO(Vavrg4, "vavrg4", 30);
RACER_VIDEO(Vabsdiff4, "vabsdiff4", 30);
RACER_VIDEO(Vmin4, "vmin4", 30);
RACER_VIDEO(Vmax4, "vmax4", 30);
RACER_VIDEO(Vset4, "vset4", 30);
#undef RACER_VIDEO
#undef RACER_UNMODELLED

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_UNMODELLED_H_
