// Fault: the log of the shifted sum is subtracted, the maximum is not.
#include "../variants.cuh"

template <class From, class Math>
__device__ void online(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float top = From::start(x);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float v = x[i];
        float next = fmaxf(top, v);
        sum = sum * Math::exp(top, next) + Math::exp(v, next);
        top = next;
    }
    float shift = Math::log(sum);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = x[i] - shift;
}

#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { online<From, Math>(x, y, N, H); }

KERNEL(online_lowest_precise, FromLowest, Precise)
KERNEL(online_first_fast, FromFirst, Fast)
