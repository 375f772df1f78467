// float, one CTA of 64 threads a row. Technique: a tree of pairs in shared memory; contiguous slices a thread, so that the lower
// thread has the lower indices and only > is needed. Entries: block_tree loads both indices and selects one; block_tree_address is
// written with a conditional expression, of which nvcc makes one load from a selected address.
#include <math.h>

template <bool select_address>
__device__ void tree(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int H)
{
    __shared__ float values[64];
    __shared__ int indices[64];
    int tid = threadIdx.x;
    x += blockIdx.x * H;
    int slice = (H + 63) / 64;
    float best = -INFINITY;
    int at = 0;
#pragma unroll 1
    for (int i = tid * slice; i < min(tid * slice + slice, H); ++i) {
        at = x[i] > best ? i : at;
        best = fmaxf(best, x[i]);
    }
    values[tid] = best;
    indices[tid] = at;
    __syncthreads();
    for (int stride = 1; stride < 64; stride *= 2) {
        if (tid % (2 * stride) == 0) {
            bool better = values[tid + stride] > values[tid];
            if (select_address) {
                indices[tid] = better ? indices[tid + stride] : indices[tid];
            } else {
                volatile int* both = indices;
                int mine = both[tid];
                int other = both[tid + stride];
                indices[tid] = better ? other : mine;
            }
            values[tid] = fmaxf(values[tid], values[tid + stride]);
        }
        __syncthreads();
    }
    if (tid == 0) {
        value[blockIdx.x] = values[0];
        index[blockIdx.x] = indices[0];
    }
}

#define KERNEL(name, select_address)                                                               \
    extern "C" __global__ void name(const float* x, float* value, int* index, int N, int H) { tree<select_address>(x, value, index, H); }

KERNEL(block_tree, false)
KERNEL(block_tree_address, true)
