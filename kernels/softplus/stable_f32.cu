// f32. Technique: max(x, 0) + log1p(e^-|x|), which never overflows.

static __device__ __forceinline__ float f(float x)
{
    return fmaxf(x, 0.0f) + log1pf(expf(-fabsf(x)));
}

extern "C" __global__ void stable_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
