// Shared-memory tiles of 8 x 8, one thread a cell; what lies past an edge is zero in the tile.
extern "C" __global__ void tiled_f32(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    __shared__ float ta[8][8], tb[8][9];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
    float sum = 0.0f;
#pragma unroll 1
    for (int base = 0; base < K; base += 8) {
        ta[ty][tx] = row < M && base + tx < K ? a[row * K + base + tx] : 0.0f;
        tb[ty][tx] = col < N && base + ty < K ? b[(base + ty) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 8; ++k)
            sum += ta[ty][k] * tb[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) c[row * N + col] = sum;
}
