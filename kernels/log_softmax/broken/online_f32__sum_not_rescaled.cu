// Fault: the running sum is not rescaled when the maximum moves.
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
        sum += Math::exp(v, next);
        top = next;
    }
    float shift = top + Math::log(sum);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = x[i] - shift;
}

#define KERNEL(name, From, Math)                                                                   \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { online<From, Math>(x, y, N, H); }

KERNEL(online_infinity_precise, FromInfinity, Precise)
KERNEL(online_infinity_fast, FromInfinity, Fast)
KERNEL(online_first_fast, FromFirst, Fast)
