// Plain reference, float: corrections from the number of the step by powf, beta1 = 0.9 and beta2 = 0.999 fixed; one
// thread a parameter.

extern "C" __global__ void reference_step_f32(float* __restrict__ p, const float* __restrict__ g,
                                              float* __restrict__ m, float* __restrict__ v, int n,
    float lr, float eps, float decay, int t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float c1 = 1.0f - powf(0.9f, (float)t), c2 = 1.0f - powf(0.999f, (float)t);
    float d = g[i];
    float a = 0.9f * m[i] + 0.1f * d;
    float b = 0.999f * v[i] + 0.001f * d * d;
    m[i] = a;
    v[i] = b;
    p[i] = p[i] - lr * ((a / c1) / (sqrtf(b / c2) + eps) + decay * p[i]);
}
