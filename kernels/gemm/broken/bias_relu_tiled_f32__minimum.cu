// FAULT: fminf for fmaxf.
// The epilogue fused into a tiled product: the sum starts at the bias, fmaxf at the end.
extern "C" __global__ void bias_relu_tiled_f32__minimum(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ bias, float* __restrict__ c, int M, int N, int K)
{
    __shared__ float ta[8][8], tb[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
    float sum = col < N ? bias[col] : 0.0f;
#pragma unroll 1
    for (int base = 0; base < K; base += 8) {
        ta[ty][tx] = row < M && base + tx < K ? a[row * K + base + tx] : 0.0f;
        tb[ty][tx] = col < N && base + ty < K ? b[(base + ty) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll 2
        for (int k = 0; k < 8; ++k)
            sum = fmaf(ta[ty][k], tb[k][tx], sum);
        __syncthreads();
    }
    if (row < M && col < N) c[row * N + col] = fminf(sum, 0.0f);
}
