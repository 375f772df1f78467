// Fault: the merged mean is weighted with the own count.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_serial(const __nv_bfloat16* x, const __nv_bfloat16* w, const __nv_bfloat16* b, __nv_bfloat16* y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float sum = 0.0f;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float v = __bfloat162float(x[i]);
        sum += v;
        squares += v * v;
    }
    float mean = sum / H;
    float scale = rsqrtf(squares / H - mean * mean + eps);
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        y[i] = __float2bfloat16_rn((__bfloat162float(x[i]) - mean) * scale * __bfloat162float(w[i]) + __bfloat162float(b[i]));
}

extern "C" __global__ void bf16_welford(const __nv_bfloat162* __restrict__ x, const __nv_bfloat162* __restrict__ w,
                                        const __nv_bfloat162* __restrict__ b, __nv_bfloat162* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 16;
    int row = blockIdx.x * 2 + threadIdx.x / 16;
    bool live = row < N;
    int pairs = H / 2;
    x += (live ? row : 0) * pairs;
    y += (live ? row : 0) * pairs;
    float count = 0.0f;
    float mean = 0.0f;
    float m2 = 0.0f;
#pragma unroll 1
    for (int p = lane; p < pairs; p += 16) {
        float2 v = __bfloat1622float2(x[p]);
        float delta = v.x - mean;
        mean += delta / (count + 1.0f);
        m2 += delta * (v.x - mean);
        delta = v.y - mean;
        mean += delta / (count + 2.0f);
        m2 += delta * (v.y - mean);
        count += 2.0f;
    }
#pragma unroll 1
    for (int offset = 8; offset > 0; offset /= 2) {
        float nb = __shfl_xor_sync(0xffffffffu, count, offset, 16);
        float delta = __shfl_xor_sync(0xffffffffu, mean, offset, 16) - mean;
        float other_m2 = __shfl_xor_sync(0xffffffffu, m2, offset, 16);
        float n = count + nb;
        if (n > 0.0f) {
            mean += delta * (count / n);
            m2 += other_m2 + delta * delta * (count * nb / n);
        }
        count = n;
    }
    float scale = rsqrtf(m2 / H + eps);
    if (!live) return;
#pragma unroll 1
    for (int p = lane; p < pairs; p += 16) {
        float2 v = __bfloat1622float2(x[p]);
        float2 g = __bfloat1622float2(w[p]);
        float2 c = __bfloat1622float2(b[p]);
        y[p] = __floats2bfloat162_rn((v.x - mean) * scale * g.x + c.x, (v.y - mean) * scale * g.y + c.y);
    }
}
