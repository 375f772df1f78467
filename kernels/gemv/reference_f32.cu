// Plain reference: y = A * x, one thread a row.
extern "C" __global__ void reference_f32(const float* a, const float* x, float* y, int M, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += a[row * K + k] * x[k];
    y[row] = sum;
}
