// From halves, two a thread by cvt.rn.satfinite.e4m3x2.f16x2 (even N); widened to binary32 first in `through_f32`.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void half2_e4m3(const __half2_raw* __restrict__ x, __nv_fp8x2_storage_t* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 2) y[i] = __nv_cvt_halfraw2_to_fp8x2(x[i], __NV_SATFINITE, __NV_E4M3);
}

extern "C" __global__ void through_f32(const __half* __restrict__ x, __nv_fp8_storage_t* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = __nv_cvt_float_to_fp8(__half2float(x[i]), __NV_SATFINITE, __NV_E4M3);
}
