// Fault: of equal values each lane keeps its own.
#include <limits.h>

extern "C" __global__ void s32_serial(const int* __restrict__ x, int* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    int best = x[0];
    int at = 0;
#pragma unroll 1
    for (int i = 1; i < H; ++i) {
        at = x[i] > best ? i : at;
        best = max(best, x[i]);
    }
    value[row] = best;
    index[row] = at;
}

extern "C" __global__ void s32_packed(const int* __restrict__ x, int* __restrict__ value, int* __restrict__ index, int N, int H)
{
    unsigned long long best = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) {
        unsigned high = static_cast<unsigned>(x[blockIdx.x * H + i]) ^ 0x80000000u;
        best = max(best, static_cast<unsigned long long>(high) << 32 | static_cast<unsigned>(~i));
    }
    for (int offset = 16; offset > 0; offset /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, offset));
    if (threadIdx.x == 0) {
        value[blockIdx.x] = static_cast<int>(static_cast<unsigned>(best >> 32) ^ 0x80000000u);
        index[blockIdx.x] = static_cast<int>(~static_cast<unsigned>(best));
    }
}

extern "C" __global__ void s32_shuffle(const int* __restrict__ x, int* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int best = INT_MIN;
    int at = INT_MAX;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) {
        int v = x[blockIdx.x * H + i];
        at = v > best || at == INT_MAX ? i : at;
        best = max(best, v);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        int other = __shfl_xor_sync(0xffffffffu, best, offset);
        int other_at = __shfl_xor_sync(0xffffffffu, at, offset);
        at = other > best ? other_at : at;
        best = max(best, other);
    }
    if (threadIdx.x == 0) {
        value[blockIdx.x] = best;
        index[blockIdx.x] = at;
    }
}
