// Fault: of equal values each lane keeps its own.
#include <float.h>
#include <limits.h>
#include <math.h>

template <int K>
__device__ void rounds(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int H, float lowest)
{
    int lane = threadIdx.x;
    bool live = lane < H;
    float v = live ? x[blockIdx.x * H + lane] : lowest;
    int mine = live ? lane : INT_MAX;
#pragma unroll 1
    for (int k = 0; k < K; ++k) {
        float best = v;
        int at = mine;
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) {
            float other = __shfl_xor_sync(0xffffffffu, best, offset);
            int other_at = __shfl_xor_sync(0xffffffffu, at, offset);
            bool better = other > best;
            best = better ? other : best;
            at = better ? other_at : at;
        }
        if (lane == 0) {
            value[blockIdx.x * K + k] = best;
            index[blockIdx.x * K + k] = at;
        }
        v = at == lane ? lowest : v;
        mine = at == lane ? INT_MAX : mine;
    }
}

#define KERNEL(name, K, lowest)                                                                    \
    extern "C" __global__ void name(const float* x, float* value, int* index, int N, int H) { rounds<K>(x, value, index, H, lowest); }

KERNEL(rounds2_infinity, 2, -INFINITY)
KERNEL(rounds2_lowest, 2, -FLT_MAX)
