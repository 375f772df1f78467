// f32, erf form. Technique: the normal distribution as a function of the library.

static __device__ __forceinline__ float f(float x)
{
    return x * normcdff(x);
}

extern "C" __global__ void erf_normcdf_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
