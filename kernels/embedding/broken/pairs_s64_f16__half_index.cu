// FAULT: the index is halved with the row length.

#include <cuda_fp16.h>

extern "C" __global__ void pairs_s64_f16__half_index(const __half2* __restrict__ table,
                                                     const long long* __restrict__ ids, __half2* __restrict__ y,
                                         int T, int H)
{
    long long id = ids[blockIdx.x];
    for (int i = threadIdx.x; i < H / 2; i += blockDim.x) y[blockIdx.x * (H / 2) + i] = table[id / 2 * (H / 2) + i];
}
