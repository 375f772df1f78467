// Hard sigmoid, f32. Technique: a difference of magnitudes, no selection at all.

static __device__ __forceinline__ float f(float x)
{
    return 0.5f + (fabsf(x + 3.0f) - fabsf(x - 3.0f)) * (1.0f / 12.0f);
}

extern "C" __global__ void hardsigmoid_abs_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
