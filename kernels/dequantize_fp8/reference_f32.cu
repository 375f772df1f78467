// Plain references: y = x * scale of fp8 numbers, by the conversions of cuda_fp8.h, one thread an element. `reference_e4m3`, `reference_e5m2`: a scale a
// row of x [N, H], to f32. `reference_f16`: e4m3 to halves without a scale.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void reference_e4m3(const __nv_fp8_storage_t* x, const float* scales, float* y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * H) y[i] = __half2float(__nv_cvt_fp8_to_halfraw(x[i], __NV_E4M3)) * scales[i / H];
}

extern "C" __global__ void reference_e5m2(const __nv_fp8_storage_t* x, const float* scales, float* y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * H) y[i] = __half2float(__nv_cvt_fp8_to_halfraw(x[i], __NV_E5M2)) * scales[i / H];
}

extern "C" __global__ void reference_f16(const __nv_fp8_storage_t* x, __half* y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = __nv_cvt_fp8_to_halfraw(x[i], __NV_E4M3);
}
