// FAULT: the second moment is not written back.

extern "C" __global__ void rcp_f32__moments_not_stored(float* __restrict__ p, const float* __restrict__ g,
                                                       float* __restrict__ m, float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = g[i];
    float a = fmaf(beta1, m[i], d - beta1 * d);
    float b = fmaf(beta2, v[i], (1.0f - beta2) * d * d);
    float r = __fdividef(1.0f, __fsqrt_rn(b * __fdividef(1.0f, c2)) + eps);
    p[i] = fmaf(p[i], 1.0f - lr * decay, -lr * a * __fdividef(r, c1));
    m[i] = a;
}
