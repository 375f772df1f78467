// ReLU6, plain reference, bfloat16, computed in float: one thread an element.

#include <cuda_bf16.h>

static __device__ __forceinline__ float f(float x)
{
    return fminf(fmaxf(x, 0.0f), 6.0f);
}

extern "C" __global__ void reference_relu6_bf16(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y,
                                                int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2bfloat16(f(__bfloat162float(x[i])));
}
