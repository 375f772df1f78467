// bf16, sixteen lanes a row, four rows a CTA of 64 threads. Technique: shuffles of width 16, so one warp reduces two
// rows at once; rows past the end take part in the shuffles with zeros.
#include <cuda_bf16.h>

extern "C" __global__ void half_warp_rows_bf16(const __nv_bfloat16* __restrict__ x,
                                               const __nv_bfloat16* __restrict__ w, __nv_bfloat16* __restrict__ y,
                                               int N, int H, float eps)
{
    int lane = threadIdx.x % 16;
    int row = blockIdx.x * 4 + threadIdx.x / 16;
    float sum = 0.0f;
    if (row < N) {
        for (int i = lane; i < H; i += 16) {
            float v = __bfloat162float(x[row * H + i]);
            sum += v * v;
        }
    }
    for (int delta = 8; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, delta, 16);
    sum = __shfl_sync(0xffffffffu, sum, 0, 16);
    if (row < N) {
        float scale = rsqrtf(sum / H + eps);
        for (int i = lane; i < H; i += 16)
            y[row * H + i] = __float2bfloat16_rn(__bfloat162float(x[row * H + i]) * scale * __bfloat162float(w[i]));
    }
}
