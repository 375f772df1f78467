// FAULT: every lane uses what it read itself, and only lane 0 read.

extern "C" __global__ void bits_warp_f32__own_word(const float* __restrict__ x, const unsigned* __restrict__ mask,
                                                   float* __restrict__ y, int n,
                                         float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    unsigned word = 0;
    if (lane == 0 && i < n) word = mask[i >> 5];
    if (i < n) y[i] = x[i] * ((float)(word >> lane & 1) * scale);
}
