// FAULT: the tile of A is stored untransposed in what is read transposed.
// Tiles of 16 x 16 over 32 threads: each thread keeps 4 x 2 cells in registers, as an outer product a step of K; A's tile lies transposed.
extern "C" __global__ void register_tiled_f32__transposed_tile(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    __shared__ float ta[4][16], tb[4][16];
    int tx = threadIdx.x & 7, ty = threadIdx.x >> 3;
    int left = blockIdx.x * 16, top = blockIdx.y * 16;
    float sum[4][2] = {};
#pragma unroll 1
    for (int base = 0; base < K; base += 4) {
#pragma unroll 1
        for (int i = threadIdx.x; i < 64; i += 32) {
            int r = i >> 2, k = i & 3;
            ta[i >> 4][i & 15] = top + r < M && base + k < K ? a[(top + r) * K + base + k] : 0.0f;
            int kb = i >> 4, n = i & 15;
            tb[kb][n] = left + n < N && base + kb < K ? b[(base + kb) * N + left + n] : 0.0f;
        }
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < 4; ++k) {
            float p[4], q[2];
            for (int i = 0; i < 4; ++i) p[i] = ta[k][ty * 4 + i];
            for (int j = 0; j < 2; ++j) q[j] = tb[k][tx + j * 8];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 2; ++j) sum[i][j] += p[i] * q[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) {
            int row = top + ty * 4 + i, col = left + tx + j * 8;
            if (row < M && col < N) c[row * N + col] = sum[i][j];
        }
}
