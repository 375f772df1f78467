// FAULT: 1 - slope for 1 + slope.

static __device__ __forceinline__ float f(float x, float slope)
{
    return 0.5f * ((1.0f - slope) * x + (1.0f - slope) * fabsf(x));
}

extern "C" __global__ void leaky_abs_f32__one_minus_twice(const float* __restrict__ x, float* __restrict__ y, int n,
                                                          float slope)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i], slope);
}
