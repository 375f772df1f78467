#include "symexec/bits/fp_lanes.h"

#include <cmath>

#include "symexec/bits/fp_fast.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace racer::bits {
namespace {

constexpr unsigned kLanes = 32;

void FmaLanesAnywhere(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* to) {
  for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = BitsOf(std::fma(FloatOf(a[lane]), FloatOf(b[lane]), FloatOf(c[lane])));
}

#ifdef __x86_64__
// The upper halves are 0 * 0 + 0. Nothing here but the intrinsic multiplies: no other operation can be fused.
__attribute__((target("avx2,fma"))) void FmaLanesFused(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* to) {
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi64x(static_cast<int64_t>(kNanF32)));
  for (unsigned lane = 0; lane < kLanes; lane += 4) {
    const __m256 x = _mm256_loadu_ps(reinterpret_cast<const float*>(a + lane));
    const __m256 y = _mm256_loadu_ps(reinterpret_cast<const float*>(b + lane));
    const __m256 z = _mm256_loadu_ps(reinterpret_cast<const float*>(c + lane));
    const __m256 result = _mm256_fmadd_ps(x, y, z);
    _mm256_storeu_ps(reinterpret_cast<float*>(to + lane), _mm256_blendv_ps(result, nan, _mm256_cmp_ps(result, result, _CMP_UNORD_Q)));
  }
}
#endif

using Function = void (*)(const uint64_t*, const uint64_t*, const uint64_t*, uint64_t*);

Function Choose() {
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &FmaLanesFused;
#endif
  return &FmaLanesAnywhere;
}

}  // namespace

void FmaLanesF32(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* to) {
  static const Function function = Choose();
  function(a, b, c, to);
}

}  // namespace racer::bits
