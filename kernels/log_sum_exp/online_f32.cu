// float, one thread a row. Technique: one pass with a running maximum and a rescaled sum.
#include "variants.cuh"

template <class From, class Math>
__device__ void online(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float top = From::start(x);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float next = fmaxf(top, x[i]);
        sum = fmaf(sum, Math::exp(top, next), Math::exp(x[i], next));
        top = next;
    }
    y[row] = top + Math::log(sum);
}

#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { online<From, Math>(x, y, N, H); }

KERNEL(online_infinity_precise, FromInfinity, Precise)
KERNEL(online_infinity_fast, FromInfinity, Fast)
KERNEL(online_lowest_fast, FromLowest, Fast)
KERNEL(online_first_precise, FromFirst, Precise)
KERNEL(online_first_fast, FromFirst, Fast)
KERNEL(online_first_base2, FromFirst, Base2)
