// f32, corrections from the number of the step. Technique: the powers by a loop of products.

extern "C" __global__ void step_product_f32(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                                            float* __restrict__ v, int n,
    float lr, float eps, float decay, int t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float power1 = 1.0f, power2 = 1.0f;
#pragma unroll 1
    for (int s = 0; s < t; ++s) {
        power1 *= 0.9f;
        power2 *= 0.999f;
    }
    float d = g[i];
    float a = fmaf(0.9f, m[i], 0.1f * d);
    float b = fmaf(0.999f, v[i], 0.001f * d * d);
    m[i] = a;
    v[i] = b;
    p[i] = (1.0f - lr * decay) * p[i] - lr / (1.0f - power1) * a / (sqrtf(b / (1.0f - power2)) + eps);
}
