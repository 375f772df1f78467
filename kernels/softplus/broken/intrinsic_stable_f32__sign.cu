// FAULT: e^|x| for e^-|x|.

static __device__ __forceinline__ float f(float x)
{
    return fmaxf(x, 0.0f) + __logf(1.0f + __expf(fabsf(x)));
}

extern "C" __global__ void intrinsic_stable_f32__sign(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
