// Plain references: y = x * scale as fp8, saturated to the largest finite value, by the conversions of cuda_fp8.h; one thread an element.
// `reference_e4m3` and `reference_e5m2`: by a given scale. `reference_rows`: e4m3 with a scale a row from its largest magnitude (448 / absmax).
// `reference_f16`: e4m3 from halves.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void reference_e4m3(const float* x, __nv_fp8_storage_t* y, int N, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = __nv_cvt_float_to_fp8(x[i] * scale, __NV_SATFINITE, __NV_E4M3);
}

extern "C" __global__ void reference_e5m2(const float* x, __nv_fp8_storage_t* y, int N, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = __nv_cvt_float_to_fp8(x[i] * scale, __NV_SATFINITE, __NV_E5M2);
}

extern "C" __global__ void reference_rows(const float* x, __nv_fp8_storage_t* y, float* scales, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float largest = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) largest = fmaxf(largest, fabsf(x[row * H + i]));
    float scale = fmaxf(largest, 1e-4f) / 448.0f;
    scales[row] = scale;
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[row * H + i] = __nv_cvt_float_to_fp8(x[row * H + i] / scale, __NV_SATFINITE, __NV_E4M3);
}

extern "C" __global__ void reference_f16(const __half* x, __nv_fp8_storage_t* y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = __nv_cvt_halfraw_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
}
