// Plain reference: one thread a bin looks at all elements.

extern "C" __global__ void reference_s32(const int* __restrict__ x, int* __restrict__ counts, int N, int B)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin >= B) return;
    int count = 0;
#pragma unroll 1
    for (int i = 0; i < N; ++i) count += x[i] == bin;
    counts[bin] = count;
}
