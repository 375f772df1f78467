// FAULT: bins 0 to 3 and 4 to 7 are exchanged.

extern "C" __global__ void bytes_packed_s32__halves_swapped(const unsigned char* __restrict__ x,
                                                            int* __restrict__ counts, int N)
{
    int lane = threadIdx.x;
    unsigned low = 0, high = 0;
#pragma unroll 1
    for (int i = lane; i < N; i += 32) {
        unsigned one = 1u << (x[i] & 3) * 8;
        low += x[i] < 4 ? one : 0;
        high += x[i] < 4 ? 0 : one;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        low += __shfl_xor_sync(0xffffffffu, low, offset);
        high += __shfl_xor_sync(0xffffffffu, high, offset);
    }
    if (lane < 8) counts[lane] = (lane < 4 ? high : low) >> (lane & 3) * 8 & 255;
}
