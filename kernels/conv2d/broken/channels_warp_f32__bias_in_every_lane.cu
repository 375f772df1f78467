// FAULT: every lane starts at the bias: it is added 32 times.
// One warp an output: the C * 9 products over the lanes, butterfly of shuffles; any stride and padding.
extern "C" __global__ void channels_warp_f32__bias_in_every_lane(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, float* __restrict__ y, int C, int H, int W, int O, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (i >= O * P * Q) return;
    int top = i / Q % P * stride - pad, left = i % Q * stride - pad, o = i / (Q * P);
    float sum = bias[o];
#pragma unroll 1
    for (int k = lane; k < C * 9; k += 32) {
        int row = top + k % 9 / 3, col = left + k % 3;
        if ((unsigned)row < (unsigned)H && (unsigned)col < (unsigned)W)
            sum += x[(k / 9 * H + row) * W + col] * w[o * C * 9 + k];
    }
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) y[i] = sum;
}
