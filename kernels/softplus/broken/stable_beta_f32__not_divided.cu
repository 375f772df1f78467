// FAULT: the division by beta is missing.

static __device__ __forceinline__ float f(float x, float beta)
{
    float z = beta * x;
    return (fmaxf(z, 0.0f) + log1pf(expf(-fabsf(z))));
}

extern "C" __global__ void stable_beta_f32__not_divided(const float* __restrict__ x, float* __restrict__ y, int n,
                                                        float beta)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i], beta);
}
