// FAULT: min(x, slope x).

static __device__ __forceinline__ float f(float x, float slope)
{
    return fminf(x, slope * x);
}

extern "C" __global__ void leaky_max_f32__min_for_max(const float* __restrict__ x, float* __restrict__ y, int n,
                                                      float slope)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i], slope);
}
