// Plain reference with an epilogue: C = max(A * B + bias, 0), one thread a cell.
extern "C" __global__ void reference_bias_relu_f32(const float* a, const float* b, const float* bias, float* c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += a[row * K + k] * b[k * N + col];
    sum += bias[col];
    c[row * N + col] = sum > 0.0f ? sum : 0.0f;
}
