// FAULT: the tables are taken by head, not by position.

extern "C" __global__ void half_shuffle_f32__table_of_head(const float* __restrict__ x, const float* __restrict__ c,
                                                           const float* __restrict__ s, float* __restrict__ y, int S,
                                                           int H, int P)
{
    int head = blockIdx.x, position = head % S;
    int lane = threadIdx.x, j = lane & 15;
    float v = x[head * 32 + lane];
    float other = __shfl_xor_sync(0xffffffffu, v, 16);
    float sn = s[position * 16 + j];
    if (lane < 16) sn = -sn;
    y[head * 32 + lane] = v * c[position * 16 + j] + other * sn;
}
