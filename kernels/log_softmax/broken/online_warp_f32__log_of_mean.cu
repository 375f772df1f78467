// Fault: the logarithm of the mean instead of the sum.
#include "../variants.cuh"

template <class From, class Math>
__device__ void online_warp(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float top = From::start(x);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) {
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
    float log_sum = Math::log(sum / H);
#pragma unroll 1
    for (int i = lane; i < H; i += 32) y[i] = x[i] - top - log_sum;
}

#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { online_warp<From, Math>(x, y, N, H); }

KERNEL(online_warp_lowest_precise, FromLowest, Precise)
KERNEL(online_warp_first_fast, FromFirst, Fast)
