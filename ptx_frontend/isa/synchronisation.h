// Barriers and warp-wide exchanges: rendezvous of lanes that the scheduler forms and the machine combines.
#ifndef RACER_PTX_FRONTEND_ISA_SYNCHRONISATION_H_
#define RACER_PTX_FRONTEND_ISA_SYNCHRONISATION_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

#define RACER_COLLECTIVE(anchor, ptx_, sm_)                                                                                         \
  .grammar = kGrammar, .isa = "parallel-synchronization-and-communication-instructions-" anchor, .since = {.ptx = ptx_, .sm = sm_}, \
  .effect = Effect::kCollective

// A literal names one of 16 barriers, and counts whole warps; a count of 0 stands for all threads of the CTA, but not in an arrival.
#define RACER_BARRIER "a:u32:low=0..15"
#define RACER_THREADS "b:u32:low=0..4294967264/32"
#define RACER_ARRIVALS "b:u32:low=32..4294967264/32"

// bar{.cta} is barrier{.cta@7.8} with .aligned. Barrier and thread count default to 0 and to all threads of the CTA.
struct BarSync {
  static constexpr Line kGrammar[] = {"bar{.cta@7.8}.sync " RACER_BARRIER "{, " RACER_THREADS "}"};
  static constexpr Spec kSpec = {.mnemonic = "bar", RACER_COLLECTIVE("bar", 10, 10)};
};
struct BarArrive {
  static constexpr Line kGrammar[] = {"bar{.cta@7.8}.arrive " RACER_BARRIER ", " RACER_ARRIVALS};
  static constexpr Spec kSpec = {.mnemonic = "bar", RACER_COLLECTIVE("bar", 20, 20)};
};
struct BarRed {
  static constexpr Line kGrammar[] = {
      "bar{.cta@7.8}.red.reduce.u32 d, " RACER_BARRIER "{, " RACER_THREADS "}, {!}c:pred; .reduce = { .popc }",
      "bar{.cta@7.8}.red.reduce.pred p, " RACER_BARRIER "{, " RACER_THREADS "}, {!}c:pred; .reduce = { .and, .or }",
  };
  static constexpr Spec kSpec = {.mnemonic = "bar", RACER_COLLECTIVE("bar", 20, 20)};
};
struct BarWarpSync {
  static constexpr Line kGrammar[] = {"bar.warp.sync mask:u32"};
  static constexpr Spec kSpec = {.mnemonic = "bar", RACER_COLLECTIVE("bar-warp-sync", 60, 30)};
};
struct BarrierSync {
  static constexpr Line kGrammar[] = {"barrier{.cta@7.8}.sync{.aligned} " RACER_BARRIER "{, " RACER_THREADS "}"};
  static constexpr Spec kSpec = {.mnemonic = "barrier", RACER_COLLECTIVE("bar", 60, 30)};
};
struct BarrierArrive {
  static constexpr Line kGrammar[] = {"barrier{.cta@7.8}.arrive{.aligned} " RACER_BARRIER ", " RACER_ARRIVALS};
  static constexpr Spec kSpec = {.mnemonic = "barrier", RACER_COLLECTIVE("bar", 60, 30)};
};
struct BarrierRed {
  static constexpr Line kGrammar[] = {
      "barrier{.cta@7.8}.red.reduce{.aligned}.u32 d, " RACER_BARRIER "{, " RACER_THREADS "}, {!}c:pred; .reduce = { .popc }",
      "barrier{.cta@7.8}.red.reduce{.aligned}.pred p, " RACER_BARRIER "{, " RACER_THREADS "}, {!}c:pred; .reduce = { .and, .or }",
  };
  static constexpr Spec kSpec = {.mnemonic = "barrier", RACER_COLLECTIVE("bar", 60, 30)};
};

// The lane that a names in the segment that c describes; p: the source lane was in range.
struct ShflSync {
  static constexpr Line kGrammar[] = {"shfl.sync.shuffle.b32 d{|p:pred}, a, b, c, mask:u32; .shuffle = { .up, .down, .bfly, .idx }"};
  static constexpr Spec kSpec = {.mnemonic = "shfl", RACER_COLLECTIVE("shfl-sync", 60, 30)};
};
// Without a mask: the lanes that execute it together.
struct Shfl {
  static constexpr Line kGrammar[] = {"shfl.shuffle.b32 d{|p:pred}, a, b, c; .shuffle = { .up, .down, .bfly, .idx }"};
  static constexpr Spec kSpec = {.mnemonic = "shfl", RACER_COLLECTIVE("shfl", 30, 30)};
};
struct VoteSync {
  static constexpr Line kGrammar[] = {
      "vote.sync.vote.pred p, {!}a:pred, mask:u32; .vote = { .all, .any, .uni }",
      "vote.sync.vote.b32 d, {!}a:pred, mask:u32; .vote = { .ballot }",
  };
  static constexpr Spec kSpec = {.mnemonic = "vote", RACER_COLLECTIVE("vote-sync", 60, 30)};
};
struct Vote {
  static constexpr Line kGrammar[] = {
      "vote.vote.pred p, {!}a:pred; .vote = { .all, .any, .uni }",
      "vote.vote.b32 d, {!}a:pred; .vote = { .ballot }",
  };
  static constexpr Spec kSpec = {.mnemonic = "vote", RACER_COLLECTIVE("vote", 12, 12)};
};
struct MatchSync {
  static constexpr Line kGrammar[] = {
      "match.match.sync.type d:u32, a, mask:u32; .match = { .any } .type = { .b32, .b64 }",
      "match.match.sync.type d:u32{|p:pred}, a, mask:u32; .match = { .all } .type = { .b32, .b64 }",
  };
  static constexpr Spec kSpec = {.mnemonic = "match", RACER_COLLECTIVE("match-sync", 60, 70)};
};
struct ReduxSync {
  static constexpr Line kGrammar[] = {
      "redux.sync.reduce.type d, a, mask:u32; .reduce = { .add, .min, .max } .type = { .u32, .s32 }",
      "redux.sync.reduce.b32 d, a, mask:u32; .reduce = { .and, .or, .xor }",
      "@8.6/sm_100f redux.sync.reduce{.abs}{.NaN}.f32 d, a, mask:u32; .reduce = { .min, .max }",
  };
  static constexpr Spec kSpec = {.mnemonic = "redux", RACER_COLLECTIVE("redux-sync", 70, 80)};
};
struct Activemask {
  static constexpr Line kGrammar[] = {"activemask.b32 d"};
  static constexpr Spec kSpec = {.mnemonic = "activemask", RACER_COLLECTIVE("activemask", 62, 30)};
};
// d: the elected lane, p: whether it is this one.
struct ElectSync {
  static constexpr Line kGrammar[] = {"elect.sync d:b32|p:pred, mask:u32"};
  static constexpr Spec kSpec = {.mnemonic = "elect", RACER_COLLECTIVE("elect-sync", 80, 90)};
};

#undef RACER_ARRIVALS
#undef RACER_BARRIER
#undef RACER_COLLECTIVE
#undef RACER_THREADS

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_SYNCHRONISATION_H_
