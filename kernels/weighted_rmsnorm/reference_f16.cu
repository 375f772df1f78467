// Plain reference, __half: one thread a row, two sequential passes, binary32 accumulator.
// No __restrict__: the same pointer may be passed for x and y (in-place contracts do).
#include <cuda_fp16.h>

extern "C" __global__ void reference_f16(const __half* x, const __half* w, __half* y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < H; ++i) {
        float v = __half2float(x[row * H + i]);
        sum += v * v;
    }
    float scale = rsqrtf(sum / H + eps);
    for (int i = 0; i < H; ++i)
        y[row * H + i] = __float2half(__half2float(x[row * H + i]) * scale * __half2float(w[i]));
}
