// FAULT: the tail adds a half where the pairs add a one.

#include <cuda_fp16.h>

extern "C" __global__ void half2_math_f16__one_for_half(const __half* __restrict__ x, __half* __restrict__ y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        __half2 v = *reinterpret_cast<const __half2*>(x + i);
        __half2 d = __hadd2(__float2half2_rn(1.0f), h2exp(__hneg2(v)));
        *reinterpret_cast<__half2*>(y + i) = __hmul2(v, h2rcp(d));
    } else if (i < n) {
        __half v = x[i];
        y[i] = __hmul(v, hrcp(__hadd(__float2half(0.5f), hexp(__hneg(v)))));
    }
}
