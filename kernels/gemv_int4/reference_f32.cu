// Plain references: y = (W - 8) x with W as eight nibbles a word, lowest first, p [N, K / 8], a scale for every 16 columns of a row,
// scales [N, K / 16]; one thread a row. `reference_f16`: x and scales in halves; nibbles in the order 0, 2, 4, 6, 1, 3, 5, 7 (pairs lie 16 bits apart).
#include <cuda_fp16.h>

extern "C" __global__ void reference_f32(const unsigned* p, const float* scales, const float* x, float* y, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k) {
        int q = (int)(p[row * (K / 8) + k / 8] >> k % 8 * 4 & 15) - 8;
        sum += (float)q * scales[row * (K / 16) + k / 16] * x[k];
    }
    y[row] = sum;
}

extern "C" __global__ void reference_f16(const unsigned* p, const __half* scales, const __half* x, float* y, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < K; ++k) {
        int nibble = k % 8 / 2 + (k & 1) * 4;
        int q = (int)(p[row * (K / 8) + k / 8] >> nibble * 4 & 15) - 8;
        sum += (float)q * __half2float(scales[row * (K / 16) + k / 16]) * __half2float(x[k]);
    }
    y[row] = sum;
}
