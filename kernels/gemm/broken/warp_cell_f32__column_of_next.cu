// FAULT: the column of B is taken from the next cell.
// One warp a cell: K over the lanes, shuffles down; grid-stride over the cells.
extern "C" __global__ void warp_cell_f32__column_of_next(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int lane = threadIdx.x & 31;
    int warps = gridDim.x * (blockDim.x >> 5);
#pragma unroll 1
    for (int cell = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); cell < M * N; cell += warps) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = lane; k < K; k += 32)
            sum += a[cell / N * K + k] * b[k * N + (cell + 1) % N];
        for (int step = 16; step > 0; step >>= 1)
            sum += __shfl_down_sync(0xffffffffu, sum, step);
        if (lane == 0) c[cell] = sum;
    }
}
