// FAULT: the halves of the first word are swapped.

#include <cuda_fp16.h>

extern "C" __global__ void pairs_f16__halves_swapped(const unsigned* __restrict__ x, unsigned* __restrict__ y, int M,
                                                     int N)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    int columns = N / 2, rows = M / 2;
    if (c >= columns) return;
    unsigned top = x[2 * r * columns + c], bottom = x[(2 * r + 1) * columns + c];
    y[2 * c * rows + r] = __byte_perm(top, bottom, 0x1054);
    y[(2 * c + 1) * rows + r] = __byte_perm(top, bottom, 0x7632);
}
