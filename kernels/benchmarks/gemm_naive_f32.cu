// float, C = A B with A 64 x 4096, B 4096 x 64, row-major: one thread an element of C, a plain loop over k; 16 CTAs of 16 x 16 threads.
extern "C" __global__ void gemm_naive_f32(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < 4096; ++k) sum += A[row * 4096 + k] * B[k * 64 + column];
    C[row * 64 + column] = sum;
}
