// FAULT: eps is added under the root.

extern "C" __global__ void lerp_f32__eps_in_root(float* __restrict__ p, const float* __restrict__ g,
                                                 float* __restrict__ m, float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = g[i], w = p[i];
    float a = m[i], b = v[i];
    a += (1.0f - beta1) * (d - a);
    b += (1.0f - beta2) * (d * d - b);
    float root = sqrtf((b + eps * eps) / c2);
    float update = a * __frcp_rn(c1 * (root));
    p[i] = fmaf(-lr, fmaf(decay, w, update), w);
    m[i] = a;
    v[i] = b;
}
