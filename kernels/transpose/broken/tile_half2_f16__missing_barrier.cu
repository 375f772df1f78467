// FAULT: the barrier between filling and reading the tile is missing.

#include <cuda_fp16.h>

extern "C" __global__ void tile_half2_f16__missing_barrier(const __half2* __restrict__ x, __half* __restrict__ y,
                                                           int M, int N)
{
    __shared__ __align__(4) __half tile[16][18];
    int pair = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < M && 2 * pair < N) *reinterpret_cast<__half2*>(&tile[threadIdx.y][2 * threadIdx.x]) = x[row * (N / 2) + pair];
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        int at = (j * 16 + threadIdx.y) * 8 + threadIdx.x;
        int out_row = blockIdx.x * 16 + at / 16, out_column = blockIdx.y * 16 + at % 16;
        if (out_row < N && out_column < M) y[out_row * M + out_column] = tile[at % 16][at / 16];
    }
}
