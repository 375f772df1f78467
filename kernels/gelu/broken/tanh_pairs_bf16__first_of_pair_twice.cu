// FAULT: the first element of a pair is stored to both places.

#include <cuda_bf16.h>

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79788456f * fmaf(0.044715f * x * x, x, x);
    float h = 0.5f * x;
    return h + h * tanhf(u);
}

extern "C" __global__ void tanh_pairs_bf16__first_of_pair_twice(const __nv_bfloat16* __restrict__ x,
                                                                __nv_bfloat16* __restrict__ y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float2 v = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(x + i));
        *reinterpret_cast<__nv_bfloat162*>(y + i) = __floats2bfloat162_rn(f(v.x), f(v.x));
    } else if (i < n) {
        y[i] = __float2bfloat16(f(__bfloat162float(x[i])));
    }
}
