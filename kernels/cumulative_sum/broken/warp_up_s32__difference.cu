// FAULT: partial sums are taken away, not added.

extern "C" __global__ void warp_up_s32__difference(const int* __restrict__ x, int* __restrict__ y, int N, int H)
{
    int lane = threadIdx.x, row = blockIdx.x;
    int carry = 0;
#pragma unroll 1
    for (int base = 0; base < H; base += 32) {
        int i = base + lane;
        int v = i < H ? x[row * H + i] : 0;
#pragma unroll
        for (int offset = 1; offset < 32; offset *= 2) {
            int other = __shfl_up_sync(0xffffffffu, v, offset);
            if (lane >= offset) v -= other;
        }
        v += carry;
        if (i < H) y[row * H + i] = v;
        carry = __shfl_sync(0xffffffffu, v, 31);
    }
}
