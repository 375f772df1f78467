// f32, half-split, P = 16. Technique: a warp a head, a lane an element; the other half comes by a butterfly of 16.

extern "C" __global__ void half_shuffle_f32(const float* __restrict__ x, const float* __restrict__ c,
                                            const float* __restrict__ s, float* __restrict__ y, int S, int H, int P)
{
    int head = blockIdx.x, position = head / H;
    int lane = threadIdx.x, j = lane & 15;
    float v = x[head * 32 + lane];
    float other = __shfl_xor_sync(0xffffffffu, v, 16);
    float sn = s[position * 16 + j];
    if (lane < 16) sn = -sn;
    y[head * 32 + lane] = v * c[position * 16 + j] + other * sn;
}
