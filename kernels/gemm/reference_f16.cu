// Plain references with narrow inputs: one thread a cell, binary32 accumulator and result.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void reference_f16(const __half* a, const __half* b, float* c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __half2float(a[row * K + k]) * __half2float(b[k * N + col]);
    c[row * N + col] = sum;
}

extern "C" __global__ void reference_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __bfloat162float(a[row * K + k]) * __bfloat162float(b[k * N + col]);
    c[row * N + col] = sum;
}
