// Fault: lanes past a short row return at once, and the others name them in their shuffles.
#include <float.h>
#include <math.h>

extern "C" __global__ void tiles_fast_math_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int lane = threadIdx.x;
    if (lane >= H) return;
    x += blockIdx.x * H;
    y += blockIdx.x * H;
    int tiles = (H + 31) / 32;
    float top = -FLT_MAX;
    float sum = 0.0f;
#pragma unroll 1
    for (int t = 0; t < tiles; ++t) {
        int i = t * 32 + lane;
        float v = i < H ? x[i] : -FLT_MAX;
        float next = v;
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) next = fmaxf(next, __shfl_xor_sync(0xffffffffu, next, offset));
        next = fmaxf(next, top);
        float e = i < H ? expf(v - next) : 0.0f;
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) e += __shfl_xor_sync(0xffffffffu, e, offset);
        sum = sum * expf(top - next) + e;
        top = next;
    }
#pragma unroll 1
    for (int i = lane; i < H; i += 32) y[i] = expf(x[i] - top) / sum;
}
