// How a record looks that the front end reads, checks and prints, and no machine runs: reaching it is UNDECIDED by its name.
#ifndef RACER_PTX_FRONTEND_ISA_PARSED_ONLY_H_
#define RACER_PTX_FRONTEND_ISA_PARSED_ONLY_H_

#include "ptx_frontend/isa/record.h"

// RACER_PARSED_ONLY(Name, "mnemonic", "anchor", ptx, sm, grammar lines...)
#define RACER_PARSED_ONLY(Name, mnemonic_, anchor, ptx_, sm_, ...)        \
  struct Name {                                                           \
    static constexpr Line kGrammar[] = {__VA_ARGS__};                     \
    static constexpr Spec kSpec = {.mnemonic = mnemonic_,                 \
                                   .grammar = kGrammar,                   \
                                   .isa = anchor,                         \
                                   .since = {.ptx = ptx_, .sm = sm_},     \
                                   .effect = Effect::kUnmodelled,         \
                                   .fidelity = Fidelity::kUninterpreted}; \
  }

#endif  // RACER_PTX_FRONTEND_ISA_PARSED_ONLY_H_
