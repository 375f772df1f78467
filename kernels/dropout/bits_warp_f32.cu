// f32, a mask of one bit an element. Technique: lane 0 reads the word of its warp and broadcasts it; a bit becomes a
// factor.

extern "C" __global__ void bits_warp_f32(const float* __restrict__ x, const unsigned* __restrict__ mask,
                                         float* __restrict__ y, int n,
                                         float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    unsigned word = 0;
    if (lane == 0 && i < n) word = mask[i >> 5];
    word = __shfl_sync(0xffffffffu, word, 0);
    if (i < n) y[i] = x[i] * ((float)(word >> lane & 1) * scale);
}
