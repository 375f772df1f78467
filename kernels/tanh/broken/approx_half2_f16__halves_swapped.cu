// FAULT: the halves of a pair are swapped.

#include <cuda_fp16.h>

extern "C" __global__ void approx_half2_f16__halves_swapped(const __half* __restrict__ x, __half* __restrict__ y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n)
        *reinterpret_cast<__half2*>(y + i) = __lowhigh2highlow(h2tanh_approx(*reinterpret_cast<const __half2*>(x + i)));
    else if (i < n)
        y[i] = htanh_approx(x[i]);
}
