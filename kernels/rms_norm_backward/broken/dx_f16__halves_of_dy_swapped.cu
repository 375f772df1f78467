// Fault: the halves of dy are exchanged in the result.
#include <cuda_fp16.h>

extern "C" __global__ void dx_f16_serial(const __half* x, const __half* w, const __half* dy, __half* dx, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    dy += row * H;
    dx += row * H;
    float squares = 0.0f;
    float dot = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float v = __half2float(x[i]);
        squares += v * v;
        dot += v * __half2float(w[i]) * __half2float(dy[i]);
    }
    float r = rsqrtf(squares / H + eps);
    float share = r * r * dot / H;
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        dx[i] = __float2half_rn(r * (__half2float(w[i]) * __half2float(dy[i]) - __half2float(x[i]) * share));
}

extern "C" __global__ void dx_f16_half2(const __half2* __restrict__ x, const __half2* __restrict__ w, const __half2* __restrict__ dy,
                                        __half2* __restrict__ dx, int N, int H, float eps)
{
    int pairs = H / 2;
    x += blockIdx.x * pairs;
    dy += blockIdx.x * pairs;
    dx += blockIdx.x * pairs;
    float squares = 0.0f;
    float dot = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __half22float2(x[p]);
        float2 g = __half22float2(w[p]);
        float2 d = __half22float2(dy[p]);
        squares += v.x * v.x + v.y * v.y;
        dot += v.x * g.x * d.x + v.y * g.y * d.y;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
        dot += __shfl_xor_sync(0xffffffffu, dot, offset);
    }
    float r = rsqrtf(squares / H + eps);
    float mean = dot * r / H;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) {
        float2 v = __half22float2(x[p]);
        float2 g = __half22float2(w[p]);
        float2 d = __half22float2(dy[p]);
        dx[p] = __floats2half2_rn((g.x * d.y - v.x * r * mean) * r, (g.y * d.x - v.y * r * mean) * r);
    }
}
