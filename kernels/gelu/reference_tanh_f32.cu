// Plain reference, float, with the hyperbolic tangent: one thread an element.

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79788456f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(u));
}

extern "C" __global__ void reference_tanh_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
