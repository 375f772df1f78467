// Plain reference, float: one thread a row, the logarithm of a softmax that is computed to the end.
#include "variants.cuh"

extern "C" __global__ void reference_softmax_f32(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float top = -INFINITY;
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = fmaxf(top, x[i]);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += __expf(x[i] - top);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = __logf(__expf(x[i] - top) / sum);
}
