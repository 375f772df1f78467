// Plain reference of the fused residual add, f16: the residual stream r is updated in place (r += x), then
// y = rmsnorm(r) * w. One thread a row.
#include <cuda_fp16.h>

extern "C" __global__ void reference_residual_f16(const __half* x, __half* r, const __half* w, __half* y, int N, int H,
                                                  float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < H; ++i) {
        float v = __half2float(x[row * H + i]) + __half2float(r[row * H + i]);
        r[row * H + i] = __float2half(v);
        sum += v * v;
    }
    float scale = rsqrtf(sum / H + eps);
    for (int i = 0; i < H; ++i)
        y[row * H + i] = __float2half(__half2float(r[row * H + i]) * scale * __half2float(w[i]));
}
