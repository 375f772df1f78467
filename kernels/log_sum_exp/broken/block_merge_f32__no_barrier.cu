// Fault: thread 0 reads the second warp's pair without waiting for it.
#include "../variants.cuh"

template <class From, class Math>
__device__ void block_merge(const float* __restrict__ x, float* __restrict__ y, int H)
{
    __shared__ float tops[2], sums[2];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    x += blockIdx.x * H;
    float top = From::start(x);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 64) {
        float next = fmaxf(top, x[i]);
        sum = sum * Math::exp(top, next) + Math::exp(x[i], next);
        top = next;
    }
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) {
        float other_top = __shfl_down_sync(0xffffffffu, top, offset);
        float other_sum = __shfl_down_sync(0xffffffffu, sum, offset);
        float next = fmaxf(top, other_top);
        sum = sum * Math::exp(top, next) + other_sum * Math::exp(other_top, next);
        top = next;
    }
    if (lane == 0) {
        tops[warp] = top;
        sums[warp] = sum;
    }
    if (threadIdx.x == 0) {
        float next = fmaxf(tops[0], tops[1]);
        sum = sums[0] * Math::exp(tops[0], next) + sums[1] * Math::exp(tops[1], next);
        y[blockIdx.x] = next + Math::log(sum);
    }
}

#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { block_merge<From, Math>(x, y, H); }

KERNEL(block_merge_first_fast, FromFirst, Fast)
