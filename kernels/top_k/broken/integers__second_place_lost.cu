// Fault: an element between first and second is not noticed.
#include <limits.h>

extern "C" __global__ void s32_insertion(const int* __restrict__ x, int* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    bool swap = x[1] > x[0];
    int first = swap ? x[1] : x[0], second = swap ? x[0] : x[1];
    int first_at = swap ? 1 : 0, second_at = swap ? 0 : 1;
#pragma unroll 1
    for (int i = 2; i < H; ++i) {
        int v = x[i];
        bool leads = v > first;
        bool places = v > second;
        second_at = leads ? first_at : second_at;
        second = leads ? first : second;
        first_at = leads ? i : first_at;
        first = leads ? v : first;
    }
    value[row * 2] = first;
    index[row * 2] = first_at;
    value[row * 2 + 1] = second;
    index[row * 2 + 1] = second_at;
}

extern "C" __global__ void s32_packed(const int* __restrict__ x, int* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int lane = threadIdx.x;
    unsigned long long mine = 0;
    if (lane < H)
        mine = static_cast<unsigned long long>(static_cast<unsigned>(x[blockIdx.x * H + lane]) ^ 0x80000000u) << 32 | static_cast<unsigned>(~lane);
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
        unsigned long long best = mine;
        for (int offset = 16; offset > 0; offset /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, offset));
        if (lane == 0) {
            value[blockIdx.x * 2 + k] = static_cast<int>(static_cast<unsigned>(best >> 32) ^ 0x80000000u);
            index[blockIdx.x * 2 + k] = static_cast<int>(~static_cast<unsigned>(best));
        }
        mine = mine == best ? 0 : mine;
    }
}
