// FAULT: the copy of the scalar tail is taken before the update.

#include <cuda_bf16.h>

extern "C" __global__ void mixed_pairs_bf16__copy_before_update(float* __restrict__ p,
                                                                const __nv_bfloat16* __restrict__ g,
                                                                float* __restrict__ m,
    float* __restrict__ v, __nv_bfloat16* __restrict__ copy, int n, float lr, float beta1, float beta2, float eps, float decay,
    float c1, float c2, float scale)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    float unscale = 1.0f / scale, shrink = 1.0f - lr * decay, step = lr / c1, root = rsqrtf(c2);
    auto update = [&](float w, float d, float& a, float& b) {
        d *= unscale;
        a = fmaf(beta1, a, (1.0f - beta1) * d);
        b = fmaf(beta2, b, (1.0f - beta2) * d * d);
        return fmaf(w, shrink, -step * a / fmaf(sqrtf(b), root, eps));
    };
    if (i + 1 < n) {
        float2 d = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(g + i));
        float2 w = *reinterpret_cast<const float2*>(p + i);
        float2 a = *reinterpret_cast<const float2*>(m + i);
        float2 b = *reinterpret_cast<const float2*>(v + i);
        w.x = update(w.x, d.x, a.x, b.x);
        w.y = update(w.y, d.y, a.y, b.y);
        *reinterpret_cast<float2*>(p + i) = w;
        *reinterpret_cast<float2*>(m + i) = a;
        *reinterpret_cast<float2*>(v + i) = b;
        *reinterpret_cast<__nv_bfloat162*>(copy + i) = __floats2bfloat162_rn(w.x, w.y);
    } else if (i < n) {
        float a0 = p[i];
        float w = update(p[i], __bfloat162float(g[i]), m[i], v[i]);
        p[i] = w;
        copy[i] = __float2bfloat16(a0);
    }
}
