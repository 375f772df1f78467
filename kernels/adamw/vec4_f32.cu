// f32. Technique: float4 with a scalar tail.

struct Rates {
    float lr, beta1, beta2, eps, decay, c1, c2;
};

static __device__ __forceinline__ void update(float& p, float g, float& m, float& v, const Rates& r)
{
    m = r.beta1 * m + (1.0f - r.beta1) * g;
    v = r.beta2 * v + (1.0f - r.beta2) * g * g;
    p -= r.lr * r.decay * p;
    p -= r.lr * (m / r.c1) / (sqrtf(v / r.c2) + r.eps);
}

extern "C" __global__ void vec4_f32(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                                    float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    Rates r = {lr, beta1, beta2, eps, decay, c1, c2};
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 w = *reinterpret_cast<const float4*>(p + i);
        float4 d = *reinterpret_cast<const float4*>(g + i);
        float4 a = *reinterpret_cast<const float4*>(m + i);
        float4 b = *reinterpret_cast<const float4*>(v + i);
        update(w.x, d.x, a.x, b.x, r);
        update(w.y, d.y, a.y, b.y, r);
        update(w.z, d.z, a.z, b.z, r);
        update(w.w, d.w, a.w, b.w, r);
        *reinterpret_cast<float4*>(p + i) = w;
        *reinterpret_cast<float4*>(m + i) = a;
        *reinterpret_cast<float4*>(v + i) = b;
    } else {
#pragma unroll 1
        for (; i < n; ++i) update(p[i], g[i], m[i], v[i], r);
    }
}
