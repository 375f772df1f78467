// Branches, calls and the ends of threads.
#ifndef RACER_PTX_FRONTEND_ISA_CONTROL_FLOW_H_
#define RACER_PTX_FRONTEND_ISA_CONTROL_FLOW_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

struct Bra {
  static constexpr Line kGrammar[] = {"bra{.uni} target:label"};
  static constexpr Spec kSpec = {.mnemonic = "bra",
                                 .grammar = kGrammar,
                                 .isa = "control-flow-instructions-bra",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kControl};
};

struct BrxIdx {
  static constexpr Line kGrammar[] = {"brx.idx{.uni} index:u32, targets:label"};
  static constexpr Spec kSpec = {.mnemonic = "brx",
                                 .grammar = kGrammar,
                                 .isa = "control-flow-instructions-brx-idx",
                                 .since = {.ptx = 60, .sm = 30},
                                 .effect = Effect::kControl};
};

// call{.uni} (results), function, (arguments), prototype-or-targets: all but the function may be missing.
struct Call {
  static constexpr Line kGrammar[] = {"call{.uni} ..."};
  static constexpr Spec kSpec = {.mnemonic = "call",
                                 .grammar = kGrammar,
                                 .isa = "control-flow-instructions-call",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kControl};
};

struct Ret {
  static constexpr Line kGrammar[] = {"ret{.uni}"};
  static constexpr Spec kSpec = {.mnemonic = "ret",
                                 .grammar = kGrammar,
                                 .isa = "control-flow-instructions-ret",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kControl};
};

struct Exit {
  static constexpr Line kGrammar[] = {"exit"};
  static constexpr Spec kSpec = {.mnemonic = "exit",
                                 .grammar = kGrammar,
                                 .isa = "control-flow-instructions-exit",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kControl};
};

struct Trap {
  static constexpr Line kGrammar[] = {"trap"};
  static constexpr Spec kSpec = {.mnemonic = "trap",
                                 .grammar = kGrammar,
                                 .isa = "miscellaneous-instructions-trap",
                                 .since = {.ptx = 10, .sm = 10},
                                 .effect = Effect::kControl};
};

struct Brkpt {
  static constexpr Line kGrammar[] = {"brkpt"};
  static constexpr Spec kSpec = {.mnemonic = "brkpt",
                                 .grammar = kGrammar,
                                 .isa = "miscellaneous-instructions-brkpt",
                                 .since = {.ptx = 10, .sm = 11},
                                 .effect = Effect::kControl};
};

struct Nanosleep {
  static constexpr Line kGrammar[] = {"nanosleep.u32 t"};
  static constexpr Spec kSpec = {.mnemonic = "nanosleep",
                                 .grammar = kGrammar,
                                 .isa = "miscellaneous-instructions-nanosleep",
                                 .since = {.ptx = 62, .sm = 70},
                                 .effect = Effect::kNone};
};

struct Pmevent {
  static constexpr Line kGrammar[] = {"pmevent a:u32:imm=0..15", "pmevent.mask a:u32:imm=0..65535"};
  static constexpr Spec kSpec = {.mnemonic = "pmevent",
                                 .grammar = kGrammar,
                                 .isa = "miscellaneous-instructions-pmevent",
                                 .since = {.ptx = 14, .sm = 10},
                                 .effect = Effect::kNone};
};

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_CONTROL_FLOW_H_
