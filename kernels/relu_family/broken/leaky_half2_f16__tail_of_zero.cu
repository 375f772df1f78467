// FAULT: the tail is a plain ReLU.

#include <cuda_fp16.h>

extern "C" __global__ void leaky_half2_f16__tail_of_zero(const __half* __restrict__ x, __half* __restrict__ y, int n,
                                                         float slope)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    __half2 s = __float2half2_rn(slope);
    if (i + 1 < n) {
        __half2 v = *reinterpret_cast<const __half2*>(x + i);
        *reinterpret_cast<__half2*>(y + i) = __hmax2(v, __hmul2(v, s));
    } else if (i < n) {
        y[i] = __hmax(x[i], __float2half(0.0f));
    }
}
