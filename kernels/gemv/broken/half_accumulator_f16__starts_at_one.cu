// FAULT: the loop starts at column 1.
// One thread a row, all in binary16: products, sum and result.
#include <cuda_fp16.h>

extern "C" __global__ void half_accumulator_f16__starts_at_one(const __half* a, const __half* x, __half* y, int M, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    __half sum = __float2half(0.0f);
#pragma unroll 1
    for (int k = 1; k < K; ++k)
        sum = __hadd(sum, __hmul(a[row * K + k], x[k]));
    y[row] = sum;
}
