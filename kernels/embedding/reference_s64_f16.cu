// Plain reference, half, 64-bit indices: one thread an element of y.

#include <cuda_fp16.h>

extern "C" __global__ void reference_s64_f16(const __half* __restrict__ table, const long long* __restrict__ ids,
                                             __half* __restrict__ y,
                                             int T, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T * H) return;
    y[i] = table[ids[i / H] * H + i % H];
}
