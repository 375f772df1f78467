// FAULT: the tile index is not transposed: the elements of a tile change places, tiles do not.

extern "C" __global__ void tile_f32__blocks_not_swapped(const float* __restrict__ x, float* __restrict__ y, int M,
                                                        int N)
{
    __shared__ float tile[8][9];
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < M && column < N) tile[threadIdx.y][threadIdx.x] = x[row * N + column];
    __syncthreads();
    column = blockIdx.x * 8 + threadIdx.x;
    row = blockIdx.y * 8 + threadIdx.y;
    if (row < N && column < M) y[row * M + column] = tile[threadIdx.x][threadIdx.y];
}
