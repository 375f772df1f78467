// float, one warp a row, two warps a CTA. Technique: online pairs of the lanes merged by a butterfly; lane 0 fetches the
// label's logit.
#include "variants.cuh"

template <class Math>
__device__ void warp_loss(const float* __restrict__ x, const int* __restrict__ label, float* __restrict__ loss, int N, int V)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;
    x += row * V;
    float top = -FLT_MAX;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = lane; i < V; i += 32) {
        float next = fmaxf(top, x[i]);
        sum = sum * Math::exp(top, next) + Math::exp(x[i], next);
        top = next;
    }
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) {
        float other_top = __shfl_xor_sync(0xffffffffu, top, offset);
        float other_sum = __shfl_xor_sync(0xffffffffu, sum, offset);
        float next = fmaxf(top, other_top);
        sum = sum * Math::exp(top, next) + other_sum * Math::exp(other_top, next);
        top = next;
    }
    if (lane == 0) loss[row] = top + Math::log(sum) - x[label[row]];
}

#define KERNEL(name, Math)                                                                         \
    extern "C" __global__ void name(const float* x, const int* label, float* loss, int N, int V) { warp_loss<Math>(x, label, loss, N, V); }

KERNEL(warp_precise, Precise)
KERNEL(warp_fast, Fast)
