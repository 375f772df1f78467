// Every instruction record, and how a machine runs the ones that compute values.
//
//   #define RACER_INSTRUCTION(name) &Run<isa::name>,
//   constexpr Handler kHandlers[] = {nullptr,  // kUnknown
//   #include "ptx_frontend/isa/instructions.def"
//   };
#ifndef RACER_PTX_FRONTEND_ISA_ALL_H_
#define RACER_PTX_FRONTEND_ISA_ALL_H_

#include <span>

#include "ptx_frontend/isa/approximate.h"
#include "ptx_frontend/isa/async_copy.h"
#include "ptx_frontend/isa/atomic.h"
#include "ptx_frontend/isa/bit_field.h"
#include "ptx_frontend/isa/bulk_copy.h"
#include "ptx_frontend/isa/comparison.h"
#include "ptx_frontend/isa/control_flow.h"
#include "ptx_frontend/isa/conversion.h"
#include "ptx_frontend/isa/conversion_narrow.h"
#include "ptx_frontend/isa/data_movement.h"
#include "ptx_frontend/isa/extended_precision.h"
#include "ptx_frontend/isa/floating_point.h"
#include "ptx_frontend/isa/floating_point_mixed.h"
#include "ptx_frontend/isa/floating_point_packed.h"
#include "ptx_frontend/isa/half_precision.h"
#include "ptx_frontend/isa/integer_arithmetic.h"
#include "ptx_frontend/isa/logic_shift.h"
#include "ptx_frontend/isa/mbarrier.h"
#include "ptx_frontend/isa/memory.h"
#include "ptx_frontend/isa/memory_control.h"
#include "ptx_frontend/isa/record.h"
#include "ptx_frontend/isa/synchronisation.h"
#include "ptx_frontend/isa/tensor_core.h"
#include "ptx_frontend/isa/texture.h"
#include "ptx_frontend/isa/unmodelled.h"
#include "ptx_frontend/isa/video.h"
#include "ptx_frontend/isa/video_parsed.h"
#include "ptx_frontend/isa/warp_matrix.h"
#include "ptx_frontend/isa/warp_mma.h"
#include "ptx_frontend/isa/warp_wmma.h"

namespace racer::isa {

// How many sources R's Eval takes in domain D; 0 for a record with EvalMulti.
template <class R, Domain D>
constexpr int EvalArity() {
  using V = Val<D>;
  if constexpr (requires(D& d, const Mods& m, V v) { R::Eval(d, m, v); }) {
    return 1;
  } else if constexpr (requires(D& d, const Mods& m, V v) { R::Eval(d, m, v, v); }) {
    return 2;
  } else if constexpr (requires(D& d, const Mods& m, V v) { R::Eval(d, m, v, v, v); }) {
    return 3;
  } else if constexpr (requires(D& d, const Mods& m, V v) { R::Eval(d, m, v, v, v, v); }) {
    return 4;
  } else {
    return 0;
  }
}

// Results that Apply writes: 2 for setp and the like, whether or not the second is wanted.
template <class R>
constexpr int ResultCount() {
  if constexpr (requires { R::kResults; }) {
    return R::kResults;
  } else {
    return 1;
  }
}

// Runs a value record on one lane. `in`: the sources as record.h says. `out`: room for ResultCount<R>().
template <class R, Domain D>
inline void Apply(D& d, const Mods& m, std::span<const Val<D>> in, Val<D>* out) {
  static_assert(R::kSpec.effect == Effect::kValue);
  constexpr int arity = EvalArity<R, D>();
  if constexpr (arity == 1) {
    out[0] = R::Eval(d, m, in[0]);
  } else if constexpr (arity == 2) {
    out[0] = R::Eval(d, m, in[0], in[1]);
  } else if constexpr (arity == 3) {
    out[0] = R::Eval(d, m, in[0], in[1], in[2]);
  } else if constexpr (arity == 4) {
    out[0] = R::Eval(d, m, in[0], in[1], in[2], in[3]);
  } else {
    R::template EvalMulti<D>(d, m, in, out);
  }
}

// Whether R has the function Unspecified of record.h. The machine must not rely on a result for which it gives 1.
template <class R, class D>
concept HasUnspecified = requires(D& d, const Mods& m, std::span<const Val<D>> in) { R::template Unspecified<D>(d, m, in); };

}  // namespace racer::isa

#endif  // RACER_PTX_FRONTEND_ISA_ALL_H_
