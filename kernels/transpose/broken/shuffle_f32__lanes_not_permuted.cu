// FAULT: the lane is divided where the remainder belongs, and the other way round.

extern "C" __global__ void shuffle_f32__lanes_not_permuted(const float* __restrict__ x, float* __restrict__ y, int M,
                                                           int N)
{
    int lane = threadIdx.x, row = 4 * blockIdx.x;
    float v = x[row * 8 + lane];
    v = __shfl_sync(0xffffffffu, v, lane / 4 * 4 + lane % 4);
    y[lane / 4 * M + row + lane % 4] = v;
}
