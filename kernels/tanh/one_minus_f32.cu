// f32. Technique: 1 - 2 / (1 + e^2x) with __expf, grid-stride loop.

static __device__ __forceinline__ float f(float x)
{
    return 1.0f - 2.0f / (1.0f + __expf(2.0f * x));
}

extern "C" __global__ void one_minus_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
