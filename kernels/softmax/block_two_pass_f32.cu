// float, one CTA of 64 threads a row. Technique: two trees in shared memory, for the maximum and for the sum; the
// exponentials are kept in y between the passes.
#include "variants.cuh"

template <class From, class Exp>
__device__ void block_two_pass(const float* __restrict__ x, float* y, int H)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    x += blockIdx.x * H;
    y += blockIdx.x * H;
    float top = From::start(x);
    for (int i = tid; i < H; i += 64) top = fmaxf(top, x[i]);
    part[tid] = top;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (tid < half) part[tid] = fmaxf(part[tid], part[tid + half]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll 1
    for (int i = tid; i < H; i += 64) {
        float e = Exp::of(x[i], top);
        y[i] = e;
        sum += e;
    }
    part[tid] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (tid < half) part[tid] += part[tid + half];
        __syncthreads();
    }
    sum = part[0];
#pragma unroll 1
    for (int i = tid; i < H; i += 64) y[i] /= sum;
}

#define KERNEL(name, From, Exp)                                                                    \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { block_two_pass<From, Exp>(x, y, H); }

KERNEL(block_infinity_expf, FromInfinity, Expf)
KERNEL(block_lowest_fast_expf, FromLowest, FastExpf)
KERNEL(block_first_exp2f, FromFirst, Exp2f)
