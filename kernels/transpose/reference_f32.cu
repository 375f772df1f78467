// Plain reference, float: one thread an element of x.

extern "C" __global__ void reference_f32(const float* __restrict__ x, float* __restrict__ y, int M, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M * N) return;
    y[i % N * M + i / N] = x[i];
}
