// Plain reference, __nv_bfloat16: one thread a row, two sequential passes, binary32 accumulator.
// No __restrict__: the same pointer may be passed for x and y (in-place contracts do).
#include <cuda_bf16.h>

extern "C" __global__ void reference_bf16(const __nv_bfloat16* x, const __nv_bfloat16* w, __nv_bfloat16* y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < H; ++i) {
        float v = __bfloat162float(x[row * H + i]);
        sum += v * v;
    }
    float scale = rsqrtf(sum / H + eps);
    for (int i = 0; i < H; ++i)
        y[row * H + i] = __float2bfloat16(__bfloat162float(x[row * H + i]) * scale * __bfloat162float(w[i]));
}
