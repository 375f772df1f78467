// FAULT: sine and cosine are swapped.

#include <cuda_bf16.h>

extern "C" __global__ void interleaved_pairs_bf16__sine_and_cosine_swapped(const __nv_bfloat162* __restrict__ x,
                                                                           const float* __restrict__ c,
                                                  const float* __restrict__ s, __nv_bfloat162* __restrict__ y, int S, int H, int P)
{
    int position = blockIdx.x;
#pragma unroll 1
    for (int i = threadIdx.x; i < H * P; i += blockDim.x) {
        float2 v = __bfloat1622float2(x[position * H * P + i]);
        float cs = s[position * P + i % P], sn = c[position * P + i % P];
        y[position * H * P + i] = __floats2bfloat162_rn(fmaf(v.x, cs, -v.y * sn), fmaf(v.y, cs, v.x * sn));
    }
}
