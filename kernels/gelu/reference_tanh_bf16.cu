// Plain reference, bfloat16, with the hyperbolic tangent: one thread an element, computed in float.

#include <cuda_bf16.h>

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79788456f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(u));
}

extern "C" __global__ void reference_tanh_bf16(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y,
                                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2bfloat16(f(__bfloat162float(x[i])));
}
