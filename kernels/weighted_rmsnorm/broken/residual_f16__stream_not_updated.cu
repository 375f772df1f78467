// Broken twin of residual_f16. The fault: r is read but the sum is not stored back.
#include <cuda_fp16.h>

extern "C" __global__ void residual_f16__stream_not_updated(const __half* __restrict__ x, __half* __restrict__ r,
                                        const __half* __restrict__ w, __half* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= N) return;  // the same for all lanes of a warp
    size_t base = (size_t)row * H;
    float sum = 0.0f;
    for (int i = lane; i < H; i += 32) {
        __half h = __hadd(x[base + i], r[base + i]);
        float v = __half2float(h);
        sum += v * v;
    }
    for (int offset = 1; offset < 32; offset *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float scale = rsqrtf(sum / H + eps);
    for (int i = lane; i < H; i += 32)
        y[base + i] = __float2half_rn(__half2float(__hadd(x[base + i], r[base + i])) * scale * __half2float(w[i]));
}
