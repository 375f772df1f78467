// FAULT: the fourth partial sum is left out.
// A reassociated sum: four partial sums over k % 4, then ((0 + 2) + (1 + 3)); one thread a cell, B read by __ldg.
extern "C" __global__ void four_sums_f32__a_sum_forgotten(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= M * N) return;
    int row = cell / N, col = cell % N;
    float sum[4] = {};
    int k = 0;
#pragma unroll 1
    for (; k + 3 < K; k += 4)
        for (int j = 0; j < 4; ++j)
            sum[j] = fmaf(a[row * K + k + j], __ldg(&b[(k + j) * N + col]), sum[j]);
#pragma unroll 1
    for (; k < K; ++k)
        sum[0] = fmaf(a[row * K + k], __ldg(&b[k * N + col]), sum[0]);
    c[cell] = (sum[0] + sum[2]) + sum[1];
}
