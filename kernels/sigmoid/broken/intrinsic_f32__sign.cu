// FAULT: the sigmoid of -x.

static __device__ __forceinline__ float f(float x)
{
    return __fdividef(1.0f, 1.0f + __expf(x));
}

extern "C" __global__ void intrinsic_f32__sign(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
