// FAULT: neighbours are paired, not nibbles 16 bits apart.
// The same order by integer arithmetic: __int2half_rn of each nibble with its sign bit flipped by xor, packed in pairs.
#include <cuda_fp16.h>

extern "C" __global__ void pairs_f16__order(const unsigned* __restrict__ p, __half2* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 4) return;
    unsigned v = p[i / 4] ^ 0x88888888u;
    int shift = 28 - i % 2 * 8;
    int low = (int)(v >> i % 4 / 2 * 16 << shift) >> 28, high = (int)(v >> i % 4 / 2 * 16 + 4 << shift) >> 28;
    y[i] = __halves2half2(__int2half_rn(low), __int2half_rn(high));
}
