// FAULT: the tile is read without the swizzle.

extern "C" __global__ void swizzled_f32__read_not_swizzled(const float* __restrict__ x, float* __restrict__ y, int M,
                                                           int N)
{
    __shared__ float tile[64];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
    if (row < M && column < N) tile[ty * 8 + (tx ^ ty)] = x[row * N + column];
    __syncthreads();
    column = blockIdx.y * 8 + tx;
    row = blockIdx.x * 8 + ty;
    if (row < N && column < M) y[row * M + column] = tile[tx * 8 + ty];
}
