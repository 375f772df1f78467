// FAULT: every batch reads the first matrix.

extern "C" __global__ void batched_tile_f32__first_batch(const float* __restrict__ x, float* __restrict__ y, int B,
                                                         int M, int N)
{
    __shared__ float tile[8][9];
    size_t base = (size_t)blockIdx.z * M * N;
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < M && column < N) tile[threadIdx.x][threadIdx.y] = x[row * N + column];
    __syncthreads();
    column = blockIdx.y * 8 + threadIdx.x;
    row = blockIdx.x * 8 + threadIdx.y;
    if (row < N && column < M) y[base + row * M + column] = tile[threadIdx.y][threadIdx.x];
}
