// f32. Technique: the parameter is shrunk by 1 - lr * decay first, both corrections go into the step size and the root.

extern "C" __global__ void decay_first_f32(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                                           float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float w = p[i] * (1.0f - lr * decay);
    float d = g[i];
    float a = m[i] * beta1 + d * (1.0f - beta1);
    float b = fmaf(v[i], beta2, (d * d) * (1.0f - beta2));
    float denominator = sqrtf(b) / sqrtf(c2) + eps;
    p[i] = w - (lr / c1) * (a / denominator);
    m[i] = a;
    v[i] = b;
}
