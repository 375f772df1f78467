// Plain references, float: one thread a row; naive_* subtract nothing, max_* the maximum.
#include "variants.cuh"

template <class Math>
__device__ void naive(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += Math::exp(x[row * H + i], 0.0f);
    y[row] = Math::log(sum);
}

template <class From, class Math>
__device__ void two_passes(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float top = From::start(x);
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = fmaxf(top, x[i]);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += Math::exp(x[i], top);
    y[row] = top + Math::log(sum);
}

#define NAIVE(name, Math)                                                                          \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { naive<Math>(x, y, N, H); }
#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { two_passes<From, Math>(x, y, N, H); }

NAIVE(naive_precise, Precise)
NAIVE(naive_fast, Fast)
NAIVE(naive_base2, Base2)
KERNEL(max_infinity_precise, FromInfinity, Precise)
KERNEL(max_infinity_fast, FromInfinity, Fast)
KERNEL(max_lowest_fast, FromLowest, Fast)
KERNEL(max_first_precise, FromFirst, Precise)
KERNEL(max_first_fast, FromFirst, Fast)
KERNEL(max_first_base2, FromFirst, Base2)
