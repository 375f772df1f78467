// FAULT: the last element of an odd count is not computed.

#include <cuda_fp16.h>

static __device__ __forceinline__ float f(float x)
{
    return 1.0f - 2.0f / (1.0f + __expf(2.0f * x));
}

extern "C" __global__ void pairs_f16__tail_not_run(const __half* __restrict__ x, __half* __restrict__ y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float2 v = __half22float2(*reinterpret_cast<const __half2*>(x + i));
        *reinterpret_cast<__half2*>(y + i) = __floats2half2_rn(f(v.x), f(v.y));
    }
}
