// Plain references: eight nibbles of each 32-bit word of p [N], lowest first, to y [N, 8], one thread an element. `reference_offset`: minus 8, as
// floats. `reference_twos`: as two's complement, bytes. `reference_f16`: minus 8, as halves, in the order in which pairs lie 16 bits apart
// (0, 4, 1, 5, 2, 6, 3, 7), which weights are stored for.
#include <cuda_fp16.h>

extern "C" __global__ void reference_offset(const unsigned* p, float* y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 8) return;
    y[i] = (float)((int)(p[i / 8] >> i % 8 * 4 & 15) - 8);
}

extern "C" __global__ void reference_twos(const unsigned* p, signed char* y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 8) return;
    int v = p[i / 8] >> i % 8 * 4 & 15;
    y[i] = (signed char)(v < 8 ? v : v - 16);
}

extern "C" __global__ void reference_f16(const unsigned* p, __half* y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 8) return;
    int j = i % 8, nibble = j / 2 + (j & 1) * 4;
    y[i] = __int2half_rn((int)(p[i / 8] >> nibble * 4 & 15) - 8);
}
