// FAULT: min(x, 0).

static __device__ __forceinline__ float f(float x)
{
    return fminf(x, 0.0f) + log1pf(expf(-fabsf(x)));
}

extern "C" __global__ void stable_f32__min_for_max(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
