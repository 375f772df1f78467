// Warp-level matrix instructions (manual: "Warp Level Matrix Multiply-Accumulate Instructions").
//
// The modifiers that say what is multiplied have no fields in Mods: MatrixFormOf (matrix_form.h) reads them. A and B of types
// below 32 bits are packed in .b32 registers, element 0 in the low bits.
#ifndef RACER_PTX_FRONTEND_ISA_WARP_MATRIX_H_
#define RACER_PTX_FRONTEND_ISA_WARP_MATRIX_H_

#include "ptx_frontend/isa/record.h"

namespace racer::isa {

#define RACER_MATRIX(Name, mnemonic_, anchor, ptx_, sm_, fidelity_, ...)            \
  struct Name {                                                                     \
    static constexpr Line kGrammar[] = {__VA_ARGS__};                               \
    static constexpr Spec kSpec = {.mnemonic = mnemonic_,                           \
                                   .grammar = kGrammar,                             \
                                   .isa = "warp-level-matrix-instructions-" anchor, \
                                   .since = {.ptx = ptx_, .sm = sm_},               \
                                   .effect = Effect::kCollective,                   \
                                   .fidelity = Fidelity::fidelity_};                \
  }

// Each lane gives the address of one row of 16 bytes: lanes 8i to 8i+7 (16i to 16i+15 for m16n16) those of matrix i.
RACER_MATRIX(Ldmatrix, "ldmatrix", "ldmatrix", 65, 75, kExact,
             "ldmatrix.sync.aligned.m8n8.x1{.trans}{.ss}.b16 d:b32*1, [a]; .ss = { .shared, .shared::cta }",
             "ldmatrix.sync.aligned.m8n8.x2{.trans}{.ss}.b16 d:b32*2, [a]; .ss = { .shared, .shared::cta }",
             "ldmatrix.sync.aligned.m8n8.x4{.trans}{.ss}.b16 d:b32*4, [a]; .ss = { .shared, .shared::cta }");
RACER_MATRIX(
    LdmatrixBytes, "ldmatrix", "ldmatrix", 86, 100, kExact,
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m16n16.x1.trans{.ss}.b8 d:b32*2, [a]; .ss = { .shared, .shared::cta }",
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m16n16.x2.trans{.ss}.b8 d:b32*4, [a]; .ss = { .shared, .shared::cta }",
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m16n16.x1.trans{.ss}.b8x16.packed d:b32*2, [a]; .ss = { .shared, .shared::cta } "
    ".packed = { .b6x16_p32, .b4x16_p64 }",
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m16n16.x2.trans{.ss}.b8x16.packed d:b32*4, [a]; .ss = { .shared, .shared::cta } "
    ".packed = { .b6x16_p32, .b4x16_p64 }",
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m8n16.x1{.ss}.b8x16.packed d:b32*1, [a]; .ss = { .shared, .shared::cta } "
    ".packed = { .b6x16_p32, .b4x16_p64 }",
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m8n16.x2{.ss}.b8x16.packed d:b32*2, [a]; .ss = { .shared, .shared::cta } "
    ".packed = { .b6x16_p32, .b4x16_p64 }",
    "@8.6/sm_100f|sm_110f|sm_120f ldmatrix.sync.aligned.m8n16.x4{.ss}.b8x16.packed d:b32*4, [a]; .ss = { .shared, .shared::cta } "
    ".packed = { .b6x16_p32, .b4x16_p64 }");
RACER_MATRIX(Stmatrix, "stmatrix", "stmatrix", 78, 90, kExact,
             "stmatrix.sync.aligned.m8n8.x1{.trans}{.ss}.b16 [a], b:b32*1; .ss = { .shared, .shared::cta }",
             "stmatrix.sync.aligned.m8n8.x2{.trans}{.ss}.b16 [a], b:b32*2; .ss = { .shared, .shared::cta }",
             "stmatrix.sync.aligned.m8n8.x4{.trans}{.ss}.b16 [a], b:b32*4; .ss = { .shared, .shared::cta }");
RACER_MATRIX(StmatrixBytes, "stmatrix", "stmatrix", 86, 100, kExact,
             "@8.6/sm_100f|sm_110f|sm_120f stmatrix.sync.aligned.m16n8.x1.trans{.ss}.b8 [a], b:b32*1; .ss = { .shared, .shared::cta }",
             "@8.6/sm_100f|sm_110f|sm_120f stmatrix.sync.aligned.m16n8.x2.trans{.ss}.b8 [a], b:b32*2; .ss = { .shared, .shared::cta }",
             "@8.6/sm_100f|sm_110f|sm_120f stmatrix.sync.aligned.m16n8.x4.trans{.ss}.b8 [a], b:b32*4; .ss = { .shared, .shared::cta }");
RACER_MATRIX(Movmatrix, "movmatrix", "movmatrix", 78, 75, kExact, "movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:b32");

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_WARP_MATRIX_H_
