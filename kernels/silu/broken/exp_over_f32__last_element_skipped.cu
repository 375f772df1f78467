// FAULT: the loop ends one element early.

static __device__ __forceinline__ float f(float x)
{
    float e = expf(x);
    return x * e / (1.0f + e);
}

extern "C" __global__ void exp_over_f32__last_element_skipped(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
