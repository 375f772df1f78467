// Fault: the merge starts at offset 8: lanes 0 to 15 never see lanes 16 to 31.
#include "../variants.cuh"

template <class Exp>
__device__ float rescale(float from, float to)
{
    // exp(-inf - -inf) would be a NaN; a sum that is still empty needs no scale.
    return from == -INFINITY ? 0.0f : Exp::of(from, to);
}

template <class From, class Exp>
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
        sum = sum * rescale<Exp>(top, next) + Exp::of(x[i], next);
        top = next;
    }
#pragma unroll
    for (int offset = 8; offset > 0; offset /= 2) {
        float other_top = __shfl_xor_sync(0xffffffffu, top, offset);
        float other_sum = __shfl_xor_sync(0xffffffffu, sum, offset);
        float next = fmaxf(top, other_top);
        sum = sum * rescale<Exp>(top, next) + other_sum * rescale<Exp>(other_top, next);
        top = next;
    }
#pragma unroll 1
    for (int i = lane; i < H; i += 32) y[i] = Exp::of(x[i], top) / sum;
}

#define KERNEL(name, From, Exp)                                                                    \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { online_warp<From, Exp>(x, y, N, H); }

KERNEL(online_warp_lowest_fast_expf, FromLowest, FastExpf)
