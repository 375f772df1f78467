// Technique: a warp votes once a bin and tile; the lane of the bin counts the votes; at most 32 bins.

extern "C" __global__ void ballot_s32(const int* __restrict__ x, int* __restrict__ counts, int N, int B)
{
    int lane = threadIdx.x, count = 0;
#pragma unroll 1
    for (int base = 0; base < N; base += 32) {
        int bin = base + lane < N ? x[base + lane] : -1;
#pragma unroll 1
        for (int b = 0; b < B; ++b) {
            unsigned votes = __ballot_sync(0xffffffffu, bin == b);
            if (lane == b) count += __popc(votes);
        }
    }
    if (lane < B) counts[lane] = count;
}
