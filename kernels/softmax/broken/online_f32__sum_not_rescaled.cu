// Fault: the running sum is not rescaled when the maximum moves.
#include "../variants.cuh"

template <class From, class Exp>
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
        sum += Exp::of(v, next);
        top = next;
    }
    float inverse = 1.0f / sum;
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = Exp::of(x[i], top) * inverse;
}

#define KERNEL(name, From, Exp)                                                                    \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { online<From, Exp>(x, y, N, H); }

KERNEL(online_infinity_expf, FromInfinity, Expf)
KERNEL(online_infinity_fast_expf, FromInfinity, FastExpf)
KERNEL(online_first_expf, FromFirst, Expf)
KERNEL(online_first_fast_expf, FromFirst, FastExpf)
