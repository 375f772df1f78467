// One warp a row, __half2 loads and multiply-adds in binary16 (even K), widened to binary32 before the shuffles.
#include <cuda_fp16.h>

extern "C" __global__ void warp_half2_f16(const __half* __restrict__ a, const __half* __restrict__ x, __half* __restrict__ y, int M, int K)
{
    int row = blockIdx.x;
    const __half2* a2 = reinterpret_cast<const __half2*>(a + (size_t)row * K);
    const __half2* x2 = reinterpret_cast<const __half2*>(x);
    __half2 sum2 = __float2half2_rn(0.0f);
#pragma unroll 1
    for (int k = threadIdx.x; k < K / 2; k += 32)
        sum2 = __hfma2(a2[k], x2[k], sum2);
    float sum = __low2float(sum2) + __high2float(sum2);
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) y[row] = __float2half(sum);
}
