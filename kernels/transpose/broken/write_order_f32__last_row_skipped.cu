// FAULT: the last row of y is not written.

extern "C" __global__ void write_order_f32__last_row_skipped(const float* __restrict__ x, float* __restrict__ y,
                                                             int M, int N)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N - M; i += gridDim.x * blockDim.x) y[i] = x[i % M * N + i / M];
}
