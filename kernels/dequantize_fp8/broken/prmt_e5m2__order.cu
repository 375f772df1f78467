// FAULT: bytes 0 and 1 are exchanged.
// e5m2 is the upper byte of a half: prmt puts four of them over zeros, two halves a word; float4 store (H % 4 == 0).
#include <cuda_fp16.h>

extern "C" __global__ void prmt_e5m2__order(const unsigned* __restrict__ x, const float* __restrict__ scales, float4* __restrict__ y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H / 4) return;
    unsigned v = x[i], low = __byte_perm(v, 0u, 0x0414), high = __byte_perm(v, 0u, 0x3424);
    float scale = scales[i / (H / 4)];
    float2 a = __half22float2(*reinterpret_cast<__half2*>(&low)), b = __half22float2(*reinterpret_cast<__half2*>(&high));
    y[i] = make_float4(a.x * scale, a.y * scale, b.x * scale, b.y * scale);
}
