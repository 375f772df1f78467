// Fault: elements that are equal have one rank, and are added up.
extern "C" __global__ void rank_f32(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int lane = threadIdx.x;
    x += blockIdx.x * H;
    bool live = lane < H;
    float mine = live ? x[lane] : 0.0f;
    int rank = live ? 0 : 2;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float v = x[i];
        if (live) rank += v > mine ? 1 : 0;
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        float v = rank == k ? mine : 0.0f;
        int at = rank == k ? lane : 0;
        for (int offset = 16; offset > 0; offset /= 2) {
            v += __shfl_xor_sync(0xffffffffu, v, offset);
            at += __shfl_xor_sync(0xffffffffu, at, offset);
        }
        if (lane == 0) {
            value[blockIdx.x * 2 + k] = v;
            index[blockIdx.x * 2 + k] = at;
        }
    }
}
