// FAULT: lanes past the end vote for bin 0.

extern "C" __global__ void bytes_ballot_s32__padding_is_bin_zero(const unsigned char* __restrict__ x,
                                                                 int* __restrict__ counts, int N)
{
    int lane = threadIdx.x, count = 0;
#pragma unroll 1
    for (int base = 0; base < N; base += 32) {
        int value = base + lane < N ? x[base + lane] : 0;
#pragma unroll 1
        for (int b = 0; b < 8; ++b) {
            unsigned votes = __ballot_sync(0xffffffffu, value == b);
            if (lane == b) count += __popc(votes);
        }
    }
    if (lane < 8) counts[lane] = count;
}
