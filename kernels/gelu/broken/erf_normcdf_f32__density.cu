// FAULT: the density times x is missing its x: the distribution is returned.

static __device__ __forceinline__ float f(float x)
{
    return normcdff(x);
}

extern "C" __global__ void erf_normcdf_f32__density(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
