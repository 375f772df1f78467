// Fault: the steps of the tree are not separated.
#include "../operators.cuh"

template <class Op, bool interleaved>
__device__ void tree(const float* __restrict__ x, float* __restrict__ y, int H)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    x += blockIdx.x * H;
    float v = Op::start(x);
#pragma unroll 1
    for (int i = tid; i < H; i += 64) v = Op::join(v, x[i]);
    part[tid] = v;
    __syncthreads();
    if (interleaved) {
        for (int stride = 1; stride < 64; stride *= 2) {
            if (tid % (2 * stride) == 0) part[tid] = Op::join(part[tid], part[tid + stride]);
            __syncthreads();
        }
    } else {
        for (int half = 32; half > 0; half /= 2) {
            if (tid < half) part[tid] = Op::join(part[tid], part[tid + half]);
        }
    }
    if (tid == 0) y[blockIdx.x] = Op::end(part[0], H);
}

#define KERNEL(name, Op, interleaved)                                                              \
    extern "C" __global__ void name(const float* x, float* y, int N, int H) { tree<Op, interleaved>(x, y, H); }

KERNEL(sum_tree, Sum, false)
