// Plain reference, float: one thread a row, three sequential passes: maximum, sum of exponentials, differences.
#include "variants.cuh"

template <class From, class Math>
__device__ void three_passes(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float top = From::start(x);
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = fmaxf(top, x[i]);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += Math::exp(x[i], top);
    float log_sum = Math::log(sum);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = x[i] - top - log_sum;
}

#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { three_passes<From, Math>(x, y, N, H); }

KERNEL(max_infinity_precise, FromInfinity, Precise)
KERNEL(max_infinity_fast, FromInfinity, Fast)
KERNEL(max_infinity_base2, FromInfinity, Base2)
KERNEL(max_lowest_precise, FromLowest, Precise)
KERNEL(max_lowest_fast, FromLowest, Fast)
KERNEL(max_first_precise, FromFirst, Precise)
KERNEL(max_first_fast, FromFirst, Fast)
KERNEL(max_first_base2, FromFirst, Base2)
