// f32, erf form. Technique: the complementary error function of -x / sqrt(2), grid-stride loop.

static __device__ __forceinline__ float f(float x)
{
    return 0.5f * x * erfcf(x * -0.70710678f);
}

extern "C" __global__ void erf_erfc_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
