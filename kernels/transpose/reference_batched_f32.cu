// Plain reference, float, a batch of matrices: one thread an element of x.

extern "C" __global__ void reference_batched_f32(const float* __restrict__ x, float* __restrict__ y, int B, int M,
                                                 int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * M * N) return;
    int batch = i / (M * N), row = i / N % M, column = i % N;
    y[(batch * N + column) * M + row] = x[i];
}
