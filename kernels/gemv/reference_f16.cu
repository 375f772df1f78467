// Plain reference with half inputs and outputs: one thread a row, binary32 accumulator.
#include <cuda_fp16.h>

extern "C" __global__ void reference_f16(const __half* a, const __half* x, __half* y, int M, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __half2float(a[row * K + k]) * __half2float(x[k]);
    y[row] = __float2half(sum);
}
