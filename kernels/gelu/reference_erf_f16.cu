// Plain reference, half, with the error function: one thread an element, computed in float.

#include <cuda_fp16.h>

static __device__ __forceinline__ float f(float x)
{
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

extern "C" __global__ void reference_erf_f16(const __half* __restrict__ x, __half* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(f(__half2float(x[i])));
}
