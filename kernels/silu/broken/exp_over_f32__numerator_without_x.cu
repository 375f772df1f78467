// FAULT: the sigmoid alone, the factor x is missing.

static __device__ __forceinline__ float f(float x)
{
    float e = expf(x);
    return e / (1.0f + e);
}

extern "C" __global__ void exp_over_f32__numerator_without_x(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
