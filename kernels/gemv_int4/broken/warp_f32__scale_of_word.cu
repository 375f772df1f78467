// FAULT: a scale for every word: the groups are taken as 8 columns.
// One warp a row, a word a lane: the eight products are summed before they are scaled; butterfly of shuffles.
extern "C" __global__ void warp_f32__scale_of_word(const unsigned* __restrict__ p, const float* __restrict__ scales, const float* __restrict__ x, float* __restrict__ y, int N, int K)
{
    int lane = threadIdx.x & 31, row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int word = lane; word < K / 8; word += 32) {
        unsigned v = p[row * (K / 8) + word];
        float part = 0.0f;
#pragma unroll 4
        for (int j = 0; j < 8; ++j) part += (float)((int)(v >> j * 4 & 15) - 8) * x[word * 8 + j];
        sum += part * scales[row * (K / 16) + word / 4];
    }
    for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) y[row] = sum;
}
