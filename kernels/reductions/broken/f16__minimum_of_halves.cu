// Fault: the smaller one of the two halves.
#include <cuda_fp16.h>

extern "C" __global__ void sum_f16_serial(const __half* x, __half* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += __half2float(x[row * H + i]);
    y[row] = __float2half_rn(sum);
}

extern "C" __global__ void max_f16_serial(const __half* x, __half* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float top = __half2float(x[row * H]);
#pragma unroll 1
    for (int i = 1; i < H; ++i) top = fmaxf(top, __half2float(x[row * H + i]));
    y[row] = __float2half_rn(top);
}

extern "C" __global__ void sum_f16_half2(const __half2* __restrict__ x, __half* __restrict__ y, int N, int H)
{
    int pairs = H / 2;
    __half2 sum = __float2half2_rn(0.0f);
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) sum = __hadd2(sum, x[blockIdx.x * pairs + p]);
    for (int offset = 16; offset > 0; offset /= 2) sum = __hadd2(sum, __shfl_xor_sync(0xffffffffu, sum, offset));
    if (threadIdx.x == 0) y[blockIdx.x] = __hadd(__low2half(sum), __high2half(sum));
}

extern "C" __global__ void max_f16_half2(const __half2* __restrict__ x, __half* __restrict__ y, int N, int H)
{
    int pairs = H / 2;
    __half2 top = x[blockIdx.x * pairs];
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) top = __hmax2(top, x[blockIdx.x * pairs + p]);
    for (int offset = 16; offset > 0; offset /= 2) top = __hmax2(top, __shfl_xor_sync(0xffffffffu, top, offset));
    if (threadIdx.x == 0) y[blockIdx.x] = __hmin(__low2half(top), __high2half(top));
}
