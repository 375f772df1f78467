// Fault: the result stays in base 2.
#include <math.h>

extern "C" __global__ void base2_fast_math_f32(const float2* __restrict__ x, float2* __restrict__ y, int N, int H)
{
    const float log2e = 1.4426950408889634f;
    const float ln2 = 0.6931471805599453f;
    int pairs = H / 2;
    x += blockIdx.x * pairs;
    y += blockIdx.x * pairs;
    float top = x[0].x;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) top = fmaxf(top, fmaxf(x[p].x, x[p].y));
    for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, offset));
    top *= log2e;
    float sum = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32)
        sum += exp2f(x[p].x * log2e - top) + exp2f(x[p].y * log2e - top);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float shift = top + log2f(sum);
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32)
        y[p] = make_float2((x[p].x * log2e - shift), (x[p].y * log2e - shift));
}
