// f32, N = 8, M a multiple of four. Technique: a warp transposes 4 x 8 by one shuffle, no shared memory.

extern "C" __global__ void shuffle_f32(const float* __restrict__ x, float* __restrict__ y, int M, int N)
{
    int lane = threadIdx.x, row = 4 * blockIdx.x;
    float v = x[row * 8 + lane];
    v = __shfl_sync(0xffffffffu, v, lane % 4 * 8 + lane / 4);
    y[lane / 4 * M + row + lane % 4] = v;
}
