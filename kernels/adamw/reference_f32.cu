// Plain reference, float: decoupled weight decay, c1 = 1 - beta1^t and c2 = 1 - beta2^t given; one thread a parameter.

extern "C" __global__ void reference_f32(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                                         float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = g[i];
    float a = beta1 * m[i] + (1.0f - beta1) * d;
    float b = beta2 * v[i] + (1.0f - beta2) * d * d;
    m[i] = a;
    v[i] = b;
    float step = (a / c1) / (sqrtf(b / c2) + eps);
    p[i] = p[i] - lr * (step + decay * p[i]);
}
