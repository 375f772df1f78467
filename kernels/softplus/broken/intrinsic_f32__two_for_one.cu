// FAULT: log(2 + e^x).

static __device__ __forceinline__ float f(float x)
{
    return __logf(2.0f + __expf(x));
}

extern "C" __global__ void intrinsic_f32__two_for_one(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
