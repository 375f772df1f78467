// A CTA a row and a group of columns, added to y (zero before the launch) by atomicAdd: sixteen lanes a group, each one nibble, halved by shuffles.
extern "C" __global__ void split_f32(const unsigned* __restrict__ p, const float* __restrict__ scales, const float* __restrict__ x, float* y, int N, int K)
{
    int group = blockIdx.x, row = blockIdx.y, k = threadIdx.x;
    unsigned v = p[row * (K / 8) + group * 2 + (k >> 3)];
    float sum = (float)((int)(v >> (k & 7) * 4 & 15) - 8) * x[group * 16 + k];
    for (int step = 8; step > 0; step >>= 1) sum += __shfl_xor_sync(0xffffu, sum, step, 16);
    if (k == 0) atomicAdd(&y[row], sum * scales[row * (K / 16) + group]);
}
