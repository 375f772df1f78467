// Plain references, float: one thread a row; the K largest in falling order, the lowest index first among equals. Entries:
// insertion2, insertion3 (one pass, insertion into K registers that start at minus infinity); first_two (the same for K = 2, which
// starts with the first two elements); selection2 (K passes, each takes the best that is not taken).
#include <math.h>

template <int K>
__device__ void insertion(const float* x, float* value, int* index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float best[K];
    int at[K];
#pragma unroll
    for (int k = 0; k < K; ++k) {
        best[k] = -INFINITY;
        at[k] = -1;
    }
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float v = x[i];
        int place = i;
        bool displaced = false;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            // A strict comparison keeps what came first in front; what is displaced goes before all that follows it.
            bool before = displaced | (v > best[k]);
            displaced = before;
            float moved = before ? best[k] : v;
            int moved_at = before ? at[k] : place;
            best[k] = before ? v : best[k];
            at[k] = before ? place : at[k];
            v = moved;
            place = moved_at;
        }
    }
#pragma unroll
    for (int k = 0; k < K; ++k) {
        value[row * K + k] = best[k];
        index[row * K + k] = at[k];
    }
}

extern "C" __global__ void insertion2(const float* x, float* value, int* index, int N, int H) { insertion<2>(x, value, index, N, H); }
extern "C" __global__ void insertion3(const float* x, float* value, int* index, int N, int H) { insertion<3>(x, value, index, N, H); }

extern "C" __global__ void selection2(const float* x, float* value, int* index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    int taken = -1;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
        float best = -INFINITY;
        int at = -1;
#pragma unroll 1
        for (int i = 0; i < H; ++i) {
            bool better = (i != taken) & ((at < 0) | (x[i] > best));
            best = better ? x[i] : best;
            at = better ? i : at;
        }
        value[row * 2 + k] = best;
        index[row * 2 + k] = at;
        taken = at;
    }
}

extern "C" __global__ void first_two(const float* x, float* value, int* index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    bool swap = x[1] > x[0];
    float first = swap ? x[1] : x[0], second = swap ? x[0] : x[1];
    int first_at = swap ? 1 : 0, second_at = swap ? 0 : 1;
#pragma unroll 1
    for (int i = 2; i < H; ++i) {
        float v = x[i];
        bool leads = v > first;
        bool places = v > second;
        second_at = leads ? first_at : places ? i : second_at;
        second = leads ? first : places ? v : second;
        first_at = leads ? i : first_at;
        first = leads ? v : first;
    }
    value[row * 2] = first;
    index[row * 2] = first_at;
    value[row * 2 + 1] = second;
    index[row * 2 + 1] = second_at;
}
