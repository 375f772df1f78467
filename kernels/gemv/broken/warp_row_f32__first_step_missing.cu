// FAULT: the butterfly starts at 8, so lane 0 has the sums of lanes 0 to 15 only.
// One warp a row, four rows a CTA: strided partial sums, butterfly of __shfl_xor_sync.
extern "C" __global__ void warp_row_f32__first_step_missing(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int M, int K)
{
    int lane = threadIdx.x & 31;
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= M) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = lane; k < K; k += 32)
        sum += a[row * K + k] * x[k];
    for (int step = 8; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) y[row] = sum;
}
