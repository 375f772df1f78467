// FAULT: the half is not added.

static __device__ __forceinline__ float f(float x)
{
    return (fabsf(x + 3.0f) - fabsf(x - 3.0f)) * (1.0f / 12.0f);
}

extern "C" __global__ void hardsigmoid_abs_f32__half_missing(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
