// float, one warp a row. Technique: every lane keeps the best two of its columns, sorted; lists are merged down the lanes, two and two
// to the best two of four.
#include <limits.h>
#include <math.h>

struct Pair {
    float value;
    int index;
};

__device__ bool before(Pair a, Pair b) { return (a.value > b.value) | ((a.value == b.value) & (a.index < b.index)); }
__device__ Pair pick(bool first, Pair a, Pair b)
{
    Pair r;
    r.value = first ? a.value : b.value;
    r.index = first ? a.index : b.index;
    return r;
}
__device__ Pair from_lane_below(Pair a, int offset)
{
    Pair r;
    r.value = __shfl_down_sync(0xffffffffu, a.value, offset);
    r.index = __shfl_down_sync(0xffffffffu, a.index, offset);
    return r;
}

extern "C" __global__ void lane_lists_f32(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    Pair first = {-INFINITY, INT_MAX}, second = {-INFINITY, INT_MAX};
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) {
        Pair v = {x[blockIdx.x * H + i], i};
        bool leads = before(v, first);
        bool places = before(v, second);
        second = pick(leads, first, pick(places, v, second));
        first = pick(leads, v, first);
    }
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) {
        Pair other_first = from_lane_below(first, offset);
        Pair other_second = from_lane_below(second, offset);
        bool leads = before(other_first, first);
        Pair rest = pick(leads, first, other_first);
        Pair next = pick(leads, other_second, second);
        second = pick(before(rest, next), rest, next);
        first = pick(leads, other_first, first);
    }
    if (threadIdx.x == 0) {
        value[blockIdx.x * 2] = first.value;
        index[blockIdx.x * 2] = first.index;
        value[blockIdx.x * 2 + 1] = second.value;
        index[blockIdx.x * 2 + 1] = second.index;
    }
}
