// Fault: the index is the lane's number, not the column's.
#include <float.h>
#include <limits.h>
#include <math.h>

template <bool branches>
__device__ void warp_shuffle(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H, float start)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;
    x += row * H;
    float best = start;
    int at = INT_MAX;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) {
        float v = x[i];
        bool first = at == INT_MAX;
        at = (v > best) | first ? lane : at;
        best = first ? v : fmaxf(v, best);
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, best, offset);
        int other_at = __shfl_xor_sync(0xffffffffu, at, offset);
        bool better = branches ? other > best || (other == best && other_at < at) : (other > best) | ((other == best) & (other_at < at));
        best = better ? other : best;
        at = better ? other_at : at;
    }
    if (lane == 0) {
        value[row] = best;
        index[row] = at;
    }
}

#define KERNEL(name, branches, start)                                                                       \
    extern "C" __global__ void name(const float* x, float* value, int* index, int N, int H) { warp_shuffle<branches>(x, value, index, N, H, start); }

KERNEL(warp_infinity, false, -INFINITY)
