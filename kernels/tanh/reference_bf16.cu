// Plain reference, bfloat16, tanhf: one thread an element.

#include <cuda_bf16.h>

static __device__ __forceinline__ float f(float x)
{
    return tanhf(x);
}

extern "C" __global__ void reference_bf16(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2bfloat16(f(__bfloat162float(x[i])));
}
