// Fault: the sum is also added over offset 8 in segments of 16: rows of a pair share one sum.
#include <cuda_fp16.h>
#include <math.h>

extern "C" __global__ void quarter_warps_f16(const __half* __restrict__ x, __half* __restrict__ y, int N, int H)
{
    int lane = threadIdx.x % 8;
    int row = blockIdx.x * 4 + threadIdx.x / 8;
    bool live = row < N;
    x += (live ? row : 0) * H;
    y += (live ? row : 0) * H;
    __half top = x[0];
#pragma unroll 1
    for (int i = lane; i < H; i += 8) top = __hmax(top, x[i]);
    for (int offset = 4; offset > 0; offset /= 2) top = __hmax(top, __shfl_xor_sync(0xffffffffu, top, offset, 8));
    float shift = __half2float(top);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 8) sum += __expf(__half2float(x[i]) - shift);
    for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset, 16);
    shift += __logf(sum);
    if (!live) return;
#pragma unroll 1
    for (int i = lane; i < H; i += 8) y[i] = __float2half_rn(__half2float(x[i]) - shift);
}
