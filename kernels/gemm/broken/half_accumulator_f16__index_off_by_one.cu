// FAULT: the sum runs over k from 1.
// f16 against f32 accumulation without tensor cores: __hfma2 over pairs of columns (even N), binary16 sums, widened at the end.
#include <cuda_fp16.h>

extern "C" __global__ void half_accumulator_f16__index_off_by_one(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || pair * 2 >= N) return;
    __half2 sum = __float2half2_rn(0.0f);
#pragma unroll 1
    for (int k = 1; k < K; ++k)
        sum = __hfma2(__half2half2(a[row * K + k]), *reinterpret_cast<const __half2*>(b + k * N + pair * 2), sum);
    c[row * N + pair * 2] = __low2float(sum);
    c[row * N + pair * 2 + 1] = __high2float(sum);
}
