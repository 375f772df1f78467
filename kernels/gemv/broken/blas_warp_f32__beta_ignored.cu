// FAULT: y is added without beta.
// y = alpha * A * x + beta * y: one warp a row, x scaled before the sum, beta * y added last.
extern "C" __global__ void blas_warp_f32__beta_ignored(const float* __restrict__ a, const float* __restrict__ x, float* y, int M, int K, float alpha, float beta)
{
    int lane = threadIdx.x & 31;
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= M) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = lane; k < K; k += 32)
        sum += a[row * K + k] * (alpha * x[k]);
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) y[row] = y[row] + sum;
}
