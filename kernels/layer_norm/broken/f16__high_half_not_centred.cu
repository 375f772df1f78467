// Fault: the mean is not subtracted from the upper halves.
#include <cuda_fp16.h>

extern "C" __global__ void f16_serial(const __half* x, const __half* w, const __half* b, __half* y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += __half2float(x[i]);
    float mean = sum / H;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float d = __half2float(x[i]) - mean;
        squares += d * d;
    }
    float scale = rsqrtf(squares / H + eps);
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        y[i] = __float2half_rn((__half2float(x[i]) - mean) * scale * __half2float(w[i]) + __half2float(b[i]));
}

extern "C" __global__ void f16_half2(const __half2* __restrict__ x, const __half2* __restrict__ w, const __half2* __restrict__ b,
                                     __half2* __restrict__ y, int N, int H, float eps)
{
    int pairs = H / 2;
    x += blockIdx.x * pairs;
    y += blockIdx.x * pairs;
    float inverse = __frcp_rn(H);
    float sum = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __half22float2(x[p]);
        sum += v.x + v.y;
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float mean = sum * inverse;
    float squares = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __half22float2(x[p]);
        squares += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean);
    }
    for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    float scale = rsqrtf(squares * inverse + eps);
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __half22float2(x[p]);
        float2 g = __half22float2(w[p]);
        float2 c = __half22float2(b[p]);
        y[p] = __floats2half2_rn((v.x - mean) * scale * g.x + c.x, v.y * scale * g.y + c.y);
    }
}
