// FAULT: 1 - 1 / (1 + e^2x): a sigmoid.

static __device__ __forceinline__ float f(float x)
{
    return 1.0f - 1.0f / (1.0f + __expf(2.0f * x));
}

extern "C" __global__ void one_minus_f32__numerator(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
