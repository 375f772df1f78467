// FAULT: the two halves are exchanged.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void half2_e4m3__halves_swapped(const __half2_raw* __restrict__ x, __nv_fp8x2_storage_t* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N / 2) return;
    __half2_raw v = x[i];
    unsigned short low = v.x;
    v.x = v.y;
    v.y = low;
    y[i] = __nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, __NV_E4M3);
}
