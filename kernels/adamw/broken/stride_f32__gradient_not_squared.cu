// FAULT: the second moment takes the gradient as it is.

extern "C" __global__ void stride_f32__gradient_not_squared(float* __restrict__ p, const float* __restrict__ g,
                                                            float* __restrict__ m, float* __restrict__ v, int n,
    float lr, float beta1, float beta2, float eps, float decay, float c1, float c2)
{
    float shrink = fmaf(-lr, decay, 1.0f), step = lr / c1, root = 1.0f / sqrtf(c2);
    float one_minus_beta1 = 1.0f - beta1, one_minus_beta2 = 1.0f - beta2;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float d = g[i];
        float a = beta1 * m[i] + one_minus_beta1 * d;
        float b = beta2 * v[i] + one_minus_beta2 * d;
        p[i] = shrink * p[i] - step * a / (sqrtf(b) * root + eps);
        m[i] = a;
        v[i] = b;
    }
}
