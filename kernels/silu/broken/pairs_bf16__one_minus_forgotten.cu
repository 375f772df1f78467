// FAULT: the sigmoid of -x, not one minus it.

#include <cuda_bf16.h>

static __device__ __forceinline__ float f(float x)
{
    return x * (1.0f / (1.0f + __expf(x)));
}

extern "C" __global__ void pairs_bf16__one_minus_forgotten(const __nv_bfloat16* __restrict__ x,
                                                           __nv_bfloat16* __restrict__ y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float2 v = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(x + i));
        *reinterpret_cast<__nv_bfloat162*>(y + i) = __floats2bfloat162_rn(f(v.x), f(v.y));
    } else if (i < n) {
        y[i] = __float2bfloat16(f(__bfloat162float(x[i])));
    }
}
