// Plain reference, bfloat16, interleaved, tables of floats, computed in float: one thread a pair.

#include <cuda_bf16.h>

extern "C" __global__ void reference_interleaved_bf16(const __nv_bfloat16* __restrict__ x, const float* __restrict__ c,
                                                      const float* __restrict__ s, __nv_bfloat16* __restrict__ y, int S, int H, int P)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S * H * P) return;
    int j = i % P, position = i / (H * P);
    float cs = c[position * P + j], sn = s[position * P + j];
    float a = __bfloat162float(x[2 * i]), b = __bfloat162float(x[2 * i + 1]);
    y[2 * i] = __float2bfloat16(a * cs - b * sn);
    y[2 * i + 1] = __float2bfloat16(a * sn + b * cs);
}
