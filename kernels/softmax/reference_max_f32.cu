// Plain reference, float: one thread a row, three sequential passes: maximum, sum of exponentials, quotients.
#include "variants.cuh"

template <class From, class Exp>
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
    for (int i = 0; i < H; ++i) sum += Exp::of(x[i], top);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = Exp::of(x[i], top) / sum;
}

#define KERNEL(name, From, Exp)                                                                    \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { three_passes<From, Exp>(x, y, N, H); }

KERNEL(max_infinity_expf, FromInfinity, Expf)
KERNEL(max_infinity_fast_expf, FromInfinity, FastExpf)
KERNEL(max_infinity_exp2f, FromInfinity, Exp2f)
KERNEL(max_lowest_expf, FromLowest, Expf)
KERNEL(max_lowest_fast_expf, FromLowest, FastExpf)
KERNEL(max_lowest_exp2f, FromLowest, Exp2f)
KERNEL(max_first_expf, FromFirst, Expf)
KERNEL(max_first_fast_expf, FromFirst, FastExpf)
KERNEL(max_first_exp2f, FromFirst, Exp2f)
