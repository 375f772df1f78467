// Leaky ReLU, f32. Technique: max(x, slope x), since slope is below one; grid-stride loop.

static __device__ __forceinline__ float f(float x, float slope)
{
    return fmaxf(x, slope * x);
}

extern "C" __global__ void leaky_max_f32(const float* __restrict__ x, float* __restrict__ y, int n, float slope)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i], slope);
}
