// f32. Technique: moments moved towards the gradient, a reciprocal of the denominator, the correction of the root by
// rsqrtf.

extern "C" __global__ void lerp_f32(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                                    float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = g[i], w = p[i];
    float a = m[i], b = v[i];
    a += (1.0f - beta1) * (d - a);
    b += (1.0f - beta2) * (d * d - b);
    float root = sqrtf(b) * rsqrtf(c2);
    float update = a * __frcp_rn(c1 * (root + eps));
    p[i] = fmaf(-lr, fmaf(decay, w, update), w);
    m[i] = a;
    v[i] = b;
}
