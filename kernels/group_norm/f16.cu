// half, channels first, binary32 sums. Entries: f16_serial, one thread a group; f16_half2, one warp a group, half2, S even.
#include <cuda_fp16.h>

extern "C" __global__ void f16_serial(const __half* x, const __half* w, const __half* b, __half* y, int N, int G, int D, int S, float eps)
{
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= N * G) return;
    int size = D * S;
    x += group * size;
    y += group * size;
    float sum = 0.0f;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = 0; i < size; ++i) sum += __half2float(x[i]);
    float mean = sum / size;
#pragma unroll 1
    for (int i = 0; i < size; ++i) squares += (__half2float(x[i]) - mean) * (__half2float(x[i]) - mean);
    float deviation = sqrtf(squares / size + eps);
#pragma unroll 1
    for (int i = 0; i < size; ++i) {
        int channel = group % G * D + i / S;
        y[i] = __float2half_rn((__half2float(x[i]) - mean) / deviation * __half2float(w[channel]) + __half2float(b[channel]));
    }
}

extern "C" __global__ void f16_half2(const __half2* __restrict__ x, const __half* __restrict__ w, const __half* __restrict__ b,
                                     __half2* __restrict__ y, int N, int G, int D, int S, float eps)
{
    int pairs = D * S / 2;
    x += blockIdx.x * pairs;
    y += blockIdx.x * pairs;
    float sum = 0.0f;
    float squares = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __half22float2(x[p]);
        sum += v.x + v.y;
        squares = fmaf(v.x, v.x, fmaf(v.y, v.y, squares));
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    }
    float mean = sum / (D * S);
    float rstd = rsqrtf(squares / (D * S) - mean * mean + eps);
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        int channel = blockIdx.x % G * D + 2 * p / S;
        float2 v = __half22float2(x[p]);
        float g = __half2float(w[channel]);
        float c = __half2float(b[channel]);
        y[p] = __floats2half2_rn((v.x - mean) * rstd * g + c, (v.y - mean) * rstd * g + c);
    }
}
