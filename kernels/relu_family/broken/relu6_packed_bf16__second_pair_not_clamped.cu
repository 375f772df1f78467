// FAULT: the second pair is not clamped from above.

#include <cuda_bf16.h>

extern "C" __global__ void relu6_packed_bf16__second_pair_not_clamped(const __nv_bfloat16* __restrict__ x,
                                                                      __nv_bfloat16* __restrict__ y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    __nv_bfloat162 zero = __float2bfloat162_rn(0.0f), six = __float2bfloat162_rn(6.0f);
    if (i + 3 < n) {
        uint2 raw = *reinterpret_cast<const uint2*>(x + i);
        __nv_bfloat162* pair = reinterpret_cast<__nv_bfloat162*>(&raw);
        pair[0] = __hmin2(__hmax2(pair[0], zero), six);
        pair[1] = __hmax2(pair[1], zero);
        *reinterpret_cast<uint2*>(y + i) = raw;
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = __hmin(__hmax(x[i], __low2bfloat16(zero)), __low2bfloat16(six));
    }
}
