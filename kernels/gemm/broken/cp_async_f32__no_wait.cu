// FAULT: nothing waits for the last tile: it is read while cp.async may still write it.
// Double-buffered tiles of 8 x 8: cp.async brings the next pair of tiles (zero-filled past the edges) while this one is summed.
#include <cuda_pipeline.h>

extern "C" __global__ void cp_async_f32__no_wait(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    __shared__ float ta[2][8][8], tb[2][8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
    auto load = [&](int base, int stage) {
        bool in_a = row < M && base + tx < K, in_b = col < N && base + ty < K;
        __pipeline_memcpy_async(&ta[stage][ty][tx], in_a ? a + row * K + base + tx : a, 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&tb[stage][ty][tx], in_b ? b + (base + ty) * N + col : b, 4, in_b ? 0 : 4);
        __pipeline_commit();
    };
    float sum = 0.0f;
    load(0, 0);
    int tiles = (K + 7) / 8;
#pragma unroll 1
    for (int t = 0; t < tiles; ++t) {
        int stage = t & 1;
        if (t + 1 < tiles) {
            load((t + 1) * 8, stage ^ 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(1);
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 8; ++k)
            sum += ta[stage][ty][k] * tb[stage][k][tx];
        __syncthreads();
    }
    if (row < M && col < N) c[row * N + col] = sum;
}
