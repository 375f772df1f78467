// Broken twin of warp_down_f16. The fault: x and w change places in the second pass.
#include <cuda_fp16.h>

extern "C" __global__ void warp_down_f16__x_and_w_swapped(const __half* __restrict__ x, const __half* __restrict__ w,
                                         __half* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x;
    const __half* xr = x + (size_t)blockIdx.x * H;
    __half* yr = y + (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = lane; i < H; i += 32) {
        float v = __half2float(xr[i]);
        sum = fmaf(v, v, sum);
    }
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, delta);
    float scale = rsqrtf(sum / H + eps);
    scale = __shfl_sync(0xffffffffu, scale, 0);
    for (int i = lane; i < H; i += 32)
        yr[i] = __float2half_rn(__half2float((w + (size_t)blockIdx.x * H)[i]) * scale * __half2float(x[i]));
}
