// Plain reference of the BLAS form: y = alpha * A * x + beta * y, one thread a row.
extern "C" __global__ void reference_blas_f32(const float* a, const float* x, float* y, int M, int K, float alpha, float beta)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += a[row * K + k] * x[k];
    y[row] = alpha * sum + beta * y[row];
}
