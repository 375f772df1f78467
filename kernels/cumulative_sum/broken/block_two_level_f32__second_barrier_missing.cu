// FAULT: the barrier at the end of a tile is missing: the next tile overwrites sums that are still read.

extern "C" __global__ void block_two_level_f32__second_barrier_missing(const float* __restrict__ x,
                                                                       float* __restrict__ y, int N, int H)
{
    __shared__ float totals[2];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, row = blockIdx.x;
    float carry = 0.0f;
#pragma unroll 1
    for (int base = 0; base < H; base += 64) {
        int i = base + tid;
        float v = i < H ? x[row * H + i] : 0.0f;
        for (int offset = 1; offset < 32; offset *= 2) {
            float other = __shfl_up_sync(0xffffffffu, v, offset);
            v = lane >= offset ? v + other : v;
        }
        if (lane == 31) totals[warp] = v;
        __syncthreads();
        float first = totals[0], second = totals[1];
        v += carry + (warp == 1 ? first : 0.0f);
        if (i < H) y[row * H + i] = v;
        carry += first + second;
    }
}
