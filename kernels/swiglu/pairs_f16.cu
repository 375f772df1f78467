// f16, two tensors. Technique: half2 loads and stores, a scalar tail.

#include <cuda_fp16.h>

static __device__ __forceinline__ float f(float g, float u)
{
    return __fdividef(g * u, 1.0f + __expf(-g));
}

extern "C" __global__ void pairs_f16(const __half* __restrict__ gate, const __half* __restrict__ up,
                                     __half* __restrict__ y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float2 g = __half22float2(*reinterpret_cast<const __half2*>(gate + i));
        float2 u = __half22float2(*reinterpret_cast<const __half2*>(up + i));
        *reinterpret_cast<__half2*>(y + i) = __floats2half2_rn(f(g.x, u.x), f(g.y, u.y));
    } else if (i < n) {
        y[i] = __float2half(f(__half2float(gate[i]), __half2float(up[i])));
    }
}
