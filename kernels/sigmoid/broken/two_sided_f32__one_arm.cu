// FAULT: the sigmoid of |x|: negative x are not told apart.

static __device__ __forceinline__ float f(float x)
{
    float e = expf(-fabsf(x));
    float s = 1.0f / (1.0f + e);
    return s;
}

extern "C" __global__ void two_sided_f32__one_arm(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
