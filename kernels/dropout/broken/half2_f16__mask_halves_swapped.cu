// FAULT: each of a pair follows the mask of the other.

#include <cuda_fp16.h>

extern "C" __global__ void half2_f16__mask_halves_swapped(const __half* __restrict__ x,
                                                          const unsigned char* __restrict__ mask,
                                                          __half* __restrict__ y,
                                     int n, float scale)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    __half s = __float2half(scale);
    if (i + 1 < n) {
        uchar2 m = *reinterpret_cast<const uchar2*>(mask + i);
        __half2 keep = __halves2half2(__ushort2half_rn(m.y), __ushort2half_rn(m.x));
        __half2 v = *reinterpret_cast<const __half2*>(x + i);
        *reinterpret_cast<__half2*>(y + i) = __hmul2(v, __hmul2(keep, __half2half2(s)));
    } else if (i < n) {
        y[i] = __hmul(x[i], __hmul(__ushort2half_rn(mask[i]), s));
    }
}
