// FAULT: the last step of a tile is left out when it is read.

extern "C" __global__ void tile_strided_f32__seven_steps(const float* __restrict__ x, float* __restrict__ y, int M,
                                                         int N)
{
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x;
#pragma unroll 2
    for (int j = threadIdx.y; j < 28; j += 4) {
        int row = blockIdx.y * 32 + j;
        if (row < M && column < N) tile[j][threadIdx.x] = x[row * N + column];
    }
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
#pragma unroll 2
    for (int j = threadIdx.y; j < 32; j += 4) {
        int row = blockIdx.x * 32 + j;
        if (row < N && column < M) y[row * M + column] = tile[threadIdx.x][j];
    }
}
