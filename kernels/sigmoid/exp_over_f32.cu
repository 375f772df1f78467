// f32. Technique: e^x / (1 + e^x), grid-stride loop.

static __device__ __forceinline__ float f(float x)
{
    float e = __expf(x);
    return e / (1.0f + e);
}

extern "C" __global__ void exp_over_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
