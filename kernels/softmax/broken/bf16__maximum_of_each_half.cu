// Fault: the sum is shifted by the maximum of the even columns in the even ones, by that of the odd in the odd ones.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_serial(const __nv_bfloat16* x, __nv_bfloat16* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float top = __bfloat162float(x[0]);
#pragma unroll 1
    for (int i = 1; i < H; ++i) top = fmaxf(top, __bfloat162float(x[i]));
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += __expf(__bfloat162float(x[i]) - top);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = __float2bfloat16_rn(__expf(__bfloat162float(x[i]) - top) / sum);
}

extern "C" __global__ void bf16_pairs(const __nv_bfloat162* __restrict__ x, __nv_bfloat162* __restrict__ y, int N, int H)
{
    int pairs = H / 2;
    x += blockIdx.x * pairs;
    y += blockIdx.x * pairs;
    __nv_bfloat162 tops = x[0];
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) tops = __hmax2(tops, x[p]);
    for (int offset = 16; offset > 0; offset /= 2) tops = __hmax2(tops, __shfl_xor_sync(0xffffffffu, tops, offset));
    float top = fmaxf(__low2float(tops), __high2float(tops));
    float sum = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __bfloat1622float2(x[p]);
        sum += __expf(v.x - __low2float(tops)) + __expf(v.y - __high2float(tops));
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float inverse = __frcp_rn(sum);
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __bfloat1622float2(x[p]);
        y[p] = __floats2bfloat162_rn(__expf(v.x - top) * inverse, __expf(v.y - top) * inverse);
    }
}
