// Bytes that are data. Technique: a thread a slice counts four bins in one word of bytes, the words are added by
// shuffles; at most 255 elements.

extern "C" __global__ void bytes_packed_s32(const unsigned char* __restrict__ x, int* __restrict__ counts, int N)
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
    if (lane < 8) counts[lane] = (lane < 4 ? low : high) >> (lane & 3) * 8 & 255;
}
