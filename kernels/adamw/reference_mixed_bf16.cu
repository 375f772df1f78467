// Plain reference, gradients of bfloat16 with a loss scale, parameters of float and a copy of them in bfloat16: one
// thread a parameter.

#include <cuda_bf16.h>

extern "C" __global__ void reference_mixed_bf16(float* __restrict__ p, const __nv_bfloat16* __restrict__ g,
                                                float* __restrict__ m,
    float* __restrict__ v, __nv_bfloat16* __restrict__ copy, int n, float lr, float beta1, float beta2, float eps, float decay,
    float c1, float c2, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = __bfloat162float(g[i]) / scale;
    float a = beta1 * m[i] + (1.0f - beta1) * d;
    float b = beta2 * v[i] + (1.0f - beta2) * d * d;
    float w = p[i] - lr * ((a / c1) / (sqrtf(b / c2) + eps) + decay * p[i]);
    m[i] = a;
    v[i] = b;
    p[i] = w;
    copy[i] = __float2bfloat16(w);
}
