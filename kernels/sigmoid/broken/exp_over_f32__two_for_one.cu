// FAULT: two for one in the denominator.

static __device__ __forceinline__ float f(float x)
{
    float e = __expf(x);
    return e / (2.0f + e);
}

extern "C" __global__ void exp_over_f32__two_for_one(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
