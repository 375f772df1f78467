// Plain reference, bytes from 0 to 7 that are data: one thread a bin looks at all elements.

extern "C" __global__ void reference_bytes_s32(const unsigned char* __restrict__ x, int* __restrict__ counts, int N)
{
    int bin = threadIdx.x, count = 0;
    if (bin >= 8) return;
#pragma unroll 1
    for (int i = 0; i < N; ++i) count += x[i] == bin;
    counts[bin] = count;
}
