// Hard sigmoid, plain reference, float: one thread an element.

static __device__ __forceinline__ float f(float x)
{
    return fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;
}

extern "C" __global__ void reference_hardsigmoid_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
