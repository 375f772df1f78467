// FAULT: the index is split by N where rows of y are M long.

extern "C" __global__ void write_order_f32__rows_and_columns_swapped(const float* __restrict__ x,
                                                                     float* __restrict__ y, int M, int N)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N; i += gridDim.x * blockDim.x) y[i] = x[i % N * M + i / N];
}
