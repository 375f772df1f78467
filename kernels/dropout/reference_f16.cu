// Plain reference, half, mask of bytes, computed in float: one thread an element.

#include <cuda_fp16.h>

extern "C" __global__ void reference_f16(const __half* __restrict__ x, const unsigned char* __restrict__ mask,
                                         __half* __restrict__ y,
                                         int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = __half2float(x[i]) * scale;
    y[i] = __float2half(mask[i] ? v : 0.0f);
}
