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
RACER_UNMODELLED(
    CvtStochastic4, "cvt",
    "@8.7/sm_100a|sm_103a cvt.rs{.relu}.satfinite.dtype.f32 d:b32, abef:f32*4, rbits:b32; .dtype = { .e4m3x4, .e5m2x4, .e2m3x4, .e3m2x4 }",
    "data-movement-and-conversion-instructions-cvt", 87, 100);
RACER_UNMODELLED(CvtStochasticE2m1x4, "cvt", "@8.7/sm_100a|sm_103a cvt.rs{.relu}.satfinite.e2m1x4.f32 d:b16, abef:f32*4, rbits:b32",
                 "data-movement-and-conversion-instructions-cvt", 87, 100);

#undef RACER_UNMODELLED

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_UNMODELLED_H_
