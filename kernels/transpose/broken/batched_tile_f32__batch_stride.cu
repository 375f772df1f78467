// FAULT: matrices are taken to be M * M apart.

extern "C" __global__ void batched_tile_f32__batch_stride(const float* __restrict__ x, float* __restrict__ y, int B,
                                                          int M, int N)
{
    __shared__ float tile[8][9];
    size_t base = (size_t)blockIdx.z * M * M;
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < M && column < N) tile[threadIdx.x][threadIdx.y] = x[base + row * N + column];
    __syncthreads();
    column = blockIdx.y * 8 + threadIdx.x;
    row = blockIdx.x * 8 + threadIdx.y;
    if (row < N && column < M) y[base + row * M + column] = tile[threadIdx.y][threadIdx.x];
}
