// Plain references: y = (q - zero_point) * scale of signed bytes q [N, H], a scale a row; one thread an element. `reference_unsigned`: of unsigned
// bytes. `reference_f16`: to halves, a scale a column in f16.
#include <cuda_fp16.h>

extern "C" __global__ void reference_signed(const signed char* q, const float* scales, float* y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H) return;
    y[i] = (float)q[i] * scales[i / H];
}

extern "C" __global__ void reference_unsigned(const unsigned char* q, const float* scales, float* y, int N, int H, int zero_point)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H) return;
    y[i] = (float)((int)q[i] - zero_point) * scales[i / H];
}

extern "C" __global__ void reference_f16(const signed char* q, const __half* scales, __half* y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H) return;
    y[i] = __float2half((float)q[i] * __half2float(scales[i % H]));
}
